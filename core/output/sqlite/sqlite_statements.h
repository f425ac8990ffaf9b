/* SPDX-License-Identifier: MIT */
/*
 * The SQL that makes the table of a schema in a database.
 *
 * A table of instances with times is stored as NAME_stored, and NAME is a view of it with the columns of the schema.
 * Times make up most of such a table, and SQLite stores small integers in fewer bytes, hence each is stored as the
 * difference to the first one of its row, which `row_ns`, the last column, has as the difference to `since_ns`, a time
 * in the recording. Where `row_ns` is NULL, the times of the row are stored as they are: what they hold cannot be
 * subtracted.
 *
 * A row of 1,530,000 hops of traversals takes 29 bytes instead of 40. To select one costs an addition a time.
 *
 * Rows are written in the order of CSV: a primary key is an index besides the table (INT, not INTEGER, which would be
 * the place of a row), since rows that are put between others leave a fifth of the table empty.
 *
 * Indexes are those that a question of docs/sqlite.md needs to be answered in seconds at a million rows: rows are found
 * by what they belong to, executions also by their start. What is only looked for by time is found by reading all.
 */
#ifndef ROS2BT_SQLITE_STATEMENTS_H
#define ROS2BT_SQLITE_STATEMENTS_H

#include "core/tables/table.h"

/* Whether the table is stored as said above. */
bool sqlite_stores_differences(const struct table_schema *schema);
/* Whether a column holds such times. */
bool sqlite_is_difference(const struct table_schema *schema, size_t column);

/* All to be freed. A schema without statistics. */
char *sqlite_table_statement(const struct table_schema *schema);
/* With a parameter for each column, and one for `row_ns` if differences are stored. */
char *sqlite_insert_statement(const struct table_schema *schema);
/* What follows the rows: the view, if it is one, and the indexes. */
char *sqlite_last_statements(const struct table_schema *schema, int64_t since_ns);

#endif
