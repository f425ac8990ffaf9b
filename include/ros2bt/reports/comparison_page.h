/* SPDX-License-Identifier: MIT */
/*
 * A comparison as a page for a browser (core/output/page/page_file.h): the verdicts on limits first, then what changed,
 * with the distributions of both sides over each other and the intervals that their figures lie in. Its data has the
 * tables of comparison_tables.h, and
 *
 *   comparison: { least_percent, before, after, limits: [ { limit, verdict, reason } ], intervals,
 *                 distributions: [ { table, row, statistic, before, after } ] }
 *
 * `before`, `after`: the recordings; of a distribution page_histogram.h. `intervals`: of each row of the table
 * `figures` low and high before, low and high after; null where there is none. The page has the first PAGE_ROWS
 * figures, those that changed first, and the distributions of the first COMPARISON_PAGE_DISTRIBUTIONS of them.
 */
#ifndef ROS2BT_COMPARISON_PAGE_H
#define ROS2BT_COMPARISON_PAGE_H

#include "core/reports/compare/comparison.h"

#define COMPARISON_PAGE_DISTRIBUTIONS 2000

struct output_stream;
struct report_trace;

/* What is compared; all is borrowed. */
struct comparison_subject {
	const struct report_trace *trace; /* both sides together */
	const char *const *recordings[COMPARISON_SIDES];
	size_t recording_counts[COMPARISON_SIDES];
	const GArray *limits; /* struct change_limit */
	double least_percent;
};

/*
 * The comparison has distributions, or the page has none. False with an error if the page would lack rows, since a
 * temporary file could not be written; other errors are those of the stream.
 */
bool comparison_page_write(const struct comparison *comparison, const struct comparison_subject *subject,
			   struct output_stream *stream, GError **error);

#endif
