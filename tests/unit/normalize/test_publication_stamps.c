/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "core/normalize/publication_stamps.h"

#define MS INT64_C(1000000)

static struct string_pool *pool;
static struct recording *recording;
static struct publication_stamps *stamps;
static uint32_t publishing, other_publishing, taking;

static uint32_t add_thread(uint32_t trace, int32_t vpid)
{
	struct recording_context context = { .has_vpid = true, .has_vtid = true, .vpid = vpid, .vtid = vpid };

	return recording_add_thread(recording, trace, &context, "node");
}

static void learn(uint32_t thread, int64_t time_ns, enum event_kind kind, uint8_t present, const uint64_t *words)
{
	struct event_record record = {
		.time_ns = time_ns, .thread = thread, .kind = (uint8_t)kind, .present = present
	};

	for (unsigned int i = 0; i < EVENT_SLOTS; i++) {
		record.word[i] = words[i];
	}
	publication_stamps_learn(stamps, &record);
}

/* The first `count` words are there. */
#define LEARN(thread, time_ns, kind, count, ...)                                                                       \
	learn(thread, time_ns, EVENT_##kind, (1u << (count)) - 1, (const uint64_t[EVENT_SLOTS]){ __VA_ARGS__ })

static uint64_t topic(const char *name)
{
	return (uint64_t)(uintptr_t)string_pool_intern(pool, name);
}

static void setup(void)
{
	struct recording_trace_info info = { .hostname = "robot" };
	uint32_t trace;

	pool = string_pool_create();
	recording = recording_create(pool);
	trace = recording_add_trace(recording, &info);
	(void)recording_add_stream(recording, trace);
	publishing = add_thread(trace, 1);
	other_publishing = add_thread(trace, 2);
	taking = add_thread(trace, 3);
	stamps = publication_stamps_create(recording, true);
	LEARN(publishing, 1, RCL_PUBLISHER_INIT, 5, 0xa, 0x1, 0xb, topic("/t"), 10);
	LEARN(other_publishing, 1, RCL_PUBLISHER_INIT, 5, 0xa, 0x1, 0xb, topic("/t"), 10);
	LEARN(taking, 1, RCL_SUBSCRIPTION_INIT, 5, 0x5, 0x1, 0x6, topic("/t"), 10);
}

static void teardown(void)
{
	publication_stamps_destroy(stamps);
	recording_destroy(recording);
	string_pool_destroy(pool);
}

TestSuite(publication_stamps, .init = setup, .fini = teardown);

static void publish(uint32_t thread, int64_t time_ns)
{
	LEARN(thread, time_ns - 1, RCL_PUBLISH, 2, 0xe, 0xa);
	LEARN(thread, time_ns, RMW_PUBLISH, 1, 0xe);
}

static void take(int64_t time_ns, int64_t source_timestamp, uint64_t taken)
{
	LEARN(taking, time_ns, RMW_TAKE, 4, 0xf, 0x6, (uint64_t)source_timestamp, taken);
}

static void expect_next(int64_t timestamp, enum publication_stamp_source source)
{
	struct publication_stamp stamp = publication_stamps_next(stamps);

	cr_expect_eq(stamp.timestamp, timestamp, "%lld", (long long)stamp.timestamp);
	cr_expect_eq(stamp.source, source);
}

Test(publication_stamps, a_taken_timestamp_is_that_of_the_publication_whose_write_holds_it)
{
	publish(publishing, 10 * MS);
	publish(publishing, 21 * MS);
	publish(publishing, 33 * MS);
	take(40 * MS, 21 * MS + 1, 1);
	take(41 * MS, 10 * MS + 1, 1);
	take(42 * MS, 10 * MS + 1, 1);
	publication_stamps_finish(stamps);
	expect_next(10 * MS + 1, PUBLICATION_STAMP_INFERRED);
	expect_next(21 * MS + 1, PUBLICATION_STAMP_INFERRED);
	expect_next(PUBLICATION_STAMP_UNKNOWN, PUBLICATION_STAMP_NONE);
}

Test(publication_stamps, a_single_timestamp_far_from_all_publications_is_of_another)
{
	publish(publishing, 10 * MS);
	take(5010 * MS, 5009 * MS, 1);
	publication_stamps_finish(stamps);
	expect_next(PUBLICATION_STAMP_UNKNOWN, PUBLICATION_STAMP_NONE);
}

Test(publication_stamps, empty_takes_tell_nothing)
{
	publish(publishing, 1000);
	take(2000, 1001, 0);
	take(2000, 0, 1);
	publication_stamps_finish(stamps);
	expect_next(PUBLICATION_STAMP_UNKNOWN, PUBLICATION_STAMP_NONE);
}

Test(publication_stamps, publications_that_may_both_have_two_timestamps_get_neither)
{
	publish(publishing, 1000);
	publish(other_publishing, 1001);
	take(2000, 1002, 1);
	take(2000, 1003, 1);
	take(2000, 1002, 1);
	publication_stamps_finish(stamps);
	expect_next(PUBLICATION_STAMP_UNKNOWN, PUBLICATION_STAMP_NONE);
	expect_next(PUBLICATION_STAMP_UNKNOWN, PUBLICATION_STAMP_NONE);
}

/* `count` messages are taken before the first publication, and the first of them again, by another subscription. */
static void take_early(int64_t count)
{
	for (int64_t i = 0; i < count; i++) {
		take(10 * MS + 2000 + i, 10 * MS + i, 1);
	}
	publish(publishing, 10 * MS + 3000);
	take(11 * MS, 10 * MS, 1);
	publication_stamps_finish(stamps);
	expect_next(PUBLICATION_STAMP_UNKNOWN, PUBLICATION_STAMP_NONE);
}

Test(publication_stamps, what_was_taken_before_the_first_publication_is_of_none)
{
	take_early(1);
}

Test(publication_stamps, what_was_taken_before_the_first_publication_is_of_none_however_many_there_were)
{
	take_early(100);
}

/* Within the write of the first publication lies the timestamp of a message that may be another one. */
static void take_within_first_write(bool was_off)
{
	recording_packet_begins(recording, 0, 1);
	if (was_off) {
		recording_packet_ends(recording, 0, 2);
		recording_packet_begins(recording, 0, 19 * MS);
	}
	publish(publishing, 20 * MS);
	take(21 * MS, 20 * MS + 400000, 1);
	publication_stamps_finish(stamps);
}

Test(publication_stamps, where_tracing_was_off_since_the_definitions_an_unrecorded_publication_may_be_meant)
{
	take_within_first_write(true);
	expect_next(PUBLICATION_STAMP_UNKNOWN, PUBLICATION_STAMP_NONE);
}

Test(publication_stamps, where_tracing_was_on_since_the_definitions_the_only_publication_is_meant)
{
	take_within_first_write(false);
	expect_next(20 * MS + 400000, PUBLICATION_STAMP_INFERRED);
}

Test(publication_stamps, a_bound_timestamp_counts_more_than_any_take)
{
	LEARN(publishing, 999, RCL_PUBLISH, 2, 0xe, 0xa);
	LEARN(publishing, 1000, DDS_WRITE, 1, 0xe);
	take(1500, 1100, 1);
	LEARN(publishing, 2000, DDS_BIND_ADDR_TO_STAMP, 2, 0xe, 1050);
	take(2500, 1100, 1);
	publication_stamps_finish(stamps);
	expect_next(1050, PUBLICATION_STAMP_BOUND);
}

Test(publication_stamps, a_timestamp_is_bound_to_the_last_write_of_its_thread_and_message_once)
{
	LEARN(publishing, 1000, DDS_WRITE, 1, 0xe);
	LEARN(publishing, 1010, DDS_BIND_ADDR_TO_STAMP, 2, 0xd, 1);
	LEARN(other_publishing, 1010, DDS_BIND_ADDR_TO_STAMP, 2, 0xe, 2);
	LEARN(publishing, 1020, DDS_BIND_ADDR_TO_STAMP, 2, 0, 3);
	LEARN(publishing, 1030, DDS_BIND_ADDR_TO_STAMP, 2, 0xe, 4);
	expect_next(3, PUBLICATION_STAMP_BOUND);
}

Test(publication_stamps, an_intra_process_publication_knows_its_inter_process_leg)
{
	struct publication_stamp stamp;

	LEARN(publishing, 1000, RCLCPP_INTRA_PUBLISH, 2, 0xe, 0xa);
	LEARN(publishing, 1001, RCL_PUBLISH, 2, 0xe, 0xa);
	LEARN(publishing, 1002, RMW_PUBLISH, 3, 0xe, 0xb, 1003);
	LEARN(publishing, 2000, RCLCPP_INTRA_PUBLISH, 2, 0xe, 0xa);
	stamp = publication_stamps_next(stamps);
	cr_expect(stamp.has_inter_process_leg);
	cr_expect_eq(stamp.timestamp, 1003);
	stamp = publication_stamps_next(stamps);
	cr_expect_not(stamp.has_inter_process_leg);
}

Test(publication_stamps, a_message_taken_before_its_inter_process_leg_does_without_it)
{
	LEARN(publishing, 1000, RCLCPP_INTRA_PUBLISH, 2, 0xe, 0xa);
	LEARN(publishing, 1001, RCLCPP_RING_BUFFER_ENQUEUE, 4, 0x70, 3, 1, 0);
	LEARN(publishing, 1002, RCL_PUBLISH, 2, 0xe, 0xa);
	LEARN(publishing, 1003, RCLCPP_RING_BUFFER_DEQUEUE, 3, 0x70, 3, 0);
	LEARN(publishing, 1004, RMW_PUBLISH, 3, 0xe, 0xb, 1005);
	LEARN(publishing, 2000, RCLCPP_INTRA_PUBLISH, 2, 0xe, 0xa);
	LEARN(publishing, 2001, RCLCPP_RING_BUFFER_ENQUEUE, 4, 0x70, 4, 1, 0);
	LEARN(publishing, 2002, RCL_PUBLISH, 2, 0xe, 0xa);
	LEARN(publishing, 2003, RMW_PUBLISH, 3, 0xe, 0xb, 2004);
	LEARN(publishing, 2005, RCLCPP_RING_BUFFER_DEQUEUE, 3, 0x70, 4, 0);
	cr_expect_not(publication_stamps_next(stamps).has_inter_process_leg);
	cr_expect(publication_stamps_next(stamps).has_inter_process_leg);
}

/*
 * After nine publications, events are lost, then a thread that never ran a callback, nor looked for one, writes right
 * before the tenth.
 */
static void publish_beside(bool has_loss, bool has_looked, bool has_write, enum publication_stamp_source source)
{
	int64_t last_ns = 100 * MS;

	for (int64_t i = 1; i < 10; i++) {
		publish(publishing, i * 10 * MS + i * i * 1000);
		take(i * 10 * MS + 2 * MS, i * 10 * MS + i * i * 1000 + 1000, 1);
	}
	if (has_loss) {
		learn(RECORDING_NONE, last_ns - 2 * MS, (enum event_kind)RECORD_DISCARDED_EVENTS, 3,
		      (const uint64_t[EVENT_SLOTS]){ 1, (uint64_t)(last_ns - MS) });
	}
	if (has_looked) {
		LEARN(other_publishing, last_ns - 30000, RCLCPP_EXECUTOR_GET_NEXT_READY, 0, 0);
	}
	if (has_write) {
		LEARN(other_publishing, last_ns - 20000, RMW_PUBLISH, 1, 0xe);
	}
	publish(publishing, last_ns);
	take(last_ns + 2 * MS, last_ns + 1000, 1);
	publication_stamps_finish(stamps);
	for (int i = 1; i < (has_write ? 11 : 10); i++) {
		(void)publication_stamps_next(stamps);
	}
	cr_assert_eq(publication_stamps_next(stamps).source, source);
}

Test(publication_stamps, a_write_without_a_publisher_is_the_middlewares_own)
{
	publish_beside(false, false, true, PUBLICATION_STAMP_INFERRED);
}

Test(publication_stamps, of_a_thread_that_has_looked_for_work_it_may_be_a_programs)
{
	publish_beside(false, true, true, PUBLICATION_STAMP_NONE);
}

Test(publication_stamps, where_events_were_lost_it_may_be_a_programs)
{
	publish_beside(true, false, true, PUBLICATION_STAMP_NONE);
}

Test(publication_stamps, where_there_is_none_only_the_publication_is_meant)
{
	publish_beside(true, false, false, PUBLICATION_STAMP_INFERRED);
}

Test(publication_stamps, nothing_is_joined_across_a_gap)
{
	LEARN(publishing, 1000, DDS_WRITE, 1, 0xe);
	learn(RECORDING_NONE, 1001, (enum event_kind)RECORD_GAP, 0, (const uint64_t[EVENT_SLOTS]){ 0 });
	LEARN(publishing, 1010, DDS_BIND_ADDR_TO_STAMP, 2, 0xe, 3);
	expect_next(PUBLICATION_STAMP_UNKNOWN, PUBLICATION_STAMP_NONE);
}

Test(publication_stamps, kept_ones_can_be_walked_over_again)
{
	publish(publishing, 1000);
	take(2000, 1001, 1);
	publication_stamps_finish(stamps);
	expect_next(1001, PUBLICATION_STAMP_INFERRED);
	publication_stamps_rewind(stamps);
	expect_next(1001, PUBLICATION_STAMP_INFERRED);
	expect_next(PUBLICATION_STAMP_UNKNOWN, PUBLICATION_STAMP_NONE);
}

Test(publication_stamps, a_long_queue_forgets_what_is_behind_and_still_finds_the_rest)
{
	publication_stamps_destroy(stamps);
	stamps = publication_stamps_create(recording, false);
	LEARN(publishing, 1, RCL_PUBLISHER_INIT, 5, 0xa, 0x1, 0xb, topic("/t"), 10);
	LEARN(taking, 1, RCL_SUBSCRIPTION_INIT, 5, 0x5, 0x1, 0x6, topic("/t"), 10);
	for (int64_t i = 1; i <= 50000; i++) {
		publish(publishing, i * MS);
		take(i * MS + 500, i * MS + 1, 1);
		if (i > 100) {
			expect_next((i - 100) * MS + 1, PUBLICATION_STAMP_INFERRED);
		}
	}
}
