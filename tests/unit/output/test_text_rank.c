/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <string.h>

#include "core/output/text/text_rank.h"
#include "core/output/text/text_leave_out.h"
#include "core/output/text/text_report.h"
#include "core/output/text/text_title.h"

#define LISTED 8
#define THINGS 600

struct thing {
	const char *topic;
	int64_t size;
};

#define ROW struct thing
static const struct table_column columns[] = {
	{ .name = "topic",
	  .format = COLUMN_NAME,
	  .merge = COLUMN_MERGE_KEY,
	  .hints = HINT(.folds = "topic"),
	  CELL_OF(topic) },
	{ .name = "size", .hints = HINT_MARKED, CELL_OF(size) },
};
static const struct table_schema schema = { TABLE("things", columns), .title = "Things", .order = "topic" };
#undef ROW

static struct output_place place;
static struct output *output;
static struct text_report_table *table;

static void set_up(void)
{
	output = text_report_create(&place);
	table = (struct text_report_table *)text_report_open(output, &schema, NULL);
}

static void tear_down(void)
{
	text_report_destroy(output);
}

TestSuite(text_rank, .init = set_up, .fini = tear_down);

/* Rows of these names, in this order; NULL: none. */
static void make_rows(struct text_ranked *rows, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		rows[i] = (struct text_ranked){ .row = i, .name = names[i] };
	}
}

Test(text_rank, rows_beyond_three_of_a_name_go_behind_the_others)
{
	static const char *const names[] = { "a", "a", "b", "a", NULL, "a", NULL, NULL, NULL, "a", "b" };
	static const size_t expected[] = { 0, 1, 2, 3, 4, 6, 7, 8, 10, 5, 9 };
	struct text_ranked rows[11];

	for (size_t limit = 1; limit <= 11; limit++) {
		make_rows(rows, names, 11);
		cr_expect_eq(text_ranked_fold(rows, 11, limit), limit >= 6 && limit <= 10, "%zu", limit);
		for (size_t i = 0; i < limit; i++) {
			cr_expect_eq(rows[i].row, expected[i], "%zu of %zu", i, limit);
		}
	}
	cr_expect_not(text_ranked_fold(rows, 0, 3));
	cr_expect_not(text_ranked_fold(rows, 11, 0));
}

static char *listed(void)
{
	struct text_selection selection;
	GString *text = g_string_new(NULL);
	g_autofree char *order = NULL;

	text_selection_init(&selection, table->kept);
	text_selection_cut(&selection, table->kept, LISTED);
	for (size_t i = 0; i < selection.count; i++) {
		const struct cell *cells = text_table_cells(table->kept, selection.rows[i]);

		g_string_append_printf(text, "%s %d ", cells[0].text, (int)cells[1].integer);
	}
	order = text_order(table->kept, &selection);
	g_string_append_printf(text, "left out %zu%s", selection.left_out, order);
	text_selection_clear(&selection);
	return g_string_free(text, FALSE);
}

/* The largest are all of /tf, and there are more of them than are ever kept. */
static struct row_list *things_of(struct thing *things)
{
	static const char *const others[] = { "/a", "/b", "/c", "/d" };
	struct row_list *rows = row_list_create(&schema);

	for (size_t i = 0; i < THINGS; i++) {
		things[i].topic = i < 400 ? "/tf" : others[i % 4];
		things[i].size = (int64_t)(1000 - i);
		row_list_add(rows, &things[i]);
	}
	return rows;
}

static void write_rows(const struct row_list *rows)
{
	for (guint i = 0; i < row_list_count(rows); i++) {
		row_write(&table->writer, &schema, row_list_at(rows, i * 7 % row_list_count(rows)));
	}
}

#define FOLDED "/tf 1000 /tf 999 /tf 998 /a 600 /b 599 /c 598 /d 597 /a 596 left out 592, by size, 3 of a topic first"

Test(text_rank, what_has_many_rows_leaves_room_for_the_others)
{
	struct thing things[THINGS];
	g_autoptr(row_list) rows = things_of(things);
	g_autofree char *text = NULL;

	write_rows(rows);
	text = listed();
	cr_expect_str_eq(text, FOLDED);
}

Test(text_rank, what_is_behind_by_itself_leaves_the_list_as_it_was)
{
	static const char *const names[] = { "a", "a", "a", "a", "b", "a" };
	struct text_ranked rows[6];

	make_rows(rows, names, 6);
	cr_expect_not(text_ranked_fold(rows, 6, 5), "others in another order only");
}

Test(text_rank, once_the_others_are_listed_there_is_room_for_more_of_a_name)
{
	struct thing things[THINGS];
	g_autoptr(row_list) rows = things_of(things);
	g_autofree char *text = NULL;

	for (size_t i = 0; i < THINGS; i++) {
		things[i].topic = i < THINGS - 3 ? "/tf" : "/a";
	}
	write_rows(rows);
	text = listed();
	cr_expect_str_eq(text, "/tf 1000 /tf 999 /tf 998 /tf 997 /tf 996 /a 403 /a 402 /a 401 left out 592, by size, "
			       "3 of a topic first");
}

Test(text_rank, the_title_of_a_table_that_nothing_ranks_tells_it_as_well)
{
	const struct table_column column = { .name = "what", .hints = HINT(.folds = "kind") };
	const struct table_schema of_kinds = { .name = "kinds", .columns = &column, .column_count = 1 };
	struct text_table *kinds = text_table_create(&of_kinds, &place.choice);
	struct text_selection selection;
	g_autofree char *order = NULL;

	for (size_t i = 0; i < 6; i++) {
		text_table_add(kinds, (struct cell[]){ cell_text(i < 5 ? "often" : "rare") });
	}
	text_selection_init(&selection, kinds);
	text_selection_cut(&selection, kinds, 4);
	order = text_order(kinds, &selection);
	cr_expect_str_eq(order, ", 3 of a kind first");
	cr_expect_eq(selection.rows[3], 5);
	text_selection_clear(&selection);
	text_table_destroy(kinds);
}

Test(text_rank, leaving_out_rows_first_lists_the_same)
{
	struct thing things[THINGS];
	g_autoptr(row_list) rows = things_of(things);
	g_autofree char *text = NULL;

	row_list_leave_out(rows, &table->writer);
	cr_expect_eq(row_list_count(rows), (guint)TEXT_REPORT_LINES + 1);
	write_rows(rows);
	text = listed();
	cr_expect_str_eq(text, FOLDED);
}

Test(text_rank, a_number_of_rows_that_is_asked_for_is_that_of_the_largest)
{
	struct thing things[THINGS];
	g_autoptr(row_list) rows = things_of(things);
	g_autofree char *text = NULL;

	tear_down();
	place.choice = (struct row_choice){ .has_top = true, .top = LISTED };
	set_up();
	write_rows(rows);
	text = listed();
	cr_expect(g_str_has_suffix(text, "/tf 993 left out 592, by size"), "%s", text);
}

/* Not even qsort() is called: for NULL, its behaviour is undefined. */
Test(text_rank, a_table_without_rows_has_an_empty_selection)
{
	struct text_table *empty = text_table_create(&schema, &place.choice);
	struct text_selection selection;

	text_selection_init(&selection, empty);
	cr_expect(selection.is_ranked);
	text_selection_cut(&selection, empty, LISTED);
	cr_expect_eq(selection.count, 0);
	cr_expect_eq(selection.left_out, 0);
	text_selection_clear(&selection);
	text_table_destroy(empty);
}
