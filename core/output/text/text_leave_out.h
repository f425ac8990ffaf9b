/* SPDX-License-Identifier: MIT */
/*
 * Which of thousands of rows a text may list, known before they are sorted and their texts are made: those that are
 * neither idle nor hidden, nor rank behind as many others as are listed (text_table.limit). Of rows that rank the
 * same, the order of the table decides: all of them stay, and text_table_add() only counts those that come too late.
 */
#ifndef ROS2BT_TEXT_LEAVE_OUT_H
#define ROS2BT_TEXT_LEAVE_OUT_H

#include "core/output/text/text_rows.h"
#include "core/tables/row_list.h"
#include "core/tables/statistics_columns.h"

/* Leaves out rows (row_list_leave_out()) that the table only counts. `columns`: of the rows' schema. */
void text_leave_out(struct text_table *table, struct statistics_columns *columns, struct row_list *rows);

#endif
