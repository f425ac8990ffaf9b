/* SPDX-License-Identifier: MIT */
#include "core/analyses/paths/path_tree.h"

#include "core/analyses/paths/condition_sets.h"
#include "core/analyses/shared/latched_delivery.h"

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

/* `index`: of the object, in the map of its kind. */
static struct path_node *find_or_add_root(struct path_tree *tree, struct u64_map *roots, uint32_t index,
					  uint32_t condition)
{
	uint64_t key = (uint64_t)condition << 32 | index;
	struct path_node *node = u64_map_get_pointer(roots, key);
	struct path_node *plain;

	if (node) {
		return node;
	}
	plain = condition ? find_or_add_root(tree, roots, index, 0) : NULL;
	if (condition && !plain) {
		return NULL;
	}
	node = add_node(tree, NULL);
	if (node) {
		node->condition = condition;
		node->plain = plain ? plain : node;
		u64_map_set_pointer(roots, key, node);
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

/* Nodes and conditions are so few that 16 bits hold the number of each (PATH_NODES_MAX, PROVENANCE_CONDITIONS_MAX). */
static uint64_t child_key(const struct path_node *parent, const struct model_callback *callback, bool is_indirect,
			  uint32_t condition)
{
	uint32_t way = parent->index << 16 | condition;

	return (uint64_t)way << 32 | (uint64_t)callback->index << 1 | is_indirect;
}

struct path_node *path_tree_find_child(const struct path_tree *tree, const struct path_node *parent,
				       const struct model_callback *callback, bool is_indirect, uint32_t condition)
{
	return u64_map_get_pointer(&tree->children, child_key(parent, callback, is_indirect, condition));
}

static struct path_node *add_child(struct path_tree *tree, struct path_node *parent,
				   const struct flow_execution *execution, bool is_indirect, uint32_t condition)
{
	struct path_node *node = add_node(tree, parent);

	if (node) {
		node->callback = execution->callback;
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

/* The node of the callback that is executed, after a parent. */
static struct path_node *find_or_add_child(struct path_tree *tree, struct path_node *parent,
					   const struct flow_execution *execution, bool is_indirect, uint32_t condition)
{
	uint64_t key = child_key(parent, execution->callback, is_indirect, condition);
	struct path_node *node = u64_map_get_pointer(&tree->children, key);
	struct path_node *plain = NULL;

	if (node) {
		return node;
	}
	if (parent->depth + 1 >= PATH_DEPTH_MAX) {
		diagnostics_add(tree->diagnostics, DIAGNOSTIC_PATHS_CAPPED, "callbacks of one path", 1);
		return NULL;
	}
	if (condition || path_node_is_conditional(parent)) {
		plain = find_or_add_child(tree, parent->plain, execution, is_indirect, 0);
		if (!plain) {
			return NULL;
		}
	}
	node = add_child(tree, parent, execution, is_indirect, condition);
	if (node) {
		node->plain = plain ? plain : node;
		u64_map_set_pointer(&tree->children, key, node);
	}
	return node;
}

/* --- traversals --- */

/* Iterative: a chain may be long. */
static void release_step(struct path_tree *tree, struct step *step)
{
	while (step && step->references == 1) {
		struct step *before = step->before;

		path_holds_give(&tree->holds, step->hold);
		object_pool_give(&tree->steps, step);
		step = before;
	}
	if (step) {
		step->references -= 1U;
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

static void name_callback_root(struct path_node *root, const struct flow_execution *execution)
{
	root->callback = execution->callback;
	root->is_inferred = execution->kind == CALLBACK_KIND_INFERRED;
	root->is_external = root->is_inferred || execution->kind == CALLBACK_KIND_SUBSCRIPTION;
}

static void begin_at_callback(struct path_tree *tree, struct flow_execution *execution, uint32_t condition)
{
	struct path_node *root = find_or_add_root(tree, &tree->callback_roots, execution->callback->index, condition);

	if (root) {
		struct step *step = add_step(tree, root, execution);

		name_callback_root(root, execution);
		name_callback_root(root->plain, execution);
		step->origin_ns = execution->start_ns;
		add_traversal(tree, execution, step);
	}
}

/* The number of the conditions on which the flow has come this way (path_tree.condition_sets). */
static uint32_t conditions_of(struct path_tree *tree, const struct path_node *node)
{
	g_autoptr(GArray) conditions = g_array_new(FALSE, FALSE, sizeof(uint32_t));

	for (; node->parent; node = node->parent) {
		if (node->condition) {
			g_array_append_val(conditions, node->condition);
		}
	}
	if (node->is_round) {
		const GArray *more = tree->condition_sets->pdata[node->condition];

		g_array_append_vals(conditions, more->data, more->len);
	} else if (node->condition) {
		g_array_append_val(conditions, node->condition);
	}
	return condition_sets_find_or_add(tree->condition_sets, conditions);
}

/*
 * Flows have come back to a callback and end: one flow begins there for the next round. If they have come on
 * conditions, so does this one; other conditions for the same execution exclude the first ones.
 */
static void begin_round(struct path_tree *tree, struct flow_execution *execution, const struct path_node *last)
{
	struct traversals *traversals = path_tree_traversals(tree, execution);
	uint32_t conditions = path_node_is_conditional(last) ? conditions_of(tree, last) : 0;
	struct path_node *root;
	struct step *step;

	if (conditions == CONDITION_SETS_FULL) {
		diagnostics_add(tree->diagnostics, DIAGNOSTIC_PATHS_CAPPED, "rounds through nodes without rclcpp", 1);
		return;
	}
	root = find_or_add_root(tree, &tree->round_roots, execution->callback->index, conditions);
	for (unsigned int i = 0; i < traversals->count; i++) {
		const struct path_node *node = traversals_at(traversals, i)->node;

		if (node == root || (node->is_round && node->plain == node)) {
			return;
		}
	}
	if (root) {
		step = add_step(tree, root, execution);
		name_callback_root(root, execution);
		root->is_external = root->is_round = true;
		root->plain->is_external = root->plain->is_round = true;
		step->origin_ns = execution->start_ns;
		add_traversal(tree, execution, step);
	}
}

/* Of the message that the execution handles: the first of its traversals asks, the others have the same. */
static uint32_t hold_of_message(struct path_tree *tree, struct flow_execution *execution)
{
	const struct traversals *traversals = path_tree_traversals(tree, execution);
	uint32_t hold;

	if (traversals->count == 0) {
		return path_holds_measure(&tree->holds, execution);
	}
	hold = traversals->first->hold;
	return path_holds_add(&tree->holds, hold, path_holds_get(&tree->holds, hold));
}

/* The flow comes by the message that caused the execution, from the step before. */
static void go_on(struct path_tree *tree, struct flow_execution *execution, struct step *before, bool is_indirect,
		  uint32_t condition)
{
	const struct flow_delivery *delivery = execution->cause;
	struct path_node *node;
	struct step *step;

	if (before->node->is_return) {
		return;
	}
	node = find_or_add_child(tree, before->node, execution, is_indirect, condition);
	if (!node) {
		return;
	}
	node->via_service = delivery->service;
	node->plain->via_service = delivery->service;
	step = add_step(tree, node, execution);
	step->before = before;
	step->hold = hold_of_message(tree, execution);
	before->references++;
	step->origin_ns = before->origin_ns;
	step->is_latched = delivery_is_latched(tree->recording, delivery);
	step->publish_ns = delivery->publication->first_ns;
	step->take_ns = delivery->take_ns;
	add_traversal(tree, execution, step);
	if (G_UNLIKELY(node->is_return)) {
		begin_round(tree, execution, node);
	}
}

static void name_publisher_root(struct path_node *root, const struct flow_publication *publication)
{
	root->publisher = publication->publisher;
	root->client = publication->client;
}

static void come_from_outside_callbacks(struct path_tree *tree, struct flow_execution *execution, uint32_t condition)
{
	const struct flow_publication *publication = execution->cause->publication;
	struct path_node *root =
		publication->publisher
			? find_or_add_root(tree, &tree->publisher_roots, publication->publisher->index, condition)
		: publication->client
			? find_or_add_root(tree, &tree->client_roots, publication->client->index, condition)
			: NULL;

	if (root) {
		struct step *origin = add_step(tree, root, NULL);

		name_publisher_root(root, publication);
		name_publisher_root(root->plain, publication);
		origin->origin_ns = publication->first_ns;
		go_on(tree, execution, origin, false, 0);
		release_step(tree, origin);
	}
}

/* It is not known where the message is from. */
static void begin(struct path_tree *tree, struct flow_execution *execution, uint32_t condition)
{
	if (execution->cause->publication->has_lost_origin) {
		begin_at_callback(tree, execution, condition);
	} else {
		come_from_outside_callbacks(tree, execution, condition);
	}
}

static void go_on_from(struct path_tree *tree, struct flow_execution *execution, const struct flow_execution *parent,
		       bool is_indirect, uint32_t condition)
{
	struct traversals *before = parent->path_data;

	for (unsigned int i = 0; before && i < before->count; i++) {
		go_on(tree, execution, traversals_at(before, i), is_indirect, condition);
	}
}

void path_tree_follow(struct path_tree *tree, struct flow_execution *execution)
{
	const struct flow_publication *publication;
	size_t candidates;

	if (!execution->cause) {
		begin_at_callback(tree, execution, 0);
		return;
	}
	publication = execution->cause->publication;
	if (publication->parent_count == 0) {
		begin(tree, execution, 0);
		return;
	}
	candidates = flow_linker_candidate_count(tree->flows, publication->candidates);
	for (unsigned int i = 0; i < candidates; i++) {
		go_on_from(tree, execution, publication->parents[i], false, publication->candidates + 1 + i);
	}
	if (candidates > 0) {
		begin(tree, execution, publication->candidates);
	}
	for (size_t i = candidates; i < publication->parent_count; i++) {
		go_on_from(tree, execution, publication->parents[i], i > 0 || !publication->has_direct_parent, 0);
	}
}

void path_tree_add_onward(struct path_tree *tree, struct flow_execution *execution, uint32_t condition)
{
	struct traversals *traversals = path_tree_traversals(tree, execution);

	if (!traversals->onward) {
		traversals->onward = arena_take(recording_arena(tree->recording), ONWARD_SIZE);
	}
	for (unsigned int i = 0; i < traversals->onward_count; i++) {
		if (traversals->onward[i] == condition) {
			return;
		}
	}
	if (traversals->onward_count < ONWARD_MAX) {
		traversals->onward[traversals->onward_count++] = condition;
	} else {
		diagnostics_add(tree->diagnostics, DIAGNOSTIC_PATHS_CAPPED, "publishers of one inferred execution", 1);
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
		arena_give(arena, traversals->onward, ONWARD_SIZE);
		object_pool_give(&tree->traversals, traversals);
		execution->path_data = NULL;
	}
}

/* --- life --- */

void path_tree_init(struct path_tree *tree, const struct analysis_context *context, const GPtrArray *all,
		    bool measures_holds)
{
	tree->recording = context->recording;
	tree->model = context->model;
	tree->numbers = context->numbers;
	tree->flows = context->flows;
	tree->diagnostics = context->diagnostics;
	tree->options = context->options;
	object_pool_init(&tree->traversals, sizeof(struct traversals));
	object_pool_init(&tree->steps, sizeof(struct step));
	path_holds_init(&tree->holds, context, measures_holds);
	tree->condition_sets = condition_sets_create();
	tree->nodes = g_ptr_array_new();
	tree->all = all;
}

void path_tree_clear(struct path_tree *tree)
{
	u64_map_clear(&tree->children);
	u64_map_clear(&tree->callback_roots);
	u64_map_clear(&tree->round_roots);
	u64_map_clear(&tree->publisher_roots);
	u64_map_clear(&tree->client_roots);
	g_ptr_array_free(tree->condition_sets, TRUE);
	g_ptr_array_free(tree->nodes, TRUE);
	object_pool_clear(&tree->traversals);
	object_pool_clear(&tree->steps);
	path_holds_clear(&tree->holds);
}
