/* SPDX-License-Identifier: MIT */
/*
 * The pairs of the analysis communications: a struct communication for each publisher and subscription that met, and
 * another one for their messages within a process; at the end also the pairs that never met (see communications.c).
 *
 * Memory: the pairs that met, in the arena of the recording.
 */
#ifndef ROS2BT_COMMUNICATION_PAIRS_H
#define ROS2BT_COMMUNICATION_PAIRS_H

#include "core/analyses/communications/communications_state.h"

/* Makes the counts of a pair that has met, which are kept at `pair` (flow_listener.received). */
struct communication *communication_add(struct communications *communications, struct model_publisher *publisher,
					struct model_subscription *subscription, void **pair);
/* The counts of its messages within the process, which are made at the first call. Amortized O(1). */
struct communication *communication_within_process(struct communications *communications,
						   struct model_publisher *publisher,
						   struct model_subscription *subscription);

/* The topic of a pair; NULL: not known so far. */
const char *communication_topic(const struct communication *communication);
/* Whether the report is about the pair, by the names that are known so far. */
bool communication_is_chosen(const struct communications *communications, const struct communication *communication);

/*
 * All messages that the subscription should have received (see communications.c), complete at the end. Messages that it
 * received within the process do not count between processes.
 */
uint64_t communication_published(const struct communications *communications,
				 const struct communication *communication);

/*
 * The pairs that never met, of topics with few pairs, if the publisher published while the subscription's process was
 * recorded, and if both are on one host or any message was received between their hosts: an array that owns its struct
 * communication *, which have no ids. Complete at the end. To be freed.
 */
GPtrArray *communications_unmet(const struct communications *communications);

/*
 * Adds diagnostics for pairs that never met and have no rows: for each topic that has too many of them, and for all
 * between hosts that exchanged no message.
 */
void communications_diagnose_unmet(const struct communications *communications, struct diagnostics *findings);

#endif
