/* SPDX-License-Identifier: MIT */
/*
 * The tables `paths`, `path_hops` and `path_instances`: chains of callbacks and the end-to-end latency along them.
 * Listens to the flow linker.
 *
 * A flow starts at a timer callback, at a publication outside any callback, or at a callback whose message comes from
 * outside the trace or from a thread that may have lost the start of a callback; it ends at a callback that no other
 * callback follows, or at the first one that it has passed already. It has at least one message. Each execution carries
 * its traversals: the ways on which a flow has come to it (several where messages are kept or joined). Ways are nodes
 * of a tree of callbacks, so going one callback further is one look-up. A flow whose message never comes is lost: for
 * every path that goes on with the callback which the message was for.
 *
 * The latency of a traversal: from the start of its first callback (or the first publication) to the end of its last
 * callback. A traversal counts in the time range by its origin. Memory: the tree, and the executions under way.
 */
#ifndef ROS2BT_PATHS_H
#define ROS2BT_PATHS_H

#include "ros2bt/diagnostics.h"
#include "ros2bt/flow_linker.h"
#include "core/analyses/latency_analysis.h"

#define PATH_DEPTH_MAX 64	/* callbacks of one path */
#define PATH_TRAVERSALS_MAX 256 /* ways to one execution */
#define PATH_NODES_MAX 50000	/* of the tree */

struct paths;

/* Everything is borrowed and must outlive it. */
struct paths *paths_create(struct recording *recording, struct object_model *model, struct flow_linker *linker,
			   struct diagnostics *diagnostics, const struct latency_options *options,
			   struct table_output *output);
void paths_destroy(struct paths *paths);

/* After the linker has finished. */
void paths_write(struct paths *paths, struct table_output *output);

#endif
