/* SPDX-License-Identifier: MIT */
/* Architecture files are written as CARET writes them, and every name in them is read back unchanged. */
#include "ros2bt/named_paths/architecture_write.h"

#include <criterion/criterion.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "core/named_paths/architecture/architecture_file.h"

static struct architecture *architecture;

static void setup(void)
{
	architecture = architecture_create();
}

static void teardown(void)
{
	architecture_destroy(architecture);
}

TestSuite(architecture_write, .init = setup, .fini = teardown);

static char *text_of(const struct architecture *written)
{
	GString *yaml = g_string_new(NULL);

	architecture_write(written, yaml);
	return g_string_free(yaml, FALSE);
}

/* The text as our reader reads it; NULL without libyaml. */
static struct architecture *read_back(const char *text)
{
	g_autofree char *path = NULL;
	g_autoptr(GError) error = NULL;
	struct architecture *read;
	int file = g_file_open_tmp("architecture-XXXXXX.yaml", &path, NULL);

	cr_assert(file >= 0);
	close(file);
	cr_assert(g_file_set_contents(path, text, -1, NULL));
	read = architecture_file_read(path, &error);
	g_remove(path);
	cr_assert(read || strstr(error->message, "libyaml"), "%s", error ? error->message : "");
	return read;
}

static struct architecture_node *add_node_with_all(void)
{
	struct architecture_node *node = architecture_add_node(architecture, "/ns/filter");
	struct architecture_callback *callback;
	struct architecture_callback_group *group;
	struct architecture_context *context;

	callback = architecture_add_callback(architecture, node, "/ns/filter/callback_0", ARCHITECTURE_TIMER);
	callback->period_ns = 50000000;
	callback->symbol = architecture_text(architecture, "main::{lambda()#2}");
	callback = architecture_add_callback(architecture, node, "/ns/filter/callback_1", ARCHITECTURE_SUBSCRIPTION);
	callback->topic = architecture_text(architecture, "/in");
	callback->symbol = architecture_text(architecture, "std::function<void (int)>");
	callback->order = 1;
	group = architecture_add_group(architecture, node, "reentrant", "/ns/filter/callback_group_0");
	architecture_group_add(architecture, node, group, "/ns/filter/callback_0");
	architecture_add_group(architecture, node, NULL, "/ns/filter/callback_group_1");
	architecture_add_passing(architecture, node, NULL, NULL);
	architecture_add_name(architecture,
			      architecture_add_endpoint(architecture, node->publishers, "/out", 0)->callbacks,
			      "/ns/filter/callback_1");
	architecture_add_endpoint(architecture, node->publishers, "/out", 1);
	architecture_add_endpoint(architecture, node->subscriptions, "/in", 0)->callback =
		architecture_text(architecture, "/ns/filter/callback_1");
	context = architecture_add_context(architecture, node, ARCHITECTURE_CONTEXT_CALLBACK_CHAIN, "/in", "/out");
	architecture_add_name(architecture, context->callbacks, "/ns/filter/callback_1");
	context = architecture_add_context(architecture, node, ARCHITECTURE_CONTEXT_UNDEFINED, "/in", "/out");
	context->publisher_order = 1;
	return node;
}

static void add_path_and_executor(void)
{
	struct architecture_executor *executor =
		architecture_add_executor(architecture, "single_threaded_executor", "executor_0");
	struct architecture_path *path = architecture_add_path(architecture, "lidar to filter");
	struct architecture_node_path *element = architecture_add_node_path(architecture, path, "/lidar");

	architecture_add_name(architecture, executor->callback_groups, "/ns/filter/callback_group_0");
	element->published_topic = architecture_text(architecture, "/in");
	element = architecture_add_node_path(architecture, path, "/ns/filter");
	element->subscribed_topic = architecture_text(architecture, "/in");
	element->subscription_order = 2;
}

static const char expected[] = "named_paths:\n"
			       "- path_name: lidar to filter\n"
			       "  node_chain:\n"
			       "  - node_name: /lidar\n"
			       "    publish_topic_name: /in\n"
			       "    subscribe_topic_name: UNDEFINED\n"
			       "  - node_name: /ns/filter\n"
			       "    publish_topic_name: UNDEFINED\n"
			       "    subscribe_topic_name: /in\n"
			       "    subscription_construction_order: 2\n"
			       "executors:\n"
			       "- executor_type: single_threaded_executor\n"
			       "  executor_name: executor_0\n"
			       "  callback_group_names:\n"
			       "  - /ns/filter/callback_group_0\n"
			       "nodes:\n"
			       "- node_name: /ns/filter\n"
			       "  callback_groups:\n"
			       "  - callback_group_type: reentrant\n"
			       "    callback_group_name: /ns/filter/callback_group_0\n"
			       "    callback_names:\n"
			       "    - /ns/filter/callback_0\n"
			       "  - callback_group_type: UNDEFINED\n"
			       "    callback_group_name: /ns/filter/callback_group_1\n"
			       "    callback_names: []\n"
			       "  callbacks:\n"
			       "  - callback_name: /ns/filter/callback_0\n"
			       "    callback_type: timer_callback\n"
			       "    period_ns: 50000000\n"
			       "    symbol: main::{lambda()#2}\n"
			       "  - callback_name: /ns/filter/callback_1\n"
			       "    callback_type: subscription_callback\n"
			       "    topic_name: /in\n"
			       "    symbol: std::function<void (int)>\n"
			       "    construction_order: 1\n"
			       "  variable_passings:\n"
			       "  - callback_name_write: UNDEFINED\n"
			       "    callback_name_read: UNDEFINED\n"
			       "  publishes:\n"
			       "  - topic_name: /out\n"
			       "    callback_names:\n"
			       "    - /ns/filter/callback_1\n"
			       "  - topic_name: /out\n"
			       "    callback_names:\n"
			       "    - UNDEFINED\n"
			       "    construction_order: 1\n"
			       "  subscribes:\n"
			       "  - topic_name: /in\n"
			       "    callback_name: /ns/filter/callback_1\n"
			       "  message_contexts:\n"
			       "  - context_type: callback_chain\n"
			       "    subscription_topic_name: /in\n"
			       "    publisher_topic_name: /out\n"
			       "    callbacks:\n"
			       "    - /ns/filter/callback_1\n"
			       "  - context_type: UNDEFINED\n"
			       "    subscription_topic_name: /in\n"
			       "    publisher_topic_name: /out\n"
			       "    publisher_construction_order: 1\n";

Test(architecture_write, keys_and_their_order_are_those_of_caret)
{
	g_autofree char *text = NULL;

	add_node_with_all();
	add_path_and_executor();
	text = text_of(architecture);
	cr_assert_str_eq(text, expected);
}

Test(architecture_write, what_is_read_back_is_the_same)
{
	g_autofree char *again = NULL;
	struct architecture *read = read_back(expected);

	if (!read) {
		cr_skip("no libyaml");
	}
	again = text_of(read);
	cr_assert_str_eq(again, expected);
	architecture_destroy(read);
}

Test(architecture_write, of_nothing_there_are_the_three_lists)
{
	g_autofree char *text = text_of(architecture);

	cr_assert_str_eq(text, "named_paths: []\nexecutors: []\nnodes: []\n");
}

/* Each is the same after the file is read. */
static const char *const hostile[] = {
	"",
	" ",
	"/a b",
	"/a ",
	" /a",
	"/a: b",
	"/a:",
	"/a #b",
	"/a#b",
	"- /a",
	"? /a",
	": /a",
	"[]",
	"{}",
	"{a: b}",
	"'",
	"\"",
	"\\",
	"\\n",
	"/a\nb",
	"\n",
	"\r\n",
	"\t",
	"/a\tb",
	"\x01\x1b[31m\x7f",
	"null",
	"Null",
	"~",
	"true",
	"no",
	"N",
	"off",
	"1",
	"0x1f",
	"1e3",
	"1_000",
	".inf",
	"12:30:45",
	"2026-11-22",
	"<<",
	"=",
	"&anchor",
	"*alias",
	"!tag",
	"!!int 3",
	"|",
	">",
	"%YAML 1.1",
	"---",
	"...",
	"@",
	"`",
	",",
	"/\xC3\xA4\xE2\x82\xAC\xF0\x9F\xA4\x96",
	"\xC2\x85",
	"\xC2\xA0",
	"\xE2\x80\xA8",
	"\xEF\xBB\xBF/bom",
	"\xEF\xBF\xBE",
	"main::{lambda(std::shared_ptr<a::b<std::allocator<void> > const>)#1}",
};

Test(architecture_write, any_name_is_read_back)
{
	struct architecture *read;
	g_autofree char *text = NULL;

	for (size_t i = 0; i < G_N_ELEMENTS(hostile); i++) {
		architecture_add_node(architecture, hostile[i]);
	}
	text = text_of(architecture);
	read = read_back(text);
	if (!read) {
		cr_skip("no libyaml");
	}
	for (size_t i = 0; i < G_N_ELEMENTS(hostile); i++) {
		const struct architecture_node *node = g_ptr_array_index(read->nodes, i);

		cr_expect_str_eq(node->name, hostile[i]);
	}
	architecture_destroy(read);
}

Test(architecture_write, long_names_are_read_back)
{
	g_autofree char *name = g_strnfill(20000, 'x'), *spaced = g_strnfill(5000, ' ');
	g_autofree char *text = NULL;
	struct architecture *read;

	name[5000] = ' ';
	spaced[0] = '/';
	spaced[4999] = 'x';
	architecture_add_node(architecture, name);
	architecture_add_node(architecture, spaced);
	text = text_of(architecture);
	read = read_back(text);
	if (!read) {
		cr_skip("no libyaml");
	}
	cr_expect_str_eq(((struct architecture_node *)g_ptr_array_index(read->nodes, 0))->name, name);
	cr_expect_str_eq(((struct architecture_node *)g_ptr_array_index(read->nodes, 1))->name, spaced);
	architecture_destroy(read);
}

Test(architecture_write, bytes_that_are_no_text_are_replaced)
{
	g_autofree char *text = NULL;

	architecture_add_node(architecture, "/a\xFF");
	text = text_of(architecture);
	cr_assert(g_utf8_validate(text, -1, NULL));
	cr_assert(strstr(text, "\"/a\xEF\xBF\xBD\""), "%s", text);
}
