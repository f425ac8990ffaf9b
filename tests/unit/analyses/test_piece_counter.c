/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "core/analyses/shared/piece_counter.h"
#include "ros2bt/base/time_units.h"

#define VALUES_MAX 2048

static struct {
	int64_t at_ns, value;
} written[VALUES_MAX];
static size_t count;

static void keep(struct table_writer *writer, const struct cell *cells)
{
	cr_assert_lt(count, VALUES_MAX);
	written[count].at_ns = cells[TIMELINE_EVENT_BEGIN].integer;
	written[count].value = cells[TIMELINE_EVENT_VALUE].integer;
	cr_assert(count == 0 || written[count].at_ns > written[count - 1].at_ns);
	count++;
}

static struct table_writer writer = { .row = keep };

static void write_rate(struct piece_counter *counter)
{
	count = 0;
	piece_counter_write_rate(counter, &writer, 1);
	piece_counter_clear(counter);
}

static void assert_written(size_t i, int64_t at_ns, int64_t value)
{
	cr_assert_eq(written[i].at_ns, at_ns, "%zu: at %" G_GINT64_FORMAT, i, written[i].at_ns);
	cr_assert_eq(written[i].value, value, "%zu: %" G_GINT64_FORMAT, i, written[i].value);
}

/* By their rates, and how long each holds. */
static double total(void)
{
	double sum = 0;

	for (size_t i = 0; i + 1 < count; i++) {
		sum += (double)written[i].value * (double)(written[i + 1].at_ns - written[i].at_ns) / NS_PER_S;
	}
	return sum;
}

Test(piece_counter, a_rate_is_the_number_of_each_tenth_of_a_second)
{
	struct piece_counter counter = { 0 };

	cr_assert_not(piece_counter_has_any(&counter));
	piece_counter_add(&counter, 12345 * NS_PER_MS); /* in any order */
	piece_counter_add(&counter, 12001 * NS_PER_MS);
	piece_counter_add(&counter, 12399 * NS_PER_MS);
	piece_counter_add(&counter, 11950 * NS_PER_MS);
	cr_assert(piece_counter_has_any(&counter));
	write_rate(&counter);
	cr_assert_eq(count, 4);
	assert_written(0, 11950 * NS_PER_MS, 10); /* the timeline begins no earlier than the recording */
	assert_written(1, 12100 * NS_PER_MS, 0);
	assert_written(2, 12300 * NS_PER_MS, 20);
	assert_written(3, 12400 * NS_PER_MS, 0);
}

/* 300 s are pieces of 0.4 s: the rate stays, and so does the number. */
Test(piece_counter, a_long_recording_has_wider_pieces_and_as_many_executions)
{
	for (int from = -1; from <= 1; from++) {
		for (int step = -1; step <= 1; step += 2) {
			struct piece_counter counter = { 0 };

			for (int i = 0; i < 30000; i++) {
				piece_counter_add(&counter, from * 1500 * NS_PER_S + step * i * 10 * NS_PER_MS);
			}
			cr_assert_leq(counter.pieces->len, PIECE_COUNTER_MAX);
			write_rate(&counter);
			cr_assert_float_eq(total(), 30000, 2);
			cr_assert_eq(written[count - 1].value, 0);
			cr_assert(written[0].value == 100 ||
				  written[1].value == 100); /* the first piece may be part of one */
		}
	}
}

Test(piece_counter, times_that_a_hostile_trace_may_have_are_counted)
{
	struct piece_counter counter = { 0 };

	piece_counter_add(&counter, 0);
	piece_counter_add(&counter, INT64_MAX);
	piece_counter_add(&counter, INT64_MIN);
	piece_counter_set(&counter, -1, 5);
	cr_assert_leq(counter.pieces->len, PIECE_COUNTER_MAX);
	write_rate(&counter);
}

Test(piece_counter, the_latest_value_of_each_piece_is_written_at_its_time)
{
	struct piece_counter counter = { 0 };

	piece_counter_set(&counter, 10 * NS_PER_MS, 100);
	piece_counter_set(&counter, 30 * NS_PER_MS, 300);
	piece_counter_set(&counter, 20 * NS_PER_MS, 200); /* late */
	piece_counter_set(&counter, 999 * NS_PER_MS, 7);
	count = 0;
	piece_counter_write_values(&counter, &writer, 1);
	cr_assert_eq(count, 2);
	assert_written(0, 30 * NS_PER_MS, 300);
	assert_written(1, 999 * NS_PER_MS, 7);

	piece_counter_set(&counter, 1000 * NS_PER_S, 9); /* the widths double: what came last in each piece remains */
	count = 0;
	piece_counter_write_values(&counter, &writer, 1);
	cr_assert_eq(count, 2);
	assert_written(0, 999 * NS_PER_MS, 7);
	assert_written(1, 1000 * NS_PER_S, 9);
	piece_counter_clear(&counter);
}
