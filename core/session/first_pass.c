/* SPDX-License-Identifier: MIT */
#include "ros2bt/session/first_pass.h"

#include "core/session/host_clocks.h"
#include "core/session/host_messages.h"
#include "core/session/proposed_links.h"
#include "ros2bt/flow/link_rules.h"

#define NO_SPAN ((struct analysis_span){ INT64_MAX, INT64_MIN })

/* Of the events of a host. */
struct host_spans {
	struct analysis_span runtime, other;
};

struct first_pass {
	struct string_pool *pool;
	struct recording *recording;
	struct event_interest pipeline_interest, interest;
	bool needs_all; /* not only the start */
	bool has_runtime;
	GArray *spans;			/* struct host_spans, by host */
	struct pipeline *pipeline;	/* NULL if neither of the following is asked for */
	struct host_messages *messages; /* NULL, as the next one, if the clocks are not to be aligned */
	struct clock_alignment *clocks;
	struct proposed_links *proposed; /* NULL, as the next one, if no links are to be proposed */
	GArray *links;			 /* owned */
};

static bool needs_pipeline(const struct analysis_options *options)
{
	return options->aligns_clocks || options->proposes_links;
}

bool first_pass_is_needed(const struct analysis_options *options)
{
	return needs_pipeline(options) || time_range_needs_start(&options->range) ||
	       time_range_needs_end(&options->range);
}

struct first_pass *first_pass_create(const struct analysis_options *options, const struct event_interest *interest)
{
	unsigned int parts = options->proposes_links ? PROPOSED_LINKS_PARTS : (unsigned int)PIPELINE_FLOWS;
	struct first_pass *pass = g_new0(struct first_pass, 1);

	pass->pool = string_pool_create();
	pass->recording = recording_create(pass->pool);
	pass->spans = g_array_new(FALSE, FALSE, sizeof(struct host_spans));
	pass->needs_all = needs_pipeline(options) || time_range_needs_end(&options->range);
	pipeline_add_interest(&pass->pipeline_interest, parts);
	pass->interest = *interest;
	pass->interest.joins_calls = false; /* the time of each event counts */
	for (int kind = 0; kind < EVENT_KIND_COUNT; kind++) {
		pass->interest.wants[kind] |= pass->pipeline_interest.wants[kind];
		pass->interest.wants_counters[kind] = false;
	}
	if (needs_pipeline(options)) {
		pass->pipeline = pipeline_create(pass->recording, parts);
	}
	if (options->aligns_clocks) {
		pass->messages = host_messages_create(pass->pipeline);
	}
	if (options->proposes_links) {
		pass->proposed = proposed_links_create(pass->pipeline, options);
	}
	return pass;
}

/* What was needed to read the recording; the relation of the clocks refers to it. */
static void forget_recording(struct first_pass *pass)
{
	g_clear_pointer(&pass->pipeline, pipeline_destroy);
	g_clear_pointer(&pass->messages, host_messages_destroy);
	pass->proposed = NULL; /* in the arena of the recording */
	g_clear_pointer(&pass->recording, recording_destroy);
	g_clear_pointer(&pass->pool, string_pool_destroy);
}

void first_pass_destroy(struct first_pass *pass)
{
	if (!pass) {
		return;
	}
	clock_alignment_destroy(pass->clocks);
	forget_recording(pass);
	g_clear_pointer(&pass->links, g_array_unref);
	g_array_unref(pass->spans);
	g_free(pass);
}

struct recording *first_pass_recording(struct first_pass *pass)
{
	return pass->recording;
}

const struct event_interest *first_pass_interest(const struct first_pass *pass)
{
	return &pass->interest;
}

static struct host_spans *spans_of(struct first_pass *pass, const struct event_record *record)
{
	uint32_t trace = recording_stream_trace(pass->recording, record->stream);
	uint32_t host = recording_trace(pass->recording, trace)->host;
	const struct host_spans none = { NO_SPAN, NO_SPAN };

	while (pass->spans->len <= host) {
		g_array_append_val(pass->spans, none);
	}
	return &g_array_index(pass->spans, struct host_spans, host);
}

static void extend(struct analysis_span *span, int64_t time_ns)
{
	span->begin_ns = MIN(span->begin_ns, time_ns);
	span->end_ns = MAX(span->end_ns, time_ns);
}

/* Definitions may be recorded long before the system runs: they are not part of the recording's span. */
static void note_event(struct first_pass *pass, const struct event_record *record)
{
	enum event_class class = record->kind < EVENT_KIND_COUNT ? event_class_of(record->kind) : EVENT_CLASS_MARK;

	if (class == EVENT_CLASS_RUNTIME && pass->pipeline_interest.wants[record->kind]) {
		extend(&spans_of(pass, record)->runtime, record->time_ns);
		pass->has_runtime = true;
	} else if (record->kind == RECORD_POINT || record->kind == RECORD_POLLS ||
		   (class != EVENT_CLASS_MARK && class != EVENT_CLASS_INIT)) {
		extend(&spans_of(pass, record)->other, record->time_ns);
	}
}

static bool is_for_pipeline(const struct first_pass *pass, const struct event_record *record)
{
	return record->kind < EVENT_KIND_COUNT ? pass->pipeline_interest.wants[record->kind]
					       : record->kind != RECORD_POINT && record->kind != RECORD_POLLS;
}

void first_pass_feed(struct first_pass *pass, const struct event_record *records, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		note_event(pass, &records[i]);
		if (pass->pipeline && is_for_pipeline(pass, &records[i])) {
			pipeline_feed(pass->pipeline, &records[i]);
			if (pass->messages) {
				host_messages_feed(pass->messages, &records[i]);
			}
		}
	}
}

bool first_pass_is_done(const struct first_pass *pass)
{
	return pass->has_runtime && !pass->needs_all;
}

void first_pass_finish(struct first_pass *pass)
{
	g_autoptr(GArray) messages = NULL;

	if (pass->pipeline) {
		pipeline_finish(pass->pipeline);
	}
	if (pass->messages) {
		messages = host_messages_match(pass->messages);
		pass->clocks = host_clocks_align(messages, pass->recording);
	}
	if (pass->proposed) {
		pass->links = proposed_links_find(pass->proposed);
	}
	if (!pass->clocks) {
		forget_recording(pass); /* the session needs the room */
	}
}

const struct clock_alignment *first_pass_clocks(const struct first_pass *pass)
{
	return pass->clocks;
}

void first_pass_follow_links(const struct first_pass *pass, struct flow_linker *flows, struct analysis_options *options)
{
	const struct link_rule *rules = pass->links ? (const struct link_rule *)(const void *)pass->links->data : NULL;
	size_t given = options->link_count;

	if (!rules) {
		return;
	}
	if (flows) {
		flow_linker_add_rules(flows, rules + given, pass->links->len - given);
	}
	options->links = rules;
	options->link_count = pass->links->len;
}

static int64_t aligned(const struct first_pass *pass, guint host, int64_t time_ns)
{
	return pass->clocks ? clock_alignment_to_reference(pass->clocks, host, time_ns) : time_ns;
}

struct analysis_span first_pass_span(const struct first_pass *pass)
{
	struct analysis_span all = NO_SPAN;

	for (guint host = 0; host < pass->spans->len; host++) {
		const struct host_spans *spans = &g_array_index(pass->spans, struct host_spans, host);
		const struct analysis_span *span = pass->has_runtime ? &spans->runtime : &spans->other;

		if (span->begin_ns <= span->end_ns) {
			extend(&all, aligned(pass, host, span->begin_ns));
			extend(&all, aligned(pass, host, span->end_ns));
		}
	}
	return all;
}
