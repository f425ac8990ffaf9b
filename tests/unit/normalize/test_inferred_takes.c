/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "core/normalize/inferred_takes.h"
#include "ros2bt/base/time_units.h"

#define MS NS_PER_MS

enum {
	PUBLISHER = 0xa,
	RMW_PUBLISHER,
	SUBSCRIPTION,
	RMW_SUBSCRIPTION,
	OBJECT,
	CALLBACK,
	OTHER_CALLBACK,
};

static struct string_pool *pool;
static struct recording *recording;
static struct inferred_takes *takes;
static uint32_t talker, listener;
static int64_t now;

#define LAST_WORD UINT64_C(0xffff0001)
#define LEARN(thread, kind, ...) learn(thread, EVENT_##kind, (const uint64_t[]){ __VA_ARGS__, LAST_WORD })

static void learn(uint32_t thread, enum event_kind kind, const uint64_t *words)
{
	struct event_record record = { .time_ns = now, .thread = thread, .kind = (uint8_t)kind };

	for (unsigned int i = 0; words[i] != LAST_WORD; i++) {
		record.word[i] = words[i];
		record.present |= 1u << i;
	}
	inferred_takes_learn(takes, &record);
	now += 1000;
}

static uint32_t add_thread(uint32_t trace, int32_t vpid)
{
	struct recording_context context = { .has_vpid = true, .has_vtid = true, .vpid = vpid, .vtid = vpid };

	return recording_add_thread(recording, trace, &context, "node");
}

static void publish(void)
{
	LEARN(talker, RCLCPP_PUBLISH, 0x99);
	LEARN(talker, RCL_PUBLISH, 0x99, PUBLISHER);
}

static void handle(uint64_t callback)
{
	LEARN(listener, CALLBACK_START, callback, 0);
	LEARN(listener, CALLBACK_END, callback);
}

/* Long after the middleware has matched both; the executor has rested once. */
static void setup_kept(bool are_kept)
{
	struct recording_trace_info info = { .hostname = "robot" };
	uint64_t topic;
	uint32_t trace;

	pool = string_pool_create();
	recording = recording_create(pool);
	trace = recording_add_trace(recording, &info);
	recording_add_stream(recording, trace);
	takes = inferred_takes_create(recording, are_kept);
	talker = add_thread(trace, 1);
	listener = add_thread(trace, 2);
	topic = (uint64_t)(uintptr_t)string_pool_intern(pool, "/a");
	now = NS_PER_S;
	LEARN(talker, RCL_PUBLISHER_INIT, PUBLISHER, 0x1, RMW_PUBLISHER, topic, 10);
	LEARN(listener, RCL_SUBSCRIPTION_INIT, SUBSCRIPTION, 0x1, RMW_SUBSCRIPTION, topic, 10);
	LEARN(listener, RCLCPP_SUBSCRIPTION_INIT, SUBSCRIPTION, OBJECT);
	LEARN(listener, RCLCPP_SUBSCRIPTION_CALLBACK_ADDED, OBJECT, CALLBACK);
	now += 2 * NS_PER_S;
	handle(OTHER_CALLBACK);
	now += 20 * MS;
	if (are_kept) {
		cr_expect_not(inferred_takes_next_start(takes).has_take);
		inferred_takes_rewind(takes);
	}
}

static void setup(void)
{
	setup_kept(true);
}

static void teardown(void)
{
	inferred_takes_destroy(takes);
	recording_destroy(recording);
	string_pool_destroy(pool);
}

TestSuite(inferred_takes, .init = setup, .fini = teardown);

static void finish(void)
{
	now += 5 * MS;
	LEARN(talker, CALLBACK_START, OTHER_CALLBACK, 0);
	inferred_takes_finish(takes);
	cr_expect_not(inferred_takes_next_start(takes).has_take, "that of setup_kept()");
}

Test(inferred_takes, a_callback_and_its_publication_get_one_timestamp)
{
	struct inferred_write write;
	struct inferred_start start;

	publish();
	handle(CALLBACK);
	finish();
	write = inferred_takes_next_write(takes);
	start = inferred_takes_next_start(takes);
	cr_expect(write.is_missing);
	cr_expect(write.is_taken);
	cr_expect(start.has_take);
	cr_expect_eq(start.timestamp, write.timestamp);
	inferred_takes_rewind(takes);
	cr_expect_eq(inferred_takes_next_write(takes).timestamp, write.timestamp, "the same in a second pass");
}

Test(inferred_takes, made_timestamps_differ)
{
	int64_t first;

	publish();
	now -= 2000;
	publish();
	finish();
	first = inferred_takes_next_write(takes).timestamp;
	cr_expect_gt(inferred_takes_next_write(takes).timestamp, first);
}

Test(inferred_takes, a_message_of_agnocast_is_a_take)
{
	publish();
	LEARN(listener, AGNOCAST_CREATE_CALLABLE, 0x70, 1, CALLBACK);
	LEARN(listener, AGNOCAST_CALLABLE_START, 0x70);
	LEARN(listener, AGNOCAST_CALLABLE_END, 0x70);
	handle(CALLBACK);
	finish();
	cr_expect_not(inferred_takes_next_write(takes).is_taken);
	cr_expect_not(inferred_takes_next_start(takes).has_take);
}

/* That of an unknown callable has the lowest bit set: it may be one that a hostile trace defines. */
Test(inferred_takes, a_callable_is_no_callback_start)
{
	LEARN(listener, RCLCPP_SUBSCRIPTION_CALLBACK_ADDED, OBJECT, 0x71);
	publish();
	LEARN(listener, AGNOCAST_CALLABLE_START, 0x70);
	LEARN(listener, AGNOCAST_CALLABLE_END, 0x70);
	now += 5 * MS;
	inferred_takes_finish(takes);
	cr_expect_not(inferred_takes_next_start(takes).has_take, "that of setup_kept()");
	cr_expect_not(inferred_takes_next_write(takes).is_taken);
}

Test(inferred_takes, a_take_of_which_the_publication_is_unknown_is_a_take)
{
	struct inferred_start start;

	handle(CALLBACK);
	finish();
	start = inferred_takes_next_start(takes);
	cr_expect(start.has_take);
	cr_expect_eq(start.timestamp, INFERRED_TAKE_OF_UNKNOWN);
}

Test(inferred_takes, two_takes_of_which_the_publication_is_unknown_are_takes)
{
	struct inferred_start first, second;

	publish();
	handle(CALLBACK);
	handle(CALLBACK);
	finish();
	first = inferred_takes_next_start(takes);
	second = inferred_takes_next_start(takes);
	cr_expect(first.has_take);
	cr_expect(second.has_take);
	cr_expect_eq(first.timestamp, INFERRED_TAKE_OF_UNKNOWN);
	cr_expect_eq(second.timestamp, INFERRED_TAKE_OF_UNKNOWN);
}

Test(inferred_takes, a_publication_that_is_not_taken_has_no_link)
{
	publish();
	finish();
	cr_expect(inferred_takes_next_write(takes).is_missing);
	inferred_takes_rewind(takes);
	cr_expect_not(inferred_takes_next_write(takes).is_taken);
}

Test(inferred_takes, a_recorded_take_ends_all_inference)
{
	publish();
	handle(CALLBACK);
	LEARN(listener, RMW_TAKE, RMW_SUBSCRIPTION, 0x77, 5, 1);
	publish();
	handle(CALLBACK);
	finish();
	cr_expect_not(inferred_takes_next_write(takes).is_taken);
	cr_expect_not(inferred_takes_next_start(takes).has_take);
	cr_expect_not(inferred_takes_next_start(takes).has_take);
	cr_expect_not(inferred_takes_next_write(takes).is_missing);
}

Test(inferred_takes, a_write_that_is_recorded_is_not_missing_and_has_its_timestamp)
{
	struct inferred_write write;

	publish();
	LEARN(talker, RMW_PUBLISH, 0x99, RMW_PUBLISHER, 4242);
	handle(CALLBACK);
	finish();
	write = inferred_takes_next_write(takes);
	cr_expect_not(write.is_missing);
	cr_expect_eq(write.timestamp, 4242);
	cr_expect_eq(inferred_takes_next_start(takes).timestamp, 4242);
}

Test(inferred_takes, after_a_recorded_write_the_absence_of_one_proves_nothing)
{
	publish();
	LEARN(talker, RMW_PUBLISH, 0x99, RMW_PUBLISHER, 4242);
	publish();
	finish();
	inferred_takes_next_write(takes);
	cr_expect_not(inferred_takes_next_write(takes).is_missing);
}

Test(inferred_takes, a_timestamp_that_caret_binds_later_is_waited_for)
{
	publish();
	LEARN(talker, DDS_WRITE, 0x99);
	LEARN(talker, DDS_BIND_ADDR_TO_STAMP, 0, 4242);
	handle(CALLBACK);
	now += 20 * MS;
	publish();
	LEARN(talker, DDS_WRITE, 0x99);
	handle(CALLBACK);
	finish();
	cr_expect_eq(inferred_takes_next_start(takes).timestamp, 4242);
	cr_expect_eq(inferred_takes_next_start(takes).timestamp, INFERRED_TAKE_OF_UNKNOWN, "never bound");
}

Test(inferred_takes, nothing_is_inferred_across_a_gap)
{
	struct event_record gap;

	publish();
	LEARN(listener, CALLBACK_START, CALLBACK, 0);
	gap = (struct event_record){ .time_ns = now, .thread = talker, .kind = RECORD_GAP };
	inferred_takes_learn(takes, &gap);
	LEARN(listener, CALLBACK_END, CALLBACK);
	finish();
	cr_expect_not(inferred_takes_next_write(takes).is_taken);
	cr_expect_eq(inferred_takes_next_start(takes).timestamp, INFERRED_TAKE_OF_UNKNOWN);
}

TestSuite(inferred_takes_window, .fini = teardown);

Test(inferred_takes_window, what_was_visited_before_its_decision_stays_unknown)
{
	setup_kept(false);
	publish();
	cr_expect_not(inferred_takes_next_write(takes).is_missing, "the next event of the thread decides that");
	handle(CALLBACK);
	finish();
	cr_expect_eq(inferred_takes_next_start(takes).timestamp, INFERRED_TAKE_OF_UNKNOWN);
}

Test(inferred_takes_window, visits_stay_in_step_with_many_records)
{
	setup_kept(false);
	inferred_takes_next_start(takes);
	for (int i = 0; i < 20000; i++) {
		struct inferred_write write;

		publish();
		handle(CALLBACK);
		now += 20 * MS;
		LEARN(talker, CALLBACK_START, OTHER_CALLBACK, 0);
		LEARN(talker, CALLBACK_END, OTHER_CALLBACK);
		handle(OTHER_CALLBACK);
		handle(OTHER_CALLBACK);
		if (i > 0) {
			write = inferred_takes_next_write(takes);
			cr_assert(write.is_taken);
			cr_assert_eq(inferred_takes_next_start(takes).timestamp, write.timestamp);
			for (int other = 0; other < 3; other++) {
				cr_assert_not(inferred_takes_next_start(takes).has_take);
			}
		}
	}
}
