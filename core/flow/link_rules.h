/* SPDX-License-Identifier: MIT */
/*
 * Indirect links: messages that a node keeps and uses in a publication of another callback. Set by the trace
 * (message_link_* events) or by the user, in the grammar
 *
 *   NODE: SUBSCRIBED_TOPIC -> PUBLISHED_TOPIC: KIND        KIND = periodic_async | partial_sync
 *
 * with full names ("/planner: /fused -> /path: periodic_async"). A missing leading "/" is added. Blanks are free.
 *
 * periodic_async: the last message of each subscription is kept, and used by every publication (as of a timer) until
 * the next one replaces it. partial_sync: the messages are kept until the last one arrives, whose callback publishes;
 * each is used once per publisher; that of the callback which publishes is used by this. Meaning as in Bédard et al.,
 * "Message flow analysis with complex causal links for distributed ROS 2 systems" (RAS 161, 2023) and its Trace Compass
 * implementation.
 */
#ifndef ROS2BT_LINK_RULES_H
#define ROS2BT_LINK_RULES_H

#include <glib.h>

enum link_kind {
	LINK_PERIODIC_ASYNC,
	LINK_PARTIAL_SYNC,
	/* As periodic_async, but for publications of the callback that receives: those use the message that it handles.
	 * Not in the grammar: what a file says of a node whose callbacks are known. */
	LINK_USE_LATEST,
};

struct link_rule {
	char *node; /* owned, as all strings */
	char *subscribed_topic;
	char *published_topic;
	enum link_kind kind;
	char *text; /* as the user wrote it */
};

#define LINK_RULE_ERROR (g_quark_from_static_string("ros2bt-link-rule"))

/* False with an error that shows the text and the grammar. */
gboolean link_rule_parse(struct link_rule *rule, const char *text, GError **error);
void link_rule_clear(struct link_rule *rule);

/* An array of struct link_rule, owned by the caller, from an array of texts ended by NULL; NULL with an error. */
GArray *link_rules_parse(const char *const *texts, GError **error);

const char *link_kind_name(enum link_kind kind);

#endif
