/* SPDX-License-Identifier: MIT */
#include "core/analyses/paths/path_tables.h"

#include "core/analyses/paths/path_hop_tables.h"
#include "core/analyses/paths/path_names.h"
#include "core/analyses/paths/path_schedules.h"
#include "core/analyses/paths/path_summary.h"
#include "core/analyses/paths/path_timeline.h"
#include "core/analyses/shared/cells.h"
#include "core/analyses/shared/columns.h"
#include "core/analyses/shared/path_columns.h"

const struct table_column path_instance_columns[] = {
	{ .name = "path_id" },
	COLUMNS_OF_TRAVERSAL,
};

static const struct table_schema instance_schema = {
	.name = "path_instances",
	.title = "Path traversals",
	.selection = "paths",
	.is_instances = true,
	.columns = path_instance_columns,
	.column_count = G_N_ELEMENTS(path_instance_columns),
};

const struct table_column path_hop_instance_columns[] = {
	{ .name = "path_id" },
	COLUMNS_OF_HOP_INSTANCE,
};

static const struct table_schema hop_instance_schema = {
	.name = "path_hop_instances",
	.title = "Hops of path traversals",
	.selection = "paths",
	.is_instances = true,
	.columns = path_hop_instance_columns,
	.column_count = G_N_ELEMENTS(path_hop_instance_columns),
};

static const struct table_column columns[] = {
	{ .name = "path_id", .role = COLUMN_ROLE_HIDDEN },
	{ .name = "path", .merge = COLUMN_MERGE_KEY, .format = COLUMN_NAME, .hints = HINT_MAY_BE_HIDDEN },
	{ .name = "hops", .merge = COLUMN_MERGE_KEY, .role = COLUMN_ROLE_HIDDEN },
	{ .name = "count", .merge = COLUMN_MERGE_SUM },
	{ .name = "lost", .merge = COLUMN_MERGE_SUM },
	{ .name = "latency", .format = COLUMN_STATISTIC, .counted_by = "count" },
	{ .name = "unknown", .merge = COLUMN_MERGE_SUM, .hints = HINT_ONLY_IF_ANY },
	{ .name = "rate_hz", .label = "rate", .format = COLUMN_RATE, .role = COLUMN_ROLE_DETAIL },
	{ .name = "vpids",
	  .label = "pids",
	  .format = COLUMN_NAME,
	  .role = COLUMN_ROLE_HIDDEN,
	  .hints = HINT(.tells_apart = TELLS_APART_PROCESS, .wraps = true) },
	COLUMNS_THAT_TELL_PATHS_APART,
	{ .name = "latched", .merge = COLUMN_MERGE_SUM, .hints = HINT_ONLY_IF_ANY },
};

static const struct table_schema schema = {
	.name = "paths",
	.title = "End-to-end latency: from the first callback's start to the last callback's end",
	.selection = "paths",
	.columns = columns,
	.column_count = G_N_ELEMENTS(columns),
};

const struct table_schema *const path_tables[] = {
	[TABLE_PATHS] = &schema,
	[TABLE_HOPS] = &path_hop_schema,
	[TABLE_INSTANCES] = &instance_schema,
	[TABLE_HOP_INSTANCES] = &hop_instance_schema,
	[TABLE_SLOWEST] = &path_slowest_schema,
	[TABLE_WORST] = &path_worst_schema,
	[TABLE_WORST_HOPS] = &path_worst_hop_schema,
	[TABLE_TRACKS] = &path_track_schema,
	[TABLE_LABELS] = &path_label_schema,
	[TABLE_EVENTS] = &path_event_schema,
	[TABLE_HOP_SCHEDULING] = &path_schedule_schema,
	[TABLE_WHY] = &path_why_schema,
	NULL,
};

static struct path_row row_of(const struct path_tree *tree, const struct path *path)
{
	struct path_row row = {
		.path = path,
		.text = path_text(tree, path->node),
		.vpids = path_vpids_text(tree, path->node),
		.hostnames = path_hostnames_text(tree, path->node),
		.begins = path_begins_text(tree, path->node),
		.which = path_which_text(tree, path->node),
	};

	for (const struct path_node *node = path->node; node; node = node->parent) {
		row.lost += node->lost;
		row.unknown += node->unknown;
	}
	return row;
}

static void write_row(struct table_writer *writer, const struct path_row *row)
{
	const struct path *path = row->path;

	TABLE_ROW(writer, columns,
		  (struct cell[]){
			  cell_unsigned(path->id),
			  cell_text(row->text),
			  cell_unsigned(path->node->depth),
			  cell_unsigned(duration_statistics_totals(&path->latency).count),
			  cell_unsigned(row->lost),
			  cell_statistic(&path->latency),
			  cell_unsigned(row->unknown),
			  covered_rate_cell(&path->origins),
			  cell_text(row->vpids),
			  cell_text(row->hostnames),
			  cell_text(row->begins),
			  cell_text(row->which),
			  cell_unsigned(path->latched),
		  });
}

static GArray *rows_of(const struct path_tree *tree)
{
	GArray *rows = g_array_new(FALSE, FALSE, sizeof(struct path_row));

	g_array_set_clear_func(rows, path_row_clear);
	for (guint i = 0; i < tree->all->len; i++) {
		const struct path *path = g_ptr_array_index(tree->all, i);

		if (path_is_chosen(tree, path->node)) {
			struct path_row row = row_of(tree, path);

			g_array_append_val(rows, row);
		}
	}
	g_array_sort(rows, path_row_compare);
	return rows;
}

void path_tables_write(const struct path_tree *tree, struct table_writer *const *writers)
{
	g_autoptr(GArray) rows = NULL;

	if (!writers[TABLE_PATHS] && !writers[TABLE_HOPS]) {
		return;
	}
	rows = rows_of(tree);
	for (guint i = 0; i < rows->len; i++) {
		const struct path_row *row = &g_array_index(rows, struct path_row, i);

		write_row(writers[TABLE_PATHS], row);
		if (writers[TABLE_HOPS]) {
			path_hop_tables_write(tree, writers[TABLE_HOPS], row->path);
		}
		if (row->path->worst) {
			path_hop_tables_write_worst(tree, writers[TABLE_WORST], writers[TABLE_WORST_HOPS], row->path);
		}
	}
	if (writers[TABLE_SLOWEST]) {
		path_summary_write(tree, writers[TABLE_SLOWEST], rows);
	}
}
