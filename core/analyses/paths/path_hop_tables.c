/* SPDX-License-Identifier: MIT */
#include "core/analyses/paths/path_hop_tables.h"

#include "core/analyses/paths/path_names.h"
#include "core/analyses/shared/callback_text.h"
#include "core/analyses/shared/cells.h"
#include "core/analyses/shared/path_columns.h"
#include "core/base/int128.h"

struct hop_row {
	uint32_t path_id;
	uint64_t rank; /* of the traversal, in the tables of the worst */
	struct row_hop hop;
	struct hop_time_cells times;
	struct cell share, held;
	const char *held_by;
};

/* clang-format off */

/* What held the message of a hop: the callback, and the time that its thread was busy. */
#define COLUMNS_OF_HOLD(suffix, type) \
	{ .name = "held_by", .label = "held by", .format = COLUMN_NAME, .role = COLUMN_ROLE_DETAIL, \
	  .hints = HINT_ONLY_IF_ANY, CELL_OF(held_by) }, \
	{ .name = "held" suffix, .cells = type, .label = "held", .format = COLUMN_DURATION, .role = COLUMN_ROLE_DETAIL, \
	  .hints = HINT_ONLY_IF_ANY, CELL_OF(held) }

#define ROW struct hop_row
static const struct table_column hop_columns[] = {
	{ .name = "path_id", .id_of = "paths", .role = COLUMN_ROLE_HIDDEN, CELL_OF(path_id) },
	COLUMNS_OF_HOP(hop),
	COLUMNS_OF_HOP_TIMES(times, "_mean_ns", CELL_REAL),
	{ .name = "share_percent", .means = MEANS_SHARE, .label = "share", .format = COLUMN_PERCENT, CELL_OF(share) },
	COLUMNS_OF_HOLD("_mean_ns", CELL_REAL),
};

const struct table_schema path_hop_schema = {
	TABLE("path_hops", hop_columns), .title = "Where the time goes", .selection = "paths", .kind = KIND_DETAIL, .parent = "paths",
};

static const struct table_column worst_hop_columns[] = {
	{ .name = "path_id", .id_of = "paths", .role = COLUMN_ROLE_HIDDEN, CELL_OF(path_id) },
	{ .name = "rank", .means = MEANS_RANK, CELL_OF(rank) },
	COLUMNS_OF_HOP(hop),
	COLUMNS_OF_HOP_TIMES(times, "_ns", CELL_INTEGER),
	COLUMNS_OF_HOLD("_ns", CELL_INTEGER),
};

const struct table_schema path_worst_hop_schema = {
	TABLE("worst_path_hops", worst_hop_columns), .title = "Hops of the worst path traversals", .selection = "paths",
	.parent = "paths", .kind = KIND_WORST,
};
#undef ROW

struct worst_row {
	uint32_t path_id;
	uint64_t rank;
	int64_t start_ns, latency_ns;
};

#define ROW struct worst_row
static const struct table_column worst_columns[] = {
	{ .name = "path_id", .id_of = "paths", .role = COLUMN_ROLE_HIDDEN, CELL_OF(path_id) },
	{ .name = "rank", .means = MEANS_RANK, CELL_OF(rank) },
	{ .name = "origin_start_ns", .label = "at", .format = COLUMN_MOMENT, CELL_OF(start_ns) },
	{ .name = "latency_ns", .label = "latency", .format = COLUMN_DURATION, CELL_OF(latency_ns) },
};

const struct table_schema path_worst_schema = {
	TABLE("worst_paths", worst_columns), .title = "Worst path traversals", .selection = "paths", .parent = "paths",
	.kind = KIND_WORST,
};
#undef ROW
/* clang-format on */

/* Of an inferred callback the start is not recorded, nor its end where the path ends in it. */
static bool has_wait(const struct path_node *node)
{
	return node->depth > 0 && !node->is_inferred;
}

static bool has_callback(const struct path *path, const struct path_node *node)
{
	return node->callback && !(node->is_inferred && node == path->node);
}

/* What kept the messages of a hop from being taken: the mean over those of which it is known. */
static struct cell held_mean_cell(const struct path *path, const struct path_node *node)
{
	static const struct hop_holds never_held;
	const struct hop_holds *holds = path->holds ? &path->holds[node->depth] : &never_held;
	uint64_t known = duration_statistics_count(&path->latency) - holds->unknown -
			 (node == path->node ? path->last_unknown : 0);

	return has_wait(node) && known > 0 ? mean_cell(holds->held_ns, known) : CELL_NONE;
}

char *path_hop_held_by(const struct path_tree *tree, const struct path *path, const struct path_node *node)
{
	return path->holds ? holders_longest_text(&path->holds[node->depth].holders, tree->model) : NULL;
}

/* The first callback of a path has a message only if that comes from outside the trace. */
static const char *via_of(const struct path_tree *tree, const struct path_node *node)
{
	return node->depth == 0 && !node->is_external ? NULL : path_node_via(tree, node);
}

/* `count`: how many times each is the sum of, whose mean it becomes; 0: it is one. */
static struct cell hop_time_cell(int128 time_ns, uint64_t count)
{
	return count > 0 ? mean_cell(time_ns, count) : cell_integer((int64_t)time_ns);
}

static struct hop_time_cells times_of(const struct path *path, const struct path_node *node,
				      const struct hop_times *hop, uint64_t count)
{
	return (struct hop_time_cells){
		.transport = node->depth > 0 ? hop_time_cell(hop->transport_ns, count) : CELL_NONE,
		.wait = has_wait(node) ? hop_time_cell(hop->wait_ns, count) : CELL_NONE,
		.callback = has_callback(path, node) ? hop_time_cell(hop->callback_ns, count) : CELL_NONE,
		.kept = hop->kept_ns > 0 ? hop_time_cell(hop->kept_ns, count) : CELL_NONE,
	};
}

/* One callback of a path, with the message that led to it. */
static void write_hop(const struct path_tree *tree, struct table_writer *writer, const struct path *path,
		      const struct path_node *node, int128 total_ns)
{
	uint64_t count = duration_statistics_count(&path->latency);
	const struct hop_times *hop = &path->hops[node->depth];
	g_autofree char *name = path_node_name(tree, node);
	g_autofree char *holder = path_hop_held_by(tree, path, node);

	row_write(writer, &path_hop_schema,
		  &(struct hop_row){
			  .path_id = path->id,
			  .hop = { node->depth, via_of(tree, node), name },
			  .times = times_of(path, node, hop, count),
			  .share = share_cell(int128_to_double(hop_times_total(hop)), int128_to_double(total_ns)),
			  .held_by = holder,
			  .held = held_mean_cell(path, node),
		  });
}

void path_hop_tables_write(const struct path_tree *tree, struct table_writer *writer, const struct path *path)
{
	const struct path_node *nodes[PATH_DEPTH_MAX];
	unsigned int depth = path->node->depth;
	int128 total_ns = 0;

	for (const struct path_node *node = path->node; node; node = node->parent) {
		nodes[node->depth] = node;
		total_ns += hop_times_total(&path->hops[node->depth]);
	}
	for (unsigned int i = 0; i <= depth; i++) {
		write_hop(tree, writer, path, nodes[i], total_ns);
	}
}

static void write_worst_hop(const struct path_tree *tree, struct table_writer *writer, const struct path *path,
			    size_t rank, const struct path_node *node, const struct worst_hop *worst)
{
	g_autofree char *name = path_node_name(tree, node);
	g_autofree char *holder = worst->hold.callback ? callback_text(worst->hold.callback, tree->model) : NULL;

	row_write(writer, &path_worst_hop_schema,
		  &(struct hop_row){
			  .path_id = path->id,
			  .rank = rank,
			  .hop = { node->depth, via_of(tree, node), name },
			  .times = times_of(path, node, &worst->times, 0),
			  .held_by = holder,
			  .held = has_wait(node) && worst->has_hold ? cell_integer(worst->hold.held_ns) : CELL_NONE,
		  });
}

/* From the root to the node; as deep as the path. */
static void write_worst_hops(const struct path_tree *tree, struct table_writer *writer, const struct path *path,
			     size_t rank, const struct path_node *node, const struct worst_hop *hops)
{
	if (node->parent) {
		write_worst_hops(tree, writer, path, rank, node->parent, hops);
	}
	write_worst_hop(tree, writer, path, rank, node, &hops[node->depth]);
}

void path_hop_tables_write_worst(const struct path_tree *tree, struct table_writer *worst_writer,
				 struct table_writer *hops, const struct path *path)
{
	size_t count;
	g_autofree struct worst_instance *worst = worst_sorted(path->worst, &count);

	for (size_t i = 0; i < count; i++) {
		row_write(worst_writer, &path_worst_schema,
			  &(struct worst_row){
				  .path_id = path->id,
				  .rank = i + 1,
				  .start_ns = worst[i].start_ns,
				  .latency_ns = worst[i].duration_ns,
			  });
		if (hops) {
			write_worst_hops(tree, hops, path, i + 1, path->node, worst[i].kept);
		}
	}
}
