/* SPDX-License-Identifier: MIT */
#include "core/session/report_period.h"

#include <criterion/criterion.h>
#include <glib.h>

static struct report_period *period;

static void setup(void)
{
	period = report_period_create(1000);
}

static void teardown(void)
{
	g_free(period);
}

TestSuite(report_period, .init = setup, .fini = teardown);

Test(report_period, periods_are_counted_from_the_first_record)
{
	cr_assert_not(report_period_is_over(period, 5300));
	report_period_reach(period, 5300);
	cr_assert_not(report_period_is_over(period, 6299));
	cr_assert(report_period_is_over(period, 6300));
	report_period_reach(period, 6300);
	cr_assert_eq(report_period_last_end(period), 6300);
	report_period_next(period);
	cr_assert_not(report_period_is_over(period, 7299));
	cr_assert(report_period_is_over(period, 7300));
}

Test(report_period, several_that_end_at_once_are_one)
{
	report_period_reach(period, 0);
	report_period_reach(period, 5700);
	cr_assert_eq(report_period_last_end(period), 5000);
	report_period_next(period);
	cr_assert_not(report_period_is_over(period, 5999));
	cr_assert(report_period_is_over(period, 6000));
}

Test(report_period, a_time_that_goes_back_is_ignored)
{
	report_period_reach(period, 5000);
	report_period_reach(period, 4000);
	cr_assert_eq(period->reached_ns, 5000);
}

Test(report_period, there_is_no_period_after_the_last_time)
{
	report_period_reach(period, INT64_MIN);
	report_period_reach(period, INT64_MAX - 500);
	report_period_next(period);
	report_period_reach(period, INT64_MAX - 1);
	report_period_next(period);
	cr_assert_eq(period->due_ns, INT64_MAX);
}

Test(report_period, without_records_one_is_due_by_the_clock_after_one_and_a_half_periods)
{
	period->period_ns = 2000000; /* 2000 us */
	cr_assert_not(report_period_wait(period, 10000));
	cr_assert_not(report_period_wait(period, 20000), "there was no record");
	report_period_reach(period, 5000);
	period->written_us = 20000;
	cr_assert_not(report_period_wait(period, 22999));
	cr_assert(report_period_wait(period, 23000));
	cr_assert(period->is_live);
}
