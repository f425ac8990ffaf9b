/* SPDX-License-Identifier: MIT */
/*
 * Tables for people. There is one table for each value of the group columns, under a headline of these; durations have
 * units that fit; the largest value of a group is marked `*`; rows of child tables appear under the row they belong to.
 *
 * If not all rows fit, the rows with the largest values of all groups come first, and the others are counted.
 * text_rows.h chooses the rows, text_layout.h the columns and their widths.
 */
#ifndef ROS2BT_TEXT_TABLE_H
#define ROS2BT_TEXT_TABLE_H

#include "core/output/text/text_rows.h"

/*
 * `children`: the tables whose parent this one is, ended by NULL. `lines`: the room; at least one row is listed anyway,
 * and as many as the choice asks for.
 */
void text_table_write(const struct text_table *table, const struct text_table *const *children, size_t lines,
		      const struct text_style *style, struct output_stream *stream);

/* The number of lines with all its rows. */
size_t text_table_height(const struct text_table *table, const struct text_table *const *children);

/* Writes a table of the summary: all its rows, in their order. */
size_t text_table_write_summary(const struct text_table *table, const struct text_style *style,
				struct output_stream *stream);

#endif
