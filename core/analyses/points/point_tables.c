/* SPDX-License-Identifier: MIT */
#include "core/analyses/points/point_tables.h"

#include "core/analyses/points/point_losses.h"
#include "core/analyses/shared/callback_text.h"
#include "core/analyses/shared/cells.h"
#include "core/analyses/shared/columns.h"
#include "core/base/compare_numbers.h"
#include "core/base/name_filter.h"

/* clang-format off */

/* Pairs of a start and an end, of a stage or a path. */
#define COLUMNS_OF_PAIRS(name_, statistic) \
	{ .name = (name_), .merge = COLUMN_MERGE_KEY, .format = COLUMN_NAME }, \
	{ .name = "scope", .merge = COLUMN_MERGE_KEY, .role = COLUMN_ROLE_DETAIL }, \
	{ .name = "count", .merge = COLUMN_MERGE_SUM }, \
	{ .name = "without_start", .merge = COLUMN_MERGE_SUM, .label = "no start" }, \
	{ .name = "without_end", .merge = COLUMN_MERGE_SUM, .label = "no end" }, \
	{ .name = (statistic), .format = COLUMN_STATISTIC }, \
	{ .name = "unknown", .merge = COLUMN_MERGE_SUM, .hints = HINT_ONLY_IF_ANY }, \
	{ .name = "doubtful", .merge = COLUMN_MERGE_SUM, .hints = HINT_ONLY_IF_ANY }, \
	{ .name = "out_of_order", .merge = COLUMN_MERGE_SUM, .label = "out of order", .hints = HINT_ONLY_IF_ANY }

/* clang-format on */

static const struct table_column columns[] = {
	COLUMNS_OF_PAIRS("stage", "duration"),
};

static const struct table_schema schema = {
	.name = "points",
	.title = "Stages of the application",
	.selection = "points",
	.is_optional = true,
	.why_empty = "needs a file of points and the events that it names, see docs/points.md",
	.key_count = 2,
	.columns = columns,
	.column_count = G_N_ELEMENTS(columns),
};

static const struct table_column instance_columns[] = {
	{ .name = "stage" },
	{ .name = "key" },
	{ .name = "start_ns", .label = "start", .format = COLUMN_TIME },
	{ .name = "end_ns", .label = "end", .format = COLUMN_TIME },
	{ .name = "duration_ns", .label = "duration", .format = COLUMN_DURATION },
	{ .name = "callback_id" },
	{ .name = "start_vtid" },
	{ .name = "end_vtid" },
};

static const struct table_schema instance_schema = {
	.name = "point_instances",
	.title = "Stages, each time",
	.selection = "points",
	.is_instances = true,
	.is_optional = true,
	.columns = instance_columns,
	.column_count = G_N_ELEMENTS(instance_columns),
};

static const struct table_column callback_columns[] = {
	{ .name = "stage", .merge = COLUMN_MERGE_KEY, .format = COLUMN_NAME },
	{ .name = "callback", .merge = COLUMN_MERGE_KEY, .label = "starts in callback", .format = COLUMN_NAME },
	{ .name = "callback_id", .role = COLUMN_ROLE_HIDDEN },
	{ .name = "count", .merge = COLUMN_MERGE_SUM },
	{ .name = "duration", .format = COLUMN_STATISTIC },
};

static const struct table_schema callback_schema = {
	.name = "point_callbacks",
	.title = "Stages by callback",
	.selection = "points",
	.is_optional = true,
	.why_empty = "needs a file of points and the events that it names, see docs/points.md",
	.key_count = 3,
	.columns = callback_columns,
	.column_count = G_N_ELEMENTS(callback_columns),
};

static const struct table_column path_columns[] = {
	COLUMNS_OF_PAIRS("path", "latency"),
};

static const struct table_schema path_schema = {
	.name = "point_paths",
	.title = "Stages, end to end by key",
	.selection = "points",
	.is_optional = true,
	.why_empty = "needs paths in the file of points, see docs/points.md",
	.key_count = 2,
	.columns = path_columns,
	.column_count = G_N_ELEMENTS(path_columns),
};

static const struct table_column path_instance_columns[] = {
	{ .name = "path" },
	{ .name = "key" },
	{ .name = "start_ns", .label = "start", .format = COLUMN_TIME },
	{ .name = "end_ns", .label = "end", .format = COLUMN_TIME },
	{ .name = "latency_ns", .label = "latency", .format = COLUMN_DURATION },
};

static const struct table_schema path_instance_schema = {
	.name = "point_path_instances",
	.title = "Stages end to end, each time",
	.selection = "points",
	.is_instances = true,
	.is_optional = true,
	.columns = path_instance_columns,
	.column_count = G_N_ELEMENTS(path_instance_columns),
};

static const struct table_column series_columns[] = {
	{ .name = "name", .merge = COLUMN_MERGE_KEY, .format = COLUMN_NAME },
	{ .name = "value", .merge = COLUMN_MERGE_KEY },
	{ .name = "count", .merge = COLUMN_MERGE_SUM },
	{ .name = "min" },
	{ .name = "mean" },
	{ .name = "max" },
	{ .name = "sum" },
	{ .name = "not_finite", .merge = COLUMN_MERGE_SUM, .label = "not finite", .hints = HINT_ONLY_IF_ANY },
};

static const struct table_schema series_schema = {
	.name = "point_series",
	.title = "Fields of the application's events",
	.selection = "points",
	.is_optional = true,
	.why_empty = "needs series in the file of points, see docs/points.md",
	.key_count = 2,
	.columns = series_columns,
	.column_count = G_N_ELEMENTS(series_columns),
};

static const struct table_column slowest_columns[] = {
	{ .name = "name", .label = "stage or path", .format = COLUMN_NAME },	 { .name = "count" },
	{ .name = "without_end", .label = "no end", .hints = HINT_ONLY_IF_ANY }, COLUMNS_OF_QUANTILES,
	{ .name = "max_at_ns", .label = "at", .format = COLUMN_MOMENT },
};

static const struct table_schema slowest_schema = {
	.name = "slowest_points",
	.title = "Slowest in the application",
	.selection = "points",
	.summary = 3,
	.columns = slowest_columns,
	.column_count = G_N_ELEMENTS(slowest_columns),
};

/* clang-format off */
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
	return thread == RECORDING_NONE ? CELL_NONE : vtid_cell(recording_thread(points->recording, thread));
}

static void write_path_instance(const struct points *points, const struct point_row *row, const char *key,
				const struct open_point *open, const struct event_record *end)
{
	TABLE_ROW(points->writers[TABLE_POINT_PATH_INSTANCES], path_instance_columns,
		  (struct cell[]){
			  cell_text(row->name),
			  cell_text(key),
			  open ? cell_integer(open->start_ns) : CELL_NONE,
			  end ? cell_integer(end->time_ns) : CELL_NONE,
			  open && end ? cell_integer(end->time_ns - open->start_ns) : CELL_NONE,
		  });
}

static void write_stage_instance(const struct points *points, const struct point_row *row, const char *key,
				 const struct open_point *open, const struct event_record *end)
{
	TABLE_ROW(points->writers[TABLE_POINT_INSTANCES], instance_columns,
		  (struct cell[]){
			  cell_text(row->name),
			  cell_text(key),
			  open ? cell_integer(open->start_ns) : CELL_NONE,
			  end ? cell_integer(end->time_ns) : CELL_NONE,
			  open && end ? cell_integer(end->time_ns - open->start_ns) : CELL_NONE,
			  open && open->callback ? cell_unsigned(callback_ids_of(points->ids, open->callback))
						 : CELL_NONE,
			  open ? thread_cell(points, open->thread) : CELL_NONE,
			  end ? thread_cell(points, end->thread) : CELL_NONE,
		  });
}

static void write_instance(const struct points *points, const struct point_row *row, const uint8_t *key, size_t size,
			   const struct open_point *open, const struct event_record *end)
{
	GString *text;

	if (!points->writers[row->path ? TABLE_POINT_PATH_INSTANCES : TABLE_POINT_INSTANCES]) {
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

	g_array_set_size(counts, points->rows->len);
	for (const struct open_point *open = points->keys.oldest; open; open = open->newer) {
		struct open_counts *of_row = &g_array_index(counts, struct open_counts, open->owner.row);
		const struct point_row *row = g_ptr_array_index(points->rows, open->owner.row);

		if (analysis_options_include(points->options, open->start_ns)) {
			of_row->without_end++;
			of_row->unknown += point_losses_may_have_end(points, row, open, points->end_ns);
		}
	}
	return counts;
}

static void write_rows(const struct points *points, struct table_writer *const *writers)
{
	g_autoptr(GArray) counts = count_open(points);

	for (guint i = 0; i < points->rows->len; i++) {
		const struct point_row *row = g_ptr_array_index(points->rows, i);
		const struct open_counts *open = &g_array_index(counts, struct open_counts, i);

		TABLE_ROW(writers[row->path ? TABLE_POINT_PATHS : TABLE_POINTS], columns,
			  (struct cell[]){
				  cell_text(row->name),
				  cell_text(point_scope_name(row->scope)),
				  cell_unsigned(row->count),
				  cell_unsigned(row->without_start),
				  cell_unsigned(row->without_end + open->without_end),
				  cell_statistic(&row->duration),
				  cell_unsigned(row->unknown + open->unknown),
				  cell_unsigned(row->doubtful),
				  cell_unsigned(row->out_of_order),
			  });
	}
}

/* --- the slowest --- */

/* Paths first, then by the longest duration. */
static gint compare_slow(gconstpointer a, gconstpointer b)
{
	const struct point_row *left = *(const struct point_row *const *)a;
	const struct point_row *right = *(const struct point_row *const *)b;
	int64_t left_ns = left->duration.longest_ns, right_ns = right->duration.longest_ns;

	if (!left->path != !right->path) {
		return left->path ? -1 : 1;
	}
	return compare_integers(right_ns, left_ns);
}

static void write_slow_row(const struct point_row *row, uint64_t open, struct table_writer *writer)
{
	const struct duration_statistics *duration = &row->duration;

	TABLE_ROW(writer, slowest_columns,
		  (struct cell[]){
			  cell_text(row->name),
			  cell_unsigned(row->count),
			  cell_unsigned(row->without_end + open),
			  cell_integer(duration_statistics_quantile(duration, 0.5)),
			  cell_integer(duration_statistics_quantile(duration, 0.99)),
			  cell_integer(duration->longest_ns),
			  cell_integer(duration->longest_at_ns),
		  });
}

static void write_slowest(const struct points *points, struct table_writer *writer)
{
	g_autoptr(GPtrArray) rows = g_ptr_array_copy(points->rows, NULL, NULL);
	g_autoptr(GArray) counts = count_open(points);
	guint index, written = 0;

	g_ptr_array_sort(rows, compare_slow);
	for (guint i = 0; i < rows->len && written < SUMMARY_ROWS; i++) {
		const struct point_row *row = g_ptr_array_index(rows, i);

		if (row->count > row->doubtful) {
			g_ptr_array_find(points->rows, row, &index);
			write_slow_row(row, g_array_index(counts, struct open_counts, index).without_end, writer);
			written++;
		}
	}
}

/* --- by callback --- */

static gint compare_callbacks(gconstpointer a, gconstpointer b)
{
	const struct point_callback *left = *(const struct point_callback *const *)a;
	const struct point_callback *right = *(const struct point_callback *const *)b;

	return compare_unsigned(left->row, right->row);
}

static void write_callback(const struct points *points, const struct point_callback *within,
			   struct table_writer *writer)
{
	struct model_callback *callback = (struct model_callback *)within->callback;
	const struct point_row *row = g_ptr_array_index(points->rows, within->row);
	const char *node = callback ? object_model_callback_info(points->model, callback)->node : NULL;
	g_autofree char *name = callback ? callback_text(callback, points->model) : NULL;

	if (!name_filter_passes(points->options->nodes, &node, 1)) {
		return;
	}
	TABLE_ROW(writer, callback_columns,
		  (struct cell[]){
			  cell_text(row->name),
			  cell_text(name),
			  callback ? cell_unsigned(callback_ids_of(points->ids, callback)) : CELL_NONE,
			  cell_unsigned(within->count),
			  cell_statistic(&within->duration),
		  });
}

static void write_callbacks(const struct points *points, struct table_writer *writer)
{
	g_autoptr(GPtrArray) rows = g_ptr_array_copy(points->callback_rows, NULL, NULL);

	g_ptr_array_sort(rows, compare_callbacks);
	for (guint i = 0; i < rows->len; i++) {
		write_callback(points, g_ptr_array_index(rows, i), writer);
	}
}

/* --- series --- */

static struct cell integer_cell(__int128 integer)
{
	if (integer >= INT64_MIN && integer <= INT64_MAX) {
		return cell_integer((int64_t)integer);
	}
	return integer > 0 && integer <= UINT64_MAX ? cell_unsigned((uint64_t)integer) : cell_real((double)integer);
}

static void write_series_row(const char *name, const struct point_series_row *row, struct table_writer *writer)
{
	bool has_numbers = row->number != POINT_NUMBER_NONE && row->count > 0;
	bool is_real = row->number == POINT_NUMBER_REAL;
	long double sum = is_real ? row->real_sum : (long double)row->sum;
	struct cell none = CELL_NONE;

	TABLE_ROW(writer, series_columns,
		  (struct cell[]){
			  cell_text(name),
			  cell_text(row->label),
			  cell_unsigned(row->count),
			  !has_numbers ? none
			  : is_real    ? cell_real(row->real_min)
				       : integer_cell(row->min),
			  !has_numbers ? none : cell_real((double)(sum / (long double)row->count)),
			  !has_numbers ? none
			  : is_real    ? cell_real(row->real_max)
				       : integer_cell(row->max),
			  !has_numbers ? none
			  : is_real    ? cell_real((double)row->real_sum)
				       : integer_cell(row->sum),
			  cell_unsigned(row->not_finite),
		  });
}

static void write_series(const struct points *points, struct table_writer *writer)
{
	for (guint i = 0; i < points->series->len; i++) {
		const struct point_series_state *state = &g_array_index(points->series, struct point_series_state, i);

		for (guint j = 0; j < state->rows->len; j++) {
			const struct point_series_row *row = g_ptr_array_index(state->rows, j);
			g_autofree char *name = row->is_length ? g_strdup_printf("length of %s", state->series->name)
							       : g_strdup(state->series->name);

			write_series_row(name, row, writer);
		}
	}
}

void point_tables_write(const struct points *points, struct table_writer *const *writers)
{
	if (writers[TABLE_POINTS] || writers[TABLE_POINT_PATHS]) {
		write_rows(points, writers);
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
