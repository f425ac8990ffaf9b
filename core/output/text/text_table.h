/* SPDX-License-Identifier: MIT */
/*
 * Tables for people. One table per value of the group columns, under a headline of them; durations in units that fit;
 * the largest value of a group is marked with `*`; rows of child tables stand under the row they belong to.
 *
 * Where not all rows fit, the rows with the largest values come first, of all groups, and the others are counted.
 * text_rows.h chooses the rows, text_layout.h the columns and their widths.
 */
#ifndef ROS2BT_TEXT_TABLE_H
#define ROS2BT_TEXT_TABLE_H

#include "core/output/text/text_rows.h"

/*
 * `children`: the tables whose parent this one is, ended by NULL. `lines`: how many there is room for; at least one row
 * is listed anyway, and as many as the choice says if it says so.
 */
void text_table_write(const struct text_table *table, const struct text_table *const *children, size_t lines,
		      const struct text_style *style, struct output_stream *stream);

/* How many lines it would take with all its rows. */
size_t text_table_height(const struct text_table *table, const struct text_table *const *children);

/* A table of the summary: all its rows, as they are. */
size_t text_table_write_summary(const struct text_table *table, const struct text_style *style,
				struct output_stream *stream);

/* `order`: by what the rows are ranked; NULL: they are not. Gives the number of lines, with the empty one before. */
size_t text_title(struct output_stream *stream, const struct table_schema *schema, const char *order,
		  const struct text_style *style);

#endif
