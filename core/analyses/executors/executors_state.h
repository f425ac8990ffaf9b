/* SPDX-License-Identifier: MIT */
/* The state of the analysis executors (executors.c), its counts for each thread that executes callbacks, and its
 * tables. */
#ifndef ROS2BT_EXECUTORS_STATE_H
#define ROS2BT_EXECUTORS_STATE_H

#include <glib.h>

#include "core/analyses/executors/executor_states.h"
#include "core/analyses/shared/analysis.h"
#include "core/analyses/shared/holders.h"
#include "core/base/memory_layout.h"
#include "core/model/coverage.h"
#include "core/model/thread_history.h"
#include "ros2bt/flow/pipeline.h"

struct executor_thread {
	uint32_t thread;
	struct executor_states states;	  /* what events touch ends with the second cache line */
	struct executor_totals totals;	  /* of the states, as of the last executors_find() */
	int32_t vtid;			  /* of the recording, as of then, too */
	GArray *callbacks;		  /* uint64_t: a bit for each callback that it executed, by the model's index */
	struct duration_statistics queue; /* of messages: other callbacks that ran before theirs */
	struct holders holders;		  /* these callbacks */
};

ASSERT_OFFSET(struct executor_thread, states.totals.time_ns[EXECUTOR_STATES], 2 * CACHE_LINE);

struct executors {
	struct analysis analysis;  /* its rows are struct executor_thread, by index; none: executes no callbacks */
	struct coverage *coverage; /* borrowed */
	GPtrArray *last_threads;   /* struct executor_thread by index of the callback: where it ran last */
	bool is_written;	   /* the table executors: else nobody sees distributions and pauses, only sums */
};

/* --- tables --- */

enum { TABLE_EXECUTORS, TABLE_BUSY_EXECUTORS };

extern const struct table_schema *const executor_tables[]; /* by the enumerators; ended by NULL */

void executor_tables_write(const void *data, struct table_writer *const *writers);

#endif
