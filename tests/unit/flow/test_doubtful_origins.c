/* SPDX-License-Identifier: MIT */
/* Publications of a thread that has left an execution (executions.h), and what follows from them. */
#include "story.h"

static GString *origins; /* of settled publications: "T1:P1 "; "P1 " outside callbacks; "P1! " lost */
static GString *causes;	 /* of resolved executions that handle a message, likewise */

static void append_origin(GString *to, const struct flow_publication *publication)
{
	g_string_truncate(story, 0);
	append_publication(publication);
	g_string_append_printf(to, "%s%s ", story->str, publication->has_lost_origin ? "!" : "");
	g_string_truncate(story, 0);
}

static void on_origin(void *data, const struct flow_publication *publication)
{
	append_origin(origins, publication);
}

static void on_cause(void *data, struct flow_execution *execution)
{
	if (execution->cause) {
		append_origin(causes, execution->cause->publication);
	}
}

static void setup(void)
{
	story_setup();
	flow_linker_add_listener(linker, &(struct flow_listener){ .settled = on_origin, .resolved = on_cause });
	origins = g_string_new(NULL);
	causes = g_string_new(NULL);
	define_system();
	run(listener);
}

static void teardown(void)
{
	story_teardown();
	g_string_free(origins, TRUE);
	g_string_free(causes, TRUE);
}

TestSuite(doubtful_origins, .init = setup, .fini = teardown);

static void look(void)
{
	executions_look(pipeline->executions, talker, now_ns += STEP_NS);
}

/* In the timer's callback, or after it if it throws there. */
static void start_and_look(void)
{
	start(talker, TIMER_CALLBACK + 1);
	look();
}

static void publish_and_handle(uint64_t stamp)
{
	publish(talker, 1, stamp);
	handle(listener, 1, stamp);
}

static void expect_origins(const char *expected)
{
	cr_assert_str_eq(origins->str, expected);
	cr_assert_str_eq(causes->str, expected);
}

Test(doubtful_origins, what_a_callback_publishes_after_it_spun_comes_from_it)
{
	start_and_look();
	publish_and_handle(500);
	expect_origins("");
	end(talker, TIMER_CALLBACK + 1);
	expect_origins("T1:P1 ");
	start_and_look();
	publish_and_handle(501);
	publish_and_handle(502);
	expect_origins("T1:P1 ");
	end(talker, TIMER_CALLBACK + 1);
	expect_origins("T1:P1 T1:P2 T1:P3 ");
}

Test(doubtful_origins, what_is_published_after_a_callback_threw_does_not)
{
	start_and_look();
	publish_and_handle(500);
	expect_origins("");
	start(talker, TIMER_CALLBACK + 1);
	expect_origins("P1 ");
	publish_and_handle(501);
	look();
	publish_and_handle(502);
	expect_origins("P1 T1:P2 ");
	finish();
	expect_origins("P1 T1:P2 P3 ");
}

Test(doubtful_origins, the_end_of_the_recording_may_leave_it_open)
{
	start_and_look();
	publish_and_handle(500);
	finish();
	expect_origins("P1! ");
}

Test(doubtful_origins, one_that_is_not_decided_for_long_is_given_up)
{
	start_and_look();
	publish_and_handle(500);
	now_ns += EXECUTION_DOUBT_NS - 10 * STEP_NS;
	run(listener);
	expect_origins("");
	now_ns += 10 * STEP_NS;
	run(listener);
	expect_origins("P1! ");
	end(talker, TIMER_CALLBACK + 1);
	expect_origins("P1! ");
}

Test(doubtful_origins, a_loss_decides_nothing)
{
	int64_t end_ns = now_ns + 3 * STEP_NS + 100 * MS;

	start_and_look();
	publish_and_handle(500);
	feed(loss_of(RECORD_DISCARDED_EVENTS, 0, now_ns, end_ns));
	now_ns += 200 * MS;
	end(talker, TIMER_CALLBACK + 1);
	expect_origins("P1! ");
}

/* Static and events executors do not record that they look for work. */
Test(doubtful_origins, where_a_thread_does_not_look_only_the_end_shows_that_the_callback_was_not_over)
{
	start(talker, TIMER_CALLBACK + 1);
	publish_and_handle(500);
	expect_origins("");
	start(talker, TIMER_CALLBACK + 1);
	publish_and_handle(501);
	expect_origins("P1! ");
	end(talker, TIMER_CALLBACK + 1);
	expect_origins("P1! T1:P2 ");
}

/* Where the listener goes on: nothing else shows that time passes. */
static void wait_for(int64_t duration_ns)
{
	for (int64_t passed_ns = 0; passed_ns < duration_ns; passed_ns += 50 * MS) {
		now_ns += 50 * MS;
		run(listener);
	}
}

Test(doubtful_origins, the_end_may_be_long_after_it)
{
	start(talker, TIMER_CALLBACK + 1);
	publish_and_handle(500);
	wait_for(2 * EXECUTION_DOUBT_NS);
	end(talker, TIMER_CALLBACK + 1);
	expect_origins("T1:P1 ");
}

Test(doubtful_origins, those_that_are_too_old_are_given_up_one_by_one)
{
	start(talker, TIMER_CALLBACK + 1);
	publish_and_handle(500);
	wait_for(FLOW_AGE_NS / 2);
	publish_and_handle(501);
	expect_origins("");
	wait_for(FLOW_AGE_NS / 2);
	expect_origins("P1! ");
	end(talker, TIMER_CALLBACK + 1);
	expect_origins("P1! T1:P2 ");
}

Test(doubtful_origins, a_thread_that_looks_has_not_left_a_callback_before)
{
	look();
	start(talker, TIMER_CALLBACK + 1);
	publish_and_handle(500);
	start(talker, TIMER_CALLBACK + 1);
	expect_origins("T1:P1 ");
}

Test(doubtful_origins, within_another_execution_that_one_is_certain)
{
	start_and_look();
	start(talker, TIMER_CALLBACK + 2);
	publish_and_handle(500);
	end(talker, TIMER_CALLBACK + 2);
	expect_origins("T2:P1 ");
	publish_and_handle(501);
	expect_origins("T2:P1 ");
	end(talker, TIMER_CALLBACK + 1);
	expect_origins("T2:P1 T1:P2 ");
}

Test(doubtful_origins, what_follows_from_it_waits_as_well)
{
	define_publisher(listener, 3, "/c");
	define_subscription(talker_2, 3, "/c");
	run(talker_2);
	start_and_look();
	publish(talker, 1, 500);
	pass_on(listener, 1, 500, 3, 600);
	handle(talker_2, 3, 600);
	cr_assert_str_eq(causes->str, "");
	end(talker, TIMER_CALLBACK + 1);
	cr_assert_str_eq(causes->str, "T1:P1 S1:P2 ");
	finish();
	cr_assert_eq(finished_count, 3);
}

Test(doubtful_origins, nothing_is_left_when_the_linker_is_destroyed_before_the_end)
{
	start_and_look();
	publish_and_handle(500);
	flow_teardown_analysis();
	cr_assert_eq(released_count, 1, "the other one is open");
}

Test(doubtful_origins, a_note_waits_for_the_decision)
{
	struct flow_note *note;

	flow_linker_keep_notes(linker);
	start_and_look();
	publish(talker, 1, 500);
	note = flow_linker_take_note(linker);
	cr_assert_not(flow_note_is_final(linker, note));
	end(talker, TIMER_CALLBACK + 1);
	cr_assert(flow_note_is_final(linker, note));
	flow_note_release(linker, note);
}
