/* SPDX-License-Identifier: MIT */
#include "core/tables/row_key.h"

#include <inttypes.h>

#define SEPARATOR '\x1f'

void row_key_append(GString *key, const char *name)
{
	g_string_append(key, name);
	g_string_append_c(key, SEPARATOR);
}

void row_key_append_text(GString *text, const struct cell *cell)
{
	switch (cell->type) {
	case CELL_TEXT:
		g_string_append(text, cell->text);
		break;
	case CELL_INTEGER:
		g_string_append_printf(text, "%" PRId64, cell->integer);
		break;
	case CELL_UNSIGNED:
		g_string_append_printf(text, "%" PRIu64, cell->unsigned_integer);
		break;
	default:
		break;
	}
}

void row_key_append_names(GString *key, const struct table_schema *schema, const struct cell *cells)
{
	for (size_t i = 0; i < schema->column_count; i++) {
		if (schema->columns[i].merge == COLUMN_MERGE_KEY) {
			row_key_append_text(key, &cells[i]);
			g_string_append_c(key, SEPARATOR);
		}
	}
}
