/* SPDX-License-Identifier: MIT */
#include "core/tables/window_tables.h"

#include <criterion/criterion.h>

#include "core/tables/row.h"
#include "core/tables/statistics_columns.h"
#include "ros2bt/base/time_units.h"

struct thing {
	uint64_t id;
	const char *node;
	int64_t vpid;
	uint64_t count, longest;
	struct duration_statistics duration;
	double rate, share;
	const char *worst;
};

#define ROW struct thing
static const struct table_column columns[] = {
	{ .name = "thing_id", .id_of = "things", CELL_OF(id) },
	{ .name = "node", .merge = COLUMN_MERGE_KEY, CELL_OF(node) },
	{ .name = "vpid", .means = MEANS_PROCESS, CELL_OF(vpid) },
	{ .name = "count", .means = MEANS_COUNT, .merge = COLUMN_MERGE_SUM, CELL_OF(count) },
	{ .name = "longest", .merge = COLUMN_MERGE_MAX, CELL_OF(longest) },
	{ .name = "duration", .format = COLUMN_STATISTIC, CELL_OF(duration) },
	{ .name = "rate_hz", .format = COLUMN_RATE, CELL_OF(rate) },
	{ .name = "share_percent", .format = COLUMN_PERCENT, CELL_OF(share) },
	{ .name = "worst", CELL_OF(worst) },
};
static const struct table_schema schema = { TABLE("things", columns), .title = "Things" };
static const struct table_schema summary = { TABLE("top_things", columns), .kind = KIND_SUMMARY };
#undef ROW

struct gap {
	const char *what, *detail;
	uint64_t count;
};

#define ROW struct gap
static const struct table_column gap_columns[] = {
	{ .name = "what", .merge = COLUMN_MERGE_KEY, CELL_OF(what) },
	{ .name = "count", .merge = COLUMN_MERGE_SUM, CELL_OF(count) },
	{ .name = "detail", CELL_OF(detail) },
};
static const struct table_schema gap_schema = { TABLE("gaps", gap_columns), .subject = SUBJECT_GAPS };
#undef ROW

struct numbered {
	struct cell number;
	const char *which;
	uint64_t count;
};

#define ROW struct numbered
static const struct table_column numbered_columns[] = {
	{ .name = "number", .hints = HINT_TELLS_APART(WHICH), CELL_OF(number) },
	{ .name = "which", .merge = COLUMN_MERGE_KEY, .hints = HINT_TELLS_APART(WHICH), CELL_OF(which) },
	{ .name = "count", .merge = COLUMN_MERGE_SUM, CELL_OF(count) },
};
static const struct table_schema numbered_schema = { TABLE("numbered", numbered_columns), .title = "Numbered" };
#undef ROW

struct paced {
	const char *node;
	struct duration_statistics period;
	double rate;
};

#define ROW struct paced
static const struct table_column paced_columns[] = {
	{ .name = "node", .merge = COLUMN_MERGE_KEY, CELL_OF(node) },
	{ .name = "period", .format = COLUMN_STATISTIC, CELL_OF(period) },
	{ .name = "rate_hz", .format = COLUMN_RATE, CELL_OF(rate) },
};
static const struct table_schema paced_schema = { TABLE("paced", paced_columns), .title = "Paced" };
#undef ROW

struct vague {
	const char *node;
	struct cell missed;
	struct duration_statistics lateness;
};

#define ROW struct vague
static const struct table_column vague_columns[] = {
	{ .name = "node", .merge = COLUMN_MERGE_KEY, CELL_OF(node) },
	{ .name = "missed", .merge = COLUMN_MERGE_SUM, CELL_OF(missed) },
	{ .name = "lateness", .format = COLUMN_STATISTIC, CELL_OF(lateness) },
};
static const struct table_schema vague_schema = { TABLE("vague", vague_columns), .title = "Vague" };
#undef ROW

/* Keeps the rows as text: "/a 7 count=2 longest=1 p50=5 rate=10 share worst". */
static GString *rows;
static struct arena *arena;
static struct window_tables *windows;
static struct table_output *output;
static struct table_writer *writer;
static struct thing a, b;

static void append(const struct cell *cell)
{
	switch (cell->type) {
	case CELL_TEXT:
		g_string_append(rows, cell->text);
		break;
	case CELL_REAL:
		g_string_append_printf(rows, "%g", cell->real);
		break;
	case CELL_STATISTIC:
		g_string_append_printf(rows, "%" G_GUINT64_FORMAT "x%" G_GINT64_FORMAT,
				       duration_statistics_totals(cell->statistic).count,
				       duration_statistics_quantile(cell->statistic, 0.5));
		break;
	case CELL_EMPTY:
		g_string_append_c(rows, '-');
		break;
	default:
		g_string_append_printf(rows, "%" G_GINT64_FORMAT, cell->integer);
	}
	g_string_append_c(rows, ' ');
}

static void keep_things(struct table_writer *target, const struct cell *cells)
{
	for (size_t i = 0; i < G_N_ELEMENTS(columns); i++) {
		append(&cells[i]);
	}
	g_string_append_c(rows, '\n');
}

static void keep_gaps(struct table_writer *target, const struct cell *cells)
{
	for (size_t i = 0; i < G_N_ELEMENTS(gap_columns); i++) {
		append(&cells[i]);
	}
	g_string_append_c(rows, '\n');
}

static void keep_paced(struct table_writer *target, const struct cell *cells)
{
	for (size_t i = 0; i < G_N_ELEMENTS(paced_columns); i++) {
		append(&cells[i]);
	}
	g_string_append_c(rows, '\n');
}

static void keep_vague(struct table_writer *target, const struct cell *cells)
{
	for (size_t i = 0; i < G_N_ELEMENTS(vague_columns); i++) {
		append(&cells[i]);
	}
	g_string_append_c(rows, '\n');
}

static void keep_counts(struct table_writer *target, const struct cell *cells)
{
	append(&cells[G_N_ELEMENTS(numbered_columns) - 1]);
}

static bool needs_nothing(const struct table_writer *target, size_t column)
{
	return false;
}

static struct table_writer target_paced = { .row = keep_paced, .needs = needs_nothing };
static struct table_writer target_things = { .row = keep_things }, target_gaps = { .row = keep_gaps };
static struct table_writer target_numbered = { .row = keep_counts }, target_vague = { .row = keep_vague };

static struct table_writer *open_target(struct table_output *target, const struct table_schema *opened)
{
	return opened == &gap_schema	    ? &target_gaps
	       : opened == &paced_schema    ? &target_paced
	       : opened == &numbered_schema ? &target_numbered
	       : opened == &vague_schema    ? &target_vague
					    : &target_things;
}

static struct table_output target = { .open = open_target };

static void setup(void)
{
	rows = g_string_new(NULL);
	arena = arena_create();
	windows = window_tables_create();
	output = window_tables_open(windows, &target);
	writer = output->open(output, &schema);
	a = (struct thing){ .id = 1, .node = "/a", .vpid = 7, .share = 50, .worst = "/x" };
	b = (struct thing){ .id = 2, .node = "/b", .vpid = 7 };
	duration_statistics_init(&a.duration, arena);
	duration_statistics_init(&b.duration, arena);
}

static void teardown(void)
{
	g_string_free(rows, TRUE);
	window_tables_destroy(windows);
	arena_destroy(arena);
}

TestSuite(window_tables, .init = setup, .fini = teardown);

static void happen(struct thing *thing, int64_t duration_ns)
{
	thing->count++;
	duration_statistics_add(&thing->duration, duration_ns, 1);
}

/* The rows of a window of a second. */
static const char *write_window(void)
{
	g_string_truncate(rows, 0);
	window_tables_begin(windows, NS_PER_S);
	row_write(writer, &schema, &a);
	row_write(writer, &schema, &b);
	window_tables_end(windows);
	return rows->str;
}

Test(window_tables, a_window_has_what_was_added_since_the_one_before)
{
	happen(&a, 10);
	a.longest = 3;
	cr_assert_str_eq(write_window(), "1 /a 7 1 3 1x10 - - - \n2 /b 7 0 - 0x0 - - - \n");
	happen(&a, 20);
	happen(&a, 20);
	happen(&b, 30);
	cr_assert_str_eq(write_window(), "1 /a 7 2 - 2x20 2 - - \n2 /b 7 1 - 1x30 - - - \n");
	a.longest = 5;
	cr_assert_str_eq(write_window(), "1 /a 7 0 5 0x0 0 - - \n2 /b 7 0 - 0x0 0 - - \n");
}

Test(window_tables, the_whole_is_passed_on_as_it_is)
{
	happen(&a, 10);
	write_window();
	g_string_truncate(rows, 0);
	window_tables_begin(windows, 0);
	row_write(writer, &schema, &a);
	window_tables_end(windows);
	cr_assert_str_eq(rows->str, "1 /a 7 1 0 1x10 0 50 /x \n");
}

Test(window_tables, rows_are_found_again_by_their_names_whatever_their_ids)
{
	happen(&a, 10);
	write_window();
	a.id = 9;
	happen(&a, 20);
	cr_assert(g_str_has_prefix(write_window(), "9 /a 7 1 - 1x20 1 "), "%s", rows->str);
	a.vpid = 8; /* another process */
	cr_assert(g_str_has_prefix(write_window(), "9 /a 8 2 - 2x"), "%s", rows->str);
}

Test(window_tables, rows_of_one_name_are_told_apart_by_their_order)
{
	b.node = "/a";
	happen(&a, 10);
	write_window();
	happen(&b, 30);
	cr_assert_str_eq(write_window(), "1 /a 7 0 - 0x0 0 - - \n2 /a 7 1 - 1x30 - - - \n");
}

/* What a window of `count` rows has. */
static const char *write_numbered(struct table_writer *numbered, const struct numbered *all, size_t count)
{
	g_string_truncate(rows, 0);
	window_tables_begin(windows, NS_PER_S);
	for (size_t i = 0; i < count; i++) {
		row_write(numbered, &numbered_schema, &all[i]);
	}
	window_tables_end(windows);
	return rows->str;
}

Test(window_tables, the_only_one_of_a_name_stays_the_same_row_when_another_appears)
{
	struct table_writer *numbered = output->open(output, &numbered_schema);
	struct numbered before[] = {
		{ CELL_NONE, NULL, 10 },       { CELL_NONE, "intra", 20 },
		{ CELL_NONE, "- > 2", 30 },    { CELL_NONE, "- > - > intra", 40 },
		{ CELL_NONE, "callback", 50 },
	};
	struct numbered after[] = {
		{ cell_unsigned(1), "1 > - > 1", 11 },	{ cell_unsigned(1), "1 intra", 22 },
		{ cell_unsigned(1), "1 > 2", 33 },	{ cell_unsigned(1), "1 > - > 1 intra", 44 },
		{ cell_unsigned(1), "callback 1", 55 }, { cell_unsigned(2), "1", 7 },
		{ cell_unsigned(1), "2 > 1", 8 },	{ cell_unsigned(1), "2 intra", 9 },
	};

	write_numbered(numbered, before, G_N_ELEMENTS(before));
	cr_assert_str_eq(write_numbered(numbered, after, G_N_ELEMENTS(after)), "1 2 3 4 5 7 8 9 ");
}

Test(window_tables, what_the_target_does_not_need_costs_nothing_and_rates_stay)
{
	struct paced paced = { .node = "/a" };

	duration_statistics_init(&paced.period, arena);
	writer = output->open(output, &paced_schema);
	for (int64_t window = 1; window <= 2; window++) {
		g_string_truncate(rows, 0);
		duration_statistics_add(&paced.period, window * NS_PER_S / 10, 1);
		window_tables_begin(windows, NS_PER_S);
		row_write(writer, &paced_schema, &paced);
		window_tables_end(windows);
		cr_assert_str_eq(rows->str, window == 1 ? "/a - 10 \n" : "/a - 5 \n");
	}
	duration_statistics_clear(&paced.period);
	g_string_truncate(rows, 0);
	window_tables_begin(windows, NS_PER_S);
	row_write(writer, &paced_schema, &paced);
	cr_assert_str_eq(rows->str, "/a - - \n", "samples that are lost are no rate");
}

Test(window_tables, a_distribution_with_fewer_samples_has_no_window_and_counts_have)
{
	happen(&a, 10);
	happen(&a, 10);
	write_window();
	duration_statistics_clear(&a.duration);
	happen(&a, 10);
	cr_assert(g_str_has_prefix(write_window(), "1 /a 7 1 - - 1 "), "%s", rows->str);
	happen(&a, 20);
	cr_assert(g_str_has_prefix(write_window(), "1 /a 7 1 - 1x20 "), "%s", rows->str);
}

Test(window_tables, what_becomes_less_gains_nothing)
{
	a.count = 5;
	write_window();
	a.count = 3;
	cr_assert(g_str_has_prefix(write_window(), "1 /a 7 0 "), "%s", rows->str);
	a.count = 4;
	cr_assert(g_str_has_prefix(write_window(), "1 /a 7 1 "), "%s", rows->str);
}

/* What a window of it has. */
static const char *write_vague(struct table_writer *vague_writer, const struct vague *vague)
{
	g_string_truncate(rows, 0);
	window_tables_begin(windows, NS_PER_S);
	row_write(vague_writer, &vague_schema, vague);
	window_tables_end(windows);
	return rows->str;
}

Test(window_tables, what_was_unknown_for_a_while_gains_what_was_added_since_it_was_known)
{
	struct table_writer *vague_writer = output->open(output, &vague_schema);
	struct vague known = { .node = "/a", .missed = cell_unsigned(5) }, unknown = { .node = "/a" };

	duration_statistics_init(&known.lateness, arena);
	duration_statistics_init(&unknown.lateness, arena);
	duration_statistics_add(&known.lateness, 900, 1);
	cr_assert_str_eq(write_vague(vague_writer, &known), "/a 5 1x900 \n");
	cr_assert_str_eq(write_vague(vague_writer, &unknown), "/a - - \n");
	known.missed = cell_unsigned(7);
	duration_statistics_add(&known.lateness, 20, 2);
	cr_assert_str_eq(write_vague(vague_writer, &known), "/a 2 1x20 \n");
}

Test(window_tables, gaps_of_a_window_are_those_that_grew)
{
	struct table_writer *gaps = output->open(output, &gap_schema);
	struct gap lost = { "lost", "/a", 3 }, elsewhere = { "lost", "/b", 1 };

	for (int i = 0; i < 3; i++) {
		g_string_truncate(rows, 0);
		window_tables_begin(windows, NS_PER_S);
		row_write(gaps, &gap_schema, &lost);
		row_write(gaps, &gap_schema, &elsewhere);
		window_tables_end(windows);
		cr_assert_str_eq(rows->str, i == 0 ? "lost 3 /a \nlost 1 /b \n" : i == 1 ? "" : "lost 2 /b \n");
		elsewhere.count += i == 1 ? 2 : 0;
	}
}

Test(window_tables, summaries_are_of_the_whole_only)
{
	struct table_writer *top = output->open(output, &summary);

	window_tables_begin(windows, NS_PER_S);
	row_write(top, &summary, &a);
	window_tables_begin(windows, 0);
	cr_assert_str_eq(rows->str, "");
	row_write(top, &summary, &a);
	cr_assert_str_neq(rows->str, "");
}

Test(window_tables, what_was_before_is_kept_when_the_target_changes)
{
	happen(&a, 10);
	write_window();
	output = window_tables_open(windows, &target);
	writer = output->open(output, &schema);
	happen(&a, 20);
	writer->hidden = 4;
	cr_assert(g_str_has_prefix(write_window(), "1 /a 7 1 - 1x20 "), "%s", rows->str);
	cr_assert_eq(target_things.hidden, 4);
}
