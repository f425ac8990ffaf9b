/* SPDX-License-Identifier: MIT */
/*
 * When a settled publication is concluded: it is certain which subscriptions have received the message. Then the
 * listeners hear the outcomes (outcome.h), and the executions that it comes from may finish. An outcome is never taken
 * back.
 *
 * It is certain once nothing is on its way to a callback, that is no thread has the message in hand (take.h) and no
 * slot of a ring buffer holds it, and either all subscriptions that should have received it have, or no take finds it
 * any more (latched.h). At the end of the recording everything is concluded.
 *
 * Cost: O(deliveries) for a publication. Memory: none beyond that of the publications, which are latched, in hand or in
 * a ring buffer.
 */
#ifndef ROS2BT_FLOW_CONCLUSIONS_H
#define ROS2BT_FLOW_CONCLUSIONS_H

#include "core/flow/linked_publications.h"

/* The publication is settled: concludes it, now or when that becomes certain. Call once. */
void flow_conclude(struct flow_linker *linker, struct linked_publication *publication, bool is_end_of_trace);

/* Call through flow_conclude_check(). */
void flow_conclude_if_certain(struct flow_linker *linker, struct linked_publication *publication);

/* Something has changed on which the conclusion may wait: concludes the publication if it is certain now. */
static inline void flow_conclude_check(struct flow_linker *linker, struct linked_publication *publication)
{
	if (G_UNLIKELY(publication->is_unconcluded)) {
		flow_conclude_if_certain(linker, publication);
	}
}

/* A delivery of a publication that was settled before. */
void flow_conclude_arrived(struct flow_linker *linker, struct linked_publication *publication,
			   struct flow_delivery *delivery);

/* Concludes what is settled, in the order in which it was settled. */
void flow_conclude_all(struct flow_linker *linker);

#endif
