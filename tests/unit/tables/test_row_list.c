/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "core/tables/row_list.h"

struct row {
	const char *name;
	struct cell id;
	int64_t sum;
	int rank; /* no column */
	struct duration_statistics period;
};

/* clang-format off */
#define ROW struct row
static const struct table_column columns[] = {
	{ .name = "name", CELL_OF(name) },
	{ .name = "id", CELL_OF(id) },
	{ .name = "sum", CELL_OF(sum) },
	{ .name = "period", .format = COLUMN_STATISTIC, CELL_OF(period) },
};
static const struct table_column order_columns[] = { { .name = "rank", CELL_OF(rank) } };
static const struct table_schema schema = {
	TABLE("rows", columns), .order = "name -sum id", UNWRITTEN(order_columns)
};
#undef ROW
/* clang-format on */

static GString *written;

static void keep(struct table_writer *writer, const struct cell *cells)
{
	g_string_append_printf(written, "%s%s:%d", written->len > 0 ? " " : "",
			       cells[0].type == CELL_TEXT ? cells[0].text : "-", (int)cells[2].integer);
}

static struct table_writer writer = { .row = keep };

static void setup(void)
{
	written = g_string_new(NULL);
}

static void teardown(void)
{
	g_string_free(written, TRUE);
}

TestSuite(row_list, .init = setup, .fini = teardown);

static struct row *add(struct row_list *rows, const char *name, struct cell id, int64_t sum)
{
	struct row *row = row_list_make(rows);

	row->name = name;
	row->id = id;
	row->sum = sum;
	return row;
}

static void expect_order(const struct row_list *rows, const char *sums)
{
	g_autoptr(GString) found = g_string_new(NULL);

	for (guint i = 0; i < row_list_count(rows); i++) {
		g_string_append_printf(found, "%s%d", i > 0 ? " " : "", (int)((struct row *)row_list_at(rows, i))->sum);
	}
	cr_expect_str_eq(found->str, sums);
}

Test(row_list, rows_are_written_in_the_order_of_the_schema)
{
	g_autoptr(row_list) rows = row_list_create(&schema);

	add(rows, "b", CELL_NONE, 1);
	add(rows, "a", CELL_NONE, 2);
	add(rows, "a", CELL_NONE, 3);
	add(rows, NULL, CELL_NONE, 4);
	row_list_write(rows, &writer);
	cr_expect_str_eq(written->str, "-:4 a:3 a:2 b:1");
}

/* Summaries of rows whose main table nobody asked for are sorted, too. */
Test(row_list, rows_are_sorted_without_a_writer)
{
	g_autoptr(row_list) rows = row_list_create(&schema);

	add(rows, "b", CELL_NONE, 1);
	add(rows, "a", CELL_NONE, 2);
	row_list_write(rows, NULL);
	expect_order(rows, "2 1");
}

Test(row_list, empty_cells_come_before_numbers_and_numbers_before_texts)
{
	g_autoptr(row_list) rows = row_list_create(&schema);

	add(rows, "a", cell_text("1"), 1);
	add(rows, "a", cell_unsigned(UINT64_MAX), 2);
	add(rows, "a", cell_integer(-1), 3);
	add(rows, "a", CELL_NONE, 4);
	add(rows, "a", cell_real(-2.5), 5);
	row_list_sort(rows, "id");
	expect_order(rows, "4 3 2 5 1");
	row_list_sort(rows, "-id");
	expect_order(rows, "1 5 2 3 4");
}

/* Of whatever type the numbers are: merged tables order their names by it. */
Test(row_list, cells_are_ordered_by_what_they_are)
{
	const struct cell cells[] = { CELL_NONE,       cell_integer(-2), cell_unsigned(1),
				      cell_integer(2), cell_unsigned(3), cell_real(-0.5),
				      cell_real(0.25), cell_text("a"),	 cell_text("b") };

	for (size_t i = 0; i < G_N_ELEMENTS(cells); i++) {
		for (size_t j = 0; j < G_N_ELEMENTS(cells); j++) {
			int order = compare_cells(&cells[i], &cells[j]);

			cr_expect_eq((order > 0) - (order < 0), (i > j) - (i < j), "%zu %zu", i, j);
		}
	}
}

Test(row_list, rows_that_are_equal_stay_in_their_order)
{
	g_autoptr(row_list) rows = row_list_create(&schema);

	for (int64_t i = 0; i < 40; i++) {
		add(rows, i % 2 == 0 ? "a" : "b", CELL_NONE, i);
	}
	row_list_sort(rows, "name");
	for (guint i = 0; i < 40; i++) {
		cr_expect_eq(((struct row *)row_list_at(rows, i))->sum, i < 20 ? 2 * i : 2 * (i - 20) + 1);
	}
	row_list_sort(rows, "-name");
	for (guint i = 0; i < 40; i++) {
		cr_expect_eq(((struct row *)row_list_at(rows, i))->sum, i < 20 ? 2 * i + 1 : 2 * (i - 20));
	}
}

Test(row_list, members_that_are_no_columns_order_rows_too)
{
	g_autoptr(row_list) rows = row_list_create(&schema);

	add(rows, "a", CELL_NONE, 1)->rank = 2;
	add(rows, "b", CELL_NONE, 2)->rank = 1;
	row_list_sort(rows, "rank name");
	expect_order(rows, "2 1");
}

/* The sums of distributions may need more than 64 bits. */
Test(row_list, distributions_are_ordered_by_their_sums)
{
	struct arena *arena = arena_create();
	g_autoptr(row_list) rows = row_list_create(&schema);

	for (int i = 1; i <= 3; i++) {
		struct row *row = add(rows, "a", CELL_NONE, i);

		row_init_statistics(row, &schema, row_statistics(&schema), false, arena);
		for (int j = 0; j < 4 - i; j++) {
			duration_statistics_add(&row->period, INT64_MAX, 0);
		}
	}
	row_list_sort(rows, "period");
	expect_order(rows, "3 2 1");
	arena_destroy(arena);
}

Test(row_list, borrowed_rows_and_texts_that_it_keeps)
{
	struct row row = { .sum = 7 };
	g_autoptr(row_list) rows = row_list_create(&schema);

	row.name = row_list_keep(rows, g_strdup("kept"));
	cr_expect_null(row_list_keep(rows, NULL));
	row_list_add(rows, &row);
	row_list_write(rows, &writer);
	cr_expect_str_eq(written->str, "kept:7");
}

Test(row_list, first_rows_in_order)
{
	g_autoptr(row_list) rows = row_list_create(&schema);

	add(rows, "b", CELL_NONE, 2);
	add(rows, "a", CELL_NONE, 1);
	row_list_write_first(rows, 1, &writer);
	cr_expect_str_eq(written->str, "a:1");
}

/* Rows with many equal names. */
static row_list *many_rows(int64_t count)
{
	row_list *rows = row_list_create(&schema);
	uint32_t random = 1;

	for (int64_t i = 0; i < count; i++) {
		random = random * 1664525 + 1013904223;
		add(rows, (const char *const[]){ "a", "b", "c", "d", "e" }[(random >> 24) % 5], CELL_NONE, i)->rank =
			(int)(random >> 28);
	}
	return rows;
}

Test(row_list, the_first_rows_in_an_order_are_those_of_all_sorted)
{
	for (int64_t count = 0; count < 70; count++) {
		g_autoptr(row_list) rows = many_rows(count);
		g_autoptr(row_order) order = row_order_create(rows, "-name rank");

		row_list_sort(rows, "-name rank");
		for (guint i = 0; i < count; i++) {
			cr_assert_eq(row_order_at(order, i), row_list_at(rows, i), "%u of %d", i, (int)count);
		}
	}
}

Test(row_list, behind_the_first_rows_are_all_others)
{
	g_autoptr(row_list) rows = many_rows(50);
	g_autoptr(row_order) order = row_order_create(rows, "name");
	g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
	void *second = row_order_at(order, 1);

	row_order_put(order, 0, second);
	row_order_put(order, 1, row_order_any(order, 0));
	for (guint i = 1; i < 50; i++) {
		g_hash_table_add(seen, row_order_any(order, i));
	}
	cr_expect_eq(g_hash_table_size(seen), 49);
	cr_expect_eq(row_order_any(order, 0), second);
}
