/* SPDX-License-Identifier: MIT */
/*
 * Faults counted by topic, one row of the diagnostics for each topic at the end. Cost: one interning and one lookup for
 * a fault.
 */
#ifndef ROS2BT_FLOW_TOPIC_COUNTS_H
#define ROS2BT_FLOW_TOPIC_COUNTS_H

#include "core/flow/state.h"

void flow_topic_counts_add(struct flow_linker *linker, enum diagnostic what, const char *topic);
/* At the end. */
void flow_topic_counts_report(struct flow_linker *linker);
void flow_topic_counts_clear(struct flow_linker *linker);

#endif
