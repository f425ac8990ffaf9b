/* SPDX-License-Identifier: MIT */
/*
 * libFuzzer: a trace of any bytes. The fast reader must not crash, and what it reads to the end, babeltrace2 must read
 * to the same records. An input is parts of [length: 4 bytes, little endian][bytes]: the metadata, then stream files.
 * babeltrace2 runs in a child process, because its crashes are not our findings. Not so in CTF 2, which babeltrace2
 * reads from 2.1 on: there it is that nothing crashes.
 */
#include <errno.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/record_dump.h"
#include "ros2bt/bt/trace_graph.h"
#include "ros2bt/ctf/record_reader.h"

#define PARTS_MAX 4

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static const char *const names[PARTS_MAX] = { "metadata", "stream_0", "stream_1", "stream_2" };

/* Events of the table that the user chose besides, with fields of most types; inputs change the types. */
static const struct point_event point_events[] = {
	{ "ros2:rcl_node_init", (const char *const[]){ "node_handle", "node_name", "namespace" }, 3 },
	{ "ros2:rmw_publisher_init", (const char *const[]){ "gid", "rmw_publisher_handle" }, 2 },
	{ "ros2:callback_start", (const char *const[]){ "callback", "is_intra_process", "none" }, 3 },
	{ "ros2:message_link_partial_sync", (const char *const[]){ "subs", "pubs" }, 2 },
	{ "ros2:rcl_timer_init", (const char *const[]){ "period" }, 1 },
	{ "ros2:rcl_lifecycle_transition", (const char *const[]){ "start_label", "state_machine" }, 2 },
};

/* All there is. */
static const struct event_interest *everything(void)
{
	static const struct point_events points = { point_events, G_N_ELEMENTS(point_events) };
	static struct event_interest interest = { .points = &points };

	memset(interest.wants, true, sizeof(interest.wants));
	memset(interest.wants_counters, true, sizeof(interest.wants_counters));
	return &interest;
}

static const char *folder(void)
{
	static char *path;

	if (!path) {
		path = g_strdup_printf("%s/fuzz-readers-%d", g_get_tmp_dir(), getpid());
		g_mkdir_with_parents(path, 0700);
	}
	return path;
}

static void write_trace(const uint8_t *bytes, size_t size)
{
	for (size_t i = 0; i < PARTS_MAX; i++) {
		g_autofree char *path = g_build_filename(folder(), names[i], NULL);
		uint32_t length = 0;

		if (size < sizeof(length)) {
			(void)g_unlink(path);
			continue;
		}
		memcpy(&length, bytes, sizeof(length));
		bytes += sizeof(length);
		size -= sizeof(length);
		length = (uint32_t)MIN(GUINT32_FROM_LE(length), size);
		if (!g_file_set_contents(path, (const char *)bytes, length, NULL)) {
			abort();
		}
		bytes += length;
		size -= length;
	}
}

/* The records as text; false if the reader refuses or fails. */
static bool read_fast(FILE *file)
{
	const char *path = folder();
	struct string_pool *pool = string_pool_create();
	struct recording *recording = recording_create(pool);
	g_autofree char *reason = NULL;
	struct record_reader *reader = record_reader_open(&path, 1, recording, everything(), &reason);
	enum record_reader_status status = RECORD_READER_ERROR;
	const struct event_record *records;
	size_t count;

	if (!reader && !reason) {
		abort();
	}
	while (reader && (status = record_reader_next(reader, &records, &count)) == RECORD_READER_OK) {
		for (size_t i = 0; i < count; i++) {
			record_dump_write(file, &records[i]);
		}
	}
	recording_dump_write(file, recording);
	record_reader_close(reader);
	recording_destroy(recording);
	string_pool_destroy(pool);
	return status == RECORD_READER_END;
}

static bool take(const struct event_record *records, size_t count, void *data)
{
	for (size_t i = 0; i < count; i++) {
		record_dump_write(data, &records[i]);
	}
	return true;
}

static bool read_babeltrace2(FILE *file, char **reason)
{
	const char *path = folder();
	struct string_pool *pool = string_pool_create();
	struct recording *recording = recording_create(pool);
	g_autoptr(GPtrArray) left_out = g_ptr_array_new_with_free_func(g_free);
	bool is_read =
		trace_graph_run(&path, 1, recording, everything(), take, file, left_out, reason) && left_out->len == 0;

	recording_dump_write(file, recording);
	return is_read;
}

/* In the child. The exit code says whether both are the same. */
static void compare(const char *fast, size_t fast_size)
{
	char *text = NULL;
	char *reason = NULL;
	size_t size = 0;
	FILE *file = open_memstream(&text, &size);
	bool is_read = read_babeltrace2(file, &reason);

	fclose(file);
	if (is_read && size == fast_size && memcmp(text, fast, size) == 0) {
		_exit(0);
	}
	fprintf(stderr, "--- fast\n%.*s--- babeltrace2 %s\n%.*s", (int)fast_size, fast, is_read ? "" : reason,
		(int)size, text);
	_exit(3);
}

/* Whether the metadata is a sequence of JSON texts, each behind a record separator. */
static bool is_ctf2(const uint8_t *bytes, size_t size)
{
	return size > sizeof(uint32_t) && bytes[sizeof(uint32_t)] == 0x1e;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	char *text = NULL;
	size_t text_size = 0;
	FILE *file = open_memstream(&text, &text_size);
	bool is_read;
	int status = 0;
	pid_t child;

	write_trace(bytes, size);
	is_read = read_fast(file);
	fclose(file);
	if (is_read && !is_ctf2(bytes, size)) {
		child = fork();
		if (child == 0) {
			/* a crash of babeltrace2 is no finding */
			signal(SIGABRT, SIG_DFL);
			signal(SIGSEGV, SIG_DFL);
			signal(SIGFPE, SIG_DFL);
			compare(text, text_size);
		}
		while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
		if (WIFEXITED(status) && WEXITSTATUS(status) == 3) {
			abort();
		}
	}
	free(text);
	return 0;
}
