/* SPDX-License-Identifier: MIT */
/*
 * Faults counted by topic, one row of the diagnostics for each topic at the end. A name is counted by its address, and
 * must live until then; the diagnostics add up those that read the same. Cost: a look-up for each call.
 */
#ifndef ROS2BT_FLOW_TOPIC_COUNTS_H
#define ROS2BT_FLOW_TOPIC_COUNTS_H

#include "core/flow/state.h"

void flow_topic_counts_add(struct flow_linker *linker, enum diagnostic what, const char *topic, uint64_t count);
/* At the end. */
void flow_topic_counts_report(struct flow_linker *linker);
void flow_topic_counts_clear(struct flow_linker *linker);

#endif
