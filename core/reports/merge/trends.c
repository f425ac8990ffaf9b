/* SPDX-License-Identifier: MIT */
#include "ros2bt/reports/trends.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/compare_numbers.h"
#include "core/reports/merge/derived_table.h"

#define SIGNIFICANT 1.96 /* standard deviations: two-sided, 5 % */
#define QUANTILES 2

static const double quantiles[QUANTILES] = { 0.5, 0.99 };

/* One recording. */
struct trend_point {
	int64_t begin_ns;
	int64_t values_ns[QUANTILES];
};

/* The notes of a row: one for each column; columns of statistics use them. */
struct trend_points {
	struct trend_point *points; /* in the arena of the table */
	size_t count, room;
};

struct trends {
	const struct table_schema *schema; /* borrowed */
	char *title;			   /* owned */
	struct derived_table table;
};

static const struct table_column value_columns[] = {
	{ .name = "recordings" },
	{ .name = "early_p50_ns", .label = "p50 early", .format = COLUMN_DURATION },
	{ .name = "late_p50_ns", .label = "late", .format = COLUMN_DURATION },
	{ .name = "p50_change_percent", .label = "change", .format = COLUMN_PERCENT },
	{ .name = "p50_trend", .label = "trend" },
	{ .name = "early_p99_ns", .label = "p99 early", .format = COLUMN_DURATION },
	{ .name = "late_p99_ns", .label = "late", .format = COLUMN_DURATION },
	{ .name = "p99_change_percent", .label = "change", .format = COLUMN_PERCENT, .hints = HINT_MARKED },
	{ .name = "p99_trend", .label = "trend" },
};

struct trends *trends_create(const struct table_schema *schema)
{
	struct trends *trends = g_new0(struct trends, 1);

	trends->schema = schema;
	trends->title = g_strdup_printf("%s: change over the recordings", schema->title);
	derived_table_init(&trends->table, derived_table_name(schema, "trends"),
			   &(struct table_schema){ .title = trends->title,
						   .selection = schema->selection,
						   .presence = PRESENT_IF_ANY_IN_TEXT });
	derived_table_add_keys(&trends->table, schema);
	derived_table_add(&trends->table, &(struct table_column){ .name = "statistic" });
	for (size_t i = 0; i < G_N_ELEMENTS(value_columns); i++) {
		derived_table_add(&trends->table, &value_columns[i]);
	}
	return trends;
}

void trends_destroy(struct trends *trends)
{
	if (trends) {
		derived_table_clear(&trends->table);
		g_free(trends->title);
		g_free(trends);
	}
}

bool trends_open(struct trends *trends, struct table_output *tables)
{
	return derived_table_open(&trends->table, tables);
}

static struct trend_point *add_point(struct arena *arena, struct trend_points *points)
{
	const size_t size = sizeof(*points->points);

	if (points->count == points->room) {
		size_t room = MAX(2 * points->room, 4);

		points->points = arena_grow(arena, points->points, points->room * size, room * size);
		points->room = room;
	}
	return &points->points[points->count++];
}

void trends_add(struct trends *trends, struct merged_table *all, struct merged_row *row, int64_t begin_ns,
		const struct merged_row *of_recording)
{
	const struct table_schema *schema = trends->schema;
	struct arena *arena = merged_table_arena(all);

	if (!row->notes) {
		row->notes = arena_take(arena, schema->column_count * sizeof(struct trend_points));
	}
	for (size_t i = 0; i < schema->column_count; i++) {
		const struct duration_statistics *statistic = &of_recording->statistics[i];
		struct trend_point *point;

		if (schema->columns[i].format != COLUMN_STATISTIC ||
		    duration_statistics_count(statistic) < TREND_SAMPLES) {
			continue;
		}
		point = add_point(arena, (struct trend_points *)row->notes + i);
		point->begin_ns = begin_ns;
		for (size_t j = 0; j < QUANTILES; j++) {
			point->values_ns[j] = duration_statistics_quantile(statistic, quantiles[j]);
		}
	}
}

_Static_assert(offsetof(struct trend_point, begin_ns) == 0, "points are sorted by their first member");

/* The median; of an even number of values the lower one. */
static int64_t median_of(const struct trend_point *points, size_t count, size_t quantile)
{
	g_autofree int64_t *values = g_new(int64_t, count);

	for (size_t i = 0; i < count; i++) {
		values[i] = points[i].values_ns[quantile];
	}
	qsort(values, count, sizeof(*values), compare_times);
	return values[(count - 1) / 2];
}

/* Mann-Kendall: the pairs that rise less those that fall, compared with what chance gives. */
static const char *trend_of(const struct trend_points *points, size_t quantile)
{
	double count = (double)points->count, pairs = 0, deviation;

	if (points->count < TREND_RECORDINGS) {
		return "unknown";
	}
	for (size_t i = 0; i < points->count; i++) {
		for (size_t j = i + 1; j < points->count; j++) {
			pairs += compare_times(&points->points[j].values_ns[quantile],
					       &points->points[i].values_ns[quantile]);
		}
	}
	deviation = sqrt(count * (count - 1) * (2 * count + 5) / 18);
	if ((fabs(pairs) - 1) / deviation < SIGNIFICANT) {
		return "none";
	}
	return pairs > 0 ? "rising" : "falling";
}

static void push_quantile(struct derived_table *table, const struct trend_points *points, size_t quantile)
{
	size_t third = (points->count + 2) / 3;
	int64_t early_ns = median_of(points->points, third, quantile);
	int64_t late_ns = median_of(points->points + points->count - third, third, quantile);

	derived_table_push(table, cell_integer(early_ns));
	derived_table_push(table, cell_integer(late_ns));
	derived_table_push(table, early_ns > 0 ? cell_real(((double)late_ns / (double)early_ns - 1) * 100) : CELL_NONE);
	derived_table_push(table, cell_text(trend_of(points, quantile)));
}

/* Whether the series has a row. */
static bool write_series(struct trends *trends, const struct merged_row *row, const char *statistic,
			 struct trend_points *points)
{
	if (points->count < 2) {
		return false;
	}
	qsort(points->points, points->count, sizeof(*points->points), compare_times);
	derived_table_push_keys(&trends->table, trends->schema, row->cells);
	derived_table_push(&trends->table, cell_text(statistic));
	derived_table_push(&trends->table, cell_unsigned(points->count));
	for (size_t i = 0; i < QUANTILES; i++) {
		push_quantile(&trends->table, points, i);
	}
	derived_table_end_row(&trends->table);
	return true;
}

bool trends_write(struct trends *trends, const struct merged_table *all)
{
	bool has_rows = false;
	const struct table_schema *schema = trends->schema;
	g_autoptr(GPtrArray) rows = merged_table_rows(all);

	for (guint i = 0; i < rows->len; i++) {
		const struct merged_row *row = g_ptr_array_index(rows, i);

		for (size_t j = 0; row->notes && j < schema->column_count; j++) {
			if (schema->columns[j].format == COLUMN_STATISTIC) {
				has_rows |= write_series(trends, row, schema->columns[j].name,
							 (struct trend_points *)row->notes + j);
			}
		}
	}
	return has_rows;
}
