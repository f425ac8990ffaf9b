/* SPDX-License-Identifier: MIT */
/* The nodes of a named path of an architecture, with what they are in a recording: what caret_path.h evaluates. */
#ifndef ROS2BT_CARET_NODES_H
#define ROS2BT_CARET_NODES_H

#include "core/analyses/named_paths/caret/caret_elements.h"
#include "core/architecture/architecture.h"

/*
 * An array of struct caret_node, destroyed by caret_nodes_destroy(); the names are the architecture's. At the end of
 * the recording, when all is defined.
 *
 * `*problem`: what keeps the path from being evaluated as the architecture has it, to be freed; NULL: nothing. What
 * cannot be found in the recording is a list without elements.
 */
GArray *caret_nodes_create(const struct architecture *architecture, const struct architecture_path *path,
			   struct object_model *model, char **problem);
void caret_nodes_destroy(GArray *nodes);

static inline const struct caret_node *caret_nodes_of(const GArray *nodes)
{
	return &g_array_index(nodes, struct caret_node, 0);
}

#endif
