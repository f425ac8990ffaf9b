/* SPDX-License-Identifier: MIT */
/*
 * A small recording and its records, made by hand: what unit tests of analyses feed. Include it in one file of a test
 * only.
 */
#ifndef TESTS_UNIT_RECORDS_H
#define TESTS_UNIT_RECORDS_H

#include <glib.h>

#include "ros2bt/events/event_record.h"
#include "ros2bt/events/recording.h"

static struct string_pool *pool;
static struct recording *recording;

static inline void recording_setup(void)
{
	pool = string_pool_create();
	recording = recording_create(pool);
}

static inline void recording_teardown(void)
{
	recording_destroy(recording);
	string_pool_destroy(pool);
}

/* A trace with one stream more than there are: streams and traces count up from 0. */
static inline uint32_t add_trace(const char *name)
{
	uint32_t trace =
		recording_add_trace(recording, &(struct recording_trace_info){ .name = name, .hostname = "host" });

	recording_add_stream(recording, trace);
	return trace;
}

static inline uint32_t add_thread(uint32_t trace, int32_t vpid, int32_t vtid)
{
	struct recording_context context = { .has_vpid = true, .has_vtid = true, .vpid = vpid, .vtid = vtid };
	g_autofree char *procname = g_strdup_printf("process%d", vpid);

	return recording_add_thread(recording, trace, &context, procname);
}

static inline uint32_t process_of(uint32_t thread)
{
	return recording_thread(recording, thread)->process;
}

/* A text as a word. */
static inline uint64_t text(const char *characters)
{
	return (uint64_t)(uintptr_t)string_pool_intern(pool, characters);
}

/* A record with the words of the first slots. */
static inline struct event_record record_of(unsigned int kind, uint32_t thread, int64_t time_ns, const uint64_t *words,
					    size_t count)
{
	struct event_record record = { .time_ns = time_ns, .thread = thread, .kind = (uint8_t)kind };

	for (size_t i = 0; i < count; i++) {
		record.word[i] = words[i];
	}
	record.present = (uint8_t)((1u << count) - 1) & 0x3f;
	return record;
}

#define RECORD(kind, thread, time_ns, ...)                                                                             \
	record_of(EVENT_##kind, (thread), (time_ns), (const uint64_t[]){ __VA_ARGS__ },                                \
		  sizeof((const uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t))

/* The same event of CARET, initialized at another time than recorded. */
static inline struct event_record by_caret(struct event_record record, int64_t init_time_ns)
{
	record.flags = RECORD_FROM_CARET | RECORD_HAS_INIT_TIME;
	record.word[EVENT_SLOT_INIT_TIME] = (uint64_t)init_time_ns;
	return record;
}

static inline struct event_record in_stream(struct event_record record, uint16_t stream)
{
	record.stream = stream;
	return record;
}

/* Of a stream that may have lost events or packets between (RECORD_DISCARDED_…). */
static inline struct event_record loss_of(unsigned int kind, uint16_t stream, int64_t begin_ns, int64_t end_ns)
{
	const uint64_t words[] = { [RECORD__count] = 1, [RECORD__end_ns] = (uint64_t)end_ns };

	return in_stream(record_of(kind, RECORDING_NONE, begin_ns, words, G_N_ELEMENTS(words)), stream);
}

static inline struct event_record gap_of(uint16_t stream, int64_t time_ns)
{
	return in_stream(record_of(RECORD_GAP, RECORDING_NONE, time_ns, NULL, 0), stream);
}

#endif
