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
