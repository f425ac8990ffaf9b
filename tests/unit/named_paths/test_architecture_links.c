/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <string.h>

#include "core/named_paths/architecture_links.h"
#include "ros2bt/flow/link_rules.h"

static struct named_path_options options;
static struct architecture_node *node; /* /node: callback in of /in, callback other of /other; publishes /out */

static void setup(void)
{
	options.architecture = architecture_create();
	node = architecture_add_node(options.architecture, "/node");
	architecture_add_callback(options.architecture, node, "in", ARCHITECTURE_SUBSCRIPTION)->topic = "/in";
	architecture_add_callback(options.architecture, node, "other", ARCHITECTURE_SUBSCRIPTION)->topic = "/other";
	architecture_add_callback(options.architecture, node, "timer", ARCHITECTURE_TIMER);
	architecture_add_endpoint(options.architecture, node->publishers, "/out", 0);
}

static void teardown(void)
{
	architecture_destroy(options.architecture);
}

TestSuite(architecture_links, .init = setup, .fini = teardown);

static void add_path(const char *name, const char *subscribed, const char *published)
{
	struct architecture_path *path = architecture_add_path(options.architecture, name);
	struct architecture_node_path *way;

	architecture_add_node_path(options.architecture, path, "/first");
	way = architecture_add_node_path(options.architecture, path, "/node");
	way->subscribed_topic = subscribed;
	way = architecture_add_node_path(options.architecture, path, "/last");
	way->subscribed_topic = published;
}

static void add_context(enum architecture_context_kind kind)
{
	architecture_add_context(options.architecture, node, kind, "/in", "/out");
}

static void add_passing(const char *write, const char *read)
{
	architecture_add_passing(options.architecture, node, write, read);
}

static void publish_from(const char *callback)
{
	struct architecture_endpoint *publisher = g_ptr_array_index(node->publishers, 0);

	architecture_add_name(options.architecture, publisher->callbacks, callback);
}

/* The links as "SUBSCRIBED PUBLISHED", separated by commas. */
static void expect_links(const char *expected)
{
	g_autoptr(GArray) links = architecture_links_of(&options);
	g_autoptr(GString) found = g_string_new(NULL);

	for (guint i = 0; i < links->len; i++) {
		const struct link_rule *link = &g_array_index(links, struct link_rule, i);

		cr_expect_str_eq(link->node, "/node");
		cr_expect_eq(link->kind, LINK_USE_LATEST);
		g_string_append_printf(found, "%s%s %s", i ? "," : "", link->subscribed_topic, link->published_topic);
	}
	cr_expect_str_eq(found->str, expected, "%s", found->str);
}

Test(architecture_links, use_latest_message_is_a_link)
{
	add_context(ARCHITECTURE_CONTEXT_USE_LATEST);
	add_path("path", "/in", "/out");
	expect_links("/in /out");
}

Test(architecture_links, a_link_of_two_paths_is_made_once)
{
	add_context(ARCHITECTURE_CONTEXT_USE_LATEST);
	add_path("path", "/in", "/out");
	add_path("again", "/in", "/out");
	expect_links("/in /out");
}

Test(architecture_links, nodes_on_no_path_have_none)
{
	add_context(ARCHITECTURE_CONTEXT_USE_LATEST);
	expect_links("");
	add_path("elsewhere", "/other", "/out");
	expect_links("");
}

/* The recording shows it. */
Test(architecture_links, a_callback_that_publishes_itself_keeps_nothing)
{
	add_context(ARCHITECTURE_CONTEXT_CALLBACK_CHAIN);
	publish_from("in");
	add_path("path", "/in", "/out");
	expect_links("");
}

Test(architecture_links, variables_lead_to_the_callback_that_publishes)
{
	add_context(ARCHITECTURE_CONTEXT_CALLBACK_CHAIN);
	publish_from("timer");
	add_path("path", "/in", "/out");
	expect_links("");
	/* in any order */
	add_passing("other", "timer");
	add_passing("in", "other");
	expect_links("/in /out");
}

Test(architecture_links, variables_count_without_a_context)
{
	publish_from("timer");
	add_passing("in", "timer");
	add_path("path", "/in", "/out");
	expect_links("/in /out");
}

Test(architecture_links, circles_of_variables_end)
{
	publish_from("timer");
	add_passing("in", "other");
	add_passing("other", "in");
	add_passing(NULL, "timer");
	add_passing("in", NULL);
	add_path("path", "/in", "/out");
	expect_links("");
}

/* The file says that "other" joins what "in" keeps; the node publishes from whichever callback comes last. */
Test(architecture_links, a_join_links_both_topics)
{
	publish_from("other");
	add_passing("in", "other");
	add_path("path", "/in", "/out");
	add_path("other path", "/other", "/out");
	expect_links("/in /out,/other /out");
}

/* Both publish: neither depends on the other. */
Test(architecture_links, a_reader_joins_nothing_if_the_writer_publishes_too)
{
	publish_from("in");
	publish_from("other");
	add_passing("in", "other");
	add_path("other path", "/other", "/out");
	expect_links("");
}

Test(architecture_links, contexts_that_no_trace_shows_are_no_links)
{
	add_context(ARCHITECTURE_CONTEXT_TILDE);
	publish_from("timer");
	add_passing("in", "timer");
	add_path("path", "/in", "/out");
	expect_links("");
}

Test(architecture_links, a_path_may_end_with_the_publication)
{
	struct architecture_path *path = architecture_add_path(options.architecture, "path");
	struct architecture_node_path *way;

	add_context(ARCHITECTURE_CONTEXT_USE_LATEST);
	architecture_add_node_path(options.architecture, path, "/first");
	way = architecture_add_node_path(options.architecture, path, "/node");
	way->subscribed_topic = "/in";
	way->published_topic = "/out";
	expect_links("/in /out");
}

Test(architecture_links, without_an_architecture_there_are_none)
{
	const struct named_path_options without = { 0 };
	g_autoptr(GArray) links = architecture_links_of(&without);

	cr_expect_eq(links->len, 0);
}
