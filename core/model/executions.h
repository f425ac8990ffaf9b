/* SPDX-License-Identifier: MIT */
/*
 * Pairs callback_start with callback_end on a stack of frames per thread, and reports each execution to listeners.
 *
 * The rules, which never make a wrong pair:
 *   - An end is paired with the innermost open start of the same callback on its thread. Frames above that one, and an
 *     older open frame of a callback that starts again on its thread, end without end: the callback threw, or its end
 *     was not recorded. An end that is earlier than its start is not paired with it.
 *   - In a trace without vtids the frames of a process are no stack: an end is paired with the only open start of the
 *     same callback. While two of them are open, neither they nor their ends are paired.
 *   - At caret_init, CARET begins to record a process anew, and all open frames of the process are cut.
 *   - At rcl_init (of ros2_tracing), open frames of the thread are those of a process that was killed, and are cut.
 * A cut frame ends without end; an end of it that is recorded later is one without start.
 *
 * An execution may be over though its end is never recorded, or go on after its thread has executed others. It stays
 * open, so that its end is paired in either case; execution_fates.h has what is known of it meanwhile.
 *
 * Where events were lost, a start and an end may belong to two executions. Such a pair is EXECUTION_DOUBTFUL:
 *   - A stream is silent from its last event in a packet with lost events (RECORD_DISCARDED_EVENTS: they follow that
 *     event), or before lost packets or any other RECORD_GAP, until its packets go on (core/model/coverage.h).
 *   - Between two events of a thread, events may be missing if one of the streams of the two is silent, or if another
 *     stream of the trace is silent for long enough for the thread to be moved there and back. An execution is certain
 *     if no events may be missing between any two successive events of its thread, from its start to its end; without
 *     vtid, between its start and its end.
 *   - If a thread begins another callback within an open frame, or its executor does (rclcpp_executor_execute), then it
 *     executes callbacks within callbacks, or the end of the frame was lost. If events may be missing since the start
 *     of the frame, the frame is cut. If not, but the trace lost events earlier, the frame is doubtful.
 *   - In a packet that lost events, small ones may follow a larger one that was lost: after a callback that threw, the
 *     end of the next execution whose start is missing. So a frame that its thread has left is doubtful if its end is
 *     in one.
 *
 * Cost: O(open frames of the thread) per start and end; nothing for other events until something is lost, but those of
 * execution_fates.h. Memory: the open frames, at most EXECUTION_DEPTH_MAX per thread (beyond that the outermost one
 * ends without end), and 28 bytes per callback.
 */
#ifndef ROS2BT_EXECUTIONS_H
#define ROS2BT_EXECUTIONS_H

#include "core/events/record_calls.h"
#include "core/model/execution.h"
#include "core/model/execution_fates.h"
#include "core/model/execution_listeners.h"
#include "ros2bt/events/diagnostics.h"
#include "ros2bt/events/event_record.h"
#include "ros2bt/events/recording.h"
#include "ros2bt/model/object_model.h"

#define EXECUTION_DEPTH_MAX 128

struct agnocast_callable; /* core/model/agnocast_callables.h */
struct coverage;	  /* core/model/coverage.h */
struct executions;

/* All are borrowed and must outlive the executions. */
struct executions *executions_create(struct recording *recording, struct object_model *model,
				     struct diagnostics *diagnostics);
void executions_destroy(struct executions *executions);
void executions_add_listener(struct executions *executions, const struct executions_listener *listener);

/* Listeners of unusual starts and ends are told of all those of a thread, or no longer. */
void executions_watch(struct executions *executions, uint32_t thread, bool is_watched);

/* To be called before the first record is fed, when the reader has told what the traces declare. */
void executions_begin(struct executions *executions);

/*
 * To be called with every record, those of the kernel's events included, after the first loss (RECORD_DISCARDED_EVENTS,
 * RECORD_DISCARDED_PACKETS, RECORD_GAP), and from the first one on if packets of a stream are missing before its first
 * one (recording_late_streams()): finds what may be missing before the record. Order for each record: this, then
 * all questions about executions, then executions_feed().
 */
void executions_follow(struct executions *executions, const struct event_record *record);

/* Tracing was off since the last record: the next ends may not belong to the open executions. */
void executions_pause(struct executions *executions);

/*
 * What takes records of a kind, with the executions as its data: callback_start, callback_end, rclcpp_executor_execute,
 * single polls, rcl_init, caret_init, the callables of Agnocast, and the records about the recording itself. NULL:
 * nothing.
 */
record_taker executions_taker(unsigned int kind);

/* Does that with a record. */
void executions_feed(struct executions *executions, const struct event_record *record);

/* The end of the recording: open frames end without end. */
void executions_finish(struct executions *executions);

/* The callable of Agnocast at an address that is about to start, before executions_feed(); NULL: unknown. O(1). */
const struct agnocast_callable *executions_callable(struct executions *executions, uint32_t process, uint64_t address,
						    int64_t now_ns);

/* What was recorded of the executions' recording; fed by them. */
struct coverage *executions_coverage(const struct executions *executions);

#endif
