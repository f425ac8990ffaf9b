/* SPDX-License-Identifier: MIT */
#include "ros2bt/latency_session.h"

#include "ros2bt/string_pool.h"

struct latency_session {
	struct string_pool *pool; /* all owned */
	struct recording *recording;
	struct report *report;
	struct latency_analysis *analysis;
	bool is_runtime[EVENT_KIND_COUNT];
	bool has_runtime_events;
	int64_t begin_ns, end_ns; /* of the runtime events */
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
	for (int kind = 0; kind < EVENT_KIND_COUNT; kind++) {
		enum event_class class = event_class_of(kind);

		session->is_runtime[kind] = class == EVENT_CLASS_RUNTIME || class == EVENT_CLASS_POLL;
	}
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

void latency_session_feed(struct latency_session *session, const struct event_record *record)
{
	if (record->kind < EVENT_KIND_COUNT && session->is_runtime[record->kind]) {
		if (!session->has_runtime_events) {
			session->has_runtime_events = true;
			session->begin_ns = record->time_ns;
		}
		session->end_ns = record->time_ns;
	}
	latency_analysis_feed(session->analysis, record);
}

bool latency_session_check(const struct latency_session *session, GError **error)
{
	return report_check(session->report, error);
}

/* The names of the hosts, each once, in order of appearance; borrowed from the pool. */
static GPtrArray *hostnames(const struct recording *recording)
{
	GPtrArray *names = g_ptr_array_new();

	for (uint32_t i = 0; i < recording_host_count(recording); i++) {
		gpointer name = (gpointer)recording_host(recording, i)->hostname;

		if (((const char *)name)[0] != '\0' && !g_ptr_array_find(names, name, NULL)) {
			g_ptr_array_add(names, name);
		}
	}
	return names;
}

bool latency_session_finish(struct latency_session *session, GError **error)
{
	g_autoptr(GPtrArray) names = hostnames(session->recording);
	struct report_trace trace = {
		.hostnames = (const char *const *)names->pdata,
		.hostname_count = names->len,
		.trace_count = recording_trace_count(session->recording),
		.process_count = recording_process_count(session->recording),
		.has_runtime_events = session->has_runtime_events,
		.begin_ns = session->begin_ns,
		.end_ns = session->end_ns,
	};

	latency_analysis_finish(session->analysis);
	return report_finish(session->report, &trace, error);
}
