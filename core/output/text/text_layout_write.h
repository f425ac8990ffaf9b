/* SPDX-License-Identifier: MIT */
/*
 * Writes the labels and the rows of a table as its columns are laid out: cells are padded or shortened to the width of
 * their column, or go on in further lines where the column wraps; the largest value of a group has the mark `*`, the
 * largest of all rows `**`.
 */
#ifndef ROS2BT_TEXT_LAYOUT_WRITE_H
#define ROS2BT_TEXT_LAYOUT_WRITE_H

#include "core/output/text/text_layout.h"

/* The labels of the columns, below the headings that columns share. */
void text_layout_write_labels(const struct text_layout *layout);

/* `index`: in the selection. `group_largest`: per column, of the rows of the group; NULL: nothing is marked. Gives the
 * number of lines. */
size_t text_layout_write_row(const struct text_layout *layout, size_t index, const double *group_largest);

/* Of the rows of the selection from `first` to before `end`; -INFINITY if none has a number. */
/* How many lines that row takes. */
size_t text_layout_row_lines(const struct text_layout *layout, size_t index);
double text_layout_largest(const struct text_layout *layout, const struct text_column *column, size_t first,
			   size_t end);

#endif
