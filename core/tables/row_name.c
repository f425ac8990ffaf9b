/* SPDX-License-Identifier: MIT */
#include "core/tables/row_name.h"

#include <inttypes.h>

#include "core/text/human_text.h"

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

static void append_number(GString *name, const struct table_column *column, int64_t number)
{
	char duration[HUMAN_TEXT_SIZE], plain[HUMAN_TEXT_SIZE];

	g_snprintf(plain, sizeof(plain), "%" PRIi64, number);
	append(name, column->format == COLUMN_DURATION ? human_text_duration(duration, number) : plain);
}

char *row_name(const struct table_schema *schema, const struct cell *cells)
{
	GString *name = g_string_new(NULL);

	for (size_t i = 0; i < schema->column_count; i++) {
		if (!is_shown(&schema->columns[i])) {
			continue;
		}
		if (cells[i].type == CELL_TEXT) {
			append(name, cells[i].text);
		} else if (cells[i].type == CELL_INTEGER || cells[i].type == CELL_UNSIGNED) {
			append_number(name, &schema->columns[i], cells[i].integer);
		}
	}
	return g_string_free(name, FALSE);
}
