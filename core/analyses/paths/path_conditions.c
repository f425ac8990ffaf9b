/* SPDX-License-Identifier: MIT */
#include "core/analyses/paths/path_conditions.h"

#include "core/analyses/paths/condition_sets.h"
#include "core/base/arena.h"

/* A piece of the spool: this, then the steps from the last one to the first. */
struct kept_traversal {
	uint32_t node;
	uint32_t onward_count;
	uint32_t onward[ONWARD_MAX];
	int64_t end_ns;
};

struct kept_step {
	int64_t origin_ns, publish_ns, take_ns, start_ns, end_ns;
	bool is_latched;
	uint32_t hold; /* of it only whether there is an entry */
	struct path_hold entry;
};

bool path_conditions_matter(const struct step *last, const struct traversals *traversals)
{
	return path_node_is_conditional(last->node) || (traversals && traversals->onward_count > 0);
}

static void add_onward(struct path_tree *tree, struct flow_execution *execution, uint32_t condition)
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

void path_conditions_add_onward(struct path_tree *tree, const struct flow_publication *publication)
{
	size_t candidates = flow_linker_candidate_count(tree->flows, publication->candidates);

	for (unsigned int i = 0; i < candidates; i++) {
		add_onward(tree, publication->parents[i], publication->candidates + 1 + i);
	}
}

G_GNUC_NO_INLINE void path_conditions_keep(struct spool *spool, const struct step *last,
					   const struct traversals *traversals, int64_t end_ns,
					   const struct path_holds *holds)
{
	struct kept_traversal kept = {
		.node = last->node->index,
		.onward_count = traversals ? traversals->onward_count : 0,
		.end_ns = end_ns,
	};

	for (unsigned int i = 0; i < kept.onward_count; i++) {
		kept.onward[i] = traversals->onward[i];
	}
	spool_write(spool, &kept, sizeof(kept));
	for (const struct step *step = last; step; step = step->before) {
		const struct kept_step times = {
			.origin_ns = step->origin_ns,
			.publish_ns = step->publish_ns,
			.take_ns = step->take_ns,
			.start_ns = step->start_ns,
			.end_ns = step_end_ns(step),
			.is_latched = step->is_latched,
			.hold = step->hold,
			.entry = path_holds_get(holds, step->hold),
		};

		spool_write(spool, &times, sizeof(times));
	}
}

static bool node_holds(const struct path_tree *tree, const struct path_node *node)
{
	return node->is_round ? condition_sets_hold(tree->condition_sets, node->condition, tree->flows)
			      : flow_linker_holds(tree->flows, node->condition);
}

static bool holds(const struct path_tree *tree, const struct path_node *node)
{
	while (node && node_holds(tree, node)) {
		node = node->parent;
	}
	return node == NULL;
}

/* Whether the flow came this way and went no further. */
static bool has_ended_here(const struct path_tree *tree, const struct kept_traversal *kept)
{
	for (uint32_t i = 0; i < kept->onward_count; i++) {
		if (flow_linker_holds(tree->flows, kept->onward[i])) {
			return false;
		}
	}
	return holds(tree, tree->nodes.all->pdata[kept->node]);
}

/* False if the piece is not whole. */
static bool read_steps(struct spool *spool, struct path_holds *holds, struct path_node *last,
		       struct waiting_traversal *traversal)
{
	struct step *after = NULL;

	for (struct path_node *node = last; node; node = node->parent) {
		struct step *step = &traversal->steps[node->depth];
		struct kept_step times;

		if (!spool_read(spool, &times, sizeof(times))) {
			return false;
		}
		path_holds_give(holds, step->hold);
		*step = (struct step){
			.node = node,
			.is_released = true,
			.is_latched = times.is_latched,
			.origin_ns = times.origin_ns,
			.publish_ns = times.publish_ns,
			.take_ns = times.take_ns,
			.start_ns = times.start_ns,
			.end_ns = times.end_ns,
			.hold = path_holds_add(holds, times.hold, times.entry),
		};
		if (after) {
			after->before = step;
		}
		after = step;
	}
	return true;
}

bool path_conditions_next(struct spool *spool, struct path_tree *tree, struct waiting_traversal *traversal)
{
	struct kept_traversal kept;

	if (!traversal->steps) {
		traversal->steps = g_new0(struct step, PATH_DEPTH_MAX);
		spool_rewind(spool);
	}
	while (spool_read(spool, &kept, sizeof(kept))) {
		struct path_node *plain = ((struct path_node *)tree->nodes.all->pdata[kept.node])->plain;

		if (!read_steps(spool, &tree->holds, plain, traversal)) {
			break;
		}
		if (has_ended_here(tree, &kept)) {
			traversal->last = &traversal->steps[plain->depth];
			traversal->end_ns = kept.end_ns;
			return true;
		}
	}
	return false;
}

void path_conditions_add_losses(const struct path_tree *tree)
{
	for (guint i = 0; i < tree->nodes.all->len; i++) {
		const struct path_node *node = tree->nodes.all->pdata[i];

		if (path_node_is_conditional(node) && (node->lost > 0 || node->unknown > 0) && holds(tree, node)) {
			node->plain->lost += node->lost;
			node->plain->unknown += node->unknown;
		}
	}
}
