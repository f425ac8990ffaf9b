/* SPDX-License-Identifier: MIT */
/* The nodes of a named path of an architecture, bound to objects of the recording: the input of caret_path.h. */
#ifndef ROS2BT_CARET_NODES_H
#define ROS2BT_CARET_NODES_H

#include "core/named_paths/architecture/architecture.h"
#include "core/named_paths/caret/caret_elements.h"

/*
 * An array of struct caret_node; its names are the architecture's. Call at the end of the recording, when all objects
 * are defined.
 *
 * `*problem`: why the path cannot be evaluated as the architecture describes it, to be freed; NULL: it can. Lists of
 * objects that the recording lacks are empty.
 */
GArray *caret_nodes_create(const struct architecture *architecture, const struct architecture_path *path,
			   struct object_model *model, char **problem);
void caret_nodes_destroy(GArray *nodes);

static inline const struct caret_node *caret_nodes_of(const GArray *nodes)
{
	return &g_array_index(nodes, struct caret_node, 0);
}

#endif
