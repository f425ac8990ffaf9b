/* SPDX-License-Identifier: MIT */
/*
 * Whether other events of a thread may be missing between two of its events, where streams of its trace are silent
 * (coverage.h). executions.h has the rules.
 *
 * Cost: nothing in a trace that lost nothing; otherwise a question is O(streams that are silent now + silences since
 * the first of the two events).
 */
#ifndef ROS2BT_THREAD_TRAIL_H
#define ROS2BT_THREAD_TRAIL_H

#include "core/model/coverage.h"
#include "ros2bt/events/event_record.h"

/* Where a thread with a vtid was last seen: its last event; before the first loss, its last callback_start or
 * callback_end. */
struct thread_trail {
	int64_t seen_ns;
	uint32_t stream;
	bool has_run;	   /* it has run a callback */
	bool is_uncertain; /* since its last event of a callback, one may have started or ended in a loss */
};

/* Takes callback_start and callback_end, which show what the thread does. */
static inline void thread_trail_note_run(struct thread_trail *trail, const struct event_record *record)
{
	trail->seen_ns = record->time_ns;
	trail->stream = record->stream;
	trail->has_run = true;
	trail->is_uncertain = false;
}

/*
 * Takes each sign of life of a thread after the first loss of its trace. Returns whether other events of the thread may
 * be missing before it.
 */
bool thread_trail_follow(struct thread_trail *trail, const struct coverage *coverage, uint32_t trace,
			 const struct event_record *record);

#endif
