/* SPDX-License-Identifier: MIT */
/*
 * Reads an architecture file of CARET (YAML): `named_paths`, `executors` and `nodes`, with the keys that caret_analyze
 * reads today, and files of releases that wrote fewer of them. Unknown keys are ignored, as in CARET.
 *
 * The reader refuses what CARET refuses: a missing or null list or name, a node that is defined twice. It leaves out
 * what CARET leaves out with a warning, and adds a remark (architecture.remarks): a path or callback whose name exists
 * already, an unknown type of callback or context. `UNDEFINED` and null are no name (NULL).
 *
 * Errors are G_MARKUP_ERRORs, "PATH:LINE: what", or G_FILE_ERRORs. O(size of the file).
 */
#ifndef ROS2BT_ARCHITECTURE_FILE_H
#define ROS2BT_ARCHITECTURE_FILE_H

#include "core/named_paths/architecture/architecture.h"

struct yaml_tree;

/* NULL with an error. */
struct architecture *architecture_file_read(const char *path, GError **error);
/* The same from a file that has been parsed; `path` is for messages. */
struct architecture *architecture_of_yaml(const struct yaml_tree *tree, const char *path, GError **error);

#endif
