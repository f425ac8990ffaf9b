/* SPDX-License-Identifier: MIT */
#include "core/reports/merge/csv_rows.h"

#include <string.h>

#define BYTE_ORDER_MARK "\xef\xbb\xbf" /* spreadsheets write it */

struct csv_rows {
	char *path;
	char *text; /* cells end with NUL as they are read */
	char *at;
	size_t line, next_line; /* of the current row, and after it */
	GPtrArray *names;	/* const char * */
	GPtrArray *cells;	/* const char * */
	bool are_refused;
};

/* Unquotes in place; *cell ends with NUL. Returns what follows the cell; *end is the character that ended it. */
static char *take_quoted(struct csv_rows *rows, char *from, char *end)
{
	char *to = from;

	for (; *from != '\0'; from++) {
		if (*from == '"' && from[1] != '"') {
			from++;
			break;
		}
		from += *from == '"';
		rows->next_line += *from == '\n';
		*to++ = *from;
	}
	*end = *from;
	*to = '\0';
	return from;
}

/* Whether a further cell follows in the row. */
static bool take_cell(struct csv_rows *rows, GPtrArray *cells)
{
	char *cell = rows->at, *from = cell;
	char end;

	if (*cell == '"') {
		cell++;
		from = take_quoted(rows, cell, &end);
	} else {
		from += strcspn(from, ",\r\n");
		end = *from;
	}
	g_ptr_array_add(cells, cell);
	if (end == '\0') {
		rows->at = from;
		return false;
	}
	*from++ = '\0';
	if (end == '\r' && *from == '\n') {
		end = *from++;
	}
	rows->next_line += end == '\n';
	rows->at = from;
	return end == ',';
}

static void take_row(struct csv_rows *rows, GPtrArray *cells)
{
	g_ptr_array_set_size(cells, 0);
	rows->line = rows->next_line;
	while (take_cell(rows, cells)) {}
}

struct csv_rows *csv_rows_open(const char *path, GError **error)
{
	struct csv_rows *rows;
	char *text;
	gsize size;

	if (!g_file_get_contents(path, &text, &size, error)) {
		return NULL;
	}
	rows = g_new0(struct csv_rows, 1);
	rows->path = g_strdup(path);
	rows->text = rows->at = text;
	rows->line = rows->next_line = 1;
	rows->names = g_ptr_array_new();
	rows->cells = g_ptr_array_new();
	if (memchr(text, '\0', size)) {
		csv_rows_refuse(rows, error, "not a text file");
		csv_rows_close(rows);
		return NULL;
	}
	if (g_str_has_prefix(text, BYTE_ORDER_MARK)) {
		rows->at += strlen(BYTE_ORDER_MARK);
	}
	take_row(rows, rows->names);
	return rows;
}

void csv_rows_close(struct csv_rows *rows)
{
	if (!rows) {
		return;
	}
	g_ptr_array_unref(rows->names);
	g_ptr_array_unref(rows->cells);
	g_free(rows->text);
	g_free(rows->path);
	g_free(rows);
}

size_t csv_rows_column_count(const struct csv_rows *rows)
{
	return rows->names->len;
}

const char *csv_rows_column_name(const struct csv_rows *rows, size_t index)
{
	return g_ptr_array_index(rows->names, index);
}

int csv_rows_find(const struct csv_rows *rows, const char *column)
{
	guint index;

	return g_ptr_array_find_with_equal_func(rows->names, column, g_str_equal, &index) ? (int)index : -1;
}

bool csv_rows_refuse(const struct csv_rows *rows, GError **error, const char *format, ...)
{
	g_autofree char *text = NULL;
	va_list arguments;

	va_start(arguments, format);
	text = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	g_set_error(error, G_MARKUP_ERROR, G_MARKUP_ERROR_INVALID_CONTENT, "%s:%zu: %s", rows->path, rows->line, text);
	return false;
}

/* Empty lines, as an editor may leave them at the end. */
static void skip_empty_lines(struct csv_rows *rows)
{
	for (; *rows->at == '\n' || *rows->at == '\r'; rows->at++) {
		rows->next_line += *rows->at == '\n';
	}
}

const char *const *csv_rows_next(struct csv_rows *rows, GError **error)
{
	skip_empty_lines(rows);
	if (*rows->at == '\0') {
		return NULL;
	}
	take_row(rows, rows->cells);
	if (rows->cells->len != rows->names->len) {
		rows->are_refused = true;
		csv_rows_refuse(rows, error, "%u cells, not %u as in the first line", rows->cells->len,
				rows->names->len);
		return NULL;
	}
	return (const char *const *)rows->cells->pdata;
}

bool csv_rows_are_refused(const struct csv_rows *rows)
{
	return rows->are_refused;
}

static bool refuse_cell(const struct csv_rows *rows, size_t column, const char *cell, const char *expected,
			GError **error)
{
	g_autofree char *shown = g_strescape(cell, NULL);

	return csv_rows_refuse(rows, error, "%s is \"%.60s\": expected %s", csv_rows_column_name(rows, column), shown,
			       expected);
}

bool csv_rows_integer(const struct csv_rows *rows, size_t column, const char *cell, int64_t *value, GError **error)
{
	gint64 integer;

	if (!g_ascii_string_to_signed(cell, 10, G_MININT64, G_MAXINT64, &integer, NULL)) {
		return refuse_cell(rows, column, cell, "an integer", error);
	}
	*value = integer;
	return true;
}

bool csv_rows_unsigned(const struct csv_rows *rows, size_t column, const char *cell, uint64_t *value, GError **error)
{
	guint64 integer;

	if (!g_ascii_string_to_unsigned(cell, 10, 0, G_MAXUINT64, &integer, NULL)) {
		return refuse_cell(rows, column, cell, "an integer, not negative", error);
	}
	*value = integer;
	return true;
}

bool csv_rows_real(const struct csv_rows *rows, size_t column, const char *cell, double *value, GError **error)
{
	char *end = NULL;

	*value = g_ascii_strtod(cell, &end);
	return (end != cell && *end == '\0') || refuse_cell(rows, column, cell, "a number", error);
}
