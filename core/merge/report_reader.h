/* SPDX-License-Identifier: MIT */
/*
 * Reads a report back: a directory of CSV files with their histograms, as `ros2-latency --format=csv --histograms`
 * writes it. Rows go to tables as an analysis would write them. Statistics are cells of statistics again
 * (CELL_STATISTIC), known by their totals and buckets. Cells of columns that a merge leaves out are not read: they are
 * empty.
 *
 * A report of another version may lack columns and tables, or have more. Contradictions (a histogram that does not fit
 * its statistic, an impossible bucket) are errors: a report must never count for more than it holds. Memory: the
 * largest table of the report.
 */
#ifndef ROS2BT_REPORT_READER_H
#define ROS2BT_REPORT_READER_H

#include <glib.h>
#include <stdbool.h>

#include "ros2bt/table.h"

/*
 * Writes the rows of each of `schemas` (ended by NULL) that the report has and `tables` opens. False with an error that
 * names the file and, within rows, the line; some rows may have been written by then.
 */
bool report_reader_read(const char *directory, const struct table_schema *const *schemas, struct table_output *tables,
			GError **error);

#endif
