/* SPDX-License-Identifier: MIT */
/*
 * A CSV file (RFC 4180: quotes, line ends within quotes, \n or \r\n), row by row. The first line names the columns;
 * every other row has as many cells. Memory: the file. Errors are G_FILE_ERRORs, or G_MARKUP_ERRORs about the contents;
 * both name the file, the latter also the line.
 */
#ifndef ROS2BT_CSV_ROWS_H
#define ROS2BT_CSV_ROWS_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct csv_rows;

/* NULL with an error. */
struct csv_rows *csv_rows_open(const char *path, GError **error);
void csv_rows_close(struct csv_rows *rows); /* NULL is allowed */

size_t csv_rows_column_count(const struct csv_rows *rows);
const char *csv_rows_column_name(const struct csv_rows *rows, size_t index);

/* The index of the column of a name, -1 if there is none. */
int csv_rows_find(const struct csv_rows *rows, const char *column);

/*
 * The cells of the next row, valid as long as the rows; the array is valid until the next call. NULL at the end, or
 * with an error: then csv_rows_are_refused().
 */
const char *const *csv_rows_next(struct csv_rows *rows, GError **error);
bool csv_rows_are_refused(const struct csv_rows *rows);

/* Adds an error about the current row: "PATH:LINE: message". False, for the caller to return. */
bool csv_rows_refuse(const struct csv_rows *rows, GError **error, const char *format, ...) G_GNUC_PRINTF(3, 4);

/* The whole cell as a number; false with an error that names the column if it is not one, or empty. */
bool csv_rows_integer(const struct csv_rows *rows, size_t column, const char *cell, int64_t *value, GError **error);
bool csv_rows_unsigned(const struct csv_rows *rows, size_t column, const char *cell, uint64_t *value, GError **error);
bool csv_rows_real(const struct csv_rows *rows, size_t column, const char *cell, double *value, GError **error);

#endif
