/* SPDX-License-Identifier: MIT */
#include "flow_records.h"

#include "kept_tables.h"

#include "named_paths.h"

static struct architecture_node *node; /* /listener, with callback "in" of /in */

static void setup(void)
{
	chain_setup();
	NEXT(RCLCPP_CALLBACK_REGISTER, listener, SUBSCRIPTION_CALLBACK + 1, text("f"));
	node = add_node("/listener");
	add_subscription_callback(node, "in", "/in")->symbol = "f";
}

TestSuite(architecture_differences, .init = setup, .fini = chain_teardown);

/* The rows of one kind in the table `diagnostics`, as "COUNT DETAIL", separated by semicolons. */
static void expect_findings(const char *what, const char *expected)
{
	g_autoptr(GString) found = g_string_new(NULL);

	for (guint i = 0; i < row_count("diagnostics"); i++) {
		if (strcmp(cell_of("diagnostics", i, "what"), what) == 0) {
			g_string_append_printf(found, "%s%s %s", found->len ? "; " : "",
					       cell_of("diagnostics", i, "count"), cell_of("diagnostics", i, "detail"));
		}
	}
	cr_expect_str_eq(found->str, expected, "%s", found->str);
}

static void expect_differences(const char *expected)
{
	chain_send_all_the_way(1);
	chain_send_all_the_way(2);
	report();
	expect_findings("not as in the architecture", expected);
}

Test(architecture_differences, a_recording_as_described_has_none)
{
	add_chain();
	add_architecture_publisher(node, "/out", "in");
	expect_differences("");
}

Test(architecture_differences, a_callback_may_be_missing)
{
	add_chain();
	add_subscription_callback(node, "other", "/other")->symbol = "g";
	expect_differences("1 callback other of /listener is not in the recording");
}

Test(architecture_differences, a_callback_may_have_another_symbol)
{
	add_chain();
	architecture_find_callback(node, "in")->symbol = "g";
	expect_differences("1 callback in of /listener has another symbol: f");
}

Test(architecture_differences, another_callback_may_publish)
{
	add_chain();
	add_architecture_publisher(node, "/out", "timer");
	/* both messages */
	expect_differences("2 /listener publishes /out from in");
}

Test(architecture_differences, a_publisher_without_callbacks_is_not_compared)
{
	add_chain();
	add_architecture_publisher(node, "/out", NULL);
	expect_differences("");
}

Test(architecture_differences, a_callback_that_the_file_lacks_is_named_by_its_symbol)
{
	struct architecture_node *talking = add_node("/talker");

	add_chain();
	NEXT(RCLCPP_CALLBACK_REGISTER, talker, TIMER_CALLBACK + 1, text("on_timer"));
	add_architecture_publisher(talking, "/in", "in");
	publish_in(talker, TIMER_CALLBACK + 1, 1, 50);
	expect_differences("1 /talker publishes /in from on_timer");
}

Test(architecture_differences, contexts_may_need_what_no_trace_records)
{
	add_chain();
	architecture_add_context(named.architecture, node, ARCHITECTURE_CONTEXT_INHERIT_UNIQUE_STAMP, "/in", "/out");
	expect_differences(
		"1 /listener: /in -> /out: no trace records what the context inherit_unique_stamp needs; not "
		"evaluated");
}

Test(architecture_differences, nodes_off_all_paths_are_not_compared)
{
	struct architecture_path *path = architecture_add_path(named.architecture, "elsewhere");

	add_node_path(path, "/first", NULL, "/x");
	add_node_path(path, "/second", "/x", NULL);
	add_architecture_path(path);
	add_subscription_callback(node, "other", "/other")->symbol = "g";
	expect_differences("");
}

Test(architecture_differences, remarks_on_the_file_are_passed_on)
{
	add_chain();
	g_ptr_array_add(named.architecture->remarks, g_strdup("a.yaml:3: left out"));
	chain_send_all_the_way(1);
	report();
	expect_findings(diagnostic_name(DIAGNOSTIC_ARCHITECTURE_REMARK), "1 a.yaml:3: left out");
}
