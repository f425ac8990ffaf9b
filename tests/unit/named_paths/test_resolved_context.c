/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <glib.h>
#include <string.h>

#include "core/named_paths/architecture/resolved_context.h"

/* A node that receives /a and /b in callbacks a and b, publishes /x, and has a timer t. */
static struct architecture *architecture;
static struct architecture_node *node;
static struct architecture_endpoint *publisher;

static void subscribe(const char *topic, const char *callback)
{
	architecture_add_callback(architecture, node, callback, ARCHITECTURE_SUBSCRIPTION);
	architecture_add_endpoint(architecture, node->subscriptions, topic, 0)->callback =
		architecture_text(architecture, callback);
}

static void setup(void)
{
	architecture = architecture_create();
	node = architecture_add_node(architecture, "/n");
	publisher = architecture_add_endpoint(architecture, node->publishers, "/x", 0);
	subscribe("/a", "a");
	subscribe("/b", "b");
	architecture_add_callback(architecture, node, "t", ARCHITECTURE_TIMER);
}

static void teardown(void)
{
	architecture_destroy(architecture);
}

TestSuite(resolved_context, .init = setup, .fini = teardown);

static void publish_by(const char *callback)
{
	architecture_add_name(architecture, publisher->callbacks, callback);
}

static void pass(const char *write, const char *read)
{
	architecture_add_passing(architecture, node, write, read);
}

static void expect(const char *from, enum architecture_context_kind kind, const char *chain, const char *problem)
{
	struct architecture_node_path way = { .node = "/n", .subscribed_topic = from, .published_topic = "/x" };
	struct resolved_context context = resolved_context_find(node, &way);
	g_autoptr(GString) text = g_string_new(NULL);

	for (guint i = 0; i < context.chain->len; i++) {
		const struct architecture_callback *callback = g_ptr_array_index(context.chain, i);

		g_string_append_printf(text, "%s%s", i ? " " : "", callback->name);
	}
	cr_expect_eq(context.kind, kind);
	cr_expect_str_eq(text->str, chain);
	cr_expect_str_eq(context.problem ? context.problem : "", problem ? problem : "");
	resolved_context_clear(&context);
}

Test(resolved_context, a_callback_that_publishes_is_a_chain)
{
	publish_by("a");
	expect("/a", ARCHITECTURE_CONTEXT_CALLBACK_CHAIN, "a", NULL);
	expect("/b", ARCHITECTURE_CONTEXT_UNDEFINED, "", NULL);
}

Test(resolved_context, a_chain_leads_through_variables)
{
	publish_by("t");
	pass("a", "b");
	pass("b", "t");
	pass("t", NULL);
	expect("/a", ARCHITECTURE_CONTEXT_CALLBACK_CHAIN, "a b t", NULL);
	expect("/b", ARCHITECTURE_CONTEXT_CALLBACK_CHAIN, "b t", NULL);
}

Test(resolved_context, a_chain_passes_no_callback_twice)
{
	publish_by("t");
	pass("a", "b");
	pass("b", "a");
	pass("b", "t");
	expect("/a", ARCHITECTURE_CONTEXT_CALLBACK_CHAIN, "a b t", NULL);
}

Test(resolved_context, of_several_chains_none_is_right)
{
	publish_by("a");
	publish_by("b");
	pass("a", "b");
	expect("/a", ARCHITECTURE_CONTEXT_CALLBACK_CHAIN, "a",
	       "several chains of callbacks lead from the subscription to the publisher");
	expect("/b", ARCHITECTURE_CONTEXT_CALLBACK_CHAIN, "b", NULL);
}

Test(resolved_context, what_the_file_names_comes_first)
{
	publish_by("a");
	architecture_add_context(architecture, node, ARCHITECTURE_CONTEXT_USE_LATEST, "/a", "/x");
	architecture_add_context(architecture, node, ARCHITECTURE_CONTEXT_UNDEFINED, "/b", "/x");
	expect("/a", ARCHITECTURE_CONTEXT_USE_LATEST, "", NULL);
	expect("/b", ARCHITECTURE_CONTEXT_UNDEFINED, "", NULL);
}

/* Even if the file has UNDEFINED for it, as CARET's own export does. */
Test(resolved_context, an_undefined_context_gives_way_to_a_chain)
{
	publish_by("a");
	architecture_add_context(architecture, node, ARCHITECTURE_CONTEXT_UNDEFINED, "/a", "/x");
	expect("/a", ARCHITECTURE_CONTEXT_CALLBACK_CHAIN, "a", NULL);
}

Test(resolved_context, a_chain_that_is_named_must_be_there)
{
	architecture_add_context(architecture, node, ARCHITECTURE_CONTEXT_CALLBACK_CHAIN, "/a", "/x");
	expect("/a", ARCHITECTURE_CONTEXT_CALLBACK_CHAIN, "",
	       "no chain of callbacks leads from the subscription to the publisher");
}

Test(resolved_context, the_only_callback_publishes)
{
	struct architecture_node_path way = { .node = "/m", .subscribed_topic = "/c", .published_topic = "/y" };
	struct resolved_context context;

	node = architecture_add_node(architecture, "/m");
	architecture_add_endpoint(architecture, node->publishers, "/y", 0);
	subscribe("/c", "c");
	context = resolved_context_find(node, &way);
	cr_expect_eq(context.kind, ARCHITECTURE_CONTEXT_CALLBACK_CHAIN);
	cr_expect_eq(context.chain->len, 1);
	resolved_context_clear(&context);
}

Test(resolved_context, at_the_ends_of_a_path_there_is_none)
{
	publish_by("a");
	expect(NULL, ARCHITECTURE_CONTEXT_UNDEFINED, "", NULL);
}

/* 40 callbacks, each of which writes for all others: the search still ends. */
Test(resolved_context, a_node_with_everything_for_everyone_is_no_endless_search, .timeout = 300)
{
	publish_by("a");
	for (int i = 0; i < 40; i++) {
		for (int j = 0; j < 40; j++) {
			g_autofree char *write = g_strdup_printf("c%d", i);
			g_autofree char *read = g_strdup_printf("c%d", j);

			architecture_add_callback(architecture, node, write, ARCHITECTURE_TIMER);
			pass(write, read);
		}
	}
	pass("b", "c0");
	expect("/b", ARCHITECTURE_CONTEXT_UNDEFINED, "", NULL);
}
