/* SPDX-License-Identifier: MIT */
#include "core/analyses/paths/path_tables.h"

#include "core/analyses/paths/path_hop_tables.h"
#include "core/analyses/paths/path_joins.h"
#include "core/analyses/paths/path_left_out.h"
#include "core/analyses/paths/path_names.h"
#include "core/analyses/paths/path_rows.h"
#include "core/analyses/paths/path_schedules.h"
#include "core/analyses/paths/path_summary.h"
#include "core/analyses/paths/path_timeline.h"
#include "core/analyses/shared/path_columns.h"

static struct cell hops_of(const void *path)
{
	return cell_unsigned(((const struct path *)path)->node->depth);
}

static struct cell rate_of(const void *path)
{
	return covered_rate_cell(&((const struct path *)path)->origins);
}

struct path_instance {
	struct cell path_id;
	struct traversal_cells times;
	struct cell instance; /* as in path_hop_instances */
};

struct path_hop_instance {
	struct cell path_id;
	struct hop_instance_cells of;
};

/* clang-format off */
#define ROW struct path_instance
static const struct table_column instance_columns[] = {
	{ .name = "path_id", .id_of = "paths", CELL_OF(path_id) },
	COLUMNS_OF_TRAVERSAL(times),
	{ .name = "instance", CELL_OF(instance) },
};

static const struct table_schema path_instance_schema = {
	TABLE_OF_CELLS("path_instances", instance_columns), .title = "Path traversals", .selection = "paths",
	.kind = KIND_INSTANCES,
};
#undef ROW

#define ROW struct path_hop_instance
static const struct table_column hop_instance_columns[] = {
	{ .name = "path_id", .id_of = "paths", CELL_OF(path_id) },
	COLUMNS_OF_HOP_INSTANCE(of),
};

static const struct table_schema path_hop_instance_schema = {
	TABLE_OF_CELLS("path_hop_instances", hop_instance_columns), .title = "Hops of path traversals",
	.selection = "paths", .kind = KIND_INSTANCES,
};
#undef ROW

#define ROW struct path
static const struct table_column columns[] = {
	{ .name = "path_id", .id_of = "paths", .role = COLUMN_ROLE_HIDDEN, CELL_OF(id) },
	{ .name = "path", .means = MEANS_PATH, .merge = COLUMN_MERGE_KEY, .format = COLUMN_NAME,
	  .budget = "path", .proposed = PROPOSED_ALWAYS, .hints = HINT(.may_be_hidden = true, .may_be_below = true),
	  CELL_VIA(written, text) },
	{ .name = "hops", .merge = COLUMN_MERGE_KEY, .role = COLUMN_ROLE_HIDDEN, CELL_BY(hops_of) },
	{ .name = "count", .means = MEANS_COUNT, .merge = COLUMN_MERGE_SUM, CELL_BY(path_count_cell) },
	{ .name = "lost", .means = MEANS_LOST, .merge = COLUMN_MERGE_SUM, CELL_VIA(written, lost) },
	{ .name = "latency", .means = MEANS_DURATION, .format = COLUMN_STATISTIC, .counted_by = "count",
	  CELL_OF(latency) },
	{ .name = "unknown", .merge = COLUMN_MERGE_SUM, .hints = HINT_ONLY_IF_ANY, CELL_VIA(written, unknown) },
	{ .name = "rate_hz", .label = "rate", .format = COLUMN_RATE, .role = COLUMN_ROLE_DETAIL, CELL_BY(rate_of) },
	COLUMNS_THAT_TELL_PATHS_APART,
	{ .name = "latched", .merge = COLUMN_MERGE_SUM, .hints = HINT_ONLY_IF_ANY, CELL_OF(latched) },
	{ COLUMN_IS_RATE_TO_END, CELL_VIA(written, rate_to_end) },
};

static const struct table_schema schema = {
	TABLE("paths", columns),
	.title = "End-to-end latency: from the first callback's start to the last callback's end",
	.selection = "paths", .subject = SUBJECT_PATHS, .order = "path path_id",
};
#undef ROW
/* clang-format on */

const struct table_schema *const path_tables[] = {
	[TABLE_PATHS] = &schema,
	[TABLE_HOPS] = &path_hop_schema,
	[TABLE_INSTANCES] = &path_instance_schema,
	[TABLE_HOP_INSTANCES] = &path_hop_instance_schema,
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

static const char *text_or_null(const GString *text)
{
	return text->len > 0 ? text->str : NULL;
}

/* What the sign of an inferred callback means, if a path that is listed has one. */
static void describe_inferred(const struct path *const *paths, guint count, GString *text)
{
	for (guint i = 0; i < count; i++) {
		const struct path_node *node = paths[i]->node;

		while (node && !node->is_inferred) {
			node = node->parent;
		}
		if (node && !paths[i]->node->has_hidden_name) {
			g_string_append(text, text->len > 0 ? "\n" : "");
			g_string_append(text, "Where paths say ~>, the callback is inferred, or the node takes the "
					      "message by hand.");
			return;
		}
	}
}

/* What is left out is said in both tables; where paths may go on once, in the summary if there is one. */
static void write_notes(const struct path_tree *tree, const struct row_list *rows, struct table_writer *const *writers)
{
	guint count = row_list_count(rows);
	g_autofree const struct path **paths = g_new(const struct path *, count);

	for (guint i = 0; i < count; i++) {
		paths[i] = row_list_at(rows, i);
	}
	path_left_out_describe(tree, tree->note);
	g_string_assign(tree->long_note, tree->note->str);
	describe_inferred(paths, count, tree->long_note);
	path_joins_describe(tree, paths, count, tree->long_note);
	if (writers[TABLE_PATHS]) {
		writers[TABLE_PATHS]->hidden = tree->hidden_chosen;
		writers[TABLE_PATHS]->note = text_or_null(writers[TABLE_SLOWEST] ? tree->note : tree->long_note);
	}
	if (writers[TABLE_SLOWEST]) {
		writers[TABLE_SLOWEST]->note = text_or_null(tree->long_note);
	}
}

static bool has_plain_names(const void *data G_GNUC_UNUSED, const void *row)
{
	return !((const struct path *)row)->node->has_hidden_name;
}

/* Counts the rows that the writer only counts, before their texts are made. */
static void leave_out_hidden(struct row_list *list, struct table_writer *writer)
{
	if (writer && writer->only_counts_hidden) {
		writer->hidden += row_list_sift(list, has_plain_names, NULL);
		list->is_sifted = true;
	}
}

static int64_t first_publish_of(const struct step *last)
{
	while (last->before->before) {
		last = last->before;
	}
	return last->publish_ns;
}

static struct cell time_cell(int64_t time_ns)
{
	return time_ns == NO_TIME ? CELL_NONE : cell_integer(time_ns);
}

/* The number of the traversal of the path that was counted last. */
static struct cell instance_cell(const struct path *path)
{
	return cell_unsigned(duration_statistics_count(&path->latency));
}

/* From the first hop on. */
static void write_hop_instances(struct table_writer *writer, const struct path *path, const struct step *last)
{
	struct cell instance = instance_cell(path);
	const struct step *steps[PATH_DEPTH_MAX];
	unsigned int count = 0;

	for (const struct step *step = last; step; step = step->before) {
		steps[count++] = step;
	}
	for (unsigned int hop = 0; hop < count; hop++) {
		const struct step *step = steps[count - 1 - hop];
		int64_t end_ns = step->node->is_inferred ? NO_TIME : step_end_ns(step);

		row_write(writer, &path_hop_instance_schema,
			  &(struct path_hop_instance){
				  .path_id = cell_unsigned(path->id),
				  .of = {
					  .instance = instance,
					  .hop = cell_unsigned(hop),
					  .publish = hop == 0 ? CELL_NONE : cell_integer(step->publish_ns),
					  .take = hop == 0 ? CELL_NONE : cell_integer(step->take_ns),
					  .callback_start = time_cell(step->start_ns),
					  .callback_end = time_cell(end_ns),
				  },
			  });
	}
}

void path_tables_write_instance(struct table_writer *const *writers, const struct path *path, const struct step *last,
				int64_t end_ns)
{
	if (writers[TABLE_INSTANCES]) {
		row_write(writers[TABLE_INSTANCES], &path_instance_schema,
			  &(struct path_instance){
				  .path_id = cell_unsigned(path->id),
				  .times = {
					  .origin_start = cell_integer(last->origin_ns),
					  .first_publish = cell_integer(first_publish_of(last)),
					  .last_callback_start = cell_integer(last->start_ns),
					  .last_callback_end = time_cell(last->node->is_inferred ? NO_TIME : end_ns),
					  .latency = cell_integer(end_ns - last->origin_ns),
				  },
				  .instance = instance_cell(path),
			  });
	}
	if (writers[TABLE_HOP_INSTANCES]) {
		write_hop_instances(writers[TABLE_HOP_INSTANCES], path, last);
	}
}

void path_tables_write(const struct path_tree *tree, struct final_silence *silence, struct table_writer *const *writers)
{
	g_autoptr(row_list) list = row_list_create(&schema);
	g_autoptr(row_list) usual = row_list_create(&path_slowest_schema), rare = row_list_create(&path_slowest_schema);
	const struct path_rows rows = { tree, silence, list };

	if (!writers[TABLE_PATHS] && !writers[TABLE_HOPS]) {
		return;
	}
	path_rows_begin(&rows);
	path_names_judge(tree);
	for (guint i = 0; i < tree->all->len; i++) {
		struct path *path = tree->all->pdata[i];

		if (path_is_chosen(tree, path->node)) {
			row_list_add(list, path);
			row_list_add(path_is_rare_cell(path).integer ? rare : usual, path);
		}
	}
	write_notes(tree, list, writers);
	leave_out_hidden(list, writers[TABLE_PATHS]);
	row_list_leave_out(list, writers[TABLE_PATHS]);
	for (guint i = 0; i < row_list_count(list); i++) {
		path_rows_fill(&rows, row_list_at(list, i));
	}
	row_list_sort(list, schema.order);
	for (guint i = 0; i < row_list_count(list); i++) {
		const struct path *path = row_list_at(list, i);

		row_write(writers[TABLE_PATHS], &schema, path);
		if (writers[TABLE_HOPS]) {
			path_hop_tables_write(tree, writers[TABLE_HOPS], path);
		}
		if (path->worst) {
			path_hop_tables_write_worst(tree, writers[TABLE_WORST], writers[TABLE_WORST_HOPS], path);
		}
	}
	if (writers[TABLE_SLOWEST]) {
		path_summary_write(&rows, usual, rare, writers[TABLE_SLOWEST]);
	}
}
