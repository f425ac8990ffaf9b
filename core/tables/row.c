/* SPDX-License-Identifier: MIT */
#include "core/tables/row.h"

#include <string.h>

static struct cell cell_at(enum cell_source_type type, const void *member)
{
	switch (type) {
	case SOURCE_CELL:
		return *(const struct cell *)member;
	case SOURCE_BOOL:
		return cell_integer(*(const bool *)member);
	case SOURCE_INT32:
		return cell_integer(*(const int32_t *)member);
	case SOURCE_INT64:
		return cell_integer(*(const int64_t *)member);
	case SOURCE_UINT32:
		return cell_unsigned(*(const uint32_t *)member);
	case SOURCE_UINT64:
		return cell_unsigned(*(const uint64_t *)member);
	case SOURCE_REAL:
		return cell_real(*(const double *)member);
	case SOURCE_TEXT:
		return cell_text(*(const char *const *)member);
	case SOURCE_STATISTIC:
		return cell_statistic(member);
	case SOURCE_NONE:
	case SOURCE_FUNCTION:
		break;
	}
	return CELL_NONE;
}

struct cell row_cell(const struct cell_source *source, const void *row)
{
	const char *from = row;

	if (source->type == SOURCE_FUNCTION) {
		return source->function(row);
	}
	if (source->is_via) {
		from = *(const char *const *)(const void *)(from + source->pointer);
		if (!from) {
			return CELL_NONE;
		}
	}
	return cell_at(source->type, from + source->offset);
}

void row_write_cells(struct table_writer *writer, const struct table_schema *schema, const void *row)
{
	struct cell cells[ROW_COLUMNS_MAX];

	g_assert(schema->column_count <= ROW_COLUMNS_MAX);
	for (size_t i = 0; i < schema->column_count; i++) {
		cells[i] = row_cell(&schema->columns[i].source, row);
	}
	table_row(writer, cells);
}

uint64_t row_statistics(const struct table_schema *schema)
{
	uint64_t columns = 0;

	g_assert(schema->column_count <= ROW_COLUMNS_MAX);
	for (size_t i = 0; i < schema->column_count; i++) {
		const struct cell_source *source = &schema->columns[i].source;

		columns |= (uint64_t)(source->type == SOURCE_STATISTIC && !source->is_via) << i;
	}
	return columns;
}

void row_init_statistics(void *row, const struct table_schema *schema, uint64_t columns, bool is_brief,
			 struct arena *arena)
{
	const struct duration_statistics *full = NULL;

	for (; columns; columns &= columns - 1) {
		const struct table_column *column = &schema->columns[__builtin_ctzll(columns)];
		struct duration_statistics *statistics = (void *)((char *)row + column->source.offset);

		duration_statistics_init(statistics, arena);
		if (!column->hints || !column->hints->is_brief) {
			full = statistics;
		} else if (is_brief && full) {
			duration_statistics_set_beside(statistics, full);
		}
	}
}
