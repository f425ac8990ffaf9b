/* SPDX-License-Identifier: MIT */
/* Cells as text for people, and the questions that laying out a table asks of them. */
#ifndef ROS2BT_TEXT_CELL_H
#define ROS2BT_TEXT_CELL_H

#include "core/base/text/number_text.h"
#include "core/output/text/text_style.h"
#include "core/tables/table.h"

const struct text_hints *text_hints_of(const struct table_column *column); /* never NULL */
const char *text_column_label(const struct table_column *column);
/* The text for rows of what never happened; NULL: the table has no such rows. */
const char *text_idle_of(const struct table_schema *schema);

bool text_cells_equal(const struct cell *left, const struct cell *right);

/* -INFINITY if the cell is not a number. */
double text_cell_number(const struct cell *cell);

/* To be freed. */
char *text_cell_text(const struct cell *cell, enum column_format format, const struct text_style *style);
/* For a cell that is neither empty nor a text. */
const char *text_cell_number_text(char buffer[NUMBER_TEXT_SIZE], const struct cell *cell, enum column_format format,
				  const struct text_style *style);

size_t text_cell_width(const struct cell *cell, enum column_format format, const struct text_style *style);
/* Whether a cell surely fits this many columns, without a look at its text: most cells are durations. */
bool text_cell_fits(const struct cell *cell, enum column_format format, size_t width);

#endif
