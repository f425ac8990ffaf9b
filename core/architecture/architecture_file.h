/* SPDX-License-Identifier: MIT */
/*
 * Reads an architecture file of CARET (YAML): `named_paths`, `executors` and `nodes`, with the keys that caret_analyze
 * reads today, and files of releases that wrote fewer of them. Keys that it does not know are ignored, as CARET does.
 *
 * What CARET refuses is refused: a list or a name that is missing or null, a node that is there twice. What CARET
 * leaves out with a warning is left out with a remark (architecture.remarks): a path or callback of a name that is
 * there already, a type of callback or context that nobody knows. `UNDEFINED` and null are no name (NULL).
 *
 * Errors are G_MARKUP_ERRORs, "PATH:LINE: what", or G_FILE_ERRORs. O(size of the file).
 */
#ifndef ROS2BT_ARCHITECTURE_FILE_H
#define ROS2BT_ARCHITECTURE_FILE_H

#include "core/architecture/architecture.h"

struct yaml_tree;

/* NULL with an error. */
struct architecture *architecture_file_read(const char *path, GError **error);
/* The same of a file that was read; `path` is for messages. */
struct architecture *architecture_of_yaml(const struct yaml_tree *tree, const char *path, GError **error);

#endif
