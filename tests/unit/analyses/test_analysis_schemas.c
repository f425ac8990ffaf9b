/* SPDX-License-Identifier: MIT */
/* What holds of the tables of all analyses. */
#include <criterion/criterion.h>

#include "core/analyses/analyses.h"
#include "core/tables/row_list.h"

static void for_each_table(void (*check)(const struct table_schema *schema))
{
	for (size_t i = 0; analyses[i]; i++) {
		for (size_t j = 0; analyses[i]->tables[j]; j++) {
			check(analyses[i]->tables[j]);
		}
	}
}

static void check_sources(const struct table_schema *schema)
{
	for (size_t i = 0; i < schema->column_count; i++) {
		const struct table_column *column = &schema->columns[i];
		const struct cell_source *source = &column->source;

		if (schema->row_size == 0) {
			cr_expect_eq(source->type, SOURCE_NONE, "%s.%s", schema->name, column->name);
			continue;
		}
		cr_expect_neq(source->type, SOURCE_NONE, "%s.%s has no source", schema->name, column->name);
		cr_expect_eq(source->type == SOURCE_STATISTIC, column->format == COLUMN_STATISTIC, "%s.%s",
			     schema->name, column->name);
	}
}

Test(analysis_schemas, all_columns_of_a_table_of_structs_have_a_source)
{
	for_each_table(check_sources);
}

static void check_cells(const struct table_schema *schema)
{
	for (size_t i = 0; schema->is_row_of_cells && i < schema->column_count; i++) {
		const struct cell_source *source = &schema->columns[i].source;

		cr_expect(source->type == SOURCE_CELL && !source->is_via && source->offset == i * sizeof(struct cell),
			  "%s.%s is not member %zu of its row", schema->name, schema->columns[i].name, i);
	}
}

Test(analysis_schemas, rows_of_cells_have_the_order_of_the_columns)
{
	for_each_table(check_cells);
}

static void check_order(const struct table_schema *schema)
{
	g_autoptr(row_list) rows = row_list_create(schema);

	cr_expect_leq(schema->column_count, ROW_COLUMNS_MAX);
	if (schema->order) {
		row_list_sort(rows, schema->order); /* ends the program if it names no column */
	}
}

Test(analysis_schemas, orders_name_columns)
{
	for_each_table(check_order);
}
