/* SPDX-License-Identifier: MIT */
/* The test support is a program too: what it lets through, no other test would notice. */
#include <criterion/criterion.h>
#include <string.h>

#include "support/test_graph.h"

#define HEAD "trace T\nstream A T packets lost\nclass e A e x:u64\n"

Test(support, a_script_arrives_as_it_is_written)
{
	g_autoptr(test_graph) graph =
		test_graph_create("trace T hostname=robot frequency=1000 offset=2\n"
				  "stream A T packets lost lostpackets vpid:i32 @cpu_id:u32\n"
				  "class c A ros2:x +s:u8 n:str 'a:u16[2]' 'q:i64[]' b:bool r:real f:bits e:eu32\n"
				  "begin A\n"
				  "lost A 1 9 7\n"
				  "lost A 1 9 ?\n"
				  "lostpackets A 1 2 3\n"
				  "open A 2 cpu_id=3\n"
				  "again\n"
				  "event A c 5 vpid=-4 s=255 'n=two words' 'a=1;2' 'q=-1;2;3' b=1 r=0.5 f=0xff e=9\n"
				  "close A 9\n"
				  "inactivity T 10\n"
				  "end A\n");

	cr_assert_str_eq(test_graph_run(graph), "begin A\n"
						"lost A 2001000000 2009000000 7\n"
						"lost A 2001000000 2009000000 ?\n"
						"lostpackets A 2001000000 2002000000 3\n"
						"open A 2002000000 {cpu_id=3}\n"
						"again\n"
						"event A ros2:x 2005000000 {vpid=-4} {+s=255} "
						"{n='two words' a=1;2 q=-1;2;3 b=true r=0.5 f=255 e=9}\n"
						"close A 2009000000\n"
						"inactivity 2010000000\n"
						"end A\n");
}

static void assert_broken(const char *script, const char *rule)
{
	g_autoptr(test_graph) graph = test_graph_create(script);
	g_autofree char *expected = g_strdup_printf("broken: %s\n", rule);
	const char *text = test_graph_run(graph);

	cr_assert(strstr(text, expected), "%s\nnot in\n%s", expected, text);
}

Test(support, rules_that_a_component_could_break_are_checked)
{
	assert_broken(HEAD "begin A\nopen A 5\nevent A e 4\nclose A 6\nend A\n", "time goes back");
	assert_broken(HEAD "begin A\nopen A 5\ninactivity T 9\nclose A 6\nend A\n", "time goes back");
	assert_broken(HEAD "open A 5\nclose A 6\n", "the stream has not begun");
	assert_broken(HEAD "begin A\nend A\nopen A 5\nclose A 6\n", "the stream has ended");
	assert_broken(HEAD "begin A\nbegin A\nend A\n", "the stream begins twice");
	assert_broken(HEAD "begin A\nopen A 5\nopen A 5\nclose A 6\nend A\n", "packets overlap");
	assert_broken(HEAD "begin A\nopen A 5\nend A\n", "the stream ends in a packet");
	assert_broken(HEAD "begin A\n", "a stream has not ended");
}

Test(support, a_failure_upstream_is_told)
{
	g_autoptr(test_graph) graph = test_graph_create(HEAD "begin A\nfail\n");

	cr_assert_str_eq(test_graph_run(graph), "begin A\nerror\n");
	cr_assert_str_neq(test_graph_error(graph), "");
}
