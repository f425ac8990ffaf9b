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
 *   - A stream that lost events (RECORD_DISCARDED_EVENTS) lost them behind the last event of its packet. From the
 *     packet's beginning until the stream's next event an execution that starts in one stream and ends in another
 *     is cut: its thread was moved and what happened in between may be lost. From the packet's end (RECORD_GAP) until
 *     the stream's next event all frames of the trace are cut: those open at its beginning and those that start in it.
 *     The same happens at the start of a packet that does not directly follow its predecessor; this is a RECORD_GAP
 * too. The stream's next event is the next that is not a definition: filters drop copies of definitions and move them
 * in time.
 *   - Lost packets (RECORD_DISCARDED_PACKETS) cut all frames of the trace that are open or start within the lost time.
 *   - caret_init of a process: CARET begins to record it anew, its open frames are cut.
 *   - rcl_init (of ros2_tracing) on a thread: its open frames are those of a process that was killed.
 * A cut frame ends without end; its end, if it comes, is one without start.
 *
 * Memory: the open frames; the depth of a stack is limited (EXECUTION_DEPTH_MAX), the outermost frame gives way.
 */
#ifndef ROS2BT_EXECUTIONS_H
#define ROS2BT_EXECUTIONS_H

#include "ros2bt/diagnostics.h"
#include "ros2bt/event_record.h"
#include "ros2bt/object_model.h"
#include "ros2bt/recording.h"

#define EXECUTION_DEPTH_MAX 128

struct executions;

enum execution_outcome {
	EXECUTION_COMPLETE,
	EXECUTION_WITHOUT_END,
	EXECUTION_WITHOUT_START,
};

struct execution {
	struct model_callback *callback;
	uint32_t thread;
	uint16_t stream; /* of the start */
	bool is_intra_process;
	bool is_near_loss; /* a stream of its trace had lost events when it started */
	uint32_t phase; /* of two executions of a thread's trace and process: differs if a gap lies between their starts
			 */
	int64_t start_ns; /* not with EXECUTION_WITHOUT_START */
	int64_t end_ns;	  /* only when ended, not with EXECUTION_WITHOUT_END */
	void *flow;	  /* the flow linker's, NULL at the start */
};

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
 * To be called with every record: takes callback_start, callback_end, caret_init and the records about the recording
 * itself, and learns from all others when a gap is over.
 */
void executions_feed(struct executions *executions, const struct event_record *record);

/* The end of the recording: open frames end without end. */
void executions_finish(struct executions *executions);

/* The innermost open execution of a thread, NULL if there is none or the trace records no vtid. O(1). */
struct execution *executions_current(struct executions *executions, uint32_t thread);

/* Whether a thread without a current execution may be in one nevertheless, whose start was lost. O(1). */
bool executions_may_have_lost_start(struct executions *executions, uint32_t thread);

#endif
