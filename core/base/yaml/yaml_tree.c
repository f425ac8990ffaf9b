/* SPDX-License-Identifier: MIT */
#include "core/base/yaml/yaml_tree.h"

#include <string.h>

#ifdef HAVE_YAML
#include <yaml.h>

struct yaml_tree {
	char *path, *contents;
	yaml_document_t document;
	bool has_document;
};

/* struct yaml_node is libyaml's node under another name. */
static const yaml_node_t *real(const struct yaml_node *node)
{
	return (const yaml_node_t *)(const void *)node;
}

static const struct yaml_node *node_by_id(const struct yaml_tree *tree, int id)
{
	return (const struct yaml_node *)(const void *)(tree->document.nodes.start + (id - 1));
}

static bool refuse_line(const struct yaml_tree *tree, size_t line, GError **error, const char *message)
{
	g_set_error(error, G_MARKUP_ERROR, G_MARKUP_ERROR_PARSE, "%s:%zu: %s", tree->path, line, message);
	return false;
}

/* --- checks --- */

static bool check_keys(const struct yaml_tree *tree, const struct yaml_node *mapping, GError **error)
{
	g_autoptr(GHashTable) keys = g_hash_table_new(g_str_hash, g_str_equal);

	for (size_t i = 0; i < yaml_node_count(mapping); i++) {
		const struct yaml_node *key = yaml_node_key(tree, mapping, i);
		const char *text = yaml_node_text(key);

		if (!text) {
			return yaml_refuse(tree, key, error, "a key is no text");
		}
		if (!g_hash_table_add(keys, (gpointer)text)) {
			return yaml_refuse(tree, key, error, "`%s` is there twice", text);
		}
	}
	return true;
}

/* Checks no node twice at the same depth, however many aliases it has: that could take exponential time. */
static bool check_node(const struct yaml_tree *tree, const struct yaml_node *node, size_t depth, guint8 *depths,
		       GError **error)
{
	size_t id = (size_t)(real(node) - tree->document.nodes.start);

	if (depth > YAML_DEPTH_MAX) {
		return yaml_refuse(tree, node, error, "is nested more than %d deep, or contains itself",
				   YAML_DEPTH_MAX);
	}
	if (depths[id] >= depth) {
		return true;
	}
	depths[id] = (guint8)depth;
	if (yaml_node_kind(node) == YAML_SCALAR) {
		return strlen(yaml_node_text(node)) == real(node)->data.scalar.length ||
		       yaml_refuse(tree, node, error, "a text has a zero byte in it");
	}
	if (yaml_node_kind(node) == YAML_MAPPING && !check_keys(tree, node, error)) {
		return false;
	}
	for (size_t i = 0; i < yaml_node_count(node); i++) {
		if (!check_node(tree, yaml_node_at(tree, node, i), depth + 1, depths, error)) {
			return false;
		}
	}
	return true;
}

static bool check_tree(const struct yaml_tree *tree, GError **error)
{
	const struct yaml_node *root = yaml_tree_root(tree);
	g_autofree guint8 *depths = NULL;

	if (!root) {
		return true;
	}
	depths = g_new0(guint8, (gsize)(tree->document.nodes.top - tree->document.nodes.start));
	return check_node(tree, root, 1, depths, error);
}

/* --- reading --- */

static bool refuse_syntax(const struct yaml_tree *tree, const yaml_parser_t *parser, GError **error)
{
	g_autofree char *message = g_strdup_printf("%s%s%s", parser->problem ? parser->problem : "is no YAML",
						   parser->context ? " " : "", parser->context ? parser->context : "");

	return refuse_line(tree, parser->problem_mark.line + 1, error, message);
}

static bool load(struct yaml_tree *tree, yaml_parser_t *parser, GError **error)
{
	yaml_document_t second;
	size_t line;
	bool is_one;

	if (!yaml_parser_load(parser, &tree->document)) {
		return refuse_syntax(tree, parser, error);
	}
	tree->has_document = true;
	if (!yaml_tree_root(tree)) {
		return true;
	}
	if (!yaml_parser_load(parser, &second)) {
		return refuse_syntax(tree, parser, error);
	}
	is_one = yaml_document_get_root_node(&second) == NULL;
	line = second.start_mark.line + 1;
	yaml_document_delete(&second);
	return is_one || refuse_line(tree, line, error, "a second document begins; expected one");
}

struct yaml_tree *yaml_tree_read(const char *path, GError **error)
{
	struct yaml_tree *tree = g_new0(struct yaml_tree, 1);
	yaml_parser_t parser;
	gsize length;
	bool is_read;

	tree->path = g_strdup(path);
	if (!g_file_get_contents(path, &tree->contents, &length, error)) {
		yaml_tree_destroy(tree);
		return NULL;
	}
	yaml_parser_initialize(&parser);
	yaml_parser_set_input_string(&parser, (const unsigned char *)tree->contents, length);
	is_read = load(tree, &parser, error) && check_tree(tree, error);
	yaml_parser_delete(&parser);
	if (!is_read) {
		yaml_tree_destroy(tree);
		return NULL;
	}
	return tree;
}

void yaml_tree_destroy(struct yaml_tree *tree)
{
	if (!tree) {
		return;
	}
	if (tree->has_document) {
		yaml_document_delete(&tree->document);
	}
	g_free(tree->contents);
	g_free(tree->path);
	g_free(tree);
}

/* --- nodes --- */

const struct yaml_node *yaml_tree_root(const struct yaml_tree *tree)
{
	return tree->document.nodes.top > tree->document.nodes.start ? node_by_id(tree, 1) : NULL;
}

enum yaml_kind yaml_node_kind(const struct yaml_node *node)
{
	switch (real(node)->type) {
	case YAML_SEQUENCE_NODE:
		return YAML_SEQUENCE;
	case YAML_MAPPING_NODE:
		return YAML_MAPPING;
	default:
		return YAML_SCALAR;
	}
}

size_t yaml_node_line(const struct yaml_node *node)
{
	return real(node)->start_mark.line + 1;
}

const char *yaml_node_text(const struct yaml_node *node)
{
	return yaml_node_kind(node) == YAML_SCALAR ? (const char *)real(node)->data.scalar.value : NULL;
}

bool yaml_node_is_null(const struct yaml_node *node)
{
	const char *text = yaml_node_text(node);

	return text && real(node)->data.scalar.style == YAML_PLAIN_SCALAR_STYLE &&
	       (text[0] == '\0' || strcmp(text, "~") == 0 || g_ascii_strcasecmp(text, "null") == 0);
}

size_t yaml_node_count(const struct yaml_node *node)
{
	const yaml_node_t *it = real(node);

	switch (it->type) {
	case YAML_SEQUENCE_NODE:
		return (size_t)(it->data.sequence.items.top - it->data.sequence.items.start);
	case YAML_MAPPING_NODE:
		return (size_t)(it->data.mapping.pairs.top - it->data.mapping.pairs.start);
	default:
		return 0;
	}
}

const struct yaml_node *yaml_node_at(const struct yaml_tree *tree, const struct yaml_node *node, size_t index)
{
	const yaml_node_t *it = real(node);

	return node_by_id(tree, it->type == YAML_MAPPING_NODE ? it->data.mapping.pairs.start[index].value
							      : it->data.sequence.items.start[index]);
}

const struct yaml_node *yaml_node_key(const struct yaml_tree *tree, const struct yaml_node *node, size_t index)
{
	return node_by_id(tree, real(node)->data.mapping.pairs.start[index].key);
}

bool yaml_refuse(const struct yaml_tree *tree, const struct yaml_node *node, GError **error, const char *format, ...)
{
	g_autofree char *message = NULL;
	va_list arguments;

	va_start(arguments, format);
	message = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	return refuse_line(tree, yaml_node_line(node), error, message);
}

#else /* without libyaml */

struct yaml_tree *yaml_tree_read(const char *path, GError **error)
{
	g_set_error(error, G_MARKUP_ERROR, G_MARKUP_ERROR_UNKNOWN_ELEMENT,
		    "%s: this babeltrace2-ros2 was built without libyaml and reads no YAML", path);
	return NULL;
}

void yaml_tree_destroy(struct yaml_tree *tree)
{
}

const struct yaml_node *yaml_tree_root(const struct yaml_tree *tree)
{
	return NULL;
}

enum yaml_kind yaml_node_kind(const struct yaml_node *node)
{
	return YAML_SCALAR;
}

size_t yaml_node_line(const struct yaml_node *node)
{
	return 0;
}

const char *yaml_node_text(const struct yaml_node *node)
{
	return NULL;
}

bool yaml_node_is_null(const struct yaml_node *node)
{
	return true;
}

size_t yaml_node_count(const struct yaml_node *node)
{
	return 0;
}

const struct yaml_node *yaml_node_at(const struct yaml_tree *tree, const struct yaml_node *node, size_t index)
{
	return NULL;
}

const struct yaml_node *yaml_node_key(const struct yaml_tree *tree, const struct yaml_node *node, size_t index)
{
	return NULL;
}

bool yaml_refuse(const struct yaml_tree *tree, const struct yaml_node *node, GError **error, const char *format, ...)
{
	return false;
}

#endif

const struct yaml_node *yaml_node_find(const struct yaml_tree *tree, const struct yaml_node *node, const char *key)
{
	for (size_t i = 0; yaml_node_kind(node) == YAML_MAPPING && i < yaml_node_count(node); i++) {
		if (strcmp(yaml_node_text(yaml_node_key(tree, node, i)), key) == 0) {
			return yaml_node_at(tree, node, i);
		}
	}
	return NULL;
}
