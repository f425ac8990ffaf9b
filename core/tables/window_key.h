/* SPDX-License-Identifier: MIT */
/* By what a row is found again when its table is written the next time (core/tables/window_tables.h). */
#ifndef ROS2BT_WINDOW_KEY_H
#define ROS2BT_WINDOW_KEY_H

#include <glib.h>
#include <stdbool.h>

#include "core/tables/table.h"

/* Whether the cells of a column are part of the key. Of gaps, all names are. */
bool window_key_has(const struct table_column *column);
/* Replaces `key`. Rows that are alike in all of these have the same: their order tells them apart. */
void window_key_make(GString *key, const struct table_schema *schema, const struct cell *cells);

#endif
