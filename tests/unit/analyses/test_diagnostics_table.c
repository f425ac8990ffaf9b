/* SPDX-License-Identifier: MIT */
#include "scripted_session.h"

#include "core/analyses/analyses.h"

TestSuite(diagnostics_table, .init = scripted_setup_timers, .fini = scripted_teardown);

static guint row_of(const char *what)
{
	for (guint i = 0; i < row_count("diagnostics"); i++) {
		if (strcmp(cell_of("diagnostics", i, "what"), what) == 0) {
			return i;
		}
	}
	cr_assert_fail("no row of %s", what);
	return 0;
}

Test(diagnostics_table, a_row_is_a_fault_and_a_place)
{
	end_at(talker, 10, TIMER_CALLBACK + 1);
	end_at(talker, 20, TIMER_CALLBACK + 1);
	end_at(listener, 30, 0x42);
	report();
	expect_cells("diagnostics", row_of("callback end without start"), "detail", "process1 (vpid 1)", "count", "2");
	expect_cells("diagnostics", row_of("callback end without start") + 1, "detail", "process3 (vpid 3)", "count",
		     "1");
	/* found by analyses, of the whole: what was found while the trace was read comes in the same order */
	expect_cells("diagnostics", row_of("process without initialization events"), "detail", "process3 (vpid 3)",
		     "count", "1");
}

/* Whether the summary has a line that begins so. */
static bool has_line(const char *begin)
{
	for (guint i = 0; i < row_count("not_in_trace"); i++) {
		if (g_str_has_prefix(cell_of("not_in_trace", i, "text"), begin)) {
			return true;
		}
	}
	return false;
}

Test(diagnostics_table, the_summary_adds_up_the_places_of_each_fault)
{
	end_at(talker, 10, TIMER_CALLBACK + 1);
	end_at(talker, 20, TIMER_CALLBACK + 1);
	end_at(listener, 30, 0x42);
	report();
	expect("not_in_trace", 0, "text", "1 x process without initialization events: start recording first");
	cr_assert(has_line("3 x callback end without start"));
}

/* Such as topics that tools of ROS 2 hide. */
Test(diagnostics_table, hidden_places_have_rows_and_no_part_in_the_summary)
{
	define_publisher(talker, 1, "/rosout");
	define_publisher(talker, 2, "/b");
	define_subscription(listener, 1, "/rosout");
	define_subscription(listener, 2, "/b");
	now_ns = 2 * MS;
	run(talker);
	handle(listener, 1, 77);
	handle(listener, 2, 78);
	report();
	expect_cells("diagnostics", row_of("take without publication"), "detail", "/b", "count", "1");
	expect_cells("diagnostics", row_of("take without publication") + 1, "detail", "/rosout", "count", "1");
	cr_assert(has_line("1 x take without publication: record the publishing process and host as well"));
}

Test(diagnostics_table, paths_of_files_and_traces_are_no_names)
{
	const struct table_schema *schema = diagnostics_analysis.tables[0];
	const struct text_hints *hints = schema->columns[table_find_column(schema, "detail")].hints;
	struct cell cells[] = { CELL_NONE, cell_unsigned(1), cell_text("/tmp/_work/trace") };

	cells[0] = cell_text(diagnostic_name(DIAGNOSTIC_DISCARDED_EVENTS));
	cr_expect_not(hints->is_name(cells));
	cells[0] = cell_text(diagnostic_name(DIAGNOSTIC_NO_VTID));
	cr_expect_not(hints->is_name(cells));
	cells[0] = cell_text(diagnostic_name(DIAGNOSTIC_AMBIGUOUS_LINK));
	cr_expect(hints->is_name(cells));
	cells[0] = cell_text("of a newer version");
	cr_expect(hints->is_name(cells));
}

/* Releases before Humble have no takes: counts of what follows from that would say nothing that the user can change. */
Test(diagnostics_table, what_a_release_does_not_record_is_a_sentence)
{
	define_subscription(listener, 1, "/b");
	define_publisher(talker, 1, "/b");
	now_ns = 2 * MS;
	run(talker);
	run_callback(listener, SUBSCRIPTION_CALLBACK + 1);
	report();
	cr_assert(has_line("takes of messages: releases before Humble record none"));
	cr_assert_not(has_line("1 x events not recorded"));
}

Test(diagnostics_table, a_sum_beyond_64_bits_is_the_largest_count)
{
	const uint64_t lost[] = { UINT64_MAX - 1, 300 };
	uint32_t other = add_trace("other");
	uint16_t stream = recording_add_stream(recording, other);

	feed(record_of(RECORD_DISCARDED_EVENTS, RECORDING_NONE, 200, lost, 2));
	feed(in_stream(record_of(RECORD_DISCARDED_EVENTS, RECORDING_NONE, 200, lost, 2), stream));
	report();
	expect_cells("diagnostics", row_of("discarded events"), "detail", "other", "count", "18446744073709551614");
	expect_cells("diagnostics", row_of("discarded events") + 1, "detail", "trace", "count", "18446744073709551614");
	cr_assert(strstr(cell_of("not_in_trace", 0, "text"), "18446744073709551615 x discarded events"));
}

Test(diagnostics_table, nothing_to_say_is_no_row)
{
	start_at(talker, 100, TIMER_CALLBACK + 1);
	end_at(talker, 200, TIMER_CALLBACK + 1);
	report();
	/* every table was chosen here, that of scheduling among them */
	cr_assert_eq(row_count("diagnostics"), 1);
	expect("diagnostics", 0, "what", "scheduling not recorded");
	cr_assert_eq(row_count("not_in_trace"), 1);
	cr_assert(has_line("1 x scheduling not recorded: record it with lttng enable-event -k sched_switch,"));
}

/* --- lines of faults that are named here, not of a recording --- */

static struct diagnostics *faults;

static void setup_faults(void)
{
	kept_tables = g_ptr_array_new_with_free_func(kept_table_destroy);
	faults = diagnostics_create();
}

static void teardown_faults(void)
{
	diagnostics_destroy(faults);
	g_clear_pointer(&kept_tables, g_ptr_array_unref);
}

TestSuite(diagnostics_lines, .init = setup_faults, .fini = teardown_faults);

static void write_faults(void)
{
	struct diagnostics *none = diagnostics_create();
	struct analysis analysis = { .context = { .diagnostics = faults, .findings = none } };
	struct table_writer *writers[2];

	for (size_t i = 0; i < G_N_ELEMENTS(writers); i++) {
		writers[i] = kept_open(NULL, diagnostics_analysis.tables[i]);
	}
	diagnostics_analysis.write(&analysis, writers);
	diagnostics_destroy(none);
}

static void expect_line(guint index, const char *expected)
{
	cr_assert_lt(index, row_count("not_in_trace"));
	cr_expect(g_str_has_prefix(cell_of("not_in_trace", index, "text"), expected), "%s, not %s",
		  cell_of("not_in_trace", index, "text"), expected);
}

Test(diagnostics_lines, what_may_be_wrong_comes_before_what_is_unknown)
{
	static const enum diagnostic unknown[] = { DIAGNOSTIC_PAUSE,
						   DIAGNOSTIC_UNKNOWN_LAYOUT,
						   DIAGNOSTIC_NO_INIT,
						   DIAGNOSTIC_CALLBACK_WITHOUT_OWNER,
						   DIAGNOSTIC_TIMER_OTHER_CLOCK,
						   DIAGNOSTIC_LINK_NOT_FOUND };

	for (size_t i = 0; i < G_N_ELEMENTS(unknown); i++) {
		diagnostics_add(faults, unknown[i], "there", 1);
	}
	diagnostics_add(faults, DIAGNOSTIC_PATHS_CAPPED, "/topic", 3);
	diagnostics_add(faults, DIAGNOSTIC_CLOCK_SET, "vm", 2);
	diagnostics_add(faults, DIAGNOSTIC_PUBLICATION_WITHOUT_TAKER, "/topic", 2);
	write_faults();
	cr_assert_eq(row_count("not_in_trace"), 6);
	expect_line(0, "2 x clock was set");
	expect_line(1, "3 x path traversals left out");
	expect_line(2, "1 x pauses of the recording, there");
	expect_line(5, "3 more, in the table diagnostics");
}

Test(diagnostics_lines, a_misspelt_link_is_one)
{
	diagnostics_add(faults, DIAGNOSTIC_LINK_NOT_FOUND, "/node: /a -> /b: partial_sync", 1);
	diagnostics_add(faults, DIAGNOSTIC_LINK_NOT_USED, "/node: /b -> /c: partial_sync", 1);
	write_faults();
	expect_line(0, "1 x link matches no node or topic: correct its spelling");
	expect_line(1, "1 x link without effect");
}

Test(diagnostics_lines, sentences_about_a_release_count_as_lines)
{
	static const enum diagnostic more[] = { DIAGNOSTIC_NO_INIT, DIAGNOSTIC_CALLBACK_WITHOUT_OWNER,
						DIAGNOSTIC_TIMER_OTHER_CLOCK, DIAGNOSTIC_END_WITHOUT_START };

	diagnostics_add(faults, DIAGNOSTIC_MISSING_EVENTS, "ros2:rmw_take", 7);
	diagnostics_add_of_release(faults, DIAGNOSTIC_MISSING_EVENTS, "services: later releases record them", 7);
	for (size_t i = 0; i < G_N_ELEMENTS(more); i++) {
		diagnostics_add(faults, more[i], "there", 1);
	}
	write_faults();
	cr_assert_eq(row_count("not_in_trace"), 6);
	expect_line(0, "takes of messages: ");
	expect_line(1, "requests and responses of services: releases before Kilted record none, later ones do if "
		       "ros2:rmw_send_request, ");
	expect_line(4, "1 x timer on another clock");
	expect_line(5, "1 more, in the table diagnostics");
}

Test(diagnostics_lines, the_sentence_about_takes_hides_what_follows_from_it_only)
{
	diagnostics_add(faults, DIAGNOSTIC_MISSING_EVENTS, "ros2:rmw_client_init", 2);
	diagnostics_add(faults, DIAGNOSTIC_MISSING_EVENTS, "ros2:rmw_take", 7);
	diagnostics_add(faults, DIAGNOSTIC_TAKE_WITHOUT_PUBLICATION, "/topic", 4);
	diagnostics_add(faults, DIAGNOSTIC_AMBIGUOUS_LINK, "/topic", 5);
	write_faults();
	cr_assert_eq(row_count("not_in_trace"), 3);
	expect_line(0, "takes of messages: releases before Humble record none, later ones do if ros2:rmw_take is "
		       "enabled; messages are linked by their order where only one is possible, and 5 are not");
	expect_line(1, "2 x events not recorded: ");
	expect_line(2, "4 x take without publication: ");
}

Test(diagnostics_lines, of_several_pauses_the_first_is_named)
{
	diagnostics_add(faults, DIAGNOSTIC_PAUSE, "at +3.000 s, for 2.00 s", 1);
	diagnostics_add(faults, DIAGNOSTIC_PAUSE, "at +12.000 s, for 9.00 s", 1);
	diagnostics_add(faults, DIAGNOSTIC_PAUSE, "further ones", 4);
	write_faults();
	expect_line(0, "6 x pauses of the recording, first at +3.000 s, for 2.00 s");
}

/* Files and traces may be in directories whose names begin with `_`, and are no hidden names of ROS 2. */
Test(diagnostics_lines, a_damaged_file_is_one_wherever_it_is)
{
	diagnostics_add(faults, DIAGNOSTIC_NOT_READ, "/home/runner/_work/trace/ros2_0: ends early", 1);
	diagnostics_add(faults, DIAGNOSTIC_DISCARDED_EVENTS, "/__w/trace", 9);
	write_faults();
	expect_line(0, "1 x trace read in part");
	expect_line(1, "9 x discarded events");
}
