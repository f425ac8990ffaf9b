/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <string.h>

#include "core/statistics/duration_statistics.h"
#include "core/tables/statistics_columns.h"

static const double quantiles[] = { 0.5, 0.9, 0.99, 0.999 };
static const struct table_column source[] = {
	{ .name = "thing_id", .id_of = "things", .role = COLUMN_ROLE_HIDDEN },
	{ .name = "gap", .format = COLUMN_STATISTIC, .hints = HINT_BRIEF },
	{ .name = "lost" },
};
static const struct table_schema schema = {
	.name = "things",
	.columns = source,
	.column_count = G_N_ELEMENTS(source),
};
static const char *const names[] = { "thing_id",      "gap_sum_ns", "gap_min_ns",    "gap_mean_ns",
				     "gap_stddev_ns", "gap_p50_ns", "gap_p90_ns",    "gap_p99_ns",
				     "gap_p999_ns",   "gap_max_ns", "gap_max_at_ns", "lost" };

static struct arena *arena;
static struct duration_statistics statistics;
static struct statistics_columns *columns;

static void setup(void)
{
	arena = arena_create();
	duration_statistics_init(&statistics, arena);
	columns = statistics_columns_create(&schema, quantiles, G_N_ELEMENTS(quantiles));
}

static void teardown(void)
{
	statistics_columns_destroy(columns);
	arena_destroy(arena);
}

TestSuite(statistics_columns, .init = setup, .fini = teardown);

static const struct cell *cells_of_row(void)
{
	return statistics_columns_cells(
		columns, (struct cell[]){ cell_unsigned(7), cell_statistic(&statistics), cell_unsigned(8) });
}

Test(statistics_columns, are_named_as_the_interface_says_and_stand_where_the_statistic_stood)
{
	const struct table_schema *expanded = statistics_columns_schema(columns);

	cr_assert_eq(expanded->column_count, G_N_ELEMENTS(names));
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		cr_assert_str_eq(expanded->columns[i].name, names[i]);
	}
	cr_assert_eq(cells_of_row()[0].unsigned_integer, 7);
	cr_assert_eq(cells_of_row()[11].unsigned_integer, 8);
}

Test(statistics_columns, without_samples_every_cell_is_empty_and_with_one_the_deviation_is)
{
	for (size_t i = 1; i < 11; i++) {
		cr_assert_eq(cells_of_row()[i].type, CELL_EMPTY);
	}
	duration_statistics_add(&statistics, -5, 1000);
	for (size_t i = 1; i < 11; i++) {
		cr_assert_eq(cells_of_row()[i].type == CELL_EMPTY, i == 4, "%zu", i);
	}
	cr_assert_eq(cells_of_row()[9].integer, -5);
	cr_assert_eq(cells_of_row()[10].integer, 1000);
}

Test(statistics_columns, a_sum_of_more_than_64_bits_is_empty)
{
	duration_statistics_add(&statistics, INT64_MAX, 0);
	duration_statistics_add(&statistics, INT64_MAX, 0);
	cr_assert_eq(cells_of_row()[1].type, CELL_EMPTY);
	cr_assert_eq(cells_of_row()[9].integer, INT64_MAX);
}

Test(statistics_columns, a_brief_statistic_shows_mean_and_max_where_there_is_little_room)
{
	const struct table_schema *expanded = statistics_columns_schema(columns);

	for (size_t i = 2; i < 10; i++) {
		bool is_shown = strcmp(names[i], "gap_mean_ns") == 0 || strcmp(names[i], "gap_max_ns") == 0;

		cr_assert_eq(expanded->columns[i].role, is_shown ? COLUMN_ROLE_VALUE : COLUMN_ROLE_DETAIL, "%s",
			     names[i]);
		cr_assert_not(expanded->columns[i].hints->marks_largest);
	}
}

Test(statistics_columns, a_table_without_statistics_stays_as_it_is)
{
	static const struct table_schema plain = { .name = "plain", .columns = source, .column_count = 1 };
	struct statistics_columns *none = statistics_columns_create(&plain, quantiles, G_N_ELEMENTS(quantiles));
	struct cell cell = cell_unsigned(1);

	cr_assert_eq(statistics_columns_schema(none), &plain);
	cr_assert_eq(statistics_columns_cells(none, &cell), &cell);
	statistics_columns_destroy(none);
}

Test(statistics_columns, quantiles_have_unambiguous_names)
{
	static const struct {
		double quantile;
		const char *name;
	} expected[] = {
		{ 0, "p0" },	   { 1, "p100" },     { 0.5, "p50" },	   { 0.05, "p5" }, { 0.95, "p95" },
		{ 0.9, "p90" },	   { 0.99, "p99" },   { 0.999, "p999" },   { 0.1, "p10" }, { 0.9999, "p9999" },
		{ 0.005, "p005" }, { 0.125, "p125" }, { 0.0125, "p0125" }, { 0.01, "p1" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(expected); i++) {
		g_autofree char *name = statistics_quantile_name(expected[i].quantile);

		cr_assert_str_eq(name, expected[i].name);
	}
}
