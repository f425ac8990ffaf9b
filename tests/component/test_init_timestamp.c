/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <string.h>

#include "support/every_message.h"
#include "support/test_graph.h"

#define CLASSES                                                                                                        \
	"class n A ros2_caret:rcl_node_init node_handle:u64 init_timestamp:i64\n"                                      \
	"class r A ros2:callback_start callback:u64\n"
#define PACKETS "trace T hostname=robot\nstream A T packets @cpu_id:u32\n" CLASSES
#define BARE "trace T\nstream A T\n" CLASSES

static char *run(const char *script, const char *params)
{
	g_autoptr(test_graph) graph = test_graph_create(script);

	cr_assert(test_graph_add(graph, "init-timestamp", params), "%s", test_graph_error(graph));
	return g_strdup(test_graph_run(graph));
}

static void assert_becomes(const char *script, const char *params, const char *expected)
{
	g_autofree char *text = run(script, params);

	cr_assert_str_eq(text, expected, "\n%s\ninstead of\n%s", text, expected);
}

static void assert_untouched(const char *script, const char *params)
{
	g_autoptr(test_graph) plain = test_graph_create(script);

	assert_becomes(script, params, test_graph_run(plain));
}

Test(init_timestamp, event_moves_across_packet_borders_into_a_stream_of_its_own)
{
	assert_becomes(PACKETS "begin A\n"
			       "open A 10 cpu_id=3\nevent A r 11 callback=1\nclose A 20\n"
			       "open A 30 cpu_id=4\nevent A r 31 callback=2\n"
			       "event A n 35 node_handle=7 init_timestamp=15\nclose A 40\n"
			       "end A\n",
		       "",
		       "begin A\n"
		       "open A 10 {cpu_id=3}\nevent A ros2:callback_start 11 {callback=1}\n"
		       "begin A_init\n"
		       "open A_init 15 {cpu_id=4}\n"
		       "event A_init ros2_caret:rcl_node_init 15 {node_handle=7 init_timestamp=15}\n"
		       "close A_init 15\n"
		       "close A 20\n"
		       "open A 30 {cpu_id=4}\nevent A ros2:callback_start 31 {callback=2}\nclose A 40\n"
		       "end A\n"
		       "end A_init\n");
}

Test(init_timestamp, time_before_everything_comes_first)
{
	assert_becomes(PACKETS "begin A\nopen A 100\nevent A n 110 init_timestamp=5\nclose A 120\nend A\n", "",
		       "begin A\n"
		       "begin A_init\nopen A_init 5 {cpu_id=0}\n"
		       "event A_init ros2_caret:rcl_node_init 5 {node_handle=0 init_timestamp=5}\nclose A_init 5\n"
		       "open A 100 {cpu_id=0}\nclose A 120\nend A\n"
		       "end A_init\n");
}

Test(init_timestamp, moved_events_in_a_row_share_a_packet_if_they_shared_one)
{
	assert_becomes(PACKETS "begin A\nopen A 10 cpu_id=1\nevent A n 11 node_handle=1 init_timestamp=3\n"
			       "event A n 12 node_handle=2 init_timestamp=2\nclose A 13\n"
			       "open A 14 cpu_id=2\nevent A n 15 node_handle=3 init_timestamp=4\nclose A 16\nend A\n",
		       "",
		       "begin A\nbegin A_init\n"
		       "open A_init 2 {cpu_id=1}\n"
		       "event A_init ros2_caret:rcl_node_init 2 {node_handle=2 init_timestamp=2}\n"
		       "event A_init ros2_caret:rcl_node_init 3 {node_handle=1 init_timestamp=3}\n"
		       "close A_init 3\n"
		       "open A_init 4 {cpu_id=2}\n"
		       "event A_init ros2_caret:rcl_node_init 4 {node_handle=3 init_timestamp=4}\n"
		       "close A_init 4\n"
		       "open A 10 {cpu_id=1}\nclose A 13\nend A\nend A_init\n");
}

Test(init_timestamp, at_equal_times_moved_events_come_first_in_their_order)
{
	assert_becomes(BARE
		       "begin A\nevent A r 10 callback=1\nevent A r 20 callback=2\n"
		       "event A n 30 node_handle=1 init_timestamp=20\nevent A n 31 node_handle=2 init_timestamp=20\n"
		       "end A\n",
		       "",
		       "begin A\nevent A ros2:callback_start 10 {callback=1}\n"
		       "begin A_init\n"
		       "event A_init ros2_caret:rcl_node_init 20 {node_handle=1 init_timestamp=20}\n"
		       "event A_init ros2_caret:rcl_node_init 20 {node_handle=2 init_timestamp=20}\n"
		       "event A ros2:callback_start 20 {callback=2}\nend A\nend A_init\n");
}

Test(init_timestamp, one_address_defined_twice_stays_two)
{
	assert_becomes(BARE "begin A\nevent A n 30 node_handle=1 init_timestamp=10\nevent A n 31 node_handle=1 "
			    "init_timestamp=20\nend A\n",
		       "",
		       "begin A\nend A\nbegin A_init\n"
		       "event A_init ros2_caret:rcl_node_init 10 {node_handle=1 init_timestamp=10}\n"
		       "event A_init ros2_caret:rcl_node_init 20 {node_handle=1 init_timestamp=20}\n"
		       "end A_init\n");
}

#define NOTHING_TO_MOVE                                                                                                \
	"trace T\nstream A T packets vpid:i32 @cpu_id:u32\n" CLASSES                                                   \
	"class m A ros2_caret:caret_init init_timestamp:i64\n"                                                         \
	"class x A other:event init_timestamp:i64\n" EVERY_MESSAGE_DECLARATIONS                                        \
	"begin A\nopen A 1\nevent A r 1\nevent A n 2 init_timestamp=2\nevent A m 3 init_timestamp=1\n"                 \
	"event A x 4 init_timestamp=1\nclose A 5\n" EVERY_MESSAGE "end A\n"

Test(init_timestamp, nothing_to_move_nothing_touched)
{
	assert_untouched(NOTHING_TO_MOVE, "");
	assert_untouched(NOTHING_TO_MOVE, "mode=window");
}

Test(init_timestamp, a_time_that_is_none_is_not_believed)
{
	static const char script[] = BARE "begin A\n"
					  "event A r 10\n"
					  "event A n 20 init_timestamp=0\n"
					  "event A n 21 init_timestamp=-5\n"
					  "event A n 22 init_timestamp=23\n"
					  "event A n 24 init_timestamp=9223372036854775807\n"
					  "end A\n";

	assert_untouched(script, "");
	assert_untouched(script, "mode=window");
}

Test(init_timestamp, a_field_that_is_no_integer_is_none)
{
	assert_untouched("trace T\nstream A T\nclass n A ros2_caret:rcl_node_init init_timestamp:str\n"
			 "begin A\nevent A n 5 init_timestamp=3\nend A\n",
			 "");
}

Test(init_timestamp, an_unsigned_field_is_one)
{
	assert_becomes("trace T\nstream A T\nclass n A ros2_caret:rcl_node_init init_timestamp:u64\n"
		       "begin A\nevent A n 5 init_timestamp=3\nend A\n",
		       "",
		       "begin A\nend A\nbegin A_init\n"
		       "event A_init ros2_caret:rcl_node_init 3 {init_timestamp=3}\nend A_init\n");
}

Test(init_timestamp, without_a_clock_nothing_moves)
{
	assert_untouched("trace T noclock\nstream A T\n" CLASSES "begin A\nevent A n 0 init_timestamp=5\nend A\n", "");
}

Test(init_timestamp, order_holds_across_traces_with_other_clocks)
{
	/* ticks of U are 1 us, its origin is 1 s later than that of T */
	assert_becomes("trace T\ntrace U frequency=1000000 offset=1\nstream A T\nstream B U\n"
		       "class r A ros2:callback_start callback:u64\n"
		       "class n B ros2_caret:rcl_node_init init_timestamp:i64\n"
		       "begin A\nbegin B\nevent A r 1000001999 callback=1\nevent A r 1000002000 callback=2\n"
		       "event A r 1000002001 callback=3\nevent B n 7 init_timestamp=2\nend A\nend B\n",
		       "",
		       "begin A\nbegin B\nevent A ros2:callback_start 1000001999 {callback=1}\n"
		       "begin B_init\nevent B_init ros2_caret:rcl_node_init 1000002000 {init_timestamp=2}\n"
		       "event A ros2:callback_start 1000002000 {callback=2}\n"
		       "event A ros2:callback_start 1000002001 {callback=3}\nend A\nend B\nend B_init\n");
}

/* One event moves, so that everything is copied. */
Test(init_timestamp, copies_of_every_type_of_message_equal_the_originals)
{
	static const char *const params[] = { "", "mode=window" };
	g_autoptr(test_graph) plain = test_graph_create(EVERY_MESSAGE_DECLARATIONS EVERY_MESSAGE);
	g_autofree char *expected =
		g_strdup_printf("begin A\nbegin A_init\n"
				"event A_init ros2_caret:rcl_node_init 9 {init_timestamp=9}\n%send A\nend A_init\n",
				test_graph_run(plain));

	for (size_t i = 0; i < G_N_ELEMENTS(params); i++) {
		assert_becomes(EVERY_MESSAGE_DECLARATIONS
			       "stream A every_T\nclass n A ros2_caret:rcl_node_init init_timestamp:i64\n"
			       "begin A\n" EVERY_MESSAGE "event A n 50 init_timestamp=9\nend A\n",
			       params[i], expected);
	}
}

Test(init_timestamp, in_one_pass_what_lies_in_the_window_moves_exactly)
{
	assert_becomes(BARE "norewind\nbegin A\nevent A r 1000\nevent A r 1050\nevent A n 1099 init_timestamp=1001\n"
			    "event A r 1150\nend A\n",
		       "window=100ns",
		       "begin A\nevent A ros2:callback_start 1000 {callback=0}\n"
		       "begin A_init\nevent A_init ros2_caret:rcl_node_init 1001 {node_handle=0 init_timestamp=1001}\n"
		       "event A ros2:callback_start 1050 {callback=0}\nevent A ros2:callback_start 1150 {callback=0}\n"
		       "end A\nend A_init\n");
}

Test(init_timestamp, in_one_pass_what_comes_too_late_moves_as_far_as_order_allows)
{
	/* batches end at "again": until then the event at 1000 has left */
	assert_becomes(BARE "norewind\nbegin A\nevent A r 1000\nevent A r 1050\nevent A r 1150\nagain\n"
			    "event A n 1160 init_timestamp=900\nend A\n",
		       "window=100ns",
		       "begin A\nevent A ros2:callback_start 1000 {callback=0}\nevent A ros2:callback_start 1050 "
		       "{callback=0}\n"
		       "again\n"
		       "begin A_init\nevent A_init ros2_caret:rcl_node_init 1050 {node_handle=0 init_timestamp=900}\n"
		       "event A ros2:callback_start 1150 {callback=0}\nend A\nend A_init\n");
}

Test(init_timestamp, in_one_pass_the_place_is_rounded_to_a_tick_that_keeps_the_order)
{
	/* ticks of U are 1 us: the first one not before 5500 ns is 6 */
	assert_becomes("norewind\ntrace T\ntrace U frequency=1000000\nstream A T\nstream B U\n"
		       "class r A ros2:callback_start callback:u64\n"
		       "class n B ros2_caret:rcl_node_init init_timestamp:i64\n"
		       "begin A\nbegin B\nevent A r 5500\nagain\nevent B n 9 init_timestamp=2\nend A\nend B\n",
		       "window=0s",
		       "begin A\nbegin B\nevent A ros2:callback_start 5500 {callback=0}\nagain\n"
		       "begin B_init\nevent B_init ros2_caret:rcl_node_init 6000 {init_timestamp=2}\n"
		       "end A\nend B\nend B_init\n");
}

Test(init_timestamp, in_one_pass_inactivity_lets_held_messages_go)
{
	assert_becomes(BARE "norewind\nbegin A\nevent A r 1000\nagain\ninactivity T 1100\nagain\nend A\n",
		       "window=100ns",
		       "begin A\nagain\nevent A ros2:callback_start 1000 {callback=0}\nagain\n"
		       "inactivity 1100\nend A\n");
}

Test(init_timestamp, two_passes_need_something_to_read_twice)
{
	g_autoptr(test_graph) graph = test_graph_create(BARE "norewind\nbegin A\nend A\n");

	cr_assert(test_graph_add(graph, "init-timestamp", "mode=two-pass"));
	cr_assert_str_eq(test_graph_run(graph), "error\n");
	cr_assert(strstr(test_graph_error(graph), "two-pass"));
}

Test(init_timestamp, a_failure_upstream_is_passed_on)
{
	g_autofree char *first = run(BARE "begin A\nevent A n 5 init_timestamp=1\nfail\n", "");
	g_autofree char *held = run(BARE "begin A\nevent A r 4\nevent A n 5 init_timestamp=1\nfail\n", "mode=window");

	cr_assert_str_eq(first, "error\n");
	cr_assert(g_str_has_suffix(held, "error\n"));
}

Test(init_timestamp, wrong_parameters_are_refused_by_name)
{
	static const char *const wrong[] = { "mode=three-pass", "window=later", "wndow=1s" };

	for (size_t i = 0; i < G_N_ELEMENTS(wrong); i++) {
		g_autoptr(test_graph) graph = test_graph_create(BARE);

		cr_expect_not(test_graph_add(graph, "init-timestamp", wrong[i]));
		cr_expect_str_neq(test_graph_error(graph), "");
	}
}

static int compare_text(gconstpointer a, gconstpointer b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The events of a text without stream and time, sorted. */
static char *contents(const char *text)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	g_autoptr(GPtrArray) events = g_ptr_array_new();
	g_autoptr(GString) joined = g_string_new(NULL);

	for (char **line = lines; *line; line++) {
		char *fields = strchr(*line, '{');

		if (g_str_has_prefix(*line, "event ") && fields) {
			g_ptr_array_add(events, fields);
		}
	}
	g_ptr_array_sort(events, compare_text);
	for (guint i = 0; i < events->len; i++) {
		g_string_append_printf(joined, "%s\n", (char *)events->pdata[i]);
	}
	return g_string_free(g_steal_pointer(&joined), FALSE);
}

static char *random_script(GRand *random)
{
	GString *script = g_string_new(PACKETS "stream B T packets @cpu_id:u32\n"
					       "class m B ros2_caret:rcl_node_init node_handle:u64 init_timestamp:i64\n"
					       "begin A\nbegin B\n");
	int now = 1000;

	for (int packet = 0; packet < 20; packet++) {
		const char *stream = packet % 2 ? "B" : "A";

		g_string_append_printf(script, "open %s %d cpu_id=%d\n", stream, now, packet % 3);
		for (int i = 0; i < 30; i++) {
			int back = g_rand_int_range(random, -2, g_rand_boolean(random) ? 20 : 900);

			now += g_rand_int_range(random, 0, 3);
			g_string_append_printf(script, "event %s %s %d node_handle=%d init_timestamp=%d\n", stream,
					       packet % 2 ? "m" : "n", now, packet * 100 + i, now - back);
		}
		g_string_append_printf(script, "close %s %d\n", stream, now);
	}
	g_string_append(script, "end A\nend B\n");
	return g_string_free(script, FALSE);
}

Test(init_timestamp, output_is_a_sorted_permutation_of_the_input)
{
	static const char *const params[] = { "", "mode=window window=10ns", "mode=window window=300ns" };
	g_autoptr(GRand) random = g_rand_new_with_seed(11);

	for (int round = 0; round < 30; round++) {
		g_autofree char *script = random_script(random);
		g_autoptr(test_graph) plain = test_graph_create(script);
		g_autofree char *before = contents(test_graph_run(plain));

		for (size_t i = 0; i < G_N_ELEMENTS(params); i++) {
			g_autofree char *text = run(script, params[i]);
			g_autofree char *after = contents(text);

			/* the sink of the test checks the order */
			cr_assert_not(strstr(text, "broken"), "%s", strstr(text, "broken"));
			cr_assert_not(strstr(text, "error"));
			cr_assert_str_eq(after, before);
		}
	}
}
