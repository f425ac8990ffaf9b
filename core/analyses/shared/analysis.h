/* SPDX-License-Identifier: MIT */
/*
 * An analysis turns the events of a recording into tables. It is one constant of struct analysis_class in a file of
 * core/analyses, and one row of the list in core/analyses/analyses.h; docs/adding.md shows how to write one. A session
 * calls it in this order:
 *
 *   begin → feed, feed_losses, feed_polls, feed_point, feed_counter and listeners, in the order of the trace →
 *   finish → diagnose, write
 *
 * - The session makes the analysis (struct analysis), adds its listeners and frees it with all that it owns.
 * - A session creates an analysis only if one of its tables was asked for. If the table `diagnostics` was, it creates
 *   all analyses whose main table is always present, because these may add to the diagnostics.
 * - diagnose() and write() report what is known so far and change nothing: a session may call them any number of times
 *   while the trace goes on, each time with new writers.
 * - Tables of instances are written while the trace is read, through its `writers`.
 * - All times are ns since the Unix epoch. No function reports an error: what the trace lacks goes into the
 *   diagnostics.
 */
#ifndef ROS2BT_ANALYSIS_H
#define ROS2BT_ANALYSIS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/time_range.h"
#include "core/model/executions.h"
#include "core/model/inferred_executions.h"
#include "core/tables/chosen_names.h"
#include "core/tables/row_list.h"
#include "core/tables/row_store.h"
#include "core/tables/table.h"
#include "ros2bt/events/diagnostics.h"
#include "ros2bt/events/event_record.h"
#include "ros2bt/events/poll.h"
#include "ros2bt/events/recording.h"
#include "ros2bt/flow/flow_linker.h"
#include "ros2bt/model/object_model.h"

struct clock_alignment;	    /* core/clocks/clock_alignment.h */
struct thread_history;	    /* core/model/thread_history.h */
struct pipeline;	    /* ros2bt/flow/pipeline.h */
struct callback_ids;	    /* core/model/callback_ids.h */
struct object_numbers;	    /* core/model/object_numbers.h */
struct point_file;	    /* core/events/points/point_file.h */
struct execution_schedules; /* core/model/execution_schedules.h */
struct named_path_options;  /* core/named_paths/architecture/named_path_options.h */

struct analysis_options {
	struct time_range range;       /* only what happens in it counts in statistics */
	const struct link_rule *links; /* borrowed, for the flow linker */
	size_t link_count;
	bool proposes_links;		      /* a first pass (ros2bt/session/first_pass.h) adds links to these */
	struct chosen_names names;	      /* which rows a report has (core/tables/chosen_names.h) */
	bool aligns_clocks;		      /* a first pass (ros2bt/session/first_pass.h) sets `clocks` */
	const struct clock_alignment *clocks; /* borrowed; NULL: times are as each host recorded them */
	const struct point_file *points; /* borrowed: the user's own events, and what to measure by them; or NULL */
	const struct named_path_options *named_paths; /* borrowed: the paths that were asked for by name; or NULL */
	uint32_t worst; /* how many instances per callback or path the tables of the worst list; 0: none */
};

/* Whether something that happened at this time counts in the statistics. */
static inline bool analysis_options_include(const struct analysis_options *options, int64_t time_ns)
{
	return time_range_includes(&options->range, time_ns);
}

/* The most rows of a summary table. */
#define SUMMARY_ROWS 5

/*
 * From the first runtime event in the range to the last one, as of the last write. Without such an event begin_ns is
 * later than end_ns.
 */
struct analysis_span {
	int64_t begin_ns, end_ns;
};

/* What an analysis works with. All of it is borrowed. */
struct analysis_context {
	struct recording *recording;
	struct object_model *model;
	struct diagnostics *diagnostics;       /* for faults that an analysis counts while the trace is read */
	struct executions *executions;	       /* NULL unless some analysis needs it */
	struct inferred_executions *inferred;  /* with executions: those of nodes without rclcpp */
	const struct pipeline *pipeline;       /* what was recorded so far: begin_ns, end_ns */
	struct flow_linker *flows;	       /* NULL unless some analysis needs it */
	struct thread_history *threads;	       /* with executions; one for all analyses: see thread_history_listen() */
	struct callback_ids *callback_ids;     /* with executions; one for all analyses: see callback_ids_listen() */
	struct object_numbers *numbers;	       /* one for all analyses */
	struct execution_schedules *schedules; /* NULL unless some analysis needs it */
	const struct analysis_options *options;
	const struct analysis_span *span;
	const int64_t *begin_ns;	    /* the first runtime event so far, whatever the range; INT64_MAX: none */
	const struct diagnostics *findings; /* what diagnose() of all analyses added as of the last write */
};

enum analysis_need {
	ANALYSIS_NEEDS_EXECUTIONS = 1,
	ANALYSIS_NEEDS_FLOWS = 2, /* implies executions */
	/* Its table reports on other analyses: those that were asked for, and all whose main table is always present.
	 */
	ANALYSIS_NEEDS_ANALYSES = 4,
	ANALYSIS_NEEDS_SCHEDULES = 8,	  /* implies executions, and the kernel's events */
	ANALYSIS_NEEDS_CALLBACK_IDS = 16, /* context->callback_ids number callbacks as they run; with executions */
};

/*
 * What a session makes of an analysis; the first member of its own struct, if it has one. The struct and the rows are
 * in the recording's arena.
 */
struct analysis {
	const struct analysis_class *class;
	struct analysis_context context;
	/* By index of class->tables, NULL if nobody asked for that table; valid as long as the analysis. */
	struct table_writer *const *writers;
	struct row_store rows; /* of the main table, or of row_size */
};

/*
 * The recording's: what an analysis keeps in it, or gives to it (arena_parts.h), needs no function that frees it. The
 * pipeline no longer exists when the arena is destroyed, because destroying it calls listeners.
 */
static inline struct arena *analysis_arena(const struct analysis *analysis)
{
	return analysis->rows.arena;
}

/* For rows of a table: those that the report is about are written (chosen_names.h). To be destroyed. */
struct row_list *analysis_rows(const struct analysis *analysis, const struct table_schema *schema);
/*
 * The same of a row that is not written, or not yet: whether it would be. `row` is of the main table, and needs to have
 * its names only; while all names are chosen, not even these.
 */
bool analysis_is_about(const struct analysis *analysis, const void *row);
/* Whether the report is about all there is: then nobody has to know names. */
static inline bool analysis_is_about_all(const struct analysis *analysis)
{
	return chosen_names_are_all(&analysis->context.options->names);
}

/* For the session: makes the analysis of a class in the recording's arena, and adds its listeners. */
struct analysis *analysis_create(const struct analysis_class *class, const struct analysis_context *context,
				 struct table_writer *const *writers);

/* For the session: writes the rows as its class does. */
void analysis_write(const struct analysis *analysis, struct table_writer *const *writers);

struct analysis_class {
	const char *name; /* as in the list, and in `selection` of its tables */
	/* Ended by NULL; the first one is the main table. */
	const struct table_schema *const *tables;
	/*
	 * The kinds of events that feed() takes, in addition to what the model, executions and flows take; ended by
	 * EVENT_KIND_COUNT. NULL if there is no feed(). Polls are not among them: see feed_polls().
	 */
	const enum event_kind *kinds;
	/* The kinds of events whose counters feed_counter() takes; ended by EVENT_KIND_COUNT. NULL if there is none. */
	const enum event_kind *counter_kinds;
	/* Replaces `kinds` where these depend on the options. The result is static, or NULL. May be NULL. */
	const enum event_kind *(*kinds_for)(const struct analysis_options *options);
	unsigned int needs; /* a combination of enum analysis_need */

	/* What the session makes: a struct that begins with a struct analysis, zeroed. 0: nothing but that. */
	size_t size;
	/* Of the rows that it keeps while the recording is read (analysis->rows). 0: they are those of the main table.
	 */
	size_t row_size;
	/* Called by the parts that the analysis needs, with the analysis as `data`. */
	struct executions_listener executions;
	struct inferred_listener inferred;
	struct flow_listener flows;
	/* Prepares what is not zero, before the first record. May be NULL. */
	void (*begin)(void *analysis);
	/* Takes a record of its kinds, after the pipeline (ros2bt/flow/pipeline.h) has taken it. */
	void (*feed)(void *analysis, const struct event_record *record);
	/*
	 * Takes RECORD_DISCARDED_EVENTS, RECORD_DISCARDED_PACKETS and RECORD_GAP, after the pipeline has taken them.
	 * May be NULL.
	 */
	void (*feed_losses)(void *analysis, const struct event_record *record);
	/*
	 * Takes polls of a thread (ros2bt/events/poll.h), in order, each before any later record of that thread.
	 * Records of other threads may already be later. May be NULL: then polls are not read.
	 */
	void (*feed_polls)(void *analysis, uint32_t thread, const struct poll *polls, size_t count);
	/*
	 * Takes RECORD_POINT (core/events/points/point_events.h), an event that the options' `points` name, after the
	 * pipeline has taken all earlier records. May be NULL.
	 */
	void (*feed_point)(void *analysis, const struct event_record *record);
	/* Takes RECORD_COUNTER (event_record.h) of its counter_kinds, before the pipeline takes the event itself. */
	void (*feed_counter)(void *analysis, const struct event_record *counter);
	/* Called once, at the end of the recording, when executions and flows have ended. May be NULL. */
	void (*finish)(void *analysis);
	/* Adds to `findings` what only the recording as a whole shows, as of now. May be NULL. */
	void (*diagnose)(const void *analysis, struct diagnostics *findings);
	/* Sets what a row of the main table shows and only the end knows; false: it is not written. May be NULL. */
	bool (*prepare)(const void *analysis, void *row);
	/*
	 * Writes the rows of all tables except those of instances, as of now. NULL: those that are prepared, of the
	 * main table.
	 */
	void (*write)(const void *analysis, struct table_writer *const *writers);
};

#endif
