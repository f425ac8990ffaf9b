/* SPDX-License-Identifier: MIT */
/*
 * Indirect links: messages that a node keeps and uses in a publication of another callback. The trace declares them
 * (message_link_* events), or the user, in the grammar
 *
 *   NODE: SUBSCRIBED_TOPIC -> PUBLISHED_TOPIC: KIND        KIND = periodic_async | partial_sync
 *
 * with full names ("/planner: /fused -> /path: periodic_async"). A missing leading "/" is added; blanks are optional.
 *
 * periodic_async: the last message of each subscription is kept, and every publication (such as that of a timer) uses
 * it until the next one replaces it. partial_sync: messages are kept until the last one arrives, whose callback
 * publishes; each message is used once per publisher, and the publishing callback uses its own. Meaning as in Bédard et
 * al., "Message flow analysis with complex causal links for distributed ROS 2 systems" (RAS 161, 2023), and its
 * implementation in Trace Compass.
 */
#ifndef ROS2BT_LINK_RULES_H
#define ROS2BT_LINK_RULES_H

#include <glib.h>
#include <stdbool.h>

enum link_kind {
	LINK_PERIODIC_ASYNC,
	LINK_PARTIAL_SYNC,
	/*
	 * As periodic_async, but publications of the receiving callback use the message that it handles. Not in the
	 * grammar: an architecture file sets it for a node whose callbacks are known.
	 */
	LINK_USE_LATEST,
};

struct link_rule {
	char *node; /* owned, like all strings here */
	char *subscribed_topic;
	char *published_topic;
	enum link_kind kind;
	char *text;	  /* as the user wrote it */
	bool is_proposed; /* not by the user: found in the recording (core/session/proposed_links.h) */
};

#define LINK_RULE_ERROR (g_quark_from_static_string("ros2bt-link-rule"))

/* False with an error that names the text and the grammar. */
gboolean link_rule_parse(struct link_rule *rule, const char *text, GError **error);
void link_rule_clear(struct link_rule *rule);

/* An array of struct link_rule, owned by the caller, from texts ended by NULL; NULL with an error. */
GArray *link_rules_parse(const char *const *texts, GError **error);

#endif
