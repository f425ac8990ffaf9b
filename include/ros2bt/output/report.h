/* SPDX-License-Identifier: MIT */
/*
 * A report: passes the tables of analyses to an output (core/output/output.h), and creates the files or opens standard
 * output.
 *
 *   report_create → create the analyses with report_tables() → report_check → … report_check now and then … →
 *   write the tables → report_finish → report_destroy
 *
 * - With a directory: one file, or a file for each table, depending on the output. Files are written under a temporary
 *   name in that directory and renamed by report_finish(). Without that call, or if it fails, report_destroy() removes
 *   them, so there is never half a file. report_create() checks that the directory can be written to.
 * - Without a directory: standard output. An output with a file for each table then takes exactly one table, without
 *   instances and tables of further detail.
 * - Memory does not grow with instances: their rows go to the file, or to an anonymous spool file (in the directory, or
 *   in that of temporary files).
 * - Errors are G_FILE_ERRORs that name the file, or G_OPTION_ERRORs about the options. If the reader has closed the
 *   pipe of standard output, the error is G_FILE_ERROR_PIPE, and the caller may end quietly. SIGPIPE is never raised.
 */
#ifndef ROS2BT_REPORT_H
#define ROS2BT_REPORT_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

#include "core/output/output.h"

struct report;

/* All is borrowed for the life of the report. */
struct report_options {
	const struct output_class *format;
	const char *directory;	   /* NULL: standard output */
	const char *const *tables; /* selections (table.h), ended by NULL; NULL: all */
	bool has_instances;
	bool has_worst;		 /* tables of the worst instances */
	unsigned int histograms; /* a table of the histograms of each table with statistics: buckets an octave
				    (core/statistics/duration_bucket.h); 0: none */
	const double *quantiles; /* of statistics */
	size_t quantile_count;
	struct row_choice choice;
	int64_t period_ns; /* of a session: it reports again and again (ros2bt/session/session.h); 0: at the end only */
	const char *const *recordings; /* paths of what it is on, as the user wrote them */
	size_t recording_count;	       /* 0: they are not known */
	bool has_windows;	       /* with a period: each of them has a report of its own, too */
};

/* NULL with an error if the options do not fit together or the output cannot be written. */
struct report *report_create(const struct report_options *options, GError **error);
void report_destroy(struct report *report); /* NULL is allowed */

/* The tables that analyses write to. Owned by the report. */
struct table_output *report_tables(struct report *report);

/* False with an error if something could not be written so far. O(tables). */
bool report_check(const struct report *report, GError **error);

/* Ends the output. Called once. */
bool report_finish(struct report *report, const struct report_trace *trace, GError **error);

#endif
