/* SPDX-License-Identifier: MIT */
/* What the analysis executors counts for each thread that executes callbacks (see executors.c). */
#ifndef ROS2BT_EXECUTOR_COUNTS_H
#define ROS2BT_EXECUTOR_COUNTS_H

#include <glib.h>

#include "core/analyses/executors/executor_states.h"
#include "core/analyses/shared/analysis.h"
#include "core/analyses/shared/holders.h"
#include "core/model/thread_history.h"
#include "ros2bt/flow/pipeline.h"

struct executor_thread {
	uint32_t thread;
	bool has_limits; /* of its states */
	struct executor_states states;
	struct executor_totals totals;	  /* of the states, as of the last executors_find() */
	int32_t vtid;			  /* of the recording, as of then, too */
	GArray *callbacks;		  /* uint64_t: a bit for each callback that it executed, by the model's index */
	struct duration_statistics queue; /* of messages: other callbacks that ran before theirs */
	struct holders holders;		  /* these callbacks */
};

struct executors {
	struct analysis analysis; /* its rows are struct executor_thread, by index; none: executes no callbacks */
};

#endif
