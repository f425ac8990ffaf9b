/* SPDX-License-Identifier: MIT */
/* What the analysis counters counts for each callback and counter (see counters.c). */
#ifndef ROS2BT_COUNTER_COUNTS_H
#define ROS2BT_COUNTER_COUNTS_H

#include <glib.h>

#include "core/analyses/shared/callback_ids.h"
#include "ros2bt/analysis.h"
#include "ros2bt/duration_statistics.h"

/* A counter of a host. */
struct counter {
	uint32_t host;
	const char *name; /* in the recording's pool */
	bool is_time;	  /* its unit is ns, and it counts whenever the thread runs */
	bool has_changed; /* on some thread, which shows that it counts on this host */
};

/* A counter in the executions of a callback. */
struct counter_cell {
	struct duration_statistics counted; /* from start to end of each execution, in the unit of the counter */
	int64_t duration_ns;		    /* of the executions that were counted */
};

struct counter_row {
	uint64_t id; /* callback_ids.h */
	uint64_t executions;
	GPtrArray *cells; /* struct counter_cell * in the arena, by counter; NULL: none */
};

struct counters {
	struct recording *recording; /* borrowed, like all up to here */
	struct object_model *model;
	const struct analysis_options *options;
	struct callback_ids *ids;
	GArray *counters;   /* struct counter, in order of appearance */
	GPtrArray *rows;    /* struct counter_row * by index of the model's callback, owned; NULL: none counted */
	GPtrArray *threads; /* struct counter_thread * by index, owned; NULL: none */
	struct table_writer *instance_writer; /* NULL if nobody asked for the table */
};

#endif
