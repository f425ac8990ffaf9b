/* SPDX-License-Identifier: MIT */
#include "core/base/text/path_list.h"

#include <glib.h>

#include "core/base/text/human_text.h"

char *path_list_text(const char *const *paths, size_t count)
{
	GString *text = g_string_new(NULL);

	for (size_t i = 0; i < count && i < PATH_LIST_NAMED; i++) {
		g_autofree char *path = human_text_clean(paths[i]);

		g_string_append_printf(text, "%s%s", i > 0 ? ", " : "", path);
	}
	if (count > PATH_LIST_NAMED) {
		g_string_append_printf(text, " and %zu more", count - PATH_LIST_NAMED);
	}
	return g_string_free(text, FALSE);
}
