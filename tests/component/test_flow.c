/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <string.h>

#include "support/test_graph.h"

/* A publication that its subscription takes: the clock begins ten seconds before 1970. */
#define BEFORE_1970                                                                                                    \
	"trace T hostname=robot uuid=7 offset=-10\n"                                                                   \
	"stream A T vpid:i32 vtid:i32\n"                                                                               \
	"class s A ros2:rcl_subscription_init subscription_handle:u64 node_handle:u64 rmw_subscription_handle:u64 "    \
	"topic_name:str queue_depth:u64\n"                                                                             \
	"class p A ros2:rcl_publisher_init publisher_handle:u64 node_handle:u64 rmw_publisher_handle:u64 "             \
	"topic_name:str queue_depth:u64\n"                                                                             \
	"class w A ros2:rmw_publish rmw_publisher_handle:u64 message:u64 timestamp:i64\n"                              \
	"class t A ros2:rmw_take rmw_subscription_handle:u64 message:u64 source_timestamp:i64 taken:i32\n"             \
	"begin A\n"                                                                                                    \
	"event A s 1 vpid=1 vtid=1 subscription_handle=10 rmw_subscription_handle=11 topic_name=/t queue_depth=5\n"    \
	"event A p 2 vpid=2 vtid=2 publisher_handle=20 rmw_publisher_handle=21 topic_name=/t queue_depth=5\n"          \
	"event A w 3 vpid=2 vtid=2 rmw_publisher_handle=21 message=7 timestamp=99\n"                                   \
	"event A t 4 vpid=1 vtid=1 rmw_subscription_handle=11 message=8 source_timestamp=99 taken=1\n"                 \
	"event A t 5 vpid=1 vtid=1 rmw_subscription_handle=11 message=8 taken=0\n"                                     \
	"end A\n"

Test(flow, events_of_links_stand_at_their_time_before_1970_too)
{
	g_autoptr(test_graph) graph = test_graph_create(BEFORE_1970);
	const char *text;

	cr_assert(test_graph_add(graph, "flow", "mode=events"), "%s", test_graph_error(graph));
	text = test_graph_run(graph);
	cr_assert_not(strstr(text, "broken"), "%s", text);
	cr_assert(strstr(text, "event - ros2_flow:link -9999999995 "), "%s", text);
	cr_assert_eq(strstr(strstr(text, "ros2_flow:link") + 1, "ros2_flow:link"), NULL, "%s", text);
}
