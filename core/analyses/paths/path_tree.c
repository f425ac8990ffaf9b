/* SPDX-License-Identifier: MIT */
#include "core/analyses/paths/path_tree.h"

#include "core/analyses/paths/condition_sets.h"
#include "core/analyses/shared/latched_delivery.h"
#include "core/base/arena_parts.h"

#define PATH_TRAVERSALS_MAX 256 /* ways to one execution */

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

/* Of the first traversal that an execution carries; NULL if there is none. */
static inline const struct step *first_step(const void *data)
{
	const struct step *step = traversals_step(data);

	return step || !data ? step : ((const struct traversals *)data)->first;
}

/* The step of an execution at which a flow begins. */
static struct step *add_root_step(struct path_tree *tree, struct path_node *root,
				  const struct flow_execution *execution)
{
	struct step *step = object_pool_take_unset(&tree->steps);

	*step = (struct step){
		.node = root,
		.references = 1,
		.execution = execution,
		.origin_ns = execution->start_ns,
		.start_ns = execution->start_ns,
	};
	return step;
}

struct traversals *path_tree_make_traversals(struct path_tree *tree, struct flow_execution *execution)
{
	struct traversals *traversals = OBJECT_POOL_TAKE(&tree->traversals, struct traversals);
	void **data = &execution->data[tree->data_index];
	struct path_node *root = path_tree_root(tree, execution);

	traversals->first = root ? add_root_step(tree, root, execution) : traversals_step(*data);
	traversals->count = traversals->first != NULL;
	*data = traversals;
	return traversals;
}

/* To those of an execution that carries some already. */
static G_GNUC_NO_INLINE void add_another(struct path_tree *tree, struct flow_execution *execution, struct step *step)
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

/* Takes over the reference. */
static inline void add_traversal(struct path_tree *tree, struct flow_execution *execution, struct step *step)
{
	void **data = &execution->data[tree->data_index];

	if (G_LIKELY(!*data)) {
		*data = traversals_of_step(step);
	} else {
		add_another(tree, execution, step);
	}
}

static void name_callback_root(struct path_node *root, const struct flow_execution *execution)
{
	if (path_node_is_conditional(root)) {
		name_callback_root(root->plain, execution);
	}
	root->callback = execution->callback;
	root->kind = execution->kind;
	root->first_ns = root->first_ns ? root->first_ns : execution->start_ns;
	root->is_inferred = execution->kind == CALLBACK_KIND_INFERRED;
	root->is_external = root->is_inferred || execution->kind == CALLBACK_KIND_SUBSCRIPTION;
}

/* A flow that begins in a callback, which may have a message from outside the trace. */
static struct path_arrival arrival_at_root(const struct path_tree *tree, const struct flow_execution *execution)
{
	const struct model_subscription *subscription =
		execution->kind == CALLBACK_KIND_SUBSCRIPTION || execution->kind == CALLBACK_KIND_INFERRED
			? object_model_callback_info(tree->model, execution->callback)->subscription
			: NULL;

	return (struct path_arrival){
		.name = subscription ? subscription->topic : NULL,
		.is_out_of_range = !analysis_options_include(tree->options, execution->start_ns),
	};
}

/* A flow that began at origin_ns, by a message or request. */
static struct path_arrival arrival_by(const struct path_tree *tree, const struct flow_delivery *delivery,
				      int64_t origin_ns)
{
	const struct model_publisher *publisher = delivery->publication->publisher;

	return (struct path_arrival){
		.name = publisher	    ? publisher->topic
			: delivery->service ? delivery->service->name
					    : NULL,
		.is_out_of_range = !analysis_options_include(tree->options, origin_ns),
	};
}

static struct path_node *find_or_add_beginning(struct path_tree *tree, const struct flow_execution *execution,
					       uint32_t condition)
{
	struct path_arrival arrival = arrival_at_root(tree, execution);
	struct path_node *root =
		path_nodes_root(&tree->nodes, &tree->callback_roots, execution->callback->index, condition, &arrival);

	if (root) {
		name_callback_root(root, execution);
	}
	return root;
}

/* Where others of the same kind have begun on no condition: find_or_add_beginning() would find it and change nothing.
 */
static inline struct path_node *usual_beginning(const struct path_tree *tree, const struct flow_execution *execution)
{
	struct path_node *root = slot_get(tree->callback_roots.plain, execution->callback->index);

	return root && path_node_is_settled(root) && root->first_ns && root->kind == execution->kind ? root : NULL;
}

static G_GNUC_NO_INLINE void begin_at_callback(struct path_tree *tree, struct flow_execution *execution,
					       uint32_t condition)
{
	struct path_node *root = condition ? NULL : usual_beginning(tree, execution);

	if (!root) {
		root = find_or_add_beginning(tree, execution, condition);
	}
	if (root && !path_tree_only_begins(tree, execution)) {
		add_traversal(tree, execution, add_root_step(tree, root, execution));
	}
}

/*
 * Flows have come back to a callback and end: one flow begins there for the next round. If they have come on
 * conditions, so does this one; other conditions for the same execution exclude the first ones.
 */
static void begin_round(struct path_tree *tree, struct flow_execution *execution, const struct path_node *last)
{
	struct traversals *traversals = path_tree_traversals(tree, execution);
	uint32_t conditions = path_node_is_conditional(last) ? condition_sets_of_way(tree->condition_sets, last) : 0;
	struct path_arrival arrival;
	struct path_node *root;

	if (conditions == CONDITION_SETS_FULL) {
		diagnostics_add(tree->diagnostics, DIAGNOSTIC_PATHS_CAPPED, "rounds through nodes without rclcpp", 1);
		return;
	}
	arrival = arrival_at_root(tree, execution);
	root = path_nodes_root(&tree->nodes, &tree->round_roots, execution->callback->index, conditions, &arrival);
	if (!root) {
		return;
	}
	name_callback_root(root, execution);
	root->is_external = root->is_round = true;
	root->plain->is_external = root->plain->is_round = true;
	for (unsigned int i = 0; i < traversals->count; i++) {
		const struct path_node *node = traversals_at(traversals, i)->node;

		if (node == root || (node->is_round && node->plain == node)) {
			return;
		}
	}
	add_another(tree, execution, add_root_step(tree, root, execution));
}

/*
 * Of the message by which the execution comes to the node: the first of its traversals asks, the others have the same.
 * Where flows are only counted that is not asked.
 */
static uint32_t hold_of_message(struct path_tree *tree, const struct flow_execution *execution,
				const struct path_node *node)
{
	const struct step *first = first_step(execution->data[tree->data_index]);

	if (path_tree_only_counts(tree, node)) {
		return PATH_HOLD_NONE;
	}
	if (G_UNLIKELY(first && !path_tree_only_counts(tree, first->node))) {
		return path_holds_add(&tree->holds, first->hold, path_holds_get(&tree->holds, first->hold));
	}
	return path_holds_measure(&tree->holds, execution);
}

/* The general way: for an arrival, too, that makes a node, or changes it. No node is after one that is a return. */
static G_GNUC_NO_INLINE struct path_node *find_or_add_node(struct path_tree *tree, struct path_node *parent,
							   const struct flow_execution *execution, int64_t origin_ns,
							   bool is_indirect, uint32_t condition)
{
	struct path_arrival arrival = arrival_by(tree, execution->cause, origin_ns);

	return parent->is_return ? NULL
				 : path_nodes_child(&tree->nodes, parent, execution, is_indirect, condition, &arrival);
}

/*
 * Where the flow comes to. flow_linker_way() keeps the node to which the last message of its publisher and subscription
 * led by the direct way and on no condition: it is what find_or_add_node() finds if it is after the same node. NULL:
 * the flow has ended there, or there is no room.
 */
static inline struct path_node *node_after(struct path_tree *tree, const struct step *before,
					   const struct flow_execution *execution, bool is_indirect, uint32_t condition)
{
	void **way = is_indirect || condition ? NULL : flow_linker_way(tree->flows);
	struct path_node *node = way ? *way : NULL;

	if (G_LIKELY(node && node->parent == before->node && node->callback == execution->callback &&
		     path_node_is_settled(node))) {
		return node;
	}
	node = find_or_add_node(tree, before->node, execution, before->origin_ns, is_indirect, condition);
	if (way && node) {
		*way = node;
	}
	return node;
}

/* The flow comes to the node by the message that caused the execution, from the step before. */
static inline void set_step(const struct path_tree *tree, struct step *step, struct path_node *node,
			    struct step *before, const struct flow_execution *execution, uint32_t hold)
{
	const struct flow_delivery *delivery = execution->cause;

	node->via_service = node->plain->via_service = delivery->service;
	/* a flow may end here */
	prefetch(node->path, offsetof(struct path, latency.beside));
	prefetch(node->last_hops, 2 * sizeof(struct hop_times));
	prefetch(node->last_holds, sizeof(struct hop_holds));
	*step = (struct step){
		.node = node,
		.before = before,
		.references = 1,
		.hold = hold,
		.is_latched = delivery_is_latched(tree->recording, delivery) || before->is_latched,
		.execution = execution,
		.origin_ns = before->origin_ns,
		.publish_ns = delivery->publication->first_ns,
		.take_ns = delivery->take_ns,
		.start_ns = execution->start_ns,
	};
}

/* The flow comes by the message that caused the execution, from the step before. */
static void go_on(struct path_tree *tree, struct flow_execution *execution, struct step *before, bool is_indirect,
		  uint32_t condition)
{
	struct path_node *node = node_after(tree, before, execution, is_indirect, condition);
	struct step *step;

	if (!node) {
		return;
	}
	step = object_pool_take_unset(&tree->steps);
	set_step(tree, step, node, before, execution, hold_of_message(tree, execution, node));
	before->references++;
	add_traversal(tree, execution, step);
	if (G_UNLIKELY(node->is_return)) {
		begin_round(tree, execution, node);
	}
}

/* Of the publisher or client outside callbacks by which the message came; NULL if that is not known, either. */
static struct path_node *outside_root(struct path_tree *tree, const struct flow_delivery *delivery, uint32_t condition)
{
	const struct flow_publication *publication = delivery->publication;
	struct path_roots *roots = publication->publisher ? &tree->publisher_roots : &tree->client_roots;
	struct path_arrival arrival;
	struct path_node *root;
	uint32_t index;

	if (!publication->publisher && !publication->client) {
		return NULL;
	}
	index = publication->publisher ? publication->publisher->index : publication->client->index;
	root = path_roots_find(roots, index, condition);
	if (G_LIKELY(root && path_node_is_settled(root))) {
		return root;
	}
	arrival = arrival_by(tree, delivery, publication->first_ns);
	return path_nodes_root(&tree->nodes, roots, index, condition, &arrival);
}

static void come_from_outside_callbacks(struct path_tree *tree, struct flow_execution *execution, uint32_t condition)
{
	const struct flow_publication *publication = execution->cause->publication;
	struct path_node *root = outside_root(tree, execution->cause, condition);

	if (root) {
		struct step *origin = object_pool_take_unset(&tree->steps);

		*origin = (struct step){
			.node = root,
			.references = 1,
			.is_released = true,
			.end_ns = NO_TIME,
			.origin_ns = publication->first_ns,
			.start_ns = NO_TIME,
		};
		root->publisher = root->plain->publisher = publication->publisher;
		root->client = root->plain->client = publication->client;
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

/* Most carry a single traversal. */
static inline void go_on_from(struct path_tree *tree, struct flow_execution *execution, struct flow_execution *parent,
			      bool is_indirect, uint32_t condition)
{
	void **data = &parent->data[tree->data_index];
	struct path_node *root = path_tree_root(tree, parent);
	const struct traversals *before;

	if (root) {
		*data = traversals_of_step(add_root_step(tree, root, parent));
	}
	if (G_LIKELY(traversals_step(*data))) {
		go_on(tree, execution, traversals_step(*data), is_indirect, condition);
		return;
	}
	before = *data;
	for (unsigned int i = 0; before && i < before->count; i++) {
		go_on(tree, execution, traversals_at(before, i), is_indirect, condition);
	}
}

/* Its message is known. */
static G_GNUC_NO_INLINE void follow_message(struct path_tree *tree, struct flow_execution *execution)
{
	const struct flow_publication *publication = execution->cause->publication;
	size_t candidates;

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

/* Most messages come by one step, and others of the same publication have come by it before; NULL: not this one. */
static inline struct step *only_step_before(const struct path_tree *tree, const struct flow_publication *publication)
{
	bool is_only = publication->parent_count == 1 && !publication->candidates;

	return is_only ? traversals_step(publication->parents[0]->data[tree->data_index]) : NULL;
}

void path_tree_follow(struct path_tree *tree, struct flow_execution *execution)
{
	const struct flow_publication *publication = execution->cause ? execution->cause->publication : NULL;
	struct step *before = publication ? only_step_before(tree, publication) : NULL;

	if (G_LIKELY(before != NULL)) {
		go_on(tree, execution, before, !publication->has_direct_parent, 0);
	} else if (publication) {
		follow_message(tree, execution);
	} else if (G_UNLIKELY(!path_tree_only_begins(tree, execution) || !usual_beginning(tree, execution))) {
		begin_at_callback(tree, execution, 0);
	}
}

/* Others that follow it may still ask when it ended. */
void path_tree_release_last(struct path_tree *tree, struct step *step)
{
	if (step->references > 1) {
		step->end_ns = step_end_ns(step);
		step->is_released = true;
	}
	release_step(tree, step);
}

G_GNUC_NO_INLINE void path_tree_release_traversals(struct path_tree *tree, struct traversals *traversals)
{
	struct arena *arena = recording_arena(tree->recording);

	for (unsigned int i = 0; i < traversals->count; i++) {
		path_tree_release_last(tree, traversals_at(traversals, i));
	}
	arena_give(arena, traversals->more, traversals->capacity * sizeof(struct step *));
	arena_give(arena, traversals->missed, MISSED_SIZE);
	arena_give(arena, traversals->onward, ONWARD_SIZE);
	object_pool_give(&tree->traversals, traversals);
}

/* --- life --- */

void path_tree_init(struct path_tree *tree, const struct analysis_context *context, const GPtrArray *all,
		    bool measures_holds, bool only_counts_hidden)
{
	struct arena *arena = recording_arena(context->recording);

	tree->recording = context->recording;
	tree->model = context->model;
	tree->numbers = context->numbers;
	tree->flows = context->flows;
	tree->coverage = executions_coverage(context->executions);
	tree->data_index = flow_linker_reserve(context->flows);
	tree->diagnostics = context->diagnostics;
	tree->options = context->options;
	tree->only_counts_hidden = only_counts_hidden;
	path_nodes_init(&tree->nodes, context);
	tree->note = arena_string(arena);
	tree->long_note = arena_string(arena);
	path_roots_init(&tree->callback_roots, arena);
	path_roots_init(&tree->round_roots, arena);
	path_roots_init(&tree->publisher_roots, arena);
	path_roots_init(&tree->client_roots, arena);
	arena_pool(arena, &tree->traversals, sizeof(struct traversals));
	arena_pool(arena, &tree->steps, sizeof(struct step));
	path_holds_init(&tree->holds, context, measures_holds);
	tree->condition_sets = arena_own(arena, condition_sets_create(), (GDestroyNotify)g_ptr_array_unref);
	tree->all = all;
}
