/* SPDX-License-Identifier: MIT */
#include "core/model/thread_trail.h"

#include "covered_streams.h"

/* The shortest silence of another stream in which a thread may be moved there and back: SHORTEST_DETOUR_NS. */
#define DETOUR_NS 30000

static struct thread_trail trail;

static void setup(void)
{
	covered_setup();
	trail = (struct thread_trail){ 0 };
}

TestSuite(thread_trail, .init = setup, .fini = covered_teardown);

static void run(uint16_t stream, int64_t time_ns)
{
	struct event_record record = in_stream(RECORD(CALLBACK_START, 0, time_ns, 0), stream);

	thread_trail_note_run(&trail, &record);
}

static bool follow(uint16_t stream, int64_t time_ns)
{
	struct event_record record = in_stream(RECORD(RCL_TAKE, 0, time_ns, 0), stream);

	return thread_trail_follow(&trail, coverage, 0, &record);
}

/*
 * A thread whose events are all in the first stream. That stream's silence is its own, however short; in the second one
 * its events may be missing only if there was time to be moved there and back.
 */
Test(thread_trail, a_silence_of_another_stream_must_be_long_enough_for_the_thread)
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
Test(thread_trail, only_the_silence_between_the_events_of_the_thread_counts)
{
	lose(SECOND, 100, 4 * DETOUR_NS);
	run(FIRST, 4 * DETOUR_NS - 10);
	cr_expect_not(follow(FIRST, 5 * DETOUR_NS));
}

Test(thread_trail, a_thread_that_runs_no_callbacks_misses_none_of_these)
{
	lose(FIRST, 100, 200);
	cr_expect(follow(FIRST, 250), "but perhaps other events");
	cr_expect_not(trail.is_uncertain);
	cr_expect_not(follow(FIRST, 260));
}
