/* SPDX-License-Identifier: MIT */
#include "core/ctf/seen_names.h"

#include <string.h>

void seen_names_clear(seen_names *seen)
{
	g_clear_pointer(&seen->more, g_hash_table_unref);
}

bool seen_names_add(seen_names *seen, const char *name)
{
	for (size_t i = 0; i < seen->count; i++) {
		/* most differ in their first letter */
		if (seen->few[i][0] == name[0] && strcmp(seen->few[i], name) == 0) {
			return false;
		}
	}
	if (seen->count < SEEN_NAMES_FEW) {
		seen->few[seen->count++] = name;
		return true;
	}
	if (!seen->more) {
		seen->more = g_hash_table_new(g_str_hash, g_str_equal);
	}
	return g_hash_table_add(seen->more, (char *)name);
}
