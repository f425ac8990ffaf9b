/* SPDX-License-Identifier: MIT */
#include "core/named_paths/named_reasons.h"

#include <string.h>

#include "ros2bt/base/nearest_name.h"

/* Names that the recording has where the path wants another one: borrowed, some of them several times or NULL. */
static GPtrArray *node_names(const struct object_model *model)
{
	GPtrArray *names = g_ptr_array_new();

	for (size_t i = 0; i < object_model_node_count(model); i++) {
		g_ptr_array_add(names, (char *)object_model_node_at(model, i)->name);
	}
	return names;
}

/* Of the endpoints of a node. */
static GPtrArray *topic_names(const struct object_model *model, enum model_kind kind, const char *node)
{
	GPtrArray *names = g_ptr_array_new();

	for (size_t i = 0; i < object_model_count(model, kind); i++) {
		const struct model_endpoint *endpoint = (const struct model_endpoint *)object_model_at(model, kind, i);
		const char *owner = object_model_endpoint_node(model, endpoint);

		if (g_strcmp0(owner, node) == 0) {
			g_ptr_array_add(names, (char *)endpoint->name);
		}
	}
	return names;
}

static bool has_name(const GPtrArray *names, const char *name)
{
	for (guint i = 0; i < names->len; i++) {
		if (g_strcmp0(names->pdata[i], name) == 0) {
			return true;
		}
	}
	return false;
}

/* The reason if none of the names is this one, with the name that may have been meant. Takes over the names. */
static char *missing_name(GPtrArray *names, const char *name, const char *who, const char *lacks)
{
	char *reason = NULL;

	if (!has_name(names, name)) {
		const char *meant = nearest_name(name, (const char *const *)names->pdata, names->len);

		reason = g_strconcat(who, lacks, name, meant ? " (did you mean " : NULL, meant, "?)", NULL);
	}
	g_ptr_array_unref(names);
	return reason;
}

/* The first object of the path that the recording lacks; NULL: none. */
static char *missing_object(const struct object_model *model, const struct named_path *path)
{
	char *reason = NULL;

	for (size_t i = 0; i < path->node_count && !reason; i++) {
		reason = missing_name(node_names(model), path->nodes[i], "the recording", " has no node ");
	}
	for (size_t i = 0; i < path->node_count && !reason; i++) {
		const char *node = path->nodes[i], *subscribed = path->topics[i], *published = path->topics[i + 1];

		if (subscribed) {
			reason = missing_name(topic_names(model, MODEL_SUBSCRIPTION, node), subscribed, node,
					      " has no subscription to ");
		}
		if (published && !reason) {
			reason = missing_name(topic_names(model, MODEL_PUBLISHER, node), published, node,
					      " has no publisher of ");
		}
	}
	return reason;
}

/* For a way that no flow reached, though flows reached the one before. */
static char *reason_between(const struct named_ways *ways, const struct named_way *before, const struct named_way *way,
			    const char *topic)
{
	const struct named_path_options *asked = ways->results->asked;
	const struct architecture_node *node =
		asked->architecture ? architecture_find_node(asked->architecture, before->node) : NULL;
	const struct architecture_context *context =
		node && before->topic ? architecture_find_context(node, before->topic, 0, topic, 0) : NULL;

	if (context && (context->kind == ARCHITECTURE_CONTEXT_TILDE ||
			context->kind == ARCHITECTURE_CONTEXT_INHERIT_UNIQUE_STAMP)) {
		return g_strdup_printf("context %s of %s: no trace records what it needs",
				       architecture_context_name(context->kind), before->node);
	}
	if (!before->topic) {
		return g_strdup_printf("no message of %s on %s came to %s", before->node, topic, way->node);
	}
	return g_strdup_printf("no publication of %s on %s comes from a message on %s: no callback published both, and "
			       "neither the architecture nor `links` says that messages are kept",
			       before->node, topic, before->topic);
}

char *named_reason_of(const struct named_ways *ways, struct named_path *path)
{
	char *reason = missing_object(ways->model, path);

	if (reason) {
		/* flows that broke off are not unknown: none was possible */
		path->is_impossible = true;
		memset(path->counts, 0, sizeof(path->counts));
		g_array_set_size(path->rows, 0);
		return reason;
	}
	for (guint i = 0; i < ways->all->len; i++) {
		const struct named_way *way = g_ptr_array_index(ways->all, i);

		if (way->arrivals > 0 || !g_ptr_array_find(way->paths, path, NULL)) {
			continue;
		}
		/* ways are in order of depth: this is the first that no flow reached */
		if (!way->parent) {
			return g_strdup_printf("%s published nothing on %s", way->node, path->topics[1]);
		}
		return reason_between(ways, way->parent, way, way->topic);
	}
	return g_strdup("no flow came to its end");
}

static bool has_path(const struct named_ways *ways, const struct path_pattern *pattern)
{
	for (guint i = 0; i < ways->results->paths->len; i++) {
		const struct named_path *path = g_ptr_array_index(ways->results->paths, i);

		if (path->pattern == pattern) {
			return true;
		}
	}
	return false;
}

/* The longest way that flows took. */
static char *longest_way(const struct named_ways *ways, const struct path_pattern *pattern)
{
	const struct named_way *longest = NULL;
	GString *text;

	for (guint i = 0; i < ways->all->len; i++) {
		const struct named_way *way = g_ptr_array_index(ways->all, i);

		if (way->pattern == pattern && way->arrivals > 0 &&
		    (!longest || way->at > longest->at || (way->at == longest->at && way->depth > longest->depth))) {
			longest = way;
		}
	}
	if (!longest) {
		return NULL;
	}
	text = g_string_new(longest->node);
	for (const struct named_way *way = longest; way->parent; way = way->parent) {
		g_autofree char *before = g_strdup_printf("%s > %s > ", way->parent->node, way->topic);

		g_string_prepend(text, before);
	}
	return g_string_free(text, FALSE);
}

void named_reasons_add_patterns(struct named_ways *ways)
{
	const GPtrArray *patterns = ways->results->asked->patterns;

	for (guint i = 0; i < patterns->len; i++) {
		const struct path_pattern *pattern = g_ptr_array_index(patterns, i);

		if (!has_path(ways, pattern)) {
			g_autofree char *way = longest_way(ways, pattern);

			named_path_set_reason(
				ways->results,
				named_results_add(ways->results, pattern, 0, NULL, (const char *const[]){ NULL }),
				way ? g_strdup_printf("no flow came to its end; they came up to %s", way)
				    : g_strdup("no message came from a node that it begins with"));
		}
	}
}
