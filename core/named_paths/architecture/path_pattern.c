/* SPDX-License-Identifier: MIT */
#include "core/named_paths/architecture/path_pattern.h"

#include <string.h>

#define EXPECTED "expected \"NAME: /node > /topic > /node > … > /node\""

/* --- names --- */

static void name_pattern_clear(struct name_pattern *pattern)
{
	g_free(pattern->name);
	g_clear_pointer(&pattern->glob, g_pattern_spec_free);
	g_clear_pointer(&pattern->expression, g_regex_unref);
}

bool name_pattern_matches(const struct name_pattern *pattern, const char *name)
{
	if (pattern->name) {
		return strcmp(pattern->name, name) == 0;
	}
	if (pattern->glob) {
		return g_pattern_spec_match_string(pattern->glob, name);
	}
	return !pattern->expression || g_regex_match(pattern->expression, name, 0, NULL);
}

static bool has_part(const GPtrArray *expressions, const char *name)
{
	for (guint i = 0; expressions && i < expressions->len; i++) {
		if (g_regex_match(g_ptr_array_index(expressions, i), name, 0, NULL)) {
			return true;
		}
	}
	return false;
}

bool path_pattern_wanders(const struct path_pattern *pattern, const char *topic, const char *node)
{
	return !has_part(pattern->ignored_topics, topic) && !has_part(pattern->ignored_nodes, node);
}

static void set_glob(struct name_pattern *pattern, const char *text)
{
	if (strpbrk(text, "*?")) {
		pattern->glob = g_pattern_spec_new(text);
	} else {
		pattern->name = text[0] == '/' ? g_strdup(text) : g_strconcat("/", text, NULL);
	}
}

/* --- patterns --- */

static void pattern_node_clear(gpointer data)
{
	struct pattern_node *node = data;

	name_pattern_clear(&node->node);
	name_pattern_clear(&node->subscribed);
	name_pattern_clear(&node->published);
	name_pattern_clear(&node->either);
}

struct path_pattern *path_pattern_create(const char *name)
{
	struct path_pattern *pattern = g_new0(struct path_pattern, 1);

	pattern->name = g_strdup(name);
	pattern->nodes = g_array_new(FALSE, TRUE, sizeof(struct pattern_node));
	g_array_set_clear_func(pattern->nodes, pattern_node_clear);
	return pattern;
}

void path_pattern_destroy(struct path_pattern *pattern)
{
	if (!pattern) {
		return;
	}
	g_array_unref(pattern->nodes);
	g_clear_pointer(&pattern->ignored_nodes, g_ptr_array_unref);
	g_clear_pointer(&pattern->ignored_topics, g_ptr_array_unref);
	g_free(pattern->name);
	g_free(pattern->text);
	g_free(pattern->problem);
	g_free(pattern);
}

struct pattern_node *path_pattern_add(struct path_pattern *pattern)
{
	struct pattern_node node = { .subscription_order = PATTERN_ANY_ORDER, .publisher_order = PATTERN_ANY_ORDER };

	g_array_append_vals(pattern->nodes, &node, 1);
	return &g_array_index(pattern->nodes, struct pattern_node, pattern->nodes->len - 1);
}

static struct pattern_node *last_of(const struct path_pattern *pattern)
{
	return &g_array_index(pattern->nodes, struct pattern_node, pattern->nodes->len - 1);
}

/* --- texts --- */

static bool refuse(const char *text, const char *why, GError **error)
{
	g_set_error(error, G_MARKUP_ERROR, G_MARKUP_ERROR_PARSE, "\"%s\": %s; " EXPECTED, text, why);
	return false;
}

static bool is_any(const char *element)
{
	return strcmp(element, "…") == 0 || strcmp(element, "...") == 0;
}

/*
 * Parses the elements between two `…`: topics and nodes in turn. The first part begins with a node, all others end with
 * one. The only part may end with a topic, whose publication is the end of the path.
 */
static bool parse_part(struct path_pattern *pattern, char *const *elements, size_t count, bool is_first, bool is_last,
		       const char *text, GError **error)
{
	bool is_node = is_first || count % 2 == 1;

	if (is_first && is_last && count == 0) {
		return refuse(text, "it names no node", error);
	}
	if (is_first ? count == 0 : is_last && count == 0) {
		return refuse(text, "it begins or ends with …", error);
	}
	for (size_t i = 0; i < count; i++, is_node = !is_node) {
		if (elements[i][0] == '\0') {
			return refuse(text, "a name is empty", error);
		}
		if (is_node) {
			struct pattern_node *node;
			bool has_topic = i > 0;

			node = path_pattern_add(pattern);
			set_glob(&node->node, elements[i]);
			node->may_be_far = !is_first && (i == 0 || (i == 1 && count % 2 == 0));
			if (has_topic) {
				set_glob(&node->subscribed, elements[i - 1]);
			}
		} else if (i + 1 == count) {
			set_glob(&last_of(pattern)->published, elements[i]);
			last_of(pattern)->has_published = is_last;
		}
	}
	return true;
}

static bool parse_elements(struct path_pattern *pattern, char **elements, const char *text, GError **error)
{
	size_t begin = 0, count = g_strv_length(elements);

	for (size_t i = 0; i < count; i++) {
		g_strstrip(elements[i]);
	}
	for (size_t i = 0; i <= count; i++) {
		if (i < count && !is_any(elements[i])) {
			continue;
		}
		if (begin > 0 && i < count && i == begin) {
			begin = i + 1;
			continue;
		}
		if (!parse_part(pattern, &elements[begin], i - begin, begin == 0, i == count, text, error)) {
			return false;
		}
		begin = i + 1;
	}
	return true;
}

static bool is_concrete(const struct path_pattern *pattern)
{
	for (guint i = 0; i < pattern->nodes->len; i++) {
		const struct pattern_node *node = &g_array_index(pattern->nodes, struct pattern_node, i);

		if (!node->node.name || node->may_be_far || (i > 0 && !node->subscribed.name) ||
		    (node->has_published && !node->published.name)) {
			return false;
		}
	}
	return true;
}

struct path_pattern *path_pattern_parse(const char *text, GError **error)
{
	const char *colon = strchr(text, ':');
	g_autofree char *name = colon ? g_strstrip(g_strndup(text, (gsize)(colon - text))) : NULL;
	g_auto(GStrv) elements = NULL;
	struct path_pattern *pattern;

	if (!name || name[0] == '\0') {
		refuse(text, "it has no name", error);
		return NULL;
	}
	elements = g_strsplit(colon + 1, ">", 0);
	pattern = path_pattern_create(name);
	if (!parse_elements(pattern, elements, text, error)) {
		path_pattern_destroy(pattern);
		return NULL;
	}
	if (pattern->nodes->len < 2) {
		refuse(text, "it has one node only", error);
		path_pattern_destroy(pattern);
		return NULL;
	}
	pattern->text = g_strjoinv(" > ", elements);
	pattern->is_concrete = is_concrete(pattern);
	return pattern;
}

/* --- architecture files --- */

static char *text_of(const struct architecture_path *path)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < path->chain->len; i++) {
		const struct architecture_node_path *node =
			&g_array_index(path->chain, struct architecture_node_path, i);

		if (node->subscribed_topic) {
			g_string_append_printf(text, "%s%s > ", i > 0 ? " > " : "", node->subscribed_topic);
		}
		g_string_append(text, node->node);
		if (i + 1 == path->chain->len && node->published_topic) {
			g_string_append_printf(text, " > %s", node->published_topic);
		}
	}
	return g_string_free(text, FALSE);
}

static void add_node_path(struct path_pattern *pattern, const struct architecture_node_path *node_path, bool is_first,
			  bool is_last)
{
	struct pattern_node *node = path_pattern_add(pattern);

	node->node.name = g_strdup(node_path->node);
	node->subscription_order = node_path->subscription_order;
	node->publisher_order = node_path->publisher_order;
	node->subscribed.name = g_strdup(node_path->subscribed_topic);
	node->has_subscribed = is_first && node_path->subscribed_topic;
	node->has_published = is_last && node_path->published_topic;
	node->published.name = node->has_published ? g_strdup(node_path->published_topic) : NULL;
	/* CARET: the topic between two nodes is the one that the second subscribes to */
	if (!is_first && !node_path->subscribed_topic && !pattern->problem) {
		pattern->problem = g_strdup_printf("%s has no subscribe_topic_name", node_path->node);
	}
}

struct path_pattern *path_pattern_of_architecture(const struct architecture_path *path)
{
	struct path_pattern *pattern = path_pattern_create(path->name);
	guint count = path->chain->len;

	for (guint i = 0; i < count; i++) {
		add_node_path(pattern, &g_array_index(path->chain, struct architecture_node_path, i), i == 0,
			      i + 1 == count);
	}
	if (count == 0) {
		pattern->problem = g_strdup("its node_chain is empty");
	} else if (count == 1 && !(g_array_index(pattern->nodes, struct pattern_node, 0).has_subscribed &&
				   g_array_index(pattern->nodes, struct pattern_node, 0).has_published)) {
		pattern->problem = g_strdup("no message goes along a chain of one node");
	}
	pattern->text = text_of(path);
	pattern->path = path;
	pattern->is_concrete = true;
	return pattern;
}
