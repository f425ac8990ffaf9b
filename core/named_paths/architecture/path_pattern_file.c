/* SPDX-License-Identifier: MIT */
#include "core/named_paths/architecture/path_pattern_file.h"

#include <string.h>

#include "core/base/yaml/yaml_tree.h"

struct reader {
	const struct yaml_tree *tree;
	GPtrArray *ignored_nodes, *ignored_topics;
	GPtrArray *patterns;
};

static GRegex *read_expression(const struct reader *reader, const struct yaml_node *node, bool is_whole, GError **error)
{
	g_autoptr(GError) problem = NULL;
	const char *text = yaml_node_text(node);
	GRegex *expression;

	if (!text) {
		yaml_refuse(reader->tree, node, error, "expected a name, or a regular expression for names");
		return NULL;
	}
	expression = g_regex_new(text, is_whole ? G_REGEX_ANCHORED : 0, 0, &problem);
	if (!expression) {
		yaml_refuse(reader->tree, node, error, "`%s`: %s", text, problem->message);
	}
	return expression;
}

/* Matches as Python's re.fullmatch(). */
static bool set_expression(const struct reader *reader, struct name_pattern *pattern, const struct yaml_node *node,
			   GError **error)
{
	const char *text = yaml_node_text(node);
	g_autoptr(GRegex) alone = read_expression(reader, node, true, error);
	g_autofree char *whole = alone ? g_strdup_printf("(?:%s)$", text) : NULL;

	if (!alone) {
		return false;
	}
	/* caret_report takes a text without any of these for a name */
	if (!strpbrk(text, "[.*")) {
		pattern->name = g_strdup(text);
		return true;
	}
	pattern->expression = g_regex_new(whole, G_REGEX_ANCHORED | G_REGEX_DOLLAR_ENDONLY, 0, NULL);
	return pattern->expression ||
	       yaml_refuse(reader->tree, node, error,
			   "`%s` is not a regular expression: expected a node or topic, or an expression for them",
			   text);
}

static bool read_element(const struct reader *reader, struct path_pattern *pattern, const struct yaml_node *element,
			 GError **error)
{
	struct pattern_node *node = path_pattern_add(pattern);

	node->may_be_far = pattern->nodes->len > 1;
	if (yaml_node_kind(element) == YAML_SCALAR) {
		return set_expression(reader, &node->node, element, error);
	}
	if (yaml_node_kind(element) != YAML_SEQUENCE || yaml_node_count(element) != 2) {
		return yaml_refuse(reader->tree, element, error, "expected a node, or [node, topic]");
	}
	return set_expression(reader, &node->node, yaml_node_at(reader->tree, element, 0), error) &&
	       set_expression(reader, &node->either, yaml_node_at(reader->tree, element, 1), error);
}

/* A block begins with the last node of the block before. */
static bool read_block(const struct reader *reader, struct path_pattern *pattern, const struct yaml_node *block,
		       GError **error)
{
	bool is_first = pattern->nodes->len == 0;

	if (yaml_node_kind(block) != YAML_SEQUENCE || yaml_node_count(block) == 0) {
		return yaml_refuse(reader->tree, block, error, "expected a list of nodes");
	}
	for (size_t i = is_first ? 0 : 1; i < yaml_node_count(block); i++) {
		if (!read_element(reader, pattern, yaml_node_at(reader->tree, block, i), error)) {
			return false;
		}
	}
	return true;
}

static bool read_blocks(const struct reader *reader, struct path_pattern *pattern, const struct yaml_node *blocks,
			GError **error)
{
	if (yaml_node_kind(blocks) != YAML_SEQUENCE) {
		return yaml_refuse(reader->tree, blocks, error, "`path_blocks`: expected a list of paths");
	}
	for (size_t i = 0; i < yaml_node_count(blocks); i++) {
		if (!read_block(reader, pattern, yaml_node_at(reader->tree, blocks, i), error)) {
			return false;
		}
	}
	return true;
}

static bool read_end(const struct reader *reader, const struct yaml_node *target, const char *key,
		     enum pattern_end *end, GError **error)
{
	const struct yaml_node *value = yaml_node_find(reader->tree, target, key);
	bool is_true = value && g_strcmp0(yaml_node_text(value), "true") == 0;

	*end = !value || is_true ? PATTERN_END_INCLUDED : PATTERN_END_EXCLUDED;
	return !value || is_true || g_strcmp0(yaml_node_text(value), "false") == 0 ||
	       yaml_refuse(reader->tree, value, error, "`%s`: expected true or false", key);
}

static void write_element(GString *text, const struct yaml_tree *tree, const struct yaml_node *element)
{
	const struct yaml_node *node =
		yaml_node_kind(element) == YAML_SEQUENCE ? yaml_node_at(tree, element, 0) : element;

	g_string_append_printf(text, "%s%s", text->len > 0 ? " > … > " : "", yaml_node_text(node));
}

static char *text_of(const struct yaml_tree *tree, const struct yaml_node *block)
{
	GString *text = g_string_new(NULL);

	for (size_t i = 0; i < yaml_node_count(block); i++) {
		write_element(text, tree, yaml_node_at(tree, block, i));
	}
	return g_string_free(text, FALSE);
}

static char *text_of_blocks(const struct yaml_tree *tree, const struct yaml_node *blocks)
{
	GString *text = g_string_new(NULL);

	for (size_t i = 0; i < yaml_node_count(blocks); i++) {
		g_autofree char *block = text_of(tree, yaml_node_at(tree, blocks, i));

		g_string_append_printf(text, "%s%s", i > 0 ? " | " : "", block);
	}
	return g_string_free(text, FALSE);
}

static bool read_target(const struct reader *reader, const struct yaml_node *target, GError **error)
{
	const struct yaml_node *name = yaml_node_find(reader->tree, target, "name");
	const struct yaml_node *path = yaml_node_find(reader->tree, target, "path");
	const struct yaml_node *blocks = yaml_node_find(reader->tree, target, "path_blocks");
	struct path_pattern *pattern;

	if (!name || !yaml_node_text(name)) {
		return yaml_refuse(reader->tree, target, error, "`name` is missing: expected the name of the path");
	}
	if (!path && !blocks) {
		return yaml_refuse(reader->tree, target, error, "`path` is missing: expected a list of nodes");
	}
	pattern = path_pattern_create(yaml_node_text(name));
	g_ptr_array_add(reader->patterns, pattern);
	pattern->ignored_nodes = g_ptr_array_ref(reader->ignored_nodes);
	pattern->ignored_topics = g_ptr_array_ref(reader->ignored_topics);
	if (!read_end(reader, target, "include_first_callback", &pattern->first_callback, error) ||
	    !read_end(reader, target, "include_last_callback", &pattern->last_callback, error) ||
	    !(blocks ? read_blocks(reader, pattern, blocks, error) : read_block(reader, pattern, path, error))) {
		return false;
	}
	if (pattern->nodes->len < 2) {
		return yaml_refuse(reader->tree, target, error, "`path`: expected two nodes or more");
	}
	pattern->text = blocks ? text_of_blocks(reader->tree, blocks) : text_of(reader->tree, path);
	return true;
}

static bool read_ignored(const struct reader *reader, const struct yaml_node *root, const char *key,
			 const char *const *usual, GPtrArray *expressions, GError **error)
{
	const struct yaml_node *list = yaml_node_find(reader->tree, root, key);

	for (size_t i = 0; !list && usual[i]; i++) {
		g_ptr_array_add(expressions, g_regex_new(usual[i], 0, 0, NULL));
	}
	if (list && yaml_node_kind(list) != YAML_SEQUENCE) {
		return yaml_refuse(reader->tree, list, error, "`%s`: expected a list", key);
	}
	for (size_t i = 0; list && i < yaml_node_count(list); i++) {
		GRegex *expression = read_expression(reader, yaml_node_at(reader->tree, list, i), false, error);

		if (!expression) {
			return false;
		}
		g_ptr_array_add(expressions, expression);
	}
	return true;
}

static bool read_targets(const struct reader *reader, const struct yaml_node *targets, GError **error)
{
	if (yaml_node_kind(targets) != YAML_SEQUENCE) {
		return yaml_refuse(reader->tree, targets, error, "`target_path_list`: expected a list");
	}
	for (size_t i = 0; i < yaml_node_count(targets); i++) {
		if (!read_target(reader, yaml_node_at(reader->tree, targets, i), error)) {
			return false;
		}
	}
	return true;
}

bool path_patterns_are(const struct yaml_tree *tree)
{
	const struct yaml_node *root = yaml_tree_root(tree);

	return root && (yaml_node_kind(root) == YAML_SEQUENCE || yaml_node_find(tree, root, "target_path_list"));
}

bool path_patterns_of(const struct yaml_tree *tree, GPtrArray *patterns, GError **error)
{
	static const char *const usual_topics[] = { "/tf", "/tf_static", "/diagnostics", NULL };
	static const char *const usual_nodes[] = { "/_ros2cli_/*", "/launch_ros_*", NULL };
	const struct yaml_node *root = yaml_tree_root(tree);
	const struct yaml_node *list = yaml_node_find(tree, root, "target_path_list");
	g_autoptr(GPtrArray) nodes = g_ptr_array_new_with_free_func((GDestroyNotify)g_regex_unref);
	g_autoptr(GPtrArray) topics = g_ptr_array_new_with_free_func((GDestroyNotify)g_regex_unref);
	const struct reader reader = { tree, nodes, topics, patterns };

	return read_ignored(&reader, root, "ignore_node_list", usual_nodes, nodes, error) &&
	       read_ignored(&reader, root, "ignore_topic_list", usual_topics, topics, error) &&
	       read_targets(&reader, list ? list : root, error);
}
