/* SPDX-License-Identifier: MIT */
/* Which publish events are one publication, and which callback it comes from. */
#include "story.h"

TestSuite(publish, .init = story_setup, .fini = story_teardown);

Test(publish, all_publish_events_are_one_publication)
{
	define_system();
	publish_in(talker, TIMER_CALLBACK + 1, 1, 500);
	handle(listener, 1, 500);
	expect_at_end("T1:P1>S1 ");
	expect_counts(1, 1);
}

Test(publish, without_rclcpp_publish_the_rest_is_one_publication)
{
	define_system();
	NEXT(RCL_PUBLISH, talker, MESSAGE, PUBLISHER + 1);
	NEXT(RMW_PUBLISH, talker, MESSAGE, RMW_PUBLISHER + 1, 500);
	handle(listener, 1, 500);
	expect_at_end("P1>S1 ");
}

Test(publish, rmw_publish_of_a_known_publisher_is_enough)
{
	define_system();
	NEXT(RMW_PUBLISH, talker, MESSAGE, RMW_PUBLISHER + 1, 500);
	handle(listener, 1, 500);
	expect_at_end("P1>S1 ");
}

/* rcl's /rosout; or a process that has restarted with the same id while nothing was recorded. */
Test(publish, a_write_belongs_to_the_rcl_publish_before_it_whatever_publisher_had_its_handle)
{
	int64_t began_ns;

	define_system();
	NEXT(RCLCPP_PUBLISH, talker, MESSAGE);
	began_ns = now_ns;
	NEXT(RCL_PUBLISH, talker, MESSAGE, PUBLISHER + 3);
	NEXT(RMW_PUBLISH, talker, MESSAGE, RMW_PUBLISHER + 1, 500);
	handle(listener, 1, 500);
	NEXT(RCL_PUBLISH, talker, MESSAGE, PUBLISHER + 3);
	NEXT(RMW_PUBLISH, talker, MESSAGE, RMW_PUBLISHER + 1, 501);
	cr_assert_eq(first_publish_ns, began_ns);
	began_ns = now_ns - STEP_NS;
	handle(listener, 1, 501);
	expect_at_end("P2>S1 P4>S1 ");
	cr_assert_eq(first_publish_ns, began_ns);
}

/* rcl's /rosout is never published within the process: the handles of all other steps are rclcpp's. */
Test(publish, a_write_goes_on_with_what_was_also_published_within_the_process)
{
	int64_t began_ns;

	define_system();
	NEXT(RCLCPP_INTRA_PUBLISH, talker, MESSAGE, PUBLISHER + 3);
	began_ns = now_ns;
	NEXT(RCLCPP_PUBLISH, talker, MESSAGE);
	NEXT(RCL_PUBLISH, talker, MESSAGE, PUBLISHER + 3);
	NEXT(RMW_PUBLISH, talker, MESSAGE, RMW_PUBLISHER + 1, 500);
	handle(listener, 1, 500);
	expect_at_end("P1>S1 ");
	cr_assert_eq(first_publish_ns, began_ns);
}

Test(publish, rclcpp_publish_alone_links_nothing)
{
	define_system();
	NEXT(RCLCPP_PUBLISH, talker, MESSAGE);
	handle(listener, 1, 500);
	expect_at_end("");
	expect_counts(1, 0);
	cr_assert_eq(diagnosed(DIAGNOSTIC_TAKE_WITHOUT_PUBLICATION, "/a"), 1);
}

Test(publish, a_message_address_is_used_again)
{
	define_system();
	publish(talker, 1, 500);
	publish(talker, 2, 501);
	publish(talker, 1, 502);
	handle(listener, 1, 502);
	handle(listener, 2, 501);
	handle(listener, 1, 500);
	expect_at_end("P3>S1 P2>S2 P1>S1 ");
}

Test(publish, publish_events_of_two_threads_do_not_mix)
{
	define_system();
	NEXT(RCLCPP_PUBLISH, talker, MESSAGE);
	NEXT(RCLCPP_PUBLISH, talker_2, MESSAGE);
	NEXT(RCL_PUBLISH, talker, MESSAGE, PUBLISHER + 1);
	NEXT(RCL_PUBLISH, talker_2, MESSAGE, PUBLISHER + 2);
	NEXT(RMW_PUBLISH, talker_2, MESSAGE, RMW_PUBLISHER + 2, 502);
	NEXT(RMW_PUBLISH, talker, MESSAGE, RMW_PUBLISHER + 1, 501);
	handle(listener, 1, 501);
	handle(listener, 2, 502);
	expect_at_end("P1>S1 P2>S2 ");
}

Test(publish, a_publication_of_the_middleware_itself_is_ignored)
{
	define_system();
	NEXT(RMW_PUBLISH, talker, MESSAGE, RMW_PUBLISHER + 9, 500);
	handle(listener, 1, 500);
	publish(talker, 1, 501);
	handle(listener, 1, 501);
	expect_at_end("P1>S1 ");
}

Test(publish, a_publication_that_grew_too_old_between_its_events_is_not_continued)
{
	recording_packet_begins(recording, 0, now_ns);
	define_system();
	run(listener);
	start(talker, TIMER_CALLBACK + 1);
	NEXT(RCLCPP_PUBLISH, talker, MESSAGE);
	now_ns += FLOW_AGE_NS;
	NEXT(RCL_PUBLISH, talker, MESSAGE, PUBLISHER + 1);
	NEXT(RMW_PUBLISH, talker, MESSAGE, RMW_PUBLISHER + 1, 500);
	end(talker, TIMER_CALLBACK + 1);
	handle(listener, 1, 500);
	expect_at_end("T1:P2>S1 ");
	flow_teardown_analysis();
	cr_assert_eq(released_count, 2);
}

Test(publish, a_publication_belongs_to_the_innermost_callback)
{
	define_system();
	define_timer(talker, 2);
	start(talker, TIMER_CALLBACK + 1);
	publish_in(talker, TIMER_CALLBACK + 2, 1, 500);
	publish(talker, 1, 501);
	end(talker, TIMER_CALLBACK + 1);
	publish(talker, 1, 502);
	for (uint64_t stamp = 500; stamp <= 502; stamp++) {
		handle(listener, 1, stamp);
	}
	expect_at_end("T2:P1>S1 T1:P2>S1 P3>S1 ");
}

Test(publish, the_second_half_may_turn_out_to_be_of_another_publisher)
{
	int64_t second_ns;

	define_system();
	NEXT(RCLCPP_INTRA_PUBLISH, talker, MESSAGE, PUBLISHER + 1);
	NEXT(RCLCPP_PUBLISH, talker, MESSAGE);
	second_ns = now_ns;
	NEXT(RCL_PUBLISH, talker, MESSAGE, PUBLISHER + 2);
	NEXT(RMW_PUBLISH, talker, MESSAGE, RMW_PUBLISHER + 2, 500);
	handle(listener, 2, 500);
	expect_at_end("P2>S2 ");
	cr_assert_eq(first_publish_ns, second_ns);
}

Test(publish, a_part_that_was_split_off_may_be_split_again_and_keeps_its_time)
{
	int64_t second_ns;

	define_system();
	define_publisher(talker, 3, "/a");
	NEXT(RCLCPP_INTRA_PUBLISH, talker, MESSAGE, PUBLISHER + 1);
	NEXT(RCLCPP_PUBLISH, talker, MESSAGE);
	second_ns = now_ns;
	NEXT(RCL_PUBLISH, talker, MESSAGE, PUBLISHER + 2);
	NEXT(RMW_PUBLISH, talker, MESSAGE, RMW_PUBLISHER + 3, 500);
	handle(listener, 1, 500);
	expect_at_end("P3>S1 ");
	cr_assert_eq(first_publish_ns, second_ns);
}

static uint64_t settled_count;

static void on_settled(void *data, const struct flow_publication *publication)
{
	settled_count++;
}

/* Nobody subscribes to /c; but nothing was published there. */
Test(publish, what_is_left_without_a_step_is_no_publication)
{
	define_system();
	define_publisher(talker, 3, "/c");
	flow_linker_add_listener(linker, &(struct flow_listener){ .settled = on_settled });
	NEXT(RCL_PUBLISH, talker, MESSAGE, PUBLISHER + 3);
	NEXT(RMW_PUBLISH, talker, MESSAGE, RMW_PUBLISHER + 1, 500);
	handle(listener, 1, 500);
	expect_at_end("P2>S1 ");
	cr_assert_eq(settled_count, 1);
	cr_assert_eq(diagnosed(DIAGNOSTIC_PUBLICATION_WITHOUT_TAKER, NULL), 0);
}

Test(publish, a_stamp_may_be_bound_to_the_serialized_copy)
{
	define_system();
	NEXT(RCLCPP_PUBLISH, talker, MESSAGE);
	NEXT(RCL_PUBLISH, talker, MESSAGE, PUBLISHER + 1);
	NEXT(DDS_WRITE, talker, MESSAGE, RMW_PUBLISHER + 1);
	NEXT(DDS_BIND_ADDR_TO_ADDR, talker, MESSAGE + 8, MESSAGE + 0x40);
	NEXT(DDS_BIND_ADDR_TO_STAMP, talker, MESSAGE + 0x40, 499);
	NEXT(DDS_BIND_ADDR_TO_ADDR, talker, MESSAGE, MESSAGE + 0x80);
	NEXT(DDS_BIND_ADDR_TO_STAMP, talker, MESSAGE + 0x80, 500);
	handle(listener, 1, 499);
	handle(listener, 1, 500);
	expect_at_end("P1>S1 ");
}

Test(publish, dds_write_may_hold_the_stamp_itself)
{
	define_system();
	NEXT(RCL_PUBLISH, talker, MESSAGE, PUBLISHER + 1);
	NEXT(DDS_WRITE, talker, MESSAGE, RMW_PUBLISHER + 1, 500);
	handle(listener, 1, 500);
	expect_at_end("P1>S1 ");
}
