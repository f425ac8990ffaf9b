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

Test(packet_gate, a_packet_that_dedup_empties_is_left_out)
{
	assert_becomes(
		"dedup",
		"open A 1\nevent A n 2 node_handle=1 init_timestamp=2\nclose A 3\n"
		"open A 4\nevent A n 5 node_handle=1 init_timestamp=2\nclose A 6\n",
		"open A 1\nevent A ros2_caret:rcl_node_init 2 {vpid=0} {node_handle=1 init_timestamp=2}\nclose A 3\n");
}
