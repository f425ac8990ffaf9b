/* SPDX-License-Identifier: MIT */
#include "core/analyses/paths/path_summary.h"

#include <string.h>

#include "core/analyses/paths/path_hop_tables.h"
#include "core/analyses/paths/path_names.h"
#include "core/analyses/shared/columns.h"
#include "core/base/compare_numbers.h"
#include "core/text/hidden_names.h"

static const struct table_column slowest_columns[] = {
	{ .name = "path", .merge = COLUMN_MERGE_KEY, .format = COLUMN_NAME, .hints = HINT_WRAPS },
	{ .name = "vpids",
	  .label = "pids",
	  .format = COLUMN_NAME,
	  .role = COLUMN_ROLE_HIDDEN,
	  .hints = HINT(.tells_apart = TELLS_APART_PROCESS, .wraps = true) },
	COLUMNS_THAT_TELL_PATHS_APART,
	{ .name = "count" },
	{ .name = "lost" },
	{ .name = "latched", .hints = HINT_ONLY_IF_ANY },
	COLUMNS_OF_QUANTILES,
	{ .name = "most", .label = "most of it", .format = COLUMN_NAME, .hints = HINT_WRAPS },
};

const struct table_schema path_slowest_schema = {
	.name = "slowest_paths",
	.title = "Slowest paths",
	.selection = "paths",
	.summary = 1,
	.columns = slowest_columns,
	.column_count = G_N_ELEMENTS(slowest_columns),
};

void path_row_clear(gpointer data)
{
	struct path_row *row = data;

	g_free(row->text);
	g_free(row->vpids);
	g_free(row->hostnames);
	g_free(row->begins);
	g_free(row->which);
}

gint path_row_compare(gconstpointer a, gconstpointer b)
{
	const struct path_row *left = a;
	const struct path_row *right = b;
	int order = strcmp(left->text, right->text);

	return order ? order : compare_unsigned(left->path->id, right->path->id);
}

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
		total_ns += hop_times_total(hop);
	}
	if (!most_node || total_ns <= 0) {
		return NULL;
	}
	name = path_node_name(tree, most_node);
	holder = most_part == PART_TRANSPORT ? holder_of_most(tree, path, most_node) : NULL;
	return g_strdup_printf("%.0f %% %s %s%s%s", 100 * (double)most_ns / (double)total_ns, parts_of_hops[most_part],
			       name, holder ? ", held by " : "", holder ? holder : "");
}

static void write_slow(const struct path_tree *tree, struct table_writer *writer, const struct path_row *row)
{
	const struct duration_statistics *latency = &row->path->latency;
	g_autofree char *most = most_of(tree, row->path);

	TABLE_ROW(writer, slowest_columns,
		  (struct cell[]){
			  cell_text(row->text),
			  cell_text(row->vpids),
			  cell_text(row->hostnames),
			  cell_text(row->begins),
			  cell_text(row->which),
			  cell_unsigned(duration_statistics_totals(latency).count),
			  cell_unsigned(row->lost),
			  cell_unsigned(row->path->latched),
			  cell_integer(duration_statistics_quantile(latency, 0.5)),
			  cell_integer(duration_statistics_quantile(latency, 0.99)),
			  cell_integer(latency->longest_ns),
			  cell_text(most),
		  });
}

/* A p99 of fewer traversals says little: they come last. */
#define SLOW_TRAVERSALS_MIN 10

static bool is_rare(const struct path_row *row)
{
	return duration_statistics_totals(&row->path->latency).count < SLOW_TRAVERSALS_MIN;
}

static gint compare_slowness(gconstpointer a, gconstpointer b)
{
	const struct path_row *left = a;
	const struct path_row *right = b;
	int order;

	if (is_rare(left) != is_rare(right)) {
		return is_rare(left) ? 1 : -1;
	}
	order = compare_integers(right->p99_ns, left->p99_ns);
	return order ? order : path_row_compare(a, b);
}

void path_summary_write(const struct path_tree *tree, struct table_writer *writer, GArray *rows)
{
	size_t count = 0;

	for (guint i = 0; i < rows->len; i++) {
		struct path_row *row = &g_array_index(rows, struct path_row, i);

		row->p99_ns = duration_statistics_quantile(&row->path->latency, 0.99);
	}
	g_array_sort(rows, compare_slowness);
	for (guint i = 0; i < rows->len && count < SUMMARY_ROWS; i++) {
		const struct path_row *row = &g_array_index(rows, struct path_row, i);

		if (!name_is_hidden(row->text)) {
			write_slow(tree, writer, row);
			count++;
		}
	}
}
