/* SPDX-License-Identifier: MIT */
/*
 * The columns of a table for people, as wide as the rows that are listed need them. Where the width is limited, columns
 * of detail are left out, names are shortened in the middle, and then the rightmost columns are left out. Where names
 * may wrap, they are shortened to a few lines. A column in which two names would look the same is not shortened, but
 * goes on in as many lines as it needs.
 */
#ifndef ROS2BT_TEXT_LAYOUT_H
#define ROS2BT_TEXT_LAYOUT_H

#include "core/output/text/text_rows.h"

#define TEXT_COLUMN_GAP 2

/* A column as it is laid out. */
struct text_column {
	const struct table_column *column; /* borrowed */
	const struct text_hints *hints;	   /* of the column */
	size_t kept;			   /* which of the kept cells */
	size_t width;
	bool is_shown, has_text, wraps;
	size_t lines_max; /* of a cell, if it wraps */
	double largest;	  /* of all rows that are listed */
};

struct text_layout {
	const struct text_table *table;
	const struct text_selection *selection;
	const struct text_style *style;
	struct output_stream *stream;
	struct text_column *columns; /* owned; those that are neither hidden nor group columns */
	size_t column_count;
	bool *tells_apart; /* owned; by index of the selection: looks like another row; NULL: none does */
	size_t indent;
	bool has_marks; /* there is more than one row to compare */
};

/* All is borrowed. */
void text_layout_init(struct text_layout *layout, const struct text_table *table,
		      const struct text_selection *selection, const struct text_style *style,
		      struct output_stream *stream, size_t indent);
void text_layout_clear(struct text_layout *layout);
bool text_layout_has_headings(const struct text_layout *layout);

#endif
