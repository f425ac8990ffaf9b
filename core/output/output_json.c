/* SPDX-License-Identifier: MIT */
#include "core/output/output_json.h"

#include "core/output/json_writer.h"

static void write_cell(struct json_writer *writer, const struct cell *cell)
{
	switch (cell->type) {
	case CELL_EMPTY:
	case CELL_STATISTIC: /* statistics_columns.h has made numbers of it */
		json_writer_null(writer);
		break;
	case CELL_INTEGER:
		json_writer_integer(writer, cell->integer);
		break;
	case CELL_UNSIGNED:
		json_writer_unsigned(writer, cell->unsigned_integer);
		break;
	case CELL_REAL:
		json_writer_real(writer, cell->real);
		break;
	case CELL_TEXT:
		json_writer_text(writer, cell->text);
		break;
	case CELL_ADDRESS:
		json_writer_address(writer, cell->unsigned_integer);
		break;
	}
}

void output_json_row(struct json_writer *writer, const struct table_schema *schema, const struct cell *cells)
{
	json_writer_line_break(writer);
	json_writer_begin_object(writer);
	for (size_t i = 0; i < schema->column_count; i++) {
		json_writer_key(writer, schema->columns[i].name);
		write_cell(writer, &cells[i]);
	}
	json_writer_end_object(writer);
}
