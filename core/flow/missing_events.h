/* SPDX-License-Identifier: MIT */
/*
 * Events that links need and that the recording does not have at all: without takes no message is followed to its
 * subscription, without writes no take to its publication. Each is one row of the diagnostics, with the number of
 * callbacks or takes that it concerns.
 *
 * Cost: a flag for each record; until the first take, a byte for each callback.
 */
#ifndef ROS2BT_FLOW_MISSING_EVENTS_H
#define ROS2BT_FLOW_MISSING_EVENTS_H

#include "core/flow/state.h"

/* A callback started for which a take should have been recorded. Call while linker->has_takes is false. */
void flow_missing_events_callback_ran(struct flow_linker *linker, const struct model_callback *callback);
/* At the end. */
void flow_missing_events_report(struct flow_linker *linker);

#endif
