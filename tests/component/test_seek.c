/* SPDX-License-Identifier: MIT */
/*
 * All filters under a seek: to a time, as filter.utils.trimmer asks for it, goes to the beginning and reads on from
 * there, beyond the end if the time is.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "support/test_graph.h"

#define SCRIPT                                                                                                         \
	"trace T hostname=robot uuid=7\n"                                                                              \
	"stream A T packets vpid:i32 vtid:i32 @cpu_id:u32\n"                                                           \
	"class n A ros2_caret:rcl_node_init node_handle:u64 rmw_handle:u64 node_name:str namespace:str "               \
	"init_timestamp:i64\n"                                                                                         \
	"class r A ros2:callback_start callback:u64 is_intra_process:i32\n"                                            \
	"begin A 1000\n"                                                                                               \
	"open A 1000\n"                                                                                                \
	"event A n 2000 vpid=5 vtid=5 node_handle=1 node_name=a init_timestamp=1500\n"                                 \
	"event A n 2100 vpid=5 vtid=5 node_handle=1 node_name=a init_timestamp=1500\n"                                 \
	"event A r 3000 vpid=5 vtid=5 callback=1\n"                                                                    \
	"event A r 4000 vpid=5 vtid=5 callback=2\n"                                                                    \
	"close A 5000\n"                                                                                               \
	"end A 5000\n"

static const char *const filters[][2] = {
	{ "dedup", "" },	   { "init-timestamp", "" }, { "init-timestamp", "mode=window" }, { "flow", "" },
	{ "flow", "mode=events" }, { "normalize", "" },	     { "normalize", "mode=window" },
};

static char *run(size_t filter, const char *begin)
{
	g_autoptr(test_graph) graph = test_graph_create(SCRIPT);

	cr_assert(test_graph_add(graph, filters[filter][0], filters[filter][1]), "%s", test_graph_error(graph));
	test_graph_add_trimmer(graph, begin);
	return g_strdup(test_graph_run(graph));
}

Test(seek, beyond_the_end_no_filter_asks_again_what_has_ended)
{
	for (size_t i = 0; i < G_N_ELEMENTS(filters); i++) {
		g_autofree char *text = run(i, "1.0");

		cr_expect_not(strstr(text, "error"), "%s %s: %s", filters[i][0], filters[i][1], text);
		cr_expect_not(strstr(text, "event"), "%s %s: %s", filters[i][0], filters[i][1], text);
	}
}

Test(seek, events_behind_the_time_come)
{
	for (size_t i = 0; i < G_N_ELEMENTS(filters); i++) {
		g_autofree char *text = run(i, "0.000003500");

		cr_expect_not(strstr(text, "error"), "%s %s: %s", filters[i][0], filters[i][1], text);
		cr_expect_not(strstr(text, "broken"), "%s %s: %s", filters[i][0], filters[i][1], text);
		cr_expect(strstr(text, "callback=2"), "%s %s: %s", filters[i][0], filters[i][1], text);
		cr_expect_not(strstr(text, "callback=1"), "%s %s: %s", filters[i][0], filters[i][1], text);
	}
}

/* What moved in the first of two passes is in the same trace as what passes in the second. */
Test(seek, filters_before_one_that_reads_twice_give_the_same_traces_again)
{
	for (size_t i = 0; i < G_N_ELEMENTS(filters); i++) {
		g_autoptr(test_graph) graph = test_graph_create(SCRIPT);
		const char *text;

		cr_assert(test_graph_add(graph, filters[i][0], filters[i][1]));
		cr_assert(test_graph_add(graph, "init-timestamp", "mode=two-pass"));
		cr_assert(test_graph_add(graph, "flow", ""));
		cr_assert(test_graph_add(graph, "init-timestamp", "mode=two-pass"));
		text = test_graph_run(graph);
		cr_expect_not(strstr(text, "error"), "%s %s: %s", filters[i][0], filters[i][1], text);
		cr_expect_not(strstr(text, "broken"), "%s %s: %s", filters[i][0], filters[i][1], text);
	}
}
