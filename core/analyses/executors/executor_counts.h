/* SPDX-License-Identifier: MIT */
/* What the analysis executors counts for each thread that executes callbacks (see executors.c). */
#ifndef ROS2BT_EXECUTOR_COUNTS_H
#define ROS2BT_EXECUTOR_COUNTS_H

#include <glib.h>

#include "core/analyses/executors/executor_states.h"
#include "core/analyses/shared/holders.h"
#include "core/analyses/shared/thread_history.h"
#include "ros2bt/analysis.h"
#include "ros2bt/pipeline.h"

struct executor_thread {
	uint32_t thread;
	bool has_limits; /* of its states */
	struct executor_states states;
	struct executor_totals totals; /* of the states, as of the last executors_find() */
	GArray *callbacks; /* owned; uint64_t: a bit for each callback that it executed, by the model's index */
	struct duration_statistics queue; /* of messages: other callbacks that ran before theirs */
	struct holders holders;		  /* these callbacks */
};

struct executors {
	struct recording *recording; /* borrowed, like all up to here */
	struct object_model *model;
	struct executions *executions;
	const struct pipeline *pipeline;
	const struct analysis_options *options;
	struct thread_history *history;
	GPtrArray *threads; /* struct executor_thread *, in the arena, by thread index; NULL: executes no callbacks */
};

#endif
