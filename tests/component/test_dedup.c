/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <string.h>

#include "support/every_message.h"
#include "support/test_graph.h"

/* A process with a node event of CARET (n), one of ros2_tracing (p), a mark (m) and a runtime event (r). */
#define HEAD                                                                                                           \
	"trace T hostname=robot uuid=7\n"                                                                              \
	"stream A T vpid:i32 vtid:i32 procname:str\n"                                                                  \
	"class n A ros2_caret:rcl_node_init node_handle:u64 node_name:str init_timestamp:i64\n"                        \
	"class p A ros2:rcl_node_init node_handle:u64 node_name:str\n"                                                 \
	"class m A ros2_caret:caret_init clock_offset:i64\n"                                                           \
	"class r A ros2:callback_start callback:u64\n"                                                                 \
	"class o A other:rcl_node_init node_handle:u64\n"                                                              \
	"begin A\n"
#define TAIL "end A\n"

/* How many events pass dedup, and that a second dedup lets all of them pass. */
static unsigned int count_events(const char *text)
{
	unsigned int count = 0;

	for (const char *line = strstr(text, "event "); line; line = strstr(line + 1, "event ")) {
		count++;
	}
	return count;
}

static unsigned int passing(const char *script, const char *params)
{
	g_autoptr(test_graph) once = test_graph_create(script);
	g_autoptr(test_graph) twice = test_graph_create(script);
	const char *text;

	cr_assert(test_graph_add(once, "dedup", params));
	cr_assert(test_graph_add(twice, "dedup", params));
	cr_assert(test_graph_add(twice, "dedup", params));
	text = test_graph_run(once);
	cr_expect_str_eq(test_graph_run(twice), text);
	cr_expect_not(strstr(text, "broken"), "%s", text);
	cr_expect_not(strstr(text, "error"), "%s", text);
	return count_events(text);
}

Test(dedup, copies_from_another_thread_and_time_go_the_first_stays)
{
	g_autoptr(test_graph) graph = test_graph_create(
		HEAD "event A n 100 vpid=5 vtid=5 procname=main node_handle=1 node_name=a init_timestamp=90\n"
		     "event A n 9000000000 vpid=5 vtid=8 procname=caret node_handle=1 node_name=a "
		     "init_timestamp=90\n" TAIL);

	cr_assert(test_graph_add(graph, "dedup", ""));
	cr_assert_str_eq(test_graph_run(graph), "begin A\n"
						"event A ros2_caret:rcl_node_init 100 {vpid=5 vtid=5 procname='main'} "
						"{node_handle=1 node_name='a' init_timestamp=90}\n"
						"end A\n");
}

Test(dedup, another_init_timestamp_is_another_object_at_the_same_address)
{
	cr_assert_eq(passing(HEAD "event A n 100 vpid=5 node_handle=1 init_timestamp=90\n"
				  "event A n 100 vpid=5 node_handle=1 init_timestamp=91\n" TAIL,
			     ""),
		     2);
}

Test(dedup, every_payload_field_counts)
{
	cr_assert_eq(passing(HEAD "event A n 100 vpid=5 node_handle=1 node_name=a init_timestamp=9\n"
				  "event A n 100 vpid=5 node_handle=2 node_name=a init_timestamp=9\n"
				  "event A n 100 vpid=5 node_handle=1 node_name=b init_timestamp=9\n"
				  "event A n 100 vpid=5 node_handle=1 node_name=a init_timestamp=9\n" TAIL,
			     ""),
		     3);
}

Test(dedup, all_types_of_fields_are_compared)
{
	cr_assert_eq(passing("trace T\n"
			     "stream A T vpid:i32\n"
			     "class x A ros2:rmw_publisher_init rmw_publisher_handle:u64 'gid:u8[3]' 'q:i16[]' b:bool "
			     "r:real f:bits e:ei32 s:str\n"
			     "begin A\n"
			     "event A x 1 'gid=1;2;3' 'q=1;2' b=1 r=0.5 f=3 e=-1 s=a\n"
			     "event A x 2 'gid=1;2;3' 'q=1;2' b=1 r=0.5 f=3 e=-1 s=a\n"
			     "event A x 3 'gid=1;2;4' 'q=1;2' b=1 r=0.5 f=3 e=-1 s=a\n"
			     "event A x 4 'gid=1;2;3' 'q=1;2;0' b=1 r=0.5 f=3 e=-1 s=a\n"
			     "event A x 5 'gid=1;2;3' 'q=1;2' b=0 r=0.5 f=3 e=-1 s=a\n"
			     "event A x 6 'gid=1;2;3' 'q=1;2' b=1 r=0.25 f=3 e=-1 s=a\n"
			     "event A x 7 'gid=1;2;3' 'q=1;2' b=1 r=0.5 f=2 e=-1 s=a\n"
			     "event A x 8 'gid=1;2;3' 'q=1;2' b=1 r=0.5 f=3 e=-2 s=a\n"
			     "event A x 9 'gid=1;2;3' 'q=1;2' b=1 r=0.5 f=3 e=-1 s=b\n"
			     "end A\n",
			     ""),
		     8);
}

Test(dedup, another_process_is_another_definition)
{
	cr_assert_eq(passing(HEAD "event A n 100 vpid=5 init_timestamp=90\n"
				  "event A n 100 vpid=6 init_timestamp=90\n" TAIL,
			     ""),
		     2);
	cr_assert_eq(passing("trace T\n"
			     "stream A T vpid:i32 pid_ns:u64\n"
			     "class n A ros2_caret:rcl_node_init init_timestamp:i64\n"
			     "begin A\n"
			     "event A n 100 vpid=5 pid_ns=1 init_timestamp=90\n"
			     "event A n 100 vpid=5 pid_ns=2 init_timestamp=90\n"
			     "event A n 100 vpid=5 pid_ns=1 init_timestamp=90\nend A\n",
			     ""),
		     2);
}

#define TWO_TRACES(FIRST, SECOND, CONTEXT)                                                                             \
	"trace T " FIRST "\ntrace U " SECOND "\n"                                                                      \
	"stream A T " CONTEXT "\nstream B U " CONTEXT "\n"                                                             \
	"class n A ros2:rcl_node_init node_handle:u64\n"                                                               \
	"class o B ros2:rcl_node_init node_handle:u64\n"                                                               \
	"begin A\nbegin B\nevent A n 100\nevent B o 101\nend A\nend B\n"

Test(dedup, two_sessions_of_one_host_record_one_definition_each)
{
	cr_assert_eq(passing(TWO_TRACES("hostname=a uuid=1", "hostname=a uuid=1", "vpid:i32"), ""), 1);
	cr_assert_eq(passing(TWO_TRACES("hostname=a uuid=1", "hostname=b uuid=1", "vpid:i32"), ""), 2);
	cr_assert_eq(passing(TWO_TRACES("hostname=a uuid=1", "hostname=a uuid=2", "vpid:i32"), ""), 2);
}

Test(dedup, traces_of_one_process_each_tell_it_in_their_environment)
{
	cr_assert_eq(passing(TWO_TRACES("hostname=a uuid=1 vpid=5", "hostname=a uuid=1 vpid=5", ""), ""), 1);
	cr_assert_eq(passing(TWO_TRACES("hostname=a uuid=1 vpid=5", "hostname=a uuid=1 vpid=6", ""), ""), 2);
}

Test(dedup, traces_that_do_not_tell_their_host_are_apart)
{
	cr_assert_eq(passing("trace T\ntrace U\nstream A T vpid:i32\nstream B U vpid:i32\n"
			     "class n A ros2_caret:rcl_node_init init_timestamp:i64\n"
			     "class o B ros2_caret:rcl_node_init init_timestamp:i64\n"
			     "begin A\nbegin B\nevent A n 100 init_timestamp=9\nevent B o 101 init_timestamp=9\n"
			     "end A\nend B\n",
			     ""),
		     2);
}

Test(dedup, without_init_timestamp_only_what_is_near_is_a_copy)
{
	static const char script[] = HEAD "event A p 1000 vpid=5 node_handle=1\n"
					  "event A p 1001000 vpid=5 node_handle=1\n"
					  "event A p 1001001 vpid=5 node_handle=1\n" TAIL;

	cr_assert_eq(passing(script, ""), 2);
	cr_assert_eq(passing(script, "window=2ms"), 1);
	cr_assert_eq(passing(script, "window=0s"), 3);
}

Test(dedup, without_a_clock_what_has_no_init_timestamp_passes)
{
	cr_assert_eq(passing("trace T noclock\nstream A T vpid:i32\n"
			     "class p A ros2:rcl_node_init node_handle:u64\n"
			     "class n A ros2_caret:rcl_node_init init_timestamp:i64\n"
			     "begin A\nevent A p 0\nevent A p 0\nevent A n 0\nevent A n 0\nend A\n",
			     ""),
		     3);
}

Test(dedup, runtime_events_marks_and_foreign_events_pass)
{
	cr_assert_eq(passing(HEAD "event A m 100 vpid=5\nevent A m 100 vpid=5\n"
				  "event A r 100 vpid=5\nevent A r 100 vpid=5\n"
				  "event A o 100 vpid=5\nevent A o 100 vpid=5\n" TAIL,
			     ""),
		     6);
}

Test(dedup, a_batch_of_nothing_but_copies)
{
	g_autoptr(GString) script = g_string_new(HEAD);

	for (int i = 0; i < 200; i++) {
		g_string_append(script, "event A n 100 vpid=5 init_timestamp=90\n");
	}
	g_string_append(script, "event A r 101 vpid=5\n" TAIL);
	cr_assert_eq(passing(script->str, ""), 2);
}

Test(dedup, every_type_of_message_passes_as_it_is)
{
	static const char script[] = HEAD EVERY_MESSAGE_DECLARATIONS "event A n 1\nagain\n" EVERY_MESSAGE TAIL;
	g_autoptr(test_graph) plain = test_graph_create(script);
	g_autoptr(test_graph) filtered = test_graph_create(script);

	cr_assert(test_graph_add(filtered, "dedup", ""));
	cr_assert_str_eq(test_graph_run(filtered), test_graph_run(plain));
}

Test(dedup, a_failure_upstream_is_passed_on)
{
	g_autoptr(test_graph) graph = test_graph_create(HEAD "event A n 100 vpid=5\nevent A n 100 vpid=5\nfail\n");

	cr_assert(test_graph_add(graph, "dedup", ""));
	cr_assert(strstr(test_graph_run(graph), "error\n"));
	cr_assert(strstr(test_graph_error(graph), "copies"), "%s", test_graph_error(graph));
}

static void assert_refused(const char *params, const char *named)
{
	g_autoptr(test_graph) graph = test_graph_create(HEAD TAIL);

	cr_expect_not(test_graph_add(graph, "dedup", params));
	cr_expect(strstr(test_graph_error(graph), named), "%s not in %s", named, test_graph_error(graph));
}

Test(dedup, wrong_parameters_are_refused_by_name)
{
	assert_refused("window=soon", "window");
	assert_refused("window=5", "window");
	assert_refused("windw=1ms", "windw");
}
