/* SPDX-License-Identifier: MIT */
#include "core/base/text/utf8.h"

#include <glib.h>
#include <string.h>

size_t utf8_next_piece(const char **text, const char **piece)
{
	const char *start = *text, *end;

	if (*start == '\0') {
		return 0;
	}
	if (g_utf8_validate(start, -1, &end) || end != start) {
		*piece = start;
		*text = end;
		return (size_t)(end - start);
	}
	*piece = UTF8_REPLACEMENT;
	*text = start + 1;
	return strlen(UTF8_REPLACEMENT);
}
