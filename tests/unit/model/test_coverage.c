/* SPDX-License-Identifier: MIT */
#include "core/model/coverage.h"

#include "covered_streams.h"

/* Processes in the two traces. */
static uint32_t here, elsewhere;

static void setup(void)
{
	covered_setup();
	here = process_of(add_thread(0, 7, 7));
	elsewhere = process_of(add_thread(1, 8, 8));
}

TestSuite(coverage, .init = setup, .fini = covered_teardown);

static bool is_missing_between(int64_t from_ns, int64_t to_ns)
{
	return !coverage_trace_is_whole(coverage, 0, from_ns, to_ns);
}

Test(coverage, a_trace_without_losses_misses_nothing)
{
	cr_expect_not(coverage_has_any(coverage));
	cr_expect_not(coverage_trace_has_any(coverage, 0));
	cr_expect_not(is_missing_between(0, 1000));
	lose(ELSEWHERE, 100, 200);
	cr_expect(coverage_has_any(coverage));
	cr_expect(coverage_trace_has_any(coverage, 1));
	cr_expect_not(coverage_trace_has_any(coverage, 0));
	cr_expect_not(is_missing_between(0, 1000));
}

/* Silent from the last event at 100 to the end of the packet at 200. */
Test(coverage, events_may_be_missing_in_a_silence)
{
	lose(FIRST, 100, 200);
	cr_expect(is_missing_between(0, 1000));
	cr_expect(is_missing_between(150, 160));
	cr_expect(is_missing_between(199, 300));
	cr_expect_not(is_missing_between(0, 100));
	cr_expect_not(is_missing_between(200, 300));
}

/* The next event may be long in coming: what the reader joins or filters move does not count. */
Test(coverage, a_silence_lasts_until_the_packets_of_its_stream_go_on)
{
	struct event_record next = in_stream(RECORD(RCL_TAKE, 0, 300, 0), FIRST);

	feed(RECORD_DISCARDED_EVENTS, FIRST, 100, 150);
	cr_expect(is_missing_between(400, 500), "the end of the packet is not known yet");
	feed(RECORD_GAP, FIRST, 150, 150);
	cr_expect_not(is_missing_between(150, 500));
	cr_expect(is_missing_between(140, 160));
	coverage_follow(coverage, &next);
	cr_expect_not(is_missing_between(150, 500));
	cr_expect(is_missing_between(140, 160));
}

/* The losses of a packet follow its last event: each event in it moves the beginning of the silence. */
Test(coverage, a_lossy_packet_is_silent_after_its_last_event)
{
	struct event_record last = in_stream(RECORD(RCL_TAKE, 0, 140, 0), FIRST);

	feed(RECORD_DISCARDED_EVENTS, FIRST, 100, 150);
	coverage_follow(coverage, &last);
	feed(RECORD_GAP, FIRST, 150, 150);
	cr_expect_not(is_missing_between(110, 140));
	cr_expect(is_missing_between(110, 141));
}

/* A stream without packets has no RECORD_GAP: an event after the range of the loss ends it. */
Test(coverage, without_packets_the_range_of_the_loss_is_the_silence)
{
	struct event_record within = in_stream(RECORD(RCL_TAKE, 0, 120, 0), FIRST);
	struct event_record after = in_stream(RECORD(RCL_TAKE, 0, 160, 0), FIRST);

	feed(RECORD_DISCARDED_EVENTS, FIRST, 100, 150);
	coverage_follow(coverage, &within);
	coverage_follow(coverage, &after);
	cr_expect(is_missing_between(120, 160));
	cr_expect_not(is_missing_between(160, 1000));
}

Test(coverage, lost_packets_and_the_end_of_a_stream)
{
	feed(RECORD_DISCARDED_PACKETS, FIRST, 100, 150);
	cr_expect(is_missing_between(140, 160));
	cr_expect_not(is_missing_between(150, 160));
	feed(RECORD_STREAM_END, FIRST, 200, 200);
	cr_expect(is_missing_between(140, 160));
	cr_expect_not(is_missing_between(150, 400));
	feed(RECORD_DISCARDED_EVENTS, SECOND, 500, 550);
	feed(RECORD_STREAM_END, SECOND, 600, 600);
	cr_expect_not(is_missing_between(700, 800), "nobody knows what it lost, and it records nothing any more");
}

/* A definition may be a copy, or moved by a filter: it does not show that its stream goes on. */
Test(coverage, a_definition_is_no_sign_of_life)
{
	struct event_record definition = RECORD(RCL_NODE_INIT, 0, 100, 1, 2, text("node"), text("/"));
	struct event_record take = RECORD(RCL_TAKE, 0, 100, 0);
	struct event_record gap = { .kind = RECORD_GAP };

	cr_expect_not(coverage_is_sign_of_life(&definition));
	cr_expect_not(coverage_is_sign_of_life(&gap));
	cr_expect(coverage_is_sign_of_life(&take));
}

Test(coverage, the_first_packet_of_a_stream_may_have_had_predecessors)
{
	recording_set_stream_lost_before(recording, FIRST, 0, 50);
	recording_set_stream_lost_before(recording, SECOND, 23, 500);
	coverage_see_late_streams(coverage);
	cr_expect(coverage_has_any(coverage));
	cr_expect(coverage_process_is_whole(coverage, here, 0, 50), "before the trace");
	cr_expect_not(coverage_process_is_whole(coverage, here, 0, 100));
	cr_expect_not(coverage_process_is_whole(coverage, here, 400, 600));
	cr_expect(coverage_process_is_whole(coverage, here, 500, 600));
	cr_expect_eq(coverage_process_lost_ns(coverage, here, 100, 600), 400);
	cr_expect(coverage_process_is_whole(coverage, elsewhere, 0, 600), "of another trace");
}

Test(coverage, a_stream_that_begins_with_its_first_packet_is_covered_from_the_start)
{
	recording_set_stream_lost_before(recording, SECOND, 0, 500);
	recording_packet_begins(recording, SECOND, 500);
	coverage_see_late_streams(coverage);
	cr_expect_not(coverage_has_any(coverage));
	cr_expect(coverage_process_is_whole(coverage, here, 0, 600));
	cr_expect_eq(coverage_process_lost_ns(coverage, here, 0, 600), 0);
}

Test(coverage, a_host_misses_what_any_of_its_programs_may_miss)
{
	uint32_t host = recording_process(recording, here)->host;

	cr_expect(coverage_host_misses_nothing(coverage, host, 0, 1000));
	lose(FIRST, 100, 200);
	cr_expect_not(coverage_host_misses_nothing(coverage, host, 0, 1000));
	cr_expect(coverage_host_misses_nothing(coverage, host, 200, 1000));
	cr_expect(coverage_host_misses_nothing(coverage, host + 1, 0, 1000));
	coverage_add_pause(coverage, 500, 600);
	cr_expect_not(coverage_host_misses_nothing(coverage, host, 400, 1000));
	cr_expect_not(coverage_host_misses_nothing(coverage, host + 1, 400, 1000));
}

Test(coverage, a_host_misses_what_was_overwritten_before_a_trace_of_one_process_begins)
{
	uint32_t host = recording_process(recording, here)->host;

	recording_set_stream_lost_before(recording, FIRST, 7, 500);
	recording_set_stream_lost_before(recording, SECOND, 0, 500);
	coverage_see_late_streams(coverage);
	cr_expect(coverage_process_misses_nothing(coverage, here, 100, 200), "an earlier one with its id");
	cr_expect_not(coverage_host_misses_nothing(coverage, host, 100, 200));
	cr_expect(coverage_host_misses_nothing(coverage, host + 1, 100, 200));
	cr_expect_not(coverage_host_misses_nothing(coverage, host, 400, 600));
	cr_expect(coverage_host_misses_nothing(coverage, host, 500, 600));
}

/* 100-200 and 150-300 of two streams, 400-450 of both. */
Test(coverage, what_two_streams_miss_at_once_is_counted_once)
{
	lose(FIRST, 100, 200);
	lose(SECOND, 150, 300);
	lose(FIRST, 400, 450);
	lose(SECOND, 400, 450);
	cr_expect_eq(coverage_process_lost_ns(coverage, here, 0, 1000), 250);
	cr_expect_eq(coverage_process_lost_ns(coverage, here, 120, 420), 200);
	cr_expect_eq(coverage_process_lost_ns(coverage, here, 300, 400), 0);
	cr_expect_eq(coverage_process_lost_ns(coverage, elsewhere, 0, 1000), 0);
}

Test(coverage, breaks_are_those_of_a_process_and_pauses_those_of_all)
{
	coverage_add_break(coverage, here, 100, 200, false);
	cr_expect_eq(coverage_process_lost_ns(coverage, here, 0, 1000), 100);
	cr_expect_eq(coverage_process_lost_ns(coverage, elsewhere, 0, 1000), 0);
	coverage_add_pause(coverage, 150, 300);
	cr_expect_eq(coverage_process_lost_ns(coverage, here, 0, 1000), 200);
	cr_expect_eq(coverage_process_lost_ns(coverage, elsewhere, 0, 1000), 150);
	cr_expect_not(coverage_process_is_whole(coverage, elsewhere, 299, 301));
	cr_expect(coverage_trace_is_whole(coverage, 0, 0, 1000), "its streams went on");
}

/* LTTng stops and starts one process after the other. */
Test(coverage, around_a_pause_events_of_a_process_may_be_missing_but_only_the_pause_is_lost_time)
{
	coverage_add_pause(coverage, 150, 300);
	coverage_add_break(coverage, here, 100, 400, true);
	cr_expect_eq(coverage_process_lost_ns(coverage, here, 0, 1000), 150);
	cr_expect_not(coverage_process_is_whole(coverage, here, 320, 450));
	cr_expect_not(coverage_process_misses_nothing(coverage, here, 90, 110));
	cr_expect(coverage_process_is_whole(coverage, elsewhere, 320, 450));
	coverage_add_break(coverage, here, 600, 700, false);
	cr_expect_eq(coverage_process_lost_ns(coverage, here, 0, 1000), 250, "without a pause");
}

/*
 * A lossy packet from 100 to 150 with an event at 140: before it, a large event may have been dropped that did not fit,
 * though this one did.
 */
Test(coverage, before_the_last_event_of_a_lossy_packet_a_single_event_may_be_missing)
{
	struct event_record last = in_stream(RECORD(RCL_TAKE, 0, 140, 0), FIRST);
	struct event_record next = in_stream(RECORD(RCL_TAKE, 0, 200, 0), FIRST);

	feed(RECORD_DISCARDED_EVENTS, FIRST, 100, 150);
	coverage_follow(coverage, &last);
	feed(RECORD_GAP, FIRST, 150, 150);
	coverage_follow(coverage, &next);
	cr_expect(coverage_process_is_whole(coverage, here, 110, 140));
	cr_expect_not(coverage_process_misses_nothing(coverage, here, 110, 140));
	cr_expect(coverage_process_misses_nothing(coverage, here, 0, 100));
	cr_expect(coverage_process_misses_nothing(coverage, here, 200, 300));
}

Test(coverage, times_before_the_silences_that_are_kept_count_as_uncovered)
{
	for (int64_t i = 1; i <= SILENCES_KEPT; i++) {
		lose(FIRST, 1000 * i, 1000 * i + 10);
	}
	cr_expect_not(is_missing_between(0, 500));
	cr_expect_not(is_missing_between(1500, 1600));
	lose(FIRST, INT64_C(1000000000), INT64_C(1000000010));
	cr_expect(is_missing_between(0, 500));
	cr_expect(is_missing_between(1500, 1600), "the first one is forgotten");
	cr_expect_not(is_missing_between(INT64_C(1000) * SILENCES_KEPT - 500, INT64_C(1000) * SILENCES_KEPT - 400));
}
