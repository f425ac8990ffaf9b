/* SPDX-License-Identifier: MIT */
#include "core/analyses/paths/path_tables.h"

#include <string.h>

#include "core/analyses/shared/callback_text.h"
#include "core/analyses/paths/path_names.h"
#include "core/analyses/paths/path_schedules.h"
#include "core/analyses/paths/path_timeline.h"
#include "core/base/name_filter.h"
#include "core/base/time_units.h"

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

#define HINT_ONLY_IF_ANY (&(const struct text_hints){ .only_if_any = true })

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
	{ .name = "held_by",
	  .label = "held by",
	  .format = COLUMN_NAME,
	  .role = COLUMN_ROLE_DETAIL,
	  .hints = HINT_ONLY_IF_ANY },
	{ .name = "held_mean_ns",
	  .label = "held",
	  .format = COLUMN_DURATION,
	  .role = COLUMN_ROLE_DETAIL,
	  .hints = HINT_ONLY_IF_ANY },
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
	{ .name = "held_by",
	  .label = "held by",
	  .format = COLUMN_NAME,
	  .role = COLUMN_ROLE_DETAIL,
	  .hints = HINT_ONLY_IF_ANY },
	{ .name = "held_ns",
	  .label = "held",
	  .format = COLUMN_DURATION,
	  .role = COLUMN_ROLE_DETAIL,
	  .hints = HINT_ONLY_IF_ANY },
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

#define HINT_TELLS_APART (&(const struct text_hints){ .tells_apart = true, .wraps = true })

static const struct table_column columns[] = {
	{ .name = "path_id", .role = COLUMN_ROLE_HIDDEN },
	{ .name = "path",
	  .merge = COLUMN_MERGE_KEY,
	  .format = COLUMN_NAME,
	  .hints = &(const struct text_hints){ .may_be_hidden = true } },
	{ .name = "hops", .merge = COLUMN_MERGE_KEY, .role = COLUMN_ROLE_HIDDEN },
	{ .name = "count", .merge = COLUMN_MERGE_SUM },
	{ .name = "lost", .merge = COLUMN_MERGE_SUM },
	{ .name = "latency", .format = COLUMN_STATISTIC },
	{ .name = "unknown", .merge = COLUMN_MERGE_SUM, .hints = HINT_ONLY_IF_ANY },
	{ .name = "rate_hz", .label = "rate", .format = COLUMN_RATE, .role = COLUMN_ROLE_DETAIL },
	{ .name = "vpids",
	  .label = "pids",
	  .format = COLUMN_NAME,
	  .role = COLUMN_ROLE_HIDDEN,
	  .hints = HINT_TELLS_APART },
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
	{ .name = "vpids",
	  .label = "pids",
	  .format = COLUMN_NAME,
	  .role = COLUMN_ROLE_HIDDEN,
	  .hints = HINT_TELLS_APART },
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

const struct table_schema *const path_tables[] = {
	[TABLE_PATHS] = &schema,
	[TABLE_HOPS] = &hop_schema,
	[TABLE_INSTANCES] = &instance_schema,
	[TABLE_HOP_INSTANCES] = &hop_instance_schema,
	[TABLE_SLOWEST] = &slowest_schema,
	[TABLE_WORST] = &worst_schema,
	[TABLE_WORST_HOPS] = &worst_hop_schema,
	[TABLE_TRACKS] = &path_track_schema,
	[TABLE_LABELS] = &path_label_schema,
	[TABLE_EVENTS] = &path_event_schema,
	[TABLE_HOP_SCHEDULING] = &path_schedule_schema,
	[TABLE_WHY] = &path_why_schema,
	NULL,
};

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

/* How often a flow that ends here begins. */
static struct cell rate_cell(const struct path *path)
{
	uint64_t count = duration_statistics_totals(&path->latency).count;
	double time_ns = (double)path->last_origin_ns - (double)path->first_origin_ns;

	return count > 1 && time_ns > 0 ? cell_real((double)(count - 1) * (double)NS_PER_S / time_ns) : CELL_NONE;
}

static void write_row(const struct path_tree *tree, struct table_writer *writer, const struct row *row)
{
	g_autofree char *vpids = path_vpids_text(tree, row->path->node);

	table_row(writer, (struct cell[]){
				  cell_unsigned(row->path->id),
				  cell_text(row->text),
				  cell_unsigned(row->path->node->depth),
				  cell_unsigned(duration_statistics_totals(&row->path->latency).count),
				  cell_unsigned(lost_on_the_way(row->path->node)),
				  cell_statistic(&row->path->latency),
				  cell_unsigned(unknown_on_the_way(row->path->node)),
				  rate_cell(row->path),
				  cell_text(vpids),
			  });
}

static __int128 total_of(const struct hop_times *hop)
{
	return hop->transport_ns + hop->wait_ns + hop->callback_ns + hop->kept_ns;
}

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

/* Free it; NULL if nothing did. */
static char *held_by(const struct path_tree *tree, const struct path *path, const struct path_node *node)
{
	return path->holds ? holders_longest_text(&path->holds[node->depth].holders, tree->model) : NULL;
}

/* One callback of a path, with the message that led to it. */
static void write_hop(const struct path_tree *tree, struct table_writer *writer, const struct path *path,
		      const struct path_node *node, __int128 total_ns)
{
	double count = (double)duration_statistics_totals(&path->latency).count;
	const struct hop_times *hop = &path->hops[node->depth];
	g_autofree char *name = path_node_name(tree, node);
	g_autofree char *holder = held_by(tree, path, node);
	bool is_first = node->depth == 0;

	table_row(writer, (struct cell[]){
				  cell_unsigned(path->id),
				  cell_unsigned(node->depth),
				  is_first && !node->is_external ? CELL_NONE : cell_text(path_node_via(tree, node)),
				  cell_text(name),
				  is_first ? CELL_NONE : cell_real((double)hop->transport_ns / count),
				  !has_wait(node) ? CELL_NONE : cell_real((double)hop->wait_ns / count),
				  !has_callback(path, node) ? CELL_NONE : cell_real((double)hop->callback_ns / count),
				  hop->kept_ns > 0 ? cell_real((double)hop->kept_ns / count) : CELL_NONE,
				  total_ns > 0 ? cell_real(100 * (double)total_of(hop) / (double)total_ns) : CELL_NONE,
				  cell_text(holder),
				  held_mean_cell(path, node),
			  });
}

static void write_hops(const struct path_tree *tree, struct table_writer *writer, const struct path *path)
{
	const struct path_node *nodes[PATH_DEPTH_MAX];
	__int128 total_ns = 0;

	for (const struct path_node *node = path->node; node; node = node->parent) {
		nodes[node->depth] = node;
		total_ns += total_of(&path->hops[node->depth]);
	}
	for (unsigned int i = 0; i <= path->node->depth; i++) {
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

	table_row(writer, (struct cell[]){
				  cell_unsigned(path->id),
				  cell_unsigned(rank),
				  cell_unsigned(node->depth),
				  is_first && !node->is_external ? CELL_NONE : cell_text(path_node_via(tree, node)),
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

static void write_worst(const struct path_tree *tree, struct table_writer *const *writers, const struct path *path)
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
			write_worst_hops(tree, writers[TABLE_WORST_HOPS], path, i + 1, path->node, worst[i].kept);
		}
	}
}

/* --- the summary --- */

enum { PART_TRANSPORT, PART_WAIT, PART_CALLBACK, PART_KEPT };

static const char *const parts_of_hops[] = {
	[PART_TRANSPORT] = "until taken by",
	[PART_WAIT] = "waiting at",
	[PART_CALLBACK] = "callback of",
	[PART_KEPT] = "kept in",
};

/* The callback behind which messages waited for most of the time until they were taken. NULL if they did not. */
static char *holder_of_most(const struct path_tree *tree, const struct path *path, const struct path_node *node)
{
	const struct hop_holds *holds = path->holds ? &path->holds[node->depth] : NULL;

	return holds && holds->held_ns > path->hops[node->depth].transport_ns / 2 ? held_by(tree, path, node) : NULL;
}

/*
 * Where most of the time goes: the largest part of all hops, as in "97 % kept in /planner" or "81 % until taken by /k2,
 * held by /k1 /f1". Free it.
 */
static char *most_of(const struct path_tree *tree, const struct path *path)
{
	const struct path_node *most_node = NULL;
	__int128 most_ns = 0, total_ns = 0;
	size_t most_part = 0;
	g_autofree char *name = NULL, *holder = NULL;

	for (const struct path_node *node = path->node; node; node = node->parent) {
		const struct hop_times *hop = &path->hops[node->depth];
		const __int128 times_ns[] = {
			[PART_TRANSPORT] = hop->transport_ns,
			[PART_WAIT] = hop->wait_ns,
			[PART_CALLBACK] = hop->callback_ns,
			[PART_KEPT] = hop->kept_ns,
		};

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
	name = path_node_name(tree, most_node);
	holder = most_part == PART_TRANSPORT ? holder_of_most(tree, path, most_node) : NULL;
	return g_strdup_printf("%.0f %% %s %s%s%s", 100 * (double)most_ns / (double)total_ns, parts_of_hops[most_part],
			       name, holder ? ", held by " : "", holder ? holder : "");
}

static void write_slow(const struct path_tree *tree, struct table_writer *writer, const struct row *row)
{
	const struct duration_statistics *latency = &row->path->latency;
	g_autofree char *most = most_of(tree, row->path);
	g_autofree char *vpids = path_vpids_text(tree, row->path->node);

	table_row(writer, (struct cell[]){
				  cell_text(row->text),
				  cell_text(vpids),
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

static void write_slowest(const struct path_tree *tree, struct table_writer *writer, GArray *rows)
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
			write_slow(tree, writer, row);
			count++;
		}
	}
}

void path_tables_write(const struct path_tree *tree, struct table_writer *const *writers)
{
	g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(struct row));

	if (!writers[TABLE_PATHS] && !writers[TABLE_HOPS]) {
		return;
	}
	g_array_set_clear_func(rows, row_clear);
	for (guint i = 0; i < tree->all->len; i++) {
		const struct path *path = g_ptr_array_index(tree->all, i);

		if (path_is_chosen(tree, path->node)) {
			struct row row = { .path = path, .text = path_text(tree, path->node) };

			g_array_append_val(rows, row);
		}
	}
	g_array_sort(rows, compare_rows);
	for (guint i = 0; i < rows->len; i++) {
		const struct row *row = &g_array_index(rows, struct row, i);

		write_row(tree, writers[TABLE_PATHS], row);
		if (writers[TABLE_HOPS]) {
			write_hops(tree, writers[TABLE_HOPS], row->path);
		}
		if (row->path->worst) {
			write_worst(tree, writers, row->path);
		}
	}
	if (writers[TABLE_SLOWEST]) {
		write_slowest(tree, writers[TABLE_SLOWEST], rows);
	}
}
