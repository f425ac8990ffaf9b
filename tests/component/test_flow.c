/* SPDX-License-Identifier: MIT */
/* filter.ros2.flow in a graph: messages in, messages out. Which events belong together is tested with the flow linker.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "support/every_message.h"
#include "support/test_graph.h"

#define CLASSES                                                                                                        \
	"class n A ros2:rcl_node_init node_handle:u64 rmw_handle:u64 node_name:str namespace:str\n"                    \
	"class P A ros2:rmw_publisher_init rmw_publisher_handle:u64 'gid:u8[16]'\n"                                    \
	"class p A ros2:rcl_publisher_init publisher_handle:u64 node_handle:u64 rmw_publisher_handle:u64 "             \
	"topic_name:str queue_depth:u64\n"                                                                             \
	"class S A ros2:rmw_subscription_init rmw_subscription_handle:u64 'gid:u8[16]'\n"                              \
	"class s A ros2:rcl_subscription_init subscription_handle:u64 node_handle:u64 rmw_subscription_handle:u64 "    \
	"topic_name:str queue_depth:u64\n"                                                                             \
	"class o A ros2:rclcpp_subscription_init subscription_handle:u64 subscription:u64\n"                           \
	"class c A ros2:rclcpp_subscription_callback_added subscription:u64 callback:u64\n"                            \
	"class w A ros2:rmw_publish rmw_publisher_handle:u64 message:u64 timestamp:i64\n"                              \
	"class t A ros2:rmw_take rmw_subscription_handle:u64 message:u64 source_timestamp:i64 taken:i32\n"             \
	"class b A ros2:callback_start callback:u64 is_intra_process:i32\n"                                            \
	"class e A ros2:callback_end callback:u64\n"                                                                   \
	"class x A other:event +mark:u8 text:str\n"

/* /talker of process 1 publishes on /t, /listener of process 2 subscribes to it. */
#define DEFINITIONS                                                                                                    \
	"event A n 1 vpid=1 vtid=1 node_handle=1 node_name=talker namespace=/\n"                                       \
	"event A P 2 vpid=1 vtid=1 rmw_publisher_handle=11 gid=1;2\n"                                                  \
	"event A p 3 vpid=1 vtid=1 publisher_handle=10 node_handle=1 rmw_publisher_handle=11 topic_name=/t\n"          \
	"event A n 4 vpid=2 vtid=2 node_handle=1 node_name=listener namespace=/\n"                                     \
	"event A S 5 vpid=2 vtid=2 rmw_subscription_handle=21\n"                                                       \
	"event A s 6 vpid=2 vtid=2 subscription_handle=20 node_handle=1 rmw_subscription_handle=21 topic_name=/t\n"    \
	"event A o 7 vpid=2 vtid=2 subscription_handle=20 subscription=22\n"                                           \
	"event A c 8 vpid=2 vtid=2 subscription=22 callback=23\n"

#define PUBLISHED "event A w 100 vpid=1 vtid=1 rmw_publisher_handle=11 message=30 timestamp=99\n"
#define TAKEN                                                                                                          \
	"event A t 200 vpid=2 vtid=2 rmw_subscription_handle=21 message=40 source_timestamp=99 taken=1\n"              \
	"event A b 210 vpid=2 vtid=2 callback=23\n"                                                                    \
	"event A e 250 vpid=2 vtid=2 callback=23\n"

#define HEAD "trace T hostname=robot\nstream A T packets lost lostpackets vpid:i32 vtid:i32 @cpu_id:u32\n" CLASSES
#define MESSAGE HEAD "begin A\nopen A 1 cpu_id=3\n" DEFINITIONS PUBLISHED TAKEN "close A 300\nend A\n"

static char *run(const char *script, const char *params)
{
	g_autoptr(test_graph) graph = test_graph_create(script);
	const char *text;

	cr_assert(test_graph_add(graph, "flow", params), "%s", test_graph_error(graph));
	text = test_graph_run(graph);
	cr_expect_not(strstr(text, "broken"), "%s", text);
	return g_strdup(text);
}

static char *run_plain(const char *script)
{
	g_autoptr(test_graph) graph = test_graph_create(script);

	return g_strdup(test_graph_run(graph));
}

static void assert_has(const char *text, const char *line)
{
	cr_assert(strstr(text, line), "%s\nis not in\n%s", line, text);
}

/* The lines of `text` that contain `word`, or those that do not. */
static char *lines_with(const char *text, const char *word, bool is_wanted)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	GString *chosen = g_string_new(NULL);

	for (size_t i = 0; lines[i]; i++) {
		if (lines[i][0] != '\0' && (strstr(lines[i], word) != NULL) == is_wanted) {
			g_string_append_printf(chosen, "%s\n", lines[i]);
		}
	}
	return g_string_free(chosen, FALSE);
}

Test(flow, all_events_of_a_message_tell_its_number_and_the_time_since_publish)
{
	g_autofree char *text = run(MESSAGE, "");

	assert_has(text,
		   "event A ros2:rmw_publish 100 {vpid=1 vtid=1} {+flow_id=1 +flow_parent_id=0 +flow_latency_ns=0} ");
	assert_has(text,
		   "event A ros2:rmw_take 200 {vpid=2 vtid=2} {+flow_id=1 +flow_parent_id=0 +flow_latency_ns=100} ");
	assert_has(text, "event A ros2:callback_start 210 {vpid=2 vtid=2} "
			 "{+flow_id=1 +flow_parent_id=0 +flow_latency_ns=110} ");
	assert_has(
		text,
		"event A ros2:callback_end 250 {vpid=2 vtid=2} {+flow_id=1 +flow_parent_id=0 +flow_latency_ns=150} ");
}

Test(flow, what_is_published_in_a_callback_names_the_flow_that_the_callback_handles)
{
	g_autofree char *text = run(
		HEAD "begin A\nopen A 1\n" DEFINITIONS "event A P 9 vpid=2 vtid=2 rmw_publisher_handle=13 gid=7\n"
		     "event A p 9 vpid=2 vtid=2 publisher_handle=12 node_handle=1 rmw_publisher_handle=13 "
		     "topic_name=/u\n" PUBLISHED
		     "event A t 200 vpid=2 vtid=2 rmw_subscription_handle=21 message=40 source_timestamp=99 taken=1\n"
		     "event A b 210 vpid=2 vtid=2 callback=23\n"
		     "event A w 220 vpid=2 vtid=2 rmw_publisher_handle=13 message=31 timestamp=219\n"
		     "event A e 250 vpid=2 vtid=2 callback=23\nclose A 300\nend A\n",
		"");

	assert_has(text,
		   "event A ros2:rmw_publish 220 {vpid=2 vtid=2} {+flow_id=2 +flow_parent_id=1 +flow_latency_ns=0} ");
}

Test(flow, events_of_no_known_message_say_so)
{
	g_autofree char *text = run(HEAD "begin A\nopen A 1\n" DEFINITIONS TAKEN "close A 300\nend A\n", "");

	assert_has(text,
		   "event A ros2:rmw_take 200 {vpid=2 vtid=2} {+flow_id=0 +flow_parent_id=0 +flow_latency_ns=-1} ");
}

Test(flow, every_type_of_message_is_copied_as_it_is)
{
	static const char script[] = HEAD EVERY_MESSAGE_DECLARATIONS
		"begin A\nopen A 1\nevent A x 2 vpid=1 vtid=1 mark=7 text=hello\nagain\nclose A 3\n" EVERY_MESSAGE
		"open A 50 cpu_id=4\nevent A n 51 vpid=1 vtid=1 node_name=talker\nclose A 52\nend A\n";
	g_autofree char *annotated = run(script, "");
	g_autofree char *with_events = run(script, "mode=events");
	g_autofree char *plain = run_plain(script);

	cr_assert_str_eq(annotated, plain);
	cr_assert_str_eq(with_events, plain);
}

Test(flow, streams_without_packets_or_clock_pass)
{
	static const char script[] =
		"trace T noclock\nstream A T vpid:i32 vtid:i32\n" CLASSES
		"begin A\nevent A x 0 mark=1 text=a\nevent A w 0 vpid=1 vtid=1 message=30\nend A\n";
	g_autofree char *annotated = run(script, "");
	g_autofree char *with_events = run(script, "mode=events");
	g_autofree char *plain = run_plain(script);

	assert_has(annotated, "event A other:event - {vpid=0 vtid=0} {+mark=1} {text='a'}\n");
	assert_has(annotated, "{+flow_id=0 +flow_parent_id=0 +flow_latency_ns=-1} ");
	cr_assert_str_eq(with_events, plain);
}

Test(flow, a_link_event_follows_the_message_and_the_others_are_untouched)
{
	g_autofree char *text = run(MESSAGE, "mode=events");
	g_autofree char *plain = run_plain(MESSAGE);
	g_autofree char *links = lines_with(text, "ros2_flow:link", true);
	const char *rest = text;
	g_auto(GStrv) lines = g_strsplit(plain, "\n", -1);

	assert_has(links, "flow_id=1 flow_parent_id=0 topic='/t' from_node='/talker' from_vpid=1 from_vtid=1 "
			  "to_node='/listener' to_vpid=2 intra_process=0 inferred=0 source_timestamp=99 publish_ns=100 "
			  "take_ns=200 callback_start_ns=210 latency_ns=110}\n");
	cr_assert_eq(strchr(links, '\n'), links + strlen(links) - 1, "one link: %s", links);
	for (size_t i = 0; lines[i]; i++) {
		rest = strstr(rest, lines[i]);
		cr_assert(rest, "%s is not in, or not in order:\n%s", lines[i], text);
	}
}

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

/* Behind a message others come, the last of them at a time that does not fit 64 bits. */
#define BEFORE_OTHERS(offset, last_time, taken)                                                                        \
	"trace T hostname=robot offset=" offset "\nstream A T vpid:i32 vtid:i32\n" CLASSES                             \
	"begin A\n" DEFINITIONS PUBLISHED taken "event A x " last_time "\nevent A x 18446744073709551615\nend A\n"

Test(flow, events_of_links_do_not_go_back_behind_times_that_do_not_fit)
{
	g_autofree char *linked_at_end =
		run(BEFORE_OTHERS("0", "5000",
				  "event A t 200 vpid=2 vtid=2 rmw_subscription_handle=21 message=40 "
				  "source_timestamp=99 taken=1\n"),
		    "mode=events");
	/* the clock of the links begins with the first: it needs 63 bits for the last */
	g_autofree char *far_apart = run(BEFORE_OTHERS("-4600000000", "9223372036854775000", TAKEN), "mode=events");

	assert_has(linked_at_end, "event - ros2_flow:link 5000 {");
	assert_has(far_apart, "event - ros2_flow:link -4599999999999999790 {");
	assert_has(far_apart, "event A other:event 4623372036854775000 {");
	assert_has(far_apart, "close - 4623372036854775000");
}

Test(flow, a_message_that_no_callback_got_is_linked_at_the_end)
{
	g_autofree char *text = run(
		HEAD "begin A\nopen A 1\n" DEFINITIONS PUBLISHED
		     "event A t 200 vpid=2 vtid=2 rmw_subscription_handle=21 message=40 source_timestamp=99 taken=1\n"
		     "close A 300\nend A\n",
		"mode=events");

	assert_has(text, "take_ns=200 callback_start_ns=-1 latency_ns=-1}\n");
}

/* /asker of process 1 has a client of the service /s of /answerer in process 2. */
#define SERVICE_SYSTEM                                                                                                 \
	"class cg A ros2:rmw_client_init rmw_client_handle:u64 'gid:u8[16]'\n"                                         \
	"class ci A ros2:rcl_client_init client_handle:u64 node_handle:u64 rmw_client_handle:u64 service_name:str\n"   \
	"class si A ros2:rcl_service_init service_handle:u64 node_handle:u64 rmw_service_handle:u64 "                  \
	"service_name:str\n"                                                                                           \
	"class sc A ros2:rclcpp_service_callback_added service_handle:u64 callback:u64\n"                              \
	"class q A ros2:rmw_send_request rmw_client_handle:u64 sequence_number:i64\n"                                  \
	"class tq A ros2:rmw_take_request rmw_service_handle:u64 'client_gid:u8[16]' sequence_number:i64 taken:i32\n"  \
	"class a A ros2:rmw_send_response rmw_service_handle:u64 'client_gid:u8[16]' sequence_number:i64 "             \
	"timestamp:i64\n"                                                                                              \
	"class ta A ros2:rmw_take_response rmw_client_handle:u64 sequence_number:i64 source_timestamp:i64 taken:i32\n" \
	"begin A\nopen A 1\n"                                                                                          \
	"event A n 1 vpid=1 vtid=1 node_handle=1 node_name=asker namespace=/\n"                                        \
	"event A cg 2 vpid=1 vtid=1 rmw_client_handle=31 gid=1;2\n"                                                    \
	"event A ci 3 vpid=1 vtid=1 client_handle=30 node_handle=1 rmw_client_handle=31 service_name=/s\n"             \
	"event A n 4 vpid=2 vtid=2 node_handle=1 node_name=answerer namespace=/\n"                                     \
	"event A si 5 vpid=2 vtid=2 service_handle=40 node_handle=1 rmw_service_handle=41 service_name=/s\n"           \
	"event A sc 6 vpid=2 vtid=2 service_handle=40 callback=43\n"

Test(flow, a_request_is_linked_from_its_client_to_its_service_and_the_response_back)
{
	g_autofree char *text =
		run(HEAD SERVICE_SYSTEM
		    "event A q 100 vpid=1 vtid=1 rmw_client_handle=31 sequence_number=7\n"
		    "event A tq 200 vpid=2 vtid=2 rmw_service_handle=41 client_gid=1;2 sequence_number=7 "
		    "taken=1\n"
		    "event A b 210 vpid=2 vtid=2 callback=43\n"
		    "event A a 220 vpid=2 vtid=2 rmw_service_handle=41 client_gid=1;2 sequence_number=7\n"
		    "event A e 230 vpid=2 vtid=2 callback=43\n"
		    "event A ta 300 vpid=1 vtid=1 rmw_client_handle=31 sequence_number=7 taken=1\n"
		    "close A 400\nend A\n",
		    "mode=events");
	g_autofree char *links = lines_with(text, "ros2_flow:link", true);

	assert_has(links, "flow_id=1 flow_parent_id=0 topic='/s' from_node='/asker' from_vpid=1 from_vtid=1 "
			  "to_node='/answerer' to_vpid=2 intra_process=0 inferred=0 source_timestamp=-1 publish_ns=100 "
			  "take_ns=200 callback_start_ns=210 latency_ns=110}\n");
	assert_has(links, "flow_id=2 flow_parent_id=1 topic='/s' from_node='/answerer' from_vpid=2 from_vtid=2 "
			  "to_node='/asker' to_vpid=1 intra_process=0 inferred=0 source_timestamp=-1 publish_ns=220 "
			  "take_ns=300 callback_start_ns=-1 latency_ns=-1}\n");
}

Test(flow, a_second_reading_gives_the_same)
{
	static const char *const modes[] = { "", "mode=events" };

	/* init-timestamp reads everything twice, and here finds nothing to move. */
	for (size_t i = 0; i < G_N_ELEMENTS(modes); i++) {
		g_autofree char *once = run(MESSAGE, modes[i]);
		g_autoptr(test_graph) graph = test_graph_create(MESSAGE);

		cr_assert(test_graph_add(graph, "flow", modes[i]));
		cr_assert(test_graph_add(graph, "init-timestamp", ""));
		cr_assert_str_eq(test_graph_run(graph), once);
	}
}

Test(flow, a_second_filter_puts_its_numbers_in_place_of_those_of_the_first)
{
	g_autofree char *once = run(MESSAGE, "");
	g_autoptr(test_graph) graph = test_graph_create(MESSAGE);

	cr_assert(test_graph_add(graph, "flow", ""));
	cr_assert(test_graph_add(graph, "flow", ""));
	cr_assert_str_eq(test_graph_run(graph), once);
}

Test(flow, a_failure_upstream_is_passed_on)
{
	static const char *const modes[] = { "", "mode=events" };

	for (size_t i = 0; i < G_N_ELEMENTS(modes); i++) {
		g_autoptr(test_graph) graph =
			test_graph_create(HEAD "begin A\nopen A 1\n" DEFINITIONS PUBLISHED "fail\n");

		cr_assert(test_graph_add(graph, "flow", modes[i]));
		cr_assert(strstr(test_graph_run(graph), "error\n"));
		cr_assert(strstr(test_graph_error(graph), "cannot get the next messages to link"), "%s",
			  test_graph_error(graph));
	}
}

static void assert_refused(const char *params, const char *key)
{
	g_autoptr(test_graph) graph = test_graph_create(MESSAGE);

	cr_expect_not(test_graph_add(graph, "flow", params));
	cr_expect(strstr(test_graph_error(graph), key), "%s", test_graph_error(graph));
}

Test(flow, unknown_parameters_and_values_are_refused_by_name)
{
	assert_refused("mode=arrows", "mode");
	assert_refused("window=5", "window");
	assert_refused("windw=1ms", "windw");
	assert_refused("links=[nonsense]", "links");
}
