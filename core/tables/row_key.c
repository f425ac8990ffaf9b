/* SPDX-License-Identifier: MIT */
#include "core/tables/row_key.h"

#include <string.h>

#include "core/base/text/number_text.h"

#define SEPARATOR '\x1f'
#define ESCAPE '\x1e'

void row_key_append(GString *key, const char *name)
{
	static const char special[] = { SEPARATOR, ESCAPE, '\0' };

	for (size_t plain = strcspn(name, special); name[plain] != '\0'; plain = strcspn(name, special)) {
		g_string_append_len(key, name, (gssize)plain);
		g_string_append_c(key, ESCAPE);
		g_string_append_c(key, name[plain]);
		name += plain + 1;
	}
	g_string_append(key, name);
	g_string_append_c(key, SEPARATOR);
}

void row_key_append_text(GString *text, const struct cell *cell)
{
	char number[NUMBER_TEXT_SIZE];

	switch (cell->type) {
	case CELL_TEXT:
		g_string_append(text, cell->text);
		break;
	case CELL_INTEGER:
		g_string_append(text, number_text_integer(number, cell->integer));
		break;
	case CELL_UNSIGNED:
		g_string_append(text, number_text_unsigned(number, cell->unsigned_integer));
		break;
	default:
		break;
	}
}

void row_key_append_names(GString *key, const struct table_schema *schema, const struct cell *cells)
{
	for (size_t i = 0; i < schema->column_count; i++) {
		if (schema->columns[i].merge != COLUMN_MERGE_KEY) {
			continue;
		}
		if (cells[i].type == CELL_TEXT) {
			row_key_append(key, cells[i].text);
		} else {
			row_key_append_text(key, &cells[i]);
			g_string_append_c(key, SEPARATOR);
		}
	}
}
