/* SPDX-License-Identifier: MIT */
#include "core/tables/table_order.h"

#include <glib.h>
#include <string.h>

int table_find_descending(const struct table_schema *schema)
{
	g_auto(GStrv) keys = g_strsplit(schema->order ? schema->order : "", " ", -1);

	for (size_t key = 0; keys[key]; key++) {
		for (size_t i = 0; keys[key][0] == '-' && i < schema->column_count; i++) {
			g_autofree char *stem =
				g_strndup(schema->columns[i].name, strcspn(schema->columns[i].name, "_"));

			if (g_str_equal(schema->columns[i].name, keys[key] + 1) || g_str_equal(stem, keys[key] + 1)) {
				return (int)i;
			}
		}
	}
	return -1;
}
