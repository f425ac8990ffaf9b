/* SPDX-License-Identifier: MIT */
/* Patterns that select the names of a row, for files of budgets that are written (budget_selection.h). */
#ifndef ROS2BT_BUDGET_PATTERN_H
#define ROS2BT_BUDGET_PATTERN_H

#include "core/tables/table.h"

/* The pattern of a name, or of a period; NULL: the cell has no name. To be freed. */
char *budget_pattern_of(const struct cell *cell);

#endif
