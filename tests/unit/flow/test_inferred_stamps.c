/* SPDX-License-Identifier: MIT */
/* Takes of publications whose stamps are not recorded. */
#include "core/stamps/stamp_interval.h"

#include "story.h"

TestSuite(inferred_stamps, .init = story_setup, .fini = story_teardown);

/* Humble's layout. The stamp is that of the middleware's clock shortly after. */
static uint64_t publish_stampless_by(uint32_t thread, uint64_t number, int64_t stamp_after_ns)
{
	NEXT(RCLCPP_PUBLISH, thread, MESSAGE);
	NEXT(RCL_PUBLISH, thread, MESSAGE, PUBLISHER + number);
	NEXT(RMW_PUBLISH, thread, MESSAGE);
	return (uint64_t)(now_ns + stamp_after_ns);
}

static uint64_t publish_stampless(uint64_t number, int64_t stamp_after_ns)
{
	return publish_stampless_by(talker, number, stamp_after_ns);
}

static void learn_stamps(void)
{
	for (int i = 0; i < 20; i++) {
		uint64_t stamp = publish_stampless(1, 5000);

		now_ns += MS;
		handle(listener, 1, stamp);
		now_ns += 10 * MS;
	}
	/* Whatever waited is decided. */
	now_ns += FLOW_BIND_WAIT_NS;
	run(listener);
	g_string_truncate(story, 0);
}

Test(inferred_stamps, a_publication_without_stamp_is_found_by_its_write)
{
	struct flow_counts counts;
	uint64_t first, second;

	define_system();
	learn_stamps();
	first = publish_stampless(1, 5500);
	now_ns += MS;
	second = publish_stampless(1, 4500);
	now_ns += MS;
	handle(listener, 1, first);
	handle(listener, 1, second);
	expect_at_end("P21~>S1 P22~>S1 ");
	flow_linker_counts(linker, &counts);
	cr_assert_eq(counts.inferred_takes, 22);
}

Test(inferred_stamps, a_write_may_name_its_publisher_and_no_stamp)
{
	define_system();
	learn_stamps();
	NEXT(RCLCPP_PUBLISH, talker, MESSAGE);
	NEXT(RCL_PUBLISH, talker, MESSAGE, PUBLISHER + 1);
	NEXT(RMW_PUBLISH, talker, MESSAGE, RMW_PUBLISHER + 1);
	now_ns += MS;
	handle(listener, 1, (uint64_t)(now_ns - MS + 5000));
	expect_at_end("P21~>S1 ");
}

Test(inferred_stamps, a_publisher_that_is_preempted_in_its_write_is_found)
{
	uint64_t stamp;

	define_system();
	define_timer(talker, 2);
	learn_stamps();
	start(talker, TIMER_CALLBACK + 2);
	stamp = publish_stampless(1, 40 * MS);
	now_ns += 40 * MS + 10000;
	end(talker, TIMER_CALLBACK + 2);
	now_ns += MS;
	handle(listener, 1, stamp);
	finish();
	cr_assert_not_null(strstr(story->str, "P21~>S1"), "%s", story->str);
}

Test(inferred_stamps, a_stamp_within_the_writes_of_two_publishers_is_never_guessed)
{
	uint64_t stamp;

	define_system();
	define_timer(talker, 2);
	define_timer(talker_2, 3);
	learn_stamps();
	start(talker, TIMER_CALLBACK + 2);
	stamp = publish_stampless(1, 20 * MS);
	now_ns += 19 * MS;
	start(talker_2, TIMER_CALLBACK + 3);
	publish_stampless_by(talker_2, 1, 5000);
	now_ns += 3 * MS;
	end(talker, TIMER_CALLBACK + 2);
	end(talker_2, TIMER_CALLBACK + 3);
	handle(listener, 1, stamp);
	finish();
	cr_assert_null(strstr(story->str, ">S1"), "%s", story->str);
	cr_assert_eq(diagnosed(DIAGNOSTIC_AMBIGUOUS_LINK, "/a"), 1);
}

/* Until now, in a packet that began MS ago. */
static void lose_events(void)
{
	feed(loss_of(RECORD_DISCARDED_EVENTS, 0, now_ns - MS, now_ns));
}

/* What the thread does before it writes. */
enum before { NOTHING, LOOKS, CALLBACKS, LOST_EVENTS, RCL_PUBLISH };

/* Humble records no publisher of a serialized message. */
static void publish_serialized_before_another(enum before before)
{
	uint64_t stamp;

	define_system();
	define_timer(talker_2, 3);
	learn_stamps();
	if (before == LOOKS) {
		executions_look(executions, talker_2, now_ns);
	}
	if (before == CALLBACKS) {
		run_callback(talker_2, TIMER_CALLBACK + 3);
	}
	if (before == LOST_EVENTS) {
		lose_events();
	}
	if (before == RCL_PUBLISH) {
		NEXT(RCL_PUBLISH, talker_2, MESSAGE, PUBLISHER + 77);
	}
	NEXT(RMW_PUBLISH, talker_2, MESSAGE);
	stamp = publish_stampless(1, 5000);
	now_ns += MS;
	handle(listener, 1, stamp);
	finish();
}

Test(inferred_stamps, a_write_of_an_unknown_publisher_between_callbacks_may_be_meant)
{
	publish_serialized_before_another(CALLBACKS);
	cr_assert_null(strstr(story->str, ">S1"), "%s", story->str);
}

Test(inferred_stamps, a_write_of_the_middleware_before_any_callback_is_not_meant)
{
	publish_serialized_before_another(NOTHING);
	expect("P21~>S1 ");
}

Test(inferred_stamps, one_of_an_executor_between_two_spins_may_be_meant)
{
	publish_serialized_before_another(LOOKS);
	cr_assert_null(strstr(story->str, ">S1"), "%s", story->str);
}

Test(inferred_stamps, one_behind_lost_events_may_be_meant)
{
	publish_serialized_before_another(LOST_EVENTS);
	cr_assert_null(strstr(story->str, ">S1"), "%s", story->str);
}

Test(inferred_stamps, one_of_an_undefined_publisher_may_be_meant_even_if_the_thread_never_ran_a_callback)
{
	publish_serialized_before_another(RCL_PUBLISH);
	cr_assert_null(strstr(story->str, ">S1"), "%s", story->str);
}

/* A message of the publisher, received; both stamps of two ambiguous ones wait meanwhile. */
static void exchange(void)
{
	uint64_t stamp = publish_stampless(1, 5000);

	now_ns += MS;
	handle(listener, 1, stamp);
	now_ns += 10 * MS;
}

/* Two publications that overlap: returns the stamp of the first one. */
static uint64_t publish_two(void)
{
	uint64_t stamp;

	start(talker, TIMER_CALLBACK + 2);
	stamp = publish_stampless(1, 15000);
	now_ns += 2000;
	start(talker_2, TIMER_CALLBACK + 3);
	publish_stampless_by(talker_2, 1, 15000);
	now_ns += 30000;
	end(talker, TIMER_CALLBACK + 2);
	end(talker_2, TIMER_CALLBACK + 3);
	return stamp;
}

Test(inferred_stamps, a_publication_that_leaves_while_a_stamp_waits_does_not_leave_it_to_another)
{
	uint64_t stamp;

	define_system();
	define_timer(talker, 2);
	define_timer(talker_2, 3);
	learn_stamps();
	stamp = publish_two();
	now_ns += MS;
	handle(listener, 1, stamp);
	g_string_truncate(story, 0);
	/* More than are latched. */
	for (int i = 0; i < 60; i++) {
		exchange();
	}
	finish();
	cr_assert_null(strstr(story->str, "P21~"), "%s", story->str);
	cr_assert_null(strstr(story->str, "P22~"), "%s", story->str);
	cr_assert_null(strstr(story->str, "x"), "%s", story->str);
	cr_assert_eq(diagnosed(DIAGNOSTIC_AMBIGUOUS_LINK, "/a"), 1);
	cr_assert_eq(diagnosed(DIAGNOSTIC_TAKE_WITHOUT_PUBLICATION, "/a"), 0);
}

Test(inferred_stamps, what_may_have_been_received_is_not_lost_when_an_older_take_ends)
{
	define_system();
	define_timer(talker, 2);
	define_timer(talker_2, 3);
	learn_stamps();
	/* When the wait of an earlier take ends, a later one still waits. */
	for (int i = 0; i < 30; i++) {
		uint64_t stamp = publish_two();

		now_ns += MS;
		handle(listener, 1, stamp);
		handle(listener, 1, stamp + 2000);
		for (int j = 0; j < 5; j++) {
			exchange();
		}
	}
	finish();
	cr_assert_null(strstr(story->str, "x"), "%s", story->str);
}

/*
 * Messages that were published before the recording began are taken, and the last one once more by another subscription
 * after the first publication that is recorded.
 */
static void take_before_first_publication(int count)
{
	uint64_t stamp = 0;

	define_system();
	define_subscription(listener_2, 3, "/a");
	for (int i = 0; i < count; i++) {
		stamp = (uint64_t)now_ns - 2000;
		handle(listener, 1, stamp);
	}
	publish_stampless(1, 0);
	handle(listener_2, 3, count == 1 ? stamp : stamp - (uint64_t)(count - 1) * 5 * STEP_NS);
	finish();
}

Test(inferred_stamps, what_was_taken_before_the_first_publication_is_of_none)
{
	take_before_first_publication(1);
	expect("");
	cr_assert_eq(diagnosed(DIAGNOSTIC_TAKE_WITHOUT_PUBLICATION, "/a"), 2);
}

Test(inferred_stamps, no_more_than_the_last_takes_before_the_first_publication_are_remembered_and_others_wait)
{
	take_before_first_publication(2 * TOPIC_EARLY_MAX);
	expect("");
}

/* Within the write of the first publication lies the stamp of a message that may be another one. */
static void take_within_first_write(bool was_off)
{
	recording_packet_begins(recording, 0, now_ns);
	define_system();
	if (was_off) {
		recording_packet_ends(recording, 0, now_ns);
	}
	now_ns += 20 * MS;
	if (was_off) {
		recording_packet_begins(recording, 0, now_ns);
	}
	start(talker, TIMER_CALLBACK + 1);
	publish_stampless(1, 0);
	handle(listener, 1, (uint64_t)(now_ns += 400000));
	end(talker, TIMER_CALLBACK + 1);
	finish();
}

Test(inferred_stamps, where_tracing_was_off_between_definitions_and_events_an_unrecorded_publication_may_be_meant)
{
	take_within_first_write(true);
	expect("");
}

Test(inferred_stamps, where_tracing_was_on_since_the_definitions_the_only_publication_is_meant)
{
	take_within_first_write(false);
	cr_assert_not_null(strstr(story->str, "P1~>S1"), "%s", story->str);
}

static void count_settings(void *data, enum diagnostic what, const char *detail, uint64_t count)
{
	(void)detail;
	*(unsigned int *)data += what == DIAGNOSTIC_SYSTEM_TIME_SET ? (unsigned int)count : 0;
}

Test(inferred_stamps, system_time_that_is_set_is_told_and_leads_to_no_wrong_link)
{
	unsigned int settings = 0;

	define_system();
	learn_stamps();
	for (int i = 0; i < 60; i++) {
		uint64_t stamp = publish_stampless(1, 5000 + i % 7 * 100 - (i < 20 ? 0 : 30 * MS));
		now_ns += MS;
		handle(listener, 1, stamp);
		now_ns += 9 * MS;
	}
	finish();
	for (int i = 0; i < 60; i++) {
		g_autofree char *link = g_strdup_printf("P%d~>S1 ", 21 + i);

		cr_assert_not_null(strstr(story->str, link), "%s in %s", link, story->str);
	}
	cr_assert_null(strstr(story->str, "x"), "%s", story->str);
	diagnostics_foreach(diagnostics, count_settings, &settings);
	cr_assert_eq(settings, 1);
}
