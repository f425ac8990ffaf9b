/* SPDX-License-Identifier: MIT */
/* Rows of tables as JSON: an object a row, on a line of its own, with the names of the columns as keys; empty cells are
 * null. */
#ifndef ROS2BT_OUTPUT_JSON_H
#define ROS2BT_OUTPUT_JSON_H

#include "ros2bt/table.h"

struct json_writer;

void output_json_row(struct json_writer *writer, const struct table_schema *schema, const struct cell *cells);

#endif
