/* SPDX-License-Identifier: MIT */
/* The title of a table for people, what orders its rows, and what is below it if there are no rows. */
#ifndef ROS2BT_TEXT_TITLE_H
#define ROS2BT_TEXT_TITLE_H

#include "core/output/text/text_rows.h"
#include "core/output/text/text_style.h"
#include "core/tables/table.h"
#include "ros2bt/output/output_stream.h"

/* What the title says of the listed rows: ", by duration max, 3 of a topic first", or ""; to be freed. */
char *text_order(const struct text_table *table, const struct text_selection *selection);
/* The same of a summary. */
char *text_order_of_summary(const struct text_table *table);

/* `order`: see text_order(). Returns the number of lines, including the empty one before. */
size_t text_title(struct output_stream *stream, const struct table_schema *schema, const char *order,
		  const struct text_style *style);

/* "nothing", and why, if the schema has a reason. */
void text_nothing(struct output_stream *stream, const struct table_schema *schema, const struct text_style *style);

#endif
