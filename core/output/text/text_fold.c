/* SPDX-License-Identifier: MIT */
#include "core/output/text/text_fold.h"

#include <glib.h>

bool text_fold(size_t *rows, size_t count, size_t limit, text_fold_name name_of, const void *data)
{
	g_autoptr(GHashTable) shown = g_hash_table_new(g_str_hash, g_str_equal);
	g_autofree size_t *folded = g_new(size_t, count);
	size_t stay = 0, behind = 0;
	bool has_others = false;

	for (size_t i = 0; i < count; i++) {
		const char *name = name_of(data, rows[i]);
		guint before = name ? GPOINTER_TO_UINT(g_hash_table_lookup(shown, name)) : 0;

		if (before >= TEXT_FOLD_SHOWN) {
			folded[behind++] = rows[i];
			continue;
		}
		if (name) {
			g_hash_table_insert(shown, (gpointer)name, GUINT_TO_POINTER(before + 1));
		}
		has_others |= stay < limit && i >= limit;
		rows[stay++] = rows[i];
	}
	for (size_t i = 0; i < behind; i++) {
		rows[stay + i] = folded[i];
	}
	return has_others;
}
