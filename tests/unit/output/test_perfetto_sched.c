/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "core/output/perfetto/perfetto_sched.h"
#include "core/tables/timeline_tables.h"
#include "ros2bt/output/output_stream.h"

#define THREADS 200
#define LANES (PERFETTO_CPU_MAX - PERFETTO_CPU_UNKNOWN)
#define END_NS 100000

/* A part of an encoded message. */
struct bytes {
	const uint8_t *at, *end;
};

static uint64_t read_varint(struct bytes *bytes)
{
	uint64_t value = 0;

	for (unsigned int shift = 0; bytes->at < bytes->end; shift += 7) {
		uint8_t byte = *bytes->at++;

		value |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80) {
			break;
		}
	}
	return value;
}

/* The next field: its number, and its value or what is in it. False at the end. */
static bool read_field(struct bytes *bytes, uint64_t *field, uint64_t *value, struct bytes *inner)
{
	uint64_t tag;

	if (bytes->at >= bytes->end) {
		return false;
	}
	tag = read_varint(bytes);
	*field = tag >> 3;
	*inner = (struct bytes){ bytes->at, bytes->at };
	if ((tag & 7) == 0) {
		*value = read_varint(bytes);
	} else if ((tag & 7) == 1) {
		bytes->at += 8;
	} else {
		size_t size = read_varint(bytes);

		*inner = (struct bytes){ bytes->at, bytes->at + size };
		bytes->at += size;
	}
	return true;
}

struct switched {
	uint64_t time_ns, from, to;
};

static struct switched read_switch(struct bytes event)
{
	struct switched found = { 0 };
	struct bytes inner, ignored;
	uint64_t field, value = 0, part, number = 0;

	while (read_field(&event, &field, &value, &inner)) {
		found.time_ns = field == 1 ? value : found.time_ns;
		while (field == 4 && read_field(&inner, &part, &number, &ignored)) {
			found.from = part == 2 ? number : found.from;
			found.to = part == 6 ? number : found.to;
		}
	}
	return found;
}

static int64_t begin_of(guint thread)
{
	return 1000 + thread;
}

static int64_t end_of(guint thread)
{
	return 50000 - thread;
}

static guint drawn, left_out;

static uint64_t cpu_of(struct bytes bundle)
{
	uint64_t field, value = 0, cpu = 0;
	struct bytes event;

	while (read_field(&bundle, &field, &value, &event)) {
		cpu = field == 1 ? value : cpu;
	}
	return cpu;
}

/* On a CPU that nobody knows, a thread is exactly as long as its state. */
static void check_bundle(struct bytes bundle)
{
	struct switched last = { 0 };
	uint64_t field, value = 0, cpu = cpu_of(bundle);
	struct bytes event;

	while (read_field(&bundle, &field, &value, &event)) {
		struct switched next;

		if (field != 2) {
			continue;
		}
		next = read_switch(event);
		if (last.to > 0 && cpu >= PERFETTO_CPU_UNKNOWN) {
			cr_assert_eq(next.from, last.to);
			cr_assert_eq((int64_t)last.time_ns, begin_of((guint)last.to - 1));
			cr_assert_eq((int64_t)next.time_ns, end_of((guint)last.to - 1));
			drawn++;
		} else if (cpu < PERFETTO_CPU_UNKNOWN && next.from > 0) {
			left_out++;
		}
		last = next;
	}
}

static void check_file(const GByteArray *contents)
{
	struct bytes file = { contents->data, contents->data + contents->len }, packet, bundle;
	uint64_t field, value = 0;

	while (read_field(&file, &field, &value, &packet)) {
		while (read_field(&packet, &field, &value, &bundle)) {
			if (field == 1) {
				check_bundle(bundle);
			}
		}
	}
}

static void take(const char *bytes, size_t size, void *data)
{
	g_byte_array_append(data, (const guint8 *)bytes, (guint)size);
}

Test(perfetto_sched, more_threads_than_lanes_run_nobody_knows_where)
{
	g_autoptr(GByteArray) contents = g_byte_array_new();
	struct output_stream *stream = output_stream_create_into(take, contents);
	struct perfetto_thread threads[THREADS];
	struct perfetto_packets packets;
	struct perfetto_sched sched;

	perfetto_packets_init(&packets, stream);
	perfetto_sched_init(&sched);
	for (guint i = 0; i < THREADS; i++) {
		const struct perfetto_state runs = {
			begin_of(i), end_of(i), i, PERFETTO_NOBODY, 0, -1, TIMELINE_STATE_RUNNING[0]
		};
		const struct perfetto_state blocked = {
			end_of(i), END_NS, i, PERFETTO_NOBODY, 0, -1, TIMELINE_STATE_BLOCKED[0]
		};

		threads[i] = (struct perfetto_thread){ i + 1, "thread", true };
		perfetto_sched_add(&sched, &runs);
		perfetto_sched_add(&sched, &blocked);
	}
	perfetto_sched_prepare(&sched, &packets, threads);
	perfetto_write_strings(&packets);
	perfetto_sched_write(&sched, &packets, threads);
	perfetto_sched_clear(&sched);
	perfetto_packets_clear(&packets);
	cr_assert(output_stream_flush(stream, NULL));
	output_stream_destroy(stream);
	check_file(contents);
	cr_assert_eq(drawn, LANES);
	/* the others begin to be blocked, and all stop to be */
	cr_assert_eq(left_out, THREADS - LANES + THREADS);
}
