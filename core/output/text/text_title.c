/* SPDX-License-Identifier: MIT */
#include "core/output/text/text_title.h"

#include <glib.h>

#include "core/output/text/text_line.h"

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
