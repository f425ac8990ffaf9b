/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* memrchr */
#include "core/output/text/text_line.h"

#include <string.h>

#include "core/base/text/human_text.h"
#include "core/base/text/path_text.h"

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

size_t text_line_fitting(const char *text, size_t width)
{
	const char *end = human_text_fitting(text, width), *space;

	if (*end == '\0') {
		return (size_t)(end - text);
	}
	if (end == text) { /* wider than the line */
		return (size_t)(g_utf8_next_char(text) - text);
	}
	space = memrchr(text + 1, ' ', (size_t)(end - text) - 1);
	return (size_t)((space ? space : end) - text);
}

size_t text_line_count(const char *text, size_t width)
{
	size_t count = 0;

	do {
		text += text_line_fitting(text, width);
		text += strspn(text, " ");
		count++;
	} while (*text);
	return count;
}

char *text_line_cap(const char *text, size_t width, size_t lines_max)
{
	char *capped = g_strdup(text);

	for (size_t length = lines_max < G_MAXINT ? lines_max * width : G_MAXINT; length > 1; length--) {
		if (text_line_count(capped, width) <= lines_max) {
			break;
		}
		g_free(capped);
		capped = path_text_shorten(text, length);
	}
	return capped;
}

/*
 * The length of the part that fits the width, up to a space; if nothing fits, a word or the part of it that may be: the
 * one that fits `word_width`.
 */
static size_t fitting_length(const char *text, size_t width, size_t word_width)
{
	size_t fitting = 0;

	for (const char *space = strchr(text + 1, ' ');; space = strchr(space + 1, ' ')) {
		size_t length = space ? (size_t)(space - text) : strlen(text);
		g_autofree char *start = g_strndup(text, length);

		if (human_text_width(start) > width && fitting > 0) {
			return fitting;
		}
		fitting = length;
		if (!space || human_text_width(start) > width) {
			return MIN(fitting, (size_t)(human_text_fitting(text, MAX(width, word_width)) - text));
		}
	}
}

size_t text_line_write_wrapped(struct output_stream *stream, GString *line, size_t width, size_t indent_wrapped)
{
	g_autofree char *all = g_strdup(line->str);
	size_t count = 0, indent = 0;

	for (const char *rest = all; *rest || count == 0; count++) {
		size_t length = *rest ? fitting_length(rest, width - indent, TEXT_WIDTH_MAX - indent) : 0;

		g_string_truncate(line, 0);
		text_line_pad(line, indent);
		g_string_append_len(line, rest, (gssize)length);
		text_line_write(stream, line);
		rest += length + strspn(rest + length, " ");
		indent = indent_wrapped;
	}
	return count;
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
