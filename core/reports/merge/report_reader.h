/* SPDX-License-Identifier: MIT */
/*
 * Reads a report back: a directory of CSV files with their histograms, as `ros2-latency --format=csv --histograms`
 * writes it. Rows go to tables as an analysis would write them. Statistics are cells of statistics again
 * (CELL_STATISTIC), known by their totals and buckets. Cells of columns that a merge leaves out are not read: they are
 * empty.
 *
 * A report of another version may lack columns and tables, or have more, as may one that was merged: it has no
 * processes, but attributes and the column `recordings`. Contradictions (a histogram that does not fit its statistic,
 * or has no row; a mean that is not that of its samples; an impossible bucket) are errors: a report must never count
 * for more, or less, than it holds. Memory: the largest table of the report.
 */
#ifndef ROS2BT_REPORT_READER_H
#define ROS2BT_REPORT_READER_H

#include <glib.h>
#include <stdbool.h>

#include "core/tables/table.h"

#define REPORT_RECORDINGS_COLUMN "recordings" /* of merged reports */

/*
 * Writes the rows of each of `schemas` (ended by NULL) that the report has and `tables` opens. False with an error that
 * names the file and, within rows, the line; some rows may have been written by then. Sets *recordings before each row:
 * of how many recordings it is, if the report was merged; 0 otherwise.
 */
bool report_reader_read(const char *directory, const struct table_schema *const *schemas, struct table_output *tables,
			uint64_t *recordings, GError **error);

/*
 * Whether a report covers only a part of its recording, as its diagnostics say (diagnostics_has_part_only()): names the
 * report and what they say; NULL: it is whole, or has no diagnostics. To be freed.
 */
char *report_reader_partial(const char *directory);

#endif
