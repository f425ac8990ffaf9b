/* SPDX-License-Identifier: MIT */
/*
 * The nodes of an architecture as a graph: which nodes publish and subscribe to which topics. Nodes and topics are
 * numbered in order of their names. A topic with n publishers and m subscriptions takes n + m entries, not n × m.
 * O(n log n) in the publishers and subscriptions.
 */
#ifndef ROS2BT_ARCHITECTURE_GRAPH_H
#define ROS2BT_ARCHITECTURE_GRAPH_H

#include "core/named_paths/architecture/architecture.h"

/* A publisher or a subscription: one end of a topic, at a node. */
struct endpoint {
	uint32_t node, topic; /* indices in struct graph */
	uint32_t order;
};

/* Endpoints of one kind, sorted by node or topic; those of index i begin at firsts[i]. */
struct endpoint_list {
	GArray *endpoints; /* struct endpoint */
	guint *firsts;	   /* by index, and the end of the last one */
};

struct graph {
	GPtrArray *nodes;  /* struct architecture_node *, borrowed, by name */
	GPtrArray *topics; /* const char *, borrowed, by name */
	struct endpoint_list publishers_of_node, subscriptions_of_node;
	struct endpoint_list publishers_of_topic, subscriptions_of_topic;
};

/* Leaves out nodes and topics that match one of the globs, which are ended by NULL; NULL: none. Borrows names. */
void graph_init(struct graph *graph, const struct architecture *architecture, const char *const *without);
void graph_clear(struct graph *graph);

/* Whether a name matches one of some globs, ended by NULL; NULL: none. */
bool graph_matches(const char *name, const char *const *globs);

static inline const struct endpoint *endpoint_at(const struct endpoint_list *list, guint index)
{
	return &g_array_index(list->endpoints, struct endpoint, index);
}

static inline const char *graph_node(const struct graph *graph, uint32_t node)
{
	return ((const struct architecture_node *)g_ptr_array_index(graph->nodes, node))->name;
}

static inline const char *graph_topic(const struct graph *graph, uint32_t topic)
{
	return g_ptr_array_index(graph->topics, topic);
}

#endif
