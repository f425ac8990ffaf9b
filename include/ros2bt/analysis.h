/* SPDX-License-Identifier: MIT */
/*
 * An analysis: what turns the events of a recording into tables. It is one constant of struct analysis_class in one
 * file of core/analyses, and one row of the list in core/analyses/analyses.h; docs/adding.md shows how to write one.
 *
 *   create → feed, feed_losses, feed_polls, feed_point and the calls of listeners, in the order of the trace → finish →
 *   write → destroy
 *
 * - An analysis is made only if one of its tables was asked for, or if `diagnostics` was, since it may add to those,
 *   and its main table is not optional.
 * - write() and diagnose() report what is known so far and change nothing: a session may call them any number of times
 *   while the trace goes on, each time with fresh writers.
 * - Tables of instances are written while the trace is read, by the writers given to create().
 */
#ifndef ROS2BT_ANALYSIS_H
#define ROS2BT_ANALYSIS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ros2bt/diagnostics.h"
#include "ros2bt/event_record.h"
#include "ros2bt/executions.h"
#include "ros2bt/flow_linker.h"
#include "ros2bt/inferred_executions.h"
#include "ros2bt/object_model.h"
#include "ros2bt/poll.h"
#include "ros2bt/recording.h"
#include "ros2bt/table.h"
#include "ros2bt/time_range.h"

struct clock_alignment;	    /* core/base/clock_alignment.h */
struct thread_history;	    /* core/analyses/shared/thread_history.h */
struct callback_ids;	    /* core/analyses/shared/callback_ids.h */
struct point_file;	    /* core/points/point_file.h */
struct execution_schedules; /* core/model/execution_schedules.h */
struct named_path_options;  /* core/architecture/named_path_options.h */

struct analysis_options {
	struct time_range range;       /* what counts in the statistics */
	const struct link_rule *links; /* borrowed; for the flow linker */
	size_t link_count;
	/* Borrowed; which rows there are (core/base/name_filter.h); NULL: all. */
	const struct name_filter *nodes, *topics, *paths;
	bool aligns_clocks;		      /* of hosts: a first pass (core/session/first_pass.h) gives `clocks` */
	const struct clock_alignment *clocks; /* borrowed; NULL: times are as each host recorded them */
	const struct point_file *points;      /* borrowed; what to measure by events of the user's own; NULL: nothing */
	const struct named_path_options *named_paths; /* borrowed; NULL: none were asked for */
	uint32_t worst; /* how many instances of each callback and path the tables of the worst list; 0: none */
};

/* Whether what happened at this time counts in the statistics. */
static inline bool analysis_options_include(const struct analysis_options *options, int64_t time_ns)
{
	return time_range_includes(&options->range, time_ns);
}

/* Rows of a table that is a summary. */
#define SUMMARY_ROWS 5

/* From the first runtime event that counts to the last one, as of the last write; begin_ns is the later one if there is
 * none. */
struct analysis_span {
	int64_t begin_ns, end_ns;
};

/* What an analysis works with. All is borrowed; see destroy(). */
struct analysis_context {
	struct recording *recording;
	struct object_model *model;
	struct diagnostics *diagnostics;       /* to count in while the trace is read */
	struct executions *executions;	       /* NULL unless some analysis needs it */
	struct inferred_executions *inferred;  /* as executions: those of nodes without rclcpp */
	struct flow_linker *flows;	       /* NULL unless some analysis needs it */
	struct thread_history *threads;	       /* NULL without executions; for all who make it listen */
	struct callback_ids *callback_ids;     /* the same */
	struct execution_schedules *schedules; /* NULL unless some analysis needs it */
	const struct analysis_options *options;
	const struct analysis_span *span;
	const struct diagnostics *findings; /* of all analyses as of the last write, for the table `diagnostics` */
};

enum analysis_need {
	ANALYSIS_NEEDS_EXECUTIONS = 1,
	ANALYSIS_NEEDS_FLOWS = 2, /* and so executions, too */
	/* Its table is about what the others find: those that were asked for, and all whose main table is not optional.
	 */
	ANALYSIS_NEEDS_ANALYSES = 4,
	ANALYSIS_NEEDS_SCHEDULES = 8, /* and so executions, too, and events of the kernel */
};

struct analysis_class {
	const char *name; /* as in the list, and in `selection` of its tables */
	/* Ended by NULL: the main table first. */
	const struct table_schema *const *tables;
	/* What feed() takes besides what the model, executions and flows are fed with, but for polls, which
	 * feed_polls() takes; ended by EVENT_KIND_COUNT. NULL: there is no feed(). */
	const enum event_kind *kinds;
	/* Kinds of events whose counters feed_counter() takes; ended by EVENT_KIND_COUNT. NULL: there is none. */
	const enum event_kind *counter_kinds;
	/* Instead of `kinds`, where these depend on the options; what it gives is static, or NULL. NULL: `kinds`. */
	const enum event_kind *(*kinds_for)(const struct analysis_options *options);
	unsigned int needs; /* enum analysis_need, or 0 */

	/*
	 * `writers`: by the index of `tables`, NULL for those that nobody asked for; valid as long as the analysis.
	 * Adds its listeners to what it needs.
	 */
	void *(*create)(const struct analysis_context *context, struct table_writer *const *writers);
	/* Called for each record of its kinds, after the pipeline (ros2bt/pipeline.h) has got it. */
	void (*feed)(void *analysis, const struct event_record *record);
	/*
	 * Called for what the recording lost: RECORD_DISCARDED_EVENTS, RECORD_DISCARDED_PACKETS and RECORD_GAP, after
	 * the pipeline has got it. May be NULL.
	 */
	void (*feed_losses)(void *analysis, const struct event_record *record);
	/*
	 * Called for the polls of a thread (ros2bt/poll.h): in order, each before any record of its thread that is
	 * later. Those of other threads may be later by then. May be NULL: polls are not read then.
	 */
	void (*feed_polls)(void *analysis, uint32_t thread, const struct poll *polls, size_t count);
	/*
	 * Called for each RECORD_POINT (ros2bt/point_events.h): each event that the options' `points` name, after the
	 * pipeline has got all before it. May be NULL.
	 */
	void (*feed_point)(void *analysis, const struct event_record *record);
	/* Called for each RECORD_COUNTER (event_record.h) of its counter_kinds, before the pipeline gets the event. */
	void (*feed_counter)(void *analysis, const struct event_record *counter);
	/* The end of the recording: executions and flows have ended. May be NULL. */
	void (*finish)(void *analysis);
	/* Adds to `findings` what can only be said of the whole, as of now. May be NULL. */
	void (*diagnose)(const void *analysis, struct diagnostics *findings);
	/* Writes the rows of all tables but those of instances, as of now. */
	void (*write)(const void *analysis, struct table_writer *const *writers);
	/* The pipeline is gone by then, since its parts call listeners while they go. */
	void (*destroy)(void *analysis);
};

#endif
