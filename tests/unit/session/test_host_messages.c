/* SPDX-License-Identifier: MIT */
/* Messages between hosts, matched by stamp and topic whatever the order of their events. */
#include "flow_records.h"

#include "core/session/host_messages.h"

static struct host_messages *messages;
static GArray *matched; /* struct host_message, of match() */
static uint32_t robot;	/* a thread on another host than `talker` and `listener` */

static void setup(void)
{
	uint32_t trace;

	flow_setup_recording();
	trace = recording_add_trace(recording, &(struct recording_trace_info){ .name = "robot", .hostname = "robot" });
	recording_add_stream(recording, trace);
	robot = add_thread(trace, 9, 9);
	flow_setup_analysis();
	messages = host_messages_create(pipeline);
	define_node(talker, "talker");
	define_publisher(talker, 1, "/a");
	define_publisher(talker, 2, "/b");
	define_node(listener, "listener");
	define_subscription(listener, 1, "/a");
	define_node(robot, "robot");
	define_subscription(robot, 1, "/a");
	define_subscription(robot, 2, "/b");
	define_publisher(robot, 3, "/c");
	define_subscription(talker, 3, "/c");
}

static void teardown(void)
{
	flow_teardown_analysis();
	host_messages_destroy(messages);
	g_clear_pointer(&matched, g_array_unref);
	recording_teardown();
}

TestSuite(host_messages, .init = setup, .fini = teardown);

static void take_on(uint32_t thread, uint64_t number, uint64_t stamp)
{
	struct event_record record =
		RECORD(RMW_TAKE, thread, now_ns += STEP_NS, MESSAGE, RMW_SUBSCRIPTION + number, stamp, 1);

	feed(record);
	host_messages_feed(messages, &record);
}

static void match(void)
{
	finish();
	matched = host_messages_match(messages);
}

static void expect_matches(guint count)
{
	match();
	cr_assert_eq(matched->len, count);
}

static struct host_message message_at(guint index)
{
	return g_array_index(matched, struct host_message, index);
}

static uint32_t host_of_thread(uint32_t thread)
{
	return recording_process(recording, process_of(thread))->host;
}

Test(host_messages, a_message_to_another_host_has_both_times)
{
	int64_t published_ns = now_ns + STEP_NS;

	publish(talker, 1, 501);
	take_on(robot, 1, 501);
	expect_matches(1);
	cr_assert_eq(message_at(0).sender, host_of_thread(talker));
	cr_assert_eq(message_at(0).receiver, host_of_thread(robot));
	cr_assert_eq(message_at(0).published_ns, published_ns);
	cr_assert_eq(message_at(0).taken_ns, now_ns);
}

Test(host_messages, a_message_within_a_host_is_none)
{
	publish(talker, 1, 501);
	take_on(listener, 1, 501);
	expect_matches(0);
}

Test(host_messages, a_take_may_come_long_before_its_publication)
{
	take_on(robot, 1, 501);
	now_ns += 20000 * MS;
	publish(talker, 1, 501);
	expect_matches(1);
	cr_assert_lt(message_at(0).taken_ns, message_at(0).published_ns);
}

Test(host_messages, both_directions_are_matched)
{
	publish(talker, 1, 501);
	take_on(robot, 1, 501);
	publish(robot, 3, 502);
	take_on(talker, 3, 502);
	expect_matches(2);
	cr_assert_eq(message_at(1).sender, host_of_thread(robot));
	cr_assert_eq(message_at(1).receiver, host_of_thread(talker));
}

Test(host_messages, stamp_and_topic_must_both_be_equal)
{
	publish(talker, 1, 501);
	take_on(robot, 2, 501);
	take_on(robot, 1, 502);
	expect_matches(0);
}

Test(host_messages, equal_stamps_on_two_topics_are_two_messages)
{
	publish(talker, 1, 501);
	publish(talker, 2, 501);
	take_on(robot, 2, 501);
	take_on(robot, 1, 501);
	expect_matches(2);
}

Test(host_messages, two_publications_with_one_stamp_and_topic_match_nothing)
{
	publish(talker, 1, 501);
	publish(talker_2, 1, 501);
	take_on(robot, 1, 501);
	expect_matches(0);
}

Test(host_messages, an_empty_take_and_one_without_stamp_are_none)
{
	struct event_record empty = RECORD(RMW_TAKE, robot, now_ns + STEP_NS, MESSAGE, RMW_SUBSCRIPTION + 1, 501, 0);
	publish(talker, 1, 501);
	host_messages_feed(messages, &empty);
	take_on(robot, 1, 0);
	expect_matches(0);
}

/* Only takes are many here: publications of talker are taken on both hosts, those of the own topic on one. */
Test(host_messages, beyond_the_limit_topics_of_one_host_go_first)
{
	define_publisher(listener, 4, "/local");
	define_subscription(listener, 4, "/local");
	for (uint64_t i = 0; i < 100; i++) {
		publish(talker, 1, 501 + i);
		take_on(robot, 1, 501 + i);
		now_ns += 2 * MS;
	}
	for (uint64_t i = 0; i < HOST_MESSAGES_MAX; i++) {
		take_on(listener, 4, 100000 + i);
	}
	expect_matches(100);
}

Test(host_messages, beyond_the_limit_both_sides_keep_the_same_stamps)
{
	uint64_t count = HOST_MESSAGES_MAX + HOST_MESSAGES_MAX / 2;

	for (uint64_t i = 1; i <= count; i++) {
		take_on(robot, 1, i);
	}
	for (uint64_t i = 1; i <= count; i++) {
		NEXT(RMW_PUBLISH, talker, MESSAGE, RMW_PUBLISHER + 1, i);
	}
	match();
	cr_assert_gt(matched->len, count / 8);
	cr_assert_leq(matched->len, HOST_MESSAGES_MAX);
}
