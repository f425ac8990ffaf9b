/* SPDX-License-Identifier: MIT */
/* Lines of text, put together in a GString and written at once. */
#ifndef ROS2BT_TEXT_LINE_H
#define ROS2BT_TEXT_LINE_H

#include <glib.h>

#include "ros2bt/output/output_stream.h"

void text_line_repeat(GString *line, const char *text, size_t count);
void text_line_pad(GString *line, size_t width);
/* Of the lines of files and pipes. */
#define TEXT_WIDTH_MAX 160
/* Of the lines on which a sentence continues. */
#define TEXT_INDENT_WRAPPED 2
/*
 * Writes sentences for people: a line that is too long continues on the next one, indented. Only a word may be longer
 * than the width, up to TEXT_WIDTH_MAX. Returns the number of lines.
 */
size_t text_line_write_wrapped(struct output_stream *stream, GString *line, size_t width, size_t indent_wrapped);
/*
 * The part of a text that fits a width (1 or more): up to the last space in it, or all of it. Returns its length in
 * bytes.
 */
size_t text_line_fitting(const char *text, size_t width);
/* The number of lines of that width, at least one. */
size_t text_line_count(const char *text, size_t width);
/* The text, or as much of its beginning and end as fits that many lines of the width; to be freed. */
char *text_line_cap(const char *text, size_t width, size_t lines_max);
/* Writes the line without spaces at its end. The line is empty afterwards. */
void text_line_write(struct output_stream *stream, GString *line);

#endif
