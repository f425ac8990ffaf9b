/* SPDX-License-Identifier: MIT */
/* Rows that are not kept, such as instances: columns of fixed widths, on several lines where one is too short. */
#ifndef ROS2BT_TEXT_STREAM_H
#define ROS2BT_TEXT_STREAM_H

#include "core/tables/table.h"
#include "ros2bt/output/output_stream.h"

void text_stream_header(struct output_stream *stream, const struct table_schema *schema);
void text_stream_row(struct output_stream *stream, const struct table_schema *schema, const struct cell *cells);

#endif
