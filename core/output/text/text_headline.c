/* SPDX-License-Identifier: MIT */
#include "core/output/text/text_headline.h"

#include <inttypes.h>
#include <string.h>

#include "core/output/text/text_line.h"
#include "core/text/human_text.h"

static void append_hosts(GString *line, const struct report_trace *trace)
{
	for (size_t i = 0; i < trace->hostname_count; i++) {
		g_autofree char *hostname = human_text_clean(trace->hostnames[i]);

		g_string_append_printf(line, "%s%s", i ? ", " : "  on ", hostname);
	}
}

/* To be freed. */
static char *span_text(int64_t begin_ns, int64_t end_ns)
{
	char text[HUMAN_TEXT_SIZE];
	uint64_t span_ns = end_ns > begin_ns ? (uint64_t)end_ns - (uint64_t)begin_ns : 0;

	return g_strdup(human_text_duration(text, (int64_t)MIN(span_ns, INT64_MAX)));
}

/* The span that the figures cover: of a part of the recording, that part. */
static void append_times(GString *line, const struct report_trace *trace)
{
	const struct time_range *range = &trace->range;
	int64_t begin_ns = trace->begin_ns, end_ns = trace->end_ns;
	g_autofree char *span = NULL;
	char begin_text[HUMAN_TEXT_SIZE];
	const char *begin;

	time_range_limit(range, &begin_ns, &end_ns);
	span = span_text(begin_ns, end_ns);
	begin = human_text_time(begin_text, begin_ns);
	/* Whole seconds are precise enough here. */
	g_string_append_printf(line, "  %s from %.*s UTC", span, (int)strcspn(begin, "."), begin);
	if (range->has_begin || range->has_end) {
		g_autofree char *all = span_text(trace->begin_ns, trace->end_ns);

		g_string_append_printf(line, ", of %s recorded", all);
	}
}

/* On top, so that nobody mistakes the figures for those of the whole recording. */
static void write_missing(struct output_stream *stream, const struct report_trace *trace,
			  const struct text_style *style)
{
	for (size_t i = 0; i < trace->missing_count; i++) {
		g_autofree char *reason = human_text_clean(trace->missing[i]);

		text_style_attribute(stream, style, ATTRIBUTE_BOLD);
		output_stream_text(stream, "PARTIAL: ");
		text_style_attribute(stream, style, ATTRIBUTE_NONE);
		output_stream_text(stream, reason);
		output_stream_byte(stream, '\n');
	}
}

void text_headline_append(GString *line, const struct report_trace *trace)
{
	if (trace->subject) {
		g_string_append_printf(line, "  %s", trace->subject);
	} else {
		g_string_append_printf(line, "  %" PRIu64 " process%s", trace->process_count,
				       trace->process_count == 1 ? "" : "es");
	}
	append_hosts(line, trace);
	if (trace->has_runtime_events) {
		append_times(line, trace);
	}
}

size_t text_headline(struct output_stream *stream, const struct report_trace *trace, const struct text_style *style)
{
	g_autoptr(GString) line = g_string_new(NULL);

	write_missing(stream, trace, style);
	g_string_append(line, style->has_attributes ? ATTRIBUTE_BOLD "ROS 2 latency" ATTRIBUTE_NONE : "ROS 2 latency");
	text_headline_append(line, trace);
	return trace->missing_count + text_line_write_wrapped(stream, line, style->width);
}
