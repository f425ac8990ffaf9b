/* SPDX-License-Identifier: MIT */
/*
 * What became of a message that a subscription did not receive: lost, overwritten, unknown, in flight at the end of the
 * recording, or not expected. Lost means certainly lost: where events may be missing from the recording (breaks.h), or
 * where a take without a publication may have been the take of this message, the outcome is unknown.
 *
 * settle.h asks for the outcome of a message that was not received in time; it stands only if the message does not
 * arrive until the publication is concluded (conclusions.h), when the listeners hear of it.
 *
 * Cost: O(later unsettled publications of the publisher) for a message that was not received, O(1) for the next one
 * before the same later message; nothing for a message that was received.
 */
#ifndef ROS2BT_FLOW_OUTCOME_H
#define ROS2BT_FLOW_OUTCOME_H

#include "core/flow/channels.h"

/*
 * Between processes, for a subscription that has met the publisher. Lost if it received an earlier and a later message,
 * and no event of its process can be missing since the publication; if the publisher's host has another clock, since
 * the take of the message before. If the next one was taken by hand, and the subscription keeps one message, it may be
 * overwritten rather than lost (polled_takes.h), which is unknown between hosts. Call in the order of the publisher's
 * messages.
 */
enum flow_outcome flow_outcome_of_missed(struct flow_linker *linker, const struct linked_publication *publication,
					 const struct flow_channel *channel, bool is_end_of_trace);

/*
 * In a ring buffer whose slot was overwritten or cleared. Unknown if events may be missing, or if the slot was recorded
 * as free (`was_free`): then the message had been taken out.
 */
enum flow_outcome flow_outcome_of_dropped(struct flow_linker *linker, const struct flow_publication *publication,
					  bool was_free);

#endif
