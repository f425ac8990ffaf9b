/* SPDX-License-Identifier: MIT */
#include "core/reports/merge/derived_table.h"

#include <string.h>

void derived_table_init(struct derived_table *table, const char *name, const struct table_schema *schema)
{
	*table = (struct derived_table){ .schema = *schema };
	table->schema.name = name;
	table->schema.columns = NULL;
	table->schema.column_count = 0;
	table->schema.key_count = 0; /* the source's counts columns that this table may not have */
	table->columns = g_array_new(FALSE, FALSE, sizeof(struct table_column));
	table->cells = g_array_new(FALSE, FALSE, sizeof(struct cell));
}

void derived_table_clear(struct derived_table *table)
{
	g_array_unref(table->columns);
	g_array_unref(table->cells);
	g_free((char *)table->schema.name);
}

void derived_table_add(struct derived_table *table, const struct table_column *column)
{
	g_array_append_vals(table->columns, column, 1);
}

void derived_table_add_names(struct derived_table *table, const char *const *names, size_t count, enum column_role role)
{
	for (size_t i = 0; i < count; i++) {
		derived_table_add(table, &(struct table_column){ .name = names[i],
								 .format = COLUMN_NAME,
								 .role = role,
								 .merge = COLUMN_MERGE_KEY });
	}
}

/* The next column may no longer be the one that followed in the source. */
static void end_keys(struct derived_table *table)
{
	struct table_column *last = &g_array_index(table->columns, struct table_column, table->columns->len - 1);

	if (last->hints && last->hints->next_if_empty) {
		last->hints = NULL;
	}
}

void derived_table_add_keys(struct derived_table *table, const struct table_schema *source)
{
	for (size_t i = 0; i < source->column_count; i++) {
		if (source->columns[i].merge == COLUMN_MERGE_KEY) {
			struct table_column column = source->columns[i];

			column.role = column.role == COLUMN_ROLE_GROUP ? COLUMN_ROLE_VALUE : column.role;
			derived_table_add(table, &column);
		}
	}
	end_keys(table);
}

bool derived_table_open(struct derived_table *table, struct table_output *tables)
{
	table->schema.columns = (const struct table_column *)(void *)table->columns->data;
	table->schema.column_count = table->columns->len;
	table->writer = tables->open(tables, &table->schema);
	return table->writer != NULL;
}

void derived_table_push(struct derived_table *table, struct cell cell)
{
	g_array_append_val(table->cells, cell);
}

void derived_table_push_names(struct derived_table *table, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		derived_table_push(table, cell_text(names[i]));
	}
}

void derived_table_push_keys(struct derived_table *table, const struct table_schema *source, const struct cell *cells)
{
	for (size_t i = 0; i < source->column_count; i++) {
		if (source->columns[i].merge == COLUMN_MERGE_KEY) {
			derived_table_push(table, cells[i]);
		}
	}
}

void derived_table_end_row(struct derived_table *table)
{
	g_assert(table->cells->len == table->columns->len);
	table_row(table->writer, (const struct cell *)(void *)table->cells->data);
	g_array_set_size(table->cells, 0);
}

char *derived_table_name(const struct table_schema *source, const char *ending)
{
	size_t length = strlen(source->name) - (g_str_has_suffix(source->name, "s") ? 1 : 0);

	return g_strdup_printf("%.*s_%s", (int)length, source->name, ending);
}
