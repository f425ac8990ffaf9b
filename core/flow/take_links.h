/* SPDX-License-Identifier: MIT */
/*
 * Which publication a take belongs to. A take has the key of its publication: the source timestamp, compared together
 * with the topic, or a request's key (client gid, sequence number, direction). It is linked at once if a publication
 * with the key is known. Otherwise it waits up to FLOW_BIND_WAIT_NS: CARET records the stamp after the write, often
 * later than the take. Where no stamps are recorded, the publication is inferred (inferred_stamps.h).
 *
 * Invariant: two publications with the same key make the take ambiguous; it is counted and never linked.
 *
 * Cost: one lookup of one word for a take. Memory: the takes that wait (waiting_takes.h).
 */
#ifndef ROS2BT_FLOW_TAKE_LINKS_H
#define ROS2BT_FLOW_TAKE_LINKS_H

#include "core/flow/linked_publications.h"
#include "core/flow/waiting_takes.h"

/*
 * Links the take if that can be decided now: returns NULL and sets *publication, to NULL if the take is ambiguous.
 * Otherwise the take waits: returns its entry in the queue.
 */
struct waiting_take *take_links_begin(struct flow_linker *linker, const struct flow_take *take,
				      struct linked_publication **publication);

/*
 * What was taken reached its subscription, service or client, and take->execution if that is not NULL. No delivery if
 * the subscription has the message already or gets it through a ring buffer. `channel` as for flow_settle_delivered().
 */
void take_links_deliver(struct flow_linker *linker, struct linked_publication *publication, struct flow_delivery *take,
			struct flow_channel *channel);

/* The key of a publication is known: links the takes that wait for it. */
void take_links_stamp_is_known(struct flow_linker *linker, struct linked_publication *publication, uint64_t stamp);
/* The same of a request or response, or of an entry of Agnocast. */
void take_links_key_is_known(struct flow_linker *linker, struct linked_publication *publication, uint64_t key);

/* The size of the message is known, not 0. Listeners hear of it once. */
void take_links_size_is_known(struct flow_linker *linker, struct linked_publication *publication, uint64_t bytes);

/* Ends the wait of takes that have waited long enough. */
void take_links_expire(struct flow_linker *linker);
/* Stamps may be inferred now: call when linker->now_ns has reached linker->infer_due_ns. */
void take_links_infer_due(struct flow_linker *linker);
/* The end of the recording: ends all waits. */
void take_links_finish(struct flow_linker *linker);

#endif
