/* SPDX-License-Identifier: MIT */
/* Messages within a process. */
#include "story.h"

TestSuite(intra, .init = story_setup, .fini = story_teardown);

static bool is_overwriting;

static void intra_publish(uint64_t number, uint64_t subscription, uint64_t slot)
{
	NEXT(RCLCPP_INTRA_PUBLISH, talker, MESSAGE, PUBLISHER + number);
	NEXT(RCLCPP_RING_BUFFER_ENQUEUE, talker, BUFFER + subscription, slot, 1, is_overwriting);
}

static void intra_handle(uint64_t subscription, uint64_t slot)
{
	NEXT(RCLCPP_RING_BUFFER_DEQUEUE, talker_2, BUFFER + subscription, slot, 0);
	run_callback(talker_2, INTRA_CALLBACK + subscription);
}

static void define_intra_process_system(void)
{
	define_system();
	define_subscription(talker, 5, "/a");
	define_intra_process(talker, 5);
}

Test(intra, a_slot_of_a_ring_buffer_links_its_message)
{
	define_intra_process_system();
	intra_publish(1, 5, 0);
	intra_publish(1, 5, 1);
	intra_handle(5, 0);
	intra_handle(5, 1);
	expect_at_end("P1=>S5 P2=>S5 ");
}

Test(intra, an_overwritten_slot_is_lost)
{
	define_intra_process_system();
	intra_publish(1, 5, 0);
	is_overwriting = true;
	intra_publish(1, 5, 0);
	intra_handle(5, 0);
	expect_at_end("P1xS5 P2=>S5 ");
}

Test(intra, after_a_loss_another_message_may_be_in_the_slot)
{
	define_intra_process_system();
	intra_publish(1, 5, 0);
	intra_handle(5, 0);
	intra_publish(1, 5, 0);
	/* its dequeue was lost, and the next publication */
	feed(loss_of(RECORD_DISCARDED_EVENTS, 0, now_ns, now_ns + MS));
	now_ns += 2 * MS;
	intra_handle(5, 0);
	intra_publish(1, 5, 0);
	intra_handle(5, 0);
	expect_at_end("P1=>S5 P2?S5 P3=>S5 ");
}

Test(intra, a_slot_that_the_buffer_overwrites_as_free_had_been_read)
{
	define_intra_process_system();
	intra_publish(1, 5, 0);
	intra_publish(1, 5, 0);
	intra_handle(5, 0);
	expect_at_end("P1?S5 P2=>S5 ");
}

Test(intra, a_message_in_a_ring_buffer_at_the_end_is_in_flight)
{
	define_intra_process_system();
	intra_publish(1, 5, 0);
	expect_at_end("P1?S5 ");
	cr_assert_eq(in_flight_count, 1);
}

Test(intra, a_cleared_ring_buffer_loses_what_it_holds)
{
	define_intra_process_system();
	intra_publish(1, 5, 0);
	intra_publish(1, 5, 1);
	NEXT(RCLCPP_RING_BUFFER_CLEAR, talker, BUFFER + 5);
	intra_handle(5, 0);
	expect_at_end("P1xS5 P2xS5 ");
	cr_assert_eq(diagnosed(DIAGNOSTIC_TAKE_WITHOUT_PUBLICATION, "/a"), 1);
}

Test(intra, a_message_that_was_put_into_a_buffer_later_is_of_an_earlier_publication)
{
	define_intra_process_system();
	intra_publish(1, 5, 0);
	intra_handle(5, 0);
	run_callback(talker, TIMER_CALLBACK + 1);
	/* A subscription joins late: it gets what the publisher keeps. */
	NEXT(RCLCPP_RING_BUFFER_ENQUEUE, talker, BUFFER + 5, 1, 1, 0);
	intra_handle(5, 1);
	expect_at_end("P1=>S5 ");
	cr_assert_eq(diagnosed(DIAGNOSTIC_TAKE_OF_EARLIER, "/a"), 1);
	cr_assert_eq(diagnosed(DIAGNOSTIC_TAKE_WITHOUT_PUBLICATION, "/a"), 0);
}

Test(intra, a_slot_that_a_publication_fills_again_is_no_earlier_message)
{
	define_intra_process_system();
	NEXT(RCLCPP_RING_BUFFER_ENQUEUE, talker, BUFFER + 5, 0, 1, 0);
	intra_publish(1, 5, 0);
	intra_handle(5, 0);
	/* Its enqueue was not recorded. */
	intra_handle(5, 0);
	expect_at_end("P1=>S5 ");
	cr_assert_eq(diagnosed(DIAGNOSTIC_TAKE_OF_EARLIER, "/a"), 0);
	cr_assert_eq(diagnosed(DIAGNOSTIC_TAKE_WITHOUT_PUBLICATION, "/a"), 1);
}

Test(intra, a_message_that_goes_both_ways_is_one_publication_and_its_copy_is_dropped)
{
	define_intra_process_system();
	intra_publish(1, 5, 0);
	publish(talker, 1, 500);
	handle(listener, 1, 500);
	take(talker_2, 5, 500);
	intra_handle(5, 0);
	expect_at_end("P1>S1 P1=>S5 ");
}

Test(intra, what_came_within_the_process_is_not_missed_where_another_message_came_from_outside)
{
	define_intra_process_system();
	publish(talker, 1, 500);
	handle(listener, 1, 500);
	handle(talker_2, 5, 500);
	intra_publish(1, 5, 0);
	publish(talker, 1, 501);
	intra_handle(5, 0);
	publish(talker, 1, 502);
	handle(listener, 1, 502);
	handle(talker_2, 5, 502);
	expect_at_end("P1>S1 P1>S5 P2=>S5 P3>S1 P3>S5 P2xS1 ");
}

Test(intra, a_copy_is_dropped_if_the_buffer_is_defined_after_its_message_came)
{
	define_system();
	define_subscription(talker, 5, "/a");
	intra_publish(1, 5, 0);
	publish(talker, 1, 500);
	handle(listener, 1, 500);
	define_intra_process(talker, 5);
	intra_handle(5, 0);
	handle(talker_2, 5, 500);
	expect_at_end("P1>S1 P1=>S5 ");
}

/* The one that receives it first within the process is none of the two that are known. */
Test(intra, a_message_from_a_buffer_without_definition_may_be_taken_late_elsewhere)
{
	enum { COUNT = 30 };

	define_system();
	publish(talker, 1, 499);
	handle(listener, 1, 499);
	for (uint64_t i = 0; i < COUNT; i++) {
		intra_publish(1, 9, 0);
		publish(talker, 1, 500 + i);
		intra_handle(9, 0);
		now_ns += 200 * MS;
	}
	for (uint64_t i = 0; i < COUNT; i++) {
		handle(listener, 1, 500 + i);
	}
	finish();
	expect_counts(COUNT + 1, COUNT + 1);
}

/* The write of the one before is its only step that was recorded, and the message is at the same address. */
Test(intra, what_is_published_within_the_process_after_a_write_is_another_message)
{
	int64_t begin_ns;

	define_intra_process_system();
	NEXT(RMW_PUBLISH, talker, MESSAGE, RMW_PUBLISHER + 1, 500);
	begin_ns = now_ns;
	now_ns += MS;
	intra_publish(1, 5, 0);
	publish(talker, 1, 501);
	intra_handle(5, 0);
	handle(listener, 1, 501);
	expect_at_end("P2=>S5 P2>S1 ");
	cr_assert_geq(first_publish_ns, begin_ns + MS);
}

/* --- without ring buffers: CARET's fork of rclcpp, Humble --- */

Test(intra, the_copy_for_another_process_may_be_taken_late)
{
	enum { COUNT = 30 };

	define_system();
	publish(talker, 1, 499);
	handle(listener, 1, 499);
	for (uint64_t i = 0; i < COUNT; i++) {
		NEXT(RCLCPP_INTRA_PUBLISH, talker, MESSAGE, PUBLISHER + 1);
		publish(talker, 1, 500 + i);
		now_ns += 200 * MS;
	}
	for (uint64_t i = 0; i < COUNT; i++) {
		handle(listener, 1, 500 + i);
	}
	finish();
	expect_counts(COUNT + 1, COUNT + 1);
}

static void dispatch(uint64_t message, uint64_t subscription)
{
	NEXT(DISPATCH_INTRA_PROCESS_SUBSCRIPTION_CALLBACK, talker_2, message, INTRA_CALLBACK + subscription);
	run_callback(talker_2, INTRA_CALLBACK + subscription);
}

Test(intra, a_message_is_followed_through_its_copies)
{
	define_intra_process_system();
	NEXT(RCLCPP_INTRA_PUBLISH, talker, MESSAGE, PUBLISHER + 1);
	NEXT(MESSAGE_CONSTRUCT, talker, MESSAGE, MESSAGE + 0x10);
	NEXT(MESSAGE_CONSTRUCT, talker, MESSAGE + 0x10, MESSAGE + 0x20);
	dispatch(MESSAGE + 0x20, 5);
	expect_at_end("P1=>S5 ");
}

Test(intra, an_address_belongs_to_the_last_message_published_there)
{
	define_intra_process_system();
	NEXT(RCLCPP_INTRA_PUBLISH, talker, MESSAGE, PUBLISHER + 1);
	dispatch(MESSAGE, 5);
	NEXT(RCLCPP_INTRA_PUBLISH, talker, MESSAGE, PUBLISHER + 1);
	dispatch(MESSAGE, 5);
	expect_at_end("P1=>S5 P2=>S5 ");
}

Test(intra, an_address_that_a_subscription_gets_twice_was_reused)
{
	define_intra_process_system();
	NEXT(RCLCPP_INTRA_PUBLISH, talker, MESSAGE, PUBLISHER + 1);
	dispatch(MESSAGE, 5);
	dispatch(MESSAGE, 5);
	dispatch(MESSAGE + 0x30, 5);
	expect_at_end("P1=>S5 ");
}

Test(intra, an_address_that_a_subscription_gets_again_after_all_have_the_message_was_reused)
{
	define_intra_process_system();
	NEXT(RCLCPP_INTRA_PUBLISH, talker, MESSAGE, PUBLISHER + 1);
	publish(talker, 1, 500);
	dispatch(MESSAGE, 5);
	handle(listener, 1, 500);
	run(talker);
	dispatch(MESSAGE, 5);
	expect_at_end("P1=>S5 P1>S1 ");
}

Test(intra, an_address_that_a_subscription_gets_after_it_has_the_message_from_the_middleware_was_reused)
{
	define_intra_process_system();
	NEXT(RCLCPP_INTRA_PUBLISH, talker, MESSAGE, PUBLISHER + 1);
	publish(talker, 1, 500);
	run(talker);
	handle(talker_2, 5, 500);
	dispatch(MESSAGE, 5);
	expect_at_end("P1>S5 ");
}

Test(intra, a_dispatch_after_a_dequeue_is_of_the_same_message)
{
	define_intra_process_system();
	intra_publish(1, 5, 0);
	NEXT(RCLCPP_RING_BUFFER_DEQUEUE, talker_2, BUFFER + 5, 0, 0);
	dispatch(MESSAGE, 5);
	expect_at_end("P1=>S5 ");
}

Test(intra, the_addresses_that_are_followed_are_limited)
{
	define_intra_process_system();
	for (uint64_t i = 0; i <= 4096; i++) {
		NEXT(RCLCPP_INTRA_PUBLISH, talker, 0x100000 + 16 * i, PUBLISHER + 1);
	}
	dispatch(0x100000, 5);
	dispatch(0x100000 + UINT64_C(16) * 4096, 5);
	expect_at_end("P4097=>S5 ");
}

/* Who has received other messages of the publisher from outside the process. */
Test(intra, what_is_published_within_the_process_only_is_missed_by_nobody_outside)
{
	define_system();
	define_subscription(talker, 5, "/a");
	define_intra_process(talker, 5);
	publish(talker, 1, 500);
	handle(listener, 1, 500);
	NEXT(RCLCPP_INTRA_PUBLISH, talker, MESSAGE, PUBLISHER + 1);
	run(listener);
	NEXT(DISPATCH_INTRA_PROCESS_SUBSCRIPTION_CALLBACK, talker, MESSAGE, INTRA_CALLBACK + 5);
	run_callback(talker, INTRA_CALLBACK + 5);
	publish(talker, 1, 501);
	handle(listener, 1, 501);
	expect_at_end("P1>S1 P2=>S5 P3>S1 ");
}
