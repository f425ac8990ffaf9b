/* SPDX-License-Identifier: MIT */
/* Limits as they are written, and what keeps one from being kept. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "ros2bt/reports/change_limit.h"

static const struct table_column columns[] = {
	{ .name = "node", .merge = COLUMN_MERGE_KEY },
	{ .name = "count", .means = MEANS_COUNT, .merge = COLUMN_MERGE_SUM },
	{ .name = "lost", .means = MEANS_LOST, .merge = COLUMN_MERGE_SUM },
	{ .name = "latency", .format = COLUMN_STATISTIC },
};
static const struct table_schema schema = {
	.name = "paths",
	.selection = "paths",
	.columns = columns,
	.column_count = G_N_ELEMENTS(columns),
};
static const struct table_schema *const schemas[] = { &schema, NULL };

TestSuite(change_limit);

static struct change_limit parse(const char *text)
{
	struct change_limit limit;
	char *expected = NULL;

	cr_assert(change_limit_parse(text, schemas, &limit, &expected), "%s: %s", text, expected);
	return limit;
}

Test(change_limit, limits_are_read)
{
	struct change_limit limit = parse("paths.latency_p99 > +10 %");

	cr_assert_str_eq(limit.table, "paths");
	cr_assert_str_eq(limit.figure, "latency p99");
	cr_assert_not(limit.is_decrease);
	cr_assert_eq(limit.percent, 10);
	change_limit_clear(&limit);
	limit = parse("paths.rate_hz<-5%");
	cr_assert_str_eq(limit.figure, "rate");
	cr_assert(limit.is_decrease);
	cr_assert_eq(limit.percent, -5);
	change_limit_clear(&limit);
	limit = parse("paths.latency_mean_ns > 3.5 %");
	cr_assert_str_eq(limit.figure, "latency mean");
	cr_assert_eq(limit.percent, 3.5);
	change_limit_clear(&limit);
	limit = parse("paths.lost > 0 %");
	cr_assert_str_eq(limit.figure, "lost");
	change_limit_clear(&limit);
}

Test(change_limit, what_is_wrong_is_said)
{
	static const char *const wrong[][2] = {
		{ "", "TABLE.COLUMN > +PERCENT %" },
		{ "paths", "TABLE.COLUMN > +PERCENT %" },
		{ "paths.latency_p99 > 10", "TABLE.COLUMN > +PERCENT %" },
		{ "paths > 10 %", "TABLE.COLUMN > +PERCENT %" },
		{ "paths.latency_p99 = 10 %", "TABLE.COLUMN > +PERCENT %" },
		{ "paths.rate > x %", "TABLE.COLUMN > +PERCENT %" },
		{ "rows.rate > 1 %", "paths" },
		{ "paths.nonsense > 1 %", "rate|lost|latency_mean|latency_p50|latency_p99" },
		{ "paths.latency > 1 %", "rate|lost|latency_mean|latency_p50|latency_p99" },
		{ "paths.latency_p999 > 1 %", "(did you mean \"latency_p99\"?)" },
		{ "paths.count > 1 %", "rate|lost|" },
		{ "paths.latency_p99_hz > 1 %", "rate|lost|" },
		{ "paths.rate_ns > 1 %", "rate|lost|" },
		{ "paths.rate > -5 %", "a fall, < -PERCENT %" },
		{ "paths.rate < 5 %", "a fall, < -PERCENT %" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(wrong); i++) {
		struct change_limit limit;
		char *expected = NULL;

		cr_assert_not(change_limit_parse(wrong[i][0], schemas, &limit, &expected), "%s", wrong[i][0]);
		cr_assert_not_null(strstr(expected, wrong[i][1]), "%s: %s", wrong[i][0], expected);
		g_free(expected);
	}
}

/* --- checking --- */

static struct comparison *comparison;

static void setup(void)
{
	comparison = g_new0(struct comparison, 1);
	comparison->figures = g_array_new(FALSE, TRUE, sizeof(struct compared_figure));
	comparison->alone = g_array_new(FALSE, TRUE, sizeof(struct compared_row));
}

static void teardown(void)
{
	comparison_destroy(comparison);
}

TestSuite(change_limit_check, .init = setup, .fini = teardown);

static void add_rate(double base_samples, double new_samples, double percent, enum comparison_verdict verdict)
{
	struct compared_figure figure = {
		.schema = &schema,
		.row = "/row",
		.name = "rate",
		.samples = { base_samples, new_samples },
		.samples_min = COMPARISON_SAMPLES_MIN,
		.change = { .is_known = !isnan(percent), .percent = percent, .is_increase = percent > 0 },
		.verdict = verdict,
	};

	g_array_append_val(comparison->figures, figure);
}

static struct change_outcome check(const char *text)
{
	struct change_limit limit = parse(text);
	struct change_outcome outcome = change_limit_check(&limit, comparison);

	change_limit_clear(&limit);
	return outcome;
}

Test(change_limit_check, a_change_beyond_the_limit_exceeds_it)
{
	add_rate(100, 50, -50, COMPARISON_CHANGED);
	add_rate(100, 98, -2, COMPARISON_UNCHANGED);
	add_rate(100, 90, -10, COMPARISON_UNCHANGED); /* by chance */
	cr_assert_eq(check("paths.rate < -5 %").exceeded, 1);
	cr_assert_eq(check("paths.rate < -5 %").decided, 3);
	cr_assert_eq(check("paths.rate < -60 %").exceeded, 0);
	cr_assert_eq(check("paths.rate > +5 %").exceeded, 0);
	cr_assert_eq(check("paths.lost > +5 %").decided, 0);
}

Test(change_limit_check, what_seems_to_exceed_it_and_is_not_decided_keeps_it_open)
{
	add_rate(100, 100, 40, COMPARISON_DEPENDENT);
	cr_assert_eq(check("paths.rate < -5 %").undecided, 0);
	cr_assert_eq(check("paths.rate > +5 %").undecided, 1);
	add_rate(25, 12, -52, COMPARISON_TOO_FEW);
	cr_assert_eq(check("paths.rate < -5 %").undecided, 1);
}

Test(change_limit_check, what_stopped_keeps_it_open)
{
	add_rate(100, 0, NAN, COMPARISON_TOO_FEW);
	cr_assert_eq(check("paths.rate < -5 %").undecided, 1);
	cr_assert_eq(check("paths.rate > +5 %").undecided, 1);
}

Test(change_limit_check, what_is_rare_on_both_sides_is_not_considered)
{
	add_rate(3, 1, -67, COMPARISON_TOO_FEW);
	cr_assert_eq(check("paths.rate < -5 %").undecided, 0);
	cr_assert_eq(check("paths.rate < -5 %").decided, 0);
}

Test(change_limit_check, a_row_of_one_side_keeps_every_limit_on_its_table_open)
{
	struct block_row row = { .schema = &schema, .name = "/gone" };
	struct compared_row alone = { .row = &row, .side = COMPARISON_NEW, .count = 1 };

	add_rate(100, 100, 0, COMPARISON_UNCHANGED);
	g_array_append_val(comparison->alone, alone);
	cr_assert_eq(check("paths.rate < -5 %").alone, 1);
	cr_assert_str_eq(check("paths.rate < -5 %").alone_row->row->name, "/gone");
	cr_assert_eq(check("paths.rate < -5 %").alone_row->side, COMPARISON_NEW);
	cr_assert_eq(check("paths.latency_p99 > +5 %").alone, 1);
}
