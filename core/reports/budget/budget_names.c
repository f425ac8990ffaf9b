/* SPDX-License-Identifier: MIT */
#include "core/reports/budget/budget_names.h"

#include "core/base/compare_texts.h"
#include "core/reports/budget/budget_file.h"
#include "core/reports/budget/budget_selection.h"

/* A column of a table, with its names; both borrowed. */
struct noted_column {
	size_t column;
	GHashTable *names;
};

void budget_names_init(struct budget_names *names)
{
	names->columns = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_hash_table_unref);
}

void budget_names_clear(struct budget_names *names)
{
	g_hash_table_unref(names->columns);
}

void budget_names_add(struct budget_names *names, const struct budget *budget)
{
	for (guint i = 0; i < budget->selectors->len; i++) {
		const GArray *columns = g_array_index(budget->selectors, struct budget_selector, i).columns;

		for (guint k = 0; k < columns->len; k++) {
			gpointer column = (gpointer)&budget->schema->columns[g_array_index(columns, size_t, k)];

			if (!g_hash_table_contains(names->columns, column)) {
				g_hash_table_insert(names->columns, column,
						    g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL));
			}
		}
	}
}

GArray *budget_names_columns(const struct budget_names *names, const struct table_schema *schema)
{
	GArray *columns = g_array_new(FALSE, FALSE, sizeof(struct noted_column));

	for (size_t i = 0; i < schema->column_count; i++) {
		struct noted_column noted = { i, g_hash_table_lookup(names->columns, &schema->columns[i]) };

		if (noted.names) {
			g_array_append_val(columns, noted);
		}
	}
	return columns;
}

void budget_names_note(const GArray *columns, const struct table_schema *schema, const struct cell *cells)
{
	for (guint i = 0; i < columns->len; i++) {
		const struct noted_column *noted = &g_array_index(columns, struct noted_column, i);
		char *name = budget_selection_name(&schema->columns[noted->column], &cells[noted->column]);

		if (name) {
			g_hash_table_add(noted->names, name);
		}
	}
}

GPtrArray *budget_names_list(const struct budget_names *names, const struct table_column *column)
{
	GPtrArray *list = g_ptr_array_new();
	GHashTableIter iterator;
	gpointer name;

	g_hash_table_iter_init(&iterator, g_hash_table_lookup(names->columns, column));
	while (g_hash_table_iter_next(&iterator, &name, NULL)) {
		g_ptr_array_add(list, name);
	}
	g_ptr_array_sort(list, compare_texts);
	return list;
}
