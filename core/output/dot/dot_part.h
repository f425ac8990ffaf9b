/* SPDX-License-Identifier: MIT */
/*
 * A part of a graph that is too large to be read: nodes that are connected directly, by an edge for all that one sends
 * another, in the colour of their namespace. What lost something comes first, then what took longest. The graph says
 * how many connections it leaves out.
 */
#ifndef ROS2BT_OUTPUT_DOT_PART_H
#define ROS2BT_OUTPUT_DOT_PART_H

#include <glib.h>

#include "core/output/dot/dot_graph.h"

struct output_stream;

/* Writes the head and so many connections. `direct` has nodes only; its edges are sorted. */
void dot_write_part(struct output_stream *stream, struct dot_graph *direct, guint count);

#endif
