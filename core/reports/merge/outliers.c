/* SPDX-License-Identifier: MIT */
#include "core/reports/merge/outliers.h"

#include <string.h>

#include "core/reports/merge/derived_table.h"

struct robot_value {
	const char *robot;
	uint64_t count;
	int64_t p50_ns, p99_ns;
};

/* The notes of a row: one for each column; columns of statistics use them. */
struct robot_values {
	struct duration_statistics p99s;	 /* a sample for each robot */
	struct robot_value worst[OUTLIERS_KEPT]; /* the worst first */
	size_t worst_count;
};

struct outliers {
	const struct table_schema *schema; /* borrowed */
	char *title;			   /* owned */
	struct derived_table table;
	size_t attribute_count;
};

static const struct table_column value_columns[] = {
	{ .name = "count" },
	{ .name = "p50_ns", .label = "p50", .format = COLUMN_DURATION },
	{ .name = "p99_ns", .label = "p99", .format = COLUMN_DURATION },
	{ .name = "median_p99_ns", .label = "of the median", .format = COLUMN_DURATION },
	{ .name = "ratio", .hints = HINT_MARKED },
	{ .name = "robots" },
};

struct outliers *outliers_create(const struct table_schema *schema, const char *const *attributes,
				 size_t attribute_count, const char *robot_attribute)
{
	struct outliers *outliers = g_new0(struct outliers, 1);

	outliers->title = g_strdup_printf("%s: robots worse than the others", schema->title);
	outliers->schema = schema;
	outliers->attribute_count = attribute_count;
	derived_table_init(&outliers->table, derived_table_name(schema, "outliers"),
			   &(struct table_schema){ .title = outliers->title,
						   .selection = schema->selection,
						   .presence = schema->presence });
	derived_table_add_names(&outliers->table, attributes, attribute_count, COLUMN_ROLE_VALUE);
	derived_table_add_names(&outliers->table, &robot_attribute, 1, COLUMN_ROLE_VALUE);
	derived_table_add_keys(&outliers->table, schema);
	derived_table_add(&outliers->table, &(struct table_column){ .name = "statistic" });
	for (size_t i = 0; i < G_N_ELEMENTS(value_columns); i++) {
		derived_table_add(&outliers->table, &value_columns[i]);
	}
	return outliers;
}

void outliers_destroy(struct outliers *outliers)
{
	if (outliers) {
		derived_table_clear(&outliers->table);
		g_free(outliers->title);
		g_free(outliers);
	}
}

bool outliers_open(struct outliers *outliers, struct table_output *tables)
{
	return derived_table_open(&outliers->table, tables);
}

/* The worst first; equal ones by name. */
static bool is_worse(const struct robot_value *value, const struct robot_value *than)
{
	return value->p99_ns > than->p99_ns || (value->p99_ns == than->p99_ns && strcmp(value->robot, than->robot) < 0);
}

static void keep_worst(struct robot_values *values, const struct robot_value *value)
{
	size_t at = values->worst_count;

	while (at > 0 && is_worse(value, &values->worst[at - 1])) {
		at--;
	}
	if (at == OUTLIERS_KEPT) {
		return;
	}
	values->worst_count = MIN(values->worst_count + 1, OUTLIERS_KEPT);
	memmove(&values->worst[at + 1], &values->worst[at], (values->worst_count - 1 - at) * sizeof(*value));
	values->worst[at] = *value;
}

static void make_notes(const struct outliers *outliers, struct merged_table *all, struct merged_row *row)
{
	struct arena *arena = merged_table_arena(all);
	struct robot_values *values = arena_take(arena, outliers->schema->column_count * sizeof(*values));

	for (size_t i = 0; i < outliers->schema->column_count; i++) {
		duration_statistics_init(&values[i].p99s, arena);
	}
	row->notes = values;
}

void outliers_add(struct outliers *outliers, struct merged_table *all, struct merged_row *row, const char *robot,
		  const struct merged_row *of_robot)
{
	if (!row->notes) {
		make_notes(outliers, all, row);
	}
	for (size_t i = 0; i < outliers->schema->column_count; i++) {
		const struct duration_statistics *statistic = &of_robot->statistics[i];
		struct robot_values *values = (struct robot_values *)row->notes + i;
		struct robot_value value = { .robot = robot };

		if (outliers->schema->columns[i].format != COLUMN_STATISTIC) {
			continue;
		}
		value.count = duration_statistics_count(statistic);
		if (value.count >= OUTLIER_SAMPLES) {
			value.p50_ns = duration_statistics_quantile(statistic, 0.5);
			value.p99_ns = duration_statistics_quantile(statistic, 0.99);
			duration_statistics_add(&values->p99s, value.p99_ns, 0);
			keep_worst(values, &value);
		}
	}
}

/* The longest p99 that is not an outlier. */
static double fence_of(const struct robot_values *values)
{
	double median_ns = (double)duration_statistics_quantile(&values->p99s, 0.5);
	double first_ns = (double)duration_statistics_quantile(&values->p99s, 0.25);
	double third_ns = (double)duration_statistics_quantile(&values->p99s, 0.75);

	return MAX(OUTLIER_RATIO * median_ns, third_ns + 1.5 * (third_ns - first_ns));
}

static void write_outlier(struct outliers *outliers, const struct merged_row *row, const char *statistic,
			  const struct robot_values *values, const struct robot_value *value,
			  const char *const *attributes)
{
	struct derived_table *table = &outliers->table;
	int64_t median_ns = duration_statistics_quantile(&values->p99s, 0.5);

	derived_table_push_names(table, attributes, outliers->attribute_count);
	derived_table_push(table, cell_text(value->robot));
	derived_table_push_keys(table, outliers->schema, row->cells);
	derived_table_push(table, cell_text(statistic));
	derived_table_push(table, cell_unsigned(value->count));
	derived_table_push(table, cell_integer(value->p50_ns));
	derived_table_push(table, cell_integer(value->p99_ns));
	derived_table_push(table, cell_integer(median_ns));
	derived_table_push(table, median_ns > 0 ? cell_real((double)value->p99_ns / (double)median_ns) : CELL_NONE);
	derived_table_push(table, cell_unsigned(duration_statistics_count(&values->p99s)));
	derived_table_end_row(table);
}

static void write_series(struct outliers *outliers, const struct merged_row *row, const char *statistic,
			 const struct robot_values *values, const char *const *attributes)
{
	double fence_ns;

	if (duration_statistics_count(&values->p99s) < OUTLIER_ROBOTS) {
		return;
	}
	fence_ns = fence_of(values);
	for (size_t i = 0; i < values->worst_count && (double)values->worst[i].p99_ns > fence_ns; i++) {
		write_outlier(outliers, row, statistic, values, &values->worst[i], attributes);
	}
}

void outliers_write(struct outliers *outliers, const struct merged_table *all, const char *const *values)
{
	const struct table_schema *schema = outliers->schema;
	g_autoptr(GPtrArray) rows = merged_table_rows(all);

	for (guint i = 0; i < rows->len; i++) {
		const struct merged_row *row = g_ptr_array_index(rows, i);

		for (size_t j = 0; row->notes && j < schema->column_count; j++) {
			if (schema->columns[j].format == COLUMN_STATISTIC) {
				write_series(outliers, row, schema->columns[j].name,
					     (const struct robot_values *)row->notes + j, values);
			}
		}
	}
}
