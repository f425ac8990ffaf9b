/* SPDX-License-Identifier: MIT */
/*
 * Writes an architecture as a file of CARET (YAML), as caret_analyze does: the same keys in the same order,
 * construction orders only if they are not 0, `UNDEFINED` for unknown names. Lists keep their order. Each name is
 * written so that YAML 1.1 reads the same name back; bytes that are not UTF-8 become U+FFFD. O(size of the file).
 */
#ifndef ROS2BT_ARCHITECTURE_WRITE_H
#define ROS2BT_ARCHITECTURE_WRITE_H

#include "core/named_paths/architecture/architecture.h"

/* Appends the file to `yaml`. */
void architecture_write(const struct architecture *architecture, GString *yaml);

#endif
