/* SPDX-License-Identifier: MIT */
/*
 * The nodes of an architecture as a graph: which node publishes and subscribes to which topic. Nodes and topics are
 * numbered in order of their names. A topic is no pairs of nodes: with n publishers and m subscriptions it takes n + m.
 */
#ifndef ROS2BT_ARCHITECTURE_GRAPH_H
#define ROS2BT_ARCHITECTURE_GRAPH_H

#include "core/architecture/architecture.h"

/* One end of a topic at a node. */
struct endpoint {
	uint32_t node, topic; /* indexes of struct graph */
	uint32_t order;
};

/* Endpoints of one kind in order of what they are looked up by; those of index i begin at firsts[i]. */
struct endpoint_list {
	GArray *endpoints; /* struct endpoint */
	guint *firsts;	   /* one more than there are indexes */
};

struct graph {
	GPtrArray *nodes;  /* struct architecture_node *, borrowed, by name */
	GPtrArray *topics; /* const char *, borrowed, by name */
	struct endpoint_list publishers_of_node, subscriptions_of_node;
	struct endpoint_list publishers_of_topic, subscriptions_of_topic;
};

/* Without the nodes and topics that match one of the globs, which are ended by NULL; NULL: none. Borrows names. */
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
