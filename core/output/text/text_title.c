/* SPDX-License-Identifier: MIT */
#include "core/output/text/text_title.h"

#include <glib.h>

#include "core/output/text/text_cell.h"
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
	g_autoptr(GString) order = g_string_new(NULL);

	if (has_rank(table, selection)) {
		const struct table_column *column = text_table_column(table, table->rank);
		const char *heading = text_hints_of(column)->heading;

		g_string_append_printf(order, ", by %s%s%s", heading ? heading : "", heading ? " " : "",
				       text_column_label(column));
	}
	if (selection->is_folded) {
		g_string_append_printf(order, ", %d of a %s first", TEXT_FOLD_SHOWN,
				       text_hints_of(text_table_column(table, table->fold))->folds);
	}
	return g_string_free(g_steal_pointer(&order), FALSE);
}

char *text_order_of_summary(const struct text_table *table)
{
	int ranks = table->row_count > 1 ? table_find_descending(table->schema) : -1;

	return ranks < 0 ? g_strdup("") : g_strconcat(", by ", text_column_label(&table->schema->columns[ranks]), NULL);
}

size_t text_title(struct output_stream *stream, const struct table_schema *schema, const char *order,
		  const struct text_style *style)
{
	g_autoptr(GString) line = g_string_new(schema->title ? schema->title : schema->name);

	if (style->has_attributes) {
		g_string_prepend(line, ATTRIBUTE_BOLD);
		g_string_append(line, ATTRIBUTE_NONE);
	}
	g_string_append(line, order);
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
