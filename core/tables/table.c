/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "core/tables/table.h"

int table_find_column(const struct table_schema *schema, const char *name)
{
	for (size_t i = 0; i < schema->column_count; i++) {
		if (strcmp(schema->columns[i].name, name) == 0) {
			return (int)i;
		}
	}
	return -1;
}

int table_find_meaning(const struct table_schema *schema, enum column_meaning means, enum column_side side)
{
	for (size_t i = 0; i < schema->column_count; i++) {
		if (schema->columns[i].means == means && schema->columns[i].side == side) {
			return (int)i;
		}
	}
	return -1;
}

const struct cell *table_find_meant(const struct table_schema *schema, const struct cell *cells,
				    enum column_meaning means, enum column_side side)
{
	static const struct cell none = { .type = CELL_EMPTY };
	int column = table_find_meaning(schema, means, side);

	return column >= 0 ? &cells[column] : &none;
}

bool column_is_in_ns(const struct table_column *column)
{
	switch (column->format) {
	case COLUMN_DURATION:
		return column->means != MEANS_SOURCE;
	case COLUMN_TIME:
	case COLUMN_MOMENT:
	case COLUMN_STATISTIC:
		return true;
	default:
		return false;
	}
}

const char *column_format_ending(enum column_format format)
{
	switch (format) {
	case COLUMN_DURATION:
	case COLUMN_TIME:
	case COLUMN_MOMENT:
	case COLUMN_STATISTIC:
		return "_ns";
	case COLUMN_RATE:
		return "_hz";
	case COLUMN_PERCENT:
		return "_percent";
	default:
		return "";
	}
}

static const char *ending_of(const struct table_column *column)
{
	if (column->means == MEANS_NODE) {
		return "_node";
	}
	return column->means == MEANS_SOURCE ? "" : column_format_ending(column->format);
}

char *column_short_name(const struct table_column *column)
{
	const char *ending = ending_of(column);
	bool has_ending = g_str_has_suffix(column->name, ending);

	return g_strndup(column->name, strlen(column->name) - (has_ending ? strlen(ending) : 0));
}

char *column_name_without_ns(const struct table_column *column)
{
	return column_is_in_ns(column) ? column_short_name(column) : g_strdup(column->name);
}

int table_find_time(const struct table_schema *schema)
{
	for (size_t i = 0; i < schema->column_count; i++) {
		if (column_is_in_ns(&schema->columns[i])) {
			return (int)i;
		}
	}
	return -1;
}

bool table_has_id(const struct table_schema *schema)
{
	return schema->columns[0].id_of != NULL;
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

bool table_is_of_instances(const struct table_schema *schema)
{
	return schema->kind == KIND_INSTANCES || schema->kind == KIND_TIMELINE_EVENTS;
}

bool table_is_below(const struct table_schema *schema)
{
	return schema->kind == KIND_DETAIL || schema->kind == KIND_WORST;
}

bool table_is_of_timeline(const struct table_schema *schema)
{
	return schema->kind == KIND_TIMELINE_TRACKS || schema->kind == KIND_TIMELINE_LABELS ||
	       schema->kind == KIND_TIMELINE_EVENTS;
}

bool table_has_histograms(const struct table_schema *schema)
{
	return (schema->kind == KIND_MAIN || schema->kind == KIND_DETAIL) && table_has_statistics(schema);
}

bool table_can_be_merged(const struct table_schema *schema)
{
	bool has_key = false;

	for (size_t i = 0; i < schema->column_count; i++) {
		has_key |= schema->columns[i].merge == COLUMN_MERGE_KEY;
	}
	return has_key && schema->kind == KIND_MAIN;
}
