/* SPDX-License-Identifier: MIT */
#include "ros2bt/reports/trends.h"

#include <criterion/criterion.h>
#include <string.h>

static const struct table_column columns[] = {
	{ .name = "name", .merge = COLUMN_MERGE_KEY },
	{ .name = "delay", .format = COLUMN_STATISTIC },
};
static const struct table_schema schema = {
	.name = "things",
	.title = "Things",
	.columns = columns,
	.column_count = G_N_ELEMENTS(columns),
};

static struct arena *arena;
static struct merged_table *one, *all;
static struct trends *trends;
static GString *written;

/* name, statistic, recordings; early and late p50 and the trend; the same of p99 */
static void write_row(struct table_writer *writer, const struct cell *cells)
{
	g_string_append_printf(written, "%s %s %d: %ld %ld %s, %ld %ld %s;", cells[0].text, cells[1].text,
			       (int)cells[2].unsigned_integer, (long)cells[3].integer, (long)cells[4].integer,
			       cells[6].text, (long)cells[7].integer, (long)cells[8].integer, cells[10].text);
}

static struct table_writer *open_table(struct table_output *output, const struct table_schema *table)
{
	static struct table_writer writer = { .row = write_row };

	cr_assert_str_eq(table->name, "thing_trends");
	return &writer;
}

static void setup(void)
{
	static struct table_output output = { .open = open_table };

	arena = arena_create();
	one = merged_table_create(&schema);
	all = merged_table_create(&schema);
	trends = trends_create(&schema);
	trends_open(trends, &output);
	written = g_string_new(NULL);
}

static void teardown(void)
{
	g_string_free(written, TRUE);
	trends_destroy(trends);
	merged_table_destroy(all);
	merged_table_destroy(one);
	arena_destroy(arena);
}

TestSuite(trends, .init = setup, .fini = teardown);

/* Most samples of the one delay, the longest of the other. */
static void add(int64_t begin_ns, int64_t median_ns, int64_t longest_ns, int count)
{
	struct duration_statistics delay;
	g_autoptr(GPtrArray) rows = NULL;

	duration_statistics_init(&delay, arena);
	for (int i = 0; i < count; i++) {
		duration_statistics_add(&delay, i == 0 ? longest_ns : median_ns, 0);
	}
	table_row(merged_table_writer(one), (struct cell[]){ cell_text("n"), cell_statistic(&delay) });
	rows = merged_table_rows(one);
	trends_add(trends, all, merged_table_add(all, g_ptr_array_index(rows, 0)), begin_ns,
		   g_ptr_array_index(rows, 0));
	merged_table_clear(one);
}

static const char *write_all(void)
{
	trends_write(trends, all);
	return written->str;
}

/* In order of time, in whatever order they come. */
Test(trends, what_rises_or_falls_all_along_is_a_trend)
{
	static const int order[] = { 4, 0, 5, 2, 1, 3 };

	for (size_t i = 0; i < G_N_ELEMENTS(order); i++) {
		add(order[i], 100 + 10 * order[i], 900 - order[i], 20);
	}
	cr_assert_str_eq(write_all(), "n delay 6: 100 140 rising, 899 895 falling;");
}

Test(trends, what_goes_up_and_down_is_none)
{
	static const int64_t values_ns[] = { 100, 300, 90, 310, 120, 280, 110 };

	for (size_t i = 0; i < G_N_ELEMENTS(values_ns); i++) {
		add((int64_t)i, values_ns[i], 1000, 20);
	}
	cr_assert_str_eq(write_all(), "n delay 7: 100 120 none, 1000 1000 none;");
}

Test(trends, few_recordings_show_none)
{
	add(1, 100, 200, 20);
	cr_assert_str_eq(write_all(), "");
	for (int i = 2; i < 5; i++) {
		add(i, 100 * i, 1000, 20);
	}
	cr_assert_str_eq(write_all(), "n delay 4: 100 300 unknown, 200 1000 unknown;");
}

Test(trends, recordings_with_few_samples_do_not_count)
{
	add(1, 100, 1000, 9);
	add(2, 200, 1000, 10);
	add(3, 300, 1000, 10);
	cr_assert_str_eq(write_all(), "n delay 2: 200 300 unknown, 1000 1000 unknown;");
}
