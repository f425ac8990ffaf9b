/* SPDX-License-Identifier: MIT */
/*
 * Kinds of events that links need and that the recording does not contain at all. Without takes no message can be
 * followed to its subscription, without writes no take to its publication. Each missing kind is a row of the
 * diagnostics, with the number of callbacks or takes affected.
 *
 * Memory: a byte for each callback that runs before the first take.
 */
#ifndef ROS2BT_FLOW_MISSING_EVENTS_H
#define ROS2BT_FLOW_MISSING_EVENTS_H

#include "core/base/slots.h"
#include "core/flow/state.h"

/* A callback started that may handle a taken message. Call while linker->has_takes is false. */
static inline void flow_missing_events_callback_ran(struct flow_linker *linker, const struct model_callback *callback)
{
	*array_at(linker->ran_before_takes, uint8_t, callback->index) = 1;
}
/* At the end. */
void flow_missing_events_report(struct flow_linker *linker);

#endif
