/* SPDX-License-Identifier: MIT */
/*
 * The ways of messages that a named path allows: nodes in turn, with the topics between them. A pattern comes from
 *
 *   - an architecture file: full names, with the orders of publishers and subscriptions;
 *   - a text, NAME: NODE > TOPIC > NODE > … > NODE, with globs (`*` is any number of characters, `?` is one) and `…` or
 *     `...` for any number of nodes and topics;
 *   - a target_path.json of caret_report: nodes, or pairs of a node and one of its topics, as regular expressions;
 *     between two of them there may be any number of nodes.
 *
 * A way through `…` ends at the first node that matches what follows, and passes no node twice.
 */
#ifndef ROS2BT_PATH_PATTERN_H
#define ROS2BT_PATH_PATTERN_H

#include "core/named_paths/architecture/architecture.h"

/* A name, or what names must match. With no member set, every name matches. */
struct name_pattern {
	char *name;	    /* exactly */
	GPatternSpec *glob; /* else */
	GRegex *expression; /* else: of the whole name */
};

/* Any of several publishers or subscriptions of a topic. */
#define PATTERN_ANY_ORDER UINT32_MAX

struct pattern_node {
	struct name_pattern node;
	struct name_pattern subscribed; /* the topic by which the path enters the node */
	struct name_pattern published;	/* the topic by which it leaves */
	struct name_pattern either;	/* one of these two */
	uint32_t subscription_order, publisher_order;
	bool has_subscribed, has_published; /* at the ends of a path: it begins, or ends, with that topic */
	bool may_be_far;		    /* other nodes may lie between the node before and this one */
};

/* Whether the callback that publishes first, or the one that receives last, is part of the path. */
enum pattern_end {
	PATTERN_END_AS_ASKED, /* as the parameters say */
	PATTERN_END_EXCLUDED,
	PATTERN_END_INCLUDED,
};

struct path_pattern {
	char *name;
	char *text;    /* "/lidar > /scan > … > /actuator" */
	GArray *nodes; /* struct pattern_node; at least one */
	enum pattern_end first_callback, last_callback;
	bool is_concrete;			   /* names only: it allows one way */
	GPtrArray *ignored_nodes, *ignored_topics; /* GRegex *, of part of a name: `…` does not go there; or NULL */
	const struct architecture_path *path;	   /* of an architecture file, borrowed; else NULL */
	char *problem;				   /* why it allows no way; or NULL */
};

void path_pattern_destroy(struct path_pattern *pattern); /* NULL is allowed */

/* NULL with an error that quotes the text and shows the syntax. */
struct path_pattern *path_pattern_parse(const char *text, GError **error);
/* The path is borrowed. */
struct path_pattern *path_pattern_of_architecture(const struct architecture_path *path);
bool name_pattern_matches(const struct name_pattern *pattern, const char *name);

/* Whether `…` may go through a node, by a topic. */
bool path_pattern_wanders(const struct path_pattern *pattern, const char *topic, const char *node);

/* --- making one --- */

struct path_pattern *path_pattern_create(const char *name);
/* Adds a node that matches any name. Valid until the next one is added. */
struct pattern_node *path_pattern_add(struct path_pattern *pattern);

#endif
