/* SPDX-License-Identifier: MIT */
/*
 * Reads a report back: a directory of CSV files with their histograms, as `ros2-latency --format=csv --histograms`
 * writes it. Rows go to tables as an analysis would write them, statistics as statistics (CELL_STATISTIC) that are
 * known by their totals and buckets. Cells of columns that are left out in a merge are not read: they are empty.
 *
 * A report of another version may lack columns and tables, and have more. What contradicts itself (a histogram that
 * does not fit its statistic, a bucket that is none) is an error: nothing of a report may be taken for more than it is.
 * Memory: the largest table of the report.
 */
#ifndef ROS2BT_REPORT_READER_H
#define ROS2BT_REPORT_READER_H

#include <glib.h>
#include <stdbool.h>

#include "ros2bt/table.h"

/*
 * Writes the rows of each of `schemas` (ended by NULL) that the report has, and that `tables` opens. False with an
 * error that names the file, and where it is in a row the line; rows may have been written by then.
 */
bool report_reader_read(const char *directory, const struct table_schema *const *schemas, struct table_output *tables,
			GError **error);

#endif
