/* SPDX-License-Identifier: MIT */
#include "core/analyses/path_tree.h"

#define PATH_TRAVERSALS_MAX 256 /* ways to one execution */
#define PATH_NODES_MAX 50000	/* of the tree */

/* --- the tree --- */

static struct path_node *add_node(struct path_tree *tree, struct path_node *parent)
{
	struct path_node *node;

	if (tree->nodes->len >= PATH_NODES_MAX) {
		diagnostics_add(tree->diagnostics, DIAGNOSTIC_PATHS_CAPPED, "different paths", 1);
		return NULL;
	}
	node = arena_take(recording_arena(tree->recording), sizeof(*node));
	node->parent = parent;
	node->index = tree->nodes->len;
	node->depth = parent ? parent->depth + 1 : 0;
	g_ptr_array_add(tree->nodes, node);
	return node;
}

static struct path_node *find_or_add_root(struct path_tree *tree, struct u64_map *roots, uint32_t index)
{
	struct path_node *node = u64_map_get_pointer(roots, index);

	if (!node) {
		node = add_node(tree, NULL);
		if (node) {
			u64_map_set_pointer(roots, index, node);
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

struct path_node *path_tree_find_child(const struct path_tree *tree, const struct path_node *parent,
				       const struct model_callback *callback, bool is_indirect)
{
	return u64_map_get_pointer(&tree->children,
				   (uint64_t)parent->index << 32 | (uint64_t)callback->index << 1 | is_indirect);
}

static struct path_node *find_or_add_child(struct path_tree *tree, struct path_node *parent,
					   struct model_callback *callback, bool is_indirect,
					   const struct flow_publication *publication)
{
	struct path_node *node = path_tree_find_child(tree, parent, callback, is_indirect);

	if (node) {
		return node;
	}
	if (parent->depth + 1 >= PATH_DEPTH_MAX) {
		diagnostics_add(tree->diagnostics, DIAGNOSTIC_PATHS_CAPPED, "callbacks of one path", 1);
		return NULL;
	}
	node = add_node(tree, parent);
	if (node) {
		node->callback = callback;
		node->is_indirect = is_indirect;
		node->is_return = has_passed(parent, callback);
		node->via = publication->publisher;
		u64_map_set_pointer(&tree->children,
				    (uint64_t)parent->index << 32 | (uint64_t)callback->index << 1 | is_indirect, node);
	}
	return node;
}

/* --- traversals --- */

/* Iterative: a chain may be long. */
static void release_step(struct path_tree *tree, struct step *step)
{
	while (step && --step->references == 0) {
		struct step *before = step->before;

		object_pool_give(&tree->steps, step);
		step = before;
	}
}

static struct step *add_step(struct path_tree *tree, struct path_node *node, const struct flow_execution *execution)
{
	struct step *step = object_pool_take(&tree->steps);

	step->node = node;
	step->references = 1;
	step->start_ns = execution ? execution->start_ns : NO_TIME;
	step->is_released = !execution;
	if (execution) {
		step->execution = execution;
	} else {
		step->end_ns = NO_TIME;
	}
	return step;
}

struct traversals *path_tree_traversals(struct path_tree *tree, struct flow_execution *execution)
{
	if (!execution->path_data) {
		execution->path_data = object_pool_take(&tree->traversals);
	}
	return execution->path_data;
}

/* Takes over the reference. */
static void add_traversal(struct path_tree *tree, struct flow_execution *execution, struct step *step)
{
	struct traversals *traversals = path_tree_traversals(tree, execution);

	if (traversals->count == PATH_TRAVERSALS_MAX) {
		diagnostics_add(tree->diagnostics, DIAGNOSTIC_PATHS_CAPPED, "ways to one callback execution", 1);
		release_step(tree, step);
		return;
	}
	if (traversals->count == 0) {
		traversals->first = step;
		traversals->count = 1;
		return;
	}
	if (traversals->count > traversals->capacity) {
		const size_t size = sizeof(struct step *);
		uint16_t capacity = traversals->capacity ? (uint16_t)(2 * traversals->capacity) : 4;

		traversals->more = arena_grow(recording_arena(tree->recording), traversals->more,
					      traversals->capacity * size, capacity * size);
		traversals->capacity = capacity;
	}
	traversals->more[traversals->count++ - 1] = step;
}

static void begin_at_callback(struct path_tree *tree, struct flow_execution *execution)
{
	struct path_node *root = find_or_add_root(tree, &tree->callback_roots, execution->callback->index);

	if (root) {
		struct step *step = add_step(tree, root, execution);

		root->callback = execution->callback;
		root->is_external = execution->kind == CALLBACK_KIND_SUBSCRIPTION;
		step->origin_ns = execution->start_ns;
		add_traversal(tree, execution, step);
	}
}

/* The flow comes by the message that caused the execution, from the step before. */
static void go_on(struct path_tree *tree, struct flow_execution *execution, struct step *before, bool is_indirect)
{
	const struct flow_delivery *delivery = execution->cause;
	const struct flow_publication *publication = delivery->publication;
	struct path_node *node;
	struct step *step;

	if (before->node->is_return) {
		return;
	}
	node = find_or_add_child(tree, before->node, execution->callback, is_indirect, publication);
	if (!node) {
		return;
	}
	node->via_service = delivery->service;
	step = add_step(tree, node, execution);
	step->before = before;
	before->references++;
	step->origin_ns = before->origin_ns;
	step->publish_ns = publication->first_ns;
	step->take_ns = delivery->take_ns;
	add_traversal(tree, execution, step);
}

static void come_from_outside_callbacks(struct path_tree *tree, struct flow_execution *execution)
{
	const struct flow_publication *publication = execution->cause->publication;
	struct path_node *root =
		publication->publisher ? find_or_add_root(tree, &tree->publisher_roots, publication->publisher->index)
		: publication->client  ? find_or_add_root(tree, &tree->client_roots, publication->client->index)
				       : NULL;

	if (root) {
		struct step *origin = add_step(tree, root, NULL);

		root->publisher = publication->publisher;
		root->client = publication->client;
		origin->origin_ns = publication->first_ns;
		go_on(tree, execution, origin, false);
		release_step(tree, origin);
	}
}

void path_tree_follow(struct path_tree *tree, struct flow_execution *execution)
{
	const struct flow_publication *publication;

	if (!execution->cause) {
		begin_at_callback(tree, execution);
		return;
	}
	publication = execution->cause->publication;
	if (publication->parent_count == 0 && publication->has_lost_origin) {
		begin_at_callback(tree, execution);
		return;
	}
	if (publication->parent_count == 0) {
		come_from_outside_callbacks(tree, execution);
		return;
	}
	for (unsigned int i = 0; i < publication->parent_count; i++) {
		struct traversals *before = publication->parents[i]->path_data;

		for (unsigned int j = 0; before && j < before->count; j++) {
			go_on(tree, execution, traversals_at(before, j), i > 0 || !publication->has_direct_parent);
		}
	}
}

void path_tree_release(struct path_tree *tree, struct flow_execution *execution)
{
	struct traversals *traversals = execution->path_data;

	if (traversals) {
		struct arena *arena = recording_arena(tree->recording);

		for (unsigned int i = 0; i < traversals->count; i++) {
			struct step *step = traversals_at(traversals, i);

			step->end_ns = step_end_ns(step);
			step->is_released = true;
			release_step(tree, step);
		}
		arena_give(arena, traversals->more, traversals->capacity * sizeof(struct step *));
		arena_give(arena, traversals->missed, MISSED_SIZE);
		object_pool_give(&tree->traversals, traversals);
		execution->path_data = NULL;
	}
}

/* --- life --- */

void path_tree_init(struct path_tree *tree, const struct analysis_context *context)
{
	tree->recording = context->recording;
	tree->model = context->model;
	tree->diagnostics = context->diagnostics;
	tree->options = context->options;
	object_pool_init(&tree->traversals, sizeof(struct traversals));
	object_pool_init(&tree->steps, sizeof(struct step));
	tree->nodes = g_ptr_array_new();
	tree->all = g_ptr_array_new();
}

void path_tree_clear(struct path_tree *tree)
{
	u64_map_clear(&tree->children);
	u64_map_clear(&tree->callback_roots);
	u64_map_clear(&tree->publisher_roots);
	u64_map_clear(&tree->client_roots);
	g_ptr_array_free(tree->all, TRUE);
	g_ptr_array_free(tree->nodes, TRUE);
	object_pool_clear(&tree->traversals);
	object_pool_clear(&tree->steps);
}
