/* SPDX-License-Identifier: MIT */
#include "ros2bt/reports/merged_table.h"

#include <criterion/criterion.h>

static const struct table_column columns[] = {
	{ .name = "thing_id", .id_of = "things" },	 { .name = "vpid" },
	{ .name = "name", .merge = COLUMN_MERGE_KEY },	 { .name = "period", .merge = COLUMN_MERGE_KEY },
	{ .name = "count", .merge = COLUMN_MERGE_SUM },	 { .name = "longest", .merge = COLUMN_MERGE_MAX },
	{ .name = "delay", .format = COLUMN_STATISTIC },
};
static const struct table_schema schema = {
	.name = "things",
	.columns = columns,
	.column_count = G_N_ELEMENTS(columns),
};

static struct arena *arena;
static struct merged_table *table;

static void setup(void)
{
	arena = arena_create();
	table = merged_table_create(&schema);
}

static void teardown(void)
{
	merged_table_destroy(table);
	arena_destroy(arena);
}

TestSuite(merged_table, .init = setup, .fini = teardown);

static void add(struct merged_table *to, const char *name, struct cell count, uint64_t longest, int64_t delay_ns)
{
	struct duration_statistics delay;

	duration_statistics_init(&delay, arena);
	duration_statistics_add(&delay, delay_ns, 0);
	table_row(merged_table_writer(to),
		  (struct cell[]){ cell_unsigned(1), cell_integer(delay_ns), cell_text(name), cell_integer(7), count,
				   cell_unsigned(longest), cell_statistic(&delay) });
}

static const struct merged_row *row_at(const struct merged_table *of, guint index)
{
	g_autoptr(GPtrArray) rows = merged_table_rows(of);

	cr_assert_lt(index, rows->len);
	return g_ptr_array_index(rows, index);
}

Test(merged_table, rows_of_the_same_names_are_one)
{
	add(table, "b", cell_unsigned(2), 5, 100);
	add(table, "a", cell_unsigned(1), 1, 10);
	add(table, "b", cell_unsigned(3), 4, 200);
	cr_assert_eq(merged_table_row_count(table), 2);
	cr_assert_str_eq(row_at(table, 0)->cells[2].text, "a");
	cr_assert_str_eq(row_at(table, 1)->cells[2].text, "b");
	cr_assert_eq(row_at(table, 1)->cells[3].integer, 7);
	cr_assert_eq(row_at(table, 1)->cells[4].unsigned_integer, 5);
	cr_assert_eq(row_at(table, 1)->cells[5].unsigned_integer, 5);
	cr_assert(duration_statistics_totals(&row_at(table, 1)->statistics[6]).sum_ns == 300);
}

Test(merged_table, what_says_nothing_beyond_one_recording_is_left_out)
{
	add(table, "a", cell_unsigned(1), 1, 10);
	cr_assert_eq(row_at(table, 0)->cells[0].type, CELL_EMPTY);
	cr_assert_eq(row_at(table, 0)->cells[1].type, CELL_EMPTY);
}

Test(merged_table, a_count_is_unknown_only_where_no_recording_knows_it)
{
	add(table, "a", CELL_NONE, 1, 10);
	cr_assert_eq(row_at(table, 0)->cells[4].type, CELL_EMPTY);
	add(table, "a", cell_unsigned(0), 1, 10);
	cr_assert_eq(row_at(table, 0)->cells[4].type, CELL_UNSIGNED);
	add(table, "a", cell_unsigned(UINT64_MAX), 1, 10);
	add(table, "a", cell_unsigned(2), 1, 10);
	cr_assert_eq(row_at(table, 0)->cells[4].unsigned_integer, UINT64_MAX);
}

Test(merged_table, counts_the_recordings_that_have_the_row)
{
	add(table, "a", cell_unsigned(1), 1, 10);
	add(table, "a", cell_unsigned(1), 1, 10);
	merged_table_end_recording(table);
	add(table, "a", cell_unsigned(1), 1, 10);
	add(table, "b", cell_unsigned(1), 1, 10);
	cr_assert_eq(row_at(table, 0)->recordings, 2);
	cr_assert_eq(row_at(table, 1)->recordings, 1);
}

/* Into an empty table, into one that has rows, and again. */
Test(merged_table, takes_the_rows_of_another_one)
{
	struct merged_table *from = merged_table_create(&schema);

	for (int i = 0; i < 3; i++) {
		add(from, i == 1 ? "b" : "a", cell_unsigned(1), 1, 10);
		merged_table_take(table, from);
		cr_assert_eq(merged_table_row_count(from), 0);
	}
	cr_assert_eq(merged_table_row_count(table), 2);
	cr_assert_eq(row_at(table, 0)->recordings, 2);
	cr_assert_eq(row_at(table, 0)->cells[4].unsigned_integer, 2);
	cr_assert_eq(duration_statistics_totals(&row_at(table, 0)->statistics[6]).count, 2);
	merged_table_destroy(from);
	cr_assert_str_eq(row_at(table, 0)->cells[2].text, "a");
}

Test(merged_table, instances_details_summaries_and_tables_without_names_are_not_merged)
{
	struct table_schema changed = schema;

	cr_assert(table_can_be_merged(&changed));
	changed.kind = KIND_INSTANCES;
	cr_assert_not(table_can_be_merged(&changed));
	changed = schema;
	changed.kind = KIND_DETAIL;
	cr_assert_not(table_can_be_merged(&changed));
	changed = schema;
	changed.kind = KIND_SUMMARY;
	cr_assert_not(table_can_be_merged(&changed));
	changed = schema;
	changed.column_count = 2;
	cr_assert_not(table_can_be_merged(&changed));
}
