/* SPDX-License-Identifier: MIT */
#include "ros2bt/named_paths/architecture_write.h"

#include <string.h>

#include "core/base/yaml/yaml_text.h"

/* --- scalars --- */

/* Words that are not texts in YAML 1.1. */
static bool is_reserved(const char *text)
{
	static const char *const words[] = { "y", "n", "yes", "no", "true", "false", "on", "off", "null" };

	for (size_t i = 0; i < G_N_ELEMENTS(words); i++) {
		if (g_ascii_strcasecmp(text, words[i]) == 0) {
			return true;
		}
	}
	return false;
}

/*
 * Whether a text needs no quotes. A text that begins with a letter is no number, date or indicator; after that, only
 * ": " and " #" have a meaning.
 */
static bool is_plain(const char *text)
{
	size_t length = strlen(text);

	if (!g_ascii_isalpha(text[0]) && text[0] != '/' && text[0] != '_') {
		return false;
	}
	for (size_t i = 0; i < length; i++) {
		if (!g_ascii_isprint(text[i])) {
			return false;
		}
	}
	return text[length - 1] != ' ' && text[length - 1] != ':' && !strstr(text, ": ") && !strstr(text, " #") &&
	       !is_reserved(text);
}

static void put_text(GString *yaml, const char *text)
{
	if (!text) {
		g_string_append(yaml, ARCHITECTURE_UNDEFINED);
	} else if (is_plain(text)) {
		g_string_append(yaml, text);
	} else {
		yaml_text_append_quoted(yaml, text);
	}
}

/* --- pairs and lists --- */

/* The place of a pair: the levels of lists around it. The first pair of an element has the dash. */
struct place {
	unsigned int level;
	bool is_first;
};

static void put_key(GString *yaml, struct place *place, const char *key)
{
	for (unsigned int i = 1; i < place->level; i++) {
		g_string_append(yaml, "  ");
	}
	g_string_append(yaml, place->level == 0 ? "" : place->is_first ? "- " : "  ");
	g_string_append_printf(yaml, "%s:", key);
	place->is_first = false;
}

static void put_pair(GString *yaml, struct place *place, const char *key, const char *text)
{
	put_key(yaml, place, key);
	g_string_append_c(yaml, ' ');
	put_text(yaml, text);
	g_string_append_c(yaml, '\n');
}

static void put_number(GString *yaml, struct place *place, const char *key, int64_t number)
{
	put_key(yaml, place, key);
	g_string_append_printf(yaml, " %" G_GINT64_FORMAT "\n", number);
}

/* CARET omits a construction order of 0. */
static void put_order(GString *yaml, struct place *place, const char *key, uint32_t order)
{
	if (order > 0) {
		put_number(yaml, place, key, order);
	}
}

/* The key of a list, whose elements follow. */
static void put_list(GString *yaml, struct place *place, const char *key, guint count)
{
	put_key(yaml, place, key);
	g_string_append(yaml, count == 0 ? " []\n" : "\n");
}

static struct place element_of(struct place place)
{
	return (struct place){ .level = place.level + 1, .is_first = true };
}

static void put_name(GString *yaml, struct place place, const char *name)
{
	for (unsigned int i = 0; i < place.level; i++) {
		g_string_append(yaml, "  ");
	}
	g_string_append(yaml, "- ");
	put_text(yaml, name);
	g_string_append_c(yaml, '\n');
}

static void put_names(GString *yaml, struct place *place, const char *key, const GPtrArray *names)
{
	put_list(yaml, place, key, names->len);
	for (guint i = 0; i < names->len; i++) {
		put_name(yaml, *place, g_ptr_array_index(names, i));
	}
}

/* Writes each object as an element of a list, with `put`. */
static void put_objects(GString *yaml, struct place *place, const char *key, const GPtrArray *objects,
			void (*put)(GString *yaml, struct place place, gconstpointer object))
{
	put_list(yaml, place, key, objects->len);
	for (guint i = 0; i < objects->len; i++) {
		put(yaml, element_of(*place), g_ptr_array_index(objects, i));
	}
}

/* --- named paths and executors --- */

static void put_node_path(GString *yaml, struct place place, const struct architecture_node_path *element)
{
	put_pair(yaml, &place, "node_name", element->node);
	put_pair(yaml, &place, "publish_topic_name", element->published_topic);
	put_pair(yaml, &place, "subscribe_topic_name", element->subscribed_topic);
	put_order(yaml, &place, "publisher_construction_order", element->publisher_order);
	put_order(yaml, &place, "subscription_construction_order", element->subscription_order);
}

static void put_path(GString *yaml, struct place place, gconstpointer object)
{
	const struct architecture_path *path = object;

	put_pair(yaml, &place, "path_name", path->name);
	put_list(yaml, &place, "node_chain", path->chain->len);
	for (guint i = 0; i < path->chain->len; i++) {
		put_node_path(yaml, element_of(place), &g_array_index(path->chain, struct architecture_node_path, i));
	}
}

static void put_executor(GString *yaml, struct place place, gconstpointer object)
{
	const struct architecture_executor *executor = object;

	put_pair(yaml, &place, "executor_type", executor->type);
	put_pair(yaml, &place, "executor_name", executor->name);
	put_names(yaml, &place, "callback_group_names", executor->callback_groups);
}

/* --- nodes --- */

static void put_group(GString *yaml, struct place place, gconstpointer object)
{
	const struct architecture_callback_group *group = object;

	put_pair(yaml, &place, "callback_group_type", group->type);
	put_pair(yaml, &place, "callback_group_name", group->name);
	put_names(yaml, &place, "callback_names", group->callbacks);
}

static void put_callback(GString *yaml, struct place place, gconstpointer object)
{
	const struct architecture_callback *callback = object;

	put_pair(yaml, &place, "callback_name", callback->name);
	if (callback->kind == ARCHITECTURE_TIMER) {
		put_pair(yaml, &place, "callback_type", "timer_callback");
		put_number(yaml, &place, "period_ns", callback->period_ns);
	} else {
		put_pair(yaml, &place, "callback_type", "subscription_callback");
		put_pair(yaml, &place, "topic_name", callback->topic);
	}
	put_pair(yaml, &place, "symbol", callback->symbol);
	put_order(yaml, &place, "construction_order", callback->order);
}

static void put_passing(GString *yaml, struct place place, gconstpointer object)
{
	const struct architecture_variable_passing *passing = object;

	put_pair(yaml, &place, "callback_name_write", passing->write);
	put_pair(yaml, &place, "callback_name_read", passing->read);
}

static void put_publisher(GString *yaml, struct place place, gconstpointer object)
{
	const struct architecture_endpoint *publisher = object;

	put_pair(yaml, &place, "topic_name", publisher->topic);
	if (publisher->callbacks->len > 0) {
		put_names(yaml, &place, "callback_names", publisher->callbacks);
	} else {
		put_list(yaml, &place, "callback_names", 1);
		put_name(yaml, place, NULL);
	}
	put_order(yaml, &place, "construction_order", publisher->order);
}

static void put_subscription(GString *yaml, struct place place, gconstpointer object)
{
	const struct architecture_endpoint *subscription = object;

	put_pair(yaml, &place, "topic_name", subscription->topic);
	put_pair(yaml, &place, "callback_name", subscription->callback);
	put_order(yaml, &place, "construction_order", subscription->order);
}

static void put_context(GString *yaml, struct place place, gconstpointer object)
{
	const struct architecture_context *context = object;

	put_pair(yaml, &place, "context_type", architecture_context_name(context->kind));
	put_pair(yaml, &place, "subscription_topic_name", context->subscribed_topic);
	put_pair(yaml, &place, "publisher_topic_name", context->published_topic);
	put_order(yaml, &place, "subscription_construction_order", context->subscription_order);
	put_order(yaml, &place, "publisher_construction_order", context->publisher_order);
	if (context->callbacks->len > 0) {
		put_names(yaml, &place, "callbacks", context->callbacks);
	}
}

static void put_node(GString *yaml, struct place place, gconstpointer object)
{
	const struct architecture_node *node = object;
	const struct {
		const char *key;
		const GPtrArray *objects;
		void (*put)(GString *yaml, struct place place, gconstpointer object);
	} lists[] = {
		{ "callbacks", node->callbacks, put_callback },
		{ "variable_passings", node->variable_passings, put_passing },
		{ "publishes", node->publishers, put_publisher },
		{ "subscribes", node->subscriptions, put_subscription },
		{ "message_contexts", node->contexts, put_context },
	};

	put_pair(yaml, &place, "node_name", node->name);
	put_objects(yaml, &place, "callback_groups", node->callback_groups, put_group);
	for (size_t i = 0; i < G_N_ELEMENTS(lists); i++) {
		if (lists[i].objects->len > 0) {
			put_objects(yaml, &place, lists[i].key, lists[i].objects, lists[i].put);
		}
	}
}

void architecture_write(const struct architecture *architecture, GString *yaml)
{
	struct place top = { 0 };

	put_objects(yaml, &top, "named_paths", architecture->named_paths, put_path);
	put_objects(yaml, &top, "executors", architecture->executors, put_executor);
	put_objects(yaml, &top, "nodes", architecture->nodes, put_node);
}
