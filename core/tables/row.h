/* SPDX-License-Identifier: MIT */
/*
 * Rows that are structs: each column of their table says which member it is, so that a column is declared once, and a
 * row is written without code of its own. A file defines ROW before the columns and the schema of a table:
 *
 *	struct rate { const char *topic; uint64_t count; struct duration_statistics period; };
 *
 *	#define ROW struct rate
 *	static const struct table_column columns[] = {
 *		{ .name = "topic", .merge = COLUMN_MERGE_KEY, CELL_OF(topic) },
 *		{ .name = "count", .merge = COLUMN_MERGE_SUM, CELL_OF(count) },
 *		{ .name = "period", .format = COLUMN_STATISTIC, CELL_OF(period) },
 *	};
 *	static const struct table_schema schema = { TABLE("rates", columns), .title = "Rates", .order = "topic" };
 *	#undef ROW
 *
 * The C type of the member is that of the cell. A value that may be unknown is a member of the type struct cell.
 * Cost: a row takes a branch per column more than cells in place. Where that matters, such as in rows of instances, all
 * members are cells in the order of the columns (TABLE_OF_CELLS): such a row is passed to the output as it is.
 */
#ifndef ROS2BT_ROW_H
#define ROS2BT_ROW_H

#include "core/statistics/duration_statistics.h"
#include "core/tables/table.h"

#define ROW_COLUMNS_MAX 64

/* clang-format off */

/* The source of a column: a member of ROW. */
#define CELL_OF(member) \
	.source = { .type = CELL_SOURCE_TYPE(((const ROW *)0)->member), .offset = offsetof(ROW, member) }
/* A member of what a pointer in ROW points to. The cell is empty where that is NULL. */
#define CELL_VIA(pointer_, member) \
	.source = { \
		.type = CELL_SOURCE_TYPE(((const ROW *)0)->pointer_->member), .is_via = true, \
		.pointer = offsetof(ROW, pointer_), \
		.offset = offsetof(__typeof__(*((const ROW *)0)->pointer_), member), \
	}
/* What a function makes of the row: struct cell function(const void *row). */
#define CELL_BY(function_) .source = { .type = SOURCE_FUNCTION, .function = (function_) }

#define CELL_SOURCE_TYPE(value) \
	_Generic((value), \
		 struct cell: SOURCE_CELL, \
		 bool: SOURCE_BOOL, \
		 int32_t: SOURCE_INT32, \
		 int64_t: SOURCE_INT64, \
		 uint32_t: SOURCE_UINT32, \
		 uint64_t: SOURCE_UINT64, \
		 double: SOURCE_REAL, \
		 char *: SOURCE_TEXT, \
		 const char *: SOURCE_TEXT, \
		 struct duration_statistics: SOURCE_STATISTIC)

/* Members of a schema: the name of a table whose rows are ROWs, and its columns. */
#define TABLE(name_, columns_) \
	.name = (name_), .columns = (columns_), .column_count = G_N_ELEMENTS(columns_), .row_size = sizeof(ROW)
/* The same of rows whose members are the cells of all columns, in their order; the compiler checks their number. */
#define TABLE_OF_CELLS(name_, columns_) \
	.name = (name_), .columns = (columns_), \
	.column_count = G_N_ELEMENTS(columns_) + \
			0 * sizeof(char[sizeof(ROW) == G_N_ELEMENTS(columns_) * sizeof(struct cell) ? 1 : -1]), \
	.row_size = sizeof(ROW), .is_row_of_cells = true
/* What orders or chooses rows without being written (table_schema.order, chosen_names.h). */
#define UNWRITTEN(columns_) .unwritten = (columns_), .unwritten_count = G_N_ELEMENTS(columns_)

/* clang-format on */

/* The cell of a row in a column that has a source. */
struct cell row_cell(const struct cell_source *source, const void *row);

/* Writes a row whose cells are made of its members. */
void row_write_cells(struct table_writer *writer, const struct table_schema *schema, const void *row);

/* Writes a row of a table whose columns have sources. Does nothing without a writer. */
static inline void row_write(struct table_writer *writer, const struct table_schema *schema, const void *row)
{
	if (schema->is_row_of_cells) {
		table_row(writer, row);
	} else if (writer) {
		row_write_cells(writer, schema, row);
	}
}

/* A bit for each column that is a distribution in the row. */
uint64_t row_statistics(const struct table_schema *schema);
/* Makes these of a new row, which is zeroed, ready for samples; `is_brief`: as table_writer.is_brief. */
void row_init_statistics(void *row, const struct table_schema *schema, uint64_t columns, bool is_brief,
			 struct arena *arena);

#endif
