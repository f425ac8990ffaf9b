/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <glib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/text/human_text.h"
#include "core/output/text/text_table.h"
#include "ros2bt/output/output_stream.h"

static const struct table_column columns[] = {
	{ .name = "id", .role = COLUMN_ROLE_HIDDEN },
	{ .name = "pid", .label = "pid", .role = COLUMN_ROLE_GROUP },
	{ .name = "node", .role = COLUMN_ROLE_GROUP },
	{ .name = "topic", .format = COLUMN_NAME },
	{ .name = "min", .format = COLUMN_DURATION, .hints = HINT(.heading = "duration"), .role = COLUMN_ROLE_DETAIL },
	{ .name = "mean", .format = COLUMN_DURATION, .hints = HINT(.heading = "duration") },
	{ .name = "max", .format = COLUMN_DURATION, .hints = HINT(.heading = "duration", .marks_largest = true) },
};
static const struct table_schema schema = {
	.name = "things",
	.title = "Things",
	.columns = columns,
	.column_count = G_N_ELEMENTS(columns),
};

static const struct table_column part_columns[] = {
	{ .name = "id", .role = COLUMN_ROLE_HIDDEN },
	{ .name = "part" },
	{ .name = "share", .format = COLUMN_PERCENT },
};
static const struct table_schema part_schema = {
	.name = "parts",
	.kind = KIND_DETAIL,
	.parent = "things",
	.columns = part_columns,
	.column_count = G_N_ELEMENTS(part_columns),
};

static const struct row_choice all_rows;
static size_t room = 100; /* lines */

static void add_thing(struct text_table *table, uint64_t id, const char *node, const char *topic, int64_t max_ns)
{
	text_table_add(table, (struct cell[]){ cell_unsigned(id), cell_integer(7), cell_text(node), cell_text(topic),
					       cell_integer(-1), cell_real((double)max_ns / 2), cell_integer(max_ns) });
}

/* What text_table_write() writes; free by g_free. */
static char *written(const struct text_table *table, const struct text_table *child, const struct text_style *style)
{
	const struct text_table *const children[] = { child, NULL };
	g_autofree char *path = NULL;
	int descriptor = g_file_open_tmp("ros2bt-text-XXXXXX", &path, NULL);
	struct output_stream *stream = output_stream_create(descriptor, path);
	char *text;

	text_table_write(table, children, room, style, stream);
	cr_assert(output_stream_flush(stream, NULL));
	output_stream_destroy(stream);
	close(descriptor);
	cr_assert(g_file_get_contents(path, &text, NULL, NULL));
	unlink(path);
	return text;
}

static size_t occurrences(const char *text, const char *part)
{
	size_t count = 0;

	for (text = strstr(text, part); text; text = strstr(text + 1, part)) {
		count++;
	}
	return count;
}

Test(text_table, groups_marks_and_child_rows_stand_where_a_person_looks)
{
	struct text_style style = text_style_plain();
	struct text_table *table = text_table_create(&schema, &all_rows),
			  *child = text_table_create(&part_schema, &all_rows);
	g_autofree char *text = NULL;

	add_thing(table, 0, "/a", "/slow", 12345678);
	add_thing(table, 1, "/a", "/fast", 900);
	add_thing(table, 2, "/b", "/one", 5000);
	add_thing(table, 3, "/b", "/two", 6000);
	text_table_add(child, (struct cell[]){ cell_unsigned(1), cell_text("wait"), cell_real(25.6) });
	text = written(table, child, &style);
	cr_assert_str_eq(text,
			 "\n"
			 "Things\n"
			 "         ─────── duration ────────\n"
			 "  topic    min     mean        max\n"
			 "\n"
			 "/a  pid 7\n"
			 "  /slow  -1 ns  6.17 ms  **12.3 ms\n"
			 "  /fast  -1 ns   450 ns     900 ns\n"
			 "      part  share\n"
			 "      wait   26 %\n"
			 "\n"
			 "/b  pid 7\n"
			 "  /one   -1 ns  2.50 µs    5.00 µs\n"
			 "  /two   -1 ns  3.00 µs   *6.00 µs\n"
			 "\n"
			 "  * largest of its group, ** largest of all\n",
			 "%s", text);
	text_table_destroy(table);
	text_table_destroy(child);
}

Test(text_table, child_rows_stand_under_each_row_with_their_id)
{
	struct text_style style = text_style_plain();
	struct text_table *table = text_table_create(&schema, &all_rows),
			  *child = text_table_create(&part_schema, &all_rows);
	g_autofree char *text = NULL;

	for (size_t i = 0; i < 50; i++) {
		add_thing(table, 1, "/a", "/same", 5000);
	}
	for (size_t i = 0; i < 20; i++) {
		text_table_add(child, (struct cell[]){ cell_unsigned(1), cell_text("wait"), cell_real(5) });
	}
	room = 10000;
	text = written(table, child, &style);
	cr_assert_eq(occurrences(text, "/same"), 50, "%s", text);
	cr_assert_eq(occurrences(text, "wait"), 50 * 20, "%s", text);
	text_table_destroy(table);
	text_table_destroy(child);
}

Test(text_table, fits_the_width_and_keeps_the_largest)
{
	struct text_table *table = text_table_create(&schema, &all_rows);

	add_thing(table, 0, "/a", "/a/very/long/topic/name/that/does/not/fit/into/anything", 12345678);
	for (unsigned int width = 40; width < 120; width++) {
		struct text_style style = { .width = width, .shortens_names = true };
		g_autofree char *text = written(table, NULL, &style);
		g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

		for (size_t i = 0; lines[i]; i++) {
			cr_assert_leq(human_text_width(lines[i]), width, "%s", lines[i]);
		}
		cr_assert_not_null(strstr(text, "12.3 ms"), "%s", text);
	}
	text_table_destroy(table);
}

Test(text_table, rows_of_a_file_have_at_most_160_columns)
{
	struct text_style style = text_style_plain();

	for (size_t length = 90; length < 400; length += 10) {
		struct text_table *table = text_table_create(&schema, &all_rows);
		g_autofree char *name = g_strnfill(length, 'n');
		g_autofree char *text = NULL;
		g_auto(GStrv) lines = NULL;

		add_thing(table, 0, "/a", name, 12345678);
		text = written(table, NULL, &style);
		lines = g_strsplit(text, "\n", -1);
		for (size_t i = 0; lines[i]; i++) {
			cr_assert_leq(human_text_width(lines[i]), 160, "%s", lines[i]);
		}
		cr_assert_not_null(strstr(text, "12.3 ms"), "%s", text);
		cr_assert_eq(strstr(text, name) != NULL, length <= 130, "%zu: %s", length, text);
		text_table_destroy(table);
	}
}

/* A table of a path that may be below its row, and a count. */
static char *written_with_path(const char *const *paths, size_t count, const struct text_style *style)
{
	static const struct text_hints below = { .may_be_below = true };
	static const struct table_column path_columns[] = {
		{ .name = "path", .format = COLUMN_NAME, .hints = &below },
		{ .name = "count" },
	};
	static const struct table_schema schema_of_paths = {
		.name = "paths",
		.title = "Paths",
		.columns = path_columns,
		.column_count = G_N_ELEMENTS(path_columns),
	};
	struct text_table *table = text_table_create(&schema_of_paths, &all_rows);
	char *text;

	for (size_t i = 0; i < count; i++) {
		text_table_add(table, (struct cell[]){ cell_text(paths[i]), cell_unsigned(i + 1) });
	}
	text = written(table, NULL, style);
	text_table_destroy(table);
	return text;
}

Test(text_table, a_path_that_makes_rows_too_long_is_below_its_numbers)
{
	static const char *const names[] = { "/a > /b > /c", "/first > /scan > /second > /map > /last" };
	struct text_style wide = { .width = 60 }, narrow = { .width = 40, .shortens_names = true };
	g_autofree char *beside = written_with_path(names, 2, &wide), *below = written_with_path(names, 2, &narrow);

	cr_assert_str_eq(beside,
			 "\nPaths\n"
			 "  path                                     count\n"
			 "  /a > /b > /c                                 1\n"
			 "  /first > /scan > /second > /map > /last      2\n",
			 "%s", beside);
	cr_assert_str_eq(below,
			 "\nPaths\n"
			 "  count\n"
			 "      1\n"
			 "    /a > /b > /c\n"
			 "      2\n"
			 "    /first > /scan > /second > /map >\n"
			 "    /last\n",
			 "%s", below);
}

Test(text_table, a_path_below_its_row_has_two_lines_or_four_if_another_looks_the_same)
{
	g_autofree char *long_name = g_strnfill(30, 'n');
	g_autofree char *first = g_strdup_printf("/a > %s > /x > %s > %s > /z", long_name, long_name, long_name);
	g_autofree char *second = g_strdup_printf("/a > %s > /y > %s > %s > /z", long_name, long_name, long_name);
	struct text_style style = { .width = 40, .shortens_names = true };
	g_autofree char *one = written_with_path((const char *const[]){ first }, 1, &style);
	g_autofree char *two = written_with_path((const char *const[]){ first, second }, 2, &style);

	cr_assert_eq(occurrences(one, "\n"), 3 + 1 + 2, "%s", one);
	cr_assert_null(strstr(one, "/x"), "%s", one);
	cr_assert_leq(occurrences(two, "\n"), 3 + 2 * (1 + 4), "%s", two);
	cr_assert_not_null(strstr(two, "/x"), "%s", two);
	cr_assert_not_null(strstr(two, "/y"), "%s", two);
}

/* Twenty things of as many nodes, the longest neither first nor last. */
static struct text_table *twenty(const struct row_choice *choice)
{
	struct text_table *table = text_table_create(&schema, choice);

	for (uint64_t i = 0; i < 20; i++) {
		g_autofree char *node = g_strdup_printf("/n%d", (int)(i * 7 % 20));

		add_thing(table, i, node, "/t", 1000 * (int64_t)(i * 7 % 20));
	}
	return table;
}

static void expect_in_order(const char *text, const char *const *parts)
{
	const char *at = text;

	for (; *parts; parts++) {
		at = strstr(at, *parts);
		cr_assert_not_null(at, "%s of\n%s", *parts, text);
	}
}

Test(text_table, where_not_all_fits_the_largest_come_first_and_the_others_are_counted)
{
	static const char *const expected[] = { "Things, by duration max\n",	       "/n19", "/n18", "/n17", "/n16",
						"  16 more rows: --top=0 lists all\n", NULL };
	struct text_style style = text_style_plain();
	struct text_table *table = twenty(&all_rows);
	g_autofree char *text = NULL;

	room = 10;
	text = written(table, NULL, &style);
	expect_in_order(text, expected);
	cr_assert_null(strstr(text, "/n15"));
	text_table_destroy(table);
}

Test(text_table, without_room_the_rows_are_only_counted)
{
	struct text_style style = text_style_plain();
	struct text_table *table = twenty(&all_rows);
	g_autofree char *text = NULL;

	room = 4;
	text = written(table, NULL, &style);
	cr_assert_str_eq(text, "\nThings, by duration max\n  20 rows: --top=0 lists all\n", "%s", text);
	text_table_destroy(table);
}

Test(text_table, child_rows_that_do_not_fit_are_left_out)
{
	static const struct row_choice one = { .has_top = true, .top = 1 };
	struct text_style style = text_style_plain();

	for (int is_asked = 0; is_asked <= 1; is_asked++) {
		struct text_table *table = twenty(is_asked ? &one : &all_rows);
		struct text_table *child = text_table_create(&part_schema, &all_rows);
		g_autofree char *text = NULL;

		for (int part = 0; part < 100; part++) {
			text_table_add(child, (struct cell[]){ cell_unsigned(17), cell_text("part"), cell_real(1) });
		}
		room = 40;
		text = written(table, child, &style);
		cr_assert_not_null(strstr(text, "/n19"), "%s", text);
		cr_assert_eq(strstr(text, "part") != NULL, is_asked, "%s", text);
		text_table_destroy(table);
		text_table_destroy(child);
	}
}

Test(text_table, top_says_how_many_rows_whatever_there_is_room_for)
{
	static const struct row_choice choices[] = { { .has_top = true, .top = 0 }, { .has_top = true, .top = 12 } };
	struct text_style style = text_style_plain();

	room = 5;
	for (size_t i = 0; i < G_N_ELEMENTS(choices); i++) {
		struct text_table *table = twenty(&choices[i]);
		g_autofree char *text = written(table, NULL, &style);

		cr_assert_eq(strstr(text, "more rows") != NULL, i == 1, "%s", text);
		cr_assert_eq(strstr(text, "/n7") == NULL, i == 1, "%s", text);
		cr_assert_not_null(strstr(text, "/n8"), "%s", text);
		text_table_destroy(table);
	}
}

static const struct table_column ranked_columns[] = {
	{ .name = "name", .format = COLUMN_NAME },
	{ .name = "time", .hints = HINT_MARKED },
	{ .name = "own", .role = COLUMN_ROLE_HIDDEN, .hints = HINT_RANKS_BEFORE },
};
static const struct table_schema ranked_schema = {
	.name = "ranked",
	.title = "Ranked",
	.columns = ranked_columns,
	.column_count = G_N_ELEMENTS(ranked_columns),
};

Test(text_table, some_rows_rank_before_others_unless_a_column_was_asked_for)
{
	static const char *const sorts[] = { NULL, "time" };
	static const char *const firsts[] = { "ours", "theirs" };

	for (size_t i = 0; i < G_N_ELEMENTS(sorts); i++) {
		struct row_choice choice = { .sort = sorts[i] };
		struct text_table *table = text_table_create(&ranked_schema, &choice);
		struct text_selection selection;

		text_table_add(table, (struct cell[]){ cell_text("theirs"), cell_integer(9), cell_integer(0) });
		text_table_add(table, (struct cell[]){ cell_text("idle"), cell_integer(1), cell_integer(1) });
		text_table_add(table, (struct cell[]){ cell_text("ours"), cell_integer(2), cell_integer(1) });
		text_selection_init(&selection, table);
		cr_expect_str_eq(text_table_cells(table, selection.rows[0])[0].text, firsts[i]);
		text_selection_clear(&selection);
		text_table_destroy(table);
	}
}

Test(text_table, is_ranked_by_two_columns_at_most)
{
	struct text_table *table = text_table_create(&ranked_schema, &all_rows);
	size_t ranks[3];

	text_table_rank_columns(table, ranks);
	cr_expect_eq(ranks[0], 1u);
	cr_expect_eq(ranks[1], 2u);
	cr_expect_eq(ranks[2], SIZE_MAX);
	text_table_destroy(table);
}

Test(text_table, sort_names_any_column_with_or_without_its_unit)
{
	static const char *const expected[] = { "by id\n", "  id", "/n13", "/n6 ", "/n19", NULL };
	struct text_style style = text_style_plain();
	struct row_choice choice = { .sort = "id" };
	struct text_table *table = twenty(&choice);
	g_autofree char *text = written(table, NULL, &style);

	expect_in_order(text, expected);
	choice.sort = "latency_max";
	table->choice = choice;
	cr_assert(text_table_is_sort_column(
		table, &(const struct table_column){ .name = "latency_max_ns", .format = COLUMN_DURATION }));
	cr_assert_not(text_table_is_sort_column(table, &(const struct table_column){ .name = "latency_max_ns" }),
		      "a count of something called so");
	cr_assert_not(text_table_is_sort_column(
		table, &(const struct table_column){ .name = "latency_max_at_ns", .format = COLUMN_TIME }));
	text_table_destroy(table);
}

static const struct text_hints may_be_hidden = { .may_be_hidden = true },
			       tells_apart = { .tells_apart = TELLS_APART_PROCESS }, never = { .idle = "never came" };
static const struct table_column message_columns[] = {
	{ .name = "id", .role = COLUMN_ROLE_HIDDEN },
	{ .name = "topic", .format = COLUMN_NAME, .hints = &may_be_hidden },
	{ .name = "pid", .role = COLUMN_ROLE_HIDDEN, .hints = &tells_apart },
	{ .name = "count", .hints = &never },
};
static const struct table_schema message_schema = {
	.name = "messages",
	.columns = message_columns,
	.column_count = G_N_ELEMENTS(message_columns),
};

static char *messages(const struct row_choice *choice, unsigned int width, const char *const *topics, size_t count)
{
	struct text_style style = { .width = width, .shortens_names = true };
	struct text_table *table = text_table_create(&message_schema, choice);
	char *text;

	for (size_t i = 0; i < count; i++) {
		text_table_add(table, (struct cell[]){ cell_unsigned(i), cell_text(topics[i]), cell_unsigned(70 + i),
						       cell_unsigned(i) });
	}
	text = written(table, NULL, &style);
	text_table_destroy(table);
	return text;
}

static bool is_of_topic(const struct cell *cells)
{
	return strcmp(cells[1].text, "of a topic") == 0;
}

/* A file may be anywhere, below a folder that begins with `_`, too. */
Test(text_table, only_what_is_a_name_is_hidden)
{
	static const struct text_hints hints = { .may_be_hidden = true, .is_name = is_of_topic };
	static const struct table_column detail_columns[] = { { .name = "detail", .hints = &hints },
							      { .name = "what" } };
	const struct table_schema details = { .name = "rows", .columns = detail_columns, .column_count = 2 };
	struct text_table *table = text_table_create(&details, &(struct row_choice){ .top = 0 });

	text_table_add(table, (struct cell[]){ cell_text("/_x/a"), cell_text("of a topic") });
	text_table_add(table, (struct cell[]){ cell_text("/_x/a"), cell_text("of a file") });
	cr_expect_eq(table->hidden, 1);
	cr_expect_eq(table->row_count, 1);
	text_table_destroy(table);
}

Test(text_table, hidden_names_and_what_never_happened_are_counted_unless_they_are_asked_for)
{
	static const char *const topics[] = { "/first", "/a", "/rosout", "/x/_action/status" };
	static const struct row_choice everything = { .shows_hidden = true };
	g_autofree char *some = messages(&all_rows, 80, topics, G_N_ELEMENTS(topics));
	g_autofree char *all = messages(&everything, 80, topics, G_N_ELEMENTS(topics));

	cr_assert_str_eq(some,
			 "\n"
			 "messages\n"
			 "  topic  count\n"
			 "  /a         1\n"
			 "  1 never came, 2 of hidden names: --hidden lists them\n",
			 "%s", some);
	cr_assert_str_eq(all,
			 "\n"
			 "messages\n"
			 "  topic              count\n"
			 "  /first                 0\n"
			 "  /a                     1\n"
			 "  /rosout                2\n"
			 "  /x/_action/status      3\n",
			 "%s", all);
}

Test(text_table, rows_that_look_the_same_are_told_apart)
{
	static const char *const topics[] = { "/idle", "/a", "/b", "/a" };
	g_autofree char *text = messages(&all_rows, 80, topics, G_N_ELEMENTS(topics));

	cr_assert_str_eq(text,
			 "\n"
			 "messages\n"
			 "  topic  pid  count\n"
			 "  /a      71      1\n"
			 "  /b              2\n"
			 "  /a      73      3\n"
			 "  1 never came: --hidden lists them\n",
			 "%s", text);
}

Test(text_table, a_name_that_wraps_is_whole_and_within_the_width_in_a_file_too)
{
	static const struct text_hints wraps = { .wraps = true };
	static const struct table_column path_columns[] = {
		{ .name = "path", .format = COLUMN_NAME, .hints = &wraps },
		{ .name = "count" },
	};
	static const struct table_schema path_schema = {
		.name = "paths",
		.columns = path_columns,
		.column_count = G_N_ELEMENTS(path_columns),
	};
	struct text_style style = { .width = 30 };
	struct text_table *table = text_table_create(&path_schema, &all_rows);
	g_autofree char *text = NULL;

	text_table_add(table, (struct cell[]){ cell_text("/begin > /middle > /the/end"), cell_unsigned(1) });
	text = written(table, NULL, &style);
	cr_assert_str_eq(text,
			 "\n"
			 "paths\n"
			 "  path                   count\n"
			 "  /begin > /middle >         1\n"
			 "  /the/end\n",
			 "%s", text);
	text_table_destroy(table);
}

/* A table of a column that wraps and a short one, with these names. */
static char *paths(const char *const *names, size_t count, unsigned int width)
{
	static const struct text_hints wraps = { .wraps = true };
	static const struct table_column path_columns[] = {
		{ .name = "path", .format = COLUMN_NAME, .hints = &wraps },
		{ .name = "count" },
	};
	static const struct table_schema path_schema = {
		.name = "paths",
		.columns = path_columns,
		.column_count = G_N_ELEMENTS(path_columns),
	};
	struct text_style style = { .width = width };
	struct text_table *table = text_table_create(&path_schema, &all_rows);
	char *text;

	for (size_t i = 0; i < count; i++) {
		text_table_add(table, (struct cell[]){ cell_text(names[i]), cell_unsigned(i + 1) });
	}
	text = written(table, NULL, &style);
	text_table_destroy(table);
	return text;
}

#define LONG_NAME(middle)                                                                                              \
	"/a > /b > /c > /d > /e > /f > /g > /h > /i > /j > " middle " > /l > /m > /n > /o > /p > /q > /r > /s > /t > " \
	"/u"

Test(text_table, a_name_that_wraps_is_shortened_to_four_lines)
{
	static const char *const names[] = { LONG_NAME("/k") };
	g_autofree char *text = paths(names, 1, 30);

	cr_assert_str_eq(text,
			 "\n"
			 "paths\n"
			 "  path                   count\n"
			 "  /a > /b > /c > /d >        1\n"
			 "  /e > /f > /g > /h >\n"
			 "  … > /o > /p > /q >\n"
			 "  /r > /s > /t > /u\n",
			 "%s", text);
}

Test(text_table, a_name_that_wraps_is_not_shortened_where_another_would_look_the_same)
{
	static const char *const names[] = { LONG_NAME("/k"), LONG_NAME("/K") };
	g_autofree char *text = paths(names, 2, 30);

	cr_assert_not_null(strstr(text, "/K"), "%s", text);
	cr_assert_null(strstr(text, "…"), "%s", text);
}

Test(text_table, a_column_of_what_is_rare_goes_where_there_is_no_room)
{
	static const struct text_hints rare = { .only_if_any = true };
	static const struct table_column number_columns[] = {
		{ .name = "topic", .format = COLUMN_NAME },
		{ .name = "published" },
		{ .name = "lost" },
		{ .name = "unknown_ones", .hints = &rare },
	};
	static const struct table_schema number_schema = {
		.name = "messages",
		.columns = number_columns,
		.column_count = G_N_ELEMENTS(number_columns),
	};
	struct text_style style = { .width = 30, .shortens_names = true };
	struct text_table *table = text_table_create(&number_schema, &all_rows);
	g_autofree char *text = NULL;

	text_table_add(table,
		       (struct cell[]){ cell_text("/topic"), cell_unsigned(5), cell_unsigned(4), cell_unsigned(3) });
	text = written(table, NULL, &style);
	cr_assert_str_eq(text, "\nmessages\n  topic   published  lost\n  /topic          5     4\n", "%s", text);
	text_table_destroy(table);
}

Test(text_table, names_that_would_look_the_same_are_not_shortened_but_go_on_in_the_next_line)
{
	static const char *const same[] = { "/idle", "/begin > /middle_1 > /the/end", "/begin > /middle_2 > /the/end" };
	static const char *const other[] = { "/idle", "/begin > /middle_1 > /the/end", "/begin > /middle_1 > /an/end" };
	g_autofree char *wrapped = messages(&all_rows, 30, same, G_N_ELEMENTS(same));
	g_autofree char *shortened = messages(&all_rows, 30, other, G_N_ELEMENTS(other));

	cr_assert_str_eq(wrapped,
			 "\n"
			 "messages\n"
			 "  topic                  count\n"
			 "  /begin > /middle_1 >       1\n"
			 "  /the/end\n"
			 "  /begin > /middle_2 >       2\n"
			 "  /the/end\n"
			 "  1 never came: --hidden lists them\n",
			 "%s", wrapped);
	cr_assert_not_null(strstr(shortened, "…"), "%s", shortened);
}

Test(human_text, durations_have_three_digits_in_a_unit_that_fits)
{
	static const struct {
		int64_t duration_ns;
		const char *text;
	} durations[] = {
		{ 0, "0 ns" },
		{ -1, "-1 ns" },
		{ 999, "999 ns" },
		{ 1000, "1.00 µs" },
		{ 1005, "1.01 µs" },
		{ 9994, "9.99 µs" },
		{ 9995, "10.0 µs" },
		{ 99949, "99.9 µs" },
		{ 99950, "100 µs" },
		{ 999499, "999 µs" },
		{ 999500, "1.00 ms" },
		{ 123456789, "123 ms" },
		{ -1500000000, "-1.50 s" },
		{ 3600000000000, "3600 s" },
		{ INT64_MIN, "-9223372037 s" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(durations); i++) {
		char buffer[HUMAN_TEXT_SIZE];
		const char *text = human_text_duration(buffer, durations[i].duration_ns);

		cr_assert_str_eq(text, durations[i].text);
	}
}

Test(human_text, amounts_of_memory_have_three_digits_and_a_unit)
{
	static const struct {
		int64_t bytes;
		const char *text;
	} amounts[] = {
		{ 0, "0 B" },		{ 999, "999 B" },      { 1000, "1.00 kB" },	 { 4096, "4.10 kB" },
		{ -125175, "-125 kB" }, { 999500, "1.00 MB" }, { INT64_MAX, "9223 PB" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(amounts); i++) {
		char buffer[HUMAN_TEXT_SIZE];

		cr_assert_str_eq(human_text_bytes(buffer, amounts[i].bytes), amounts[i].text);
	}
}

Test(human_text, times_before_and_far_after_the_epoch_are_right)
{
	char buffers[3][HUMAN_TEXT_SIZE];
	const char *before = human_text_time(buffers[0], -1);
	const char *last = human_text_time(buffers[1], INT64_MAX);
	const char *first = human_text_time(buffers[2], INT64_MIN);

	cr_assert_str_eq(before, "1969-12-31 23:59:59.999999999");
	cr_assert_str_eq(last, "2262-04-11 23:47:16.854775807");
	cr_assert_str_eq(first, "1677-09-21 00:12:43.145224192");
}

Test(human_text, shortens_in_the_middle_by_columns_not_bytes)
{
	for (size_t width = 1; width < 12; width++) {
		g_autofree char *latin = human_text_shorten("/abcdefghij", width);
		g_autofree char *wide = human_text_shorten("/日本語テキスト", width);

		cr_assert_eq(human_text_width(latin), MIN(width, 11));
		cr_assert_leq(human_text_width(wide), width);
		cr_assert(g_utf8_validate(wide, -1, NULL));
	}
	g_autofree char *middle = human_text_shorten("/abcdefghij", 7);

	cr_assert_str_eq(middle, "/ab…hij");
}

Test(text_table, idle_rows_are_counted_and_an_empty_name_gives_way_to_the_next_best)
{
	static const struct text_hints next_if_empty = { .next_if_empty = true }, idle = { .idle = "never ran" };
	static const struct table_column callback_columns[] = {
		{ .name = "id", .role = COLUMN_ROLE_HIDDEN },
		{ .name = "topic", .format = COLUMN_NAME, .hints = &next_if_empty },
		{ .name = "symbol", .role = COLUMN_ROLE_HIDDEN, .hints = &next_if_empty },
		{ .name = "address", .role = COLUMN_ROLE_HIDDEN },
		{ .name = "count", .hints = &idle },
		{ .name = "incomplete", .hints = &idle },
	};
	static const struct table_schema callback_schema = {
		.name = "callbacks",
		.columns = callback_columns,
		.column_count = G_N_ELEMENTS(callback_columns),
	};
	struct text_style style = text_style_plain();
	struct text_table *table = text_table_create(&callback_schema, &all_rows);
	g_autofree char *text = NULL;

	text_table_add(table, (struct cell[]){ cell_unsigned(0), cell_text("/t"), cell_text("main"), cell_address(1),
					       cell_unsigned(5), cell_unsigned(0) });
	text_table_add(table, (struct cell[]){ cell_unsigned(1), CELL_NONE, cell_text("main"), cell_address(1),
					       cell_unsigned(0), cell_unsigned(1) });
	text_table_add(table, (struct cell[]){ cell_unsigned(2), CELL_NONE, CELL_NONE, cell_address(0x12),
					       cell_unsigned(1), cell_unsigned(0) });
	text_table_add(table, (struct cell[]){ cell_unsigned(3), cell_text("/a/long/one"), CELL_NONE, cell_address(1),
					       cell_unsigned(0), cell_unsigned(0) });
	text = written(table, NULL, &style);
	cr_assert_str_eq(text,
			 "\n"
			 "callbacks\n"
			 "  topic  count  incomplete\n"
			 "  /t         5           0\n"
			 "  main       0           1\n"
			 "  0x12       1           0\n"
			 "  1 never ran: --hidden lists them\n",
			 "%s", text);
	text_table_destroy(table);
}

Test(text_table, no_short_duration_is_wider_than_told)
{
	char buffer[HUMAN_TEXT_SIZE];

	for (int64_t unit_ns = 1; unit_ns <= HUMAN_TEXT_SHORT_DURATION_NS; unit_ns *= 10) {
		for (int64_t number = 0; number <= 20000; number++) {
			int64_t duration_ns = MIN(number * unit_ns / 2, HUMAN_TEXT_SHORT_DURATION_NS);

			cr_assert_leq(human_text_width(human_text_duration(buffer, duration_ns)),
				      HUMAN_TEXT_SHORT_DURATION_WIDTH);
		}
	}
}

static const struct table_column owner_columns[] = {
	{ .name = "owner", .format = COLUMN_NAME, .hints = HINT(.if_empty = "[unknown]") },
	{ .name = "count" },
};
static const struct table_schema owner_schema = {
	.name = "owners",
	.columns = owner_columns,
	.column_count = G_N_ELEMENTS(owner_columns),
};

Test(text_table, an_empty_name_is_shown_as_the_column_calls_it)
{
	struct text_style style = text_style_plain();
	struct text_table *table = text_table_create(&owner_schema, &all_rows);
	g_autofree char *text = NULL;

	text_table_add(table, (struct cell[]){ cell_text("/a"), cell_unsigned(2) });
	text_table_add(table, (struct cell[]){ CELL_NONE, cell_unsigned(1) });
	text = written(table, NULL, &style);
	cr_assert(strstr(text, "  [unknown]      1\n"), "%s", text);
	text_table_destroy(table);
}

Test(text_table, an_empty_table_says_why)
{
	struct text_style style = text_style_plain();
	struct table_schema needy = owner_schema;
	struct text_table *plain = text_table_create(&owner_schema, &all_rows),
			  *table = text_table_create(&needy, &all_rows);
	g_autofree char *without = written(plain, NULL, &style), *with = NULL, *narrow = NULL;

	cr_assert_str_eq(without, "\nowners\n  nothing\n");
	needy.why_empty = "needs owners, see docs/owners.md";
	with = written(table, NULL, &style);
	cr_assert_str_eq(with, "\nowners\n  nothing: needs owners, see docs/owners.md\n");
	style.width = 30;
	narrow = written(table, NULL, &style);
	cr_assert_str_eq(narrow, "\nowners\n  nothing: needs owners, see\n  docs/owners.md\n");
	text_table_destroy(plain);
	text_table_destroy(table);
}

static const struct table_column trip_columns[] = {
	{ .name = "service", .format = COLUMN_NAME },
	{ .name = "mean", .hints = &(const struct text_hints){ .heading = "round_trip" } },
	{ .name = "max", .hints = &(const struct text_hints){ .heading = "round_trip", .marks_largest = true } },
};

Test(text_table, a_heading_that_is_too_long_has_two_lines)
{
	static const struct table_schema trips = { .name = "trips", .columns = trip_columns, .column_count = 3 };
	struct text_style style = text_style_plain();
	struct text_table *table = text_table_create(&trips, &all_rows);
	g_autofree char *wide = NULL, *narrow = NULL;

	text_table_add(table, (struct cell[]){ cell_text("/slow"), cell_unsigned(1000), cell_unsigned(2000) });
	wide = written(table, NULL, &style);
	cr_assert_str_eq(wide,
			 "\ntrips\n"
			 "            round_trip\n"
			 "  service  mean     max\n"
			 "  /slow    1000    2000\n",
			 "%s", wide);
	style.width = 18;
	style.shortens_names = true;
	narrow = written(table, NULL, &style);
	cr_assert_str_eq(narrow,
			 "\ntrips\n"
			 "           round\n"
			 "            trip\n"
			 "  service     max\n"
			 "  /slow      2000\n",
			 "%s", narrow);
	text_table_destroy(table);
}
