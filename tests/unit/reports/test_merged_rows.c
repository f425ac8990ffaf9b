/* SPDX-License-Identifier: MIT */
#include "core/reports/merge/merged_rows.h"

#include <criterion/criterion.h>
#include <string.h>

#include "core/tables/histogram_table.h"
#include "ros2bt/session/session.h"

static const char *const attributes[] = { "robot" };

static struct table_writer *open_table(struct table_output *output, const struct table_schema *schema)
{
	static struct table_writer writer;

	return &writer;
}

static struct table_output output = { .open = open_table };

static void open_rows(struct merged_rows *rows, const struct table_schema *source)
{
	merged_rows_init(rows, source, attributes, G_N_ELEMENTS(attributes));
	merged_rows_open(rows, &output);
}

static bool has_column(const struct table_schema *schema, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++) {
		if (strcmp(schema->columns[i].name, name) == 0) {
			return true;
		}
	}
	return false;
}

/* The key of the histograms of merged rows: the number of the row, or the attribute and all names, and nothing else. */
static void check_key(const struct table_schema *source)
{
	struct merged_rows rows;
	struct histogram_table *histograms;
	const struct table_schema *schema;
	size_t key_count, expected = 1;

	open_rows(&rows, source);
	histograms = histogram_table_create(&rows.table.schema, 32);
	schema = histogram_table_schema(histograms);
	key_count = schema->column_count - strlen("slhc"); /* statistic, low_ns, high_ns, count */
	cr_assert_str_eq(schema->columns[key_count].name, "statistic");
	if (table_has_id(source)) {
		cr_assert_str_eq(schema->columns[0].name, source->columns[0].name);
	} else {
		cr_assert(has_column(schema, key_count, "robot"), "%s", source->name);
		for (size_t i = 0; i < source->column_count; i++) {
			if (source->columns[i].merge == COLUMN_MERGE_KEY) {
				cr_assert(has_column(schema, key_count, source->columns[i].name), "%s.%s", source->name,
					  source->columns[i].name);
				expected++;
			}
		}
	}
	cr_assert_eq(key_count, expected, "%s: %zu columns", source->name, key_count);
	histogram_table_destroy(histograms);
	merged_rows_clear(&rows);
}

Test(merged_rows, histograms_are_identified_by_what_identifies_a_merged_row)
{
	size_t checked = 0;

	for (const struct table_schema *const *schema = session_tables(); *schema; schema++) {
		if (table_can_be_merged(*schema) && table_has_histograms(*schema)) {
			check_key(*schema);
			checked++;
		}
	}
	cr_assert_gt(checked, 5);
}

static const struct table_column narrow_columns[] = {
	{ .name = "hostname" },
	{ .name = "vpid" },
	{ .name = "vtid" },
	{ .name = "name", .merge = COLUMN_MERGE_KEY },
	{ .name = "delay", .format = COLUMN_STATISTIC },
};
static const struct table_schema narrow = {
	.name = "things",
	.selection = "things",
	.key_count = 4,
	.columns = narrow_columns,
	.column_count = G_N_ELEMENTS(narrow_columns),
};

/* A merge may have fewer columns than identify a row of one recording. */
Test(merged_rows, histograms_of_a_table_that_loses_most_of_its_key)
{
	struct merged_rows rows;
	struct histogram_table *histograms;
	const struct table_schema *schema;

	merged_rows_init(&rows, &narrow, NULL, 0);
	merged_rows_open(&rows, &output);
	cr_assert_eq(rows.table.schema.column_count, 3, "name, delay, recordings");
	histograms = histogram_table_create(&rows.table.schema, 32);
	schema = histogram_table_schema(histograms);
	cr_assert_str_eq(schema->columns[0].name, "name");
	cr_assert_str_eq(schema->columns[1].name, "statistic");
	cr_assert_eq(schema->column_count, 5);
	histogram_table_destroy(histograms);
	merged_rows_clear(&rows);
}
