/* SPDX-License-Identifier: MIT */
/*
 * How a message leads from a subscription of a node to one of its publishers, as CARET reads it from an architecture
 * (caret_analyze, architecture/architecture_loaded.py): the context in the file; without one, a chain of callbacks, if
 * one exists.
 *
 * A chain leads from the callback of the subscription to one that publishes, each callback writing a variable that the
 * next one reads. A publisher without known callbacks belongs to the node's only callback, if it has exactly one.
 *
 * O(callbacks × variable passings) for the usual node; never more than RESOLVED_CONTEXT_STEPS_MAX steps.
 */
#ifndef ROS2BT_RESOLVED_CONTEXT_H
#define ROS2BT_RESOLVED_CONTEXT_H

#include "core/named_paths/architecture/architecture.h"

#define RESOLVED_CONTEXT_LENGTH_MAX 1000 /* callbacks of a chain */
#define RESOLVED_CONTEXT_STEPS_MAX 100000

struct resolved_context {
	enum architecture_context_kind kind;
	GPtrArray *chain;    /* const struct architecture_callback *, borrowed; empty unless a chain */
	const char *problem; /* why a chain cannot be followed, static; or NULL */
};

/* Clear it. */
struct resolved_context resolved_context_find(const struct architecture_node *node,
					      const struct architecture_node_path *way);
void resolved_context_clear(struct resolved_context *context);

#endif
