/* SPDX-License-Identifier: MIT */
#include "flow_records.h"

#include "kept_tables.h"

#include "named_paths.h"

TestSuite(named_reasons, .init = chain_setup, .fini = chain_teardown);

/* A message to the listener, which publishes another one from its timer. */
static void run_apart(uint64_t stamp)
{
	chain_send(stamp);
	handle(listener, 1, stamp);
	publish_in(listener, TIMER_CALLBACK + 2, 2, 100 + stamp);
	chain_arrive(stamp);
}

static void expect_reason(const char *expected)
{
	report();
	cr_assert_eq(row_count("named_paths"), 1);
	expect("named_paths", 0, "reason", expected);
	cr_expect_eq(count_of("named path without flows"), expected[0] ? 1 : 0);
}

static void expect_missing_name(const char *expected)
{
	report();
	cr_assert_eq(row_count("named_paths"), 1);
	expect("named_paths", 0, "reason", expected);
	cr_expect_eq(count_of("name of a named path not recorded"), 1);
	cr_expect_eq(count_of("named path without flows"), 0);
}

Test(named_reasons, a_path_with_complete_flows_has_none)
{
	add_pattern("p: /talker > /in > /listener");
	run_apart(1);
	expect_reason("");
}

Test(named_reasons, the_recording_may_lack_a_node)
{
	add_pattern("p: /talker > /in > /nobody");
	run_apart(1);
	expect_missing_name("the recording has no node /nobody");
	/* nothing could arrive there, so nothing is unknown */
	expect("named_paths", 0, "unknown", "0");
}

Test(named_reasons, a_similar_name_may_have_been_meant)
{
	add_pattern("p: /talker > /in > /listner");
	run_apart(1);
	expect_missing_name("the recording has no node /listner (did you mean /listener?)");
}

Test(named_reasons, the_recording_may_lack_a_subscription)
{
	add_pattern("p: /talker > /in > /sink");
	run_apart(1);
	expect_missing_name("/sink has no subscription to /in");
}

Test(named_reasons, the_recording_may_lack_a_publisher)
{
	add_pattern("p: /talker > /out > /sink");
	run_apart(1);
	expect_missing_name("/talker has no publisher of /out");
}

Test(named_reasons, the_first_node_may_publish_nothing)
{
	add_pattern("p: /talker > /in > /listener");
	run(talker);
	expect_reason("/talker published nothing on /in");
}

Test(named_reasons, no_message_may_arrive)
{
	add_pattern("p: /talker > /in > /listener");
	publish(talker, 1, 1);
	expect_reason("no message of /talker on /in came to /listener");
}

Test(named_reasons, the_publication_may_be_of_another_callback)
{
	add_pattern("p: /talker > /in > /listener > /out > /sink");
	run_apart(1);
	expect_reason(
		"no publication of /listener on /out comes from a message on /in: no callback published both, and "
		"neither the architecture nor `links` says that messages are kept");
}

Test(named_reasons, a_context_may_need_what_no_trace_records)
{
	architecture_add_context(named.architecture, add_node("/listener"), ARCHITECTURE_CONTEXT_TILDE, "/in", "/out");
	add_chain();
	run_apart(1);
	expect_reason("context tilde of /listener: no trace records what it needs");
}

Test(named_reasons, a_pattern_without_a_way_to_its_end_shows_the_longest_one)
{
	add_pattern("p: /talker > … > /nobody");
	run_apart(1);
	expect_reason("no flow came to its end; they came up to /talker > /in > /listener");
	expect("named_paths", 0, "path", "/talker > … > /nobody");
}

Test(named_reasons, the_longest_way_is_the_one_that_matches_most_of_the_pattern)
{
	add_pattern("p: /talker > /in > /listener > … > /nobody");
	run_apart(1);
	expect_reason("no flow came to its end; they came up to /talker > /in > /listener");
}

Test(named_reasons, a_pattern_may_begin_nowhere)
{
	add_pattern("p: /nobody > … > /sink");
	run_apart(1);
	expect_reason("no message came from a node that it begins with");
}
