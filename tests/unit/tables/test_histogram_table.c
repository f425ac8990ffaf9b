/* SPDX-License-Identifier: MIT */
#include "core/tables/histogram_table.h"

#include <criterion/criterion.h>
#include <string.h>

#include "core/statistics/duration_statistics.h"

static const struct table_column numbered_columns[] = {
	{ .name = "thing_id", .id_of = "things" },	 { .name = "name", .merge = COLUMN_MERGE_KEY },
	{ .name = "delay", .format = COLUMN_STATISTIC }, { .name = "lost", .merge = COLUMN_MERGE_SUM },
	{ .name = "gap", .format = COLUMN_STATISTIC },
};
static const struct table_schema numbered = {
	.name = "things",
	.selection = "things",
	.columns = numbered_columns,
	.column_count = G_N_ELEMENTS(numbered_columns),
};

static const struct table_column named_columns[] = {
	{ .name = "node", .merge = COLUMN_MERGE_KEY },
	{ .name = "vpid" },
	{ .name = "entries", .merge = COLUMN_MERGE_SUM },
	{ .name = "time", .format = COLUMN_STATISTIC },
};
static const struct table_schema named = {
	.name = "lifecycle",
	.selection = "lifecycle",
	.columns = named_columns,
	.column_count = G_N_ELEMENTS(named_columns),
};

struct collected {
	struct table_writer writer;
	GString *rows;
	size_t column_count;
};

static void collect(struct table_writer *writer, const struct cell *cells)
{
	struct collected *collected = (struct collected *)writer;

	for (size_t i = 0; i < collected->column_count; i++) {
		if (cells[i].type == CELL_TEXT) {
			g_string_append_printf(collected->rows, "%s ", cells[i].text);
		} else {
			g_string_append_printf(collected->rows, "%ld ", (long)cells[i].integer);
		}
	}
	g_string_append(collected->rows, "| ");
}

static struct arena *arena;
static struct duration_statistics delay, gap;

static void setup(void)
{
	arena = arena_create();
	duration_statistics_init(&delay, arena);
	duration_statistics_init(&gap, arena);
	duration_statistics_add(&delay, 3, 0);
	duration_statistics_add(&delay, 1000, 0);
	duration_statistics_add(&delay, 3, 0);
	duration_statistics_add(&gap, -3, 0);
}

static void teardown(void)
{
	arena_destroy(arena);
}

TestSuite(histogram_table, .init = setup, .fini = teardown);

static char *rows_of(const struct table_schema *schema, const struct cell *cells)
{
	struct histogram_table *table = histogram_table_create(schema, 32);
	struct collected collected = {
		.writer.row = collect,
		.rows = g_string_new(NULL),
		.column_count = histogram_table_schema(table)->column_count,
	};

	table_row(histogram_table_insert(table, NULL, &collected.writer), cells);
	histogram_table_destroy(table);
	return g_string_free(collected.rows, FALSE);
}

Test(histogram_table, has_a_row_for_each_bucket_of_each_statistic)
{
	g_autofree char *rows =
		rows_of(&numbered, (struct cell[]){ cell_unsigned(7), cell_text("a"), cell_statistic(&delay),
						    cell_unsigned(0), cell_statistic(&gap) });

	cr_assert_str_eq(rows, "7 delay 3 4 2 | 7 delay 992 1008 1 | 7 gap -3 -2 1 | ");
}

Test(histogram_table, rows_without_a_number_are_identified_by_what_stands_before_the_first_count)
{
	g_autofree char *rows = rows_of(
		&named, (struct cell[]){ cell_text("/n"), cell_integer(5), cell_unsigned(1), cell_statistic(&gap) });

	cr_assert_str_eq(rows, "/n 5 time -3 -2 1 | ");
}

Test(histogram_table, is_called_by_the_singular_and_belongs_to_the_table)
{
	g_autofree char *things = histogram_table_name(&numbered), *lifecycle = histogram_table_name(&named);
	struct histogram_table *table = histogram_table_create(&numbered, 32);

	cr_assert_str_eq(things, "thing_histograms");
	cr_assert_str_eq(lifecycle, "lifecycle_histograms");
	cr_assert_str_eq(histogram_table_schema(table)->parent, "things");
	cr_assert_str_eq(histogram_table_schema(table)->selection, "things");
	histogram_table_destroy(table);
}

Test(histogram_table, neither_instances_nor_summaries_nor_tables_without_statistics_have_one)
{
	struct table_schema schema = numbered;

	cr_assert(table_has_histograms(&schema));
	schema.kind = KIND_INSTANCES;
	cr_assert_not(table_has_histograms(&schema));
	schema = numbered;
	schema.kind = KIND_SUMMARY;
	cr_assert_not(table_has_histograms(&schema));
	schema = numbered;
	schema.column_count = 2;
	cr_assert_not(table_has_histograms(&schema));
}
