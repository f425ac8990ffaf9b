/* SPDX-License-Identifier: MIT */
#include "core/analyses/points/points_state.h"

#include "core/analyses/points/point_losses.h"
#include "core/analyses/shared/callback_text.h"
#include "core/analyses/shared/cells.h"
#include "core/analyses/shared/columns.h"
#include "core/base/int128.h"
#include "core/tables/row_list.h"

#define WHY_EMPTY "needs a file of points and the events that it names, see docs/points.md"

/* A stage or a path. */
struct pair_row {
	const struct point_row *counts;
	const char *scope;
	uint64_t without_end, unknown; /* with what is open as of now */
	bool is_path;
	struct cell p50, p99; /* in the summary */
};

/* clang-format off */
#define ROW struct pair_row
/* Pairs of a start and an end. */
#define COLUMNS_OF_PAIRS(name_, key, statistic) \
	{ .name = (name_), .merge = COLUMN_MERGE_KEY, .format = COLUMN_NAME, .budget = (key), CELL_VIA(counts, name) }, \
	{ .name = "scope", .means = MEANS_SCOPE, .merge = COLUMN_MERGE_KEY, .role = COLUMN_ROLE_DETAIL, \
	  CELL_OF(scope) }, \
	{ .name = "count", .merge = COLUMN_MERGE_SUM, CELL_VIA(counts, count) }, \
	{ .name = "without_start", .merge = COLUMN_MERGE_SUM, .label = "no start", CELL_VIA(counts, without_start) }, \
	{ .name = "without_end", .merge = COLUMN_MERGE_SUM, .label = "no end", CELL_OF(without_end) }, \
	{ .name = (statistic), .format = COLUMN_STATISTIC, CELL_VIA(counts, duration) }, \
	{ .name = "unknown", .merge = COLUMN_MERGE_SUM, .hints = HINT_ONLY_IF_ANY, CELL_OF(unknown) }, \
	{ .name = "doubtful", .merge = COLUMN_MERGE_SUM, .hints = HINT_ONLY_IF_ANY, CELL_VIA(counts, doubtful) }, \
	{ .name = "out_of_order", .merge = COLUMN_MERGE_SUM, .label = "out of order", .hints = HINT_ONLY_IF_ANY, \
	  CELL_VIA(counts, out_of_order) }

static const struct table_column columns[] = { COLUMNS_OF_PAIRS("stage", "stage", "duration") };

static const struct table_schema schema = {
	TABLE("points", columns), .title = "Stages of the application", .selection = "points", .presence = PRESENT_IF_ANY,
	.why_empty = WHY_EMPTY, .key_count = 2,
};

static const struct table_column path_columns[] = { COLUMNS_OF_PAIRS("path", NULL, "latency") };

static const struct table_schema path_schema = {
	TABLE("point_paths", path_columns), .title = "Stages, end to end by key", .selection = "points",
	.presence = PRESENT_IF_ANY, .why_empty = "needs paths in the file of points, see docs/points.md", .key_count = 2,
};

static const struct table_column slowest_columns[] = {
	{ .name = "name", .label = "stage or path", .format = COLUMN_NAME, CELL_VIA(counts, name) },
	{ .name = "count", CELL_VIA(counts, count) },
	{ .name = "without_end", .label = "no end", .hints = HINT_ONLY_IF_ANY, CELL_OF(without_end) },
	{ .name = "p50_ns", .label = "p50", .format = COLUMN_DURATION, CELL_OF(p50) },
	{ .name = "p99_ns", .label = "p99", .format = COLUMN_DURATION, CELL_OF(p99) },
	{ .name = "max_ns", .label = "max", .format = COLUMN_DURATION, CELL_VIA(counts, duration.longest_ns) },
	{ .name = "max_at_ns", .label = "at", .format = COLUMN_MOMENT, CELL_VIA(counts, duration.longest_at_ns) },
};

static const struct table_column slowest_order[] = { { .name = "is_path", CELL_OF(is_path) } };

static const struct table_schema slowest_schema = {
	TABLE("slowest_points", slowest_columns), .title = "Slowest in the application", .selection = "points",
	.kind = KIND_SUMMARY, .place = 3, .order = "-is_path -max_ns", UNWRITTEN(slowest_order),
};
#undef ROW

struct instance {
	struct cell stage, key, start, end, duration, callback_id, start_vtid, end_vtid;
};

#define ROW struct instance
static const struct table_column instance_columns[] = {
	{ .name = "stage", CELL_OF(stage) },
	{ .name = "key", CELL_OF(key) },
	{ .name = "start_ns", .label = "start", .format = COLUMN_TIME, CELL_OF(start) },
	{ .name = "end_ns", .label = "end", .format = COLUMN_TIME, CELL_OF(end) },
	{ .name = "duration_ns", .label = "duration", .format = COLUMN_DURATION, CELL_OF(duration) },
	{ .name = "callback_id", .id_of = "callbacks", CELL_OF(callback_id) },
	{ .name = "start_vtid", .means = MEANS_THREAD, CELL_OF(start_vtid) },
	{ .name = "end_vtid", .means = MEANS_THREAD, CELL_OF(end_vtid) },
};

static const struct table_schema instance_schema = {
	TABLE_OF_CELLS("point_instances", instance_columns), .title = "Stages, each time", .selection = "points",
	.kind = KIND_INSTANCES, .presence = PRESENT_IF_ANY,
};
#undef ROW

struct path_instance {
	struct cell path, key, start, end, latency;
};

#define ROW struct path_instance
static const struct table_column path_instance_columns[] = {
	{ .name = "path", CELL_OF(path) },
	{ .name = "key", CELL_OF(key) },
	{ .name = "start_ns", .label = "start", .format = COLUMN_TIME, CELL_OF(start) },
	{ .name = "end_ns", .label = "end", .format = COLUMN_TIME, CELL_OF(end) },
	{ .name = "latency_ns", .label = "latency", .format = COLUMN_DURATION, CELL_OF(latency) },
};

static const struct table_schema path_instance_schema = {
	TABLE_OF_CELLS("point_path_instances", path_instance_columns), .title = "Stages end to end, each time",
	.selection = "points", .kind = KIND_INSTANCES, .presence = PRESENT_IF_ANY,
};
#undef ROW

struct callback_row {
	const char *stage, *callback, *node;
	struct cell callback_id;
	const struct point_callback *counts;
};

#define ROW struct callback_row
static const struct table_column callback_columns[] = {
	{ .name = "stage", .merge = COLUMN_MERGE_KEY, .format = COLUMN_NAME, CELL_OF(stage) },
	{ .name = "callback", .means = MEANS_CALLBACK, .merge = COLUMN_MERGE_KEY, .label = "starts in callback",
	  .format = COLUMN_NAME, CELL_OF(callback) },
	{ .name = "callback_id", .id_of = "callbacks", .role = COLUMN_ROLE_HIDDEN, CELL_OF(callback_id) },
	{ .name = "count", .merge = COLUMN_MERGE_SUM, CELL_VIA(counts, count) },
	{ .name = "duration", .format = COLUMN_STATISTIC, CELL_VIA(counts, duration) },
};

static const struct table_column callback_unwritten[] = {
	{ .name = "row", CELL_VIA(counts, row) },
	{ .name = "node", .means = MEANS_NODE, CELL_OF(node) },
};

static const struct table_schema callback_schema = {
	TABLE("point_callbacks", callback_columns), .title = "Stages by callback", .selection = "points",
	.presence = PRESENT_IF_ANY, .why_empty = WHY_EMPTY, .key_count = 3, .order = "row", UNWRITTEN(callback_unwritten),
};
#undef ROW

struct series_row {
	const char *name;
	const struct point_series_row *counts;
	struct cell min, mean, max, sum;
};

#define ROW struct series_row
static const struct table_column series_columns[] = {
	{ .name = "name", .merge = COLUMN_MERGE_KEY, .format = COLUMN_NAME, CELL_OF(name) },
	{ .name = "value", .merge = COLUMN_MERGE_KEY, CELL_VIA(counts, label) },
	{ .name = "count", .merge = COLUMN_MERGE_SUM, CELL_VIA(counts, count) },
	{ .name = "min", .cells = CELL_REAL, CELL_OF(min) },
	{ .name = "mean", .cells = CELL_REAL, CELL_OF(mean) },
	{ .name = "max", .cells = CELL_REAL, CELL_OF(max) },
	{ .name = "sum", .cells = CELL_REAL, CELL_OF(sum) },
	{ .name = "not_finite", .merge = COLUMN_MERGE_SUM, .label = "not finite", .hints = HINT_ONLY_IF_ANY,
	  CELL_VIA(counts, not_finite) },
};

static const struct table_schema series_schema = {
	TABLE("point_series", series_columns), .title = "Fields of the application's events", .selection = "points",
	.presence = PRESENT_IF_ANY, .why_empty = "needs series in the file of points, see docs/points.md", .key_count = 2,
};
#undef ROW

const struct table_schema *const point_tables[] = {
	[TABLE_POINTS] = &schema,
	[TABLE_POINT_INSTANCES] = &instance_schema,
	[TABLE_POINT_CALLBACKS] = &callback_schema,
	[TABLE_POINT_PATHS] = &path_schema,
	[TABLE_POINT_PATH_INSTANCES] = &path_instance_schema,
	[TABLE_POINT_SERIES] = &series_schema,
	[TABLE_SLOWEST_POINTS] = &slowest_schema,
	NULL,
};
/* clang-format on */

/* --- instances --- */

static struct cell thread_cell(const struct points *points, uint32_t thread)
{
	return thread == RECORDING_NONE ? CELL_NONE
					: vtid_cell(recording_thread(points->analysis.context.recording, thread));
}

static void write_path_instance(const struct points *points, const struct point_row *row, const char *key,
				const struct open_point *open, const struct event_record *end)
{
	row_write(points->analysis.writers[TABLE_POINT_PATH_INSTANCES], &path_instance_schema,
		  &(struct path_instance){
			  .path = cell_text(row->name),
			  .key = cell_text(key),
			  .start = open ? cell_integer(open->start_ns) : CELL_NONE,
			  .end = end ? cell_integer(end->time_ns) : CELL_NONE,
			  .latency = open && end ? cell_integer(end->time_ns - open->start_ns) : CELL_NONE,
		  });
}

static void write_stage_instance(const struct points *points, const struct point_row *row, const char *key,
				 const struct open_point *open, const struct event_record *end)
{
	row_write(points->analysis.writers[TABLE_POINT_INSTANCES], &instance_schema,
		  &(struct instance){
			  .stage = cell_text(row->name),
			  .key = cell_text(key),
			  .start = open ? cell_integer(open->start_ns) : CELL_NONE,
			  .end = end ? cell_integer(end->time_ns) : CELL_NONE,
			  .duration = open && end ? cell_integer(end->time_ns - open->start_ns) : CELL_NONE,
			  .callback_id = open && open->callback
						 ? cell_unsigned(callback_ids_of(points->analysis.context.callback_ids,
										 open->callback))
						 : CELL_NONE,
			  .start_vtid = open ? thread_cell(points, open->thread) : CELL_NONE,
			  .end_vtid = end ? thread_cell(points, end->thread) : CELL_NONE,
		  });
}

static void write_instance(const struct points *points, const struct point_row *row, const uint8_t *key, size_t size,
			   const struct open_point *open, const struct event_record *end)
{
	GString *text;

	if (!points->analysis.writers[row->path ? TABLE_POINT_PATH_INSTANCES : TABLE_POINT_INSTANCES]) {
		return;
	}
	text = g_string_new(NULL);
	point_key_append_text(key, size, text);
	if (row->path) {
		write_path_instance(points, row, text->str, open, end);
	} else {
		write_stage_instance(points, row, text->str, open, end);
	}
	g_string_free(text, TRUE);
}

void point_tables_write_instance(const struct points *points, const struct point_row *row,
				 const struct open_point *open, const struct event_record *end)
{
	write_instance(points, row, open_point_key(open), open->key_size, open, end);
}

void point_tables_write_end(const struct points *points, const struct point_row *row, const struct event_record *end)
{
	write_instance(points, row, points->key->data, points->key->len, NULL, end);
}

/* --- stages and paths --- */

/* Open stages and paths of a row: without end as of now. */
struct open_counts {
	uint64_t without_end, unknown;
};

static GArray *count_open(const struct points *points)
{
	GArray *counts = g_array_new(FALSE, TRUE, sizeof(struct open_counts));

	g_array_set_size(counts, points->analysis.rows.rows->len);
	for (const struct open_point *open = points->keys.oldest; open; open = open->newer) {
		struct open_counts *of_row = &g_array_index(counts, struct open_counts, open->owner.row);
		const struct point_row *row = points_row_at(points, open->owner.row);

		if (analysis_options_include(points->analysis.context.options, open->start_ns)) {
			of_row->without_end++;
			of_row->unknown += point_losses_may_have_end(points, row, open, points->end_ns);
		}
	}
	return counts;
}

/* All stages and paths, as rows of a table of pairs. */
static struct row_list *pairs_of(const struct points *points, const struct table_schema *pairs)
{
	g_autoptr(GArray) counts = count_open(points);
	struct row_list *rows = row_list_create(pairs);

	for (guint i = 0; i < points->analysis.rows.rows->len; i++) {
		const struct point_row *row = points_row_at(points, i);
		const struct open_counts *open = &g_array_index(counts, struct open_counts, i);

		*(struct pair_row *)row_list_make(rows) = (struct pair_row){
			.counts = row,
			.scope = point_scope_name(row->scope),
			.without_end = row->without_end + open->without_end,
			.unknown = row->unknown + open->unknown,
			.is_path = row->path != NULL,
		};
	}
	return rows;
}

static void write_pairs(const struct points *points, struct table_writer *const *writers)
{
	g_autoptr(row_list) rows = pairs_of(points, &schema);

	for (guint i = 0; i < row_list_count(rows); i++) {
		const struct pair_row *row = row_list_at(rows, i);

		row_write(writers[row->is_path ? TABLE_POINT_PATHS : TABLE_POINTS],
			  row->is_path ? &path_schema : &schema, row);
	}
}

/* Paths first, then by the longest duration. */
static void write_slowest(const struct points *points, struct table_writer *writer)
{
	g_autoptr(row_list) rows = pairs_of(points, &slowest_schema);
	guint written = 0;

	row_list_sort(rows, slowest_schema.order);
	for (guint i = 0; i < row_list_count(rows) && written < SUMMARY_ROWS; i++) {
		struct pair_row *row = row_list_at(rows, i);

		if (row->counts->count > row->counts->doubtful) {
			row->p50 = cell_integer(duration_statistics_quantile(&row->counts->duration, 0.5));
			row->p99 = cell_integer(duration_statistics_quantile(&row->counts->duration, 0.99));
			row_write(writer, &slowest_schema, row);
			written++;
		}
	}
}

/* --- by callback --- */

static void write_callbacks(const struct points *points, struct table_writer *writer)
{
	g_autoptr(row_list) rows = analysis_rows(&points->analysis, &callback_schema);

	for (guint i = 0; i < points->callbacks.rows->len; i++) {
		const struct point_callback *within = points->callbacks.rows->pdata[i];
		struct model_callback *callback = (struct model_callback *)within->callback;
		struct callback_row *row = row_list_make(rows);

		row->stage = points_row_at(points, within->row)->name;
		row->counts = within;
		if (callback) {
			row->node = object_model_callback_info(points->analysis.context.model, callback)->node;
			row->callback = row_list_keep(rows, callback_text(callback, points->analysis.context.model));
			row->callback_id =
				cell_unsigned(callback_ids_of(points->analysis.context.callback_ids, callback));
		}
	}
	row_list_write(rows, writer);
}

/* --- series --- */

static struct cell integer_cell(int128 integer)
{
	if (integer >= INT64_MIN && integer <= INT64_MAX) {
		return cell_integer((int64_t)integer);
	}
	return integer > 0 && integer <= UINT64_MAX ? cell_unsigned((uint64_t)integer)
						    : cell_real(int128_to_double(integer));
}

static void add_series_row(const char *series, const struct point_series_row *counts, struct row_list *rows)
{
	bool is_real = counts->number == POINT_NUMBER_REAL;
	struct series_row *row = row_list_make(rows);

	row->name = counts->is_length ? row_list_keep(rows, g_strdup_printf("length of %s", series)) : series;
	row->counts = counts;
	if (counts->number != POINT_NUMBER_NONE && counts->count > 0) {
		row->min = is_real ? cell_real(counts->real_min) : integer_cell(counts->min);
		row->mean = cell_real(is_real ? (double)(counts->real_sum / (long double)counts->count)
					      : int128_mean(counts->sum, counts->count));
		row->max = is_real ? cell_real(counts->real_max) : integer_cell(counts->max);
		row->sum = is_real ? cell_real((double)counts->real_sum) : integer_cell(counts->sum);
	}
}

static void write_series(const struct points *points, struct table_writer *writer)
{
	g_autoptr(row_list) rows = row_list_create(&series_schema);

	for (guint i = 0; i < points->series->len; i++) {
		const struct point_series_state *state = &g_array_index(points->series, struct point_series_state, i);

		for (guint j = 0; j < state->rows->len; j++) {
			add_series_row(state->series->name, g_ptr_array_index(state->rows, j), rows);
		}
	}
	row_list_write(rows, writer);
}

void point_tables_write(const void *data, struct table_writer *const *writers)
{
	const struct points *points = data;

	if (writers[TABLE_POINTS] || writers[TABLE_POINT_PATHS]) {
		write_pairs(points, writers);
	}
	if (writers[TABLE_SLOWEST_POINTS]) {
		write_slowest(points, writers[TABLE_SLOWEST_POINTS]);
	}
	if (writers[TABLE_POINT_CALLBACKS]) {
		write_callbacks(points, writers[TABLE_POINT_CALLBACKS]);
	}
	if (writers[TABLE_POINT_SERIES]) {
		write_series(points, writers[TABLE_POINT_SERIES]);
	}
}
