/* SPDX-License-Identifier: MIT */
/* The head of the report: which part of the recording it covers. */
#ifndef ROS2BT_TEXT_HEADLINE_H
#define ROS2BT_TEXT_HEADLINE_H

#include "core/output/text/text_style.h"

/* What it is on, without what is missing. */
void text_headline_append(GString *line, const struct report_trace *trace);
/* Returns the number of lines. */
size_t text_headline(struct output_stream *stream, const struct report_trace *trace, const struct text_style *style);

#endif
