/* SPDX-License-Identifier: MIT */
/* The summary `lifecycle_findings`: errors and failures of transitions, and what nodes published while not active. */
#ifndef ROS2BT_LIFECYCLE_FINDINGS_H
#define ROS2BT_LIFECYCLE_FINDINGS_H

#include "core/analyses/lifecycle/lifecycle_nodes.h"

extern const struct table_schema lifecycle_finding_schema;

/* `nodes`: struct lifecycle_output, those of the report. */
void lifecycle_findings_write(const struct lifecycle *lifecycle, struct table_writer *writer, const GArray *nodes);

#endif
