/* SPDX-License-Identifier: MIT */
/*
 * Kinds of events that links need and that the recording does not contain at all. Without takes no message can be
 * followed to its subscription, without writes no take to its publication. Each missing kind is a row of the
 * diagnostics, with the number of callbacks or takes affected.
 */
#ifndef ROS2BT_FLOW_MISSING_EVENTS_H
#define ROS2BT_FLOW_MISSING_EVENTS_H

#include "core/flow/state.h"
#include "core/model/execution_ends.h"

/* An execution has started: its callback may handle taken messages, unless this one is of its own process. */
static inline void flow_missing_events_started(const struct execution *execution)
{
	execution_ends_of(execution->callback)->may_take |= !execution->is_intra_process;
}

/* At the end. */
void flow_missing_events_report(struct flow_linker *linker);

#endif
