/* SPDX-License-Identifier: MIT */
/* What the analysis scheduling counts for each callback (see scheduling.c). Times in ns; sums stop at INT64_MAX. */
#ifndef ROS2BT_SCHEDULING_COUNTS_H
#define ROS2BT_SCHEDULING_COUNTS_H

#include <glib.h>

#include "core/analyses/shared/callback_ids.h"
#include "core/analyses/shared/worst.h"
#include "core/model/execution_schedules.h"
#include "ros2bt/analysis.h"
#include "ros2bt/duration_statistics.h"

struct scheduling_row {
	uint64_t id; /* callback_ids.h */
	uint64_t executions;
	struct thread_account account;
	struct thread_causes preempted_by, blocked_in, calls;
	uint64_t call_count;
	int64_t call_ns;
	uint64_t before;      /* executions that started before the host's first event of the kernel */
	uint64_t unscheduled; /* of these, the ones of which nothing said that there would be any event */
	int64_t unscheduled_ns;
	struct duration_statistics wakeup;
	struct worst *worst;		   /* the worst executions, with a struct execution_schedule each; or NULL */
	struct execution_schedule longest; /* end_ns 0: none */
};

struct scheduling {
	struct recording *recording; /* borrowed, like all up to here */
	struct object_model *model;
	const struct execution_schedules *schedules;
	const struct analysis_options *options;
	const struct analysis_span *span;
	struct callback_ids *ids;
	struct table_writer *instance_writer; /* NULL if nobody asked for the table */
	bool is_chosen;			      /* somebody asked for the table: diagnostics name what the trace lacks */
	GPtrArray *rows; /* struct scheduling_row * by index of the model's callback, in the arena; NULL: never ran */
};

#endif
