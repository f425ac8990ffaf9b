/* SPDX-License-Identifier: MIT */
/* The name of a row for people: the names by which it can be merged (COLUMN_MERGE_KEY), except hidden ones. */
#ifndef ROS2BT_ROW_NAME_H
#define ROS2BT_ROW_NAME_H

#include "core/tables/table.h"

/* "/talker  timer  500 ms"; to be freed. A period is shown as the text report shows it. */
char *row_name(const struct table_schema *schema, const struct cell *cells);

#endif
