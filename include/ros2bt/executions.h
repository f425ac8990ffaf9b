/* SPDX-License-Identifier: MIT */
/*
 * Pairs callback_start with callback_end on a stack per thread and reports each execution to listeners.
 *
 * Never a wrong pair:
 *   - An end belongs to the innermost open start of the same callback on its thread. Frames above it, and an older open
 *     frame of a callback that starts again on its thread, are incomplete (the callback threw, or its end was
 *     not recorded). An end before its start is none.
 *   - Where a trace records no vtid its frames are no stack: the one open start of the same callback is taken. Once two
 *     are open at a time, neither they nor their ends pair.
 *   - caret_init of a process: CARET begins to record it anew, its open frames are cut.
 *   - rcl_init (of ros2_tracing) on a thread: its open frames are those of a process that was killed.
 * A cut frame ends without end; its end, if it comes, is one without start.
 *
 * A service callback that answers later (a deferred response) records no end up to Jazzy: rclcpp returns from it
 * before. It is one whose arguments show that (object_model.h), or whose thread went on to other executions, as long as
 * none of its executions records an end. It ends without end when it starts anew on its thread, at the latest with the
 * recording; nothing happens within it once its thread has begun another execution. The trace has lost nothing there,
 * see executions_is_deferred().
 *
 * Where events were lost a start and an end may be of two executions: such a pair is doubtful (EXECUTION_DOUBTFUL).
 *   - A stream is silent from its last event in a packet that lost events (RECORD_DISCARDED_EVENTS: they are behind
 *     that event), or before lost packets or any other RECORD_GAP, until its next event. That is the next that is not
 *     a definition: filters drop copies of definitions and move them in time.
 *   - Between two events of a thread none is lost unless a stream of the trace is silent: one of theirs, or another
 *     one for long enough for the thread to be moved there and back. An execution is certain if that holds from each
 *     event of its thread to the next, from its start to its end. Without vtid these are the start and the end.
 *   - A thread that begins another callback within an open frame, or has the executor begin one
 *     (rclcpp_executor_execute), executes callbacks within callbacks, or the end of the frame was lost. If events may
 *     be missing since the frame's start it is cut. If LTTng counts no loss there, but some earlier in the trace, the
 *     frame is doubtful.
 *
 * Memory: the open frames; the depth of a stack is limited (EXECUTION_DEPTH_MAX), the outermost frame gives way.
 */
#ifndef ROS2BT_EXECUTIONS_H
#define ROS2BT_EXECUTIONS_H

#include "ros2bt/diagnostics.h"
#include "ros2bt/event_record.h"
#include "ros2bt/execution.h"
#include "ros2bt/object_model.h"
#include "ros2bt/recording.h"

#define EXECUTION_DEPTH_MAX 128

struct executions;

struct executions_listener {
	void *data;
	/* After the frame is pushed. The execution may be kept until `ended`. */
	void (*started)(void *data, struct execution *execution);
	/* The frame is gone afterwards. Without start: an execution of its own, never `started`. */
	void (*ended)(void *data, struct execution *execution, enum execution_outcome outcome);
};

/* All are borrowed and must outlive the executions. */
struct executions *executions_create(struct recording *recording, struct object_model *model,
				     struct diagnostics *diagnostics);
void executions_destroy(struct executions *executions);
void executions_add_listener(struct executions *executions, const struct executions_listener *listener);

/*
 * To be called with every record once something was lost (RECORD_DISCARDED_EVENTS, RECORD_DISCARDED_PACKETS,
 * RECORD_GAP): learns what may be missing before it. Then all may ask about executions, then comes executions_feed().
 */
void executions_follow(struct executions *executions, const struct event_record *record);

/* Tracing was off since the last record: ends may be of other executions than the open ones, and nothing goes on. */
void executions_pause(struct executions *executions);

/*
 * To be called with every record: takes callback_start, callback_end, rcl_init, caret_init and the records about the
 * recording itself.
 */
void executions_feed(struct executions *executions, const struct event_record *record);

/* The end of the recording: open frames end without end. */
void executions_finish(struct executions *executions);

/* The innermost open execution of a thread, NULL if there is none or the trace records no vtid. O(1). */
struct execution *executions_current(struct executions *executions, uint32_t thread);

/*
 * Whether a callback answers later than it returns, so that its executions end without end, as far as is known by now.
 */
bool executions_is_deferred(const struct executions *executions, struct model_callback *callback);

/* Whether a thread without a current execution may be in one nevertheless, whose start was lost. O(1). */
bool executions_may_have_lost_start(struct executions *executions, uint32_t thread);

/*
 * Whether events of a thread's trace may be missing between two times, up to now. A loss shows when its stream goes on:
 * the answer about the same two times may become false later. O(1) in a trace that lost nothing, else O(streams).
 */
bool executions_may_miss_events(const struct executions *executions, uint32_t thread, int64_t from_ns, int64_t to_ns);

#endif
