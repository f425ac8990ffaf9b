/* SPDX-License-Identifier: MIT */
/*
 * A comparison as tables. These are a row each:
 *
 *   ROW(name, text)   the constant NAME_schema in comparison_tables.c, and what --help says
 *
 * From this list follow --table of the command, its help and its completion. BETWEEN separates two rows.
 */
#ifndef ROS2BT_COMPARISON_TABLES_H
#define ROS2BT_COMPARISON_TABLES_H

#include "core/reports/compare/comparison.h"
#include "core/tables/table.h"

/* clang-format off */
#define COMPARISON_TABLES(ROW, BETWEEN) \
	ROW(changes, "the figures that changed, the largest change first") \
	BETWEEN ROW(rows_of_one_side, "rows that are missing on one side") \
	BETWEEN ROW(figures, "all figures")
/* clang-format on */

#define COMPARISON_TABLE_NAME(name, text) #name
#define COMPARISON_TABLE_HELP(name, text) #name " (" text ")"

/* Ended by NULL. Each is selected by its name (table_schema.selection). */
extern const struct table_schema *const comparison_tables[];

void comparison_write(const struct comparison *comparison, struct table_output *tables);

#endif
