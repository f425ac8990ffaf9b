/* SPDX-License-Identifier: MIT */
/*
 * Indirect links (link_rules.h): the executions whose messages a node keeps, and the publications that use them.
 *
 * Both sides are looked up by object, once for each object and set of links: a subscription knows whether any link
 * keeps its messages; a publisher knows the links it uses and the subscriptions of each. What is kept of a subscription
 * is its last ended execution, or what stands for one where the node takes messages by hand (polled_takes.h). An
 * execution is not finished while it is kept.
 *
 * Cost: one comparison without links; O(kept subscriptions of the link) for a publication that uses one. Memory: an
 * entry for each subscription with a kept message.
 */
#ifndef ROS2BT_FLOW_KEPT_MESSAGES_H
#define ROS2BT_FLOW_KEPT_MESSAGES_H

#include "core/flow/linked_executions.h"
#include "core/flow/linked_publications.h"

struct link_rule;

/* Call before the first record. The rules are borrowed. */
void kept_messages_add_rules(struct flow_linker *linker, const struct link_rule *rules, size_t count);
/* Takes message_link_*: links that the trace itself declares. */
void kept_messages_feed(struct flow_linker *linker, const struct event_record *record);
/* The publisher is known: adds the executions whose kept messages it uses as parents. */
void kept_messages_use(struct flow_linker *linker, struct linked_publication *publication);
/* Whether a link keeps the messages of the subscription. */
bool kept_messages_keeps(struct flow_linker *linker, struct model_subscription *subscription);
/* An execution of the subscription's callback has ended: keeps it if a link asks for that. */
void kept_messages_keep(struct flow_linker *linker, struct linked_execution *execution,
			struct model_subscription *subscription);
/* The end of the recording: keeps nothing any longer, and reports the rules that matched nothing or were not used. */
void kept_messages_finish(struct flow_linker *linker);
void kept_messages_clear(struct flow_linker *linker);

#endif
