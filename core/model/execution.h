/* SPDX-License-Identifier: MIT */
/*
 * An execution of a callback, from callback_start to callback_end. executions.h has the rules by which they are paired,
 * and what each outcome means.
 */
#ifndef ROS2BT_EXECUTION_H
#define ROS2BT_EXECUTION_H

#include "ros2bt/base/time_units.h"
#include "ros2bt/model/object_model.h"

#define EXECUTION_HAS_NOT_LEFT INT64_MAX
/* A guess at how long a callback may execute others before it goes on. */
#define EXECUTION_DOUBT_NS (10 * NS_PER_S)

enum execution_outcome {
	EXECUTION_COMPLETE,
	EXECUTION_DOUBTFUL, /* complete, unless its start and its end belong to two executions */
	EXECUTION_WITHOUT_END,
	EXECUTION_WITHOUT_START,
};

/* What becomes of an open execution that its thread has left, as far as known by now. */
enum execution_fate {
	EXECUTION_GOES_ON, /* the thread has not left it, or it executes others and then goes on */
	EXECUTION_IS_OVER, /* since left_ns, though its end is not recorded */
	EXECUTION_IN_DOUBT,
};

struct execution {
	struct model_callback *callback;
	uint32_t thread;
	uint16_t stream;     /* of the start */
	uint16_t end_stream; /* of the end; unset and 0 as end_ns is */
	bool is_intra_process;
	bool is_inner;	  /* its thread was or may have been in another one when it started */
	uint32_t phase;	  /* differs between two executions of a process if recording it began anew in between */
	int64_t start_ns; /* unset in EXECUTION_WITHOUT_START */
	/*
	 * When its thread first looked for other work, waited for it or executed something else;
	 * EXECUTION_HAS_NOT_LEFT: it has not, or the trace has no vtid. An execution without end ended at or before it.
	 */
	int64_t left_ns;
	/* Unset until it has ended, 0 in EXECUTION_WITHOUT_END. Not beside start_ns, or both are loaded at once right
	 * after this one is stored, which stalls. */
	int64_t end_ns;
	void *flow; /* for the flow linker; NULL at the start */
};

#endif
