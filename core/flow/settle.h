/* SPDX-License-Identifier: MIT */
/*
 * Deliveries, and the end of a publication: it is settled when nothing more can become of it, that is when every
 * subscription that should get it has got it or no longer can (subscriptions.h), at the latest at the age of
 * FLOW_AGE_NS. Then the listeners hear for each subscription whether the message was received, and what became of it if
 * not (outcome.h).
 *
 * A publication is open while its thread may still record events of it; a settled one stays among the last ones of its
 * publisher (`latched`: a late joiner may take them, QoS durability transient local), is then forgotten: no take finds
 * it. Publications of a publisher settle in their order.
 *
 * Cost: O(1) for a delivery; O(subscriptions of the topic) for a publication at its end, and every FLOW_OUT_OF_ORDER_NS
 * / 2 while it waits.
 */
#ifndef ROS2BT_FLOW_SETTLE_H
#define ROS2BT_FLOW_SETTLE_H

#include "core/flow/state.h"

/* The same for a thread with an open publication. */
void flow_close_publication_of(struct flow_linker *linker, struct flow_thread *thread);

/* The thread publishes nothing more of the publication at hand. In line: most events find none. */
static inline void flow_close_open_publication(struct flow_linker *linker, struct flow_thread *thread)
{
	if (thread->open) {
		flow_close_publication_of(linker, thread);
	}
}

/* No more publish events of it. */
void publication_close(struct flow_linker *linker, struct linked_publication *publication);

/* A taker is on its way, and its callback starts: what settling the publication will touch is fetched into the cache.
 */
void publication_is_taken(const struct linked_publication *publication);
void publication_is_dispatched(const struct linked_publication *publication);

/* The delivery has happened: reports it, links the execution (NULL if there is none), settles what it completes. */
void publication_delivered(struct flow_linker *linker, struct linked_publication *publication,
			   struct linked_delivery *delivery, struct linked_execution *execution);

/* The message of a ring buffer's slot is lost, unless the slot was free as far as the buffer knows. */
void flow_slot_drop(struct flow_linker *linker, struct slot *slot, bool was_free);
/* The message of a ring buffer's slot was taken out: frees the slot. */
void flow_slot_free(struct flow_linker *linker, struct slot *slot);

/* Settles what can be settled of the publisher's. */
void publisher_settle(struct flow_linker *linker, struct flow_publisher *publisher);

/* Forgets the settled publications that it keeps. */
void flow_publisher_clear(struct flow_linker *linker, struct flow_publisher *publisher);

/* Settles the publications that do not wait for takers any longer. */
void flow_settle_aged(struct flow_linker *linker);
/* The end of the trace. */
void flow_settle_all(struct flow_linker *linker);

#endif
