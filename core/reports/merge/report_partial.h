/* SPDX-License-Identifier: MIT */
/* Whether a report covers only a part of its recording: its diagnostics say so (diagnostics_has_part_only()). */
#ifndef ROS2BT_REPORT_PARTIAL_H
#define ROS2BT_REPORT_PARTIAL_H

/* Names the report and what its diagnostics say; NULL: it is whole, or has no diagnostics. To be freed. */
char *report_partial(const char *directory);

#endif
