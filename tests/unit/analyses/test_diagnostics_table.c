/* SPDX-License-Identifier: MIT */
#include "scripted_session.h"

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

Test(diagnostics_table, the_summary_adds_up_the_places_of_each_fault)
{
	end_at(talker, 10, TIMER_CALLBACK + 1);
	end_at(talker, 20, TIMER_CALLBACK + 1);
	end_at(listener, 30, 0x42);
	report();
	cr_assert_eq(row_count("not_in_trace"), 1);
	cr_assert(strstr(cell_of("not_in_trace", 0, "text"), ", 3 x callback end without start"), "%s",
		  cell_of("not_in_trace", 0, "text"));
	cr_assert(g_str_has_prefix(cell_of("not_in_trace", 0, "text"), "1 x process without initialization events, "));
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
	cr_assert(strstr(cell_of("not_in_trace", 0, "text"), "1 x take without publication"), "%s",
		  cell_of("not_in_trace", 0, "text"));
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
	expect("not_in_trace", 0, "text", "1 x scheduling not recorded");
}
