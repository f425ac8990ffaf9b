/* SPDX-License-Identifier: MIT */
/* What the analysis inferred counts for each callback of a node without rclcpp (see inferred.c). */
#ifndef ROS2BT_INFERRED_COUNTS_H
#define ROS2BT_INFERRED_COUNTS_H

#include <glib.h>

#include "core/analyses/shared/object_numbers.h"
#include "core/base/spool.h"
#include "ros2bt/analysis.h"
#include "ros2bt/duration_statistics.h"

struct inferred_row {
	uint64_t id; /* from 1, in the order of first takes */
	struct model_callback *callback;
	uint64_t count, publishing;
	struct duration_statistics at_least, at_most;
};

struct inferred {
	struct recording *recording; /* borrowed, like all up to here */
	struct object_model *model;
	struct flow_linker *flows;
	struct diagnostics *diagnostics;
	const struct analysis_options *options;
	struct object_numbers *numbers;
	struct table_writer *instances, *origin_instances; /* NULL if nobody asked for the table */
	GPtrArray *rows;				   /* struct inferred_row *, in the arena, by id - 1 */
	GPtrArray *by_callback;				   /* the same, by index of the callback; NULL: never opened */
	struct spool executions;			   /* struct inferred_execution */
	struct spool publications;			   /* struct kept_publication */
};

#endif
