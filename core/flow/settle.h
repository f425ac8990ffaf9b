/* SPDX-License-Identifier: MIT */
/*
 * Deliveries, and the end of a publication. A publication is settled when every subscription that should get the
 * message has it or can no longer get it (channels.h), at the latest at the age of FLOW_AGE_NS; a request when every
 * server has it (servers.h). The listeners hear for
 * each subscription what became of the message when that is certain, which may be later (conclusions.h).
 *
 * Invariants: the publications of a publisher settle in their order. A publication is open while its thread may still
 * record events of it, and does not settle before it is closed. A settled publication is latched (latched.h).
 *
 * Cost: O(1) for a delivery; O(subscriptions that the publisher has met) when a publication settles, and every
 * FLOW_OUT_OF_ORDER_NS / 2 while it waits.
 */
#ifndef ROS2BT_FLOW_SETTLE_H
#define ROS2BT_FLOW_SETTLE_H

#include "core/flow/channels.h"

/* Closes the open publication of a thread that has one: no publish event of it follows any more. */
void flow_settle_close(struct flow_linker *linker, struct flow_thread *thread);

/* The same for any thread. Inline, since most events find none open. */
static inline void flow_settle_close_open(struct flow_linker *linker, struct flow_thread *thread)
{
	if (thread->open) {
		flow_settle_close(linker, thread);
	}
}

/*
 * The message has arrived, whose publication the caller holds: reports the delivery, makes it the cause of its
 * execution (NULL if there is none) and settles what it completes. `channel`: that of its publisher and subscription,
 * or NULL if it is to be looked up.
 *
 * A delivery that is not yet kept with the publication hardly ever needs to be: the bit of the channel tells who has
 * received the message. A copy is kept only if there is no such bit, or none that tells all (ring buffers, and a
 * publication that is still open); if listeners hear of all deliveries at the end; while its execution waits to be
 * resolved; and if its time may matter: between hosts, and of the first message that a subscription received after a
 * missing one (outcome.c).
 */
void flow_settle_delivered(struct flow_linker *linker, struct flow_delivery *delivery, struct flow_channel *channel);

/* Drops the message in the slot: it is lost, unless `was_free`, that is the buffer recorded the slot as free. */
void flow_settle_drop_slot(struct flow_linker *linker, struct ring_slot *slot, bool was_free);
/* Frees a slot whose message was taken out. */
void flow_settle_free_slot(struct flow_linker *linker, struct ring_slot *slot);

/* Whether the publisher's oldest publication is to be looked at. */
static inline bool flow_settle_is_due(const struct flow_linker *linker, const struct flow_publisher *publisher)
{
	return publisher->first && !flow_channels_are_awaited(linker, publisher->first);
}

/* Settles the publisher's publications, oldest first, as far as possible. The first one is to be looked at. */
void flow_settle_first(struct flow_linker *linker, struct flow_publisher *publisher);

/* The same, with little to do if the first one waits. */
static inline void flow_settle_publisher(struct flow_linker *linker, struct flow_publisher *publisher)
{
	flow_publisher_find_topic(linker, publisher);
	if (flow_settle_is_due(linker, publisher)) {
		flow_settle_first(linker, publisher);
	}
}

/* The same for the publishers of publications whose origin was decided (doubtful_origins.h). */
void flow_settle_decided(struct flow_linker *linker);

/* Settles the publications that no longer wait for takes, because of their age or of FLOW_LIVE_MAX. */
void flow_settle_aged(struct flow_linker *linker);
/* Settles and concludes all publications at the end of the recording. */
void flow_settle_all(struct flow_linker *linker);

#endif
