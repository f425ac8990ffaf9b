/* SPDX-License-Identifier: MIT */
/* core/analyses/named_paths/caret/caret_flows.c, caret_nodes.c and caret_tables.c: named paths of an architecture, with
 * contexts=caret.
 */
#include "flow_records.h"

#include "core/architecture/named_path_options.h"
#include "kept_tables.h"

/* The path "there": /talker > /in > /listener. */
static struct named_path_options named;
static struct architecture_callback *callback;

static struct architecture_node_path *add_node_path(struct architecture_path *path, const char *node,
						    const char *subscribed, const char *published)
{
	struct architecture_node_path *way = architecture_add_node_path(named.architecture, path, node);

	way->subscribed_topic = architecture_text(named.architecture, subscribed);
	way->published_topic = architecture_text(named.architecture, published);
	return way;
}

static void add_pattern(const struct architecture_path *path)
{
	g_ptr_array_add(named.patterns, path_pattern_of_architecture(path));
}

static void make_architecture(void)
{
	struct architecture_path *path;
	struct architecture_node *node;

	named = (struct named_path_options){
		.architecture = architecture_create(),
		.patterns = g_ptr_array_new_with_free_func((GDestroyNotify)path_pattern_destroy),
		.follows_caret = true,
	};
	path = architecture_add_path(named.architecture, "there");
	add_node_path(path, "/talker", NULL, "/in");
	add_node_path(path, "/listener", "/in", NULL);
	node = architecture_add_node(named.architecture, "/talker");
	architecture_add_publisher(named.architecture, node, "/in", 0);
	node = architecture_add_node(named.architecture, "/listener");
	callback =
		architecture_add_callback(named.architecture, node, "/listener/callback_0", ARCHITECTURE_SUBSCRIPTION);
	callback->topic = architecture_text(named.architecture, "/in");
	callback->symbol = architecture_text(named.architecture, "symbol");
	architecture_add_subscription(named.architecture, node, "/in", 0)->callback = callback->name;
	add_pattern(path);
}

static void setup(void)
{
	make_architecture();
	kept_options = (struct analysis_options){ .named_paths = &named };
	flow_setup_recording();
	begin_session();
	script = g_array_new(FALSE, FALSE, sizeof(struct event_record));
	now_ns = 0;
	define_node(talker, "talker");
	define_timer(talker, 1);
	define_publisher(talker, 1, "/in");
	define_node(listener, "listener");
	define_subscription(listener, 1, "/in");
	NEXT(RCLCPP_CALLBACK_REGISTER, listener, SUBSCRIPTION_CALLBACK + 1, text("symbol"));
}

static void teardown(void)
{
	destroy_session();
	g_clear_pointer(&script, g_array_unref);
	recording_teardown();
	named_path_options_clear(&named);
}

TestSuite(caret_flows, .init = setup, .fini = teardown);

static void report(void)
{
	session_feed(session, &g_array_index(script, struct event_record, 0), script->len);
	cr_assert(session_finish(session, NULL));
}

/* A message, 10 ms after the one before, that is received 1 ms later, or not. */
static void send(uint64_t stamp, bool is_received)
{
	now_ns = (int64_t)stamp * 10 * MS;
	publish(talker, 1, stamp);
	now_ns += MS;
	if (is_received) {
		handle(listener, 1, stamp);
	} else {
		run(listener);
	}
}

static void expect_outcomes(const char *expected)
{
	g_autoptr(GString) outcomes = g_string_new(NULL);

	for (guint i = 0; i < row_count("named_path_instances"); i++) {
		g_string_append_printf(outcomes, "%s%s", i ? " " : "", cell_of("named_path_instances", i, "outcome"));
	}
	cr_expect_str_eq(outcomes->str, expected, "%s", outcomes->str);
}

Test(caret_flows, a_message_is_lost_between_two_that_were_received)
{
	send(1, true);
	send(2, false);
	send(3, true);
	send(4, true);
	report();
	expect_outcomes("complete lost complete complete");
	expect("named_paths", 0, "name", "there");
	expect("named_paths", 0, "count", "3");
	expect("named_paths", 0, "lost", "1");
	expect("named_paths", 0, "unknown", "0");
	expect("named_paths", 0, "latency_count", "3");
	/* that of the first output is left out, as CARET does; the lost one waits for the third */
	expect("named_paths", 0, "response_all_count", "3");
	expect("named_paths", 0, "response_worst_max_ns", "11006000");
}

Test(caret_flows, what_nobody_could_have_seen_is_unknown)
{
	send(1, false); /* before any was received */
	send(2, true);
	send(3, true);
	send(4, false); /* until the end */
	report();
	expect_outcomes("unknown complete complete unknown");
	expect("named_paths", 0, "lost", "0");
	expect("named_paths", 0, "unknown", "2");
}

/* The receiving process was not recorded for a while: what it got meanwhile is not known, and nothing is charged to the
 * first output after that. */
Test(caret_flows, nothing_is_lost_or_charged_where_a_process_is_not_recorded)
{
	NEXT(CARET_INIT, listener, 0, text("jazzy"));
	send(1, true);
	send(2, true);
	now_ns = 30 * MS;
	publish(talker, 1, 3);
	now_ns = 40 * MS;
	publish(talker, 1, 4);
	NEXT(CARET_INIT, listener, 0, text("jazzy"));
	send(5, true);
	send(6, true);
	report();
	expect_outcomes("complete complete unknown unknown complete complete");
	expect("named_paths", 0, "lost", "0");
	expect("named_paths", 0, "response_all_count", "3");
	expect("named_paths", 0, "response_worst_max_ns", "1006000");
	/* none: the first output is left out, 5 began before the listener was recorded again, and 6 is the next */
	expect("named_paths", 0, "response_external_count", "0");
}

Test(caret_flows, elements_and_records_are_those_of_caret)
{
	send(1, true);
	send(2, false);
	send(3, true);
	report();
	cr_assert_eq(row_count("named_path_elements"), 1);
	expect("named_path_elements", 0, "element", "1");
	expect("named_path_elements", 0, "kind", "communication");
	expect("named_path_elements", 0, "name", "/in");
	expect("named_path_elements", 0, "how", "inter_process");
	expect("named_path_elements", 0, "records", "3");
	expect("named_path_elements", 0, "complete", "2");
	expect("named_path_elements", 0, "period_sum_ns", "20000000");
	/* five columns of the element, four of the flows: without the stamp */
	cr_assert_eq(row_count("named_path_records"), 3 * 5 + 3 * 4);
	expect("named_path_records", 4, "column", "/listener/callback_0/callback_start_timestamp");
	expect("named_path_records", 9, "time_ns", "");
	expect("named_path_records", 15, "element", "");
	expect("named_path_records", 15, "column", "/in/rclcpp_publish_timestamp/0");
}

Test(caret_flows, a_path_that_cannot_be_evaluated_has_a_reason)
{
	callback->topic = architecture_text(named.architecture, "/elsewhere");
	send(1, true);
	report();
	expect("named_paths", 0, "count", "0");
	expect("named_paths", 0, "reason", "the recording has no callback like /listener/callback_0");
}

/* Paths are fixed when the session begins: these two have one of their own. */
static void begin_anew(void)
{
	destroy_session();
	begin_session();
}

Test(caret_flows, a_path_of_unknown_nodes_has_a_reason)
{
	struct architecture_path *path = architecture_add_path(named.architecture, "nowhere");

	add_node_path(path, "/talker", NULL, "/in");
	add_node_path(path, "/nobody", "/in", NULL);
	add_pattern(path);
	begin_anew();
	send(1, true);
	report();
	expect("named_paths", 1, "name", "nowhere");
	expect("named_paths", 1, "reason", "the architecture has no node /nobody");
}

Test(caret_flows, paths_of_patterns_are_left_to_the_other_mode)
{
	g_ptr_array_add(named.patterns, path_pattern_parse("globs: /talker > * > /listener", NULL));
	begin_anew();
	send(1, true);
	report();
	expect("named_paths", 1, "name", "globs");
	expect("named_paths", 1, "reason", "CARET knows only paths of architecture files, of two nodes or more");
}
