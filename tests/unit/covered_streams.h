/* SPDX-License-Identifier: MIT */
/* Streams that lose events, and the coverage that hears of it. Include it in one file of a test only. */
#ifndef ROS2BT_TESTS_COVERED_STREAMS_H
#define ROS2BT_TESTS_COVERED_STREAMS_H

#include <criterion/criterion.h>

#include "core/model/coverage.h"
#include "records.h"

/* Streams of one trace, 0, and one of another. */
enum { FIRST, SECOND, ELSEWHERE };

static struct coverage *coverage;

static void covered_setup(void)
{
	uint32_t trace;

	recording_setup();
	trace = add_trace("trace");
	recording_add_stream(recording, trace);
	add_trace("elsewhere");
	coverage = coverage_create(recording);
}

static void covered_teardown(void)
{
	coverage_destroy(coverage);
	recording_teardown();
}

static void feed(unsigned int kind, uint16_t stream, int64_t time_ns, int64_t end_ns)
{
	const uint64_t words[] = { 1, (uint64_t)end_ns };
	struct event_record record = in_stream(record_of(kind, RECORDING_NONE, time_ns, words, 2), stream);

	coverage_feed(coverage, &record);
}

/* A packet of the stream ends at `end_ns`; it has lost events after `begin_ns`. */
static void lose(uint16_t stream, int64_t begin_ns, int64_t end_ns)
{
	struct event_record next = in_stream(RECORD(RCL_TAKE, 0, end_ns, 0), stream);

	feed(RECORD_DISCARDED_EVENTS, stream, begin_ns, begin_ns);
	feed(RECORD_GAP, stream, end_ns, end_ns);
	coverage_follow(coverage, &next);
}

#endif
