/* SPDX-License-Identifier: MIT */
/* Whether the range of time that a report is to cover has anything to report. */
#ifndef ROS2BT_REPORT_RANGE_H
#define ROS2BT_REPORT_RANGE_H

#include <glib.h>

#include "ros2bt/flow/pipeline.h"
#include "ros2bt/output/report.h"

/* At the end of a recording; false with a SESSION_ERROR (session_error.h) that says why not. */
bool report_range_check(const struct pipeline *pipeline, const struct report_trace *trace, GError **error);

#endif
