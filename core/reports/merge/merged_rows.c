/* SPDX-License-Identifier: MIT */
#include "core/reports/merge/merged_rows.h"

static bool is_kept(const struct table_column *column)
{
	return column->merge != COLUMN_MERGE_NONE || column->format == COLUMN_STATISTIC;
}

/* If rows are shown in groups, so are recordings. */
static enum column_role role_of_attributes(const struct table_schema *source)
{
	for (size_t i = 0; i < source->column_count; i++) {
		if (source->columns[i].role == COLUMN_ROLE_GROUP) {
			return COLUMN_ROLE_GROUP;
		}
	}
	return COLUMN_ROLE_VALUE;
}

void merged_rows_init(struct merged_rows *rows, const struct table_schema *source, const char *const *attributes,
		      size_t attribute_count)
{
	*rows = (struct merged_rows){ .source = source };
	rows->has_id = table_has_id(source);
	derived_table_init(&rows->table, g_strdup(source->name), source);
	if (rows->has_id) {
		derived_table_add(&rows->table, &source->columns[0]);
	}
	derived_table_add_names(&rows->table, attributes, attribute_count, role_of_attributes(source));
	for (size_t i = 0; i < source->column_count; i++) {
		if (is_kept(&source->columns[i])) {
			derived_table_add(&rows->table, &source->columns[i]);
		}
	}
	derived_table_add(
		&rows->table,
		&(struct table_column){ .name = "recordings", .role = COLUMN_ROLE_DETAIL, .merge = COLUMN_MERGE_SUM });
}

void merged_rows_clear(struct merged_rows *rows)
{
	derived_table_clear(&rows->table);
}

bool merged_rows_open(struct merged_rows *rows, struct table_output *tables)
{
	return derived_table_open(&rows->table, tables);
}

static void write_row(struct merged_rows *rows, const struct merged_row *row, const char *const *values,
		      size_t value_count)
{
	if (rows->has_id) {
		derived_table_push(&rows->table, cell_unsigned(++rows->row_count));
	}
	derived_table_push_names(&rows->table, values, value_count);
	for (size_t i = 0; i < rows->source->column_count; i++) {
		if (is_kept(&rows->source->columns[i])) {
			derived_table_push(&rows->table, row->cells[i]);
		}
	}
	derived_table_push(&rows->table, cell_unsigned(row->recordings));
	derived_table_end_row(&rows->table);
}

void merged_rows_write(struct merged_rows *rows, const struct merged_table *merged, const char *const *values,
		       size_t value_count)
{
	g_autoptr(GPtrArray) sorted = merged_table_rows(merged);

	for (guint i = 0; i < sorted->len; i++) {
		write_row(rows, g_ptr_array_index(sorted, i), values, value_count);
	}
}
