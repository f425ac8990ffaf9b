/* SPDX-License-Identifier: MIT */
#include "core/output/text/text_headline.h"

#include <inttypes.h>
#include <string.h>

#include "core/base/text/human_text.h"
#include "ros2bt/base/time_units.h"
#include "core/output/text/text_line.h"

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

/* On top, so that nobody mistakes the figures for those of the whole recording. Returns the number of lines. */
static size_t write_missing(struct output_stream *stream, const struct report_trace *trace,
			    const struct text_style *style)
{
	g_autoptr(GString) line = g_string_new(NULL);
	size_t lines = 0;

	for (size_t i = 0; i < trace->missing_count; i++) {
		g_autofree char *reason = human_text_clean(trace->missing[i]);

		g_string_append_printf(
			line, "%s%s",
			style->has_attributes ? ATTRIBUTE_BOLD "PARTIAL: " ATTRIBUTE_NONE : "PARTIAL: ", reason);
		lines += text_line_write_wrapped(stream, line, MAX(style->width, style->limit), TEXT_INDENT_WRAPPED);
	}
	return lines;
}

static void append_count(GString *line, uint64_t count, const char *what)
{
	if (count > 0) {
		g_string_append_printf(line, "%s%" PRIu64 " %s%s", line->len > 0 ? ", " : "  ", count, what,
				       count == 1 ? "" : "s");
	}
}

/* The figures do not cover the time in which nodes are created. Less than a tenth of a second is not worth mentioning.
 */
static void append_startup(GString *line, const struct report_trace *trace)
{
	char text[HUMAN_TEXT_SIZE];

	if (line->len > 0 && trace->startup_ns >= NS_PER_S / 10) {
		g_string_append_printf(line, ", after %s of start-up", human_text_duration(text, trace->startup_ns));
	}
}

/* The versions of tracetools, and the releases of ROS 2 that have them. */
static void append_versions(GString *line, const struct report_trace *trace)
{
	for (size_t i = 0; i < trace->version_count; i++) {
		const char *release = trace->versions[i].release;
		g_autofree char *version = human_text_clean(trace->versions[i].version);

		g_string_append_printf(line, "%s%s", i > 0 ? ", " : "  tracetools ", version);
		if (release) {
			g_string_append_printf(line, " (%s)", release);
		}
	}
}

/* What there is in the system. Returns the number of lines. */
static size_t write_system(struct output_stream *stream, const struct report_trace *trace,
			   const struct text_style *style)
{
	g_autoptr(GString) line = g_string_new(NULL);

	append_count(line, trace->node_count, "node");
	append_count(line, trace->topic_count, "topic");
	append_count(line, trace->message_count, "message");
	append_startup(line, trace);
	append_versions(line, trace);
	return line->len > 0 ? text_line_write_wrapped(stream, line, style->width, TEXT_INDENT_WRAPPED) : 0;
}

void text_headline_append(GString *line, const struct report_trace *trace)
{
	if (trace->subject) {
		g_string_append_printf(line, "  %s", trace->subject);
	} else if (trace->process_count == 0 && !trace->has_runtime_events) {
		g_string_append(line, "  no ROS 2 events");
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
	size_t lines = write_missing(stream, trace, style);

	g_string_append(line, style->has_attributes ? ATTRIBUTE_BOLD "ROS 2 latency" ATTRIBUTE_NONE : "ROS 2 latency");
	text_headline_append(line, trace);
	lines += text_line_write_wrapped(stream, line, style->width, TEXT_INDENT_WRAPPED);
	return lines + write_system(stream, trace, style);
}
