/* SPDX-License-Identifier: MIT */
#include "ros2bt/latency_session.h"

#include "core/base/string_pool.h"

struct latency_session {
	struct string_pool *pool; /* all owned */
	struct recording *recording;
	struct report *report;
	struct latency_analysis *analysis;
};

struct latency_session *latency_session_create(const struct report_options *report_options,
					       const struct latency_options *options, GError **error)
{
	struct report *report = report_create(report_options, error);
	struct latency_session *session;

	if (!report) {
		return NULL;
	}
	session = g_new0(struct latency_session, 1);
	session->report = report;
	session->pool = string_pool_create();
	session->recording = recording_create(session->pool);
	session->analysis = latency_analysis_create(session->recording, options, report_tables(report));
	return session;
}

void latency_session_destroy(struct latency_session *session)
{
	if (!session) {
		return;
	}
	/* the report knows the tables' schemas, which are the analysis' */
	report_destroy(session->report);
	latency_analysis_destroy(session->analysis);
	recording_destroy(session->recording);
	string_pool_destroy(session->pool);
	g_free(session);
}

struct recording *latency_session_recording(struct latency_session *session)
{
	return session->recording;
}

void latency_session_feed(struct latency_session *session, const struct event_record *records, size_t count)
{
	latency_analysis_feed(session->analysis, records, count);
}

bool latency_session_check(const struct latency_session *session, GError **error)
{
	return report_check(session->report, error);
}

bool latency_session_finish(struct latency_session *session, GError **error)
{
	struct report_trace trace;

	latency_analysis_finish(session->analysis);
	latency_analysis_describe(session->analysis, &trace);
	return report_finish(session->report, &trace, error);
}
