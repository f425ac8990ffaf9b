/* SPDX-License-Identifier: MIT */
/* The merge of a sink's ports, beside filter.utils.muxer where that does the same in all versions of babeltrace2. */
#include <criterion/criterion.h>
#include <string.h>

#include "support/test_graph.h"

/* A trace of one stream S; the event class is e. */
#define TRACE(T, S, OPTIONS)                                                                                           \
	"trace " T " " OPTIONS "\nstream " S " " T " packets lost lostpackets\nclass e" S " " S " e x:u64\n"

static struct test_graph *graph_of(const char *const *scripts)
{
	struct test_graph *graph = test_graph_create(scripts[0]);

	for (size_t i = 1; scripts[i]; i++) {
		test_graph_add_source(graph, scripts[i]);
	}
	return graph;
}

static char *merged(const char *const *scripts)
{
	g_autoptr(test_graph) graph = graph_of(scripts);

	return g_strdup(test_graph_run(graph));
}

static char *muxed(const char *const *scripts)
{
	g_autoptr(test_graph) graph = graph_of(scripts);

	test_graph_add_muxer(graph);
	return g_strdup(test_graph_run(graph));
}

static void assert_as_muxer(const char *const *scripts)
{
	g_autofree char *expected = muxed(scripts);
	g_autofree char *text = merged(scripts);

	cr_assert_str_eq(text, expected);
	cr_assert_not(strstr(text, "broken"), "%s", text);
	cr_assert_not(strstr(text, "error"), "%s", text);
}

#define ASSERT_AS_MUXER(...) assert_as_muxer((const char *const[]){ __VA_ARGS__, NULL })
#define MERGED(...) merged((const char *const[]){ __VA_ARGS__, NULL })

Test(message_merge, messages_come_in_order_of_time)
{
	g_autofree char *text =
		MERGED(TRACE("T", "A", "") "begin A\nopen A 1\nevent A eA 2\nevent A eA 5\nclose A 7\nend A\n",
		       TRACE("U", "B", "") "begin B\nopen B 3\nevent B eB 4\nevent B eB 6\nclose B 8\nend B\n");

	cr_assert_str_eq(text, "begin A\nbegin B\nopen A 1\nevent A e 2 {x=0}\nopen B 3\nevent B e 4 {x=0}\n"
			       "event A e 5 {x=0}\nevent B e 6 {x=0}\nclose A 7\nend A\nclose B 8\nend B\n");
}

Test(message_merge, clocks_of_several_hosts_count_with_their_offsets)
{
	ASSERT_AS_MUXER(TRACE("T", "A", "offset=5") "begin A\nopen A 100\nevent A eA 200\nclose A 300\nend A\n",
			TRACE("U", "B",
			      "offset=4 cycles=999999950") "begin B\nopen B 140\nevent B eB 250\nclose B 350\nend B\n",
			TRACE("V", "C", "frequency=1000") "begin C\nopen C 5000\nclose C 5001\nend C\n");
}

Test(message_merge, more_than_a_batch_on_each_of_many_ports)
{
	enum { PORTS = 40, EVENTS = 200 };
	g_autoptr(GPtrArray) scripts = g_ptr_array_new_with_free_func(g_free);

	for (int port = 0; port < PORTS; port++) {
		GString *script = g_string_new(NULL);

		g_string_printf(script, TRACE("T%d", "A", "traceuuid=%d") "begin A\nopen A %d\n", port, port, port,
				port);
		for (int i = 1; i <= EVENTS; i++) {
			g_string_append_printf(script, "event A eA %d x=%d\n", port + 7 * i, port);
		}
		g_string_append(script, "close A 9999\nend A\n");
		g_ptr_array_add(scripts, g_string_free(script, FALSE));
	}
	g_ptr_array_add(scripts, NULL);
	assert_as_muxer((const char *const *)scripts->pdata);
}

Test(message_merge, equal_times_come_in_order_of_trace_stream_and_type)
{
	/* UUID before name, whatever the order of the ports */
	ASSERT_AS_MUXER(TRACE("a", "A", "traceuuid=9") "begin A 5\nopen A 5\nevent A eA 5\nclose A 5\nend A 5\n",
			TRACE("c", "C", "") "begin C 5\nopen C 5\nevent C eC 5\nclose C 5\nend C 5\n",
			TRACE("b", "B", "traceuuid=2") "begin B 5\nopen B 5\nevent B eB 5\nclose B 5\nend B 5\n",
			TRACE("aa", "D", "") "begin D 5\nopen D 5\nevent D eD 5\nclose D 5\nend D 5\n");
	/* one trace: ids of the streams' classes; the second port has the id 1 only */
	ASSERT_AS_MUXER("trace T\nstream Y T\nstream A T\nclass e A e x:u64\nbegin A 5\nevent A e 5\nend A 5\n",
			"trace T\nstream B T\nclass e B e x:u64\nbegin B 5\nevent B e 5\nend B 5\n");
	/* one class of streams: their ids */
	ASSERT_AS_MUXER("trace T\nstream A T id=3\nclass e A e x:u64\nbegin A 5\nevent A e 5\nend A 5\n",
			"trace T\nstream B T id=2\nclass e B e x:u64\nbegin B 5\nevent B e 5\nend B 5\n");
	/* one stream, as it seems: types, then event classes */
	ASSERT_AS_MUXER(
		TRACE("T", "A", "") "begin A 5\nlost A 5 6 3\nopen A 5\nclose A 6\nend A 6\n",
		TRACE("T", "A", "") "begin A 4\nopen A 5\nevent A eA 5\nclose A 5\nlostpackets A 5 6 1\nend A 6\n");
	ASSERT_AS_MUXER("trace T\nstream A T\nclass o A other\nclass e A e x:u64\nbegin A 1\nevent A e 5\nend A 9\n",
			"trace T\nstream A T\nclass e A e x:u64\nbegin A 2\nevent A e 5\nend A 8\n");
}

Test(message_merge, inactivity_has_its_place_too)
{
	ASSERT_AS_MUXER(TRACE("T", "A", "") "begin A 1\nopen A 2\nclose A 4\nend A 9\n",
			TRACE("U", "B", "") "inactivity U 1\ninactivity U 3\ninactivity U 4\n",
			TRACE("V", "C", "traceuuid=1") "inactivity V 4\nbegin C 4\nend C 5\n");
}

/* What babeltrace2 2.1 puts before everything, 2.0 and the fast reader put where it would stand with the time before.
 */
Test(message_merge, a_message_without_time_has_that_of_the_one_before)
{
	g_autofree char *text = MERGED(TRACE("T", "A", "traceuuid=2") "begin A\nopen A 1\nclose A 5\nend A\n",
				       TRACE("U", "B", "traceuuid=1") "begin B\nopen B 5\nclose B 5\nend B\n");

	cr_assert_str_eq(text, "begin B\nbegin A\nopen A 1\nopen B 5\nclose B 5\nend B\nclose A 5\nend A\n");
}

Test(message_merge, a_random_mixture_comes_as_from_the_muxer)
{
	g_autoptr(GRand) random = g_rand_new_with_seed(20261121);

	for (int round = 0; round < 50; round++) {
		g_autoptr(GPtrArray) scripts = g_ptr_array_new_with_free_func(g_free);
		int ports = g_rand_int_range(random, 2, 9);

		for (int port = 0; port < ports; port++) {
			GString *script = g_string_new(NULL);
			int time = g_rand_int_range(random, 0, 5);

			g_string_printf(script, TRACE("T%d", "A", "traceuuid=%d") "begin A %d\n", port,
					g_rand_int_range(random, 0, 4), port, time);
			for (int packet = g_rand_int_range(random, 0, 4); packet > 0; packet--) {
				g_string_append_printf(script, "open A %d\n", time);
				for (int event = g_rand_int_range(random, 0, 20); event > 0; event--) {
					time += g_rand_int_range(random, 0, 3);
					g_string_append_printf(script, "event A eA %d x=%d\n", time, port);
				}
				g_string_append_printf(script, "close A %d\n", time);
				if (g_rand_boolean(random)) {
					g_string_append_printf(script, "lost A %d %d 1\n", time, time + 1);
				}
			}
			g_string_append_printf(script, "end A %d\n", time);
			g_ptr_array_add(scripts, g_string_free(script, FALSE));
		}
		g_ptr_array_add(scripts, NULL);
		assert_as_muxer((const char *const *)scripts->pdata);
	}
}

Test(message_merge, again_waits_for_the_port_that_said_so)
{
	g_autofree char *text =
		MERGED(TRACE("T", "A", "") "begin A 1\nagain\nopen A 3\nclose A 4\nend A 5\n",
		       TRACE("U", "B", "") "again\nagain\nbegin B 2\nopen B 3\nagain\nclose B 6\nend B 7\n");

	cr_assert_str_eq(text, "again\nagain\nbegin A 1\nagain\nbegin B 2\nopen A 3\nopen B 3\nagain\n"
			       "close A 4\nend A 5\nclose B 6\nend B 7\n");
}

Test(message_merge, ports_that_end_early_or_have_nothing_do_not_matter)
{
	ASSERT_AS_MUXER(TRACE("T", "A", ""), TRACE("U", "B", "") "begin B 1\nend B 1\n", TRACE("V", "C", ""),
			TRACE("W", "D", "") "begin D 2\nopen D 3\nclose D 4\nend D 5\n");
	ASSERT_AS_MUXER(TRACE("T", "A", ""), TRACE("U", "B", ""));
}

Test(message_merge, an_error_upstream_comes_after_what_was_before_it)
{
	g_autofree char *text = MERGED(TRACE("T", "A", "") "begin A 1\nopen A 2\nfail\n",
				       TRACE("U", "B", "") "begin B 1\nopen B 3\nclose B 4\nend B 5\n");

	cr_assert(g_str_has_prefix(text, "begin A 1\nbegin B 1\nopen A 2\nerror\n"), "%s", text);
}

static void assert_error(const char *one, const char *other, const char *cause)
{
	const char *const scripts[] = { one, other, NULL };
	g_autoptr(test_graph) graph = graph_of(scripts);
	const char *text = test_graph_run(graph);

	cr_assert(g_str_has_suffix(text, "error\n"), "%s", text);
	cr_assert(strstr(test_graph_error(graph), cause), "%s", test_graph_error(graph));
}

Test(message_merge, what_cannot_be_put_in_order_is_an_error)
{
	const char *good = TRACE("U", "B", "") "begin B 1\nopen B 3\nclose B 4\nend B 5\n";

	assert_error(TRACE("T", "A", "") "begin A 1\nopen A 4\nevent A eA 2\nclose A 5\nend A 5\n", good,
		     "the time of the stream A goes backwards from 4 to 2 ns");
	assert_error(TRACE("T", "A", "offset=9223372036") "begin A\nopen A 999999999\nclose A 999999999\nend A\n", good,
		     "beyond 64-bit nanoseconds");
	assert_error(TRACE("T", "A", "unknownorigin uuid=4") "begin A\nend A\n", good, "different origins");
	assert_error(TRACE("T", "A", "unknownorigin uuid=4") "begin A\nend A\n",
		     TRACE("U", "B", "unknownorigin uuid=5") "begin B\nend B\n", "different origins");
	assert_error(TRACE("T", "A", "unknownorigin uuid=4") "inactivity T 4\n",
		     TRACE("U", "B", "unknownorigin") "begin B\nend B\n", "different origins");
}

Test(message_merge, one_clock_of_unknown_origin_is_good_for_all)
{
	ASSERT_AS_MUXER(TRACE("T", "A", "unknownorigin uuid=4") "begin A 1\nopen A 2\nclose A 4\nend A 4\n",
			TRACE("U", "B", "unknownorigin uuid=4") "begin B 1\nopen B 3\nclose B 5\nend B 5\n");
}

/* The muxer takes them only among themselves. */
Test(message_merge, streams_without_clock_are_taken_beside_others)
{
	g_autofree char *text =
		MERGED("trace T noclock\nstream A T\nclass e A e x:u64\nbegin A\nevent A e 0\nevent A e 0\nend A\n",
		       TRACE("U", "B", "") "begin B 1\nopen B 3\nclose B 4\nend B 5\n");

	cr_assert_str_eq(
		text,
		"begin A\nevent A e - {x=0}\nevent A e - {x=0}\nend A\nbegin B 1\nopen B 3\nclose B 4\nend B 5\n");
	ASSERT_AS_MUXER("trace T noclock\nstream A T\nclass e A e x:u64\nbegin A\nevent A e 0\nend A\n",
			"trace U noclock\nstream B U\nclass e B e x:u64\nbegin B\nevent B e 0\nend B\n");
}
