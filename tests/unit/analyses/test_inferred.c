/* SPDX-License-Identifier: MIT */
#include "scripted_session.h"

/* When all is defined. */
#define START_NS (2000 * MS)

/* A node without rclcpp in the process of `listener`, which takes what `talker` publishes on /a. */
static void setup(void)
{
	scripted_setup();
	define_node(talker, "talker");
	define_publisher(talker, 2, "/a");
	define_node(listener, "python");
	define_publisher(listener, 1, "/out");
	define_plain_subscription(listener, 1, "/a");
	now_ns = START_NS;
}

TestSuite(inferred, .init = setup, .fini = scripted_teardown);

/* A message that the node takes at step 4, and answers at steps 6 and 7 if it publishes. */
static void pass_on_plain(uint64_t stamp, bool publishes)
{
	publish(talker, 2, stamp);
	take_plain(listener, 1, stamp);
	if (publishes) {
		publish_plain(listener, 1, 100 + stamp);
	}
	now_ns += MS;
}

static void pass_on_often(uint64_t times)
{
	for (uint64_t i = 1; i <= times; i++) {
		pass_on_plain(i, true);
	}
}

Test(inferred, a_row_brackets_the_ends_of_the_executions_that_takes_stand_for)
{
	pass_on_often(10);
	report();
	cr_assert_eq(row_count("inferred_executions"), 1);
	expect_cells("inferred_executions", 0, "inferred_id", "1", "hostname", "host", "vpid", "3", "procname",
		     "process3", "node", "/python", "source", "/a", "count", "10", "publishing", "10");
	/* from the take to the publication, and to the next take: 1 ms and the 7 steps of a message later */
	expect_cells("inferred_executions", 0, "at_least_count", "10", "at_least_min_ns", "2000", "at_least_max_ns",
		     "2000");
	expect_cells("inferred_executions", 0, "at_most_count", "9", "at_most_min_ns", "1007000", "at_most_max_ns",
		     "1007000");
}

Test(inferred, an_instance_is_a_take_and_the_bracket_of_its_end)
{
	pass_on_often(10);
	report();
	cr_assert_eq(row_count("inferred_instances"), 10);
	expect_cells("inferred_instances", 0, "inferred_id", "1", "vtid", "3", "start_ns", "2000004000", "end_min_ns",
		     "2000006000", "end_max_ns", "2001011000");
	/* nothing follows the last one */
	expect_cells("inferred_instances", 9, "end_max_ns", "");
}

Test(inferred, an_origin_is_a_publisher_whose_messages_come_from_takes)
{
	pass_on_often(10);
	report();
	cr_assert_eq(row_count("origins"), 1);
	expect_cells("origins", 0, "origin_id", "1", "node", "/python", "topic", "/out", "publications", "10", "linked",
		     "10", "decided", "one source", "sources", "/a");
	cr_assert_eq(row_count("origin_instances"), 10);
	expect_cells("origin_instances", 0, "origin_id", "1", "vtid", "3", "publish_ns", "2000006000", "inferred_id",
		     "1", "take_ns", "2000004000");
}

Test(inferred, too_few_publications_come_from_none)
{
	pass_on_often(3);
	report();
	expect_cells("origins", 0, "publications", "3", "linked", "0", "decided", "too few", "sources", "");
	cr_assert_eq(row_count("origin_instances"), 3);
	expect_cells("origin_instances", 0, "inferred_id", "", "take_ns", "");
	/* so nothing is known of when the executions ended at the earliest */
	expect_cells("inferred_executions", 0, "publishing", "0", "at_least_max_ns", "0");
}

Test(inferred, executions_count_by_their_takes_and_publications_by_their_publish_events)
{
	/* after the take of the second message, before its publication; to the third one's publication */
	limit_range(START_NS + 1012000, START_NS + 2020000);
	pass_on_often(10);
	report();
	expect("inferred_executions", 0, "count", "1");
	cr_assert_eq(row_count("inferred_instances"), 1);
	cr_assert_eq(row_count("origin_instances"), 2);
	/* what is decided is decided of the whole recording */
	expect("origins", 0, "publications", "10");
}

Test(inferred, only_chosen_nodes_have_rows)
{
	choose_nodes("/talker");
	pass_on_often(10);
	report();
	cr_assert_eq(row_count("inferred_executions"), 0);
	cr_assert_eq(row_count("inferred_instances"), 0);
	cr_assert_eq(row_count("origins"), 0);
	cr_assert_eq(row_count("origin_instances"), 0);
}

Test(inferred, rows_are_by_node_and_source)
{
	define_plain_subscription(listener, 2, "/0");
	pass_on_plain(1, false);
	now_ns += MS;
	take_plain(listener, 2, 77);
	report();
	cr_assert_eq(row_count("inferred_executions"), 2);
	expect_cells("inferred_executions", 0, "source", "/0", "inferred_id", "2", "count", "1", "at_most_count", "0");
	expect_cells("inferred_executions", 1, "source", "/a", "inferred_id", "1", "at_most_count", "1");
}

static guint labels_with(const char *key, const char *value)
{
	guint count = 0;

	for (guint i = 0; i < row_count("timeline_labels"); i++) {
		count += strcmp(cell_of("timeline_labels", i, "key"), key) == 0 &&
			 strcmp(cell_of("timeline_labels", i, "value"), value) == 0;
	}
	return count;
}

Test(inferred, the_timeline_names_the_kind_as_the_tables_do)
{
	pass_on_often(2);
	report();
	cr_assert_gt(labels_with("kind", "inferred"), 0);
	cr_assert_eq(labels_with("kind", "unknown"), 0);
}
