/* SPDX-License-Identifier: MIT */
/* What the analysis timers counts for each timer (see timers.c). Times in ns. */
#ifndef ROS2BT_TIMER_COUNTS_H
#define ROS2BT_TIMER_COUNTS_H

#include <glib.h>

#include "core/analyses/shared/analysis.h"
#include "core/analyses/shared/holders.h"
#include "core/analyses/timers/timer_creations.h"
#include "core/analyses/timers/timer_schedule.h"
#include "core/analyses/timers/timer_threads.h"
#include "core/base/int128.h"
#include "core/statistics/duration_statistics.h"

struct timer_row {
	bool is_timer; /* the callback is known to be that of a timer; until then there is no id */
	uint64_t id;
	struct model_callback *callback;
	struct timer_schedule schedule;
	int64_t created_ns;
	uint32_t last_phase; /* of the execution of the last call */
	bool has_schedule;   /* the definition of the timer is known */
	bool lacks_executor; /* it was called on a thread that records no events of an executor */
	bool is_last_free;   /* as of the last call that was taken out of the schedule, as the next three */
	int64_t last_start_ns;
	bool has_last_slot; /* it counted, and its slot is known; for the table, as that one */
	int64_t last_slot_ns;
	bool is_other_clock; /* as of when the clock was last judged */
	uint64_t calls, missed, restarts, early, overruns;
	uint64_t unknown;		  /* calls whose expected time is not known */
	uint64_t punctual, most_punctual; /* calls in a row that followed the schedule, in the range or not: the
					     last ones, and at most */
	uint64_t followed, irregular;	  /* calls in the range or not, and those of them that followed no schedule */
	uint64_t free_calls, next_look;	  /* samples of free_period, and at how many of them to judge the clock again */
	int64_t held_ns;		  /* the part of all lateness in which callbacks executed that delayed it, */
	int64_t waited_ns;		  /* … in which its executor waited for work, … */
	int64_t hidden_ns;		  /* … and of which neither is known */
	int128 span_ns;			  /* from call to call within one schedule, … */
	int128 slots_ns;		  /* … and from slot to slot */
	struct holders holders;
	struct duration_statistics lateness, jitter;
	struct duration_statistics free_period; /* from start to start, where no callback delayed it */
};

static inline uint64_t timer_row_known_calls(const struct timer_row *row)
{
	return duration_statistics_count(&row->lateness) + row->early;
}

/*
 * Whether the expected times of at least half of its calls are known, so that what these show is true of the timer: of
 * fewer, not even the median tells anything about that of all.
 */
static inline bool timer_row_is_known(const struct timer_row *row)
{
	return timer_row_known_calls(row) >= row->unknown;
}

/* The same of its periods: those between two known calls. */
static inline bool timer_row_has_known_periods(const struct timer_row *row)
{
	uint64_t calls = timer_row_known_calls(row) + row->unknown;

	return 2 * duration_statistics_count(&row->jitter) + row->restarts + 1 >= calls;
}

struct timers {
	struct analysis analysis; /* its rows are struct timer_row, by index of the callback; none: not called */
	struct timer_threads *threads;
	struct timer_creations *creations;
	GArray *recorded_since; /* int64_t by process: when CARET last began to record it; INT64_MIN: it did not */
	uint64_t next_id;
};

#endif
