/* SPDX-License-Identifier: MIT */
/* Tables as CSV: RFC 4180 quoting, valid UTF-8, lines end with \n, one header line. */
#ifndef ROS2BT_OUTPUT_CSV_H
#define ROS2BT_OUTPUT_CSV_H

#include "ros2bt/table.h"

struct output_stream;

void output_csv_header(struct output_stream *stream, const struct table_schema *schema);
void output_csv_row(struct output_stream *stream, const struct table_schema *schema, const struct cell *cells);

#endif
