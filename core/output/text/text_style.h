/* SPDX-License-Identifier: MIT */
/* The style of the text report: its width, and attributes of a terminal. */
#ifndef ROS2BT_TEXT_STYLE_H
#define ROS2BT_TEXT_STYLE_H

#include "core/output/output.h"
#include "ros2bt/output/output_stream.h"

struct text_style {
	unsigned int width;  /* in columns */
	bool shortens_names; /* otherwise rows may be longer than the width, except for names that wrap */
	unsigned int limit;  /* if names are not shortened to the width: they are to this one; 0: none */
	bool has_cells;	     /* rows are cells, as in Markdown: no name is below its row */
	bool has_attributes; /* bold and dim, by terminal sequences */
	int64_t begin_ns;    /* of the recording: moments count from here */
};

/* For standard output: the width is COLUMNS, else that of the terminal, at least 80. NO_COLOR is respected. */
struct text_style text_style_of_standard_output(void);
/* For files and pipes, whose lines have at most TEXT_WIDTH_MAX columns. */
struct text_style text_style_plain(void);

/* Whether a table has room for mean and max only of a statistic with HINT_BRIEF beside another one. */
static inline bool text_style_is_narrow(const struct text_style *style)
{
	return style->width <= 100;
}

#define ATTRIBUTE_BOLD "\033[1m"
#define ATTRIBUTE_DIM "\033[2m"
#define ATTRIBUTE_NONE "\033[0m"

void text_style_attribute(struct output_stream *stream, const struct text_style *style, const char *attribute);

#endif
