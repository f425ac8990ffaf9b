/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <glib.h>
#include <string.h>

#include "ros2bt/events/diagnostics.h"

static void append_row(void *text, enum diagnostic what, const char *detail, uint64_t count)
{
	g_string_append_printf(text, "%s|%lu|%s\n", diagnostic_name(what), (unsigned long)count,
			       *detail ? detail : "-");
}

Test(diagnostics, rows_are_sorted_by_what_and_detail_whatever_came_first)
{
	struct diagnostics *diagnostics = diagnostics_create();
	g_autoptr(GString) text = g_string_new(NULL);

	diagnostics_add(diagnostics, DIAGNOSTIC_AMBIGUOUS_LINK, "/z", 1);
	diagnostics_add(diagnostics, DIAGNOSTIC_AMBIGUOUS_LINK, "/a", 2);
	diagnostics_add(diagnostics, DIAGNOSTIC_NO_ROS_EVENTS, "", 1);
	diagnostics_add(diagnostics, DIAGNOSTIC_AMBIGUOUS_LINK, "/z", 3);
	diagnostics_add(diagnostics, DIAGNOSTIC_DISCARDED_EVENTS, "t", 0);
	diagnostics_foreach(diagnostics, append_row, text);
	cr_assert_str_eq(text->str, "no ROS 2 events|1|-\n"
				    "take with several possible publications|2|/a\n"
				    "take with several possible publications|4|/z\n");
	cr_assert_eq(diagnostics_count(diagnostics, DIAGNOSTIC_AMBIGUOUS_LINK, "/z"), 4);
	cr_assert_eq(diagnostics_count(diagnostics, DIAGNOSTIC_AMBIGUOUS_LINK, "/b"), 0);
	cr_assert_eq(diagnostics_count(diagnostics, DIAGNOSTIC_AMBIGUOUS_LINK, NULL), 6);
	diagnostics_destroy(diagnostics);
}

Test(diagnostics, know_whether_the_recording_was_read_to_its_end)
{
	static const enum diagnostic reasons[] = { DIAGNOSTIC_NOT_READ, DIAGNOSTIC_INTERRUPTED, DIAGNOSTIC_UNDER_WAY };

	for (size_t i = 0; i < G_N_ELEMENTS(reasons); i++) {
		struct diagnostics *diagnostics = diagnostics_create();

		diagnostics_add(diagnostics, DIAGNOSTIC_DISCARDED_EVENTS, "t", 1);
		cr_assert_not(diagnostics_has_part_only(diagnostics));
		diagnostics_add(diagnostics, reasons[i], "why", 1);
		cr_assert(diagnostics_has_part_only(diagnostics));
		diagnostics_destroy(diagnostics);
	}
}

Test(diagnostics, counts_stop_at_the_largest_number)
{
	struct diagnostics *diagnostics = diagnostics_create();

	diagnostics_add(diagnostics, DIAGNOSTIC_DISCARDED_EVENTS, "t", UINT64_MAX - 1);
	diagnostics_add(diagnostics, DIAGNOSTIC_DISCARDED_EVENTS, "t", 5);
	cr_assert_eq(diagnostics_count(diagnostics, DIAGNOSTIC_DISCARDED_EVENTS, "t"), UINT64_MAX);
	diagnostics_destroy(diagnostics);
}

Test(diagnostics, every_one_has_a_text_and_a_name_of_its_own)
{
	for (int i = 0; i < DIAGNOSTIC_COUNT; i++) {
		const struct diagnostic_kind *kind = diagnostic_kind((enum diagnostic)i);

		cr_assert_str_eq(kind->name, diagnostic_name((enum diagnostic)i));
		cr_assert_gt(strlen(kind->text), 0, "%s", kind->name);
		/* the first of this name */
		cr_assert_eq(diagnostic_kind_of_name(kind->name), kind, "%s", kind->name);
	}
	cr_assert_null(diagnostic_kind_of_name("of a newer version"));
}

/* The names are of published reports and budgets; what their severities mean, merging and budgets rely on. */
Test(diagnostics, severities_of_what_was_lost)
{
	static const struct {
		const char *name;
		enum diagnostic_severity severity;
	} rows[] = {
		{ "trace read in part", SEVERITY_PART },
		{ "interrupted", SEVERITY_PART },
		{ "under way", SEVERITY_PART },
		{ "discarded events", SEVERITY_LOST },
		{ "discarded packets", SEVERITY_LOST },
		{ "discarded kernel events", SEVERITY_KERNEL_LOST },
		{ "discarded kernel packets", SEVERITY_KERNEL_LOST },
	};
	size_t count = 0;

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		cr_assert_eq(diagnostic_kind_of_name(rows[i].name)->severity, rows[i].severity, "%s", rows[i].name);
	}
	for (int i = 0; i < DIAGNOSTIC_COUNT; i++) {
		count += diagnostic_kind((enum diagnostic)i)->severity <= SEVERITY_KERNEL_LOST;
	}
	cr_assert_eq(count, G_N_ELEMENTS(rows));
}

/* What each row says of itself is kept in a copy, and the order in which they were added. */
Test(diagnostics, the_first_detail_of_a_kind_and_what_a_release_cannot_record_are_known_in_copies)
{
	struct diagnostics *from = diagnostics_create(), *into = diagnostics_create();

	cr_assert_null(diagnostics_first(from, DIAGNOSTIC_PAUSE));
	diagnostics_add(from, DIAGNOSTIC_PAUSE, "at +9 s", 0);
	diagnostics_add(from, DIAGNOSTIC_PAUSE, "at +3 s", 1);
	diagnostics_add(from, DIAGNOSTIC_PAUSE, "at +12 s", 1);
	diagnostics_add_of_release(from, DIAGNOSTIC_MISSING_EVENTS, "a", 1);
	diagnostics_add(from, DIAGNOSTIC_MISSING_EVENTS, "b", 1);
	cr_expect_str_eq(diagnostics_first(from, DIAGNOSTIC_PAUSE), "at +3 s");

	diagnostics_add_all(into, from);
	diagnostics_add(into, DIAGNOSTIC_PAUSE, "at +1 s", 1);
	diagnostics_add_all(into, from);
	cr_expect_str_eq(diagnostics_first(into, DIAGNOSTIC_PAUSE), "at +3 s");
	cr_expect_eq(diagnostics_count(into, DIAGNOSTIC_PAUSE, "at +3 s"), 2);
	cr_expect(diagnostics_is_of_release(into, DIAGNOSTIC_MISSING_EVENTS, "a"));
	cr_expect_not(diagnostics_is_of_release(into, DIAGNOSTIC_MISSING_EVENTS, "b"));
	cr_expect_not(diagnostics_is_of_release(into, DIAGNOSTIC_MISSING_EVENTS, "c"));
	diagnostics_destroy(from);
	diagnostics_destroy(into);
}
