/* SPDX-License-Identifier: MIT */
/*
 * The latency analysis: fed with the records of a recording in order, gives the tables `callbacks`, `communications`,
 * `paths` and `diagnostics`, and their instances. Owns the object model, the pairing of executions, the flow linker and
 * one analysis per table, and is what a sink or a command drives:
 *
 *   create → feed every record → finish (writes the tables) → destroy
 */
#ifndef ROS2BT_LATENCY_ANALYSIS_H
#define ROS2BT_LATENCY_ANALYSIS_H

#include "ros2bt/event_record.h"
#include "ros2bt/recording.h"
#include "ros2bt/table.h"

struct latency_analysis;
struct link_rule;    /* link_rules.h */
struct report_trace; /* report.h */

struct latency_options {
	const double *quantiles; /* borrowed for the life of the analysis */
	size_t quantile_count;
	bool has_begin, has_end; /* limit the statistics to [begin_ns, end_ns] */
	int64_t begin_ns, end_ns;
	const struct link_rule *links; /* borrowed */
	size_t link_count;
};

/* Whether what happened at this time counts in the statistics. */
static inline bool latency_options_include(const struct latency_options *options, int64_t time_ns)
{
	return (!options->has_begin || time_ns >= options->begin_ns) &&
	       (!options->has_end || time_ns <= options->end_ns);
}

/* Where the tables go. open() gives NULL for a table that nobody asked for; writers and schemas live until the output
 * is done. */
struct table_output {
	struct table_writer *(*open)(struct table_output *output, const struct table_schema *schema);
};

/* The recording and the output are borrowed and must outlive the analysis. */
struct latency_analysis *latency_analysis_create(struct recording *recording, const struct latency_options *options,
						 struct table_output *output);
void latency_analysis_destroy(struct latency_analysis *analysis);

void latency_analysis_feed(struct latency_analysis *analysis, const struct event_record *records, size_t count);

/* The end of the recording: writes the main tables. */
void latency_analysis_finish(struct latency_analysis *analysis);

/* What the recording is as a whole; what it points to is valid until the next call. */
void latency_analysis_describe(struct latency_analysis *analysis, struct report_trace *trace);

/* Which kinds of records the analysis looks at: a reader may skip all others. Indexed by kind. */
bool latency_analysis_wants(enum event_kind kind);

#endif
