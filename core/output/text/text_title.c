/* SPDX-License-Identifier: MIT */
#include "core/output/text/text_title.h"

#include <glib.h>

#include "core/output/text/text_cell.h"
#include "core/output/text/text_fold.h"
#include "core/output/text/text_line.h"
#include "core/tables/table_order.h"

/* Rows without a value come last: if the first has none, no row has. */
static bool has_rank(const struct text_table *table, const struct text_selection *selection)
{
	return selection->is_ranked && table->rank < table->kept_count && selection->count + selection->left_out > 1 &&
	       (selection->count == 0 || text_table_cells(table, selection->rows[0])[table->rank].type != CELL_EMPTY);
}

char *text_order(const struct text_table *table, const struct text_selection *selection)
{
	const struct table_column *column;
	const char *heading;

	if (!has_rank(table, selection)) {
		return NULL;
	}
	column = text_table_column(table, table->rank);
	heading = text_hints_of(column)->heading;
	return selection->is_folded ? g_strdup_printf("%s%s%s, at most %d of a %s", heading ? heading : "",
						      heading ? " " : "", text_column_label(column), TEXT_FOLD_SHOWN,
						      text_column_label(text_table_column(table, table->fold)))
				    : g_strdup_printf("%s%s%s", heading ? heading : "", heading ? " " : "",
						      text_column_label(column));
}

const char *text_order_of_summary(const struct text_table *table)
{
	int ranks = table->row_count > 1 ? table_find_descending(table->schema) : -1;

	return ranks < 0 ? NULL : text_column_label(&table->schema->columns[ranks]);
}

size_t text_title(struct output_stream *stream, const struct table_schema *schema, const char *order,
		  const struct text_style *style)
{
	g_autoptr(GString) line = g_string_new(schema->title ? schema->title : schema->name);

	if (style->has_attributes) {
		g_string_prepend(line, ATTRIBUTE_BOLD);
		g_string_append(line, ATTRIBUTE_NONE);
	}
	if (order) {
		g_string_append_printf(line, ", by %s", order);
	}
	output_stream_byte(stream, '\n');
	return text_line_write_wrapped(stream, line, style->width, TEXT_INDENT_WRAPPED) + 1;
}

void text_nothing(struct output_stream *stream, const struct table_schema *schema, const struct text_style *style)
{
	g_autoptr(GString) line = g_string_new("  nothing");

	if (schema->why_empty) {
		g_string_append_printf(line, ": %s", schema->why_empty);
	}
	text_line_write_wrapped(stream, line, style->width, TEXT_INDENT_WRAPPED);
}
