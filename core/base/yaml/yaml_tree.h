/* SPDX-License-Identifier: MIT */
/*
 * A YAML file as a tree of scalars, sequences and mappings with the line of each, for configuration files. The parser
 * is libyaml (YAML 1.1); without it (HAVE_YAML) every file is refused, with that reason.
 *
 * A file has one document. Keys of a mapping are scalars, and unique. Anchors and aliases are allowed in any number;
 * aliased nodes are shared. Nesting deeper than YAML_DEPTH_MAX is refused, and so is a node that contains itself.
 *
 * Errors are G_MARKUP_ERRORs, "PATH:LINE: message", or G_FILE_ERRORs. Memory: the file, and 100 bytes per node.
 */
#ifndef ROS2BT_YAML_TREE_H
#define ROS2BT_YAML_TREE_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

#define YAML_DEPTH_MAX 64

struct yaml_tree;
struct yaml_node;

enum yaml_kind {
	YAML_SCALAR,
	YAML_SEQUENCE,
	YAML_MAPPING,
};

/* NULL and an error if the file cannot be read or is refused. */
struct yaml_tree *yaml_tree_read(const char *path, GError **error);
void yaml_tree_destroy(struct yaml_tree *tree); /* NULL is allowed; all nodes and texts go with it */

/* NULL: the file is empty. */
const struct yaml_node *yaml_tree_root(const struct yaml_tree *tree);

enum yaml_kind yaml_node_kind(const struct yaml_node *node);
size_t yaml_node_line(const struct yaml_node *node); /* from 1 */

/* The text of a scalar, including an empty plain scalar, `~` and `null`; NULL for other kinds. */
const char *yaml_node_text(const struct yaml_node *node);
/* Whether the node is a plain scalar that means "no value": empty, `~` or `null`. */
bool yaml_node_is_null(const struct yaml_node *node);

/* The number of elements of a sequence or pairs of a mapping; 0 for a scalar. */
size_t yaml_node_count(const struct yaml_node *node);
/* The element of a sequence, or the value of a pair. */
const struct yaml_node *yaml_node_at(const struct yaml_tree *tree, const struct yaml_node *node, size_t index);
/* The key of a pair of a mapping. */
const struct yaml_node *yaml_node_key(const struct yaml_tree *tree, const struct yaml_node *node, size_t index);
/* The value of a key; NULL if the node is no mapping, or has no such key. */
const struct yaml_node *yaml_node_find(const struct yaml_tree *tree, const struct yaml_node *node, const char *key);

/* Sets the error "PATH:LINE: message". Returns false, for the caller to return. */
bool yaml_refuse(const struct yaml_tree *tree, const struct yaml_node *node, GError **error, const char *format, ...)
	G_GNUC_PRINTF(4, 5);

#endif
