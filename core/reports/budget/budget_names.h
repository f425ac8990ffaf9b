/* SPDX-License-Identifier: MIT */
/*
 * The names that occur in the columns of a file's selectors, of which the nearest to a misspelt pattern is told.
 *
 * Cost: a look-up per table and column; per row and column of a selector, that of a name. Memory: each name once.
 */
#ifndef ROS2BT_BUDGET_NAMES_H
#define ROS2BT_BUDGET_NAMES_H

#include <glib.h>

#include "core/tables/table.h"

struct budget;

struct budget_names {
	GHashTable *columns; /* const struct table_column *, a selector's → its names (char *, GHashTable, owned) */
};

void budget_names_init(struct budget_names *names);
void budget_names_clear(struct budget_names *names);

/* The columns of its selectors are noted. */
void budget_names_add(struct budget_names *names, const struct budget *budget);

/* The columns of a table that are noted (struct noted_column), to be unreferenced before the names are cleared. */
GArray *budget_names_columns(const struct budget_names *names, const struct table_schema *schema);
/* Notes the names of a row. */
void budget_names_note(const GArray *columns, const struct table_schema *schema, const struct cell *cells);

/* In order, borrowed; the array is the caller's. */
GPtrArray *budget_names_list(const struct budget_names *names, const struct table_column *column);

#endif
