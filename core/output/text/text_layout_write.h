/* SPDX-License-Identifier: MIT */
/*
 * Writes the labels and rows of a table by the layout of its columns: cells are padded or shortened to the width of
 * their column, or continue on further lines if the column wraps. The largest value of a group is marked `*`, the
 * largest of all rows `**`.
 */
#ifndef ROS2BT_TEXT_LAYOUT_WRITE_H
#define ROS2BT_TEXT_LAYOUT_WRITE_H

#include "core/output/text/text_layout.h"

/* Writes the labels of the columns, below the headings that columns share. */
void text_layout_write_labels(const struct text_layout *layout);

/*
 * `index`: in the selection. `group_largest`: by column, of the rows of the group; NULL: nothing is marked. Returns the
 * number of lines.
 */
size_t text_layout_write_row(const struct text_layout *layout, size_t index, const double *group_largest);

/* The largest value of the selected rows from `first` to before `end`; -INFINITY if none is a number. */
/* The number of lines that the row takes. */
size_t text_layout_row_lines(const struct text_layout *layout, size_t index);
double text_layout_largest(const struct text_layout *layout, const struct text_column *column, size_t first,
			   size_t end);

#endif
