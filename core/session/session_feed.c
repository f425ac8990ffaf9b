/* SPDX-License-Identifier: MIT */
/* The parts of a session that are driven by a reader: it is fed, waits, reports in between, and ends. */
#include "core/session/noted_topics.h"
#include "core/session/report_range.h"
#include "core/session/session_parts.h"
#include "ros2bt/events/diagnostics.h"
#include "ros2bt/session/session.h"

static void finish(struct session *session)
{
	session->has_finished = true;
	pipeline_finish(session->pipeline);
	analysis_set_finish(session->set);
	noted_topics_note(session->pipeline->model, session->options.names.topics);
}

static void describe_losses(const struct session *session, struct report_trace *trace)
{
	trace->knows_discarded = session->pipeline->defects != NULL;
	trace->discarded_event_count = diagnostics_count(session->findings, DIAGNOSTIC_DISCARDED_EVENTS, NULL) +
				       diagnostics_count(session->findings, DIAGNOSTIC_DISCARDED_KERNEL_EVENTS, NULL);
}

/* --- reports while the recording goes on --- */

/* When the next window begins; what there is if there are no windows. */
static int64_t window_begin(const struct session *session)
{
	return session->window_end_ns == INT64_MAX ? session->period->begin_ns : session->window_end_ns;
}

/* `window_ns`: the report is of a window of this length; 0: of all. Its lines of what is missing begin with `text`. */
static void write_report(struct session *session, struct report_trace trace, int64_t window_ns, const char *text)
{
	guint line = session->missing_lines->len;

	if (!report_series_open(session->series, session->set, window_ns)) {
		return;
	}
	session_write(session);
	if (text) {
		g_ptr_array_add(session->missing_lines,
				g_strdup_printf("%s: %s",
						window_ns > 0 ? "window" : diagnostic_name(DIAGNOSTIC_UNDER_WAY),
						text));
	}
	describe_losses(session, &trace);
	trace.missing = (const char *const *)session->missing_lines->pdata;
	trace.missing_count = session->missing_lines->len;
	trace.window_ns = window_ns;
	(void)report_series_close(session->series, &trace);
	g_ptr_array_set_size(session->missing_lines, (gint)line);
}

/* That of the window since the last one, if windows are asked for, and that of all. `trace`: of all. */
static void write_reports(struct session *session, struct report_trace trace, int64_t as_of_ns)
{
	struct report_trace window = trace;
	int64_t begin_ns;

	if (report_series_has_windows(session->series) && session->period->begin_ns != INT64_MAX) {
		g_autofree char *text = NULL;

		begin_ns = window_begin(session);
		window.begin_ns = begin_ns;
		window.end_ns = as_of_ns;
		window.message_count = 0;
		window.startup_ns = 0;
		text = report_period_window_text(as_of_ns - begin_ns, as_of_ns, trace.has_lag, trace.lag_ns);
		write_report(session, window, MAX(as_of_ns - begin_ns, 1), text);
		session->window_end_ns = as_of_ns;
	}
	write_report(session, trace, 0, session->under_way);
}

bool session_finish(struct session *session, GError **error)
{
	struct report_trace trace = session_describe(session);

	if (!session_check(session, error) || !report_range_check(session->pipeline, &trace, error)) {
		return false;
	}
	finish(session);
	if (session->series) {
		write_reports(session, trace, MAX(session->pipeline->end_ns, window_begin(session)));
		return report_series_check(session->series, true, error);
	}
	session_write(session);
	describe_losses(session, &trace);
	return !session->report || report_finish(session->report, &trace, error);
}

/* The tables of others: of what happened since the window before; since the beginning if there are no windows. */
static int64_t write_window(struct session *session, int64_t as_of_ns)
{
	int64_t length_ns = MAX(as_of_ns - window_begin(session), 1);

	session->window_end_ns = as_of_ns;
	window_tables_begin(session->window_tables, length_ns);
	session_write(session);
	window_tables_end(session->window_tables);
	window_tables_begin(session->window_tables, 0);
	return length_ns;
}

static int64_t lag_of(int64_t as_of_ns)
{
	return g_get_real_time() * 1000 - as_of_ns;
}

static void write_so_far(struct session *session, int64_t as_of_ns)
{
	struct report_trace trace = session_describe(session);

	trace.has_lag = session->period->is_live;
	trace.lag_ns = lag_of(as_of_ns);
	session->under_way = report_period_text(as_of_ns, trace.has_lag, trace.lag_ns);
	write_reports(session, trace, as_of_ns);
	g_clear_pointer(&session->under_way, g_free);
}

static void end_window(struct session *session, int64_t as_of_ns, bool is_over)
{
	struct session_window window = { .as_of_ns = as_of_ns, .has_lag = session->period->is_live };

	if (is_over) {
		window.length_ns = write_window(session, as_of_ns);
	}
	window.lag_ns = lag_of(as_of_ns);
	session->window_ended(session->window_data, &window);
}

/* Nothing is written before there is anything to report. `is_over`: a period is, else nothing arrives. */
static void report_so_far(struct session *session, int64_t as_of_ns, bool is_over)
{
	if (session_check(session, NULL) && session_has_events(session)) {
		if (session->series) {
			write_so_far(session, as_of_ns);
		} else {
			end_window(session, as_of_ns, is_over);
		}
	}
	report_period_next(session->period);
}

static void feed_in_periods(struct session *session, const struct event_record *records, size_t count)
{
	struct report_period *period = session->period;
	size_t first = 0;

	for (size_t i = 0; i < count; i++) {
		if (report_period_is_over(period, records[i].time_ns)) {
			pipeline_feed_all(session->pipeline, records + first, i - first);
			first = i;
			report_period_reach(period, records[i].time_ns);
			report_so_far(session, report_period_last_end(period), true);
		}
		report_period_reach(period, records[i].time_ns);
	}
	pipeline_feed_all(session->pipeline, records + first, count - first);
}

void session_feed(struct session *session, const struct event_record *records, size_t count)
{
	if (G_UNLIKELY(session->period)) {
		feed_in_periods(session, records, count);
	} else {
		pipeline_feed_all(session->pipeline, records, count);
	}
}

void session_reach(struct session *session, int64_t time_ns)
{
	struct report_period *period = session->period;

	if (!period || period->begin_ns == INT64_MAX) {
		return;
	}
	report_period_reach(period, time_ns);
	if (report_period_is_over(period, time_ns)) {
		report_so_far(session, report_period_last_end(period), true);
	}
}

void session_wait(struct session *session)
{
	struct report_period *period = session->period;

	if (period && report_period_wait(period, g_get_monotonic_time())) {
		report_so_far(session, period->reached_ns, false);
	}
}
