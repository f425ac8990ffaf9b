/* SPDX-License-Identifier: MIT */
#include "core/named_paths/architecture/architecture.h"

#include <string.h>

#include "ros2bt/base/string_pool.h"

/* --- life --- */

static void node_destroy(gpointer data)
{
	struct architecture_node *node = data;

	g_hash_table_unref(node->callbacks_by_name);
	g_hash_table_unref(node->groups_by_callback);
	g_ptr_array_unref(node->callbacks);
	g_ptr_array_unref(node->callback_groups);
	g_ptr_array_unref(node->variable_passings);
	g_ptr_array_unref(node->publishers);
	g_ptr_array_unref(node->subscriptions);
	g_ptr_array_unref(node->contexts);
	g_free(node);
}

static void path_destroy(gpointer data)
{
	struct architecture_path *path = data;

	g_array_unref(path->chain);
	g_free(path);
}

struct architecture *architecture_create(void)
{
	struct architecture *architecture = g_new0(struct architecture, 1);

	architecture->named_paths = g_ptr_array_new_with_free_func(path_destroy);
	architecture->executors = g_ptr_array_new_with_free_func(g_free);
	architecture->nodes = g_ptr_array_new_with_free_func(node_destroy);
	architecture->name_lists = g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref);
	architecture->remarks = g_ptr_array_new_with_free_func(g_free);
	architecture->nodes_by_name = g_hash_table_new(g_str_hash, g_str_equal);
	architecture->paths_by_name = g_hash_table_new(g_str_hash, g_str_equal);
	architecture->texts = string_pool_create();
	return architecture;
}

void architecture_destroy(struct architecture *architecture)
{
	if (!architecture) {
		return;
	}
	g_hash_table_unref(architecture->nodes_by_name);
	g_hash_table_unref(architecture->paths_by_name);
	g_ptr_array_unref(architecture->named_paths);
	g_ptr_array_unref(architecture->executors);
	g_ptr_array_unref(architecture->nodes);
	g_ptr_array_unref(architecture->name_lists);
	g_ptr_array_unref(architecture->remarks);
	string_pool_destroy(architecture->texts);
	g_free(architecture);
}

const char *architecture_text(struct architecture *architecture, const char *text)
{
	return text && strcmp(text, ARCHITECTURE_UNDEFINED) != 0 ? string_pool_intern(architecture->texts, text) : NULL;
}

/* --- making one --- */

static GPtrArray *new_names(struct architecture *architecture)
{
	GPtrArray *names = g_ptr_array_new();

	g_ptr_array_add(architecture->name_lists, names);
	return names;
}

struct architecture_path *architecture_add_path(struct architecture *architecture, const char *name)
{
	struct architecture_path *path;

	if (g_hash_table_contains(architecture->paths_by_name, name)) {
		return NULL;
	}
	path = g_new0(struct architecture_path, 1);
	path->name = string_pool_intern(architecture->texts, name);
	path->chain = g_array_new(FALSE, TRUE, sizeof(struct architecture_node_path));
	g_ptr_array_add(architecture->named_paths, path);
	g_hash_table_insert(architecture->paths_by_name, (gpointer)path->name, path);
	return path;
}

struct architecture_node *architecture_add_node(struct architecture *architecture, const char *name)
{
	struct architecture_node *node;

	if (architecture_find_node(architecture, name)) {
		return NULL;
	}
	node = g_new0(struct architecture_node, 1);
	node->name = string_pool_intern(architecture->texts, name);
	node->callbacks = g_ptr_array_new_with_free_func(g_free);
	node->callback_groups = g_ptr_array_new_with_free_func(g_free);
	node->variable_passings = g_ptr_array_new_with_free_func(g_free);
	node->publishers = g_ptr_array_new_with_free_func(g_free);
	node->subscriptions = g_ptr_array_new_with_free_func(g_free);
	node->contexts = g_ptr_array_new_with_free_func(g_free);
	node->callbacks_by_name = g_hash_table_new(g_str_hash, g_str_equal);
	node->groups_by_callback = g_hash_table_new(g_str_hash, g_str_equal);
	g_ptr_array_add(architecture->nodes, node);
	g_hash_table_insert(architecture->nodes_by_name, (gpointer)node->name, node);
	return node;
}

struct architecture_executor *architecture_add_executor(struct architecture *architecture, const char *type,
							const char *name)
{
	struct architecture_executor *executor = g_new0(struct architecture_executor, 1);

	executor->type = string_pool_intern(architecture->texts, type);
	executor->name = string_pool_intern(architecture->texts, name);
	executor->callback_groups = new_names(architecture);
	g_ptr_array_add(architecture->executors, executor);
	return executor;
}

struct architecture_node_path *architecture_add_node_path(struct architecture *architecture,
							  struct architecture_path *path, const char *node)
{
	struct architecture_node_path node_path = { .node = string_pool_intern(architecture->texts, node) };

	g_array_append_vals(path->chain, &node_path, 1);
	return &g_array_index(path->chain, struct architecture_node_path, path->chain->len - 1);
}

struct architecture_callback *architecture_add_callback(struct architecture *architecture,
							struct architecture_node *node, const char *name,
							enum architecture_callback_kind kind)
{
	struct architecture_callback *callback;

	if (architecture_find_callback(node, name)) {
		return NULL;
	}
	callback = g_new0(struct architecture_callback, 1);
	callback->name = string_pool_intern(architecture->texts, name);
	callback->kind = kind;
	g_ptr_array_add(node->callbacks, callback);
	g_hash_table_insert(node->callbacks_by_name, (gpointer)callback->name, callback);
	return callback;
}

struct architecture_callback_group *architecture_add_group(struct architecture *architecture,
							   struct architecture_node *node, const char *type,
							   const char *name)
{
	struct architecture_callback_group *group = g_new0(struct architecture_callback_group, 1);

	group->type = architecture_text(architecture, type);
	group->name = string_pool_intern(architecture->texts, name);
	group->callbacks = new_names(architecture);
	g_ptr_array_add(node->callback_groups, group);
	return group;
}

void architecture_group_add(struct architecture *architecture, struct architecture_node *node,
			    struct architecture_callback_group *group, const char *callback)
{
	const char *name = string_pool_intern(architecture->texts, callback);

	g_ptr_array_add(group->callbacks, (gpointer)name);
	if (!g_hash_table_contains(node->groups_by_callback, name)) {
		g_hash_table_insert(node->groups_by_callback, (gpointer)name, group);
	}
}

struct architecture_variable_passing *architecture_add_passing(struct architecture *architecture,
							       struct architecture_node *node, const char *write,
							       const char *read)
{
	struct architecture_variable_passing *passing = g_new0(struct architecture_variable_passing, 1);

	passing->write = architecture_text(architecture, write);
	passing->read = architecture_text(architecture, read);
	g_ptr_array_add(node->variable_passings, passing);
	return passing;
}

struct architecture_endpoint *architecture_add_endpoint(struct architecture *architecture, GPtrArray *endpoints,
							const char *topic, uint32_t order)
{
	struct architecture_endpoint *endpoint = g_new0(struct architecture_endpoint, 1);

	endpoint->topic = string_pool_intern(architecture->texts, topic);
	endpoint->order = order;
	endpoint->callbacks = new_names(architecture);
	g_ptr_array_add(endpoints, endpoint);
	return endpoint;
}

struct architecture_context *architecture_add_context(struct architecture *architecture, struct architecture_node *node,
						      enum architecture_context_kind kind, const char *subscribed_topic,
						      const char *published_topic)
{
	struct architecture_context *context = g_new0(struct architecture_context, 1);

	context->kind = kind;
	context->subscribed_topic = string_pool_intern(architecture->texts, subscribed_topic);
	context->published_topic = string_pool_intern(architecture->texts, published_topic);
	context->callbacks = new_names(architecture);
	g_ptr_array_add(node->contexts, context);
	return context;
}

void architecture_add_name(struct architecture *architecture, GPtrArray *names, const char *name)
{
	g_ptr_array_add(names, (gpointer)string_pool_intern(architecture->texts, name));
}

/* --- look-ups --- */

struct architecture_node *architecture_find_node(const struct architecture *architecture, const char *name)
{
	return g_hash_table_lookup(architecture->nodes_by_name, name);
}

struct architecture_callback *architecture_find_callback(const struct architecture_node *node, const char *name)
{
	return g_hash_table_lookup(node->callbacks_by_name, name);
}

struct architecture_callback_group *architecture_find_group(const struct architecture_node *node, const char *callback)
{
	return g_hash_table_lookup(node->groups_by_callback, callback);
}

struct architecture_endpoint *architecture_find_endpoint(const GPtrArray *endpoints, const char *topic, uint32_t order)
{
	for (guint i = 0; i < endpoints->len; i++) {
		struct architecture_endpoint *endpoint = g_ptr_array_index(endpoints, i);

		if (endpoint->order == order && strcmp(endpoint->topic, topic) == 0) {
			return endpoint;
		}
	}
	return NULL;
}

struct architecture_context *architecture_find_context(const struct architecture_node *node,
						       const char *subscribed_topic, uint32_t subscription_order,
						       const char *published_topic, uint32_t publisher_order)
{
	struct architecture_context *undefined = NULL;

	for (guint i = 0; i < node->contexts->len; i++) {
		struct architecture_context *context = g_ptr_array_index(node->contexts, i);

		if (context->subscription_order != subscription_order || context->publisher_order != publisher_order ||
		    strcmp(context->subscribed_topic, subscribed_topic) != 0 ||
		    strcmp(context->published_topic, published_topic) != 0) {
			continue;
		}
		if (context->kind != ARCHITECTURE_CONTEXT_UNDEFINED) {
			return context;
		}
		undefined = undefined ? undefined : context;
	}
	return undefined;
}

/* --- names of contexts --- */

static const char *const context_names[] = {
	[ARCHITECTURE_CONTEXT_UNDEFINED] = ARCHITECTURE_UNDEFINED,
	[ARCHITECTURE_CONTEXT_USE_LATEST] = "use_latest_message",
	[ARCHITECTURE_CONTEXT_CALLBACK_CHAIN] = "callback_chain",
	[ARCHITECTURE_CONTEXT_INHERIT_UNIQUE_STAMP] = "inherit_unique_stamp",
	[ARCHITECTURE_CONTEXT_TILDE] = "tilde",
};

const char *architecture_context_name(enum architecture_context_kind kind)
{
	return context_names[kind];
}

bool architecture_context_of_name(const char *name, enum architecture_context_kind *kind)
{
	for (size_t i = 0; i < G_N_ELEMENTS(context_names); i++) {
		if (strcmp(name, context_names[i]) == 0) {
			*kind = (enum architecture_context_kind)i;
			return true;
		}
	}
	return false;
}
