/* SPDX-License-Identifier: MIT */
/* Parts of a file for Graphviz: quoted texts, vertices and edges. A name of a trace never ends a text or a line. */
#ifndef ROS2BT_OUTPUT_DOT_WRITE_H
#define ROS2BT_OUTPUT_DOT_WRITE_H

#include <glib.h>
#include <stdbool.h>

#include "core/output/dot/dot_graph.h"

struct output_stream;

/* A quoted text. Its line breaks divide it into lines. */
void dot_write_text(struct output_stream *stream, const char *text);

/* A name of a trace without line breaks; to be freed. */
char *dot_one_line(const char *name);

/* How all is drawn; `depth`: dot_graph_depth(). What is deep runs from top to bottom, or it would be a wide strip. */
void dot_write_head(struct output_stream *stream, unsigned int depth);

/* A line of the file. The graph has been named. */
void dot_write_vertex(struct output_stream *stream, const struct dot_vertex *vertex);
void dot_write_edge(struct output_stream *stream, const char *from, const char *to, const char *label, double rate,
		    bool has_lost);

void dot_append_rate(GString *text, double per_second);

/* Rate, latency and losses, as far as they are known; `rate` is NAN if it is not. */
void dot_append_edge_label(GString *label, const struct dot_edge *edge, double rate);

#endif
