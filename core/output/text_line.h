/* SPDX-License-Identifier: MIT */
/* Lines of text, which are put together in a GString and written at once. */
#ifndef ROS2BT_TEXT_LINE_H
#define ROS2BT_TEXT_LINE_H

#include <glib.h>

#include "core/output/output_stream.h"

void text_line_repeat(GString *line, const char *text, size_t count);
void text_line_pad(GString *line, size_t width);
/* Sentences for people: a line that is too long goes on in the next one, indented. Gives the number of lines. */
size_t text_line_write_wrapped(struct output_stream *stream, GString *line, size_t width);
/* Without spaces at its end. The line is empty afterwards. */
void text_line_write(struct output_stream *stream, GString *line);

#endif
