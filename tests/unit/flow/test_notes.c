/* SPDX-License-Identifier: MIT */
/* Which flow each event belongs to, and when that is final. */
#include "flow_records.h"

static struct flow_note *note;

static void setup(void)
{
	flow_setup_recording();
	flow_setup_analysis();
	flow_linker_keep_notes(linker);
	define_node(talker, "talker");
	define_publisher(talker, 1, "/a");
	define_node(listener, "listener");
	define_subscription(listener, 1, "/a");
	define_publisher(listener, 2, "/b");
}

static void drop_note(void)
{
	if (note) {
		flow_note_release(linker, note);
		note = NULL;
	}
}

static void teardown(void)
{
	drop_note();
	flow_teardown_analysis();
	recording_teardown();
}

TestSuite(notes, .init = setup, .fini = teardown);

#define FEED_WITH_NOTE(kind, thread, ...)                                                                              \
	do {                                                                                                           \
		drop_note();                                                                                           \
		NEXT(kind, thread, __VA_ARGS__);                                                                       \
		note = flow_linker_take_note(linker);                                                                  \
	} while (0)

static void expect_final(uint64_t flow_id, uint64_t parent_flow_id)
{
	cr_assert_not_null(note);
	cr_assert(flow_note_is_final(linker, note));
	cr_assert_eq(note->flow_id, flow_id);
	cr_assert_eq(note->parent_flow_id, parent_flow_id);
}

static void write_without_stamp(void)
{
	NEXT(RCLCPP_PUBLISH, talker, MESSAGE);
	NEXT(RCL_PUBLISH, talker, MESSAGE, PUBLISHER + 1);
	NEXT(DDS_WRITE, talker, MESSAGE, RMW_PUBLISHER + 1);
}

Test(notes, publish_events_belong_to_their_publication)
{
	int64_t first_ns = now_ns + STEP_NS;

	FEED_WITH_NOTE(RCLCPP_PUBLISH, talker, MESSAGE);
	expect_final(1, 0);
	FEED_WITH_NOTE(RCL_PUBLISH, talker, MESSAGE, PUBLISHER + 1);
	expect_final(1, 0);
	FEED_WITH_NOTE(RMW_PUBLISH, talker, MESSAGE, RMW_PUBLISHER + 1, 500);
	expect_final(1, 0);
	cr_assert_eq(note->first_publish_ns, first_ns);
}

Test(notes, the_events_of_a_take_and_its_callback_belong_to_the_message)
{
	publish(talker, 1, 500);
	FEED_WITH_NOTE(RMW_TAKE, listener, MESSAGE, RMW_SUBSCRIPTION + 1, 500, 1);
	expect_final(1, 0);
	FEED_WITH_NOTE(RCL_TAKE, listener, MESSAGE);
	expect_final(1, 0);
	FEED_WITH_NOTE(RCLCPP_TAKE, listener, MESSAGE);
	expect_final(1, 0);
	FEED_WITH_NOTE(CALLBACK_START, listener, SUBSCRIPTION_CALLBACK + 1, 0);
	expect_final(1, 0);
	FEED_WITH_NOTE(CALLBACK_END, listener, SUBSCRIPTION_CALLBACK + 1);
	expect_final(1, 0);
}

Test(notes, a_take_that_waits_for_its_publication_is_not_final)
{
	write_without_stamp();
	FEED_WITH_NOTE(RMW_TAKE, listener, MESSAGE, RMW_SUBSCRIPTION + 1, 500, 1);
	cr_assert_not_null(note);
	cr_assert_not(flow_note_is_final(linker, note));
	NEXT(DDS_BIND_ADDR_TO_STAMP, talker, MESSAGE, 500);
	expect_final(1, 0);
}

Test(notes, a_take_that_has_waited_in_vain_belongs_to_no_flow)
{
	FEED_WITH_NOTE(RMW_TAKE, listener, MESSAGE, RMW_SUBSCRIPTION + 1, 500, 1);
	cr_assert_not(flow_note_is_final(linker, note));
	now_ns += FLOW_BIND_WAIT_NS;
	run(talker);
	expect_final(0, 0);
}

Test(notes, a_publication_waits_for_the_flow_that_its_callback_handles)
{
	write_without_stamp();
	take(listener, 1, 500);
	start(listener, SUBSCRIPTION_CALLBACK + 1);
	FEED_WITH_NOTE(RCLCPP_PUBLISH, listener, MESSAGE);
	cr_assert_not(flow_note_is_final(linker, note));
	cr_assert_eq(note->flow_id, 2);
	NEXT(DDS_BIND_ADDR_TO_STAMP, talker, MESSAGE, 500);
	/* nothing else shows that the callback was not over, as the thread does not poll */
	cr_assert_not(flow_note_is_final(linker, note));
	end(listener, SUBSCRIPTION_CALLBACK + 1);
	expect_final(2, 1);
}

Test(notes, a_note_may_outlive_the_execution_that_it_awaits)
{
	write_without_stamp();
	take(listener, 1, 500);
	start(listener, SUBSCRIPTION_CALLBACK + 1);
	FEED_WITH_NOTE(RCLCPP_PUBLISH, listener, MESSAGE);
	end(listener, SUBSCRIPTION_CALLBACK + 1);
	now_ns += 2 * FLOW_AGE_NS;
	run(talker);
	finish();
	expect_final(2, 0);
}

Test(notes, events_within_a_process_belong_to_the_message)
{
	define_subscription(talker, 5, "/a");
	define_intra_process(talker, 5);
	FEED_WITH_NOTE(RCLCPP_INTRA_PUBLISH, talker, MESSAGE, PUBLISHER + 1);
	expect_final(1, 0);
	FEED_WITH_NOTE(RCLCPP_RING_BUFFER_ENQUEUE, talker, BUFFER + 5, 0, 1, 0);
	expect_final(1, 0);
	FEED_WITH_NOTE(RCLCPP_RING_BUFFER_DEQUEUE, talker_2, BUFFER + 5, 0, 0);
	expect_final(1, 0);
	FEED_WITH_NOTE(CALLBACK_START, talker_2, INTRA_CALLBACK + 5, 1);
	expect_final(1, 0);
}

Test(notes, other_events_have_no_note)
{
	FEED_WITH_NOTE(RMW_TAKE, listener, MESSAGE, RMW_SUBSCRIPTION + 1, 0, 0);
	cr_assert_null(note);
	FEED_WITH_NOTE(RCL_TAKE, listener, MESSAGE);
	cr_assert_null(note);
	FEED_WITH_NOTE(RCLCPP_EXECUTOR_EXECUTE, listener, 0);
	cr_assert_null(note);
	define_timer(talker, 1);
	FEED_WITH_NOTE(CALLBACK_START, talker, TIMER_CALLBACK + 1, 0);
	cr_assert_null(note);
}
