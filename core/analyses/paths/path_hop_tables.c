/* SPDX-License-Identifier: MIT */
#include "core/analyses/paths/path_hop_tables.h"

#include "core/analyses/paths/path_names.h"
#include "core/analyses/shared/callback_text.h"
#include "core/analyses/shared/cells.h"
#include "core/analyses/shared/path_columns.h"

/* What held the message of a hop: the callback, and the time that its thread was busy. */
/* clang-format off */
#define COLUMNS_OF_HOLD(suffix) \
	{ .name = "held_by", .label = "held by", .format = COLUMN_NAME, .role = COLUMN_ROLE_DETAIL, \
	  .hints = HINT_ONLY_IF_ANY }, \
	{ .name = "held" suffix, .label = "held", .format = COLUMN_DURATION, .role = COLUMN_ROLE_DETAIL, \
	  .hints = HINT_ONLY_IF_ANY }
/* clang-format on */

static const struct table_column hop_columns[] = {
	{ .name = "path_id", .role = COLUMN_ROLE_HIDDEN },
	COLUMNS_OF_HOP,
	COLUMNS_OF_HOP_TIMES("_mean_ns"),
	{ .name = "share_percent", .label = "share", .format = COLUMN_PERCENT },
	COLUMNS_OF_HOLD("_mean_ns"),
};

const struct table_schema path_hop_schema = {
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

const struct table_schema path_worst_schema = {
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
	COLUMNS_OF_HOP,
	COLUMNS_OF_HOP_TIMES("_ns"),
	COLUMNS_OF_HOLD("_ns"),
};

const struct table_schema path_worst_hop_schema = {
	.name = "worst_path_hops",
	.title = "Hops of the worst path traversals",
	.selection = "paths",
	.parent = "paths",
	.is_worst = true,
	.columns = worst_hop_columns,
	.column_count = G_N_ELEMENTS(worst_hop_columns),
};

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
	uint64_t known = duration_statistics_totals(&path->latency).count - holds->unknown;

	return has_wait(node) && known > 0 ? cell_real((double)holds->held_ns / (double)known) : CELL_NONE;
}

char *path_hop_held_by(const struct path_tree *tree, const struct path *path, const struct path_node *node)
{
	return path->holds ? holders_longest_text(&path->holds[node->depth].holders, tree->model) : NULL;
}

/* The first callback of a path has a message only if that comes from outside the trace. */
static struct cell via_cell(const struct path_tree *tree, const struct path_node *node)
{
	return node->depth == 0 && !node->is_external ? CELL_NONE : cell_text(path_node_via(tree, node));
}

/* One callback of a path, with the message that led to it. */
static void write_hop(const struct path_tree *tree, struct table_writer *writer, const struct path *path,
		      const struct path_node *node, __int128 total_ns)
{
	double count = (double)duration_statistics_totals(&path->latency).count;
	const struct hop_times *hop = &path->hops[node->depth];
	g_autofree char *name = path_node_name(tree, node);
	g_autofree char *holder = path_hop_held_by(tree, path, node);
	bool is_first = node->depth == 0;

	TABLE_ROW(writer, hop_columns,
		  (struct cell[]){
			  cell_unsigned(path->id),
			  cell_unsigned(node->depth),
			  via_cell(tree, node),
			  cell_text(name),
			  is_first ? CELL_NONE : cell_real((double)hop->transport_ns / count),
			  !has_wait(node) ? CELL_NONE : cell_real((double)hop->wait_ns / count),
			  !has_callback(path, node) ? CELL_NONE : cell_real((double)hop->callback_ns / count),
			  hop->kept_ns > 0 ? cell_real((double)hop->kept_ns / count) : CELL_NONE,
			  share_cell((double)hop_times_total(hop), (double)total_ns),
			  cell_text(holder),
			  held_mean_cell(path, node),
		  });
}

void path_hop_tables_write(const struct path_tree *tree, struct table_writer *writer, const struct path *path)
{
	const struct path_node *nodes[PATH_DEPTH_MAX];
	unsigned int depth = path->node->depth;
	__int128 total_ns = 0;

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
	const struct hop_times *hop = &worst->times;
	g_autofree char *name = path_node_name(tree, node);
	g_autofree char *holder = worst->hold.callback ? callback_text(worst->hold.callback, tree->model) : NULL;
	bool is_first = node->depth == 0;

	TABLE_ROW(writer, worst_hop_columns,
		  (struct cell[]){
			  cell_unsigned(path->id),
			  cell_unsigned(rank),
			  cell_unsigned(node->depth),
			  via_cell(tree, node),
			  cell_text(name),
			  is_first ? CELL_NONE : cell_integer((int64_t)hop->transport_ns),
			  !has_wait(node) ? CELL_NONE : cell_integer((int64_t)hop->wait_ns),
			  !has_callback(path, node) ? CELL_NONE : cell_integer((int64_t)hop->callback_ns),
			  hop->kept_ns > 0 ? cell_integer((int64_t)hop->kept_ns) : CELL_NONE,
			  cell_text(holder),
			  has_wait(node) && worst->has_hold ? cell_integer(worst->hold.held_ns) : CELL_NONE,
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
		TABLE_ROW(worst_writer, worst_columns,
			  (struct cell[]){
				  cell_unsigned(path->id),
				  cell_unsigned(i + 1),
				  cell_integer(worst[i].start_ns),
				  cell_integer(worst[i].duration_ns),
			  });
		if (hops) {
			write_worst_hops(tree, hops, path, i + 1, path->node, worst[i].kept);
		}
	}
}
