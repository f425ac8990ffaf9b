/* SPDX-License-Identifier: MIT */
/* What a callback handles where no takes are recorded. */
#include "core/flow/untaken_messages.h"
#include "story.h"

TestSuite(untaken, .init = story_setup, .fini = story_teardown);

static void publish_untaken(uint32_t thread, uint64_t number)
{
	NEXT(RCLCPP_PUBLISH, thread, MESSAGE);
	NEXT(RCL_PUBLISH, thread, MESSAGE, PUBLISHER + number);
}

static void handle_untaken(uint32_t thread, uint64_t number)
{
	run_callback(thread, SUBSCRIPTION_CALLBACK + number);
}

/* Long after the middleware has matched everybody; the executor has rested once. */
static void begin(void)
{
	define_system();
	now_ns += 2000 * MS;
	handle_untaken(listener, 2);
	now_ns += 20 * MS;
}

/* What was published and not handled by then waits for nothing else, and the recording ends. */
static void expect_after_rest(const char *expected)
{
	now_ns += 5 * MS;
	run(talker);
	expect_at_end(expected);
}

Test(untaken, a_lone_candidate_is_linked)
{
	begin();
	publish_untaken(talker, 1);
	handle_untaken(listener, 1);
	now_ns += 5 * MS;
	publish_untaken(talker, 1);
	handle_untaken(listener, 1);
	expect("P1~>S1 ");
	expect_after_rest("P1~>S1 P2~>S1 ");
}

/* Before it is published within the process, too. */
Test(untaken, a_message_is_received_once_though_its_publication_goes_on)
{
	define_system();
	define_subscription(talker, 5, "/a");
	define_intra_process(talker, 5);
	now_ns += 2000 * MS;
	handle_untaken(talker_2, 5);
	now_ns += 20 * MS;
	publish_untaken(talker, 1);
	handle_untaken(talker_2, 5);
	now_ns += UNTAKEN_WAIT_NS;
	run(listener);
	expect("P1~>S5 ");
	NEXT(RCLCPP_INTRA_PUBLISH, talker, MESSAGE, PUBLISHER + 1);
	NEXT(DISPATCH_INTRA_PROCESS_SUBSCRIPTION_CALLBACK, talker_2, MESSAGE, INTRA_CALLBACK + 5);
	run_callback(talker_2, INTRA_CALLBACK + 5);
	expect_after_rest("P1~>S5 ");
}

Test(untaken, a_message_that_waited_for_a_busy_executor_is_linked)
{
	begin();
	start(listener, SUBSCRIPTION_CALLBACK + 2);
	publish_untaken(talker, 1);
	now_ns += 50 * MS;
	end(listener, SUBSCRIPTION_CALLBACK + 2);
	handle_untaken(listener, 1);
	now_ns += 15 * MS;
	expect_after_rest("P1~>S1 ");
}

Test(untaken, as_many_callbacks_as_candidates_are_linked_in_order)
{
	begin();
	for (int i = 0; i < 3; i++) {
		publish_untaken(talker, 1);
	}
	for (int i = 0; i < 3; i++) {
		handle_untaken(listener, 1);
	}
	expect("");
	expect_after_rest("P1~>S1 P2~>S1 P3~>S1 ");
}

Test(untaken, more_callbacks_than_candidates_are_unknown)
{
	begin();
	publish_untaken(talker, 1);
	handle_untaken(listener, 1);
	handle_untaken(listener, 1);
	expect_after_rest("");
	cr_assert_eq(diagnosed(DIAGNOSTIC_AMBIGUOUS_LINK, "/a"), 2);
}

Test(untaken, a_callback_before_any_candidate_is_of_a_publisher_that_is_not_recorded)
{
	begin();
	handle_untaken(listener, 1);
	publish_untaken(talker, 1);
	handle_untaken(listener, 1);
	expect_after_rest("P1~>S1 ");
	cr_assert_eq(diagnosed(DIAGNOSTIC_TAKE_WITHOUT_PUBLICATION, "/a"), 1);
}

Test(untaken, a_message_that_an_idle_executor_did_not_handle_was_not_delivered)
{
	begin();
	publish_untaken(talker, 1);
	now_ns += 20 * MS;
	publish_untaken(talker, 1);
	handle_untaken(listener, 1);
	expect_after_rest("P2~>S1 ");
}

Test(untaken, more_candidates_than_callbacks_are_unknown)
{
	begin();
	publish_untaken(talker, 1);
	publish_untaken(talker, 1);
	handle_untaken(listener, 1);
	expect_after_rest("");
}

Test(untaken, a_subscription_that_keeps_one_message_handles_the_last_of_many)
{
	begin();
	NEXT(RCL_SUBSCRIPTION_INIT, listener, SUBSCRIPTION + 3, NODE, RMW_SUBSCRIPTION + 3, text("/a"), 1);
	NEXT(RCLCPP_SUBSCRIPTION_INIT, listener, SUBSCRIPTION + 3, OBJECT + 3);
	NEXT(RCLCPP_SUBSCRIPTION_CALLBACK_ADDED, listener, OBJECT + 3, SUBSCRIPTION_CALLBACK + 3);
	for (int i = 0; i < 4; i++) {
		publish_untaken(talker, 1);
	}
	handle_untaken(listener, 3);
	expect_after_rest("P4~>S3 ");
}

/* --- where the takes of other subscriptions are recorded: loaned messages --- */

/* Subscription 2 has takes, subscription 1 has none; the thread has run a callback. */
static void begin_loaned(void)
{
	define_system();
	now_ns += 2000 * MS;
	publish(talker, 2, 1);
	handle(listener, 2, 1);
	now_ns += 20 * MS;
}

static void handle_loaned(uint64_t stamp)
{
	publish(talker, 1, stamp);
	handle_untaken(listener, 1);
	now_ns += 20 * MS;
}

Test(untaken, loaned_messages_are_inferred_beside_takes)
{
	begin_loaned();
	handle_loaned(2);
	handle_loaned(3);
	publish(talker, 2, 4);
	handle(listener, 2, 4);
	now_ns += 20 * MS;
	handle_loaned(5);
	/* what was under way when the first callback without a take came is not known */
	expect_after_rest("P1>S2 P4>S2 P3~>S1 P5~>S1 ");
	cr_assert_eq(diagnosed(DIAGNOSTIC_TAKE_NOT_RECORDED, "/a"), 3);
}

Test(untaken, loaned_messages_before_the_first_take_are_inferred)
{
	begin();
	publish(talker, 1, 2);
	handle_untaken(listener, 1);
	publish(talker, 2, 3);
	handle(listener, 2, 3);
	expect_after_rest("P2>S2 P1~>S1 ");
	cr_assert_eq(diagnosed(DIAGNOSTIC_TAKE_NOT_RECORDED, "/a"), 1);
}

Test(untaken, a_subscription_with_a_take_has_no_loaned_messages)
{
	begin_loaned();
	publish(talker, 2, 2);
	handle_untaken(listener, 2);
	now_ns += 20 * MS;
	publish(talker, 2, 3);
	handle_untaken(listener, 2);
	expect_after_rest("P1>S2 P2?S2 P3?S2 ");
	cr_assert_eq(diagnosed(DIAGNOSTIC_TAKE_NOT_RECORDED, "/b"), 0);
}

Test(untaken, the_first_callback_of_a_thread_may_lack_its_take)
{
	begin_loaned();
	publish(talker, 1, 2);
	handle_untaken(listener_2, 1);
	now_ns += 20 * MS;
	publish(talker, 1, 3);
	handle(listener_2, 1, 3);
	expect_after_rest("P1>S2 P3>S1 ");
	cr_assert_eq(diagnosed(DIAGNOSTIC_TAKE_NOT_RECORDED, "/a"), 0);
}

Test(untaken, a_message_that_was_under_way_when_loans_were_noticed_is_not_taken_for_another)
{
	begin_loaned();
	publish(talker, 1, 2);
	publish(talker, 1, 3);
	handle_untaken(listener, 1);
	publish(talker, 1, 4);
	handle_untaken(listener, 1);
	handle_untaken(listener, 1);
	expect_after_rest("P1>S2 ");
}

Test(untaken, loaned_messages_are_not_called_lost)
{
	begin_loaned();
	handle_loaned(2);
	handle_loaned(3);
	publish(talker, 1, 4);
	now_ns += 20 * MS;
	handle_loaned(5);
	expect_after_rest("P1>S2 P3~>S1 P5~>S1 P4?S1 ");
}

Test(untaken, after_a_wait_of_80_years_nothing_is_known_of_earlier_messages)
{
	begin();
	publish_untaken(talker, 1);
	now_ns += 20 * MS;
	publish_untaken(talker, 1);
	now_ns += (int64_t)80 * 365 * NS_PER_DAY;
	handle_untaken(listener, 1);
	expect_after_rest("");
}

Test(untaken, messages_of_two_threads_at_once_have_no_order)
{
	begin();
	define_publisher(talker_2, 3, "/a");
	now_ns += 2000 * MS;
	handle_untaken(listener, 2);
	now_ns += 20 * MS;
	publish_untaken(talker, 1);
	publish_untaken(talker_2, 3);
	handle_untaken(listener, 1);
	handle_untaken(listener, 1);
	expect_after_rest("");
}

Test(untaken, callbacks_of_two_threads_at_once_have_no_order)
{
	begin();
	publish_untaken(talker, 1);
	publish_untaken(talker, 1);
	start(listener, SUBSCRIPTION_CALLBACK + 1);
	handle_untaken(listener_2, 1);
	end(listener, SUBSCRIPTION_CALLBACK + 1);
	expect_after_rest("");
}

Test(untaken, callbacks_at_once_that_began_before_any_candidate_do_not_count)
{
	begin();
	start(listener, SUBSCRIPTION_CALLBACK + 1);
	publish_untaken(talker, 1);
	handle_untaken(listener_2, 1);
	end(listener, SUBSCRIPTION_CALLBACK + 1);
	expect_after_rest("P1~>S1 ");
}

Test(untaken, callbacks_at_once_before_the_last_decision_do_not_count)
{
	begin();
	start(listener, SUBSCRIPTION_CALLBACK + 1);
	handle_untaken(listener_2, 1);
	end(listener, SUBSCRIPTION_CALLBACK + 1);
	now_ns += 20 * MS;
	publish_untaken(talker, 1);
	handle_untaken(listener, 1);
	now_ns += 20 * MS;
	publish_untaken(talker, 1);
	publish_untaken(talker, 1);
	handle_untaken(listener, 1);
	handle_untaken(listener, 1);
	expect_after_rest("P1~>S1 P2~>S1 P3~>S1 ");
}

Test(untaken, nothing_is_inferred_while_events_may_be_missing)
{
	begin();
	publish_untaken(talker, 1);
	start(listener, SUBSCRIPTION_CALLBACK + 1);
	feed((struct event_record){ .time_ns = now_ns, .kind = RECORD_GAP, .stream = 0 });
	end(listener, SUBSCRIPTION_CALLBACK + 1);
	expect_after_rest("");
}

/* Its clock differs. */
Test(untaken, a_message_of_another_host_is_not_linked)
{
	const struct recording_trace_info other = { .name = "talker", .hostname = "other" };

	talker = add_thread(recording_add_trace(recording, &other), 1, 1);
	begin();
	publish_untaken(talker, 1);
	handle_untaken(listener, 1);
	expect_after_rest("");
	cr_assert_eq(diagnosed(DIAGNOSTIC_AMBIGUOUS_LINK, "/a"), 1);
}

/* Events of the stream are lost while a message is under way; its callback is decided with that of the next one. */
static void lose_under_way(uint16_t stream)
{
	begin();
	start(listener, SUBSCRIPTION_CALLBACK + 2);
	publish_untaken(talker, 1);
	now_ns += MS;
	feed(loss_of(RECORD_DISCARDED_EVENTS, stream, now_ns - 10, now_ns));
	now_ns += MS;
	end(listener, SUBSCRIPTION_CALLBACK + 2);
	handle_untaken(listener, 1);
	publish_untaken(talker, 1);
	handle_untaken(listener, 1);
}

Test(untaken, a_message_is_not_linked_if_events_were_lost_while_it_was_under_way)
{
	lose_under_way(0);
	expect_after_rest("P2~>S1 ");
	cr_assert_eq(diagnosed(DIAGNOSTIC_AMBIGUOUS_LINK, "/a"), 1);
}

/* Each process has a trace of its own; that of the losses does not go on. */
Test(untaken, a_message_is_not_linked_if_its_publisher_lost_events)
{
	talker = add_thread(add_trace("talker"), 1, 1);
	lose_under_way((uint16_t)(recording_stream_count(recording) - 1));
	expect_after_rest("");
}

Test(untaken, a_message_is_not_linked_if_its_subscription_lost_events)
{
	listener = add_thread(add_trace("listener"), 3, 3);
	lose_under_way((uint16_t)(recording_stream_count(recording) - 1));
	expect_after_rest("");
}

/* A message that is handled, and then a break in which events may be missing. */
static void begin_with_break(void)
{
	begin();
	publish_untaken(talker, 1);
	handle_untaken(listener, 1);
	now_ns += 20 * MS;
	feed((struct event_record){ .time_ns = now_ns, .kind = RECORD_GAP, .stream = 0 });
}

Test(untaken, what_was_sent_before_a_break_may_come_after_it_until_the_executor_rests)
{
	begin_with_break();
	for (int i = 0; i < 2; i++) {
		publish_untaken(talker, 1);
		publish_untaken(talker, 1);
		handle_untaken(listener, 1);
		handle_untaken(listener, 1);
		now_ns += 20 * MS;
	}
	expect_after_rest("P4~>S1 P5~>S1 ");
}

Test(untaken, nothing_is_inferred_for_a_subscription_with_takes)
{
	begin();
	publish_untaken(talker, 1);
	handle_untaken(listener, 1);
	publish(talker, 1, 500);
	handle(listener, 1, 500);
	expect_after_rest("P2>S1 ");
	cr_assert_eq(diagnosed(DIAGNOSTIC_TAKE_NOT_RECORDED, "/a"), 0);
}

Test(untaken, a_burst_that_is_longer_than_what_is_kept_is_unknown)
{
	begin();
	start(listener, SUBSCRIPTION_CALLBACK + 1);
	for (int i = 0; i < 2 * UNTAKEN_KEPT; i++) {
		publish_untaken(talker, 1);
	}
	end(listener, SUBSCRIPTION_CALLBACK + 1);
	for (int i = 0; i < 2 * UNTAKEN_KEPT; i++) {
		handle_untaken(listener, 1);
	}
	expect_after_rest("");
}

Test(untaken, what_is_not_decided_before_the_next_callback_has_no_room_is_unknown)
{
	begin();
	for (int i = 0; i <= UNTAKEN_KEPT; i++) {
		publish_untaken(talker, 1);
		handle_untaken(listener, 1);
	}
	expect_after_rest("");
	cr_assert_eq(diagnosed(DIAGNOSTIC_AMBIGUOUS_LINK, "/a"), UNTAKEN_KEPT + 1);
}

Test(untaken, a_lone_callback_after_a_break_may_handle_what_was_sent_before_it)
{
	begin_with_break();
	for (int i = 0; i < 2; i++) {
		publish_untaken(talker, 1);
		handle_untaken(listener, 1);
		now_ns += 20 * MS;
	}
	expect_after_rest("P3~>S1 ");
}

Test(untaken, a_callback_does_not_handle_what_is_published_as_it_starts)
{
	begin();
	NEXT(RCL_PUBLISH, talker, MESSAGE, PUBLISHER + 1);
	now_ns -= STEP_NS;
	handle_untaken(listener, 1);
	expect_after_rest("");
	cr_assert_eq(diagnosed(DIAGNOSTIC_AMBIGUOUS_LINK, "/a"), 1);
}

/* Of four messages in order, which waited for a busy executor, two were published at once by two threads. */
Test(untaken, those_beside_messages_of_two_threads_at_once_are_linked)
{
	begin();
	define_publisher(talker_2, 3, "/a");
	now_ns += 2000 * MS;
	handle_untaken(listener, 2);
	now_ns += 20 * MS;
	start(listener, SUBSCRIPTION_CALLBACK + 2);
	publish_untaken(talker, 1);
	now_ns += MS;
	publish_untaken(talker, 1);
	publish_untaken(talker_2, 3);
	now_ns += MS;
	publish_untaken(talker, 1);
	end(listener, SUBSCRIPTION_CALLBACK + 2);
	for (int i = 0; i < 4; i++) {
		handle_untaken(listener, 1);
	}
	expect_after_rest("P1~>S1 P4~>S1 P2?S1 ");
	cr_assert_eq(diagnosed(DIAGNOSTIC_AMBIGUOUS_LINK, "/a"), 2);
}

Test(untaken, where_a_take_comes_before_the_decision_no_message_is_missed)
{
	begin();
	publish_untaken(talker, 1);
	handle_untaken(listener, 1);
	handle_untaken(listener, 1);
	publish(talker, 1, 500);
	handle(listener, 1, 500);
	expect_after_rest("P2>S1 ");
	cr_assert_eq(diagnosed(DIAGNOSTIC_AMBIGUOUS_LINK, "/a"), 0);
}
