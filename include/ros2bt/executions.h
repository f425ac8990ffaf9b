/* SPDX-License-Identifier: MIT */
/*
 * Pairs callback_start with callback_end on a stack per thread and tells a listener of each execution.
 *
 * Never a wrong pair: an end belongs to the innermost open start of the same callback on its thread; frames above it, and
 * an older open frame of a callback that starts again on its thread, are incomplete (the callback threw, or
 * its end is not recorded). Where events may be lost (RECORD_DISCARDED_*, RECORD_GAP) frames are cut: see .c.
 * Where the trace tells no vtid, the one open start of the same callback is taken, and none if there are two.
 * Memory: the open frames; the depth of a stack is limited.
 */
#ifndef ROS2BT_EXECUTIONS_H
#define ROS2BT_EXECUTIONS_H

#include "ros2bt/diagnostics.h"
#include "ros2bt/event_record.h"
#include "ros2bt/object_model.h"
#include "ros2bt/recording.h"

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

struct executions *executions_create(struct recording *recording, struct object_model *model,
				     struct diagnostics *diagnostics);
void executions_destroy(struct executions *executions);
void executions_add_listener(struct executions *executions, const struct executions_listener *listener);

/* Takes callback_start, callback_end and the records that tell of the recording; ignores all others. */
void executions_feed(struct executions *executions, const struct event_record *record);

/* The end of the recording: open frames end without end. */
void executions_finish(struct executions *executions);

/* The innermost open execution of a thread, NULL if none. O(1). */
struct execution *executions_current(struct executions *executions, uint32_t thread);

#endif
