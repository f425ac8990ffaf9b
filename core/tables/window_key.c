/* SPDX-License-Identifier: MIT */
#include "core/tables/window_key.h"

#include <string.h>

#include "core/tables/row_key.h"

bool window_key_has(const struct table_column *column)
{
	return column->merge == COLUMN_MERGE_KEY || column->means == MEANS_PROCESS || column->means == MEANS_HOST ||
	       column->means == MEANS_PROCESS_NAME || column->means == MEANS_THREAD ||
	       column->means == MEANS_CALLBACK || (column->hints && column->hints->tells_apart != TELLS_APART_NOTHING);
}

/* The only one of a name has no number, and is the first one once there is another: the key has neither. */
static void append_which(GString *key, const char *text)
{
	g_auto(GStrv) words = g_strsplit(text, " ", -1);
	guint steps = 0; /* of a path, since the last number */

	for (size_t i = 0; words[i]; i++) {
		if (strcmp(words[i], ">") == 0) {
			steps++;
		} else if (strcmp(words[i], "-") != 0 && strcmp(words[i], "1") != 0) {
			for (; steps > 0; steps--) {
				g_string_append_c(key, '>');
			}
			g_string_append_printf(key, "%s ", words[i]);
		}
	}
}

static void append_cell(GString *key, const struct table_column *column, const struct cell *cell)
{
	bool is_which = column->hints && column->hints->tells_apart == TELLS_APART_WHICH;

	if (is_which && cell->type == CELL_TEXT) {
		append_which(key, cell->text);
	} else if (!is_which || cell->type != CELL_UNSIGNED || cell->unsigned_integer != 1) {
		row_key_append_text(key, cell);
	}
}

void window_key_make(GString *key, const struct table_schema *schema, const struct cell *cells)
{
	g_string_truncate(key, 0);
	for (size_t i = 0; i < schema->column_count; i++) {
		if (window_key_has(&schema->columns[i]) || schema->subject == SUBJECT_GAPS) {
			if (cells[i].type == CELL_TEXT || schema->subject != SUBJECT_GAPS) {
				append_cell(key, &schema->columns[i], &cells[i]);
			}
			g_string_append_c(key, '\x1f');
		}
	}
}
