/* SPDX-License-Identifier: MIT */
#include "core/tables/row_name.h"

#include "core/base/text/human_text.h"
#include "core/tables/row_key.h"

#define SEPARATOR "  "
#define USUAL_LENGTH 100

static bool is_shown(const struct table_column *column)
{
	return column->merge == COLUMN_MERGE_KEY && column->role != COLUMN_ROLE_HIDDEN &&
	       column->role != COLUMN_ROLE_DETAIL;
}

static bool is_duration(const struct table_column *column, const struct cell *cell)
{
	return column->format == COLUMN_DURATION && (cell->type == CELL_INTEGER || cell->type == CELL_UNSIGNED);
}

/* Nothing for a cell without a text. */
static void append(GString *name, const struct table_column *column, const struct cell *cell)
{
	gsize before = name->len, begin;
	char duration[HUMAN_TEXT_SIZE];

	g_string_append(name, before > 0 ? SEPARATOR : "");
	begin = name->len;
	if (is_duration(column, cell)) {
		g_string_append(name, human_text_duration(duration, cell->integer));
	} else {
		row_key_append_text(name, cell);
	}
	if (name->len == begin) {
		g_string_truncate(name, before);
	}
}

char *row_name(const struct table_schema *schema, const struct cell *cells)
{
	GString *name = g_string_sized_new(USUAL_LENGTH);

	for (size_t i = 0; i < schema->column_count; i++) {
		if (is_shown(&schema->columns[i])) {
			append(name, &schema->columns[i], &cells[i]);
		}
	}
	return g_string_free(name, FALSE);
}
