/* SPDX-License-Identifier: MIT */
#include "core/model/recorder_losses.h"

#include <criterion/criterion.h>

#include "records.h"

/* The shortest silence of another stream in which a thread may be moved there and back: SHORTEST_DETOUR_NS. */
#define DETOUR_NS 30000

/* Streams of one trace, and one of another. */
enum { FIRST, SECOND, ELSEWHERE };

static struct recorder_losses losses;
static struct thread_trail trail;

static void setup(void)
{
	uint32_t trace;

	recording_setup();
	trace = add_trace("trace");
	recording_add_stream(recording, trace);
	add_trace("elsewhere");
	recorder_losses_init(&losses, recording);
	trail = (struct thread_trail){ 0 };
}

static void teardown(void)
{
	recorder_losses_clear(&losses);
	recording_teardown();
}

TestSuite(recorder_losses, .init = setup, .fini = teardown);

static void feed(unsigned int kind, uint16_t stream, int64_t time_ns, int64_t end_ns)
{
	const uint64_t words[] = { 1, (uint64_t)end_ns };
	struct event_record record = in_stream(record_of(kind, RECORDING_NONE, time_ns, words, 2), stream);

	recorder_losses_feed(&losses, &record);
}

/* A packet of the stream ends at `begin_ns` with events lost; the next one is read to `end_ns`, where it goes on. */
static void lose(uint16_t stream, int64_t begin_ns, int64_t end_ns)
{
	struct event_record next = in_stream(RECORD(RCL_TAKE, 0, end_ns, 0), stream);

	feed(RECORD_DISCARDED_EVENTS, stream, begin_ns, begin_ns);
	feed(RECORD_GAP, stream, begin_ns, begin_ns);
	recorder_losses_follow_stream(&losses, &next);
}

static bool is_missing_between(int64_t from_ns, int64_t to_ns)
{
	return recorder_losses_lie_between(&losses, 0, from_ns, to_ns);
}

static void run(uint16_t stream, int64_t time_ns)
{
	struct event_record record = in_stream(RECORD(CALLBACK_START, 0, time_ns, 0), stream);

	thread_trail_note_run(&trail, &record);
}

static bool follow(uint16_t stream, int64_t time_ns)
{
	struct event_record record = in_stream(RECORD(RCL_TAKE, 0, time_ns, 0), stream);

	return recorder_losses_follow_thread(&losses, 0, &trail, &record);
}

Test(recorder_losses, a_trace_without_losses_misses_nothing)
{
	cr_expect_not(losses.has_any);
	cr_expect_not(recorder_losses_has_trace(&losses, 0));
	cr_expect_not(is_missing_between(0, 1000));
	lose(ELSEWHERE, 100, 200);
	cr_expect(losses.has_any);
	cr_expect(recorder_losses_has_trace(&losses, 1));
	cr_expect_not(recorder_losses_has_trace(&losses, 0));
	cr_expect_not(is_missing_between(0, 1000));
}

/* Silent from the last event at 100 to the next one at 200. */
Test(recorder_losses, events_may_be_missing_in_a_silence)
{
	lose(FIRST, 100, 200);
	cr_expect(is_missing_between(0, 1000));
	cr_expect(is_missing_between(150, 160));
	cr_expect(is_missing_between(199, 300));
	cr_expect_not(is_missing_between(0, 100));
	cr_expect_not(is_missing_between(200, 300));
}

Test(recorder_losses, a_silence_lasts_as_long_as_its_stream_does_not_go_on)
{
	struct event_record next = in_stream(RECORD(RCL_TAKE, 0, 300, 0), FIRST);

	feed(RECORD_DISCARDED_EVENTS, FIRST, 100, 150);
	cr_expect(is_missing_between(400, 500), "the end of the packet is not known yet");
	feed(RECORD_GAP, FIRST, 150, 150);
	cr_expect(is_missing_between(400, 500));
	recorder_losses_follow_stream(&losses, &next);
	cr_expect_not(is_missing_between(400, 500));
	cr_expect(is_missing_between(250, 260));
}

/* The losses of a packet follow its last event: each event in it moves the beginning of the silence. */
Test(recorder_losses, a_lossy_packet_is_silent_after_its_last_event)
{
	struct event_record last = in_stream(RECORD(RCL_TAKE, 0, 140, 0), FIRST);

	feed(RECORD_DISCARDED_EVENTS, FIRST, 100, 150);
	recorder_losses_follow_stream(&losses, &last);
	feed(RECORD_GAP, FIRST, 150, 150);
	cr_expect_not(is_missing_between(110, 140));
	cr_expect(is_missing_between(110, 141));
}

/* A stream without packets has no RECORD_GAP: an event after the range of the loss ends it. */
Test(recorder_losses, without_packets_the_range_of_the_loss_is_the_silence)
{
	struct event_record within = in_stream(RECORD(RCL_TAKE, 0, 120, 0), FIRST);
	struct event_record after = in_stream(RECORD(RCL_TAKE, 0, 160, 0), FIRST);

	feed(RECORD_DISCARDED_EVENTS, FIRST, 100, 150);
	recorder_losses_follow_stream(&losses, &within);
	recorder_losses_follow_stream(&losses, &after);
	cr_expect(is_missing_between(120, 160));
	cr_expect_not(is_missing_between(160, 1000));
}

Test(recorder_losses, lost_packets_and_the_end_of_a_stream)
{
	feed(RECORD_DISCARDED_PACKETS, FIRST, 100, 150);
	cr_expect(is_missing_between(300, 400));
	feed(RECORD_STREAM_END, FIRST, 200, 200);
	cr_expect_not(is_missing_between(300, 400));
	cr_expect(is_missing_between(190, 210));
	feed(RECORD_DISCARDED_EVENTS, SECOND, 500, 550);
	feed(RECORD_STREAM_END, SECOND, 600, 600);
	cr_expect_not(is_missing_between(700, 800), "nobody knows what it lost, and it records nothing any more");
}

/* A definition may be a copy, or moved by a filter: it does not show that its stream goes on. */
Test(recorder_losses, a_definition_is_no_sign_of_life)
{
	struct event_record definition = RECORD(RCL_NODE_INIT, 0, 100, 1, 2, text("node"), text("/"));
	struct event_record take = RECORD(RCL_TAKE, 0, 100, 0);
	struct event_record gap = { .kind = RECORD_GAP };

	cr_expect_not(recorder_losses_is_sign_of_life(&definition));
	cr_expect_not(recorder_losses_is_sign_of_life(&gap));
	cr_expect(recorder_losses_is_sign_of_life(&take));
}

/*
 * A thread whose events are all in the first stream. That stream's silence is its own, however short; in the second one
 * its events may be missing only if there was time to be moved there and back.
 */
Test(recorder_losses, a_silence_of_another_stream_must_be_long_enough_for_the_thread)
{
	run(FIRST, 50);
	lose(SECOND, 100, 100 + DETOUR_NS - 1);
	cr_expect_not(follow(FIRST, 2 * DETOUR_NS));
	cr_expect_not(trail.is_uncertain);
	lose(SECOND, 3 * DETOUR_NS, 4 * DETOUR_NS);
	cr_expect(follow(FIRST, 5 * DETOUR_NS));
	cr_expect(trail.is_uncertain);
	run(FIRST, 5 * DETOUR_NS + 10);
	cr_expect_not(trail.is_uncertain, "a callback starts: what the thread does is known again");
	lose(FIRST, 5 * DETOUR_NS + 20, 5 * DETOUR_NS + 30);
	cr_expect(follow(FIRST, 5 * DETOUR_NS + 40));
}

/* Of the silence 100 - 4 * DETOUR_NS only what lies between the thread's events counts: here less than a detour. */
Test(recorder_losses, only_the_silence_between_the_events_of_the_thread_counts)
{
	lose(SECOND, 100, 4 * DETOUR_NS);
	run(FIRST, 4 * DETOUR_NS - 10);
	cr_expect_not(follow(FIRST, 5 * DETOUR_NS));
}

Test(recorder_losses, a_thread_that_runs_no_callbacks_misses_none)
{
	lose(FIRST, 100, 200);
	cr_expect_not(follow(FIRST, 150));
	cr_expect_not(follow(FIRST, 250));
}

/* 64 silences are kept (GAPS_KEPT): whether one lies before them is not known, so it may. */
Test(recorder_losses, of_a_time_before_the_silences_that_are_kept_events_may_always_be_missing)
{
	for (int64_t i = 1; i <= 64; i++) {
		lose(FIRST, 1000 * i, 1000 * i + 10);
	}
	cr_expect_not(is_missing_between(0, 500));
	cr_expect_not(is_missing_between(1500, 1600));
	lose(FIRST, 1000000, 1000010);
	cr_expect(is_missing_between(0, 500));
	cr_expect(is_missing_between(1500, 1600), "the first one is forgotten");
	cr_expect_not(is_missing_between(2500, 2600));
}
