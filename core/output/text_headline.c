/* SPDX-License-Identifier: MIT */
#include "core/output/text_headline.h"

#include <inttypes.h>
#include <string.h>

#include "core/text/human_text.h"

static void append_hosts(GString *line, const struct report_trace *trace)
{
	for (size_t i = 0; i < trace->hostname_count; i++) {
		g_autofree char *hostname = human_text_clean(trace->hostnames[i]);

		g_string_append_printf(line, "%s%s", i ? ", " : "  on ", hostname);
	}
}

/* On top, so that nobody takes the figures for those of the whole recording. */
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

size_t text_headline(struct output_stream *stream, const struct report_trace *trace, const struct text_style *style)
{
	g_autoptr(GString) line = g_string_new(NULL);

	write_missing(stream, trace, style);
	text_style_attribute(stream, style, ATTRIBUTE_BOLD);
	output_stream_text(stream, "ROS 2 latency");
	text_style_attribute(stream, style, ATTRIBUTE_NONE);
	if (trace->subject) {
		g_string_append_printf(line, "  %s", trace->subject);
	} else {
		g_string_append_printf(line, "  %" PRIu64 " process%s", trace->process_count,
				       trace->process_count == 1 ? "" : "es");
	}
	append_hosts(line, trace);
	if (trace->has_runtime_events) {
		char begin_text[HUMAN_TEXT_SIZE], duration_text[HUMAN_TEXT_SIZE];
		const char *begin = human_text_time(begin_text, trace->begin_ns);
		const char *duration = human_text_duration(
			duration_text, (int64_t)MIN((uint64_t)trace->end_ns - (uint64_t)trace->begin_ns, INT64_MAX));

		/* Whole seconds say enough here. */
		g_string_append_printf(line, "  %s from %.*s UTC", duration, (int)strcspn(begin, "."), begin);
	}
	g_string_append_c(line, '\n');
	output_stream_bytes(stream, line->str, line->len);
	return trace->missing_count + 1;
}
