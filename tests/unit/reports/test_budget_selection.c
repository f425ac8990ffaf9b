/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "core/reports/budget/budget_selection.h"

static const struct table_column columns[] = {
	{ .name = "node", .merge = COLUMN_MERGE_KEY },
	{ .name = "source", .merge = COLUMN_MERGE_KEY, .format = COLUMN_DURATION },
	{ .name = "cpu", .merge = COLUMN_MERGE_KEY },
};

static const struct table_schema schema = { .name = "table", .columns = columns, .column_count = 3 };

#define PATTERNS(...) ((const char *const[]){ __VA_ARGS__, NULL })

static void add(GArray *selection, size_t column, const char *const *patterns)
{
	GArray *chosen = g_array_new(FALSE, FALSE, sizeof(size_t));

	g_array_append_val(chosen, column);
	budget_selection_add(selection, chosen, patterns);
}

static bool takes(size_t column, const char *const *patterns, struct cell node, struct cell source)
{
	g_autoptr(GArray) selection = budget_selection_create();

	add(selection, column, patterns);
	return budget_selection_takes(selection, &schema, (struct cell[]){ node, source, cell_unsigned(1000000) });
}

static bool takes_period(const char *const *patterns, int64_t period_ns)
{
	return takes(1, patterns, cell_text("/a"), cell_integer(period_ns));
}

Test(budget_selection, a_duration_matches_as_number_and_as_text)
{
	static const char *const texts[] = { "67000000", "67*",	    "67.0 ms",	"67 ms",
					     "67ms",	 "0.067 s", "67000 us", "67000000 ns" };

	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
		cr_expect(takes_period(PATTERNS(texts[i]), 67000000), "%s", texts[i]);
		cr_expect_not(takes_period(PATTERNS(texts[i]), 68000000), "%s", texts[i]);
	}
}

Test(budget_selection, a_duration_matches_as_the_report_rounds_it)
{
	cr_expect(takes_period(PATTERNS("66.7 ms"), 66666667));
	cr_expect(takes_period(PATTERNS("66.666667 ms"), 66666667));
	cr_expect_not(takes_period(PATTERNS("66.666667 ms"), 66666668));
	cr_expect(takes_period(PATTERNS("376 µs"), 376000), "in UTF-8");
	cr_expect(takes_period(PATTERNS("376 us"), 376400), "in ASCII");
}

Test(budget_selection, a_duration_can_be_excluded)
{
	cr_expect_not(takes_period(PATTERNS("!67 ms"), 67000000));
	cr_expect(takes_period(PATTERNS("!67 ms"), 139000000));
	cr_expect_not(takes_period(PATTERNS("*", "!67.0 ms"), 67000000));
}

Test(budget_selection, only_durations_match_as_durations)
{
	cr_expect_not(takes(2, PATTERNS("1.00 ms"), cell_text("/a"), CELL_NONE));
	cr_expect(takes(2, PATTERNS("1000000"), cell_text("/a"), CELL_NONE));
	cr_expect(takes(1, PATTERNS("/chatter"), cell_text("/a"), cell_text("/chatter")));
	cr_expect_not(takes(1, PATTERNS("*"), cell_text("/a"), CELL_NONE), "no name matches nothing");
}

Test(budget_selection, hidden_names_only_if_one_is_given)
{
	const struct cell hidden[] = { cell_text("/a"), cell_text("/parameter_events"), CELL_NONE };

	cr_expect(budget_selection_is_hidden(&schema, hidden));
	cr_expect_not(takes(0, PATTERNS("/a"), cell_text("/a"), cell_text("/parameter_events")));
	cr_expect(takes(1, PATTERNS("/parameter_events"), cell_text("/a"), cell_text("/parameter_events")));
	cr_expect(takes(0, PATTERNS("/a"), cell_text("/a"), cell_text("/chatter")));
}

Test(budget_selection, all_selectors_must_match)
{
	const struct cell cells[] = { cell_text("/a"), cell_integer(5), CELL_NONE };
	g_autoptr(GArray) selection = budget_selection_create();
	g_autofree char *text = NULL;

	cr_expect(budget_selection_takes(selection, &schema, cells));
	add(selection, 0, PATTERNS("/a", "/b"));
	cr_expect(budget_selection_takes(selection, &schema, cells));
	add(selection, 1, PATTERNS("6 ns"));
	cr_expect_not(budget_selection_takes(selection, &schema, cells));
	text = budget_selection_text(selection);
	cr_expect_str_eq(text, "/a, /b, 6 ns");
}
