/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "core/output/json_writer.h"
#include "core/output/page/page_rows.h"
#include "ros2bt/output/output_stream.h"

static const struct text_hints ranked = { .marks_largest = true };

static const struct table_column columns[] = {
	{ .name = "thing_id", .id_of = "things" },
	{ .name = "count", .merge = COLUMN_MERGE_SUM },
	{ .name = "max_ns", .format = COLUMN_DURATION, .hints = &ranked },
};
static const struct table_schema schema = {
	.name = "things",
	.selection = "things",
	.columns = columns,
	.column_count = G_N_ELEMENTS(columns),
};

static void add(struct page_rows *rows, uint64_t id, uint64_t count, int64_t max_ns, bool is_hidden, bool is_idle)
{
	page_rows_add(rows, (struct cell[]){ cell_unsigned(id), cell_unsigned(count), cell_integer(max_ns) }, is_hidden,
		      is_idle);
}

static void keep(const char *bytes, size_t size, void *data)
{
	g_string_append_len(data, bytes, (gssize)size);
}

static char *written(const struct page_rows *rows, void (*write)(const struct page_rows *, struct json_writer *))
{
	GString *text = g_string_new(NULL);
	struct output_stream *stream = output_stream_create_into(keep, text);
	struct json_writer json;

	json_writer_init(&json, stream);
	write(rows, &json);
	cr_assert(output_stream_flush(stream, NULL));
	output_stream_destroy(stream);
	return g_string_free(text, FALSE);
}

static struct page_rows *six_rows(void)
{
	struct page_rows *rows = page_rows_create(&schema);

	add(rows, 10, 1, 5, false, false);
	add(rows, 11, 2, 900, true, false);
	add(rows, 12, 4, 7, false, false);
	add(rows, 13, 8, 7, false, false);
	add(rows, 14, 16, 800, true, false);
	add(rows, 15, 0, 1000, false, true);
	return rows;
}

static void check_kept(const struct page_rows *rows, const char *expected)
{
	for (size_t i = 0; expected[i]; i++) {
		cr_assert_eq(page_rows_keep(rows, i), expected[i] == '1', "row %zu", i);
	}
}

Test(page_rows, a_table_of_usual_size_is_whole)
{
	struct page_rows *rows = six_rows();
	g_autofree char *lacking = NULL;

	page_rows_choose(rows, NULL, &(struct page_rows_limits){ 4, 2, 100 });
	check_kept(rows, "111111");
	lacking = written(rows, page_rows_write_lacking);
	cr_assert_str_eq(lacking, "null");
	page_rows_destroy(rows);
}

Test(page_rows, those_ranked_highest_stay_and_what_is_left_out_is_told)
{
	struct page_rows *rows = six_rows();
	g_autofree char *lacking = NULL, *hidden = NULL, *idle = NULL;

	page_rows_choose(rows, NULL, &(struct page_rows_limits){ 1, 1, 100 });
	check_kept(rows, "011000");
	cr_assert(page_rows_keep_id(rows, 12));
	cr_assert(!page_rows_keep_id(rows, 13), "of equal ones the first stays");
	cr_assert(!page_rows_keep_id(rows, 15), "what never happened comes last");
	lacking = written(rows, page_rows_write_lacking);
	cr_assert_str_eq(lacking, "{\"hidden\": 1, \"others\": 3, \"sums\": {\"hidden\": [null, 18, null], "
				  "\"others\": [null, 13, null]}}");
	hidden = written(rows, page_rows_write_hidden);
	cr_assert_str_eq(hidden, "[0]", "numbers are those among the rows that stay");
	idle = written(rows, page_rows_write_idle);
	cr_assert_str_eq(idle, "[]");
	page_rows_destroy(rows);
}

Test(page_rows, parts_stay_with_their_rows_as_long_as_there_is_room)
{
	static const uint64_t ids[] = { 10, 12, 12, 13, 13, 15 };
	struct page_rows *parents = six_rows(), *parts = page_rows_create(&schema);

	for (size_t i = 0; i < G_N_ELEMENTS(ids); i++) {
		add(parts, ids[i], 1, 1, false, false);
	}
	page_rows_choose(parents, NULL, &(struct page_rows_limits){ 3, 0, 100 });
	check_kept(parents, "101100");
	page_rows_choose(parts, parents, &(struct page_rows_limits){ 100, 100, 3 });
	check_kept(parts, "111000"); /* 13 has two, for which there is no room; 15 is not there */
	cr_assert(!page_rows_keep_id(parts, 13));
	page_rows_destroy(parts);
	page_rows_destroy(parents);
}
