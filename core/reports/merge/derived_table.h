/* SPDX-License-Identifier: MIT */
/*
 * A table that is derived from another one at run time: its schema, column by column, and the cells of a row. Columns
 * are in the order in which they are added, and cells are pushed in the same order.
 */
#ifndef ROS2BT_DERIVED_TABLE_H
#define ROS2BT_DERIVED_TABLE_H

#include <glib.h>

#include "core/tables/table.h"

struct derived_table {
	struct table_schema schema;
	GArray *columns;	     /* struct table_column; of the schema */
	GArray *cells;		     /* struct cell; of the row at hand */
	struct table_writer *writer; /* borrowed; NULL: nobody asked for it */
};

/*
 * `name` is taken over; everything else in the schema, except its columns and how many of them identify a row, is
 * borrowed from `schema`.
 */
void derived_table_init(struct derived_table *table, const char *name, const struct table_schema *schema);
void derived_table_clear(struct derived_table *table);

void derived_table_add(struct derived_table *table, const struct table_column *column);
/* Adds columns of the given role, with `format`. */
void derived_table_add_names(struct derived_table *table, const char *const *names, size_t count,
			     enum column_role role);
/* Adds the columns of `source` that are names. */
void derived_table_add_keys(struct derived_table *table, const struct table_schema *source);

/* Opens the table, once all columns are added. Whether somebody asked for it. */
bool derived_table_open(struct derived_table *table, struct table_output *tables);

void derived_table_push(struct derived_table *table, struct cell cell);
void derived_table_push_names(struct derived_table *table, const char *const *names, size_t count);
/* Pushes the names in a row of `source`. */
void derived_table_push_keys(struct derived_table *table, const struct table_schema *source, const struct cell *cells);
/* Writes the pushed row and begins the next one. */
void derived_table_end_row(struct derived_table *table);

/* "callbacks" with the ending "outliers" is "callback_outliers"; to be freed. */
char *derived_table_name(const struct table_schema *source, const char *ending);

#endif
