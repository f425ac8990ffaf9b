/* SPDX-License-Identifier: MIT */
/*
 * Rows that look the same, and the cells that tell them apart: those of columns with the hint `tells_apart`, in the
 * order of their ranks, each only in rows that look the same without it and differ in it. Where these columns do not
 * suffice, the id of the row does, which CSV and JSON have too.
 *
 * What a row looks like: its names (COLUMN_MERGE_KEY; in a table without such columns those of the format COLUMN_NAME),
 * and the columns that tell apart and are shown anyway. Cost: linear in the listed rows for each column.
 */
#ifndef ROS2BT_TEXT_APART_H
#define ROS2BT_TEXT_APART_H

#include "core/output/text/text_rows.h"

struct text_apart {
	size_t kept_count;
	bool *is_needed; /* owned; by row of the selection and kept column; NULL: no row looks like another one */
	bool *is_needed_in_any; /* owned; by kept column; NULL likewise */
};

/* is_shown: by kept column, whether it is shown in every row. */
void text_apart_init(struct text_apart *apart, const struct text_table *table, const struct text_selection *selection,
		     const bool *is_shown);
void text_apart_clear(struct text_apart *apart);

/* Whether a row of the selection needs the cell to be told apart. */
static inline bool text_apart_needs_cell(const struct text_apart *apart, size_t row, size_t kept)
{
	return apart->is_needed && apart->is_needed[row * apart->kept_count + kept];
}

/* Whether any row does. */
static inline bool text_apart_needs_column(const struct text_apart *apart, size_t kept)
{
	return apart->is_needed_in_any && apart->is_needed_in_any[kept];
}

#endif
