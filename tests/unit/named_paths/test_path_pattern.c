/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "core/named_paths/architecture/named_path_options.h"

static struct named_path_options options;
static char *path;

static void setup(void)
{
	options = (struct named_path_options){ 0 };
	close(g_file_open_tmp("ros2bt-paths-XXXXXX", &path, NULL));
}

static void teardown(void)
{
	named_path_options_clear(&options);
	g_remove(path);
	g_free(path);
}

TestSuite(path_pattern, .init = setup, .fini = teardown);

static const struct path_pattern *pattern_at(guint index)
{
	cr_assert_lt(index, options.patterns->len);
	return g_ptr_array_index(options.patterns, index);
}

static const struct pattern_node *node_at(const struct path_pattern *pattern, guint index)
{
	cr_assert_lt(index, pattern->nodes->len);
	return &g_array_index(pattern->nodes, struct pattern_node, index);
}

static bool read_text(const char *text, GError **error)
{
	named_path_options_clear(&options);
	named_path_options_init(&options);
	return named_path_options_read_texts(&options, (const char *const[]){ text, NULL }, error);
}

static const struct path_pattern *parse(const char *text)
{
	g_autoptr(GError) error = NULL;

	cr_assert(read_text(text, &error), "%s", error ? error->message : "");
	return pattern_at(0);
}

static bool read_file(const char *text, GError **error)
{
	cr_assert(g_file_set_contents(path, text, -1, NULL));
	named_path_options_clear(&options);
	named_path_options_init(&options);
	return named_path_options_read_file(&options, path, error);
}

static void check_text_refused(const char *text, const char *why)
{
	g_autoptr(GError) error = NULL;

	cr_assert_not(read_text(text, &error), "%s", text);
	cr_assert(strstr(error->message, why), "%s", error->message);
}

static void check_file_refused(const char *text, const char *message)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *expected = g_strdup_printf("%s:%s", path, message);

	cr_assert_not(read_file(text, &error), "%s", text);
	cr_assert_str_eq(error->message, expected);
}

Test(path_pattern, a_text_names_nodes_and_topics_in_turn)
{
	const struct path_pattern *pattern = parse(" a to c : /a > /t > b >/u> /c");

	cr_assert_str_eq(pattern->name, "a to c");
	cr_assert_str_eq(pattern->text, "/a > /t > b > /u > /c");
	cr_assert(pattern->is_concrete);
	cr_assert_eq(pattern->nodes->len, 3);
	cr_assert_str_eq(node_at(pattern, 0)->node.name, "/a");
	cr_assert_null(node_at(pattern, 0)->subscribed.name);
	cr_assert_str_eq(node_at(pattern, 1)->node.name, "/b", "a missing / is added");
	cr_assert_str_eq(node_at(pattern, 1)->subscribed.name, "/t");
	cr_assert_eq(node_at(pattern, 1)->subscription_order, PATTERN_ANY_ORDER);
	cr_assert_str_eq(node_at(pattern, 2)->subscribed.name, "/u");
	cr_assert_not(node_at(pattern, 2)->may_be_far);
}

Test(path_pattern, globs_and_dots_stand_for_many)
{
	const struct path_pattern *pattern = parse("p: /a* > /t > … > /u > /b > ... > /c");

	cr_assert_not(pattern->is_concrete);
	cr_assert_eq(pattern->nodes->len, 3);
	cr_assert(name_pattern_matches(&node_at(pattern, 0)->node, "/abc"));
	cr_assert_not(name_pattern_matches(&node_at(pattern, 0)->node, "/b"));
	cr_assert_str_eq(node_at(pattern, 0)->published.name, "/t");
	cr_assert(node_at(pattern, 1)->may_be_far);
	cr_assert_str_eq(node_at(pattern, 1)->subscribed.name, "/u");
	cr_assert(node_at(pattern, 2)->may_be_far);
	cr_assert(name_pattern_matches(&node_at(pattern, 2)->subscribed, "/anything"));
}

Test(path_pattern, a_path_may_end_with_a_publication)
{
	const struct path_pattern *pattern = parse("p: /a > /t > /b > /u");

	cr_assert(pattern->is_concrete);
	cr_assert_eq(pattern->nodes->len, 2);
	cr_assert(node_at(pattern, 1)->has_published);
	cr_assert_str_eq(node_at(pattern, 1)->published.name, "/u");
	cr_assert_not(node_at(pattern, 0)->has_published);
}

Test(path_pattern, a_path_may_end_with_one_of_several_publications)
{
	const struct path_pattern *pattern = parse("p: /a > /t > /b > /u*");

	cr_assert_not(pattern->is_concrete);
	cr_assert(node_at(pattern, 1)->has_published);
}

Test(path_pattern, texts_that_are_no_paths_are_refused)
{
	check_text_refused("/a > /t > /b", "it has no name");
	check_text_refused(": /a > /t > /b", "it has no name");
	check_text_refused("p: /a", "it has one node only");
	check_text_refused("p: /a > /t", "it has one node only");
	check_text_refused("p: … > /b", "it begins or ends with …");
	check_text_refused("p: /a > …", "it begins or ends with …");
	check_text_refused("p: /a > > /b", "a name is empty");
	check_text_refused("p:", "it names no node");
}

Test(path_pattern, paths_of_an_architecture_are_concrete)
{
	const struct path_pattern *pattern;

	cr_assert(read_file("named_paths:\n"
			    "- path_name: p\n"
			    "  node_chain:\n"
			    "  - {node_name: /a, subscribe_topic_name: /s, publish_topic_name: /t}\n"
			    "  - {node_name: /b, subscribe_topic_name: /t, publish_topic_name: /u,\n"
			    "     subscription_construction_order: 1}\n"
			    "- {path_name: empty, node_chain: []}\n"
			    "- {path_name: alone, node_chain: [{node_name: /a}]}\n"
			    "- {path_name: gap, node_chain: [{node_name: /a}, {node_name: /b}]}\n"
			    "executors: []\n"
			    "nodes: []\n",
			    NULL));
	pattern = pattern_at(0);
	cr_assert(pattern->is_concrete);
	cr_assert_null(pattern->problem);
	cr_assert_str_eq(pattern->text, "/s > /a > /t > /b > /u");
	cr_assert(node_at(pattern, 0)->has_subscribed);
	cr_assert_eq(node_at(pattern, 0)->subscription_order, 0);
	cr_assert_eq(node_at(pattern, 1)->subscription_order, 1);
	cr_assert(node_at(pattern, 1)->has_published);
	cr_assert_str_eq(pattern_at(1)->problem, "its node_chain is empty");
	cr_assert_str_eq(pattern_at(2)->problem, "no message goes along a chain of one node");
	cr_assert_str_eq(pattern_at(3)->problem, "/b has no subscribe_topic_name");
}

Test(path_pattern, a_target_path_json_has_regular_expressions_of_whole_names)
{
	const struct path_pattern *pattern;

	cr_assert(read_file("{\"target_path_list\": [{\"name\": \"p\", \"include_last_callback\": false,\n"
			    "  \"path\": [\"/a\", [\"/b.*\", \"/t[12]\"]]}], \"ignore_topic_list\": [\"/tf\"]}",
			    NULL));
	pattern = pattern_at(0);
	cr_assert_eq(pattern->first_callback, PATTERN_END_INCLUDED);
	cr_assert_eq(pattern->last_callback, PATTERN_END_EXCLUDED);
	cr_assert(named_path_has_first_callback(&options, pattern));
	cr_assert_not(named_path_has_last_callback(&options, pattern));
	cr_assert(name_pattern_matches(&node_at(pattern, 0)->node, "/a"));
	cr_assert_not(name_pattern_matches(&node_at(pattern, 0)->node, "/ab"));
	cr_assert(node_at(pattern, 1)->may_be_far);
	cr_assert(name_pattern_matches(&node_at(pattern, 1)->node, "/bcd"));
	cr_assert_not(name_pattern_matches(&node_at(pattern, 1)->node, "/a/bcd"));
	cr_assert(name_pattern_matches(&node_at(pattern, 1)->either, "/t1"));
	cr_assert_not(name_pattern_matches(&node_at(pattern, 1)->either, "/t12"));
	cr_assert_not(path_pattern_wanders(pattern, "/tf_static", "/x"), "a part of the name");
	cr_assert_not(path_pattern_wanders(pattern, "/x", "/launch_ros_1"), "usually ignored");
	cr_assert(path_pattern_wanders(pattern, "/x", "/y"));
}

Test(path_pattern, blocks_of_a_target_path_share_their_ends)
{
	cr_assert(read_file("[{\"name\": \"p\", \"path_blocks\": [[\"/a\", \"/b\"], [\"/b\", \"/c\"]]}]", NULL));
	cr_assert_eq(pattern_at(0)->nodes->len, 3);
	cr_assert(name_pattern_matches(&node_at(pattern_at(0), 2)->node, "/c"));
	cr_assert_str_eq(pattern_at(0)->text, "/a > … > /b | /b > … > /c");
}

Test(path_pattern, errors_of_a_target_path_name_the_line)
{
	check_file_refused("[\n{\"path\": [\"/a\", \"/b\"]}]", "2: `name` is missing: expected the name of the path");
	check_file_refused("[\n{\"name\": \"p\"}]", "2: `path` is missing: expected a list of nodes");
	check_file_refused("[{\"name\": \"p\",\n\"path\": [\"/a\"]}]", "1: `path`: expected two nodes or more");
	check_file_refused("[{\"name\": \"p\",\n\"path\": [\"/a\", [\"/b\"]]}]",
			   "2: expected a node, or [node, topic]");
	check_file_refused("[{\"name\": \"p\",\n\"path\": \"/a\"}]", "2: expected a list of nodes");
	check_file_refused("{\"target_path_list\": {}}", "1: `target_path_list`: expected a list");
	check_file_refused("[{\"name\": \"p\", \"include_first_callback\": 1,\n\"path\": [\"/a\", \"/b\"]}]",
			   "1: `include_first_callback`: expected true or false");
}
