/* SPDX-License-Identifier: MIT */
/* filter.ros2.normalize in a graph: messages in, messages out. What becomes of which event is tested with the rules. */
#include <criterion/criterion.h>
#include <string.h>

#include "support/every_message.h"
#include "support/test_graph.h"

#define HEAD                                                                                                           \
	"trace T hostname=robot\n"                                                                                     \
	"stream A T packets lost vpid:i32 vtid:i32 @cpu_id:u32\n"

#define PUBLISHER                                                                                                      \
	"class i A ros2:rcl_init context_handle:u64 version:str\n"                                                     \
	"class p A ros2:rcl_publisher_init publisher_handle:u64 node_handle:u64 rmw_publisher_handle:u64 "             \
	"topic_name:str queue_depth:u64\n"                                                                             \
	"class r A ros2:rcl_publish publisher_handle:u64 message:u64\n"                                                \
	"class w A ros2:rmw_publish message:u64\n"                                                                     \
	"class g A ros2:rmw_publisher_init rmw_publisher_handle:u64 'gid:u8[16]'\n"

#define TAKE                                                                                                           \
	"class s A ros2:rcl_subscription_init subscription_handle:u64 node_handle:u64 rmw_subscription_handle:u64 "    \
	"topic_name:str queue_depth:u64\n"                                                                             \
	"class j A ros2:rmw_subscription_init rmw_subscription_handle:u64 'gid:u8[16]'\n"                              \
	"class t A ros2:rmw_take rmw_subscription_handle:u64 message:u64 source_timestamp:i64 taken:i32\n"

/* Process 1 publishes on /t at 100, process 2 takes that at 200. */
#define HUMBLE                                                                                                         \
	HEAD PUBLISHER TAKE                                                                                            \
		"begin A\n"                                                                                            \
		"open A 1 cpu_id=3\n"                                                                                  \
		"event A i 1 vpid=1 vtid=1 version=8.0.0\n"                                                            \
		"event A g 2 vpid=1 vtid=1 rmw_publisher_handle=11 gid=1;2\n"                                          \
		"event A p 3 vpid=1 vtid=1 publisher_handle=10 rmw_publisher_handle=11 topic_name=/t\n"                \
		"event A i 4 vpid=2 vtid=2 version=8.0.0\n"                                                            \
		"event A j 5 vpid=2 vtid=2 rmw_subscription_handle=21\n"                                               \
		"event A s 6 vpid=2 vtid=2 subscription_handle=20 rmw_subscription_handle=21 topic_name=/t\n"
#define HUMBLE_END                                                                                                     \
	"event A r 99 vpid=1 vtid=1 publisher_handle=10 message=30\n"                                                  \
	"event A w 100 vpid=1 vtid=1 message=30\n"                                                                     \
	"inactivity T 160\n"                                                                                           \
	"event A t 200 vpid=2 vtid=2 rmw_subscription_handle=21 message=40 source_timestamp=101 taken=1\n"             \
	"close A 300\n"                                                                                                \
	"end A\n"

#define PUBLISHED                                                                                                      \
	"event A ros2:rmw_publish 100 {vpid=1 vtid=1} {+normalized=3 +recorded_as=0} "                                 \
	"{rmw_publisher_handle=11 message=30 timestamp=101}"

/* Whether each line of `lines` is in the text, in this order. */
static void assert_lines(const char *text, const char *const *lines)
{
	const char *rest = text;

	for (size_t i = 0; lines[i]; i++) {
		const char *found = strstr(rest, lines[i]);

		cr_assert(found, "%s\nis not in (or not after the line before)\n%s", lines[i], text);
		rest = found + strlen(lines[i]);
	}
	cr_assert_not(strstr(text, "broken"), "%s", text);
	cr_assert_not(strstr(text, "error"), "%s", text);
}

#define ASSERT_LINES(text, ...) assert_lines((text), (const char *const[]){ __VA_ARGS__, NULL })

static const char *run(test_graph *graph, const char *params)
{
	cr_assert(test_graph_add(graph, "normalize", params), "%s", test_graph_error(graph));
	return test_graph_run(graph);
}

Test(normalize, what_needs_no_change_passes_unchanged)
{
	g_autoptr(test_graph) graph =
		test_graph_create(HEAD PUBLISHER "class x A other:event +n:u8 a:str\n"
						 "begin A\n"
						 "lost A 1 9 7\n"
						 "open A 1 cpu_id=3\n"
						 "event A x 2 vpid=1 vtid=1 n=4 a=hello\n"
						 "event A i 5 vpid=1 vtid=1 context_handle=9 version=8.2.2\n"
						 "close A 9\n"
						 "inactivity T 10\n"
						 "end A\n");

	cr_assert_str_eq(run(graph, ""), "begin A\n"
					 "lost A 1 9 7\n"
					 "open A 1 {cpu_id=3}\n"
					 "event A other:event 2 {vpid=1 vtid=1} {+n=4} {a='hello'}\n"
					 "event A ros2:rcl_init 5 {vpid=1 vtid=1} {context_handle=9 version='8.2.2'}\n"
					 "close A 9\n"
					 "inactivity 10\n"
					 "end A\n");
}

Test(normalize, every_type_of_message_is_copied_as_it_is)
{
	static const char *const params[] = { "", "mode=window" };
	static const char script[] = HEAD PUBLISHER EVERY_MESSAGE_DECLARATIONS
		"begin A\nopen A 1\nevent A i 2 version=8.2.2\nclose A 3\n" EVERY_MESSAGE "end A\n";
	g_autoptr(test_graph) plain = test_graph_create(script);
	const char *expected = test_graph_run(plain);

	for (size_t i = 0; i < G_N_ELEMENTS(params); i++) {
		g_autoptr(test_graph) graph = test_graph_create(script);

		cr_assert_str_eq(run(graph, params[i]), expected);
	}
}

Test(normalize, events_of_caret_get_their_name_and_what_is_missing_is_supplied)
{
	g_autoptr(test_graph) graph = test_graph_create(
		HEAD
		"class i A ros2_caret:rcl_init context_handle:u64 init_timestamp:i64\n"
		"class p A ros2_caret:rcl_publisher_init publisher_handle:u64 node_handle:u64 "
		"rmw_publisher_handle:u64 topic_name:str queue_depth:u64 init_timestamp:i64\n"
		"begin A\n"
		"open A 1\n"
		"event A i 2 vpid=1 vtid=1 context_handle=9 init_timestamp=2\n"
		"event A p 3 vpid=1 vtid=1 publisher_handle=10 node_handle=12 rmw_publisher_handle=11 topic_name=/t "
		"queue_depth=5 init_timestamp=3\n"
		"close A 9\n"
		"end A\n");

	cr_assert_str_eq(run(graph, ""),
			 "begin A\n"
			 "open A 1 {cpu_id=0}\n"
			 "event A ros2:rcl_init 2 {vpid=1 vtid=1} {+normalized=1 +recorded_as=0} {context_handle=9 "
			 "version='8.4.0' init_timestamp=2}\n"
			 "event A ros2:rmw_publisher_init 3 {vpid=1 vtid=1} {+normalized=2} "
			 "{rmw_publisher_handle=11 gid=0;0;0;0;0;0;0;0;0;0;0;0;0;0;0;0}\n"
			 "event A ros2:rcl_publisher_init 3 {vpid=1 vtid=1} {+normalized=1 +recorded_as=0} "
			 "{publisher_handle=10 node_handle=12 rmw_publisher_handle=11 topic_name='/t' queue_depth=5 "
			 "init_timestamp=3}\n"
			 "close A 9\n"
			 "end A\n");
}

Test(normalize, a_timestamp_told_later_is_found_in_two_passes)
{
	g_autoptr(test_graph) graph = test_graph_create(HUMBLE HUMBLE_END);

	ASSERT_LINES(run(graph, "mode=two-pass"), "event A ros2:rcl_publish 99 ", PUBLISHED,
		     "event A ros2:rmw_take 200 ", "close A 300\n", "end A\n");
}

Test(normalize, a_timestamp_told_later_is_found_in_a_window_where_upstream_cannot_go_back)
{
	g_autoptr(test_graph) graph = test_graph_create("norewind\n" HUMBLE "again\n" HUMBLE_END);

	ASSERT_LINES(run(graph, "window=1us"), "again\n", PUBLISHED, "event A ros2:rmw_take 200 ", "end A\n");
}

Test(normalize, a_timestamp_told_behind_the_window_stays_unknown)
{
	g_autoptr(test_graph) graph = test_graph_create(HUMBLE HUMBLE_END);

	ASSERT_LINES(run(graph, "mode=window window=50ns"),
		     "event A ros2:rmw_publish 100 {vpid=1 vtid=1} {+normalized=4 +recorded_as=0} {", "timestamp=-1",
		     "event A ros2:rmw_take 200 ");
}

Test(normalize, two_passes_are_refused_where_upstream_cannot_go_back)
{
	g_autoptr(test_graph) graph = test_graph_create("norewind\n" HUMBLE HUMBLE_END);

	cr_assert(strstr(run(graph, "mode=two-pass"), "error\n"));
	cr_assert(strstr(test_graph_error(graph), "mode=window"), "%s", test_graph_error(graph));
}

Test(normalize, the_second_of_two_filters_finds_nothing_to_do)
{
	g_autoptr(test_graph) once = test_graph_create(HUMBLE HUMBLE_END);
	g_autoptr(test_graph) twice = test_graph_create(HUMBLE HUMBLE_END);

	cr_assert(test_graph_add(twice, "normalize", ""));
	cr_assert_str_eq(run(twice, ""), run(once, ""));
}

Test(normalize, a_changed_event_keeps_the_context_it_had)
{
	g_autoptr(test_graph) graph =
		test_graph_create(HEAD "class i A ros2:rcl_init +flow_id:u64 context_handle:u64 version:str\n"
				       "begin A\n"
				       "open A 1\n"
				       "event A i 2 vpid=1 vtid=1 flow_id=77 context_handle=9 version=4.1.1\n"
				       "close A 9\n"
				       "end A\n");

	ASSERT_LINES(run(graph, ""),
		     "event A ros2:rcl_init 2 {vpid=1 vtid=1} {+flow_id=77 +normalized=1 +recorded_as=0} "
		     "{context_handle=9 version='8.4.0' recorded_version='4.1.1'}\n");
}

Test(normalize, empty_takes_and_rosout_are_left_out_on_request)
{
	g_autoptr(test_graph) graph = test_graph_create(
		HEAD PUBLISHER TAKE "begin A\n"
				    "open A 1\n"
				    "event A i 1 vpid=1 vtid=1 version=8.0.0\n"
				    "event A p 3 vpid=1 vtid=1 publisher_handle=10 rmw_publisher_handle=11 "
				    "topic_name=/rosout\n"
				    "event A t 4 vpid=1 vtid=1 rmw_subscription_handle=21 message=40\n"
				    "event A r 5 vpid=1 vtid=1 publisher_handle=10 message=30\n"
				    "close A 9\n"
				    "end A\n");

	cr_assert_str_eq(run(graph, "drop-empty-takes=yes drop-rosout=yes"),
			 "begin A\n"
			 "open A 1 {cpu_id=0}\n"
			 "event A ros2:rcl_init 1 {vpid=1 vtid=1} {context_handle=0 version='8.0.0'}\n"
			 "close A 9\n"
			 "end A\n");
}

Test(normalize, ids_that_containers_share_become_unique_in_all_events)
{
	g_autoptr(test_graph) graph = test_graph_create("trace T hostname=robot\n"
							"stream A T vpid:i32 vtid:i32 pid_ns:u64\n"
							"class i A ros2:rcl_init context_handle:u64 version:str\n"
							"class x A other:event a:u8\n"
							"begin A\n"
							"event A i 1 vpid=1 vtid=1 pid_ns=100 version=8.2.2\n"
							"event A i 2 vpid=1 vtid=7 pid_ns=200 version=8.2.2\n"
							"event A x 3 vpid=1 vtid=1 pid_ns=200\n"
							"event A x 4 vpid=1 vtid=1 pid_ns=100\n"
							"end A\n");

	ASSERT_LINES(run(graph, ""), "event A ros2:rcl_init 1 {vpid=1 vtid=1 pid_ns=100}",
		     "event A ros2:rcl_init 2 {vpid=1004194305 vtid=7 pid_ns=200}",
		     "event A other:event 3 {vpid=1004194305 vtid=1004194305 pid_ns=200}",
		     "event A other:event 4 {vpid=1 vtid=1 pid_ns=100}");
}

Test(normalize, streams_without_packets_or_clock_pass)
{
	g_autoptr(test_graph) graph = test_graph_create("trace T noclock\n"
							"stream A T vpid:i32 vtid:i32\n"
							"class w A ros2:rmw_publish message:u64\n"
							"begin A\n"
							"event A w 0 vpid=1 vtid=1 message=30\n"
							"end A\n");

	ASSERT_LINES(run(graph, ""), "begin A\n", "event A ros2:rmw_publish - {vpid=1 vtid=1} {message=30}\n",
		     "end A\n");
}

Test(normalize, events_are_changed_and_supplied_in_streams_without_packets_too)
{
	g_autoptr(test_graph) graph = test_graph_create(
		"trace T hostname=robot\n"
		"stream A T vpid:i32 vtid:i32\n"
		"class i A ros2_caret:rcl_init context_handle:u64 init_timestamp:i64\n"
		"class p A ros2_caret:rcl_publisher_init publisher_handle:u64 node_handle:u64 "
		"rmw_publisher_handle:u64 topic_name:str queue_depth:u64 init_timestamp:i64\n"
		"begin A\n"
		"event A i 2 vpid=1 vtid=1 context_handle=9 init_timestamp=2\n"
		"event A p 3 vpid=1 vtid=1 publisher_handle=10 rmw_publisher_handle=11 topic_name=/t init_timestamp=3\n"
		"end A\n");

	ASSERT_LINES(run(graph, ""), "begin A\n",
		     "event A ros2:rcl_init 2 {vpid=1 vtid=1} {+normalized=1 +recorded_as=0} ",
		     "event A ros2:rmw_publisher_init 3 {vpid=1 vtid=1} {+normalized=2} ",
		     "event A ros2:rcl_publisher_init 3 {vpid=1 vtid=1} {+normalized=1 +recorded_as=0} ", "end A\n");
}

#define INTRA_PROCESS                                                                                                  \
	HEAD PUBLISHER "class q A ros2:rclcpp_intra_publish publisher_handle:u64 message:u64\n"                        \
		       "begin A\n"                                                                                     \
		       "open A 1\n"                                                                                    \
		       "event A i 1 vpid=1 vtid=1 version=8.2.2\n"                                                     \
		       "event A q 3 vpid=1 vtid=1 publisher_handle=10 message=30\n"                                    \
		       "close A 9\n"                                                                                   \
		       "end A\n"

Test(normalize, as_inter_process_twice_is_refused)
{
	g_autoptr(test_graph) once = test_graph_create(INTRA_PROCESS);
	g_autoptr(test_graph) kept = test_graph_create(INTRA_PROCESS);
	g_autoptr(test_graph) twice = test_graph_create(INTRA_PROCESS);
	const char *text;

	cr_assert(test_graph_add(kept, "normalize", "intra-process=as-inter-process"));
	cr_assert(test_graph_add(twice, "normalize", "intra-process=as-inter-process"));
	text = run(once, "intra-process=as-inter-process");
	cr_assert(strstr(text, "event A ros2:rcl_publish 3 "), "%s", text);
	cr_assert_str_eq(run(kept, ""), text);
	cr_assert(strstr(run(twice, "intra-process=as-inter-process"), "error\n"));
	cr_assert(strstr(test_graph_error(twice), "in one of them only"), "%s", test_graph_error(twice));
}

Test(normalize, a_failure_upstream_is_passed_on)
{
	g_autoptr(test_graph) two_pass = test_graph_create(HUMBLE "fail\n");
	g_autoptr(test_graph) window = test_graph_create("norewind\n" HUMBLE "fail\n");

	cr_assert(strstr(run(two_pass, ""), "error\n"));
	cr_assert(strstr(run(window, ""), "error\n"));
}

static void assert_refused(const char *params, const char *key)
{
	g_autoptr(test_graph) graph = test_graph_create(HUMBLE HUMBLE_END);

	cr_assert_not(test_graph_add(graph, "normalize", params));
	cr_assert(strstr(test_graph_error(graph), key), "%s", test_graph_error(graph));
}

Test(normalize, unknown_parameters_and_values_are_refused_by_name)
{
	assert_refused("drop-empty-take=yes", "drop-empty-take");
	assert_refused("drop-rosout=5", "drop-rosout");
	assert_refused("intra-process=none", "intra-process");
	assert_refused("window=soon", "window");
}
