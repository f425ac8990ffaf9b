/* SPDX-License-Identifier: MIT */
/*
 * The silences of streams in which the recorder lost events, and whether other events of a thread may be missing
 * between two of its events. executions.h has the rules, and the reason why a definition does not end a silence. Losses
 * are counted for the diagnostics by recording_defects.h.
 *
 * Cost: nothing in a trace that lost nothing; otherwise a question is O(streams that are silent now + silences since
 * the first of the two events). Memory: the last GAPS_KEPT silences of each trace; for times before them, the answer is
 * always that events may be missing.
 */
#ifndef ROS2BT_RECORDER_LOSSES_H
#define ROS2BT_RECORDER_LOSSES_H

#include <glib.h>

#include "ros2bt/event_record.h"
#include "ros2bt/recording.h"

/* Where and when an event was recorded. */
struct event_place {
	int64_t time_ns;
	uint32_t stream;
};

/* Where a thread with a vtid was last seen. */
struct thread_trail {
	struct event_place seen; /* its last event; before the first loss, its last callback_start or callback_end */
	bool has_run;		 /* it has run a callback */
	bool is_uncertain;	 /* since its last event of a callback, one may have started or ended in a loss */
};

struct recorder_losses {
	struct recording *recording; /* borrowed */
	GArray *streams;	     /* struct stream_state by stream index */
	GPtrArray *traces;	     /* struct trace_losses * by trace index, in the arena; NULL: it lost nothing */
	bool has_any;		     /* some trace lost events */
};

/* The recording must outlive the losses. */
void recorder_losses_init(struct recorder_losses *losses, struct recording *recording);
void recorder_losses_clear(struct recorder_losses *losses);

/* Losses, gaps and ends of streams; ignores all other records. */
void recorder_losses_feed(struct recorder_losses *losses, const struct event_record *record);

/*
 * Whether a record shows that its stream goes on. A definition does not, because filters drop copies of definitions and
 * move them in time.
 */
static inline bool recorder_losses_is_sign_of_life(const struct event_record *record)
{
	return record->kind < EVENT_KIND_COUNT && event_class_of(record->kind) != EVENT_CLASS_INIT;
}

/* Takes each sign of life of a stream after the first loss. */
void recorder_losses_follow_stream(struct recorder_losses *losses, const struct event_record *record);

/* Whether the trace lost events so far. */
static inline bool recorder_losses_has_trace(const struct recorder_losses *losses, uint32_t trace)
{
	return trace < losses->traces->len && losses->traces->pdata[trace];
}

/* Takes callback_start and callback_end, which show what the thread does. */
static inline void thread_trail_note_run(struct thread_trail *trail, const struct event_record *record)
{
	trail->has_run = true;
	trail->is_uncertain = false;
	trail->seen = (struct event_place){ record->time_ns, record->stream };
}

/*
 * Takes each sign of life of a thread after the first loss of its trace. Returns whether other events of the thread may
 * be missing before it.
 */
bool recorder_losses_follow_thread(const struct recorder_losses *losses, uint32_t trace, struct thread_trail *trail,
				   const struct event_record *record);

/* Whether events of any thread of the trace may be missing between two times. */
bool recorder_losses_lie_between(const struct recorder_losses *losses, uint32_t trace, int64_t from_ns, int64_t to_ns);

#endif
