/* SPDX-License-Identifier: MIT */
/*
 * When a session reports again while the recording goes on: once a period of the recording's time. Periods are counted
 * from the first record; one is over when a record at its end or later is there, or when nothing can come before its
 * end any more. Several that end at once are one.
 *
 * Where nothing arrives for one and a half periods of the machine's clock, a report is due, too: it tells how far
 * behind the recording is (its lag).
 *
 * All times are ns since the Unix epoch, except those of the machine's monotonic clock.
 */
#ifndef ROS2BT_REPORT_PERIOD_H
#define ROS2BT_REPORT_PERIOD_H

#include <stdbool.h>
#include <stdint.h>

struct report_period {
	int64_t period_ns;  /* > 0 */
	int64_t begin_ns;   /* the first record; INT64_MAX: none yet */
	int64_t due_ns;	    /* the end of the period; INT64_MAX: never */
	int64_t reached_ns; /* until when the recording was read; INT64_MIN: nothing was */
	bool is_live;	    /* it was waited for: it is being recorded */
	int64_t written_us; /* of the machine's monotonic clock: the last report, or the first wait */
};

struct report_period *report_period_create(int64_t period_ns); /* to be freed with g_free() */

/* A record, before the session is fed with it: whether a report of what came before is due. */
static inline bool report_period_is_over(const struct report_period *period, int64_t time_ns)
{
	return time_ns >= period->due_ns;
}

/* The recording was read until then; a time before that of an earlier call is ignored. The first call begins. */
void report_period_reach(struct report_period *period, int64_t time_ns);

/* The end of the last period that is over as of what was reached; the beginning of the first if none is. */
int64_t report_period_last_end(const struct report_period *period);

/* A report is written: the next period, whose end is after what was reached. */
void report_period_next(struct report_period *period);

/* Nothing arrives for now: whether a report is due by the machine's clock. False before the first record. */
bool report_period_wait(struct report_period *period, int64_t monotonic_us);

/* "as of 2024-05-01 12:34:56.000000000 UTC, 1.2 s behind the clock"; to be freed. */
char *report_period_text(int64_t as_of_ns, bool has_lag, int64_t lag_ns);
/* "the last 5.00 s as of …" */
char *report_period_window_text(int64_t window_ns, int64_t as_of_ns, bool has_lag, int64_t lag_ns);

#endif
