/* SPDX-License-Identifier: MIT */
#include "core/reports/merge/attribute_names.h"

#include <string.h>

#define PREFIX "manifest_"

/* Columns of the tables that merges add, and of those of histograms. */
static const char *const added[] = { "report", "rows",	  "problem", "recordings",    "recording", "statistic",
				     "count",  "p50_ns",  "p99_ns",  "median_p99_ns", "ratio",	   "robots",
				     "low_ns", "high_ns", "id",	     "rowid",	      "oid",	   "_rowid_" };

/* What outputs append to the name of a statistic begins and ends so. */
static bool is_of_statistic(const char *name, const char *statistic)
{
	size_t length = strlen(statistic);

	return g_ascii_strncasecmp(name, statistic, length) == 0 && (name[length] == '_' || name[length] == '\0');
}

static bool is_column(const char *name, const struct table_schema *schema)
{
	for (size_t i = 0; i < schema->column_count; i++) {
		const struct table_column *column = &schema->columns[i];

		if (g_ascii_strcasecmp(name, column->name) == 0 ||
		    (column->format == COLUMN_STATISTIC && is_of_statistic(name, column->name))) {
			return true;
		}
	}
	return false;
}

static bool is_taken(const char *name, const struct table_schema *const *schemas, const GPtrArray *names)
{
	for (size_t i = 0; i < G_N_ELEMENTS(added); i++) {
		if (g_ascii_strcasecmp(name, added[i]) == 0) {
			return true;
		}
	}
	for (guint i = 0; i < names->len; i++) {
		if (g_ascii_strcasecmp(name, g_ptr_array_index(names, i)) == 0) {
			return true;
		}
	}
	for (size_t i = 0; schemas[i]; i++) {
		if (is_column(name, schemas[i])) {
			return true;
		}
	}
	return name[0] == '\0';
}

char **attribute_names(const struct manifest *manifest, const struct table_schema *const *schemas)
{
	GPtrArray *names = g_ptr_array_new();

	for (size_t i = 0; i < manifest->attribute_count; i++) {
		char *name = g_strdup(manifest->attributes[i]);

		while (is_taken(name, schemas, names)) {
			char *longer = g_strconcat(PREFIX, name, NULL);

			g_free(name);
			name = longer;
		}
		g_ptr_array_add(names, name);
	}
	g_ptr_array_add(names, NULL);
	return (char **)g_ptr_array_free(names, FALSE);
}
