/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "ros2bt/table.h"

int table_find_column(const struct table_schema *schema, const char *name)
{
	for (size_t i = 0; i < schema->column_count; i++) {
		if (strcmp(schema->columns[i].name, name) == 0) {
			return (int)i;
		}
	}
	return -1;
}

const struct cell *table_find_cell(const struct table_schema *schema, const struct cell *cells, const char *name)
{
	static const struct cell none = { .type = CELL_EMPTY };
	int column = table_find_column(schema, name);

	return column >= 0 ? &cells[column] : &none;
}

bool table_has_statistics(const struct table_schema *schema)
{
	for (size_t i = 0; i < schema->column_count; i++) {
		if (schema->columns[i].format == COLUMN_STATISTIC) {
			return true;
		}
	}
	return false;
}

bool table_has_histograms(const struct table_schema *schema)
{
	return table_has_statistics(schema) && !schema->is_instances && !schema->is_worst && schema->summary == 0;
}

bool table_can_be_merged(const struct table_schema *schema)
{
	bool has_key = false;

	for (size_t i = 0; i < schema->column_count; i++) {
		has_key |= schema->columns[i].merge == COLUMN_MERGE_KEY;
	}
	return has_key && !schema->is_instances && !schema->is_worst && schema->summary == 0 && !schema->parent;
}
