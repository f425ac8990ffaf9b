/* SPDX-License-Identifier: MIT */
/* What the analysis usage counts for each callback, thread and CPU (see usage.c). Times in ns; sums stop at INT64_MAX.
 */
#ifndef ROS2BT_USAGE_COUNTS_H
#define ROS2BT_USAGE_COUNTS_H

#include <glib.h>

#include "core/analyses/shared/object_numbers.h"
#include "core/analyses/shared/covered_time.h"
#include "core/base/time_units.h"
#include "ros2bt/analysis.h"

struct usage_counts {
	uint64_t executions, migrated;
	int64_t busy_ns, self_ns;
	struct covered_time time; /* of self_ns; in rows of several, only the uncovered part */
};

struct usage_cpu {
	uint32_t host;
	uint32_t cpu; /* its number in the packets */
	struct usage_counts counts;
};

struct usage {
	struct recording *recording; /* borrowed, like all up to here */
	struct object_model *model;
	const struct analysis_options *options;
	const struct analysis_span *span;
	struct coverage *coverage;
	struct object_numbers *numbers;
	GArray *callbacks; /* struct usage_counts by the model's index */
	GArray *threads;   /* struct usage_counts by thread index */
	GArray *cpus;	   /* struct usage_cpu, in order of appearance */
	GPtrArray *frames; /* GArray of struct usage_frame, innermost last, by thread index; NULL: none */
};

static inline void usage_counts_add(struct usage_counts *counts, const struct usage_counts *more)
{
	counts->executions += more->executions;
	counts->migrated += more->migrated;
	counts->busy_ns = add_saturated(counts->busy_ns, more->busy_ns);
	counts->self_ns = add_saturated(counts->self_ns, more->self_ns);
	counts->time.uncovered_ns = add_saturated(counts->time.uncovered_ns, more->time.uncovered_ns);
}

#endif
