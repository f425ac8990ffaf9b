/* SPDX-License-Identifier: MIT */
#include "core/reports/budget/budget_pattern.h"

#include <glib.h>
#include <inttypes.h>

#include "ros2bt/base/duration_text.h"
#include "core/base/text/utf8.h"

/* The pattern that selects a name: `?` instead of what means something in patterns, or cannot be in YAML. */
static char *name_pattern(const char *name)
{
	GString *pattern = g_string_new(NULL);
	const char *piece;
	size_t length;

	while ((length = utf8_next_piece(&name, &piece)) > 0) {
		gunichar character = g_utf8_get_char(piece);
		bool is_plain = character == ' ' || g_unichar_isgraph(character);

		if (!is_plain || character == '*' || (character == '!' && pattern->len == 0)) {
			g_string_append_c(pattern, '?');
		} else {
			g_string_append_len(pattern, piece, (gssize)length);
		}
	}
	return g_string_free(pattern, FALSE);
}

char *budget_pattern_of(const struct cell *cell)
{
	if (cell->type == CELL_TEXT && cell->text[0] != '\0') {
		return name_pattern(cell->text);
	}
	if (cell->type == CELL_INTEGER) { /* a period */
		return cell->integer >= 0 ? duration_text(cell->integer) : g_strdup_printf("%" PRIi64, cell->integer);
	}
	return NULL;
}
