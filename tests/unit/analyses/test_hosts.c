/* SPDX-License-Identifier: MIT */
#include "core/clocks/clock_alignment.h"
#include "scripted_session.h"

/* Hosts 0 ("host", which has the threads of flow_records.h) and 1 ("robot"). */
static struct clock_alignment *clocks;
static GArray *bounds; /* struct clock_bound */

#define SECOND (1000 * MS)
#define LATENCY (MS / 10)

static void setup(void)
{
	scripted_setup();
	recording_add_trace(recording, &(struct recording_trace_info){ .name = "other", .hostname = "robot" });
	bounds = g_array_new(FALSE, FALSE, sizeof(struct clock_bound));
	clocks = NULL;
}

static void teardown(void)
{
	scripted_teardown();
	clock_alignment_destroy(clocks);
	g_array_unref(bounds);
}

TestSuite(hosts, .init = setup, .fini = teardown);

/* A message that took 100 us from host 0 to the robot, whose clock is ahead by offset_ns. */
static void send_there(int64_t at_ns, int64_t offset_ns)
{
	g_array_append_val(bounds, ((struct clock_bound){ at_ns, offset_ns + LATENCY, true }));
}

static void send_back(int64_t at_ns, int64_t offset_ns)
{
	g_array_append_val(bounds, ((struct clock_bound){ at_ns, offset_ns - LATENCY, false }));
}

static void send_both_ways(int64_t from_ns, int64_t to_ns, int64_t offset_ns)
{
	for (int64_t at_ns = from_ns; at_ns <= to_ns; at_ns += SECOND / 8) {
		send_there(at_ns, offset_ns);
		send_back(at_ns, offset_ns);
	}
}

/* A report with the robot's clock aligned by these messages. */
static void report_aligned(void)
{
	destroy_session();
	clocks = clock_alignment_create(2);
	clock_alignment_refer(clocks, 1, 0,
			      clock_relation_create((struct clock_bound *)(void *)bounds->data, bounds->len));
	kept_options.clocks = clocks;
	begin_session();
	report();
}

/* An estimate, which is rounded. */
static void expect_near(const char *table, guint row, const char *column, int64_t expected_ns)
{
	int64_t found_ns = g_ascii_strtoll(cell_of(table, row, column), NULL, 10);

	cr_assert_leq(ABS(found_ns - expected_ns), 10, "%s[%u].%s is %" PRId64, table, row, column, found_ns);
}

static void expect_text(const char *prefix)
{
	cr_assert(g_str_has_prefix(cell_of("clocks", 0, "text"), prefix), "%s", cell_of("clocks", 0, "text"));
}

Test(hosts, a_clock_that_is_ahead_is_aligned_to_the_reference)
{
	send_both_ways(SECOND, 2 * SECOND, 1 * MS);
	report_aligned();
	cr_assert_eq(row_count("hosts"), 2);
	expect_cells("hosts", 0, "hostname", "host", "reference", "host", "offset_ns", "0", "uncertainty_ns", "0",
		     "method", "reference", "messages_there", "", "times_set", "");
	expect_cells("hosts", 1, "hostname", "robot", "reference", "host", "messages_there", "9", "messages_back", "9",
		     "offset_at_ns", "1000000000", "through", "host", "method", "messages both ways", "times_set", "0",
		     "contradictions", "0");
	expect_near("hosts", 1, "uncertainty_ns", LATENCY);
	cr_assert_float_eq(g_ascii_strtod(cell_of("hosts", 1, "drift_ppm"), NULL), 0, 0.001);
	cr_assert_eq(row_count("host_clocks"), 1);
	expect_near("host_clocks", 0, "offset_ns", 1000000);
	expect_cells("host_clocks", 0, "hostname", "robot", "through", "host", "begin_ns", "1000000000", "end_ns",
		     "2000000000", "set_by_ns", "");
	cr_assert_eq(row_count("clocks"), 1);
	expect_text("robot is 1.00 ms ahead of host (uncertainty 100 µs");
}

Test(hosts, a_clock_that_is_behind_has_a_negative_offset)
{
	send_both_ways(SECOND, 2 * SECOND, -2 * MS);
	report_aligned();
	expect_near("hosts", 1, "offset_ns", -2 * MS);
	expect_text("robot is 2.00 ms behind host (uncertainty 100 µs");
}

Test(hosts, of_messages_one_way_the_uncertainty_is_unknown)
{
	send_there(SECOND, 1 * MS);
	send_there(2 * SECOND, 1 * MS);
	report_aligned();
	expect_near("hosts", 1, "offset_ns", 1100000);
	expect_cells("hosts", 1, "uncertainty_ns", "", "messages_there", "2", "messages_back", "0", "method",
		     "messages one way: the fastest seem to take no time");
	expect_text("robot is 1.10 ms ahead of host (uncertainty unknown");
}

Test(hosts, a_clock_that_was_set_has_a_row_for_each_piece)
{
	send_both_ways(SECOND, 10 * SECOND, 1 * MS);
	send_both_ways(11 * SECOND, 20 * SECOND, 6 * MS);
	report_aligned();
	expect_near("hosts", 1, "offset_ns", 1000000);
	expect_cells("hosts", 1, "times_set", "1", "messages_there", "146");
	cr_assert_eq(row_count("host_clocks"), 2);
	expect_near("host_clocks", 0, "offset_ns", 1000000);
	expect_cells("host_clocks", 0, "begin_ns", "1000000000", "end_ns", "10000000000", "messages_there", "73",
		     "set_by_ns", "");
	expect_near("host_clocks", 1, "offset_ns", 6000000);
	expect_cells("host_clocks", 1, "begin_ns", "11000000000", "end_ns", "20000000000", "messages_back", "73");
	expect_near("host_clocks", 1, "set_by_ns", 5 * MS);
	expect_text("robot is 1.00 ms ahead of host (uncertainty 100 µs");
	cr_assert_eq(count_of("clock was set"), 1);
}

Test(hosts, a_message_that_contradicts_all_others_is_counted)
{
	send_both_ways(SECOND, 10 * SECOND, 1 * MS);
	send_there(5 * SECOND + 1, -3 * MS);
	report_aligned();
	expect_near("hosts", 1, "offset_ns", 1000000);
	expect_cells("hosts", 1, "times_set", "0", "contradictions", "1");
	cr_assert_eq(count_of("message against the clocks"), 1);
}

Test(hosts, a_host_that_no_message_connects_is_as_it_was_recorded)
{
	destroy_session();
	clocks = clock_alignment_create(2);
	kept_options.clocks = clocks;
	begin_session();
	report();
	cr_assert_eq(row_count("hosts"), 2);
	for (guint i = 0; i < 2; i++) {
		expect_cells("hosts", i, "reference", "", "offset_ns", "", "method",
			     "as recorded: no message connects it with a reference");
	}
	cr_assert_eq(row_count("clocks"), 0);
}

Test(hosts, without_alignment_hosts_are_as_recorded)
{
	report();
	cr_assert_eq(row_count("hosts"), 2);
	expect_cells("hosts", 0, "hostname", "host", "method", "as recorded");
	expect_cells("hosts", 1, "hostname", "robot", "method", "as recorded", "reference", "");
}
