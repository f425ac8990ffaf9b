/* SPDX-License-Identifier: MIT */
#include "core/named_paths/architecture_differences.h"

#include <string.h>

#include "core/named_paths/architecture_binding.h"

/* The node that is compared. */
struct comparison {
	const struct named_ways *ways;
	const struct architecture_node *node;
	GHashTable *bound; /* struct model_callback * → struct architecture_callback * */
	struct diagnostics *findings;
};

/* Takes over the text. */
static void add(const struct comparison *comparison, uint64_t count, char *text)
{
	diagnostics_add(comparison->findings, DIAGNOSTIC_ARCHITECTURE_DIFFERS, text, count);
	g_free(text);
}

static void compare_callbacks(const struct comparison *comparison)
{
	for (guint i = 0; i < comparison->node->callbacks->len; i++) {
		const struct architecture_callback *callback = g_ptr_array_index(comparison->node->callbacks, i);
		bool without_symbol;
		g_autoptr(GPtrArray) bound = architecture_bind_callbacks(
			comparison->ways->model, comparison->node->name, callback, &without_symbol);

		if (bound->len == 0) {
			add(comparison, 1,
			    g_strdup_printf("callback %s of %s is not in the recording", callback->name,
					    comparison->node->name));
		} else if (without_symbol) {
			add(comparison, 1,
			    g_strdup_printf(
				    "callback %s of %s has another symbol: %s", callback->name, comparison->node->name,
				    object_model_callback_info(comparison->ways->model, g_ptr_array_index(bound, 0))
					    ->symbol));
		}
		for (guint j = 0; j < bound->len; j++) {
			g_hash_table_insert(comparison->bound, g_ptr_array_index(bound, j), (gpointer)callback);
		}
	}
}

/* By the file, or else by the recording. */
static const char *name_of(const struct comparison *comparison, struct model_callback *callback)
{
	const struct architecture_callback *bound = g_hash_table_lookup(comparison->bound, callback);
	const struct model_callback_info *info = object_model_callback_info(comparison->ways->model, callback);

	return bound ? bound->name : info->symbol ? info->symbol : "a callback without a name";
}

static void compare_publications(const struct comparison *comparison, const struct u64_map *publishing)
{
	size_t position = 0;
	uint64_t key, count;

	while (u64_map_next(publishing, &position, &key, &count)) {
		const struct model_publisher *publisher =
			object_model_publisher_at(comparison->ways->model, (size_t)(key >> 32));
		struct model_callback *callback =
			object_model_callback_at(comparison->ways->model, (size_t)(key & UINT32_MAX));
		const struct architecture_endpoint *expected;

		if (g_strcmp0(object_model_publisher_node(comparison->ways->model, publisher),
			      comparison->node->name) != 0) {
			continue;
		}
		expected = architecture_find_endpoint(
			comparison->node->publishers, publisher->topic,
			architecture_order_of(comparison->ways->model, MODEL_PUBLISHER, &publisher->endpoint));
		if (expected && expected->callbacks->len > 0 &&
		    !g_ptr_array_find_with_equal_func(expected->callbacks, name_of(comparison, callback), g_str_equal,
						      NULL)) {
			add(comparison, count,
			    g_strdup_printf("%s publishes %s from %s", comparison->node->name, publisher->topic,
					    name_of(comparison, callback)));
		}
	}
}

static void compare_contexts(const struct comparison *comparison)
{
	for (guint i = 0; i < comparison->node->contexts->len; i++) {
		const struct architecture_context *context = g_ptr_array_index(comparison->node->contexts, i);

		if (context->kind == ARCHITECTURE_CONTEXT_TILDE ||
		    context->kind == ARCHITECTURE_CONTEXT_INHERIT_UNIQUE_STAMP) {
			add(comparison, 1,
			    g_strdup_printf("%s: %s -> %s: no trace records what the context %s needs; not evaluated",
					    comparison->node->name, context->subscribed_topic, context->published_topic,
					    architecture_context_name(context->kind)));
		}
	}
}

static bool is_on_path(const struct architecture *architecture, const struct architecture_node *node)
{
	for (guint i = 0; i < architecture->named_paths->len; i++) {
		const struct architecture_path *path = g_ptr_array_index(architecture->named_paths, i);

		for (guint j = 0; j < path->chain->len; j++) {
			if (strcmp(g_array_index(path->chain, struct architecture_node_path, j).node, node->name) ==
			    0) {
				return true;
			}
		}
	}
	return false;
}

void architecture_differences_add(const struct named_ways *ways, const struct u64_map *publishing,
				  struct diagnostics *findings)
{
	const struct architecture *architecture = ways->results->asked->architecture;

	for (guint i = 0; architecture && i < architecture->remarks->len; i++) {
		diagnostics_add(findings, DIAGNOSTIC_ARCHITECTURE_REMARK, g_ptr_array_index(architecture->remarks, i),
				1);
	}
	for (guint i = 0; architecture && i < architecture->nodes->len; i++) {
		g_autoptr(GHashTable) bound = g_hash_table_new(NULL, NULL);
		const struct comparison comparison = { ways, g_ptr_array_index(architecture->nodes, i), bound,
						       findings };

		if (is_on_path(architecture, comparison.node)) {
			compare_callbacks(&comparison);
			compare_publications(&comparison, publishing);
			compare_contexts(&comparison);
		}
	}
}
