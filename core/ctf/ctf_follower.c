/* SPDX-License-Identifier: MIT */
#include "core/ctf/ctf_follower.h"

#include <glib/gstdio.h>
#include <string.h>

#include "core/ctf/ctf_chunk.h"
#include "ros2bt/events/directory_walk.h"

#define ARCHIVES "archives"
#define QUIET_S 2

struct ctf_follower {
	const char *directory;
	const struct event_interest *interest;
	struct string_pool *pool;
	GHashTable *seen; /* char *: names of the entries that were added, or cannot be */
};

struct ctf_follower *ctf_follower_create(const char *directory, const struct event_interest *interest,
					 struct string_pool *pool)
{
	struct ctf_follower *follower = g_new0(struct ctf_follower, 1);

	follower->directory = directory;
	follower->interest = interest;
	follower->pool = pool;
	follower->seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	return follower;
}

void ctf_follower_destroy(struct ctf_follower *follower)
{
	if (follower) {
		g_hash_table_unref(follower->seen);
		g_free(follower);
	}
}

const char *ctf_follower_directory(const struct ctf_follower *follower)
{
	return follower->directory;
}

static void note_change(int64_t *last, const char *path)
{
	GStatBuf status;
	int64_t changed = g_stat(path, &status) == 0 ? (int64_t)status.st_mtime : INT64_MAX;

	*last = MAX(*last, changed);
}

static bool note_changes(const char *path, const char *relative_path, void *data)
{
	g_autoptr(GPtrArray) names = directory_entries(path, NULL);

	note_change(data, path);
	for (guint i = 0; names && i < names->len; i++) {
		g_autofree char *child = g_build_filename(path, g_ptr_array_index(names, i), NULL);

		note_change(data, child);
	}
	return true;
}

/* The time of the last change of anything in a directory, in seconds since the epoch; one that goes is changing. */
static int64_t last_change(const char *path)
{
	g_autoptr(GPtrArray) left_out = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *reason = NULL;
	int64_t last = INT64_MIN;
	const struct directory_walk walk = { .enters = note_changes, .data = &last, .left_out = left_out };

	return directory_walk(&walk, path, &reason) ? last : INT64_MAX;
}

static bool is_quiet(const char *path)
{
	int64_t now = g_get_real_time() / G_USEC_PER_SEC, last = last_change(path);

	return last < now && now - last >= QUIET_S;
}

/* In order of UUID; NULL: there is none. *index is where it is, or would be. */
static struct ctf_trace *find_trace(const GPtrArray *traces, const struct ctf_trace_class *class, guint *index)
{
	for (*index = 0; *index < traces->len; (*index)++) {
		struct ctf_trace *trace = g_ptr_array_index(traces, *index);
		int order = memcmp(trace->class->uuid, class->uuid, sizeof(class->uuid));

		if (order >= 0) {
			return order == 0 ? trace : NULL;
		}
	}
	return NULL;
}

static bool add_chunk(const struct ctf_follower *follower, GPtrArray *traces, struct ctf_chunk *chunk, int64_t *end_ns,
		      char **reason)
{
	guint index;
	struct ctf_trace *trace = find_trace(traces, chunk->class, &index);

	if (!trace) {
		trace = ctf_trace_create(chunk, follower->interest, follower->pool, reason);
		if (!trace) {
			return false;
		}
		g_ptr_array_insert(traces, (gint)index, trace);
	}
	return ctf_trace_grow(trace, chunk, follower->interest, follower->pool, end_ns, reason);
}

/* *end_ns becomes the end of the last packet, if it is later. */
static void add_directory(const struct ctf_follower *follower, GPtrArray *traces, const char *path, GPtrArray *left_out,
			  int64_t *end_ns)
{
	g_autoptr(GPtrArray) chunks = ctf_chunks_create();
	g_autofree char *reason = NULL;
	bool is_loaded = ctf_chunks_find(chunks, path, left_out, &reason) && ctf_chunks_load(chunks, &reason);

	for (guint i = 0; is_loaded && i < chunks->len; i++) {
		g_autofree char *why = NULL;

		if (!add_chunk(follower, traces, g_ptr_array_index(chunks, i), end_ns, &why)) {
			g_ptr_array_add(left_out, g_steal_pointer(&why));
		}
	}
	if (reason) {
		g_ptr_array_add(left_out, g_steal_pointer(&reason));
	}
}

static bool is_new(const struct ctf_follower *follower, const char *name, const char *path)
{
	return name[0] != '.' && !g_hash_table_contains(follower->seen, name) && g_file_test(path, G_FILE_TEST_IS_DIR);
}

/* Of a session that was not rotated yet: it goes on, however long nothing has changed. No snapshot has such a name. */
static bool is_first_chunk(const char *name)
{
	return strcmp(name, "ust") == 0 || strcmp(name, "kernel") == 0;
}

int64_t ctf_follower_look(struct ctf_follower *follower, GPtrArray *traces, GPtrArray *left_out, bool is_last)
{
	g_autofree char *archives = g_build_filename(follower->directory, ARCHIVES, NULL);
	bool has_archives = g_file_test(archives, G_FILE_TEST_IS_DIR);
	g_autofree char *last_part = g_path_get_basename(follower->directory);
	bool are_whole = is_last || has_archives || strcmp(last_part, ARCHIVES) == 0;
	const char *directory = has_archives ? archives : follower->directory;
	g_autoptr(GPtrArray) names = directory_entries(directory, NULL);
	int64_t end_ns = INT64_MIN;

	for (guint i = 0; names && i < names->len; i++) {
		const char *name = g_ptr_array_index(names, i);
		g_autofree char *path = g_build_filename(directory, name, NULL);

		if (is_new(follower, name, path) && (are_whole || (!is_first_chunk(name) && is_quiet(path)))) {
			g_hash_table_add(follower->seen, g_strdup(name));
			add_directory(follower, traces, path, left_out, &end_ns);
		}
	}
	return end_ns;
}
