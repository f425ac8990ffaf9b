/* SPDX-License-Identifier: MIT */
#include "core/analyses/paths/path_joins.h"

#include "ros2bt/flow/link_rules.h"
#include "scripted_session.h"

#define BEGINNING                                                                                                      \
	"Paths end at nodes that begin others by themselves. If such a node uses what it has received, a link joins "  \
	"them"
#define ONE BEGINNING " (or --link=proposed):"

static uint32_t third; /* a thread of another process */
static uint64_t stamp;

static void setup(void)
{
	scripted_setup();
	third = add_thread(0, 5, 5);
	stamp = 0;
}

TestSuite(path_joins, .init = setup, .fini = scripted_teardown);

static void expect_note(const char *expected)
{
	const char *note;

	report();
	note = kept_table("slowest_paths")->writer.note;
	if (!expected) {
		cr_assert_null(note, "%s", note);
		return;
	}
	cr_assert_not_null(note);
	cr_assert_str_eq(note, expected, "%s", note);
}

/* Timer 1 of /first publishes what /second receives, timer 2 of /second what /third receives. */
static void define_two_paths(const char *input, const char *output)
{
	define_node(talker, "first");
	define_publisher(talker, 1, input);
	define_timer(talker, 1);
	define_node(listener, "second");
	define_subscription(listener, 1, input);
	define_publisher(listener, 2, output);
	define_timer(listener, 2);
	define_node(third, "third");
	define_subscription(third, 2, output);
	run(talker);
	run(listener);
	run(third);
}

static void publish_in_timer(uint32_t thread, uint64_t timer, uint64_t publisher)
{
	publish_in(thread, TIMER_CALLBACK + timer, publisher, ++stamp);
}

static void run_two_paths(unsigned int times)
{
	for (unsigned int i = 0; i < times; i++) {
		publish_in_timer(talker, 1, 1);
		handle(listener, 1, stamp);
		publish_in_timer(listener, 2, 2);
		handle(third, 2, stamp);
	}
}

Test(path_joins, a_link_joins_a_path_to_a_node_and_one_of_its_timer)
{
	define_two_paths("/a", "/b");
	run_two_paths(JOIN_TRAVERSALS_MIN);
	expect_note(ONE "\n--link='/second: /a -> /b: periodic_async'");
}

Test(path_joins, what_is_proposed_is_a_link)
{
	g_autofree char *text = NULL;
	struct link_rule rule;
	const char *beginning;

	define_two_paths("/a", "/b");
	run_two_paths(JOIN_TRAVERSALS_MIN);
	report();
	beginning = strstr(kept_table("slowest_paths")->writer.note, "--link='") + strlen("--link='");
	text = g_strndup(beginning, strlen(beginning) - 1);
	cr_assert(link_rule_parse(&rule, text, NULL));
	cr_assert_str_eq(rule.node, "/second");
	cr_assert_str_eq(rule.subscribed_topic, "/a");
	cr_assert_str_eq(rule.published_topic, "/b");
	cr_assert_eq(rule.kind, LINK_PERIODIC_ASYNC);
	link_rule_clear(&rule);
}

Test(path_joins, is_with_the_summary_only_unless_there_is_none)
{
	define_two_paths("/a", "/b");
	run_two_paths(JOIN_TRAVERSALS_MIN);
	expect_note(ONE "\n--link='/second: /a -> /b: periodic_async'");
	cr_assert_null(kept_table("paths")->writer.note);
	choose_tables("paths");
	define_two_paths("/a", "/b");
	run_two_paths(JOIN_TRAVERSALS_MIN);
	report();
	cr_assert_str_eq(kept_table("paths")->writer.note, ONE "\n--link='/second: /a -> /b: periodic_async'");
}

/* /second publishes on /b before it has received anything. */
static void publish_first(void)
{
	publish_in_timer(listener, 2, 2);
	handle(third, 2, stamp);
}

Test(path_joins, what_was_published_before_anything_was_received_needs_no_link)
{
	define_two_paths("/a", "/b");
	publish_first();
	run_two_paths(2 * JOIN_TRAVERSALS_MIN);
	expect_note(NULL);
}

static void lose_events(void)
{
	now_ns += STEP_NS;
	feed(loss_of(RECORD_DISCARDED_EVENTS, 0, now_ns, now_ns + STEP_NS));
}

Test(path_joins, what_was_received_while_nothing_was_recorded_may_be_used)
{
	define_two_paths("/a", "/b");
	lose_events();
	publish_first();
	run_two_paths(2 * JOIN_TRAVERSALS_MIN);
	expect_note(ONE "\n--link='/second: /a -> /b: periodic_async'");
}

Test(path_joins, the_topic_is_one_that_was_waited_for)
{
	define_two_paths("/a", "/b");
	define_publisher(talker, 4, "/d");
	define_subscription(listener, 4, "/d");
	publish_in_timer(talker, 1, 4);
	handle(listener, 4, stamp);
	publish_first();
	run_two_paths(2 * JOIN_TRAVERSALS_MIN);
	for (unsigned int i = 0; i < JOIN_TRAVERSALS_MIN; i++) {
		publish_in_timer(talker, 1, 4);
		handle(listener, 4, stamp);
	}
	expect_note(ONE "\n--link='/second: /d -> /b: periodic_async'");
}

Test(path_joins, nodes_without_a_name_join_nothing)
{
	define_publisher(talker, 1, "/a");
	define_timer(talker, 1);
	define_subscription(listener, 1, "/a");
	define_publisher(listener, 2, "/b");
	define_timer(listener, 2);
	define_node(third, "third");
	define_subscription(third, 2, "/b");
	run(talker);
	run(listener);
	run(third);
	run_two_paths(JOIN_TRAVERSALS_MIN);
	expect_note(NULL);
}

/* Timers of /n0 to /n4 publish what the next one receives. */
Test(path_joins, two_are_listed_and_all_are_counted)
{
	enum { NODES = 5 };
	uint32_t threads[NODES];

	for (uint32_t i = 0; i < NODES; i++) {
		g_autofree char *name = g_strdup_printf("n%u", i), *topic = g_strdup_printf("/t%u", i),
				*before = g_strdup_printf("/t%u", i - 1);

		threads[i] = add_thread(0, 10 + (int32_t)i, 10 + (int32_t)i);
		define_node(threads[i], name);
		define_publisher(threads[i], 10 + i, topic);
		define_timer(threads[i], 10 + i);
		if (i > 0) {
			define_subscription(threads[i], 10 + i, before);
		}
		run(threads[i]);
	}
	for (uint32_t times = 0; times < JOIN_TRAVERSALS_MIN; times++) {
		for (uint32_t i = 0; i < NODES; i++) {
			publish_in_timer(threads[i], 10 + i, 10 + i);
			if (i + 1 < NODES) {
				handle(threads[i + 1], 11 + i, stamp);
			}
		}
	}
	expect_note(BEGINNING "; --link=proposed follows these and 1 more:\n"
			      "--link='/n1: /t0 -> /t1: periodic_async'\n--link='/n2: /t1 -> /t2: periodic_async'");
}

/* Between other topics than those of run_two_paths(). */
#define LINK_OF_SECOND                                                                                                 \
	.node = (char *)"/second", .subscribed_topic = (char *)"/c", .published_topic = (char *)"/d",                  \
	.text = (char *)"a link"

static void follow_link(const struct link_rule *rule)
{
	kept_options.links = rule;
	kept_options.link_count = 1;
	begin_session_anew();
}

Test(path_joins, links_that_were_proposed_and_followed_are_said_to_be_no_facts)
{
	struct link_rule rule = { LINK_OF_SECOND, .is_proposed = true };

	follow_link(&rule);
	define_two_paths("/a", "/b");
	run_two_paths(JOIN_TRAVERSALS_MIN);
	expect_note(
		"Where paths say >>, they follow a link that is proposed, not recorded: that the node uses what it has "
		"received, no event tells. The table diagnostics lists them.");
}

Test(path_joins, rare_flows_join_nothing)
{
	define_two_paths("/a", "/b");
	run_two_paths(JOIN_TRAVERSALS_MIN - 1);
	expect_note(NULL);
}

Test(path_joins, nothing_is_proposed_for_a_node_with_a_link_of_the_trace)
{
	define_two_paths("/a", "/b");
	define_publisher(talker, 5, "/other");
	define_subscription(listener, 5, "/other");
	NEXT(MESSAGE_LINK_PERIODIC_ASYNC, listener, addresses(SUBSCRIPTION + 1, 0), addresses(PUBLISHER + 2, 0));
	run_two_paths(JOIN_TRAVERSALS_MIN);
	for (unsigned int i = 0; i < JOIN_TRAVERSALS_MIN; i++) {
		publish_in_timer(talker, 1, 5);
		handle(listener, 5, stamp);
	}
	expect_note(NULL);
}

Test(path_joins, nothing_is_proposed_for_a_node_with_a_link_of_the_user)
{
	struct link_rule rule = { LINK_OF_SECOND };

	follow_link(&rule);
	define_two_paths("/a", "/b");
	run_two_paths(JOIN_TRAVERSALS_MIN);
	expect_note(NULL);
}

Test(path_joins, clocks_join_nothing)
{
	define_two_paths("/clock", "/b");
	run_two_paths(JOIN_TRAVERSALS_MIN);
	expect_note(NULL);
}

Test(path_joins, transforms_join_nothing)
{
	define_two_paths("/tf", "/b");
	run_two_paths(JOIN_TRAVERSALS_MIN);
	expect_note(NULL);
}

Test(path_joins, diagnostics_that_a_timer_publishes_are_no_way_to_go_on)
{
	define_two_paths("/a", "/diagnostics");
	run_two_paths(JOIN_TRAVERSALS_MIN);
	expect_note(NULL);
}

Test(path_joins, a_shell_is_given_plain_names_only)
{
	define_two_paths("/a", "/b'; date; '");
	run_two_paths(JOIN_TRAVERSALS_MIN);
	expect_note(NULL);
}

Test(path_joins, hidden_names_join_nothing)
{
	define_two_paths("/_a", "/b");
	run_two_paths(JOIN_TRAVERSALS_MIN);
	expect_note(NULL);
}

Test(path_joins, a_callback_of_the_message_that_publishes_needs_no_link)
{
	define_two_paths("/a", "/b");
	for (unsigned int i = 0; i < JOIN_TRAVERSALS_MIN; i++) {
		publish_in_timer(talker, 1, 1);
		pass_on(listener, 1, stamp, 2, stamp + 1);
		stamp++;
		handle(third, 2, stamp);
	}
	expect_note(NULL);
}

/* /second answers /first. Joining them would go round without end. */
Test(path_joins, circles_are_not_closed)
{
	define_node(talker, "first");
	define_publisher(talker, 1, "/a");
	define_timer(talker, 1);
	define_subscription(talker, 2, "/b");
	define_node(listener, "second");
	define_subscription(listener, 1, "/a");
	define_publisher(listener, 2, "/b");
	define_timer(listener, 2);
	run(talker);
	run(listener);
	for (unsigned int i = 0; i < JOIN_TRAVERSALS_MIN; i++) {
		publish_in_timer(talker, 1, 1);
		handle(listener, 1, stamp);
		publish_in_timer(listener, 2, 2);
		handle(talker, 2, stamp);
		publish_in_timer(talker, 1, 1);
		pass_on(listener, 1, stamp, 2, stamp + 1);
		stamp++;
		handle(talker, 2, stamp);
	}
	expect_note(NULL);
}

Test(path_joins, the_longest_way_to_a_node_is_proposed)
{
	uint32_t fourth = add_thread(0, 6, 6);

	define_two_paths("/a", "/b");
	define_subscription(talker, 3, "/c");
	define_publisher(talker, 4, "/d");
	define_subscription(listener, 4, "/d");
	define_node(fourth, "fourth");
	define_publisher(fourth, 3, "/c");
	define_timer(fourth, 3);
	for (unsigned int i = 0; i < JOIN_TRAVERSALS_MIN; i++) {
		publish_in_timer(fourth, 3, 3);
		pass_on(talker, 3, stamp, 4, stamp + 1);
		stamp++;
		handle(listener, 4, stamp);
	}
	run_two_paths(2 * JOIN_TRAVERSALS_MIN);
	expect_note(ONE "\n--link='/second: /d -> /b: periodic_async'");
}

Test(path_joins, a_publication_outside_callbacks_begins_paths_as_a_timer_does)
{
	define_two_paths("/a", "/b");
	for (unsigned int i = 0; i < JOIN_TRAVERSALS_MIN; i++) {
		publish_in_timer(talker, 1, 1);
		handle(listener, 1, stamp);
		publish(listener_2, 2, ++stamp);
		handle(third, 2, stamp);
	}
	expect_note(ONE "\n--link='/second: /a -> /b: periodic_async'");
}
