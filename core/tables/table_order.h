/* SPDX-License-Identifier: MIT */
/* By which column the rows of a table are in order, for people. */
#ifndef ROS2BT_TABLE_ORDER_H
#define ROS2BT_TABLE_ORDER_H

#include "core/tables/table.h"

/* The index of the first column by which the rows are in descending order, -1 if none that is written is. */
int table_find_descending(const struct table_schema *schema);

#endif
