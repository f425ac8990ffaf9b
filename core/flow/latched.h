/* SPDX-License-Identifier: MIT */
/*
 * The last settled publications of each publisher: a late joiner may still take them (QoS durability transient local).
 * As many are kept as the publisher's queue holds, FLOW_LATCHED_MAX at most; of several hosts FLOW_LATCHED_MAX for
 * FLOW_OUT_OF_ORDER_NS, because a subscription whose clock is ahead seems to join later than it did. The oldest leaves
 * and is forgotten: no take finds it any more.
 *
 * What leaves has not been touched for long. Its cache lines are fetched step by step while the publication that
 * replaces it is made, and on its way to its callback. Each step reads what the one before has fetched; where another
 * publication is settled in between, the steps begin anew for what leaves then.
 *
 * Cost: O(1).
 */
#ifndef ROS2BT_FLOW_LATCHED_H
#define ROS2BT_FLOW_LATCHED_H

#include "core/flow/endpoints.h"
#include "core/flow/linked_publications.h"

/* Takes over the reference of the publisher's queue. */
void latched_add(struct flow_linker *linker, struct flow_publisher *publisher, struct linked_publication *publication);
/* Forgets all of them. */
void latched_clear(struct flow_linker *linker, struct flow_publisher *publisher);

/* The next step: to be called when the publisher is known, when the message is written, and at its first delivery. */
void latched_prefetch(const struct linked_publication *publication);

#endif
