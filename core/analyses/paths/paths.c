/* SPDX-License-Identifier: MIT */
/*
 * The tables `paths`, `path_hops`, `path_instances`, `path_hop_instances`, `worst_paths` and `worst_path_hops`: chains
 * of callbacks, the end-to-end latency along them and where it was spent; and the same in the timeline
 * (path_timeline.h). Listens to the flow linker.
 *
 * A flow starts at a timer callback, at a publication outside any callback, or at a callback whose message is from
 * outside the trace or from a thread that may have lost the start of a callback. It ends at a callback that no other
 * callback follows, or at the first one that it has passed already, and has at least one message. Each execution
 * that may go on carries its traversals: the ways on which a flow has arrived there, which are several where messages
 * are kept or joined. Ways are nodes of a tree of callbacks (path_tree.h). A flow whose message is lost (enum
 * flow_outcome) is lost for every path that continues in the same way with the callback that the message was for. A
 * flow is unknown where the fate of its message is, or where its last callback was cut.
 *
 * Flows pass through nodes without rclcpp (inferred_executions.h) where a publication certainly results from a message
 * that the node took. That is decided at the end of the recording, and what depends on it waits until then
 * (path_conditions.h). The end of such a callback is not known: a flow that ends in one ends with its take.
 *
 * The latency of a traversal: from the start of its first callback (or the first publication) to the end of its last
 * callback. A traversal counts in the time range by its origin.
 *
 * The hops of a path are those of the traversals that ended on it, so their times add up to its latency: each traversal
 * is a chain of steps, which is added up when it ends. Flows that left the path earlier have no part in it. The same
 * holds for the part of a hop's transport in which the thread that took the message was busy (path_holds.h).
 *
 * Cost: a step per traversal and execution; at its end, a few additions per hop. Memory: the tree, and the chains of
 * the executions that are under way.
 */
#include "core/analyses/paths/path_conditions.h"
#include "core/analyses/paths/path_joins.h"
#include "core/analyses/paths/path_names.h"
#include "core/analyses/paths/path_schedules.h"
#include "core/analyses/paths/path_tables.h"
#include "core/analyses/paths/path_timeline.h"
#include "core/analyses/paths/paths.h"
#include "core/analyses/shared/final_silence.h"
#include "core/analyses/shared/latched_delivery.h"
#include "core/base/arena_parts.h"
#include "core/model/execution_schedules.h"
#include "core/model/coverage.h"

struct paths {
	struct analysis analysis; /* its rows: struct path */
	struct path_tree tree;
	struct execution_schedules *schedules; /* borrowed; NULL: nobody asked for them */
	struct path_timeline timeline;
	bool shows_traversals; /* some of them by themselves, not only in sums */
	bool counts_all;       /* there is no time range */
	struct spool waiting;  /* traversals on conditions */
};

static G_GNUC_NO_INLINE void add_path(struct paths *paths, struct path_node *node)
{
	struct arena *arena = recording_arena(paths->tree.recording);
	size_t hops = node->depth + 1U;

	node->path = row_store_add(&paths->analysis.rows);
	node->path->id = paths->tree.all->len + paths->tree.hidden_count;
	node->path->node = node;
	node->path->hops = arena_take(arena, hops * sizeof(struct hop_times));
	node->last_hops = &node->path->hops[node->depth - 1]; /* no flow ends at a root */
	node->path->worst = worst_create(arena, paths->tree.options->worst, hops * sizeof(struct worst_hop));
	node->path->is_chosen = path_is_chosen(&paths->tree, node);
}

static inline struct path *path_of(struct paths *paths, struct path_node *node)
{
	if (G_UNLIKELY(!node->path)) {
		add_path(paths, node);
	}
	return node->path;
}

/* How long the message that the flow arrived by was kept. */
static int64_t kept_ns(const struct step *step)
{
	int64_t end_ns = step_end_ns(step->before);

	return end_ns == NO_TIME ? 0 : step->publish_ns - end_ns;
}

/* Adds where the time between two steps of a traversal went: to the hop of the step, and to the hop before. */
static inline void add_step_times(struct hop_times *hop, struct hop_times *before, const struct step *step)
{
	hop->transport_ns += step->take_ns - step->publish_ns;
	hop->wait_ns += step->start_ns - step->take_ns;
	if (step->before->start_ns != NO_TIME) {
		int64_t callback_ns = step->publish_ns - step->before->start_ns;

		if (G_UNLIKELY(step->node->is_indirect)) { /* else the callback published it itself */
			int64_t kept = kept_ns(step);

			callback_ns -= kept;
			before->kept_ns += kept;
		}
		before->callback_ns += callback_ns;
	}
}

static G_GNUC_NO_INLINE void add_holds(struct paths *paths, struct path_node *node)
{
	node->path->holds =
		arena_take(recording_arena(paths->tree.recording), (node->depth + 1U) * sizeof(struct hop_holds));
	node->last_holds = &node->path->holds[node->depth];
}

/* Adds the steps up to `last` to the sums of a path that ends at the node, `back` steps later. */
static void add_hops(struct paths *paths, struct path_node *node, const struct step *last, size_t back)
{
	for (const struct step *step = last; step->before; step = step->before, back++) {
		struct hop_times *before = node->last_hops - back;

		add_step_times(before + 1, before, step);
		if (step->hold != PATH_HOLD_NONE) {
			if (G_UNLIKELY(!node->last_holds)) {
				add_holds(paths, node);
			}
			hop_holds_add(node->last_holds - back, &paths->tree.holds, step->hold);
		}
	}
}

static G_GNUC_NO_INLINE void set_worst_hops(const struct paths *paths, struct worst_hop *hops, const struct step *last,
					    int64_t end_ns)
{
	hops[last->node->depth].times.callback_ns = end_ns - last->start_ns;
	for (const struct step *step = last; step->before; step = step->before) {
		struct worst_hop *hop = &hops[step->node->depth];

		add_step_times(&hop->times, &hop[-1].times, step);
		hop->has_hold = step->hold != PATH_HOLD_UNKNOWN;
		hop->hold = path_holds_get(&paths->tree.holds, step->hold);
	}
}

/* Of which path it is asked whether all of its processes were recorded. */
struct whole_path {
	struct coverage *coverage;
	const struct path_node *last;
};

static bool is_whole(const void *data, int64_t from_ns, int64_t to_ns)
{
	const struct whole_path *path = data;

	for (const struct path_node *node = path->last; node; node = node->parent) {
		if (!coverage_process_is_whole(path->coverage, path_node_process(node), from_ns, to_ns)) {
			return false;
		}
	}
	return true;
}

static G_GNUC_NO_INLINE void add_origin_after_losses(const struct paths *paths, struct path *path, int64_t origin_ns)
{
	covered_rate_add(&path->origins, origin_ns, is_whole, &(struct whole_path){ paths->tree.coverage, path->node });
}

/* A path that no table lists. */
static void count_hidden_path(struct paths *paths, struct path_node *node)
{
	if (!node->has_ended) {
		node->has_ended = true;
		paths->tree.hidden_count++;
		paths->tree.hidden_chosen += path_is_chosen(&paths->tree, node);
	}
}

/* A traversal that has been counted: what is known of it alone. `is_longest`: it was the longest one of the path. */
static G_GNUC_NO_INLINE void show_traversal(struct paths *paths, struct path *path, const struct step *last,
					    int64_t end_ns, bool is_longest)
{
	int64_t latency_ns = end_ns - last->origin_ns;
	struct worst_hop *hops = path->worst ? worst_add(path->worst, latency_ns, last->origin_ns) : NULL;

	if (hops) {
		set_worst_hops(paths, hops, last, end_ns);
	}
	if (!path->is_chosen) {
		return;
	}
	if (is_longest && paths->schedules) {
		path_schedules_note(&paths->tree, paths->schedules, path, last, end_ns);
	}
	path_tables_write_instance(paths->analysis.writers, path, last, end_ns);
	if (paths->timeline.events) {
		path_timeline_add(&paths->timeline, path, last, end_ns);
	}
}

static void end_traversal(struct paths *paths, const struct step *last, int64_t end_ns)
{
	int64_t latency_ns = end_ns - last->origin_ns;
	struct path *path;
	bool is_longest;

	if (path_tree_only_counts(&paths->tree, last->node)) {
		count_hidden_path(paths, last->node);
		return;
	}
	path = path_of(paths, last->node);
	is_longest = latency_ns > path->latency.longest_ns;
	if (G_LIKELY(!coverage_has_any(paths->tree.coverage))) {
		covered_rate_add(&path->origins, last->origin_ns, NULL, NULL);
	} else {
		add_origin_after_losses(paths, path, last->origin_ns);
	}
	duration_statistics_add(&path->latency, latency_ns, last->origin_ns);
	last->node->last_hops[1].callback_ns += end_ns - last->start_ns;
	path->latched += last->is_latched;
	add_hops(paths, last->node, last, 0);
	if (G_UNLIKELY(is_longest || paths->shows_traversals)) {
		show_traversal(paths, path, last, end_ns, is_longest);
	}
}

/* The flow would have continued to these callbacks. */
static G_GNUC_NO_INLINE void lose_traversal(struct paths *paths, const struct traversals *traversals,
					    const struct step *traversal)
{
	for (unsigned int i = 0; i < traversals->missed_count; i++) {
		const struct missed *missed = &traversals->missed[i];
		struct path_node *node = path_nodes_find_child(&paths->tree.nodes, traversal->node, missed->callback,
							       missed->is_indirect, missed->condition);

		if (node) {
			node->lost += missed->is_lost;
			node->unknown += !missed->is_lost;
		}
	}
}

/* The flow of a traversal ends with the execution, unless it goes on. `traversals`: NULL if that carries no other. */
static inline void finish_traversal(struct paths *paths, const struct flow_execution *execution,
				    const struct traversals *traversals, const struct step *traversal,
				    bool is_continued)
{
	if (!analysis_options_include(paths->tree.options, traversal->origin_ns)) {
		return;
	}
	if (!traversal->node->is_return) {
		if (traversals) {
			lose_traversal(paths, traversals, traversal);
			is_continued |= traversals->has_missed;
		}
		if (is_continued) {
			return;
		}
	}
	if (traversal->node->depth == 0) {
		return;
	}
	if (!execution->is_complete) {
		traversal->node->unknown++;
	} else if (path_conditions_matter(traversal, traversals)) {
		path_conditions_keep(&paths->waiting, traversal, traversals, execution->end_ns, &paths->tree.holds);
	} else {
		end_traversal(paths, traversal, execution->end_ns);
	}
}

static G_GNUC_NO_INLINE void finish_traversals(struct paths *paths, const struct flow_execution *execution,
					       const struct traversals *traversals, bool is_continued)
{
	for (unsigned int i = 0; i < traversals->count; i++) {
		finish_traversal(paths, execution, traversals, traversals_at(traversals, i), is_continued);
	}
}

static void on_finished(void *data, struct flow_execution *execution, bool is_continued)
{
	struct paths *paths = data;
	const void *traversals = execution->data[paths->tree.data_index];
	const struct step *single = traversals_step(traversals);

	if (G_LIKELY(single != NULL)) {
		finish_traversal(paths, execution, NULL, single, is_continued);
	} else if (traversals) {
		finish_traversals(paths, execution, traversals, is_continued);
	}
}

static void on_continued(void *data, const struct flow_publication *publication)
{
	struct paths *paths = data;

	path_conditions_add_onward(&paths->tree, publication);
}

static void on_missed(void *data, const struct flow_publication *publication, struct model_subscription *subscription,
		      bool is_intra_process, enum flow_outcome outcome)
{
	struct paths *paths = data;
	struct model_callback *callback = flow_linker_last_callback(subscription);
	size_t candidates = flow_linker_candidate_count(paths->tree.flows, publication->candidates);

	if (!callback) {
		return; /* what never received anything is not part of any path */
	}
	path_conditions_add_onward(&paths->tree, publication);
	for (unsigned int i = 0; i < publication->parent_count; i++) {
		struct traversals *traversals = path_tree_traversals(&paths->tree, publication->parents[i]);

		traversals->has_missed |= i >= candidates;
		if (outcome == FLOW_OVERWRITTEN) {
			continue;
		}
		if (!traversals->missed) {
			traversals->missed = arena_take(recording_arena(paths->tree.recording), MISSED_SIZE);
		}
		if (traversals->missed_count < MISSED_MAX) {
			traversals->missed[traversals->missed_count++] = (struct missed){
				.callback = callback,
				.is_indirect = i >= candidates && (i > 0 || !publication->has_direct_parent),
				.condition = i < candidates ? publication->candidates + 1 + i : 0,
				.is_lost = outcome == FLOW_LOST,
			};
		}
	}
}

/* The rest of end_usually(), where it is more than a sample. `before`: NULL if the flow began there. */
static G_GNUC_NO_INLINE void end_rest(struct paths *paths, struct path_node *node, const struct step *before,
				      int64_t latency_ns)
{
	duration_statistics_keep(&node->path->latency, latency_ns);
	if (before) {
		add_hops(paths, node, before, 1);
	}
}

/*
 * Most flows end with an execution that is over: directly by a message without take, where others did, and the times
 * are only added up. That is done without a step, and false if it is not so. Who took the message did it when the
 * callback started, as far as known. At a node with a path there are no conditions and no paths that are only counted.
 */
static inline bool end_usually(struct paths *paths, const struct flow_execution *execution)
{
	const struct flow_delivery *delivery = execution->cause;
	const struct flow_publication *publication = delivery->publication;
	bool is_direct = publication->parent_count == 1 && publication->has_direct_parent && !delivery->has_take;
	const struct flow_execution *parent = is_direct ? publication->parents[0] : NULL;
	const struct step *before = parent ? traversals_step(parent->data[paths->tree.data_index]) : NULL;
	void **way = flow_linker_way(paths->tree.flows);
	struct path_node *node = way ? *way : NULL;
	int64_t origin_ns, latency_ns;
	struct path *path;

	if (!parent || !node || node->parent != (before ? before->node : path_tree_root(&paths->tree, parent)) ||
	    node->callback != execution->callback || node->is_return || !execution->is_complete ||
	    execution->data[paths->tree.data_index]) {
		return false;
	}
	path = node->path;
	origin_ns = before ? before->origin_ns : parent->start_ns;
	latency_ns = execution->end_ns - origin_ns;
	if (!path || !node->last_holds || latency_ns > path->latency.longest_ns || paths->shows_traversals ||
	    !paths->counts_all || coverage_has_any(paths->tree.coverage)) {
		return node->has_ended && paths->counts_all; /* only counted, and it has been */
	}
	covered_rate_add(&path->origins, origin_ns, NULL, NULL);
	node->last_hops[0].callback_ns += publication->first_ns - parent->start_ns;
	node->last_hops[1].transport_ns += execution->start_ns - publication->first_ns;
	node->last_hops[1].callback_ns += execution->end_ns - execution->start_ns;
	path->last_unknown++;
	path->latched += (before && before->is_latched) || delivery_is_latched(paths->tree.recording, delivery);
	if (G_UNLIKELY((before && before->before) || !duration_statistics_has_room(&path->latency))) {
		end_rest(paths, node, before, latency_ns);
	} else {
		duration_statistics_keep(&path->latency, latency_ns);
	}
	return true;
}

/* No flow goes on from the execution, so that mostly it need not carry any. */
static G_GNUC_NO_INLINE void end_here(struct paths *paths, struct flow_execution *execution)
{
	if (G_UNLIKELY(!end_usually(paths, execution))) {
		path_tree_follow(&paths->tree, execution);
	}
}

static void on_resolved(void *data, struct flow_execution *execution)
{
	struct paths *paths = data;

	if (execution->is_over) {
		end_here(paths, execution);
	} else {
		path_tree_follow(&paths->tree, execution);
	}
}

static void on_released(void *data, struct flow_execution *execution)
{
	struct paths *paths = data;

	path_tree_release(&paths->tree, execution);
}

/* --- life --- */

static bool only_counts_hidden(struct table_writer *const *writers)
{
	bool only_counts = writers[TABLE_PATHS] != NULL;

	for (size_t i = 0; path_tables[i]; i++) {
		only_counts &= !writers[i] || writers[i]->only_counts_hidden;
	}
	return only_counts;
}

static void begin(void *data)
{
	struct paths *paths = data;
	struct analysis *analysis = &paths->analysis;
	const struct analysis_context *context = &analysis->context;
	struct table_writer *const *writers = analysis->writers;

	path_tree_init(&paths->tree, context, analysis->rows.rows,
		       writers[TABLE_HOPS] || writers[TABLE_SLOWEST] || writers[TABLE_WORST_HOPS],
		       only_counts_hidden(writers));
	spool_init(&paths->waiting);
	arena_own(analysis_arena(analysis), &paths->waiting, (GDestroyNotify)spool_clear);
	path_timeline_init(&paths->timeline, writers[TABLE_EVENTS], analysis_arena(analysis));
	if (context->schedules && (writers[TABLE_HOP_SCHEDULING] || writers[TABLE_WHY])) {
		paths->schedules = context->schedules;
		execution_schedules_keep(paths->schedules);
	}
	paths->counts_all = !context->options->range.has_begin && !context->options->range.has_end;
	paths->shows_traversals = context->options->worst > 0 || writers[TABLE_INSTANCES] ||
				  writers[TABLE_HOP_INSTANCES] || paths->timeline.events;
}

static void finish(void *analysis)
{
	struct paths *paths = analysis;
	struct waiting_traversal traversal = { 0 };

	path_conditions_add_losses(&paths->tree);
	while (path_conditions_next(&paths->waiting, &paths->tree, &traversal)) {
		end_traversal(paths, traversal.last, traversal.end_ns);
	}
	g_free(traversal.steps);
	if (spool_has_failed(&paths->waiting)) {
		diagnostics_add(paths->tree.diagnostics, DIAGNOSTIC_PATHS_CAPPED, "no room for a temporary file", 1);
	}
}

static void write_tables(const void *analysis, struct table_writer *const *writers)
{
	const struct paths *paths = analysis;
	struct final_silence silence;

	final_silence_init(&silence, &paths->analysis.context, paths->tree.coverage);
	path_tables_write(&paths->tree, &silence, writers);
	final_silence_clear(&silence);
	if (paths->schedules) {
		path_schedules_write(&paths->tree, writers[TABLE_HOP_SCHEDULING], writers[TABLE_WHY],
				     paths->analysis.context.span->begin_ns);
	}
	if (writers[TABLE_TRACKS]) {
		path_timeline_write_names(&paths->timeline, &paths->tree, writers[TABLE_TRACKS], writers[TABLE_LABELS]);
	}
}

char **paths_propose_links(const struct analysis *analysis)
{
	const struct paths *paths = (const struct paths *)(const void *)analysis;
	const GPtrArray *all = paths->tree.all;

	return path_joins_find(&paths->tree, (const struct path *const *)(void *)all->pdata, all->len);
}

const struct analysis_class paths_analysis = {
	.name = "paths",
	.tables = path_tables,
	.needs = ANALYSIS_NEEDS_FLOWS,
	.flows = {
		.only_carriers = true,
		.continued = on_continued,
		.missed = on_missed,
		.resolved = on_resolved,
		.finished = on_finished,
		.released = on_released,
	},
	.size = sizeof(struct paths),
	.begin = begin,
	.finish = finish,
	.write = write_tables,
};
