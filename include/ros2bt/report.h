/* SPDX-License-Identifier: MIT */
/*
 * A report: takes the tables of an analysis and writes them as text, CSV or JSON into files or to standard output.
 *
 *   report_create → create the analysis with report_tables() → report_check → … report_check now and then … →
 *   finish the analysis → report_finish → report_destroy → destroy the analysis
 *
 * - With a directory: CSV gives a file NAME.csv per table, JSON report.json, text report.txt. Files are written under a
 *   temporary name in that directory and renamed by report_finish(); without it, or where it fails, report_destroy()
 * removes them, so there is never half a file. That the directory can be written to is known when report_create()
 * returns.
 * - Without: standard output. CSV then has exactly one table, without instances and without tables of further detail.
 *   Rows of CSV go out while they come, text and JSON are written by report_finish().
 * - Memory does not grow with instances: their rows go to the file, or to an anonymous spool file (in the directory, or
 * in that of temporary files). Text keeps the rows of its other tables.
 * - Errors are G_FILE_ERRORs that name the file, or G_OPTION_ERRORs about the options. A reader that closed the pipe of
 * standard output is G_FILE_ERROR_PIPE; the caller may end quietly then. SIGPIPE is never raised.
 */
#ifndef ROS2BT_REPORT_H
#define ROS2BT_REPORT_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct report;
struct table_output;

enum report_format {
	REPORT_TEXT,
	REPORT_CSV,
	REPORT_JSON,
};

struct report_options {
	enum report_format format;
	const char *directory;	   /* NULL: standard output */
	const char *const *tables; /* selections (table.h), ended by NULL; NULL: all */
	bool has_instances;
	const double *quantiles; /* of statistics; borrowed for the life of the report */
	size_t quantile_count;
};

/* What the whole recording is, whatever was filtered or selected. */
struct report_trace {
	const char *const *hostnames; /* borrowed; sorted, without doubles */
	size_t hostname_count;
	uint64_t trace_count;
	uint64_t process_count; /* that had a ROS 2 event */
	bool has_runtime_events;
	int64_t begin_ns, end_ns; /* first and last runtime event; initialization events may be moved by filters */
};

/* NULL with an error if the options do not fit together or the output cannot be written. */
struct report *report_create(const struct report_options *options, GError **error);
void report_destroy(struct report *report); /* NULL is allowed */

/* What analyses write to. Owned by the report. */
struct table_output *report_tables(struct report *report);

/* False with an error if something could not be written so far. O(tables). */
bool report_check(const struct report *report, GError **error);

/* Ends the output. The schemas of the tables must still be there. Called once. */
bool report_finish(struct report *report, const struct report_trace *trace, GError **error);

#endif
