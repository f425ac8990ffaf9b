/* SPDX-License-Identifier: MIT */
/*
 * The architecture of a system as users of CARET describe it: nodes with their callbacks, publishers, subscriptions and
 * the way of messages through each node; executors; and the named paths to evaluate. It is the content of architecture
 * files, which architecture_file.h reads and architecture_write.h writes.
 *
 * Objects refer to each other by name, as in the file, and a name may refer to nothing. "Order" is CARET's
 * construction_order: the rank by time of initialization among objects that are otherwise alike, from 0.
 *
 * Lists keep the order in which their elements were added. The architecture owns all objects, lists and texts
 * (architecture_text()). Look-ups by name are O(1), others linear in the objects of a node.
 */
#ifndef ROS2BT_ARCHITECTURE_H
#define ROS2BT_ARCHITECTURE_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct string_pool;

/* CARET's text for an unknown name; NULL in all structs below. */
#define ARCHITECTURE_UNDEFINED "UNDEFINED"

enum architecture_callback_kind {
	ARCHITECTURE_TIMER,
	ARCHITECTURE_SUBSCRIPTION,
};

struct architecture_callback {
	const char *name;
	enum architecture_callback_kind kind;
	const char *topic; /* of a subscription, else NULL */
	int64_t period_ns; /* of a timer, else 0 */
	const char *symbol;
	uint32_t order; /* among callbacks of the node with the same topic or period, and symbol */
	size_t line;	/* in the file, from 1; 0: not read from a file. The same below */
};

struct architecture_callback_group {
	const char *type; /* "mutually_exclusive", "reentrant"; NULL: in no executor */
	const char *name;
	GPtrArray *callbacks; /* const char *, names */
	size_t line;
};

/* A variable of a node that one callback writes and another one reads. */
struct architecture_variable_passing {
	const char *write, *read; /* names of callbacks; NULL: unknown */
	size_t line;
};

/* A publisher or a subscription. */
struct architecture_endpoint {
	const char *topic;
	uint32_t order;	      /* among publishers, or subscriptions, of the node with the same topic */
	GPtrArray *callbacks; /* of a publisher: const char *, names of those that publish with it; empty: unknown */
	const char *callback; /* of a subscription: its name; NULL: unknown */
	size_t line;
};

/* How a message of a subscription leads to one of a publisher of the same node. */
enum architecture_context_kind {
	ARCHITECTURE_CONTEXT_UNDEFINED,		   /* unknown */
	ARCHITECTURE_CONTEXT_USE_LATEST,	   /* a publication uses the latest message received */
	ARCHITECTURE_CONTEXT_CALLBACK_CHAIN,	   /* the callback publishes, or passes the message on in variables */
	ARCHITECTURE_CONTEXT_INHERIT_UNIQUE_STAMP, /* both messages have one header stamp, which no trace records */
	ARCHITECTURE_CONTEXT_TILDE,		   /* by events of TILDE, which no current release records */
};

struct architecture_context {
	enum architecture_context_kind kind;
	const char *subscribed_topic, *published_topic;
	uint32_t subscription_order, publisher_order;
	GPtrArray *callbacks; /* const char *, names of the chain; may be empty: CARET does not read them */
	size_t line;
};

struct architecture_node {
	const char *name;		/* with its namespace */
	GPtrArray *callbacks;		/* struct architecture_callback * */
	GPtrArray *callback_groups;	/* struct architecture_callback_group * */
	GPtrArray *variable_passings;	/* struct architecture_variable_passing * */
	GPtrArray *publishers;		/* struct architecture_endpoint * */
	GPtrArray *subscriptions;	/* struct architecture_endpoint * */
	GPtrArray *contexts;		/* struct architecture_context * */
	GHashTable *callbacks_by_name;	/* not for others: architecture_find_callback() */
	GHashTable *groups_by_callback; /* not for others: architecture_find_group() */
	size_t line;
};

struct architecture_executor {
	const char *type; /* "single_threaded_executor", … */
	const char *name;
	GPtrArray *callback_groups; /* const char *, names */
	size_t line;
};

/* A node on a named path, and the topics by which the path enters and leaves it. */
struct architecture_node_path {
	const char *node;
	const char *subscribed_topic, *published_topic; /* NULL: unknown, or none at an end of the path */
	uint32_t subscription_order, publisher_order;	/* 0 without topic */
	size_t line;
};

struct architecture_path {
	const char *name;
	GArray *chain; /* struct architecture_node_path */
	size_t line;
};

struct architecture {
	const char *path;	   /* of the file; NULL: not read from a file */
	GPtrArray *named_paths;	   /* struct architecture_path * */
	GPtrArray *executors;	   /* struct architecture_executor * */
	GPtrArray *nodes;	   /* struct architecture_node * */
	GPtrArray *name_lists;	   /* not for others: GPtrArray *, of the objects above */
	GPtrArray *remarks;	   /* char *: "PATH:LINE: what was left out, and why" */
	GHashTable *nodes_by_name; /* not for others: architecture_find_node() */
	GHashTable *paths_by_name; /* not for others */
	struct string_pool *texts; /* not for others: architecture_text() */
};

struct architecture *architecture_create(void);
void architecture_destroy(struct architecture *architecture); /* NULL is allowed */

/* A copy of a text that the architecture owns; NULL for NULL and for UNDEFINED. */
const char *architecture_text(struct architecture *architecture, const char *text);

/* --- making one: names are copied; the caller sets the other members --- */

/* NULL if the name exists. */
struct architecture_path *architecture_add_path(struct architecture *architecture, const char *name);
struct architecture_node *architecture_add_node(struct architecture *architecture, const char *name);

struct architecture_executor *architecture_add_executor(struct architecture *architecture, const char *type,
							const char *name);

/* An element at the end of the chain, without topics. Valid until the next one is added. */
struct architecture_node_path *architecture_add_node_path(struct architecture *architecture,
							  struct architecture_path *path, const char *node);

/* NULL if the name exists in the node. */
struct architecture_callback *architecture_add_callback(struct architecture *architecture,
							struct architecture_node *node, const char *name,
							enum architecture_callback_kind kind);
struct architecture_callback_group *architecture_add_group(struct architecture *architecture,
							   struct architecture_node *node, const char *type,
							   const char *name);
/* A callback belongs to the first group that lists it. */
void architecture_group_add(struct architecture *architecture, struct architecture_node *node,
			    struct architecture_callback_group *group, const char *callback);
struct architecture_variable_passing *architecture_add_passing(struct architecture *architecture,
							       struct architecture_node *node, const char *write,
							       const char *read);
/* `endpoints`: the publishers or the subscriptions of a node. */
struct architecture_endpoint *architecture_add_endpoint(struct architecture *architecture, GPtrArray *endpoints,
							const char *topic, uint32_t order);
struct architecture_context *architecture_add_context(struct architecture *architecture, struct architecture_node *node,
						      enum architecture_context_kind kind, const char *subscribed_topic,
						      const char *published_topic);
/* Adds a name to a list of names: callbacks of a publisher or context, groups of an executor. */
void architecture_add_name(struct architecture *architecture, GPtrArray *names, const char *name);

/* --- look-ups; NULL: not found --- */

struct architecture_node *architecture_find_node(const struct architecture *architecture, const char *name);
struct architecture_callback *architecture_find_callback(const struct architecture_node *node, const char *name);
/* The group of a callback: CARET finds the callbacks of a node only through its groups. */
struct architecture_callback_group *architecture_find_group(const struct architecture_node *node, const char *callback);
struct architecture_endpoint *architecture_find_endpoint(const GPtrArray *endpoints, const char *topic, uint32_t order);
/* The first one between these that is not UNDEFINED; if all are, the first one. */
struct architecture_context *architecture_find_context(const struct architecture_node *node,
						       const char *subscribed_topic, uint32_t subscription_order,
						       const char *published_topic, uint32_t publisher_order);

/* As in files: "use_latest_message", "UNDEFINED", … */
const char *architecture_context_name(enum architecture_context_kind kind);
/* False: no kind has that name. */
bool architecture_context_of_name(const char *name, enum architecture_context_kind *kind);

#endif
