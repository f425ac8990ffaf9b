/* SPDX-License-Identifier: MIT */
/*
 * What became of a message that a subscription did not get: lost, unknown, in flight at the end of the trace, or not
 * expected. Lost means lost: where events may be missing from the recording (breaks.h), or where a take without a
 * publication may have been this one, the outcome is unknown.
 *
 * These functions decide; settle.h says when, and reports it to the listeners.
 *
 * Cost: O(later publications of the publisher that are not settled) for a message that was not received, O(1) for the
 * next one before the same later message; nothing for a message that was received.
 */
#ifndef ROS2BT_FLOW_OUTCOME_H
#define ROS2BT_FLOW_OUTCOME_H

#include "core/flow/channels.h"

/*
 * Between processes, for a subscription that has met the publisher. Lost: it got an earlier and a later one, and no
 * event of its process can be missing from when it could have taken this one. Where the publisher's clock is another
 * one, from the take before. To be asked in the order of the publisher's messages.
 */
enum flow_outcome flow_outcome_of_missed(struct flow_linker *linker, const struct linked_publication *publication,
					 struct channel *channel, bool is_end_of_trace);

/*
 * In a ring buffer: written over or cleared. Where events may be missing, or the buffer was free as far as is known, it
 * had been taken out.
 */
enum flow_outcome flow_outcome_of_dropped(struct flow_linker *linker, const struct flow_publication *publication,
					  bool was_free);

/* Delivered after its publication was settled: it had been given up, or the subscription was not known to get messages
 * of the publisher. */
enum flow_outcome flow_outcome_when_late(const struct flow_delivery *delivery);

#endif
