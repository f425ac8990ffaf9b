/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "core/analyses/timeline/timeline_queues.h"

#define MANY 1500000
#define STEPS_MAX (1U << 21)

static struct model_subscription subscription;
static struct timeline_queues queues;
static int64_t last_ns, last_value, peak;
static size_t count;

static void keep(struct table_writer *writer, const struct cell *cells)
{
	cr_assert_geq(cells[TIMELINE_EVENT_BEGIN].integer, last_ns);
	last_ns = cells[TIMELINE_EVENT_BEGIN].integer;
	last_value = cells[TIMELINE_EVENT_VALUE].integer;
	peak = MAX(peak, last_value);
	cr_assert_geq(last_value, 0);
	count++;
}

static struct table_writer writer = { .row = keep };

static void add(int64_t publish_ns, int64_t start_ns)
{
	timeline_queues_add(&queues, &subscription, publish_ns, start_ns, &writer);
	cr_assert_lt(queues.steps->len, STEPS_MAX);
}

static void finish(void)
{
	timeline_queues_finish(&queues, &writer);
	timeline_queues_clear(&queues);
}

/* Three at a time, from the third on; each step is a value of the counter, however many there are. */
Test(timeline_queues, any_number_of_messages_is_counted_in_bounded_memory)
{
	last_ns = INT64_MIN;
	for (int64_t i = 0; i < MANY; i++) {
		add(10 * i, 10 * i + 25);
	}
	finish();
	cr_assert_eq(peak, 3);
	cr_assert_eq(last_value, 0);
	cr_assert_eq(count, 2 * MANY);
}

/* One that has waited since what is written already counts from then on. */
Test(timeline_queues, a_message_that_waits_long_is_counted_from_the_written_time_on)
{
	last_ns = INT64_MIN;
	for (int64_t i = 0; i < MANY; i++) {
		add(10 * i, 10 * i + 25);
	}
	add(0, 10 * MANY + 100);
	finish();
	cr_assert_eq(peak, 4);
	cr_assert_eq(last_value, 0);
	cr_assert_eq(last_ns, 10 * MANY + 100);
}

/* Nothing arrives in the order of time: all is written, and what comes then counts from there on. */
Test(timeline_queues, messages_in_the_wrong_order_take_no_more_memory)
{
	last_ns = INT64_MIN;
	for (int64_t i = MANY; i > 0; i--) {
		add(10 * i, 10 * i + 25);
	}
	finish();
	cr_assert_eq(last_value, 0);
}

Test(timeline_queues, one_at_a_time_is_no_queue)
{
	last_ns = INT64_MIN;
	for (int64_t i = 0; i < MANY; i++) {
		add(10 * i, 10 * i + 5);
	}
	finish();
	cr_assert_eq(count, 0);
}
