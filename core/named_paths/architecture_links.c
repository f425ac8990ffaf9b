/* SPDX-License-Identifier: MIT */
#include "core/named_paths/architecture_links.h"

#include <string.h>

#include "ros2bt/flow/link_rules.h"

static void add_rule(GArray *rules, const char *node, const char *subscribed, const char *published)
{
	struct link_rule rule = { .kind = LINK_USE_LATEST };
	struct link_rule *added;

	for (guint i = 0; i < rules->len; i++) {
		const struct link_rule *other = &g_array_index(rules, struct link_rule, i);

		if (strcmp(other->node, node) == 0 && strcmp(other->subscribed_topic, subscribed) == 0 &&
		    strcmp(other->published_topic, published) == 0) {
			return;
		}
	}
	g_array_append_vals(rules, &rule, 1);
	added = &g_array_index(rules, struct link_rule, rules->len - 1);
	added->node = g_strdup(node);
	added->subscribed_topic = g_strdup(subscribed);
	added->published_topic = g_strdup(published);
	added->text =
		g_strdup_printf("%s: %s -> %s: use_latest_message, of the architecture", node, subscribed, published);
}

static bool publishes(const struct architecture_node *node, const char *callback, const char *topic)
{
	for (guint i = 0; i < node->publishers->len; i++) {
		const struct architecture_endpoint *publisher = g_ptr_array_index(node->publishers, i);

		if (strcmp(publisher->topic, topic) == 0 &&
		    g_ptr_array_find_with_equal_func(publisher->callbacks, callback, g_str_equal, NULL)) {
			return true;
		}
	}
	return false;
}

static bool receives(const struct architecture_node *node, const char *callback, const char *topic)
{
	const struct architecture_callback *found = architecture_find_callback(node, callback);

	return found && found->topic && strcmp(found->topic, topic) == 0;
}

/* Whether variables lead from the callbacks in `reached` to one that publishes. Adds the callbacks they lead to. */
static bool reaches_publisher(const struct architecture_node *node, GHashTable *reached, const char *topic)
{
	for (bool grows = true; grows;) {
		grows = false;
		for (guint i = 0; i < node->variable_passings->len; i++) {
			const struct architecture_variable_passing *passing =
				g_ptr_array_index(node->variable_passings, i);

			if (passing->write && passing->read && g_hash_table_contains(reached, passing->write) &&
			    g_hash_table_add(reached, (gpointer)passing->read)) {
				if (publishes(node, passing->read, topic)) {
					return true;
				}
				grows = true;
			}
		}
	}
	return false;
}

/* Whether variables lead from the callback of one topic to one that publishes the other. */
static bool is_passed_on(const struct architecture_node *node, const char *subscribed, const char *published)
{
	g_autoptr(GHashTable) reached = g_hash_table_new(g_str_hash, g_str_equal);

	for (guint i = 0; i < node->callbacks->len; i++) {
		const struct architecture_callback *callback = g_ptr_array_index(node->callbacks, i);

		if (receives(node, callback->name, subscribed)) {
			g_hash_table_add(reached, (gpointer)callback->name);
		}
	}
	return reaches_publisher(node, reached, published);
}

/* Whether the callback of the topic reads from that of another subscription, and publishes. */
static bool joins(const struct architecture_node *node, const char *subscribed, const char *published)
{
	for (guint i = 0; i < node->variable_passings->len; i++) {
		const struct architecture_variable_passing *passing = g_ptr_array_index(node->variable_passings, i);
		const struct architecture_callback *writer =
			passing->write ? architecture_find_callback(node, passing->write) : NULL;

		if (writer && writer->topic && passing->read && receives(node, passing->read, subscribed) &&
		    publishes(node, passing->read, published) && !publishes(node, passing->write, published)) {
			return true;
		}
	}
	return false;
}

static void add_rule_of(GArray *rules, const struct architecture_node *node, const struct architecture_node_path *at,
			const char *published)
{
	const char *subscribed = at->subscribed_topic;
	const struct architecture_context *context =
		architecture_find_context(node, subscribed, at->subscription_order, published, at->publisher_order);
	enum architecture_context_kind kind = context ? context->kind : ARCHITECTURE_CONTEXT_UNDEFINED;

	if (kind == ARCHITECTURE_CONTEXT_USE_LATEST ||
	    ((kind == ARCHITECTURE_CONTEXT_UNDEFINED || kind == ARCHITECTURE_CONTEXT_CALLBACK_CHAIN) &&
	     (is_passed_on(node, subscribed, published) || joins(node, subscribed, published)))) {
		add_rule(rules, node->name, subscribed, published);
	}
}

GArray *architecture_links_of(const struct named_path_options *options)
{
	GArray *rules = g_array_new(FALSE, FALSE, sizeof(struct link_rule));

	g_array_set_clear_func(rules, (GDestroyNotify)link_rule_clear);
	for (guint i = 0; options->architecture && i < options->architecture->named_paths->len; i++) {
		const struct architecture_path *path = g_ptr_array_index(options->architecture->named_paths, i);

		for (guint j = 0; j < path->chain->len; j++) {
			const struct architecture_node_path *at =
				&g_array_index(path->chain, struct architecture_node_path, j);
			const struct architecture_node *node = architecture_find_node(options->architecture, at->node);
			const char *published = j + 1 < path->chain->len ? at[1].subscribed_topic : at->published_topic;

			if (node && at->subscribed_topic && published) {
				add_rule_of(rules, node, at, published);
			}
		}
	}
	return rules;
}
