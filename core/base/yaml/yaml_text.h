/* SPDX-License-Identifier: MIT */
/* Texts in YAML files that are written. */
#ifndef ROS2BT_YAML_TEXT_H
#define ROS2BT_YAML_TEXT_H

#include <glib.h>

/* Appends a text as a double-quoted scalar. The text may hold any bytes; see utf8.h for those that are not UTF-8. */
void yaml_text_append_quoted(GString *yaml, const char *text);

#endif
