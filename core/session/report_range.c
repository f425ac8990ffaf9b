/* SPDX-License-Identifier: MIT */
#include "core/session/report_range.h"

#include "core/base/text/human_text.h"
#include "core/session/session_error.h"

static char *range_text(const struct time_range *range)
{
	char begin_text[HUMAN_TEXT_SIZE], end_text[HUMAN_TEXT_SIZE];
	const char *begin = human_text_time(begin_text, range->begin_ns);
	const char *end = human_text_time(end_text, range->end_ns);

	if (!range->has_end) {
		return g_strdup_printf("no event at %s UTC or later", begin);
	}
	if (!range->has_begin) {
		return g_strdup_printf("no event up to %s UTC", end);
	}
	return g_strdup_printf("no event from %s UTC to %s UTC", begin, end);
}

bool report_range_check(const struct pipeline *pipeline, const struct report_trace *trace, GError **error)
{
	char begin_text[HUMAN_TEXT_SIZE], end_text[HUMAN_TEXT_SIZE];
	g_autofree char *range = NULL;

	if (time_range_needs_start(&trace->range) && !pipeline->is_range_started) {
		g_set_error_literal(error, SESSION_ERROR, SESSION_ERROR_NO_START,
				    "the range counts from the first ROS 2 runtime event, and the trace has none: give "
				    "begin and end with a date");
		return false;
	}
	if (!trace->has_runtime_events || trace->is_in_range || trace->missing_count > 0) {
		return true;
	}
	range = range_text(&trace->range);
	g_set_error(error, SESSION_ERROR, SESSION_ERROR_NOTHING_IN_RANGE,
		    "%s; the trace has events from %s UTC to %s UTC", range,
		    human_text_time(begin_text, trace->begin_ns), human_text_time(end_text, trace->end_ns));
	return false;
}
