/* SPDX-License-Identifier: MIT */
#include "core/output/text_line.h"

#include <string.h>

void text_line_repeat(GString *line, const char *text, size_t count)
{
	while (count--) {
		g_string_append(line, text);
	}
}

void text_line_pad(GString *line, size_t width)
{
	gsize length = line->len;

	g_string_set_size(line, length + width);
	memset(line->str + length, ' ', width);
}

void text_line_write(struct output_stream *stream, GString *line)
{
	while (line->len && line->str[line->len - 1] == ' ') {
		g_string_truncate(line, line->len - 1);
	}
	g_string_append_c(line, '\n');
	output_stream_bytes(stream, line->str, line->len);
	g_string_truncate(line, 0);
}
