/* SPDX-License-Identifier: MIT */
/*
 * The columns of a table for people, as wide as the listed rows need. If the width is limited, names that may be below
 * their rows go there, then columns of detail are left out, then names and paths (path_text.h) are shortened in the
 * middle, then the rightmost columns are left out. Names that may wrap are shortened to a few lines. A column in which
 * two names would look the same is not shortened but continues on up to twelve lines.
 */
#ifndef ROS2BT_TEXT_LAYOUT_H
#define ROS2BT_TEXT_LAYOUT_H

#include "core/output/text/text_apart.h"
#include "core/output/text/text_rows.h"
#include "core/output/text/text_style.h"

#define TEXT_COLUMN_GAP 2
/* Of a name below its row. */
#define TEXT_BELOW_INDENT 2

/* A column as it is laid out. */
struct text_column {
	const struct table_column *column; /* borrowed */
	const struct text_hints *hints;	   /* of the column */
	size_t kept;			   /* which of the kept cells */
	size_t width;
	bool is_shown, has_text, wraps;
	bool is_below;	  /* is written below each row instead of in it: not shown, and `width` is that of its lines */
	bool tells_apart; /* only in rows that need it, and not left out */
	size_t lines_max; /* of a cell that wraps */
	double largest;	  /* of all listed rows */
};

struct text_layout {
	const struct text_table *table;
	const struct text_selection *selection;
	const struct text_style *style;
	struct output_stream *stream;
	struct text_column *columns; /* owned; the columns that are neither hidden nor group columns */
	size_t column_count;
	struct text_apart apart;
	size_t indent;
	bool has_marks; /* there are several rows to compare */
};

/* The separators of words in a heading, after which it may continue on a second line. */
#define TEXT_HEADING_SEPARATORS "_ "

/* The columns from `first` on under the same heading: the last of them, and their width together. */
size_t text_layout_heading_end(const struct text_layout *layout, size_t first, size_t *width);

/*
 * The first column of a statistic with HINT_BRIEF where a narrow table shows another statistic: there is room for its
 * mean and max only, so that the rest need not be known (table_writer.is_brief). Columns of detail from there on are
 * left out even where their values are short. column_count: none are.
 */
static inline size_t text_layout_first_brief(const struct text_layout *layout)
{
	bool has_other = false;
	size_t first = layout->column_count;

	for (size_t i = layout->column_count; i-- > 0;) {
		const struct text_column *column = &layout->columns[i];

		has_other |= column->is_shown && column->hints->heading && column->hints->marks_largest;
		first = column->is_shown && column->hints->is_brief ? i : first;
	}
	return has_other && text_style_is_narrow(layout->style) ? first : layout->column_count;
}

/* All is borrowed. */
void text_layout_init(struct text_layout *layout, const struct text_table *table,
		      const struct text_selection *selection, const struct text_style *style,
		      struct output_stream *stream, size_t indent);
void text_layout_clear(struct text_layout *layout);
bool text_layout_has_headings(const struct text_layout *layout);

#endif
