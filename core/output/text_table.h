/* SPDX-License-Identifier: MIT */
/*
 * Tables for people. One table per value of the group columns, under a headline of them; durations in units that fit;
 * the largest value of a group is marked with `*`; rows of child tables stand under the row they belong to. Where the
 * width is limited, names are shortened in the middle and columns of detail, then the rightmost ones, are left out.
 */
#ifndef ROS2BT_TEXT_TABLE_H
#define ROS2BT_TEXT_TABLE_H

#include "ros2bt/output.h"

struct output_stream;
struct text_table;

struct text_style {
	unsigned int width;  /* in columns */
	bool shortens_names; /* otherwise rows may be longer than the width */
	bool has_attributes; /* bold and dim, by terminal sequences */
};

/* Of standard output: its width is COLUMNS, otherwise a terminal's, at least 80; NO_COLOR is heeded. */
struct text_style text_style_of_standard_output(void);
/* For files and pipes. */
struct text_style text_style_plain(void);

/* Keeps the rows until they are written. The schema is borrowed. */
struct text_table *text_table_create(const struct table_schema *schema);
void text_table_destroy(struct text_table *table);
void text_table_add(struct text_table *table, const struct cell *cells);

/* `children`: the tables whose parent this one is, ended by NULL. */
void text_table_write(const struct text_table *table, const struct text_table *const *children,
		      const struct text_style *style, struct output_stream *stream);

/* Rows that are not kept: columns of fixed widths. */
void text_stream_header(struct output_stream *stream, const struct table_schema *schema);
void text_stream_row(struct output_stream *stream, const struct table_schema *schema, const struct cell *cells);

/* The head of the report. */
void text_headline(struct output_stream *stream, const struct report_trace *trace, const struct text_style *style);

#endif
