/* SPDX-License-Identifier: MIT */
/*
 * Writes an architecture as a file of CARET (YAML), as caret_analyze itself does: the same keys in the same order,
 * construction orders only where they are not 0, `UNDEFINED` for what is not known. Lists are written in the order they
 * have. Any name is written so that YAML 1.1 reads the very same one back; bytes that are not UTF-8 become U+FFFD.
 * O(size of the file).
 */
#ifndef ROS2BT_ARCHITECTURE_WRITE_H
#define ROS2BT_ARCHITECTURE_WRITE_H

#include "core/architecture/architecture.h"

/* Appends the file to `yaml`. */
void architecture_write(const struct architecture *architecture, GString *yaml);

#endif
