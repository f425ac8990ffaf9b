/* SPDX-License-Identifier: MIT */
#include "core/output/text/text_sort.h"

#include <glib.h>
#include <string.h>

#include "ros2bt/base/nearest_name.h"

/* The first column that is a statistic's and ends with the text, such as duration_p99 for "p99", else the most similar.
 */
static const char *meant_column(const char *sort, const GPtrArray *names)
{
	g_autofree char *end = g_strconcat("_", sort, NULL);

	for (guint i = 0; i < names->len; i++) {
		if (g_str_has_suffix(names->pdata[i], end)) {
			return names->pdata[i];
		}
	}
	return nearest_name(sort, (const char *const *)names->pdata, names->len);
}

static GPtrArray *names_of(const struct sorted_table *tables, size_t count)
{
	GPtrArray *names = g_ptr_array_new_with_free_func(g_free);

	for (size_t i = 0; i < count; i++) {
		for (size_t j = 0; j < tables[i].schema->column_count; j++) {
			g_ptr_array_add(names, column_name_without_ns(&tables[i].schema->columns[j]));
		}
	}
	return names;
}

static void append_columns(GString *text, const struct table_schema *schema)
{
	g_string_append_printf(text, "\n  %s:", schema->name);
	for (size_t i = 0; i < schema->column_count; i++) {
		const struct table_column *column = &schema->columns[i];
		g_autofree char *name = column_name_without_ns(column);

		g_string_append_printf(text, "%s %s%s", i > 0 ? "," : "", name,
				       column->format == COLUMN_STATISTIC ? "_*" : "");
	}
}

/* What `*` stands for, from the first statistic. */
static void append_statistic(GString *text, const struct sorted_table *table, const struct table_column *statistic)
{
	g_autofree char *begin = g_strconcat(statistic->name, "_", NULL);
	const char *between = "\n  *: ";

	for (size_t i = 0; i < table->schema->column_count; i++) {
		g_autofree char *name = column_name_without_ns(&table->schema->columns[i]);

		if (g_str_has_prefix(name, begin)) {
			g_string_append_printf(text, "%s%s", between, name + strlen(begin));
			between = ", ";
		}
	}
}

static void append_first_statistic(GString *text, const struct sorted_table *tables, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		for (size_t j = 0; j < tables[i].given->column_count; j++) {
			if (tables[i].given->columns[j].format == COLUMN_STATISTIC) {
				append_statistic(text, &tables[i], &tables[i].given->columns[j]);
				return;
			}
		}
	}
}

char *text_sort_problem(const char *parameter, const char *sort, const struct sorted_table *tables, size_t count)
{
	g_autoptr(GPtrArray) names = names_of(tables, count);
	const char *meant = meant_column(sort, names);
	g_autoptr(GString) text = g_string_new(NULL);

	g_string_printf(text, "%s cannot be \"%s\"", parameter, sort);
	if (meant) {
		g_string_append_printf(text, " (did you mean \"%s\"?)", meant);
	}
	g_string_append(text, ": expected the name of a column, as in CSV, of a table of the report:");
	for (size_t i = 0; i < count; i++) {
		append_columns(text, tables[i].given);
	}
	append_first_statistic(text, tables, count);
	return g_string_free(g_steal_pointer(&text), FALSE);
}
