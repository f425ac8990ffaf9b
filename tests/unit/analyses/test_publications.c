/* SPDX-License-Identifier: MIT */
#include "scripted_session.h"

static void setup(void)
{
	scripted_setup();
	define_node(talker, "first");
	define_publisher(talker, 1, "/a");
	define_publisher(talker, 2, "/b");
	define_node(listener, "second");
	define_publisher(listener, 1, "/a");
	run(talker);
	run(listener);
	now_ns = 2000 * MS;
}

TestSuite(publications, .init = setup, .fini = scripted_teardown);

/* At a time since BEGIN, in no callback. */
#define BEGIN (2000 * MS)

static void publish_at(uint32_t thread, uint64_t number, int64_t time_ns)
{
	now_ns = BEGIN + time_ns - STEP_NS;
	publish(thread, number, (uint64_t)now_ns);
}

static void run_at(uint32_t thread, int64_t time_ns)
{
	now_ns = BEGIN + time_ns - STEP_NS;
	run(thread);
}

/* Events, in the stream of all. */
static void lose(int64_t begin_ns, int64_t end_ns)
{
	const uint64_t lost[] = { 3, (uint64_t)begin_ns }, gap[] = { 1, (uint64_t)end_ns };

	feed(record_of(RECORD_DISCARDED_EVENTS, RECORDING_NONE, begin_ns, lost, 2));
	feed(record_of(RECORD_GAP, RECORDING_NONE, end_ns, gap, 2));
}

Test(publications, a_loop_without_callbacks_has_rate_jitter_and_longest_gap)
{
	publish_at(talker, 1, 0);
	publish_at(talker, 1, 10 * MS);
	publish_at(talker, 1, 20 * MS);
	publish_at(talker, 1, 60 * MS);
	publish_at(talker, 1, 70 * MS);
	report();
	cr_assert_eq(row_count("publications"), 1);
	expect_cells("publications", 0, "publication_id", "1", "topic", "/a", "node", "/first", "vpid", "1", "count",
		     "5", "unknown", "0");
	expect_cells("publications", 0, "max_gap_ns", "40000000", "max_gap_at_ns", "2020000000", "silent_ns", "2000");
	expect_cells("publications", 0, "period_count", "4", "period_min_ns", "10000000", "period_max_ns", "40000000",
		     "period_sum_ns", "70000000");
	/* 10, 10, 40, 10 ms: they differ by 0, 30, 30 */
	expect_cells("publications", 0, "jitter_count", "3", "jitter_sum_ns", "60000000", "jitter_max_ns", "30000000");
}

Test(publications, what_follows_the_last_message_is_silence_and_no_gap)
{
	publish_at(talker, 1, 0);
	publish_at(talker, 1, 10 * MS);
	run_at(talker, 500 * MS);
	run_at(listener, 900 * MS);
	report();
	expect_cells("publications", 0, "count", "2", "max_gap_ns", "10000000", "silent_ns", "890000000");
}

Test(publications, silence_is_unknown_where_events_may_be_missing)
{
	publish_at(talker, 1, 0);
	lose(BEGIN + 11 * MS, BEGIN + 95 * MS);
	run_at(talker, 500 * MS);
	report();
	expect_cells("publications", 0, "silent_ns", "");
}

Test(publications, a_publisher_of_another_node_or_topic_has_a_row_of_its_own)
{
	publish_at(talker, 2, 0);
	publish_at(talker, 1, 1 * MS);
	publish_at(listener, 1, 2 * MS);
	publish_at(talker, 1, 11 * MS);
	publish_at(listener, 1, 12 * MS);
	report();
	cr_assert_eq(row_count("publications"), 3);
	expect_cells("publications", 0, "topic", "/a", "node", "/first", "period_sum_ns", "10000000");
	expect_cells("publications", 1, "topic", "/a", "node", "/second", "period_sum_ns", "10000000");
	expect_cells("publications", 2, "topic", "/b", "node", "/first", "count", "1", "period_count", "0");
}

Test(publications, a_period_across_lost_events_is_unknown)
{
	publish_at(talker, 1, 0);
	publish_at(talker, 1, 10 * MS);
	lose(BEGIN + 11 * MS, BEGIN + 95 * MS);
	publish_at(talker, 1, 100 * MS);
	publish_at(talker, 1, 120 * MS);
	report();
	expect_cells("publications", 0, "count", "4", "unknown", "1", "period_count", "2", "period_max_ns", "20000000",
		     "jitter_count", "0", "max_gap_ns", "20000000", "max_gap_at_ns", "2100000000");
}

/* The packet with the other events of a publication lost some, so they are not known to be of the same one. */
Test(publications, a_period_to_a_publication_whose_beginning_may_be_missing_is_unknown)
{
	publish_at(talker, 1, 0);
	now_ns = BEGIN + 10 * MS - STEP_NS;
	NEXT(RCLCPP_PUBLISH, talker, MESSAGE);
	lose(now_ns + STEP_NS, BEGIN + 95 * MS);
	NEXT(RCL_PUBLISH, talker, MESSAGE, PUBLISHER + 1);
	NEXT(RMW_PUBLISH, talker, MESSAGE, RMW_PUBLISHER + 1, BEGIN);
	run_at(talker, 500 * MS);
	report();
	expect_cells("publications", 0, "count", "2", "unknown", "1", "period_count", "0");
}

/* The thread is preempted before the event that names the publisher, and that may be lost. */
Test(publications, a_period_across_a_publication_of_an_unknown_publisher_of_the_process_is_unknown)
{
	publish_at(talker, 1, 0);
	publish_at(talker, 2, 1 * MS);
	publish_at(listener, 1, 2 * MS);
	now_ns = BEGIN + 10 * MS - STEP_NS;
	NEXT(RCLCPP_PUBLISH, talker, MESSAGE);
	publish_at(talker_2, 1, 20 * MS);
	publish_at(talker_2, 2, 21 * MS);
	publish_at(listener, 1, 22 * MS);
	lose(BEGIN + 30 * MS, BEGIN + 95 * MS);
	run_at(talker, 500 * MS);
	report();
	cr_assert_eq(row_count("publications"), 3);
	expect_cells("publications", 0, "node", "/first", "topic", "/a", "unknown", "1", "period_count", "0");
	expect_cells("publications", 1, "node", "/second", "topic", "/a", "unknown", "0", "period_count", "1");
	expect_cells("publications", 2, "node", "/first", "topic", "/b", "unknown", "1", "period_count", "0");
}

Test(publications, a_period_from_a_publication_whose_beginning_may_be_missing_is_unknown)
{
	lose(BEGIN, BEGIN + 10 * MS);
	now_ns = BEGIN + 10 * MS - STEP_NS;
	NEXT(RCL_PUBLISH, talker, MESSAGE, PUBLISHER + 1);
	NEXT(RMW_PUBLISH, talker, MESSAGE, RMW_PUBLISHER + 1, BEGIN);
	publish_at(talker, 1, 20 * MS);
	run_at(talker, 500 * MS);
	report();
	expect_cells("publications", 0, "count", "2", "unknown", "1", "period_count", "0");
}

Test(publications, a_period_belongs_to_the_range_in_which_it_begins)
{
	limit_range(BEGIN + 5 * MS, BEGIN + 25 * MS);
	publish_at(talker, 1, 0);
	publish_at(talker, 1, 10 * MS);
	publish_at(talker, 1, 20 * MS);
	publish_at(talker, 1, 50 * MS);
	publish_at(talker, 1, 90 * MS);
	report();
	expect_cells("publications", 0, "count", "2", "period_count", "2", "period_sum_ns", "40000000", "jitter_count",
		     "1", "max_gap_ns", "30000000");
}

/* The events of one of two threads that publish with the same publisher: its handle comes late. */
Test(publications, periods_are_between_times_in_order_whoever_is_first_in_rcl)
{
	publish_at(talker, 1, 0);
	publish_at(talker, 1, 10 * MS);
	NEXT(RCLCPP_PUBLISH, talker_2, (MESSAGE + 1));
	publish_at(talker, 1, 15 * MS);
	NEXT(RCL_PUBLISH, talker_2, (MESSAGE + 1), PUBLISHER + 1);
	NEXT(RMW_PUBLISH, talker_2, (MESSAGE + 1), RMW_PUBLISHER + 1, BEGIN);
	publish_at(talker, 1, 20 * MS);
	report();
	expect_cells("publications", 0, "count", "5", "unknown", "0", "period_count", "4", "period_sum_ns", "20000000",
		     "period_min_ns", "3000", "period_max_ns", "10000000");
}

/* … of a thread that is preempted while another one publishes often, whose messages are received. */
Test(publications, a_publication_that_was_preempted_for_long_divides_a_period)
{
	define_subscription(listener, 1, "/a");
	publish_at(talker, 1, 0);
	handle(listener, 1, BEGIN - STEP_NS);
	NEXT(RCLCPP_PUBLISH, talker_2, (MESSAGE + 1));
	for (int64_t i = 1; i <= 25; i++) {
		publish_at(talker, 1, i * MS);
		handle(listener, 1, (uint64_t)(BEGIN + i * MS - STEP_NS));
	}
	NEXT(RCL_PUBLISH, talker_2, (MESSAGE + 1), PUBLISHER + 1);
	NEXT(RMW_PUBLISH, talker_2, (MESSAGE + 1), RMW_PUBLISHER + 1, 7);
	handle(listener, 1, 7);
	publish_at(talker, 1, 500 * MS);
	publish_at(talker, 1, 600 * MS);
	report();
	expect_cells("publications", 0, "count", "29", "unknown", "0", "period_count", "28", "period_sum_ns",
		     "600000000");
}

Test(publications, a_single_message_has_no_period)
{
	publish_at(talker, 1, 0);
	report();
	expect_cells("publications", 0, "count", "1", "rate_hz", "", "max_gap_periods", "");
}

Test(publications, a_gap_is_on_the_timeline_if_it_is_longer_than_two_periods)
{
	for (int i = 0; i < 10; i++) {
		publish_at(talker, 1, i * 10 * MS);
	}
	publish_at(talker, 1, 190 * MS);
	report();
	cr_assert_eq(row_count("timeline_gap_events"), 1);
	expect_cells("timeline_gap_events", 0, "kind", "slice", "begin_ns", "2090000000", "end_ns", "2190000000");
}

/* rmw_payload, right after the take. */
static void size_is(uint32_t thread, uint64_t number, uint64_t bytes)
{
	NEXT(RMW_PAYLOAD, thread, MESSAGE, RMW_SUBSCRIPTION + number, bytes);
}

/* A message from the first node reaches `subscription` of the second, with its size. */
static void handle_sized(uint64_t subscription, uint64_t stamp, uint64_t bytes)
{
	NEXT(RMW_TAKE, listener, MESSAGE, RMW_SUBSCRIPTION + subscription, stamp, 1);
	size_is(listener, subscription, bytes);
	run_callback(listener, SUBSCRIPTION_CALLBACK + subscription);
}

static void expect_sizes(const char *count, const char *sum, const char *min, const char *mean, const char *max)
{
	report();
	expect_cells("publications", 0, "bytes_count", count, "bytes_sum", sum, "bytes_min", min, "bytes_mean", mean,
		     "bytes_max", max);
}

Test(publications, sizes_are_unknown_where_they_are_not_recorded)
{
	define_subscription(listener, 1, "/a");
	publish(talker, 1, 11);
	handle(listener, 1, 11);
	expect_sizes("0", "", "", "", "");
}

Test(publications, a_message_has_the_size_of_its_first_take)
{
	define_subscription(listener, 1, "/a");
	define_subscription(listener, 2, "/a");
	publish(talker, 1, 11);
	handle_sized(1, 11, 100);
	handle_sized(2, 11, 100);
	publish(talker, 1, 12);
	handle_sized(1, 12, 301);
	publish(talker, 1, 13); /* whose size nobody records */
	handle(listener, 1, 13);
	expect_sizes("2", "401", "100", "200.5", "301");
}

Test(publications, the_size_belongs_to_the_take_before_it_only)
{
	define_subscription(listener, 1, "/a");
	define_subscription(listener, 2, "/a");
	publish(talker, 1, 11);
	NEXT(RMW_TAKE, listener, MESSAGE, RMW_SUBSCRIPTION + 1, 11, 1);
	size_is(listener, 2, 7);					   /* of another subscription */
	size_is(listener_2, 1, 7);					   /* of another thread */
	NEXT(RMW_PAYLOAD, listener, MESSAGE + 8, RMW_SUBSCRIPTION + 1, 7); /* of another message */
	run_callback(listener, SUBSCRIPTION_CALLBACK + 1);
	size_is(listener, 1, 7); /* of a take that is not recorded */
	NEXT(RMW_TAKE, listener, MESSAGE, RMW_SUBSCRIPTION + 1, 0, 0);
	size_is(listener, 1, 0); /* nothing was taken */
	expect_sizes("0", "", "", "", "");
}

Test(publications, the_second_of_two_sizes_is_none)
{
	define_subscription(listener, 1, "/a");
	publish(talker, 1, 11);
	NEXT(RMW_TAKE, listener, MESSAGE, RMW_SUBSCRIPTION + 1, 11, 1);
	size_is(listener, 1, 10);
	size_is(listener, 1, 20);
	expect_sizes("1", "10", "10", "10", "10");
}

Test(publications, a_size_is_none_of_the_take_before_lost_events)
{
	define_subscription(listener, 1, "/a");
	publish(talker, 1, 11);
	NEXT(RMW_TAKE, listener, MESSAGE, RMW_SUBSCRIPTION + 1, 11, 1);
	lose(now_ns, now_ns + 5 * STEP_NS);
	now_ns += 6 * STEP_NS;
	size_is(listener, 1, 10);
	expect_sizes("0", "", "", "", "");
}

Test(publications, the_size_of_a_take_that_waits_for_its_publication_is_that_of_the_publication)
{
	define_subscription(listener, 1, "/a");
	NEXT(RMW_TAKE, listener, MESSAGE, RMW_SUBSCRIPTION + 1, 11, 1);
	size_is(listener, 1, 40);
	start(listener, SUBSCRIPTION_CALLBACK + 1);
	publish(talker, 1, 11);
	end(listener, SUBSCRIPTION_CALLBACK + 1);
	expect_sizes("1", "40", "40", "40", "40");
}

Test(publications, sizes_are_those_of_messages_in_the_range)
{
	limit_range(BEGIN + 5 * MS, BEGIN + 25 * MS);
	define_subscription(listener, 1, "/a");
	publish_at(talker, 1, 0);
	handle_sized(1, (uint64_t)(BEGIN - STEP_NS), 100);
	publish_at(talker, 1, 10 * MS);
	handle_sized(1, (uint64_t)(BEGIN + 10 * MS - STEP_NS), 50);
	expect_sizes("1", "50", "50", "50", "50");
}

Test(publications, a_sum_that_does_not_fit_is_unknown)
{
	define_subscription(listener, 1, "/a");
	publish(talker, 1, 11);
	handle_sized(1, 11, UINT64_MAX);
	publish(talker, 1, 12);
	handle_sized(1, 12, 2);
	expect_sizes("2", "", "2", "", "18446744073709551615");
}

/* A publish event of CARET's fork, with the stamp in the header, 0: none. */
static void publish_stamped(int64_t time_ns, uint64_t header_stamp)
{
	now_ns = BEGIN + time_ns;
	feed(RECORD(RCLCPP_PUBLISH, talker, now_ns, MESSAGE, PUBLISHER + 1, header_stamp));
	NEXT(RCL_PUBLISH, talker, MESSAGE, PUBLISHER + 1);
}

Test(publications, the_age_of_a_message_is_that_of_the_stamp_in_its_header)
{
	publish_stamped(0, 0);
	publish_stamped(10 * MS, (uint64_t)(BEGIN + 4 * MS));
	publish_stamped(20 * MS, (uint64_t)(BEGIN + 4 * MS));
	publish_stamped(30 * MS, (uint64_t)(BEGIN + 31 * MS)); /* of another host's clock */
	report();
	expect_cells("publications", 0, "count", "4", "stamp_age_count", "3", "stamp_age_sum_ns", "21000000",
		     "stamp_age_min_ns", "-1000000", "stamp_age_max_ns", "16000000", "stamp_unknown", "0");
}

Test(publications, a_stamp_of_another_clock_is_unknown)
{
	publish_stamped(10 * MS, INT64_MAX);
	publish_stamped(20 * MS, UINT64_MAX);
	publish_stamped(30 * MS, (uint64_t)BEGIN + UINT64_C(3601000000000));
	report();
	expect_cells("publications", 0, "count", "3", "stamp_age_count", "0", "stamp_unknown", "3");
}

Test(publications, both_events_of_a_message_have_one_stamp)
{
	now_ns = BEGIN + 10 * MS;
	feed(RECORD(RCLCPP_INTRA_PUBLISH, talker, now_ns, MESSAGE, PUBLISHER + 1, (uint64_t)(BEGIN + 9 * MS)));
	feed(RECORD(RCLCPP_PUBLISH, talker, now_ns + 5, MESSAGE, PUBLISHER + 1, (uint64_t)(BEGIN + 9 * MS)));
	NEXT(RCL_PUBLISH, talker, MESSAGE, PUBLISHER + 1);
	report();
	expect_cells("publications", 0, "count", "1", "stamp_age_count", "1", "stamp_age_sum_ns", "1000000");
}

Test(publications, ages_are_those_of_messages_in_the_range)
{
	limit_range(BEGIN + 5 * MS, BEGIN + 25 * MS);
	publish_stamped(0, (uint64_t)(BEGIN - MS));
	publish_stamped(10 * MS, (uint64_t)(BEGIN + 9 * MS));
	report();
	expect_cells("publications", 0, "stamp_age_count", "1", "stamp_age_sum_ns", "1000000");
}

/* rcl copies the publisher of /rosout: rcl_publish has another handle than rcl_publisher_init. */
Test(publications, the_topic_is_that_of_the_write_where_rcl_has_copied_the_publisher)
{
	define_publisher(talker, 3, "/rosout");
	for (int i = 0; i < 4; i++) {
		now_ns = BEGIN + i * 10 * MS;
		NEXT(RCL_PUBLISH, talker, MESSAGE, PUBLISHER + 9);
		NEXT(RMW_PUBLISH, talker, MESSAGE, RMW_PUBLISHER + 3, 1000 + (uint64_t)i);
	}
	report();
	cr_assert_eq(row_count("publications"), 1);
	expect_cells("publications", 0, "topic", "/rosout", "node", "/first", "count", "4", "period_sum_ns",
		     "30000000");
}

/* Without handles in rmw_publish (Humble), or without rmw_publish (Galactic). */
Test(publications, the_topic_of_a_copied_publisher_is_unknown_where_nothing_tells_it)
{
	define_publisher(talker, 3, "/rosout");
	NEXT(RCL_PUBLISH, talker, MESSAGE, PUBLISHER + 9);
	feed(RECORD(RMW_PUBLISH, talker, now_ns += STEP_NS, MESSAGE));
	report();
	cr_assert_eq(row_count("publications"), 1);
	expect_cells("publications", 0, "topic", "", "count", "1");
}
