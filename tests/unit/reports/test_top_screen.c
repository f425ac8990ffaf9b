/* SPDX-License-Identifier: MIT */
#include "ros2bt/reports/top_screen.h"

#include <criterion/criterion.h>
#include <string.h>

#include "core/base/text/human_text.h"
#include "core/statistics/duration_statistics.h"
#include "core/tables/row.h"
#include "ros2bt/base/time_units.h"

struct thing {
	uint64_t id;
	const char *node;
	struct duration_statistics duration;
	double rate;
};

struct worst {
	uint64_t id, rank;
	int64_t start_ns;
};

#define ROW struct thing
static const struct table_column columns[] = {
	{ .name = "thing_id", .id_of = "things", CELL_OF(id) },
	{ .name = "node", .means = MEANS_NODE, .merge = COLUMN_MERGE_KEY, CELL_OF(node) },
	{ .name = "duration", .means = MEANS_DURATION, .format = COLUMN_STATISTIC, CELL_OF(duration) },
	{ .name = "rate_hz", .format = COLUMN_RATE, CELL_OF(rate) },
};
static const struct table_schema schema = { TABLE("things", columns), .subject = SUBJECT_CALLBACKS };
#undef ROW

#define ROW struct worst
static const struct table_column worst_columns[] = {
	{ .name = "thing_id", .id_of = "things", CELL_OF(id) },
	{ .name = "rank", .means = MEANS_RANK, CELL_OF(rank) },
	{ .name = "start_ns", .label = "at", .format = COLUMN_MOMENT, CELL_OF(start_ns) },
};
static const struct table_schema worst_schema = { TABLE("worst_things", worst_columns), .kind = KIND_WORST,
						  .parent = "things" };
#undef ROW

static struct arena *arena;
static struct top_model *model;
static struct top_screen screen;
static struct table_writer *writer, *worst_writer;
static const struct top_span span = { .as_of_ns = NS_PER_S, .length_ns = NS_PER_S, .state = "live" };

static void setup(void)
{
	struct table_output *tables;

	arena = arena_create();
	model = top_model_create();
	top_screen_init(&screen);
	tables = top_model_tables(model);
	writer = tables->open(tables, &schema);
	worst_writer = tables->open(tables, &worst_schema);
}

static void teardown(void)
{
	top_screen_clear(&screen);
	top_model_destroy(model);
	arena_destroy(arena);
}

TestSuite(top_screen, .init = setup, .fini = teardown);

static void write_thing(uint64_t id, const char *node, int64_t duration_ns, double rate)
{
	struct thing thing = { .id = id, .node = node, .rate = rate };

	duration_statistics_init(&thing.duration, arena);
	if (duration_ns > 0) {
		duration_statistics_add(&thing.duration, duration_ns, 0);
	}
	row_write(writer, &schema, &thing);
}

/* /slow, /mid and /fast; /slow has the lowest rate. */
static void publish(void)
{
	write_thing(1, "/fast", 1000000, 30);
	write_thing(2, "/mid", 5000000, 20);
	write_thing(3, "/slow", 250000000, 10);
	write_thing(4, "/idle", 0, 0);
	row_write(worst_writer, &worst_schema, &(struct worst){ 3, 1, 2 * NS_PER_S });
	row_write(worst_writer, &worst_schema, &(struct worst){ 3, 2, 3 * NS_PER_S });
	top_model_publish(model, &span);
}

/* The names, in their order. */
static const char *order(void)
{
	static char text[256];
	GPtrArray *rows = top_screen_rows(&screen, model);

	text[0] = '\0';
	for (guint i = 0; i < rows->len; i++) {
		g_strlcat(text, ((const struct top_row *)rows->pdata[i])->name, sizeof(text));
	}
	g_ptr_array_unref(rows);
	return text;
}

static void press(const char *keys)
{
	for (; *keys != '\0'; keys = g_utf8_next_char(keys)) {
		top_screen_key(&screen, model, g_utf8_get_char(keys));
	}
}

/* All lines, each with its style before it; checks the size. */
static char *draw(guint width, guint height)
{
	GArray *lines = top_screen_lines(&screen, model, "net://\x1b[31mx", width, height);
	GString *text = g_string_new(NULL);

	cr_assert_leq(lines->len, height);
	for (guint i = 0; i < lines->len; i++) {
		const struct top_line *line = &g_array_index(lines, struct top_line, i);

		cr_assert(g_utf8_validate(line->text, -1, NULL));
		cr_assert_leq(human_text_width(line->text), width, "%s", line->text);
		for (const char *at = line->text; *at != '\0'; at = g_utf8_next_char(at)) {
			cr_assert_not(g_unichar_iscntrl(g_utf8_get_char(at)), "%s", line->text);
		}
		g_string_append_printf(text, "%c%s\n", " *#"[line->style], line -> text);
	}
	g_array_unref(lines);
	return g_string_free(text, FALSE);
}

static void check_drawn(guint width, guint height, const char *expected)
{
	g_autofree char *text = draw(width, height);

	cr_assert(strstr(text, expected), "%s not in:\n%s", expected, text);
}

Test(top_screen, the_worst_come_first)
{
	publish();
	cr_assert_str_eq(order(), "/slow/mid/fast/idle", "p99");
	press("<<<<<");
	cr_assert_eq(screen.sort, (TOP_P99 + TOP_COLUMNS - 5) % TOP_COLUMNS);
	screen.sort = TOP_RATE;
	cr_assert_str_eq(order(), "/fast/mid/slow/idle");
	press("r");
	cr_assert_str_eq(order(), "/idle/slow/mid/fast");
	screen.sort = TOP_NAME;
	press("r");
	cr_assert_str_eq(order(), "/fast/idle/mid/slow");
}

Test(top_screen, the_filter_is_part_of_a_name_in_any_case)
{
	publish();
	press("/SLqow");
	top_screen_key(&screen, model, TOP_KEY_BACKSPACE);
	top_screen_key(&screen, model, TOP_KEY_BACKSPACE);
	top_screen_key(&screen, model, TOP_KEY_BACKSPACE);
	cr_assert_not(screen.is_over, "q is a character of the filter");
	cr_assert_str_eq(order(), "/slow");
	top_screen_key(&screen, model, TOP_KEY_ENTER);
	check_drawn(100, 10, "filter: SL");
	top_screen_key(&screen, model, TOP_KEY_ESCAPE);
	cr_assert_str_eq(order(), "/slow/mid/fast/idle");
}

Test(top_screen, figures_of_a_row)
{
	publish();
	check_drawn(100, 10, "#      10   250 ms   250 ms   250 ms      -   25.00 /slow\n");
	check_drawn(100, 10, "[1 Callbacks 4]");
	check_drawn(100, 10, " live  as of 1970-01-01 00:00:01 UTC, the last 1.00 s");
	check_drawn(30, 10, "#  250 ms /slow\n");
}

Test(top_screen, the_selection_stays_on_its_row)
{
	publish();
	top_screen_key(&screen, model, TOP_KEY_DOWN);
	check_drawn(30, 10, "# 5.00 ms /mid\n");
	write_thing(1, "/fast", 900000000, 30);
	write_thing(2, "/mid", 5000000, 20);
	write_thing(3, "/slow", 250000000, 10);
	top_model_publish(model, &span);
	cr_assert_str_eq(order(), "/fast/slow/mid");
	check_drawn(30, 10, "# 5.00 ms /mid\n");
	top_screen_key(&screen, model, TOP_KEY_HOME);
	check_drawn(30, 10, "#  900 ms /fast\n");
	top_screen_key(&screen, model, TOP_KEY_END);
	top_screen_key(&screen, model, TOP_KEY_DOWN);
	check_drawn(30, 10, "# 5.00 ms /mid\n");
}

Test(top_screen, the_selection_is_scrolled_to)
{
	for (uint64_t i = 0; i < 100; i++) {
		g_autofree char *name = g_strdup_printf("/node%02d", (int)i);

		write_thing(i, name, 1000000 + (int64_t)i, 1);
	}
	top_model_publish(model, &span);
	check_drawn(30, 10, "/node99");
	top_screen_key(&screen, model, TOP_KEY_PAGE_DOWN);
	cr_assert_eq(screen.room, 6);
	check_drawn(30, 10, "# 1.00 ms /node93\n");
	top_screen_key(&screen, model, TOP_KEY_END);
	check_drawn(30, 10, "# 1.00 ms /node00\n");
	check_drawn(30, 110, "/node99");
}

Test(top_screen, the_worst_instance_is_opened)
{
	publish();
	top_screen_key(&screen, model, TOP_KEY_ENTER);
	check_drawn(100, 12, "*/slow\n worst since the beginning: at 1970-01-01 00:00:02.000000000 UTC\n");
	top_screen_key(&screen, model, TOP_KEY_DOWN);
	check_drawn(100, 12, "*/mid\n worst since the beginning: nothing is known of it\n");
}

Test(top_screen, any_size_has_its_lines)
{
	publish();
	top_screen_key(&screen, model, TOP_KEY_ENTER);
	for (guint width = 1; width < 130; width += 3) {
		for (guint height = 1; height < 30; height++) {
			g_free(draw(width, height));
		}
	}
}

Test(top_screen, hostile_names_send_nothing_to_the_terminal)
{
	write_thing(1, "/\x1b]0;owned\x07\n\xff\xc2\x9b", 1000000, 1);
	top_model_publish(model, &span);
	top_screen_key(&screen, model, TOP_KEY_ENTER);
	for (guint width = 5; width < 90; width++) {
		g_free(draw(width, 12));
	}
	check_drawn(60, 12, "]0;owned");
}

Test(top_screen, tables_and_other_keys)
{
	publish();
	press("3");
	cr_assert_eq(screen.table, TOP_PATHS);
	cr_assert_str_eq(order(), "");
	g_free(draw(80, 24));
	top_screen_key(&screen, model, TOP_KEY_TAB);
	top_screen_key(&screen, model, TOP_KEY_TAB);
	cr_assert_eq(screen.table, TOP_CALLBACKS);
	press(" ");
	cr_assert(screen.is_frozen);
	check_drawn(80, 24, "FROZEN");
	press("q");
	cr_assert(screen.is_over);
}

Test(top_screen, rows_are_not_seen_before_they_are_published)
{
	g_free(draw(80, 24));
	write_thing(1, "/a", 1, 1);
	cr_assert_str_eq(order(), "");
	top_model_drop(model);
	top_model_publish(model, &span);
	cr_assert_str_eq(order(), "");
	write_thing(1, "/a", 1, 1);
	write_thing(1, "/_hidden", 1, 1);
	top_model_publish(model, &span);
	cr_assert_str_eq(order(), "/a");
}
