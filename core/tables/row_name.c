/* SPDX-License-Identifier: MIT */
#include "core/tables/row_name.h"

#include "core/base/text/human_text.h"
#include "core/tables/row_key.h"

static bool is_shown(const struct table_column *column)
{
	return column->merge == COLUMN_MERGE_KEY && column->role != COLUMN_ROLE_HIDDEN &&
	       column->role != COLUMN_ROLE_DETAIL;
}

static void append(GString *name, const char *text)
{
	if (text[0] != '\0') {
		g_string_append_printf(name, "%s%s", name->len > 0 ? "  " : "", text);
	}
}

static bool is_duration(const struct table_column *column, const struct cell *cell)
{
	return column->format == COLUMN_DURATION && (cell->type == CELL_INTEGER || cell->type == CELL_UNSIGNED);
}

char *row_name(const struct table_schema *schema, const struct cell *cells)
{
	GString *name = g_string_new(NULL);

	for (size_t i = 0; i < schema->column_count; i++) {
		char duration[HUMAN_TEXT_SIZE];
		g_autoptr(GString) text = g_string_new(NULL);

		if (!is_shown(&schema->columns[i])) {
			continue;
		}
		if (is_duration(&schema->columns[i], &cells[i])) {
			append(name, human_text_duration(duration, cells[i].integer));
		} else {
			row_key_append_text(text, &cells[i]);
			append(name, text->str);
		}
	}
	return g_string_free(name, FALSE);
}
