/* SPDX-License-Identifier: MIT */
/*
 * Keys by which rows of several recordings are the same: their names, each followed by a separator, which is
 * escaped where a name contains it.
 */
#ifndef ROS2BT_ROW_KEY_H
#define ROS2BT_ROW_KEY_H

#include <glib.h>

#include "core/tables/table.h"

/* Appends a name, as CSV has it, and the separator. */
void row_key_append(GString *key, const char *name);

/* Appends the names (COLUMN_MERGE_KEY) of a row. */
void row_key_append_names(GString *key, const struct table_schema *schema, const struct cell *cells);

/* Appends a name to a text, without a separator. A name is a text or a whole number; other cells have none. */
void row_key_append_text(GString *text, const struct cell *cell);

#endif
