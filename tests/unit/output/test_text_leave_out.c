/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <string.h>

#include "core/output/text/text_leave_out.h"
#include "core/output/text/text_report.h"

#define TOP 3

struct thing {
	const char *name, *note;
	uint64_t count;
	int64_t size;
};

#define ROW struct thing
static const struct table_column columns[] = {
	{ .name = "name",
	  .format = COLUMN_NAME,
	  .merge = COLUMN_MERGE_KEY,
	  .hints = HINT_MAY_BE_HIDDEN,
	  CELL_OF(name) },
	{ .name = "count", .hints = HINT_IDLE("never"), CELL_OF(count) },
	{ .name = "size", .hints = HINT_MARKED, CELL_OF(size) },
	{ .name = "note", CELL_OF(note) },
};
static const struct table_schema schema = { TABLE("things", columns), .title = "Things", .order = "note" };
#undef ROW

static struct output_place place;
static struct output *output;
static struct text_report_table *table;

static void set_up(void)
{
	place = (struct output_place){ .is_standard_output = true, .choice = { .has_top = true, .top = TOP } };
	output = text_report_create(&place);
	table = (struct text_report_table *)text_report_open(output, &schema, NULL);
}

static void tear_down(void)
{
	text_report_destroy(output);
}

TestSuite(text_leave_out, .init = set_up, .fini = tear_down);

/* The notes of the rows that are listed, and what becomes of the others. */
static char *listed(void)
{
	struct text_selection selection;
	GString *text = g_string_new(NULL);

	text_selection_init(&selection, table->kept);
	text_selection_cut(&selection, table->kept, TOP);
	for (size_t i = 0; i < selection.count; i++) {
		g_string_append_printf(text, "%s ", text_table_cells(table->kept, selection.rows[i])[3].text);
	}
	g_string_append_printf(text, "left out %zu, hidden %zu, idle %zu", selection.left_out, table->kept->hidden,
			       table->kept->idle);
	text_selection_clear(&selection);
	return g_string_free(text, FALSE);
}

/* Rows in an order other than that of the table, which is by notes. */
static struct row_list *rows_of(struct thing *things, size_t count)
{
	struct row_list *rows = row_list_create(&schema);

	for (size_t i = 0; i < count; i++) {
		row_list_add(rows, &things[i * 7 % count]);
	}
	return rows;
}

static void write_rows(struct row_list *rows)
{
	row_list_sort(rows, schema.order);
	for (guint i = 0; i < row_list_count(rows); i++) {
		row_write(&table->writer, &schema, row_list_at(rows, i));
	}
}

/* With many that rank the same, some hidden, some that never happened. */
static void make(struct thing *things, size_t count, char (*notes)[8])
{
	for (size_t i = 0; i < count; i++) {
		g_snprintf(notes[i], sizeof(notes[i]), "%03zu", i);
		things[i] = (struct thing){
			.name = i % 5 == 4 ? "/_daemon" : "/n",
			.note = notes[i],
			.count = i % 6,
			.size = (int64_t)(i * 31 % count / 4),
		};
	}
}

Test(text_leave_out, lists_what_is_listed_if_all_rows_are_written)
{
	struct thing things[100];
	char notes[100][8];
	g_autoptr(row_list) all = rows_of(things, 100), few = rows_of(things, 100);
	g_autofree char *expected = NULL, *text = NULL;

	make(things, 100, notes);
	write_rows(all);
	expected = listed();
	cr_assert(strstr(expected, "hidden 17, idle 17"), "%s", expected);
	tear_down();
	set_up();
	row_list_leave_out(few, &table->writer);
	/* TOP + 1, and at most three more that rank as the last of them */
	cr_expect_geq(row_list_count(few), (guint)TOP + 1);
	cr_expect_leq(row_list_count(few), (guint)TOP + 4);
	write_rows(few);
	text = listed();
	cr_expect_str_eq(text, expected);
}

Test(text_leave_out, of_rows_that_rank_the_same_the_first_are_kept)
{
	struct thing things[100];
	char notes[100][8];
	g_autoptr(row_list) rows = rows_of(things, 100);
	g_autofree char *text = NULL;

	make(things, 100, notes);
	for (size_t i = 0; i < 100; i++) {
		things[i].size = i == 50 ? 8 : 7;
	}
	row_list_leave_out(rows, &table->writer);
	cr_expect_eq(row_list_count(rows), 66u);
	write_rows(rows);
	cr_expect_eq(table->kept->row_count, (size_t)TOP + 1);
	text = listed();
	cr_expect_str_eq(text, "050 001 002 left out 63, hidden 17, idle 17");
}

Test(text_leave_out, needs_no_cells_but_those_that_rank_or_hide)
{
	struct thing things[100];
	char notes[100][8];
	g_autoptr(row_list) rows = rows_of(things, 100);
	size_t left_out;

	make(things, 100, notes);
	for (size_t i = 0; i < 100; i++) {
		things[i].note = (const char *)1; /* a text that nobody may read */
	}
	row_list_leave_out(rows, &table->writer);
	left_out = table->kept->dropped + table->kept->hidden + table->kept->idle;
	cr_expect_eq(left_out + row_list_count(rows), 100u);
	cr_expect_eq(table->kept->row_count, 0u);
}

Test(text_leave_out, keeps_all_where_all_may_be_listed)
{
	struct thing things[100];
	char notes[100][8];
	g_autoptr(row_list) rows = rows_of(things, 100);

	make(things, 100, notes);
	place.choice.top = 0;
	row_list_leave_out(rows, &table->writer);
	cr_expect_eq(row_list_count(rows), 100u);
	place.choice.top = 1;
	place.choice.sort = "count";
	row_list_leave_out(rows, &table->writer);
	cr_expect_eq(row_list_count(rows), 100u);
	row_list_leave_out(rows, NULL);
	row_list_leave_out(rows, &(struct table_writer){ .row = NULL });
	cr_expect_eq(row_list_count(rows), 100u);
}

Test(text_leave_out, tables_with_more_rows_than_lines_share_these)
{
	struct text_report_table *other = (struct text_report_table *)text_report_open(output, &schema, NULL);
	struct thing things[100];
	char notes[100][8];
	g_autoptr(row_list) rows = rows_of(things, 100);

	make(things, 100, notes);
	place.choice.has_top = false;
	for (size_t i = 0; i < TEXT_REPORT_LINES; i++) {
		row_list_leave_out(rows, &table->writer);
		cr_expect_eq(row_list_count(rows), 100u);
		text_table_add(other->kept,
			       (struct cell[]){ cell_text("/a"), cell_unsigned(1), cell_integer(1), cell_text("") });
	}
	row_list_leave_out(rows, &table->writer);
	cr_expect_geq(row_list_count(rows), (guint)TEXT_REPORT_LINES / 2 + 1);
	cr_expect_leq(row_list_count(rows), (guint)TEXT_REPORT_LINES / 2 + 4);
}
