/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "core/named_paths/architecture/architecture_file.h"

static char *path;

static void setup(void)
{
	close(g_file_open_tmp("ros2bt-architecture-XXXXXX", &path, NULL));
}

static void teardown(void)
{
	g_remove(path);
	g_free(path);
}

TestSuite(architecture_file, .init = setup, .fini = teardown);

static struct architecture *read_text(const char *text, GError **error)
{
	cr_assert(g_file_set_contents(path, text, -1, NULL));
	return architecture_file_read(path, error);
}

static struct architecture *read_good(const char *text)
{
	g_autoptr(GError) error = NULL;
	struct architecture *architecture = read_text(text, &error);

	cr_assert_not_null(architecture, "%s", error ? error->message : "");
	return architecture;
}

static void check_refused(const char *text, const char *message)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *expected = g_strdup_printf("%s:%s", path, message);

	cr_assert_null(read_text(text, &error), "%s", text);
	cr_assert_str_eq(error->message, expected);
}

static void check_remark(const struct architecture *architecture, guint index, const char *message)
{
	g_autofree char *expected = g_strdup_printf("%s:%s", path, message);

	cr_assert_lt(index, architecture->remarks->len);
	cr_assert_str_eq(g_ptr_array_index(architecture->remarks, index), expected);
}

static const char system_text[] = "named_paths:\n"
				  "- path_name: a to c\n"
				  "  node_chain:\n"
				  "  - node_name: /a\n"
				  "    publish_topic_name: /t\n"
				  "    subscribe_topic_name: UNDEFINED\n"
				  "    publisher_construction_order: 1\n"
				  "    subscription_construction_order: 7\n"
				  "  - node_name: /b\n"
				  "    publish_topic_name: /u\n"
				  "    subscribe_topic_name: /t\n"
				  "    subscription_construction_order: 2\n"
				  "  - node_name: /c\n"
				  "    publish_topic_name:\n"
				  "    subscribe_topic_name: /u\n"
				  "executors:\n"
				  "- executor_type: multi_threaded_executor\n"
				  "  executor_name: executor_0\n"
				  "  callback_group_names:\n"
				  "  - /b/callback_group_0\n"
				  "nodes:\n"
				  "- node_name: /b\n"
				  "  callback_groups:\n"
				  "  - callback_group_type: reentrant\n"
				  "    callback_group_name: /b/callback_group_0\n"
				  "    callback_names:\n"
				  "    - /b/callback_0\n"
				  "    - /b/callback_1\n"
				  "  callbacks:\n"
				  "  - callback_name: /b/callback_0\n"
				  "    callback_type: timer_callback\n"
				  "    period_ns: '50000000'\n"
				  "    symbol: main::{lambda()#1}\n"
				  "  - callback_name: /b/callback_1\n"
				  "    callback_type: subscription_callback\n"
				  "    topic_name: /t\n"
				  "    symbol: main::{lambda(std::shared_ptr<msg::Stamped_<std::allocator<void>\n"
				  "      > const>)#3}\n"
				  "    construction_order: 2\n"
				  "  variable_passings:\n"
				  "  - callback_name_write: /b/callback_1\n"
				  "    callback_name_read: /b/callback_0\n"
				  "  - callback_name_write: UNDEFINED\n"
				  "    callback_name_read: UNDEFINED\n"
				  "  publishes:\n"
				  "  - topic_name: /u\n"
				  "    callback_names:\n"
				  "    - /b/callback_0\n"
				  "  - topic_name: /v\n"
				  "    callback_names: [UNDEFINED]\n"
				  "    construction_order: 1\n"
				  "  subscribes:\n"
				  "  - topic_name: /t\n"
				  "    callback_name: /b/callback_1\n"
				  "    construction_order: 2\n"
				  "  - topic_name: /w\n"
				  "    callback_name: UNDEFINED\n"
				  "  message_contexts:\n"
				  "  - context_type: UNDEFINED\n"
				  "    subscription_topic_name: /t\n"
				  "    publisher_topic_name: /u\n"
				  "    subscription_construction_order: 2\n"
				  "  - context_type: callback_chain\n"
				  "    subscription_topic_name: /t\n"
				  "    publisher_topic_name: /u\n"
				  "    subscription_construction_order: 2\n"
				  "    callbacks:\n"
				  "    - /b/callback_1\n"
				  "    - /b/callback_0\n"
				  "- node_name: /a\n"
				  "  a key that nobody knows: 1\n";

Test(architecture_file, named_paths_have_chains_with_topics_and_orders)
{
	struct architecture *architecture = read_good(system_text);
	const struct architecture_path *named = g_ptr_array_index(architecture->named_paths, 0);
	const struct architecture_node_path *chain = (const void *)named->chain->data;

	cr_assert_eq(architecture->named_paths->len, 1);
	cr_assert_str_eq(architecture->path, path);
	cr_assert_str_eq(named->name, "a to c");
	cr_assert_eq(named->line, 2);
	cr_assert_eq(named->chain->len, 3);
	cr_assert_str_eq(chain[0].node, "/a");
	cr_assert_null(chain[0].subscribed_topic);
	cr_assert_str_eq(chain[0].published_topic, "/t");
	cr_assert_eq(chain[0].publisher_order, 1);
	/* the order of an undefined topic has no meaning */
	cr_assert_eq(chain[0].subscription_order, 0);
	cr_assert_eq(chain[1].subscription_order, 2);
	cr_assert_eq(chain[1].line, 9);
	cr_assert_null(chain[2].published_topic);
	cr_assert_str_eq(chain[2].subscribed_topic, "/u");
	architecture_destroy(architecture);
}

Test(architecture_file, a_node_has_callbacks_groups_passings_endpoints_and_contexts)
{
	struct architecture *architecture = read_good(system_text);
	const struct architecture_node *node = architecture_find_node(architecture, "/b");
	const struct architecture_callback *timer = architecture_find_callback(node, "/b/callback_0");
	const struct architecture_callback *subscription = architecture_find_callback(node, "/b/callback_1");
	const struct architecture_variable_passing *passing = g_ptr_array_index(node->variable_passings, 0);
	const struct architecture_variable_passing *unknown = g_ptr_array_index(node->variable_passings, 1);
	const struct architecture_executor *executor = g_ptr_array_index(architecture->executors, 0);

	cr_assert_eq(architecture->nodes->len, 2);
	cr_assert_eq(architecture->remarks->len, 0);
	cr_assert_eq(timer->kind, ARCHITECTURE_TIMER);
	cr_assert_eq(timer->period_ns, 50000000);
	cr_assert_null(timer->topic);
	cr_assert_eq(subscription->kind, ARCHITECTURE_SUBSCRIPTION);
	cr_assert_str_eq(subscription->topic, "/t");
	cr_assert_eq(subscription->order, 2);
	cr_assert_str_eq(subscription->symbol,
			 "main::{lambda(std::shared_ptr<msg::Stamped_<std::allocator<void> > const>)#3}");
	cr_assert_str_eq(architecture_find_group(node, "/b/callback_1")->type, "reentrant");
	cr_assert_str_eq(architecture_find_group(node, "/b/callback_1")->name, "/b/callback_group_0");
	cr_assert_null(architecture_find_group(node, "/b/callback_2"));
	cr_assert_str_eq(passing->write, "/b/callback_1");
	cr_assert_str_eq(passing->read, "/b/callback_0");
	cr_assert_null(unknown->write);
	cr_assert_null(unknown->read);
	cr_assert_str_eq(executor->type, "multi_threaded_executor");
	cr_assert_str_eq(g_ptr_array_index(executor->callback_groups, 0), "/b/callback_group_0");
	architecture_destroy(architecture);
}

Test(architecture_file, publishers_subscriptions_and_contexts_are_found_by_topic_and_order)
{
	struct architecture *architecture = read_good(system_text);
	const struct architecture_node *node = architecture_find_node(architecture, "/b");
	const struct architecture_endpoint *known = architecture_find_endpoint(node->publishers, "/u", 0);
	const struct architecture_context *context = architecture_find_context(node, "/t", 2, "/u", 0);

	cr_assert_eq(known->callbacks->len, 1);
	cr_assert_str_eq(g_ptr_array_index(known->callbacks, 0), "/b/callback_0");
	cr_assert_eq(architecture_find_endpoint(node->publishers, "/v", 1)->callbacks->len, 0);
	cr_assert_null(architecture_find_endpoint(node->publishers, "/v", 0));
	cr_assert_str_eq(architecture_find_endpoint(node->subscriptions, "/t", 2)->callback, "/b/callback_1");
	cr_assert_null(architecture_find_endpoint(node->subscriptions, "/w", 0)->callback);
	cr_assert_null(architecture_find_endpoint(node->subscriptions, "/u", 0));
	/* the one that is not UNDEFINED */
	cr_assert_eq(context->kind, ARCHITECTURE_CONTEXT_CALLBACK_CHAIN);
	cr_assert_eq(context->callbacks->len, 2);
	cr_assert_null(architecture_find_context(node, "/t", 0, "/u", 0));
	architecture_destroy(architecture);
}

Test(architecture_file, what_caret_leaves_out_is_left_out_with_a_remark)
{
	struct architecture *architecture =
		read_good("named_paths:\n"
			  "- path_name: p\n"
			  "  node_chain: []\n"
			  "- path_name: p\n"
			  "  node_chain: []\n"
			  "executors: []\n"
			  "nodes:\n"
			  "- node_name: /a\n"
			  "  callbacks:\n"
			  "  - callback_name: c\n"
			  "    callback_type: service_callback\n"
			  "  - {callback_name: d, callback_type: timer_callback, period_ns: 1, symbol: s}\n"
			  "  - {callback_name: d, callback_type: timer_callback, period_ns: 2, symbol: s}\n"
			  "  message_contexts:\n"
			  "  - context_type: magic\n");
	const struct architecture_node *node = architecture_find_node(architecture, "/a");

	cr_assert_eq(architecture->named_paths->len, 1);
	cr_assert_eq(node->callbacks->len, 1);
	cr_assert_eq(architecture_find_callback(node, "d")->period_ns, 1);
	cr_assert_eq(node->contexts->len, 0);
	cr_assert_eq(architecture->remarks->len, 4);
	check_remark(architecture, 0, "4: path p is ignored: the name is already in use");
	check_remark(architecture, 1, "10: callback c is left out: its type service_callback is unknown");
	check_remark(architecture, 2, "13: callback d is ignored: the name is already in use");
	check_remark(architecture, 3, "15: a context is left out: its type magic is unknown");
	architecture_destroy(architecture);
}

#define EMPTY_HEAD "named_paths: []\nexecutors: []\nnodes:\n"

Test(architecture_file, errors_name_the_line_and_the_key)
{
	check_refused("", " no architecture: expected the keys `named_paths`, `executors` and `nodes`");
	check_refused("named_paths: []\nnodes: []\n", "1: `executors` is missing: CARET requires it");
	check_refused("named_paths: []\nexecutors:\nnodes: []\n", "2: `executors` has no value: CARET requires one");
	check_refused("named_paths: {}\n", "1: `named_paths`: expected a list");
	check_refused("named_paths: [x]\n", "1: `named_paths`: expected keys and values");
	check_refused("named_paths:\n- path_name: p\n", "2: `node_chain` is missing: CARET requires it");
	check_refused("named_paths:\n- path_name: p\n  node_chain: x\n", "3: `node_chain`: expected a list");
	check_refused("named_paths:\n- path_name: p\n  node_chain:\n  - publish_topic_name: /t\n",
		      "4: `node_name` is missing: CARET requires it");
	check_refused("named_paths:\n- path_name: p\n  node_chain:\n  - node_name: /a\n    publish_topic_name: [1]\n",
		      "5: `publish_topic_name`: expected a text");
	check_refused(EMPTY_HEAD "- node_name: /a\n- node_name: /a\n",
		      "5: node /a is defined twice: remove one of the two");
	check_refused(EMPTY_HEAD "- node_name: [1]\n", "4: `node_name`: expected a text");
	check_refused(EMPTY_HEAD "- node_name: /a\n  callbacks:\n", "5: `callbacks` has no value: CARET requires one");
	check_refused(EMPTY_HEAD "- node_name: /a\n  callbacks:\n"
				 "  - {callback_name: c, callback_type: timer_callback, period_ns: 1 s, symbol: s}\n",
		      "6: `period_ns`: expected an integer of nanoseconds");
	check_refused(EMPTY_HEAD "- node_name: /a\n  callbacks:\n"
				 "  - {callback_name: c, callback_type: subscription_callback, symbol: s}\n",
		      "6: `topic_name` is missing: CARET requires it");
	check_refused(EMPTY_HEAD "- node_name: /a\n  callbacks:\n"
				 "  - {callback_name: c, callback_type: timer_callback, period_ns: 1}\n",
		      "6: `symbol` is missing: CARET requires it");
	check_refused(EMPTY_HEAD "- node_name: /a\n  callbacks:\n"
				 "  - {callback_name: c, type: timer_callback, period_ns: 1, symbol: s}\n",
		      "6: `type` is a form that CARET has not read since 2022: expected `callback_type`");
	check_refused(EMPTY_HEAD "- node_name: /a\n  publishes:\n  - {topic_name: /t, callback_name: c}\n",
		      "6: `callback_names` is missing: CARET requires it");
	check_refused(EMPTY_HEAD "- node_name: /a\n  publishes:\n  - {topic_name: /t, callback_names: c}\n",
		      "6: `callback_names`: expected a list of names");
	check_refused(EMPTY_HEAD "- node_name: /a\n  publishes:\n  - {topic_name: /t, callback_names: [[c]]}\n",
		      "6: `callback_names`: expected a list of names");
	check_refused(EMPTY_HEAD "- node_name: /a\n  subscribes:\n"
				 "  - {topic_name: /t, callback_name: c, construction_order: -1}\n",
		      "6: `construction_order`: expected an integer of 0 or more");
	check_refused(EMPTY_HEAD "- node_name: /a\n  message_contexts:\n"
				 "  - {context_type: tilde, subscription_topic_name: /t}\n",
		      "6: `publisher_topic_name` is missing: CARET requires it");
	check_refused(EMPTY_HEAD "- node_name: /a\n  callback_groups:\n"
				 "  - {callback_group_type: reentrant, callback_group_name: g}\n",
		      "6: `callback_names` is missing: CARET requires it");
	check_refused(EMPTY_HEAD "- node_name: /a\n  variable_passings:\n  - {callback_name_write: c}\n",
		      "6: `callback_name_read` is missing: CARET requires it");
	check_refused("path_name_aliases: []\nnodes: []\n",
		      "1: `path_name_aliases` is a form that CARET has not read since 2022: expected `named_paths`");
}
