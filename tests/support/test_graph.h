/* SPDX-License-Identifier: MIT */
/*
 * A graph in a test: scripted source → components of the plugin, in the order they are added → a sink that checks the
 * rules of messages and writes each down, or a sink of the plugin.
 *
 *   g_autoptr(test_graph) graph = test_graph_create(script);
 *   test_graph_add(graph, "dedup", "window=1ms");
 *   cr_assert_str_eq(test_graph_run(graph), "begin A\n…");
 *
 * The plugin is the file named by the environment variable ROS2BT_PLUGIN.
 */
#ifndef ROS2BT_TESTS_TEST_GRAPH_H
#define ROS2BT_TESTS_TEST_GRAPH_H

#include <babeltrace2/babeltrace.h>
#include <glib.h>
#include <stdbool.h>

typedef struct test_graph test_graph;

/* Adds a source component with one port to the graph. */
typedef const bt_component_source *(*test_graph_source)(bt_graph *graph, const char *name, const void *data);

struct test_graph *test_graph_create(const char *script);
struct test_graph *test_graph_create_from(test_graph_source add, const void *data, uint64_t mip_version);
void test_graph_destroy(struct test_graph *graph);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(test_graph, test_graph_destroy)

/* The plugin, the only one in the set, which the caller owns. */
const bt_plugin_set *test_graph_load_plugins(void);

/*
 * The greatest protocol version that a filter of the plugin supports here: a plugin built with babeltrace2 2.0 supports
 * version 0 only, even if the tests were built with a later release.
 */
uint64_t test_graph_mip_version(const char *filter);

/* Adds a source, before any component is added: the next component also receives its messages and must have several
 * ports. */
void test_graph_add_source(struct test_graph *graph, const char *script);

/* Adds babeltrace2's own filter.utils.muxer. */
void test_graph_add_muxer(struct test_graph *graph);

/* Adds babeltrace2's own filter.utils.trimmer, which seeks; "SECONDS.NS" since the Unix epoch. */
void test_graph_add_trimmer(struct test_graph *graph, const char *begin);

/* Adds babeltrace2's own sink.text.details, which writes all properties of all messages to standard output. */
void test_graph_add_details(struct test_graph *graph);

/*
 * Adds a component of the plugin. Parameters as on the command line: key=value, several separated by blanks; integers,
 * yes/no and [a,b] arrays of strings are recognized, all else is a string. False if the component refuses them, see
 * test_graph_error().
 */
bool test_graph_add(struct test_graph *graph, const char *class_name, const char *params);
bool test_graph_add_with(struct test_graph *graph, const char *class_name, const bt_value *params);

/* Called with each message that arrives at the end. */
void test_graph_observe(struct test_graph *graph, void (*observer)(void *data, const bt_message *message), void *data);

/*
 * Runs to the end, again after AGAIN. What arrived as text (message_text.h), then "broken: RULE\n" where a rule of
 * messages was broken, "again\n" for each AGAIN, "error\n" if the run failed. Empty when a sink of the plugin is at the
 * end. What several sources give arrives as message_merge.h merges it.
 */
const char *test_graph_run(struct test_graph *graph);

/* Runs to the end or the first AGAIN. False: not at the end. */
bool test_graph_run_until_again(struct test_graph *graph);

/* The causes of the last failure, the first that was appended first, one a line; "" if there was none. */
const char *test_graph_error(struct test_graph *graph);

#endif
