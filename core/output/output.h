/* SPDX-License-Identifier: MIT */
/*
 * An output writes tables in one format. It is one constant of struct output_class in a file of core/output or of
 * a folder there, and one row of the list in core/output/outputs.h; docs/adding.md shows how to write one.
 *
 *   create → open each table that was asked for → rows of any open table, in any order → finish → destroy
 *
 * A table that may be left out and that nobody chose is opened between rows of others, just before its first row.
 *
 * An output knows schemas and cells, but no analysis. The report (ros2bt/output/report.h) chooses the tables, and
 * creates, checks and names the files. An output writes into streams, whose first error sticks, so rows need no error
 * path. Memory must not grow with the rows of instances: they go to their stream at once, or into a spool
 * (output_stream.h).
 */
#ifndef ROS2BT_OUTPUT_H
#define ROS2BT_OUTPUT_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/time_range.h"
#include "core/tables/table.h"

struct output_stream;

/* A version of tracetools, and the release of ROS 2 that has it; NULL: no release is known to. */
struct report_version {
	const char *version, *release; /* borrowed */
};

/* The whole recording, whatever was filtered or selected. */
struct report_trace {
	const char *subject; /* borrowed; the subject of a report on several recordings; NULL: the report is on one */
	const char *const *hostnames; /* borrowed; sorted, without doubles */
	size_t hostname_count;
	const struct report_version *versions; /* borrowed; as processes recorded them; sorted, without doubles */
	size_t version_count;
	uint64_t trace_count;
	uint64_t process_count;		  /* that had a ROS 2 event */
	uint64_t node_count, topic_count; /* names that are defined and not hidden; of nodes, on each host */
	uint64_t message_count;		  /* publications of these topics, whatever the range; 0: not counted */
	int64_t startup_ns; /* from the first node's definition to the first runtime event; 0: that came before, or it
			       is unknown */
	bool has_runtime_events;
	int64_t begin_ns, end_ns; /* first and last runtime event; initialization events may be moved by filters */
	struct time_range range;  /* what counts in the statistics */
	bool is_in_range;	  /* at least one runtime event counts */
	bool knows_discarded;	  /* diagnostics were asked for */
	uint64_t discarded_event_count; /* at least so many events were lost by LTTng */
	const char *const *missing;	/* borrowed; why the report covers a part of the recording only, a line each */
	size_t missing_count;		/* 0: it was read to its end */
	int64_t window_ns;		/* it is about so much time before end_ns only; 0: about all */
	bool has_lag;			/* it is being recorded */
	int64_t lag_ns; /* by how much the report is behind the clock of this machine, as it is written; negative if the
			   clock of the recording is ahead */
};

/* Which rows a report for people lists, and in which order. */
struct row_choice {
	const char *sort; /* borrowed; the column to sort by, without _ns if need be; NULL: as the table ranks them */
	bool has_top;
	uint64_t top;	     /* rows of each table, 0: all; without: as many as fit two screens */
	bool shows_hidden;   /* also rows of hidden names, and of what never happened */
	bool are_parameters; /* the members are parameters of a component, not options: what messages call them */
};

/* Where and how an output writes. All is borrowed for the life of the output. */
struct output_place {
	struct output_stream *stream; /* of the one file, or of standard output; NULL: a file a table */
	bool is_standard_output;
	bool is_repeated; /* others follow of the same analyses, wider ones and those of windows, which need all of a
			     series */
	const char *spool_directory; /* for what has to wait */
	const double *quantiles;     /* of statistics */
	size_t quantile_count;
	const char *const *recordings; /* paths of what the report is on, for commands that an output proposes */
	size_t recording_count;	       /* 0: they are not known */
	struct row_choice choice;
};

struct output_class {
	const char *name; /* as in the list */
	const char *file; /* the name of the one file in the directory; NULL: each table is a file, see extension */
	const char *extension;	     /* with the dot, of files of tables; NULL with `file` */
	bool takes_summary;	     /* gets the tables that are a summary, where no table was chosen */
	bool leaves_out_optional;    /* gets tables that are PRESENT_IF_ANY only where they were chosen */
	bool takes_histograms;	     /* may get tables of histograms (histogram_table.h) */
	bool is_binary;		     /* not for a terminal */
	bool is_of_one_recording;    /* shows what one recording holds, not tables of anything else */
	bool has_page_of_comparison; /* there is a page of this format for comparisons (comparison_page.h) */
	bool draws_timeline;	     /* gets the tables of a timeline (timeline_tables.h), and no other */
	bool takes_threads;	     /* gets those tables of a timeline that are about threads */
	bool takes_instances; /* gets tables of instances even without the parameter `instances`, since it draws them */
	unsigned int worst;   /* how many worst instances it gets if the parameter `worst` is not given */

	/* Structs begin with struct output. */
	struct output *(*create)(const struct output_place *place);
	/*
	 * `stream`: of the table's own file, else that of the place. The schema lives as long as the output. NULL: this
	 * output has no use for the table, and its rows are not made.
	 */
	struct table_writer *(*open)(struct output *output, const struct table_schema *schema,
				     struct output_stream *stream);
	/* False with an error if something, such as a spool, could not be written so far, or is too much. NULL: there
	 * is nothing to check. */
	bool (*check)(const struct output *output, GError **error);
	/* Writes everything that has waited. The report checks before and after. NULL: nothing waits. */
	bool (*finish)(struct output *output, const struct report_trace *trace, GError **error);
	void (*destroy)(struct output *output);
};

#endif
