/* SPDX-License-Identifier: MIT */
#include "core/reports/merge/outliers.h"

#include <criterion/criterion.h>
#include <string.h>

static const struct table_column columns[] = {
	{ .name = "name", .merge = COLUMN_MERGE_KEY },
	{ .name = "delay", .format = COLUMN_STATISTIC },
};
static const struct table_schema schema = {
	.name = "things",
	.title = "Things",
	.selection = "things",
	.columns = columns,
	.column_count = G_N_ELEMENTS(columns),
};
static const char *const attributes[] = { "version" };

static struct arena *arena;
static struct merged_table *of_robot, *all;
static struct outliers *outliers;
static GString *written;

static void write_row(struct table_writer *writer, const struct cell *cells)
{
	g_string_append_printf(written, "%s %s %s %s %ld;", cells[0].text, cells[1].text, cells[2].text, cells[3].text,
			       (long)cells[6].integer);
}

static struct table_writer *open_table(struct table_output *output, const struct table_schema *table)
{
	static struct table_writer writer = { .row = write_row };

	cr_assert_str_eq(table->name, "thing_outliers");
	return &writer;
}

static void setup(void)
{
	static struct table_output output = { .open = open_table };

	arena = arena_create();
	of_robot = merged_table_create(&schema);
	all = merged_table_create(&schema);
	outliers = outliers_create(&schema, attributes, 1, "robot");
	outliers_open(outliers, &output);
	written = g_string_new(NULL);
}

static void teardown(void)
{
	g_string_free(written, TRUE);
	outliers_destroy(outliers);
	merged_table_destroy(all);
	merged_table_destroy(of_robot);
	arena_destroy(arena);
}

TestSuite(outliers, .init = setup, .fini = teardown);

static void add_robot(const char *robot, int64_t delay_ns, int count)
{
	struct duration_statistics delay;
	g_autoptr(GPtrArray) rows = NULL;

	duration_statistics_init(&delay, arena);
	for (int i = 0; i < count; i++) {
		duration_statistics_add(&delay, delay_ns, 0);
	}
	table_row(merged_table_writer(of_robot), (struct cell[]){ cell_text("n"), cell_statistic(&delay) });
	rows = merged_table_rows(of_robot);
	outliers_add(outliers, all, merged_table_add(all, g_ptr_array_index(rows, 0)), robot,
		     g_ptr_array_index(rows, 0));
	merged_table_clear(of_robot);
}

static const char *write_all(void)
{
	outliers_write(outliers, all, (const char *const[]){ "1.0" });
	return written->str;
}

Test(outliers, the_worst_come_first_and_those_as_the_others_not_at_all)
{
	add_robot("c", 500, 10);
	add_robot("a", 100, 10);
	add_robot("b", 900, 10);
	for (int i = 0; i < 7; i++) {
		add_robot("d", 100 + i, 10);
	}
	cr_assert_str_eq(write_all(), "1.0 b n delay 900;1.0 c n delay 500;");
}

Test(outliers, of_few_robots_nobody_knows_what_is_usual)
{
	add_robot("a", 900, 10);
	for (int i = 0; i < 3; i++) {
		add_robot("b", 100, 10);
	}
	cr_assert_str_eq(write_all(), "");
}

Test(outliers, robots_with_few_samples_do_not_count)
{
	add_robot("a", 900, 9);
	for (int i = 0; i < 8; i++) {
		add_robot("b", 100, 10);
	}
	cr_assert_str_eq(write_all(), "");
}

/* Less than twice the median, and within the fence of a fleet that differs. */
Test(outliers, what_differs_as_all_do_is_none)
{
	static const int64_t delays_ns[] = { 100, 300, 500, 700, 900, 1100 };

	for (size_t i = 0; i < G_N_ELEMENTS(delays_ns); i++) {
		add_robot("a", delays_ns[i], 10);
	}
	cr_assert_str_eq(write_all(), "");
}

Test(outliers, no_more_than_the_worst_few_are_listed_whatever_their_order)
{
	static const char *const names[] = { "r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7" };
	static const int order[] = { 3, 0, 7, 5, 1, 6, 2, 4 };

	for (int i = 0; i < 40; i++) {
		add_robot("usual", 100, 10);
	}
	for (size_t i = 0; i < G_N_ELEMENTS(order); i++) {
		add_robot(names[order[i]], 1000 + order[i] / 2, 10);
	}
	cr_assert_str_eq(write_all(), "1.0 r6 n delay 1003;1.0 r7 n delay 1003;1.0 r4 n delay 1002;1.0 r5 n delay "
				      "1002;1.0 r2 n delay 1001;");
}
