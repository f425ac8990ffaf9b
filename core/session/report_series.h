/* SPDX-License-Identifier: MIT */
/*
 * The reports that a session writes again and again: of all that was read, and, if they are asked for, of the window of
 * time since the last one. Each of them is made when it is written, so a directory that is full or has gone for a while
 * costs the reports of that time, and nothing else: what went wrong is news, once, and the next report is tried anew.
 * Of the report at the end, it is an error, and so it is on standard output, where half a report may be.
 */
#ifndef ROS2BT_REPORT_SERIES_H
#define ROS2BT_REPORT_SERIES_H

#include "core/session/analysis_set.h"
#include "ros2bt/output/report.h"

struct report_series;

/* The options are borrowed. */
struct report_series *report_series_create(const struct report_options *options);
void report_series_destroy(struct report_series *series); /* NULL is allowed */

/* The analyses write to a new report from now on: of the whole, or of a window of this length (0: the whole). False if
 * it cannot be made. */
bool report_series_open(struct report_series *series, struct analysis_set *set, int64_t window_ns);
/* They have written. False if the report could not be. */
bool report_series_close(struct report_series *series, const struct report_trace *trace);

bool report_series_has_windows(const struct report_series *series);

/* False with an error that ends the session: what failed last, if that was to standard output or if `is_end`. */
bool report_series_check(const struct report_series *series, bool is_end, GError **error);

/* What users are to be told next: that reports cannot be written, or can again. To be freed; NULL: nothing new. */
char *report_series_take_news(struct report_series *series);

#endif
