/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <string.h>

#include "core/named_paths/caret/caret_join.h"

/* Rows as "1 2/3 .": cells are separated by spaces, "." is CARET_NO_TIME. */
static struct caret_table *table_of(size_t width, const char *text)
{
	struct caret_table *table = caret_table_create(width);
	g_auto(GStrv) rows = g_strsplit(text, "/", -1);

	for (size_t i = 0; rows[i]; i++) {
		g_auto(GStrv) cells = g_strsplit(rows[i], " ", -1);
		int64_t *row = caret_table_add(table);

		cr_assert_eq(g_strv_length(cells), width);
		for (size_t j = 0; j < width; j++) {
			row[j] = strcmp(cells[j], ".") == 0 ? CARET_NO_TIME : g_ascii_strtoll(cells[j], NULL, 10);
		}
	}
	return table;
}

static char *text_of(const struct caret_table *table)
{
	GString *text = g_string_new(NULL);

	for (size_t i = 0; i < caret_table_count(table); i++) {
		const int64_t *row = caret_table_at(table, i);

		for (size_t j = 0; j < table->width; j++) {
			g_string_append(text, j ? " " : i ? "/" : "");
			if (row[j] == CARET_NO_TIME) {
				g_string_append_c(text, '.');
			} else {
				g_string_append_printf(text, "%" PRId64, row[j]);
			}
		}
	}
	return g_string_free(text, FALSE);
}

static void expect_table(const struct caret_table *table, const char *expected)
{
	g_autofree char *text = text_of(table);

	cr_expect_str_eq(text, expected, "%s, not %s", text, expected);
}

/* Joins by the last column of the left and the first column of the right table. */
static void expect_sequential(enum caret_join how, size_t width, const char *left_rows, size_t right_width,
			      const char *right_rows, const char *expected)
{
	g_autoptr(caret_table) left = table_of(width, left_rows);
	g_autoptr(caret_table) right = table_of(right_width, right_rows);
	g_autoptr(caret_table) joined = caret_join_sequential(left, width - 1, right, 0, how);

	expect_table(joined, expected);
}

Test(caret_join, a_right_row_belongs_to_the_last_left_one_at_or_before_it)
{
	/* 5 is before any left row, 30 at the same time as one */
	const char *starts = "1 10/2 20/3 30", *ends = "5 -5/12 -12/15 -15/30 -30/31 -31";

	expect_sequential(CARET_JOIN_LEFT, 2, starts, 2, ends, "1 10 12 -12/2 20 . ./3 30 30 -30");
	expect_sequential(CARET_JOIN_EVERY, 2, starts, 2, ends,
			  "1 10 12 -12/1 10 15 -15/2 20 . ./3 30 30 -30/3 30 31 -31");
}

Test(caret_join, of_equal_left_rows_the_last_one_gets_the_right_rows)
{
	expect_sequential(CARET_JOIN_EVERY, 2, "1 10/2 10", 2, "11 1/12 2", "1 10 . ./2 10 11 1/2 10 12 2");
}

/* Further publications of one callback branch off: the example of caret-paths */
Test(caret_join, a_flow_branches_where_there_are_several_right_rows)
{
	expect_sequential(CARET_JOIN_EVERY, 2, "0 1/10 11", 2, "1 100/2 200/11 1100/12 1200",
			  "0 1 1 100/0 1 2 200/10 11 11 1100/10 11 12 1200");
}

Test(caret_join, rows_without_value_match_nothing)
{
	expect_sequential(CARET_JOIN_EVERY, 2, "1 ./2 20", 2, ". 1/21 2", "2 20 21 2/1 . . .");
}

Test(caret_join, rows_may_be_in_any_order)
{
	expect_sequential(CARET_JOIN_LEFT, 2, "3 30/1 10/2 20", 2, "31 3/30 -3/11 1", "1 10 11 1/2 20 . ./3 30 30 -3");
}

static void expect_equal(const char *left_rows, const char *right_rows, const char *expected)
{
	g_autoptr(caret_table) left = table_of(2, left_rows);
	g_autoptr(caret_table) right = table_of(2, right_rows);
	g_autoptr(caret_table) joined = caret_join_equal(left, 1, right, 0);

	expect_table(joined, expected);
}

Test(caret_join, equal_values_are_joined_each_with_each)
{
	expect_equal("1 10/2 20/3 20/4 40", "20 7/20 8/40 9/50 0", "1 10 ./2 20 7/2 20 8/3 20 7/3 20 8/4 40 9");
	expect_equal("1 ./2 20", ". 7/20 8", "2 20 8/1 . .");
}

/* All at the same time, which no system does: neither time nor memory are O(n²). */
Test(caret_join, rows_are_limited_where_all_values_are_equal)
{
	g_autoptr(caret_table) left = caret_table_create(1);
	g_autoptr(caret_table) right = caret_table_create(1);
	g_autoptr(caret_table) joined = NULL;

	for (int i = 0; i < 3000; i++) {
		*caret_table_add(left) = 1;
		*caret_table_add(right) = 1;
	}
	joined = caret_join_equal(left, 0, right, 0);
	cr_expect_geq(caret_table_count(joined), caret_join_limit(3000, 3000));
	cr_expect_leq(caret_table_count(joined), caret_join_limit(3000, 3000) + 3000);
}

Test(caret_join, tables_are_sorted_by_all_columns)
{
	g_autoptr(caret_table) table = table_of(2, "2 1/1 ./. 0/1 5/-1 7");

	caret_table_sort(table);
	expect_table(table, "-1 7/1 5/1 ./2 1/. 0");
}

Test(caret_join, columns_are_selected)
{
	g_autoptr(caret_table) table = table_of(3, "1 2 3/4 . 6");
	g_autoptr(caret_table) selection = caret_table_select(table, (size_t[]){ 2, 1 }, 2);

	expect_table(selection, "3 2/6 .");
}

/* --- against the definition, in O(n²) --- */

static void expect_as_defined(const struct caret_table *left, const struct caret_table *right, enum caret_join how)
{
	g_autoptr(caret_table) joined = caret_join_sequential(left, 0, right, 0, how);
	size_t row = 0;

	for (size_t i = 0; i < caret_table_count(left); i++) {
		size_t found = 0;

		for (size_t j = 0; j < caret_table_count(right); j++) {
			int64_t at = *caret_table_at(right, j);
			bool is_of_left = at >= *caret_table_at(left, i) &&
					  (i + 1 == caret_table_count(left) || at < *caret_table_at(left, i + 1));

			if (is_of_left && (found == 0 || how == CARET_JOIN_EVERY)) {
				cr_assert_lt(row, caret_table_count(joined));
				cr_assert_eq(caret_table_at(joined, row)[0], *caret_table_at(left, i));
				cr_assert_eq(caret_table_at(joined, row)[1], at);
				row++;
			}
			found += is_of_left;
		}
		if (found == 0) {
			cr_assert_lt(row, caret_table_count(joined));
			cr_assert_eq(caret_table_at(joined, row)[0], *caret_table_at(left, i));
			cr_assert_eq(caret_table_at(joined, row)[1], CARET_NO_TIME);
			row++;
		}
	}
	cr_assert_eq(row, caret_table_count(joined));
}

Test(caret_join, is_as_defined_for_any_rows)
{
	g_autoptr(GRand) random = g_rand_new_with_seed(1);

	for (int round = 0; round < 500; round++) {
		g_autoptr(caret_table) left = caret_table_create(1);
		g_autoptr(caret_table) right = caret_table_create(1);

		for (gint32 i = g_rand_int_range(random, 0, 20); i > 0; i--) {
			*caret_table_add(left) = g_rand_int_range(random, 0, 50);
		}
		for (gint32 i = g_rand_int_range(random, 0, 20); i > 0; i--) {
			*caret_table_add(right) = g_rand_int_range(random, 0, 50);
		}
		caret_table_sort(left);
		caret_table_sort(right);
		for (int how = 0; how <= CARET_JOIN_EVERY; how++) {
			expect_as_defined(left, right, how);
		}
	}
}
