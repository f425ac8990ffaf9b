/* SPDX-License-Identifier: MIT */
#include "core/analyses/paths/path_nodes.h"

#include "core/base/arena_parts.h"
#include "core/base/name_filter.h"
#include "core/base/text/hidden_names.h"

#define PATH_NODES_MAX 50000  /* of the tree */
#define PATH_ASIDE_MAX 100000 /* of the tree, in addition; those that are aside */

/* The flow goes no further: there are too many nodes. */
static void leave_out(struct path_nodes *nodes, const struct path_arrival *arrival)
{
	const char *name = arrival->is_out_of_range ? "flows from outside the time range"
			   : arrival->name	    ? arrival->name
						    : "flows that begin in a callback";

	diagnostics_add(nodes->diagnostics, DIAGNOSTIC_PATHS_CAPPED, name, 1);
	if (!arrival->is_out_of_range) {
		diagnostics_add(nodes->capped, DIAGNOSTIC_PATHS_CAPPED, name, 1);
	}
}

static struct path_node *add_node(struct path_nodes *nodes, struct path_node *parent,
				  const struct path_arrival *arrival)
{
	bool is_hidden = (parent && parent->is_hidden) || (arrival->name && name_is_hidden(arrival->name));
	bool is_excluded = (parent && parent->is_excluded) ||
			   (arrival->name && name_filter_excludes(nodes->options->names.topics, arrival->name));
	bool is_aside = is_hidden || is_excluded || arrival->is_out_of_range;
	size_t count = is_aside ? nodes->aside_count : nodes->all->len - nodes->aside_count;
	struct path_node *node;

	if (count >= (is_aside ? PATH_ASIDE_MAX : PATH_NODES_MAX)) {
		leave_out(nodes, arrival);
		return NULL;
	}
	node = arena_take(recording_arena(nodes->recording), sizeof(*node));
	node->parent = parent;
	node->index = nodes->all->len;
	node->depth = parent ? parent->depth + 1 : 0;
	node->is_hidden = is_hidden;
	node->is_excluded = is_excluded;
	node->is_aside = is_aside;
	nodes->aside_count += is_aside;
	g_ptr_array_add(nodes->all, node);
	return node;
}

/* A flow comes to a node that may have been aside so far. It stays aside if there are too many others. */
static void use_node(struct path_nodes *nodes, struct path_node *node, const struct path_arrival *arrival)
{
	if (G_UNLIKELY(!path_node_is_settled(node)) && !arrival->is_out_of_range &&
	    nodes->all->len - nodes->aside_count < PATH_NODES_MAX) {
		node->is_aside = false;
		nodes->aside_count--;
		use_node(nodes, node->plain, arrival);
	}
}

struct path_node *path_nodes_root(struct path_nodes *nodes, struct path_roots *roots, uint32_t index,
				  uint32_t condition, const struct path_arrival *arrival)
{
	struct path_node *node = path_roots_find(roots, index, condition);
	struct path_node *plain;

	if (node) {
		use_node(nodes, node, arrival);
		return node;
	}
	plain = condition ? path_nodes_root(nodes, roots, index, 0, arrival) : NULL;
	if (condition && !plain) {
		return NULL;
	}
	node = add_node(nodes, NULL, arrival);
	if (node) {
		node->condition = condition;
		node->plain = plain ? plain : node;
		if (condition) {
			u64_map_set_pointer(&roots->conditional, (uint64_t)condition << 32 | index, node);
		} else {
			*slot_at(roots->plain, index) = node;
		}
	}
	return node;
}

static bool has_passed(const struct path_node *node, const struct model_callback *callback)
{
	for (; node; node = node->parent) {
		if (node->callback == callback) {
			return true;
		}
	}
	return false;
}

_Static_assert(PATH_NODES_MAX + PATH_ASIDE_MAX <= 1 << 20, "20 bits hold the index of a node");

/*
 * Conditions are so few that 16 bits hold the number of each (PROVENANCE_CONDITIONS_MAX). 27 bits are left for that of
 * a callback: as many callbacks take more than 10 GB.
 */
static uint64_t child_key(const struct path_node *parent, const struct model_callback *callback, bool is_indirect,
			  uint32_t condition)
{
	return (uint64_t)parent->index << 44 | (uint64_t)condition << 28 | (uint64_t)callback->index << 1 | is_indirect;
}

struct path_node *path_nodes_find_child(const struct path_nodes *nodes, const struct path_node *parent,
					const struct model_callback *callback, bool is_indirect, uint32_t condition)
{
	return u64_map_get_pointer(&nodes->children, child_key(parent, callback, is_indirect, condition));
}

static struct path_node *add_child(struct path_nodes *nodes, struct path_node *parent,
				   const struct flow_execution *execution, bool is_indirect, uint32_t condition,
				   const struct path_arrival *arrival)
{
	struct path_node *node = add_node(nodes, parent, arrival);

	if (node) {
		node->callback = execution->callback;
		node->first_ns = execution->start_ns;
		node->is_inferred = execution->kind == CALLBACK_KIND_INFERRED;
		node->is_indirect = is_indirect;
		node->is_return = has_passed(parent, execution->callback);
		node->via = execution->cause->publication->publisher;
		node->via_service = execution->cause->service;
		node->condition = condition;
		node->plain = node;
	}
	return node;
}

struct path_node *path_nodes_child(struct path_nodes *nodes, struct path_node *parent,
				   const struct flow_execution *execution, bool is_indirect, uint32_t condition,
				   const struct path_arrival *arrival)
{
	uint64_t key = child_key(parent, execution->callback, is_indirect, condition);
	struct path_node *node = u64_map_get_pointer(&nodes->children, key);
	struct path_node *plain = NULL;

	if (node) {
		use_node(nodes, node, arrival);
		return node;
	}
	if (parent->depth + 1 >= PATH_DEPTH_MAX) {
		diagnostics_add(nodes->diagnostics, DIAGNOSTIC_PATHS_CAPPED, "callbacks of one path", 1);
		return NULL;
	}
	if (condition || path_node_is_conditional(parent)) {
		plain = path_nodes_child(nodes, parent->plain, execution, is_indirect, 0, arrival);
		if (!plain) {
			return NULL;
		}
	}
	node = add_child(nodes, parent, execution, is_indirect, condition, arrival);
	if (node) {
		node->plain = plain ? plain : node;
		u64_map_set_pointer(&nodes->children, key, node);
	}
	return node;
}

void path_nodes_init(struct path_nodes *nodes, const struct analysis_context *context)
{
	struct arena *arena = recording_arena(context->recording);

	nodes->recording = context->recording;
	nodes->diagnostics = context->diagnostics;
	nodes->options = context->options;
	nodes->all = arena_pointers(arena);
	arena_map(arena, &nodes->children);
	nodes->capped = arena_own(arena, diagnostics_create(), (GDestroyNotify)diagnostics_destroy);
}

void path_roots_init(struct path_roots *roots, struct arena *arena)
{
	roots->plain = arena_pointers(arena);
	arena_map(arena, &roots->conditional);
}
