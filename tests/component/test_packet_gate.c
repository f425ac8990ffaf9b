/* SPDX-License-Identifier: MIT */
/* Packets without events behind a filter that forwards what it gets (dedup) and one that copies it (normalize). */
#include <criterion/criterion.h>
#include <string.h>

#include "support/test_graph.h"

#define HEAD                                                                                                           \
	"trace T hostname=robot uuid=7\n"                                                                              \
	"stream A T packets lost lostpackets vpid:i32\n"                                                               \
	"stream B T packets lost lostpackets vpid:i32\n"                                                               \
	"class n A ros2_caret:rcl_node_init node_handle:u64 init_timestamp:i64\n"                                      \
	"class x A other:event\n"                                                                                      \
	"class y B other:event\n"                                                                                      \
	"begin A\nbegin B\n"
#define TAIL "end A\nend B\n"
#define X(time) "event A other:event " #time " {vpid=0}"
#define Y(time) "event B other:event " #time " {vpid=0}"

static const char *const filters[] = { "dedup", "init-timestamp", "flow", "flow events", "normalize" };

static char *run(const char *filter, const char *script)
{
	g_autoptr(test_graph) graph = test_graph_create(script);
	bool has_mode = strcmp(filter, "flow events") == 0;

	cr_assert(test_graph_add(graph, has_mode ? "flow" : filter, has_mode ? "mode=events" : ""), "%s",
		  test_graph_error(graph));
	return g_strdup(test_graph_run(graph));
}

/* The script and what comes of it lack their first and last rows. Behind `only`, or all filters. */
static void assert_becomes(const char *only, const char *middle, const char *expected_middle)
{
	g_autofree char *script = g_strconcat(HEAD, middle, TAIL, NULL);
	g_autofree char *expected = g_strconcat("begin A\nbegin B\n", expected_middle, TAIL, NULL);

	for (size_t i = 0; i < G_N_ELEMENTS(filters); i++) {
		g_autofree char *text = NULL;

		if (!only || strcmp(filters[i], only) == 0) {
			text = run(filters[i], script);
			cr_expect_str_eq(text, expected, "%s:\n%s\ninstead of\n%s", filters[i], text, expected);
		}
	}
}

Test(packet_gate, a_packet_without_events_is_left_out)
{
	assert_becomes(NULL,
		       "open A 1\nevent A x 2\nclose A 3\nopen A 4\nclose A 5\nopen A 6\nclose A 6\n"
		       "open A 7\nevent A x 8\nclose A 9\n",
		       "open A 1\n" X(2) "\nclose A 3\nopen A 7\n" X(8) "\nclose A 9\n");
}

Test(packet_gate, the_first_packet_of_a_stream_stays)
{
	assert_becomes(NULL, "open A 1\nclose A 2\nopen A 3\nclose A 4\n", "open A 1\nclose A 2\n");
}

Test(packet_gate, a_beginning_that_waited_gets_the_time_of_its_event)
{
	assert_becomes(NULL,
		       "open A 1\nopen B 1\nevent A x 2\nclose A 3\nopen A 4\nevent B y 5\nevent A x 6\nclose A 7\n"
		       "close B 8\n",
		       "open A 1\nopen B 1\n" X(2) "\nclose A 3\n" Y(5) "\nopen A 6\n" X(6) "\nclose A 7\nclose B 8\n");
}

Test(packet_gate, behind_lost_events_a_packet_begins_at_its_time)
{
	assert_becomes(NULL,
		       "open A 1\nopen B 1\nevent A x 2\nclose A 3\nlost A 3 9 7\nopen A 4\nevent B y 5\n"
		       "event A x 6\nclose A 9\nclose B 9\n",
		       "open A 1\nopen B 1\n" X(2) "\nclose A 3\nlost A 3 9 7\nopen A 4\n" Y(5) "\n" X(
			       6) "\nclose A 9\nclose B 9\n");
}

Test(packet_gate, lost_packets_keep_the_packet_that_they_begin_at)
{
	assert_becomes(NULL,
		       "open A 1\nopen B 1\nevent A x 2\nclose A 3\nopen A 4\nevent B y 5\nclose A 6\n"
		       "lostpackets A 6 8 1\nopen A 8\nevent A x 9\nclose A 9\nclose B 9\n",
		       "open A 1\nopen B 1\n" X(2) "\nclose A 3\n" Y(5) "\nopen A 6\nclose A 6\n"
									"lostpackets A 6 8 1\nopen A 8\n" X(
										9) "\nclose A 9\nclose B 9\n");
}

Test(packet_gate, lost_events_last_up_to_the_next_packet_with_events)
{
	assert_becomes("normalize",
		       "open A 1\nopen B 1\nevent A x 2\nclose A 3\nlost A 3 6 7\nopen A 4\nevent B y 5\nclose A 6\n"
		       "open A 7\nevent A x 8\nclose A 9\nclose B 9\n",
		       "open A 1\nopen B 1\n" X(2) "\nclose A 3\nlost A 3 9 7\n" Y(5) "\nopen A 7\n" X(
			       8) "\nclose A 9\nclose B 9\n");
}

Test(packet_gate, losses_around_packets_without_events_add_up)
{
	assert_becomes("normalize",
		       "open A 1\nopen B 1\nevent A x 2\nclose A 3\nlost A 3 5 7\nopen A 4\nclose A 5\n"
		       "lost A 5 7 10\nlostpackets A 5 6 2\nopen A 6\nevent B y 6\nclose A 7\n"
		       "lostpackets A 7 8 3\nopen A 8\nevent A x 9\nevent A x 9\nclose A 10\nclose B 11\n",
		       "open A 1\nopen B 1\n" X(2) "\nclose A 3\nlost A 3 10 17\nlostpackets A 3 8 5\n" Y(
			       6) "\nopen A 8\n" X(9) "\n" X(9) "\nclose A 10\nclose B 11\n");
}

/* Only what is meant for Trace Compass lasts longer than recorded. */
Test(packet_gate, other_filters_keep_the_packet_behind_lost_events)
{
	static const char middle[] = "open A 1\nclose A 3\nlost A 3 6 7\nopen A 4\nclose A 6\n";

	assert_becomes("dedup", middle, middle);
	assert_becomes("init-timestamp", middle, middle);
	assert_becomes("flow", middle, middle);
	assert_becomes("flow events", middle, middle);
}

/* As LTTng writes it where its buffers are full: a packet that lasts no time, whose one event a filter dropped. */
Test(packet_gate, a_packet_of_no_duration_before_lost_events_is_left_out)
{
	assert_becomes(NULL,
		       "open A 1\nopen B 1\nevent A x 2\nclose A 3\nopen A 3\nevent B y 3\nclose A 3\n"
		       "lost A 3 9 7\nopen A 4\nevent B y 5\nevent A x 6\nclose A 9\nclose B 9\n",
		       "open A 1\nopen B 1\n" X(2) "\nclose A 3\n" Y(3) "\nlost A 3 9 7\nopen A 4\n" Y(5) "\n" X(
			       6) "\nclose A 9\nclose B 9\n");
}

Test(packet_gate, at_the_end_of_a_stream_one_packet_keeps_the_count_of_lost_events)
{
	assert_becomes("normalize",
		       "open A 1\nevent A x 2\nclose A 3\nlost A 3 5 7\nopen A 4\nclose A 5\nlost A 5 7 10\n"
		       "open A 6\nclose A 7\n",
		       "open A 1\n" X(2) "\nclose A 3\nlost A 3 7 17\nopen A 6\nclose A 7\n");
}

Test(packet_gate, a_loss_of_unknown_size_counts_as_one)
{
	assert_becomes("normalize",
		       "open A 1\nevent A x 2\nclose A 3\nlost A 3 5 ?\nopen A 4\nclose A 5\nlost A 5 7 10\n"
		       "open A 6\nevent A x 6\nclose A 7\n",
		       "open A 1\n" X(2) "\nclose A 3\nlost A 3 7 11\nopen A 6\n" X(6) "\nclose A 7\n");
}

Test(packet_gate, a_gap_that_is_too_long_keeps_its_packets)
{
	g_autoptr(GString) script = g_string_new(HEAD);
	g_autofree char *text = NULL;

	g_string_append(script, "open A 1\nopen B 1\nevent A x 2\nclose A 3\nlost A 3 6 7\nopen A 4\nclose A 6\n");
	for (size_t i = 0; i < 70000; i++) {
		g_string_append(script, "event B y 7\n");
	}
	g_string_append(script, "open A 8\nevent A x 8\nclose A 9\nclose B 9\n" TAIL);
	text = run("normalize", script->str);
	cr_expect(strstr(text, "\nlost A 3 6 7\nopen A 4\nclose A 6\n" Y(7) "\n"));
	cr_expect(strstr(text, Y(7) "\nopen A 8\n" X(8) "\nclose A 9\nclose B 9\n"));
	cr_expect_not(strstr(text, "broken"));
}

Test(packet_gate, a_packet_that_dedup_empties_is_left_out)
{
	assert_becomes(
		"dedup",
		"open A 1\nevent A n 2 node_handle=1 init_timestamp=2\nclose A 3\n"
		"open A 4\nevent A n 5 node_handle=1 init_timestamp=2\nclose A 6\n",
		"open A 1\nevent A ros2_caret:rcl_node_init 2 {vpid=0} {node_handle=1 init_timestamp=2}\nclose A 3\n");
}
