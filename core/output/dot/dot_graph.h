/* SPDX-License-Identifier: MIT */
/*
 * The graph that the output `dot` draws: vertices by kind, name and host, and edges.
 *
 * A node is a vertex on each host. A topic or service is one, too, until two hosts are known to exchange messages: then
 * the vertices of these hosts are united, and one of them is drawn. A name tells its host if several vertices with it
 * are drawn.
 *
 * Memory: the vertices and edges.
 */
#ifndef ROS2BT_OUTPUT_DOT_GRAPH_H
#define ROS2BT_OUTPUT_DOT_GRAPH_H

#include <glib.h>
#include <stdint.h>

#include "core/base/int128.h"

/* An ellipse, box or hexagon; of a topic or service, as one host knows it. */
struct dot_vertex {
	char *key;		 /* of prefix, name and host */
	char *named;		 /* prefix and name */
	char *id;		 /* in the file; NULL until dot_graph_name() */
	char *label;		 /* without the lines */
	char *host;		 /* "": unknown */
	struct dot_vertex *same; /* an earlier one that is drawn in its place; NULL: none */
	GString *hosts;		 /* that it is drawn for; NULL until dot_graph_name() */
	guint index;
	const char *shape;
	GString *lines; /* further lines of the label */
	unsigned int line_count;
	double hz_per_message; /* of a topic: how much one message adds to its rate; 0: unknown */
};

#define DOT_LINES_MAX 12 /* callbacks listed in a node */

struct dot_edge {
	struct dot_vertex *from, *to;
	uint64_t messages, lost;
	double hz; /* as the table's rates say; 0: unknown */
	int128 sum_ns;
	uint64_t samples;
	int64_t max_ns;
	/* Between nodes: how many topics and services there are, and the one with the longest latency; else 0, NULL. */
	unsigned int via_count;
	char *via;
};

/* Read-only for others. */
struct dot_graph {
	GPtrArray *vertices, *edges; /* owned, in the order in which they were first asked for */
	GHashTable *by_key;	     /* of vertices; borrowed */
	GHashTable *by_ends;	     /* of edges; owned keys */
};

struct dot_graph *dot_graph_create(void);
void dot_graph_destroy(struct dot_graph *graph);

/* The vertex, which the first call makes. `prefix` is that of its kind. */
struct dot_vertex *dot_graph_vertex(struct dot_graph *graph, const char *prefix, const char *shape, const char *name,
				    const char *host);

/* The edge, which the first call makes. */
struct dot_edge *dot_graph_edge(struct dot_graph *graph, struct dot_vertex *from, struct dot_vertex *to);

/* Two hosts exchange messages through a topic or service: it is one. */
void dot_graph_unite(struct dot_vertex *one, struct dot_vertex *other);

/* What is drawn in its place, most often itself. */
struct dot_vertex *dot_vertex_drawn(struct dot_vertex *vertex);

/* The number of vertices one after the other, along these edges of the graph; those in circles do not count. */
unsigned int dot_graph_depth(const struct dot_graph *graph, const GPtrArray *edges);

/* Sets the ids, and the hosts of those that share a name, once all is known. O(vertices). */
void dot_graph_name(struct dot_graph *graph);

#endif
