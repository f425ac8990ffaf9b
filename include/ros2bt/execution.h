/* SPDX-License-Identifier: MIT */
/*
 * An execution of a callback, from callback_start to callback_end. executions.h has the rules by which they are paired,
 * and what each outcome means.
 */
#ifndef ROS2BT_EXECUTION_H
#define ROS2BT_EXECUTION_H

#include "ros2bt/object_model.h"

enum execution_outcome {
	EXECUTION_COMPLETE,
	EXECUTION_DOUBTFUL, /* complete, unless its start and its end belong to two executions */
	EXECUTION_WITHOUT_END,
	EXECUTION_WITHOUT_START,
};

struct execution {
	struct model_callback *callback;
	uint32_t thread;
	uint16_t stream;     /* of the start */
	uint16_t end_stream; /* of the end; set with end_ns */
	bool is_intra_process;
	uint32_t phase;	  /* differs between two executions of a process if recording it began anew in between */
	int64_t start_ns; /* unset in EXECUTION_WITHOUT_START */
	int64_t end_ns;	  /* set when ended, except in EXECUTION_WITHOUT_END */
	void *flow;	  /* for the flow linker; NULL at the start */
};

#endif
