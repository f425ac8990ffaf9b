/* SPDX-License-Identifier: MIT */
#include "core/reports/compare/block_series.h"

#include <criterion/criterion.h>

static const struct table_column columns[] = {
	{ .name = "node", .merge = COLUMN_MERGE_KEY },
	{ .name = "hops", .merge = COLUMN_MERGE_KEY },
	{ .name = "symbol", .merge = COLUMN_MERGE_KEY, .role = COLUMN_ROLE_DETAIL },
	{ .name = "count", .merge = COLUMN_MERGE_SUM },
	{ .name = "delay", .format = COLUMN_STATISTIC },
};
static const struct table_schema schema = {
	.name = "things",
	.selection = "things",
	.columns = columns,
	.column_count = G_N_ELEMENTS(columns),
};

static struct block_series *series;

static void setup(void)
{
	series = block_series_create();
}

static void teardown(void)
{
	block_series_destroy(series);
}

TestSuite(block_series, .init = setup, .fini = teardown);

static const struct block_row *only_row(void)
{
	GHashTableIter iterator;
	gpointer row = NULL;

	cr_assert_eq(g_hash_table_size(block_series_rows(series)), 1);
	g_hash_table_iter_init(&iterator, block_series_rows(series));
	g_hash_table_iter_next(&iterator, NULL, &row);
	return row;
}

static void write_row(struct cell node, struct cell hops, struct cell count)
{
	struct table_output *tables = block_series_tables(series, NULL);

	TABLE_ROW(tables->open(tables, &schema), columns,
		  (struct cell[]){ node, hops, cell_text("f()"), count, CELL_NONE });
}

Test(block_series, a_row_has_its_names_except_details)
{
	write_row(cell_text("/a"), cell_integer(3), cell_unsigned(1));
	cr_assert_str_eq(only_row()->name, "/a  3");
}

Test(block_series, a_name_that_is_missing_leaves_no_gap)
{
	write_row(CELL_NONE, cell_integer(3), cell_unsigned(1));
	cr_assert_str_eq(only_row()->name, "3");
}

Test(block_series, the_largest_numbers_are_positive)
{
	write_row(cell_text("/a"), cell_unsigned(UINT64_MAX), cell_unsigned(UINT64_MAX));
	cr_assert_str_eq(only_row()->name, "/a  18446744073709551615");
	cr_assert_gt(g_array_index(only_row()->marks[3], struct block_mark, 0).count, 0);
}
