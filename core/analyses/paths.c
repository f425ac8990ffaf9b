/* SPDX-License-Identifier: MIT */
/*
 * The tables `paths`, `path_hops`, `path_instances`, `path_hop_instances`, `worst_paths` and `worst_path_hops`: chains
 * of callbacks, the end-to-end latency along them and where it was spent. Listens to the flow linker.
 *
 * A flow starts at a timer callback, at a publication outside any callback, or at a callback whose message comes from
 * outside the trace or from a thread that may have lost the start of a callback; it ends at a callback that no other
 * callback follows, or at the first one that it has passed already. It has at least one message. Each execution carries
 * its traversals: the ways on which a flow has come to it (several where messages are kept or joined). Ways are nodes
 * of a tree of callbacks, so going one callback further is one look-up. A flow whose message is lost (enum
 * flow_outcome) is lost for every path that goes on, in the same way, with the callback which the message was for. A
 * flow is unknown where that of its message is, or where its last callback was cut.
 *
 * The latency of a traversal: from the start of its first callback (or the first publication) to the end of its last
 * callback. A traversal counts in the time range by its origin.
 *
 * The hops of a path are those of the very traversals that ended on it, so their times add up to its latency: each
 * traversal is a chain of steps, which is added up when it ends. Flows that left the path earlier have no part in it.
 *
 * Cost: a step per traversal and execution; at its end, a few additions per hop. Memory: the tree, and the chains of
 * the executions under way.
 */
#include <glib.h>
#include <string.h>

#include "core/analyses/analyses.h"
#include "core/analyses/worst.h"
#include "core/base/name_filter.h"
#include "core/base/object_pool.h"
#include "core/base/u64_map.h"
#include "ros2bt/duration_statistics.h"

#define PATH_DEPTH_MAX 1000	/* callbacks of one path */
#define PATH_TRAVERSALS_MAX 256 /* ways to one execution */
#define PATH_NODES_MAX 50000	/* of the tree */

#define MISSED_MAX 8 /* callbacks that did not get their message from one execution */
#define MISSED_SIZE (MISSED_MAX * sizeof(struct missed))
#define NO_TIME INT64_MIN

/* Where the time of a hop goes. */
struct hop_times {
	__int128 callback_ns; /* in the callback before: from its start to the publication, or to its end if the message
				 was kept; in the last one: all of it */
	__int128 kept_ns;     /* the message was kept: from that callback's end to the publication */
	__int128 transport_ns; /* from the publication to the take */
	__int128 wait_ns;      /* from the take to the callback's start */
};

/* The flows that end at a node of the tree: a path. */
struct path {
	uint32_t id; /* from 1, in order of the trace */
	const struct path_node *node;
	struct duration_statistics latency;
	bool is_chosen;		/* the report is about it, by the names that were known when its first flow ended */
	struct hop_times *hops; /* by depth, sums over the traversals that ended here; in the arena */
	struct worst *worst;	/* traversals, each with its hops by depth; NULL unless asked for */
};

/* A node of the tree: a callback (or, at a root, a publisher or client outside any callback) and the way to it. */
struct path_node {
	struct path_node *parent; /* NULL at a root */
	struct model_callback *callback;
	struct model_publisher *publisher; /* at a root without callback */
	struct model_client *client;	   /* at a root without callback */
	struct model_publisher *via; /* the publisher of the message by which the flow came, NULL if by a request */
	struct model_service *via_service;
	uint32_t index;
	uint16_t depth;	   /* messages from the root */
	bool is_indirect;  /* the callback before kept its message */
	bool is_external;  /* a root whose message comes from outside the trace */
	bool is_return;	   /* the flow has passed this callback before: it ends here */
	uint64_t lost;	   /* flows that should have come here and did not */
	uint64_t unknown;  /* flows of which that is not known */
	struct path *path; /* NULL unless a flow ended here */
};

/*
 * One callback execution on the way of a flow, and how the flow came to it. The last step of a traversal stands for the
 * traversal; flows that part later share the steps before. One cache line: most of what paths keep is steps.
 */
struct step {
	struct path_node *node;
	struct step *before; /* reference, NULL at the root */
	unsigned int references;
	bool is_released; /* the execution; true at a root without callback */
	union {
		const struct flow_execution *execution; /* unless is_released */
		int64_t end_ns;				/* then its end, NO_TIME unless known */
	};
	int64_t origin_ns;
	int64_t publish_ns, take_ns; /* of the message by which the flow came; not at the root */
	int64_t start_ns;	     /* of the execution; NO_TIME at a root without callback */
};

_Static_assert(sizeof(struct step) <= 64, "a step is a cache line");

/* A callback that should have got a message of the execution and did not. */
struct missed {
	struct model_callback *callback;
	bool is_indirect; /* the execution's message was kept for it */
	bool is_lost;	  /* else unknown */
};

/* What an execution carries (flow_execution.path_data). */
struct traversals {
	uint16_t count;
	uint16_t capacity; /* of more */
	uint8_t missed_count;
	struct step *first;    /* the usual one; references, like all of them */
	struct step **more;    /* in the arena, the others */
	struct missed *missed; /* in the arena, room for MISSED_MAX; NULL if there are none */
};

struct paths {
	struct recording *recording;
	struct object_model *model;
	struct diagnostics *diagnostics;
	const struct analysis_options *options;
	struct object_pool traversals, steps;
	GPtrArray *nodes;					      /* struct path_node *, in the arena, by index */
	struct u64_map children;				      /* (node, callback, is_indirect) → node */
	struct u64_map callback_roots, publisher_roots, client_roots; /* by index of the object → node */
	GPtrArray *last_callback; /* struct model_callback * by index of the subscription: that got its last message */
	GPtrArray *all;		  /* struct path *, of the nodes, by id - 1 */
	struct table_writer *instances, *hop_instances; /* borrowed, NULL if nobody asked */
};

enum {
	TABLE_PATHS,
	TABLE_HOPS,
	TABLE_INSTANCES,
	TABLE_HOP_INSTANCES,
	TABLE_SLOWEST,
	TABLE_WORST,
	TABLE_WORST_HOPS,
};

static const struct table_column instance_columns[] = {
	{ .name = "path_id" },
	{ .name = "origin_start_ns", .format = COLUMN_TIME },
	{ .name = "first_publish_ns", .format = COLUMN_TIME },
	{ .name = "last_callback_start_ns", .format = COLUMN_TIME },
	{ .name = "last_callback_end_ns", .format = COLUMN_TIME },
	{ .name = "latency_ns", .format = COLUMN_DURATION },
};

static const struct table_schema instance_schema = {
	.name = "path_instances",
	.title = "Path traversals",
	.selection = "paths",
	.is_instances = true,
	.columns = instance_columns,
	.column_count = G_N_ELEMENTS(instance_columns),
};

static const struct table_column hop_instance_columns[] = {
	{ .name = "path_id" },
	{ .name = "instance" }, /* from 1: the row of the path in path_instances */
	{ .name = "hop" },
	{ .name = "publish_ns", .format = COLUMN_TIME },
	{ .name = "take_ns", .format = COLUMN_TIME },
	{ .name = "callback_start_ns", .format = COLUMN_TIME },
	{ .name = "callback_end_ns", .format = COLUMN_TIME }, /* empty: it had not ended when the flow did */
};

static const struct table_schema hop_instance_schema = {
	.name = "path_hop_instances",
	.title = "Hops of path traversals",
	.selection = "paths",
	.is_instances = true,
	.columns = hop_instance_columns,
	.column_count = G_N_ELEMENTS(hop_instance_columns),
};

static const struct table_column hop_columns[] = {
	{ .name = "path_id", .role = COLUMN_ROLE_HIDDEN },
	{ .name = "hop" },
	{ .name = "topic", .label = "message", .format = COLUMN_NAME },
	{ .name = "node", .label = "to node", .format = COLUMN_NAME },
	{ .name = "transport_mean_ns", .label = "transport", .format = COLUMN_DURATION },
	{ .name = "wait_mean_ns", .label = "wait", .format = COLUMN_DURATION },
	{ .name = "callback_mean_ns", .label = "callback", .format = COLUMN_DURATION },
	{ .name = "kept_mean_ns", .label = "kept", .format = COLUMN_DURATION },
	{ .name = "share_percent", .label = "share", .format = COLUMN_PERCENT },
};

static const struct table_schema hop_schema = {
	.name = "path_hops",
	.title = "Where the time goes",
	.selection = "paths",
	.parent = "paths",
	.columns = hop_columns,
	.column_count = G_N_ELEMENTS(hop_columns),
};

static const struct table_column worst_columns[] = {
	{ .name = "path_id", .role = COLUMN_ROLE_HIDDEN },
	{ .name = "rank" },
	{ .name = "origin_start_ns", .label = "at", .format = COLUMN_MOMENT },
	{ .name = "latency_ns", .label = "latency", .format = COLUMN_DURATION },
};

static const struct table_schema worst_schema = {
	.name = "worst_paths",
	.title = "Worst path traversals",
	.selection = "paths",
	.parent = "paths",
	.is_worst = true,
	.columns = worst_columns,
	.column_count = G_N_ELEMENTS(worst_columns),
};

static const struct table_column worst_hop_columns[] = {
	{ .name = "path_id", .role = COLUMN_ROLE_HIDDEN },
	{ .name = "rank" },
	{ .name = "hop" },
	{ .name = "topic", .label = "message", .format = COLUMN_NAME },
	{ .name = "node", .label = "to node", .format = COLUMN_NAME },
	{ .name = "transport_ns", .label = "transport", .format = COLUMN_DURATION },
	{ .name = "wait_ns", .label = "wait", .format = COLUMN_DURATION },
	{ .name = "callback_ns", .label = "callback", .format = COLUMN_DURATION },
	{ .name = "kept_ns", .label = "kept", .format = COLUMN_DURATION },
};

static const struct table_schema worst_hop_schema = {
	.name = "worst_path_hops",
	.title = "Hops of the worst path traversals",
	.selection = "paths",
	.parent = "paths",
	.is_worst = true,
	.columns = worst_hop_columns,
	.column_count = G_N_ELEMENTS(worst_hop_columns),
};

static const struct table_column columns[] = {
	{ .name = "path_id", .role = COLUMN_ROLE_HIDDEN },
	{ .name = "path", .format = COLUMN_NAME, .hints = &(const struct text_hints){ .may_be_hidden = true } },
	{ .name = "hops", .role = COLUMN_ROLE_HIDDEN },
	{ .name = "count" },
	{ .name = "lost" },
	{ .name = "latency", .format = COLUMN_STATISTIC },
	{ .name = "unknown", .role = COLUMN_ROLE_DETAIL },
};

static const struct table_schema schema = {
	.name = "paths",
	.title = "End-to-end latency: from the first callback's start to the last callback's end",
	.selection = "paths",
	.columns = columns,
	.column_count = G_N_ELEMENTS(columns),
};

static const struct table_column slowest_columns[] = {
	{ .name = "path", .format = COLUMN_NAME, .hints = &(const struct text_hints){ .wraps = true } },
	{ .name = "count" },
	{ .name = "lost" },
	{ .name = "p50_ns", .label = "p50", .format = COLUMN_DURATION },
	{ .name = "p99_ns", .label = "p99", .format = COLUMN_DURATION },
	{ .name = "max_ns", .label = "max", .format = COLUMN_DURATION },
	{ .name = "most",
	  .label = "most of it",
	  .format = COLUMN_NAME,
	  .hints = &(const struct text_hints){ .wraps = true } },
};

static const struct table_schema slowest_schema = {
	.name = "slowest_paths",
	.title = "Slowest paths",
	.selection = "paths",
	.summary = 1,
	.columns = slowest_columns,
	.column_count = G_N_ELEMENTS(slowest_columns),
};

/* --- the tree --- */

static struct path_node *add_node(struct paths *paths, struct path_node *parent)
{
	struct path_node *node;

	if (paths->nodes->len >= PATH_NODES_MAX) {
		diagnostics_add(paths->diagnostics, DIAGNOSTIC_PATHS_CAPPED, "different paths", 1);
		return NULL;
	}
	node = arena_take(recording_arena(paths->recording), sizeof(*node));
	node->parent = parent;
	node->index = paths->nodes->len;
	node->depth = parent ? parent->depth + 1 : 0;
	g_ptr_array_add(paths->nodes, node);
	return node;
}

static struct path_node *find_or_add_root(struct paths *paths, struct u64_map *roots, uint32_t index)
{
	struct path_node *node = u64_map_get_pointer(roots, index);

	if (!node) {
		node = add_node(paths, NULL);
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

static struct path_node *find_child(const struct paths *paths, const struct path_node *parent,
				    const struct model_callback *callback, bool is_indirect)
{
	return u64_map_get_pointer(&paths->children,
				   (uint64_t)parent->index << 32 | (uint64_t)callback->index << 1 | is_indirect);
}

static struct path_node *find_or_add_child(struct paths *paths, struct path_node *parent,
					   struct model_callback *callback, bool is_indirect,
					   const struct flow_publication *publication)
{
	struct path_node *node = find_child(paths, parent, callback, is_indirect);

	if (node) {
		return node;
	}
	if (parent->depth + 1 >= PATH_DEPTH_MAX) {
		diagnostics_add(paths->diagnostics, DIAGNOSTIC_PATHS_CAPPED, "callbacks of one path", 1);
		return NULL;
	}
	node = add_node(paths, parent);
	if (node) {
		node->callback = callback;
		node->is_indirect = is_indirect;
		node->is_return = has_passed(parent, callback);
		node->via = publication->publisher;
		u64_map_set_pointer(&paths->children,
				    (uint64_t)parent->index << 32 | (uint64_t)callback->index << 1 | is_indirect, node);
	}
	return node;
}

/* --- traversals --- */

static struct step *traversal_at(const struct traversals *traversals, unsigned int index)
{
	return index == 0 ? traversals->first : traversals->more[index - 1];
}

/* Iterative: a chain may be long. */
static void release_step(struct paths *paths, struct step *step)
{
	while (step && --step->references == 0) {
		struct step *before = step->before;

		object_pool_give(&paths->steps, step);
		step = before;
	}
}

static struct step *add_step(struct paths *paths, struct path_node *node, const struct flow_execution *execution)
{
	struct step *step = object_pool_take(&paths->steps);

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

static struct traversals *traversals_of(struct paths *paths, struct flow_execution *execution)
{
	if (!execution->path_data) {
		execution->path_data = object_pool_take(&paths->traversals);
	}
	return execution->path_data;
}

/* Takes over the reference. */
static void add_traversal(struct paths *paths, struct flow_execution *execution, struct step *step)
{
	struct traversals *traversals = traversals_of(paths, execution);

	if (traversals->count == PATH_TRAVERSALS_MAX) {
		diagnostics_add(paths->diagnostics, DIAGNOSTIC_PATHS_CAPPED, "ways to one callback execution", 1);
		release_step(paths, step);
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

		traversals->more = arena_grow(recording_arena(paths->recording), traversals->more,
					      traversals->capacity * size, capacity * size);
		traversals->capacity = capacity;
	}
	traversals->more[traversals->count++ - 1] = step;
}

static void begin_at_callback(struct paths *paths, struct flow_execution *execution)
{
	struct path_node *root = find_or_add_root(paths, &paths->callback_roots, execution->callback->index);

	if (root) {
		struct step *step = add_step(paths, root, execution);

		root->callback = execution->callback;
		root->is_external = execution->kind == CALLBACK_KIND_SUBSCRIPTION;
		step->origin_ns = execution->start_ns;
		add_traversal(paths, execution, step);
	}
}

/* The flow comes by the message that caused the execution, from the step before. */
static void go_on(struct paths *paths, struct flow_execution *execution, struct step *before, bool is_indirect)
{
	const struct flow_delivery *delivery = execution->cause;
	const struct flow_publication *publication = delivery->publication;
	struct path_node *node;
	struct step *step;

	if (before->node->is_return) {
		return;
	}
	node = find_or_add_child(paths, before->node, execution->callback, is_indirect, publication);
	if (!node) {
		return;
	}
	node->via_service = delivery->service;
	step = add_step(paths, node, execution);
	step->before = before;
	before->references++;
	step->origin_ns = before->origin_ns;
	step->publish_ns = publication->first_ns;
	step->take_ns = delivery->take_ns;
	add_traversal(paths, execution, step);
}

static void come_from_outside_callbacks(struct paths *paths, struct flow_execution *execution)
{
	const struct flow_publication *publication = execution->cause->publication;
	struct path_node *root =
		publication->publisher ? find_or_add_root(paths, &paths->publisher_roots, publication->publisher->index)
		: publication->client  ? find_or_add_root(paths, &paths->client_roots, publication->client->index)
				       : NULL;

	if (root) {
		struct step *origin = add_step(paths, root, NULL);

		root->publisher = publication->publisher;
		root->client = publication->client;
		origin->origin_ns = publication->first_ns;
		go_on(paths, execution, origin, false);
		release_step(paths, origin);
	}
}

static void on_resolved(void *data, struct flow_execution *execution)
{
	struct paths *paths = data;
	const struct flow_publication *publication;

	if (!execution->cause) {
		begin_at_callback(paths, execution);
		return;
	}
	publication = execution->cause->publication;
	if (publication->parent_count == 0 && publication->has_lost_origin) {
		begin_at_callback(paths, execution);
		return;
	}
	if (publication->parent_count == 0) {
		come_from_outside_callbacks(paths, execution);
		return;
	}
	for (unsigned int i = 0; i < publication->parent_count; i++) {
		struct traversals *before = publication->parents[i]->path_data;

		for (unsigned int j = 0; before && j < before->count; j++) {
			go_on(paths, execution, traversal_at(before, j), i > 0 || !publication->has_direct_parent);
		}
	}
}

/* --- names --- */

static const char *process_name(const struct paths *paths, uint32_t process)
{
	const char *name = recording_process(paths->recording, process)->procname;

	return name[0] != '\0' ? name : "?";
}

/* The node at which a tree node stands; where it is unknown the process in brackets. Free it. */
static char *node_name(const struct paths *paths, const struct path_node *node)
{
	const char *name = NULL;
	uint32_t process = 0;

	if (node->callback) {
		name = object_model_callback_info(paths->model, node->callback)->node;
		process = node->callback->process;
	} else if (node->publisher) {
		process = node->publisher->process;
		name = object_model_publisher_node(paths->model, node->publisher);
	} else if (node->client) {
		process = node->client->process;
		name = object_model_node_name(paths->model, process, node->client->node_handle, node->client->since_ns);
	}
	return name ? g_strdup(name) : g_strdup_printf("[%s]", process_name(paths, process));
}

/* The topic or service by which the flow came to a tree node. */
static const char *via_name(const struct paths *paths, const struct path_node *node)
{
	const char *name = node->via ? node->via->topic : node->via_service ? node->via_service->name : NULL;

	if (!name && node->callback) {
		const struct model_subscription *subscription =
			object_model_callback_info(paths->model, node->callback)->subscription;

		name = subscription ? subscription->topic : NULL;
	}
	return name ? name : "?";
}

static void append_path(const struct paths *paths, const struct path_node *node, GString *text)
{
	g_autofree char *name = node_name(paths, node);

	if (node->parent) {
		append_path(paths, node->parent, text);
		g_string_append_printf(text, "%s%s > ", node->is_indirect ? " >> " : " > ", via_name(paths, node));
	} else if (node->is_external) {
		g_string_append_printf(text, "%s > ", via_name(paths, node));
	}
	g_string_append(text, name);
}

/* Free it. */
static char *path_text(const struct paths *paths, const struct path_node *node)
{
	GString *text = g_string_new(NULL);

	append_path(paths, node, text);
	return g_string_free(text, FALSE);
}

/* Whether the report is about a path, by the names that are known. */
static bool is_chosen(const struct paths *paths, const struct path_node *last)
{
	const struct analysis_options *options = paths->options;
	g_autoptr(GPtrArray) nodes = NULL;
	const char *topics[PATH_DEPTH_MAX];
	const struct path_node *node = last;
	g_autofree char *text = NULL;
	size_t topic_count = 0;

	if (!options->nodes && !options->topics && !options->paths) {
		return true;
	}
	nodes = g_ptr_array_new_with_free_func(g_free);
	do {
		g_ptr_array_add(nodes, node_name(paths, node));
		if (node->parent || node->is_external) {
			topics[topic_count++] = via_name(paths, node);
		}
		node = node->parent;
	} while (node);
	text = path_text(paths, last);
	return name_filter_passes(options->nodes, (const char *const *)nodes->pdata, nodes->len) &&
	       name_filter_passes(options->topics, topics, topic_count) &&
	       name_filter_passes(options->paths, (const char *const[]){ text }, 1);
}

/* --- ends --- */

static struct path *path_of(struct paths *paths, struct path_node *node)
{
	if (!node->path) {
		struct arena *arena = recording_arena(paths->recording);
		size_t hops_size = (node->depth + 1U) * sizeof(*node->path->hops);

		node->path = arena_take(arena, sizeof(*node->path));
		node->path->id = paths->all->len + 1;
		node->path->node = node;
		node->path->hops = arena_take(arena, hops_size);
		node->path->worst = worst_create(arena, paths->options->worst, hops_size);
		duration_statistics_init(&node->path->latency, arena);
		node->path->is_chosen = is_chosen(paths, node);
		g_ptr_array_add(paths->all, node->path);
	}
	return node->path;
}

static int64_t end_of(const struct step *step)
{
	if (step->is_released) {
		return step->end_ns;
	}
	return step->execution->is_complete ? step->execution->end_ns : NO_TIME;
}

/* How long the message was kept by which the flow came; 0 if the callback before published it itself. */
static int64_t kept_ns(const struct step *step)
{
	int64_t end_ns = step->node->is_indirect ? end_of(step->before) : NO_TIME;

	return end_ns == NO_TIME ? 0 : step->publish_ns - end_ns;
}

static int64_t first_publish_of(const struct step *last)
{
	while (last->before->before) {
		last = last->before;
	}
	return last->publish_ns;
}

/* Adds where the time of a traversal went. */
static void add_hops(struct hop_times *hops, const struct step *last, int64_t end_ns)
{
	hops[last->node->depth].callback_ns += end_ns - last->start_ns;
	for (const struct step *step = last; step->before; step = step->before) {
		struct hop_times *hop = &hops[step->node->depth];

		hop->transport_ns += step->take_ns - step->publish_ns;
		hop->wait_ns += step->start_ns - step->take_ns;
		if (step->before->start_ns != NO_TIME) {
			int64_t kept = kept_ns(step);

			hop[-1].callback_ns += step->publish_ns - step->before->start_ns - kept;
			hop[-1].kept_ns += kept;
		}
	}
}

static struct cell time_cell(int64_t time_ns)
{
	return time_ns == NO_TIME ? CELL_NONE : cell_integer(time_ns);
}

/* From the first hop on. */
static void write_hop_instances(struct paths *paths, const struct path *path, const struct step *last)
{
	uint64_t instance = duration_statistics_totals(&path->latency).count;
	const struct step *steps[PATH_DEPTH_MAX];
	unsigned int count = 0;

	for (const struct step *step = last; step; step = step->before) {
		steps[count++] = step;
	}
	for (unsigned int hop = 0; hop < count; hop++) {
		const struct step *step = steps[count - 1 - hop];

		table_row(paths->hop_instances, (struct cell[]){
							cell_unsigned(path->id),
							cell_unsigned(instance),
							cell_unsigned(hop),
							hop == 0 ? CELL_NONE : cell_integer(step->publish_ns),
							hop == 0 ? CELL_NONE : cell_integer(step->take_ns),
							time_cell(step->start_ns),
							time_cell(end_of(step)),
						});
	}
}

static void end_traversal(struct paths *paths, const struct flow_execution *execution, const struct step *last)
{
	struct path *path = path_of(paths, last->node);
	int64_t latency_ns = execution->end_ns - last->origin_ns;

	duration_statistics_add(&path->latency, latency_ns, last->origin_ns);
	add_hops(path->hops, last, execution->end_ns);
	if (path->worst) {
		struct hop_times *hops = worst_add(path->worst, latency_ns, last->origin_ns);

		if (hops) {
			add_hops(hops, last, execution->end_ns);
		}
	}
	if (paths->instances && path->is_chosen) {
		table_row(paths->instances, (struct cell[]){
						    cell_unsigned(path->id),
						    cell_integer(last->origin_ns),
						    cell_integer(first_publish_of(last)),
						    cell_integer(execution->start_ns),
						    cell_integer(execution->end_ns),
						    cell_integer(latency_ns),
					    });
	}
	if (paths->hop_instances && path->is_chosen) {
		write_hop_instances(paths, path, last);
	}
}

/* The flow would have gone on to these callbacks. */
static void lose_traversal(struct paths *paths, const struct traversals *traversals, const struct step *traversal)
{
	for (unsigned int i = 0; i < traversals->missed_count; i++) {
		const struct missed *missed = &traversals->missed[i];
		struct path_node *node = find_child(paths, traversal->node, missed->callback, missed->is_indirect);

		if (node) {
			node->lost += missed->is_lost;
			node->unknown += !missed->is_lost;
		}
	}
}

static void on_finished(void *data, struct flow_execution *execution, bool is_continued)
{
	struct paths *paths = data;
	struct traversals *traversals = execution->path_data;

	for (unsigned int i = 0; traversals && i < traversals->count; i++) {
		const struct step *traversal = traversal_at(traversals, i);

		if (!analysis_options_include(paths->options, traversal->origin_ns)) {
			continue;
		}
		if (!traversal->node->is_return) {
			lose_traversal(paths, traversals, traversal);
		}
		if (traversal->node->depth == 0 || (is_continued && !traversal->node->is_return) ||
		    (traversals->missed_count > 0 && !traversal->node->is_return)) {
			continue;
		}
		if (execution->is_complete) {
			end_traversal(paths, execution, traversal);
		} else {
			traversal->node->unknown++;
		}
	}
}

static void on_delivered(void *data, const struct flow_delivery *delivery)
{
	struct paths *paths = data;

	if (delivery->subscription && delivery->execution) {
		if (paths->last_callback->len <= delivery->subscription->index) {
			g_ptr_array_set_size(paths->last_callback, (gint)delivery->subscription->index + 1);
		}
		paths->last_callback->pdata[delivery->subscription->index] = delivery->execution->callback;
	}
}

static void on_expected(void *data, const struct flow_publication *publication, struct model_subscription *subscription,
			bool is_intra_process, enum flow_outcome outcome)
{
	struct paths *paths = data;
	struct model_callback *callback;

	if (outcome == FLOW_RECEIVED || outcome == FLOW_CAME_LATE || outcome == FLOW_CAME_LATE_UNKNOWN ||
	    publication->parent_count == 0) {
		return;
	}
	/* A subscription that never got anything is not part of any path. */
	callback = subscription->index < paths->last_callback->len ? paths->last_callback->pdata[subscription->index]
								   : NULL;
	for (unsigned int i = 0; callback && i < publication->parent_count; i++) {
		struct traversals *traversals = traversals_of(paths, publication->parents[i]);

		if (!traversals->missed) {
			traversals->missed = arena_take(recording_arena(paths->recording), MISSED_SIZE);
		}
		if (traversals->missed_count < MISSED_MAX) {
			traversals->missed[traversals->missed_count++] = (struct missed){
				.callback = callback,
				.is_indirect = i > 0 || !publication->has_direct_parent,
				.is_lost = outcome == FLOW_LOST,
			};
		}
	}
}

static void on_released(void *data, struct flow_execution *execution)
{
	struct paths *paths = data;
	struct traversals *traversals = execution->path_data;

	if (traversals) {
		struct arena *arena = recording_arena(paths->recording);

		for (unsigned int i = 0; i < traversals->count; i++) {
			struct step *step = traversal_at(traversals, i);

			step->end_ns = end_of(step);
			step->is_released = true;
			release_step(paths, step);
		}
		arena_give(arena, traversals->more, traversals->capacity * sizeof(struct step *));
		arena_give(arena, traversals->missed, MISSED_SIZE);
		object_pool_give(&paths->traversals, traversals);
		execution->path_data = NULL;
	}
}

/* --- life --- */

static void *create(const struct analysis_context *context, struct table_writer *const *writers)
{
	struct paths *paths = g_new0(struct paths, 1);

	paths->recording = context->recording;
	paths->model = context->model;
	paths->diagnostics = context->diagnostics;
	paths->options = context->options;
	paths->instances = writers[TABLE_INSTANCES];
	paths->hop_instances = writers[TABLE_HOP_INSTANCES];
	object_pool_init(&paths->traversals, sizeof(struct traversals));
	object_pool_init(&paths->steps, sizeof(struct step));
	paths->nodes = g_ptr_array_new();
	paths->all = g_ptr_array_new();
	paths->last_callback = g_ptr_array_new();
	flow_linker_add_listener(context->flows, &(struct flow_listener){
							 .data = paths,
							 .delivered = on_delivered,
							 .expected = on_expected,
							 .resolved = on_resolved,
							 .finished = on_finished,
							 .released = on_released,
						 });
	return paths;
}

static void destroy(void *analysis)
{
	struct paths *paths = analysis;

	u64_map_clear(&paths->children);
	u64_map_clear(&paths->callback_roots);
	u64_map_clear(&paths->publisher_roots);
	u64_map_clear(&paths->client_roots);
	g_ptr_array_free(paths->last_callback, TRUE);
	g_ptr_array_free(paths->all, TRUE);
	g_ptr_array_free(paths->nodes, TRUE);
	object_pool_clear(&paths->traversals);
	object_pool_clear(&paths->steps);
	g_free(paths);
}

/* --- tables --- */

struct row {
	const struct path *path;
	char *text;	/* owned */
	int64_t p99_ns; /* for the summary */
};

static void row_clear(gpointer data)
{
	g_free(((struct row *)data)->text);
}

static gint compare_rows(gconstpointer a, gconstpointer b)
{
	const struct row *left = a;
	const struct row *right = b;
	int order = strcmp(left->text, right->text);

	return order ? order : left->path->id < right->path->id ? -1 : 1;
}

static uint64_t lost_on_the_way(const struct path_node *node)
{
	uint64_t lost = 0;

	for (; node; node = node->parent) {
		lost += node->lost;
	}
	return lost;
}

static uint64_t unknown_on_the_way(const struct path_node *node)
{
	uint64_t unknown = 0;

	for (; node; node = node->parent) {
		unknown += node->unknown;
	}
	return unknown;
}

static void write_row(struct table_writer *writer, const struct row *row)
{
	table_row(writer, (struct cell[]){
				  cell_unsigned(row->path->id),
				  cell_text(row->text),
				  cell_unsigned(row->path->node->depth),
				  cell_unsigned(duration_statistics_totals(&row->path->latency).count),
				  cell_unsigned(lost_on_the_way(row->path->node)),
				  cell_statistic(&row->path->latency),
				  cell_unsigned(unknown_on_the_way(row->path->node)),
			  });
}

static __int128 total_of(const struct hop_times *hop)
{
	return hop->transport_ns + hop->wait_ns + hop->callback_ns + hop->kept_ns;
}

/* One callback of a path, with the message that led to it. */
static void write_hop(const struct paths *paths, struct table_writer *writer, const struct path *path,
		      const struct path_node *node, __int128 total_ns)
{
	double count = (double)duration_statistics_totals(&path->latency).count;
	const struct hop_times *hop = &path->hops[node->depth];
	g_autofree char *name = node_name(paths, node);
	bool is_first = node->depth == 0;

	table_row(writer, (struct cell[]){
				  cell_unsigned(path->id),
				  cell_unsigned(node->depth),
				  is_first && !node->is_external ? CELL_NONE : cell_text(via_name(paths, node)),
				  cell_text(name),
				  is_first ? CELL_NONE : cell_real((double)hop->transport_ns / count),
				  is_first ? CELL_NONE : cell_real((double)hop->wait_ns / count),
				  !node->callback ? CELL_NONE : cell_real((double)hop->callback_ns / count),
				  hop->kept_ns > 0 ? cell_real((double)hop->kept_ns / count) : CELL_NONE,
				  total_ns > 0 ? cell_real(100 * (double)total_of(hop) / (double)total_ns) : CELL_NONE,
			  });
}

static void write_hops(const struct paths *paths, struct table_writer *writer, const struct path *path)
{
	const struct path_node *nodes[PATH_DEPTH_MAX];
	__int128 total_ns = 0;

	for (const struct path_node *node = path->node; node; node = node->parent) {
		nodes[node->depth] = node;
		total_ns += total_of(&path->hops[node->depth]);
	}
	for (unsigned int i = 0; i <= path->node->depth; i++) {
		write_hop(paths, writer, path, nodes[i], total_ns);
	}
}

static void write_worst_hop(const struct paths *paths, struct table_writer *writer, const struct path *path,
			    size_t rank, const struct path_node *node, const struct hop_times *hop)
{
	g_autofree char *name = node_name(paths, node);
	bool is_first = node->depth == 0;

	table_row(writer, (struct cell[]){
				  cell_unsigned(path->id),
				  cell_unsigned(rank),
				  cell_unsigned(node->depth),
				  is_first && !node->is_external ? CELL_NONE : cell_text(via_name(paths, node)),
				  cell_text(name),
				  is_first ? CELL_NONE : cell_integer((int64_t)hop->transport_ns),
				  is_first ? CELL_NONE : cell_integer((int64_t)hop->wait_ns),
				  !node->callback ? CELL_NONE : cell_integer((int64_t)hop->callback_ns),
				  hop->kept_ns > 0 ? cell_integer((int64_t)hop->kept_ns) : CELL_NONE,
			  });
}

static void write_worst_hops(const struct paths *paths, struct table_writer *writer, const struct path *path,
			     size_t rank, const struct hop_times *hops)
{
	const struct path_node *nodes[PATH_DEPTH_MAX];

	for (const struct path_node *node = path->node; node; node = node->parent) {
		nodes[node->depth] = node;
	}
	for (unsigned int i = 0; i <= path->node->depth; i++) {
		write_worst_hop(paths, writer, path, rank, nodes[i], &hops[i]);
	}
}

static void write_worst(const struct paths *paths, struct table_writer *const *writers, const struct path *path)
{
	size_t count;
	g_autofree struct worst_instance *worst = worst_sorted(path->worst, &count);

	for (size_t i = 0; i < count; i++) {
		table_row(writers[TABLE_WORST], (struct cell[]){
							cell_unsigned(path->id),
							cell_unsigned(i + 1),
							cell_integer(worst[i].start_ns),
							cell_integer(worst[i].duration_ns),
						});
		if (writers[TABLE_WORST_HOPS]) {
			write_worst_hops(paths, writers[TABLE_WORST_HOPS], path, i + 1, worst[i].kept);
		}
	}
}

/* --- the summary --- */

static const char *const parts_of_hops[] = { "on the way to", "waiting at", "callback of", "kept in" };

/* Where most of the time goes: the largest part of all hops, as in "97 % kept in /planner". Free it. */
static char *most_of(const struct paths *paths, const struct path *path)
{
	const struct path_node *most_node = NULL;
	__int128 most_ns = 0, total_ns = 0;
	size_t most_part = 0;
	g_autofree char *name = NULL;

	for (const struct path_node *node = path->node; node; node = node->parent) {
		const struct hop_times *hop = &path->hops[node->depth];
		const __int128 times_ns[] = { hop->transport_ns, hop->wait_ns, hop->callback_ns, hop->kept_ns };

		for (size_t part = 0; part < G_N_ELEMENTS(times_ns); part++) {
			if (times_ns[part] > most_ns) {
				most_ns = times_ns[part];
				most_part = part;
				most_node = node;
			}
		}
		total_ns += total_of(hop);
	}
	if (!most_node || total_ns <= 0) {
		return NULL;
	}
	name = node_name(paths, most_node);
	return g_strdup_printf("%.0f %% %s %s", 100 * (double)most_ns / (double)total_ns, parts_of_hops[most_part],
			       name);
}

static void write_slow(const struct paths *paths, struct table_writer *writer, const struct row *row)
{
	const struct duration_statistics *latency = &row->path->latency;
	g_autofree char *most = most_of(paths, row->path);

	table_row(writer, (struct cell[]){
				  cell_text(row->text),
				  cell_unsigned(duration_statistics_totals(latency).count),
				  cell_unsigned(lost_on_the_way(row->path->node)),
				  cell_integer(duration_statistics_quantile(latency, 0.5)),
				  cell_integer(duration_statistics_quantile(latency, 0.99)),
				  cell_integer(latency->longest_ns),
				  cell_text(most),
			  });
}

/* A p99 of fewer traversals says little: they come last. */
#define SLOW_TRAVERSALS_MIN 10

static bool is_rare(const struct row *row)
{
	return duration_statistics_totals(&row->path->latency).count < SLOW_TRAVERSALS_MIN;
}

static gint compare_slowness(gconstpointer a, gconstpointer b)
{
	const struct row *left = a;
	const struct row *right = b;

	if (is_rare(left) != is_rare(right)) {
		return is_rare(left) ? 1 : -1;
	}
	return left->p99_ns != right->p99_ns ? (left->p99_ns < right->p99_ns ? 1 : -1) : compare_rows(a, b);
}

static void write_slowest(const struct paths *paths, struct table_writer *writer, GArray *rows)
{
	size_t count = 0;

	for (guint i = 0; i < rows->len; i++) {
		struct row *row = &g_array_index(rows, struct row, i);

		row->p99_ns = duration_statistics_quantile(&row->path->latency, 0.99);
	}
	g_array_sort(rows, compare_slowness);
	for (guint i = 0; i < rows->len && count < SUMMARY_ROWS; i++) {
		const struct row *row = &g_array_index(rows, struct row, i);

		if (!name_is_hidden(row->text)) {
			write_slow(paths, writer, row);
			count++;
		}
	}
}

static void write_tables(const void *analysis, struct table_writer *const *writers)
{
	const struct paths *paths = analysis;
	g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(struct row));

	if (!writers[TABLE_PATHS] && !writers[TABLE_HOPS]) {
		return;
	}
	g_array_set_clear_func(rows, row_clear);
	for (guint i = 0; i < paths->all->len; i++) {
		const struct path *path = g_ptr_array_index(paths->all, i);

		if (is_chosen(paths, path->node)) {
			struct row row = { .path = path, .text = path_text(paths, path->node) };

			g_array_append_val(rows, row);
		}
	}
	g_array_sort(rows, compare_rows);
	for (guint i = 0; i < rows->len; i++) {
		const struct row *row = &g_array_index(rows, struct row, i);

		write_row(writers[TABLE_PATHS], row);
		if (writers[TABLE_HOPS]) {
			write_hops(paths, writers[TABLE_HOPS], row->path);
		}
		if (row->path->worst) {
			write_worst(paths, writers, row->path);
		}
	}
	if (writers[TABLE_SLOWEST]) {
		write_slowest(paths, writers[TABLE_SLOWEST], rows);
	}
}

const struct analysis_class paths_analysis = {
	.name = "paths",
	.tables =
		(const struct table_schema *const[]){
			[TABLE_PATHS] = &schema,
			[TABLE_HOPS] = &hop_schema,
			[TABLE_INSTANCES] = &instance_schema,
			[TABLE_HOP_INSTANCES] = &hop_instance_schema,
			[TABLE_SLOWEST] = &slowest_schema,
			[TABLE_WORST] = &worst_schema,
			[TABLE_WORST_HOPS] = &worst_hop_schema,
			NULL,
		},
	.needs = ANALYSIS_NEEDS_FLOWS,
	.create = create,
	.write = write_tables,
	.destroy = destroy,
};
