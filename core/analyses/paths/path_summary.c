/* SPDX-License-Identifier: MIT */
#include "core/analyses/paths/path_summary.h"

#include <string.h>

#include "core/analyses/paths/path_hop_tables.h"
#include "core/analyses/paths/path_names.h"
#include "core/base/int128.h"

struct cell path_count_cell(const void *path)
{
	return cell_unsigned(duration_statistics_count(&((const struct path *)path)->latency));
}

/* A p99 of fewer traversals says little: they come last. */
#define SLOW_TRAVERSALS_MIN 10

struct cell path_is_rare_cell(const void *path)
{
	return cell_integer(path_count_cell(path).unsigned_integer < SLOW_TRAVERSALS_MIN);
}

static struct cell p99_ns(const void *path)
{
	return cell_integer(duration_statistics_quantile(&((const struct path *)path)->latency, 0.99));
}

/* clang-format off */
#define ROW struct path
static const struct table_column slowest_columns[] = {
	{ .name = "path", .means = MEANS_PATH, .merge = COLUMN_MERGE_KEY, .format = COLUMN_NAME,
	  .hints = HINT(.wraps = true, .may_be_below = true), CELL_VIA(written, text) },
	COLUMNS_THAT_TELL_PATHS_APART,
	{ .name = "count", CELL_BY(path_count_cell) },
	{ .name = "lost", .means = MEANS_LOST, CELL_VIA(written, lost) },
	{ .name = "latched", .hints = HINT_ONLY_IF_ANY, CELL_OF(latched) },
	{ .name = "p50_ns", .label = "p50", .format = COLUMN_DURATION, CELL_VIA(written, quantiles.p50) },
	{ .name = "p99_ns", .label = "p99", .format = COLUMN_DURATION, CELL_VIA(written, quantiles.p99) },
	{ .name = "max_ns", .label = "max", .format = COLUMN_DURATION, CELL_VIA(written, quantiles.max) },
	{ .name = "most", .label = "largest part", .format = COLUMN_NAME, .hints = HINT_WRAPS, CELL_VIA(written, most) },
	{ .name = "other_ends", .label = "other ends", .hints = HINT_ONLY_IF_ANY, CELL_OF(other_ends) },
};

static const struct table_column order_columns[] = {
	{ .name = "is_rare", CELL_BY(path_is_rare_cell) },
	{ .name = "p99", CELL_BY(p99_ns) },
};

/* Paths that are equal in these are in the order of the table `paths`. */
const struct table_schema path_slowest_schema = {
	TABLE("slowest_paths", slowest_columns), .title = "Slowest paths", .selection = "paths",
	.subject = SUBJECT_PATHS, .kind = KIND_SUMMARY, .place = 1,
	.order = "is_rare -p99", UNWRITTEN(order_columns),
};
#undef ROW
/* clang-format on */

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

	return holds && holds->held_ns > path->hops[node->depth].transport_ns / 2 ? path_hop_held_by(tree, path, node)
										  : NULL;
}

/*
 * Where most of the time goes: the largest part of all hops, as in "97 % kept in /planner" or "81 % until taken by /k2,
 * held by /k1 /f1". To be freed.
 */
static char *most_of(const struct path_tree *tree, const struct path *path)
{
	const struct path_node *most_node = NULL;
	int128 most_ns = 0, total_ns = 0;
	size_t most_part = 0;
	g_autofree char *name = NULL, *holder = NULL;

	for (const struct path_node *node = path->node; node; node = node->parent) {
		const struct hop_times *hop = &path->hops[node->depth];
		const int128 times_ns[] = {
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
		total_ns += hop_times_total(hop);
	}
	if (!most_node || total_ns <= 0) {
		return NULL;
	}
	name = path_node_name(tree, most_node);
	holder = most_part == PART_TRANSPORT ? holder_of_most(tree, path, most_node) : NULL;
	return g_strdup_printf("%.0f %% %s %s%s%s", 100 * int128_to_double(most_ns) / int128_to_double(total_ns),
			       parts_of_hops[most_part], name, holder ? ", held by " : "", holder ? holder : "");
}

/* The slowest paths so far that are no other ends. */
struct slow_paths {
	struct path *paths[SUMMARY_ROWS];
	const struct path_node **nodes[SUMMARY_ROWS]; /* of each by depth, owned: it is asked for those of every path */
	size_t count;
};

static void add_slow(struct slow_paths *slow, struct path *path)
{
	const struct path_node **nodes = g_new(const struct path_node *, path->node->depth + 1U);

	for (const struct path_node *node = path->node; node; node = node->parent) {
		nodes[node->depth] = node;
	}
	path->other_ends = 0;
	slow->paths[slow->count] = path;
	slow->nodes[slow->count++] = nodes;
}

/*
 * Whether a path is the same as a slower one up to its last node: it ends at another node by the same topic, or leaves
 * the slower one earlier. Two paths that have no message in common are different, although they begin alike.
 */
static bool is_other_end(const struct path_tree *tree, const struct path *path, const struct slow_paths *slow,
			 size_t slower)
{
	const struct path_node *end = path->node;
	unsigned int depth = slow->paths[slower]->node->depth;

	return end->depth <= depth && end->parent == slow->nodes[slower][end->depth]->parent &&
	       ((end->depth > 1 && end->depth < depth) ||
		strcmp(path_node_via(tree, end), path_node_via(tree, slow->nodes[slower][end->depth])) == 0);
}

/* The one that the path is another end of, or NULL. */
static struct path *find_slower(const struct path_tree *tree, const struct slow_paths *slow, const struct path *path)
{
	for (size_t i = 0; i < slow->count; i++) {
		if (is_other_end(tree, path, slow, i)) {
			return slow->paths[i];
		}
	}
	return NULL;
}

/* Puts the paths from the first one on that rank as it does in the order of the table `paths`. Returns how many. */
static guint order_equal(const struct path_rows *rows, struct row_order *order, guint first, guint count)
{
	g_autoptr(GPtrArray) equal = g_ptr_array_new();
	guint next = first;

	do {
		g_ptr_array_add(equal, row_order_at(order, next++));
	} while (next < count &&
		 p99_ns(row_order_at(order, first)).integer == p99_ns(row_order_at(order, next)).integer);
	for (guint i = 0; equal->len > 1 && i < equal->len; i++) {
		path_rows_fill(rows, equal->pdata[i]);
	}
	rows_sort(equal, &path_slowest_schema, "path");
	for (guint i = 0; i < equal->len; i++) {
		row_order_put(order, first + i, equal->pdata[i]);
	}
	return equal->len;
}

/* Adds the slowest, and counts other ends of each. Once all are found, any order will do. */
static void find_slowest(const struct path_rows *rows, const struct row_list *paths, struct slow_paths *slow)
{
	g_autoptr(row_order) order = slow->count < SUMMARY_ROWS ? row_order_create(paths, "-p99") : NULL;
	guint ordered = 0;

	for (guint i = 0; i < row_list_count(paths); i++) {
		struct path *path, *slower;

		if (i == ordered && slow->count < SUMMARY_ROWS) {
			ordered += order_equal(rows, order, i, row_list_count(paths));
		}
		path = order ? row_order_any(order, i) : row_list_at(paths, i);
		if (path->node->has_hidden_name) {
			continue;
		}
		slower = find_slower(rows->tree, slow, path);
		if (slower) {
			slower->other_ends++;
		} else if (slow->count < SUMMARY_ROWS) {
			add_slow(slow, path);
		}
	}
}

void path_summary_write(const struct path_rows *rows, const struct row_list *usual, const struct row_list *rare,
			struct table_writer *writer)
{
	struct slow_paths slow = { 0 };

	find_slowest(rows, usual, &slow);
	find_slowest(rows, rare, &slow);
	for (size_t i = 0; i < slow.count; i++) {
		struct path *path = slow.paths[i];

		path_rows_fill(rows, path);
		path->written->quantiles = row_quantiles_of(&path->latency);
		path->written->most = row_list_keep(rows->owner, most_of(rows->tree, path));
		row_write(writer, &path_slowest_schema, path);
		g_free(slow.nodes[i]);
	}
}
