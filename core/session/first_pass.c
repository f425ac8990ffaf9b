/* SPDX-License-Identifier: MIT */
#include "core/session/first_pass.h"

#include "core/clocks/host_clocks.h"
#include "core/clocks/host_messages.h"

struct first_pass {
	struct string_pool *pool;
	struct recording *recording;
	struct event_interest interest;
	GArray *ends;		   /* int64_t, by host: its last runtime event */
	struct pipeline *pipeline; /* NULL, as the next two, if the clocks are not to be aligned */
	struct host_messages *messages;
	struct clock_alignment *clocks;
};

bool first_pass_is_needed(const struct analysis_options *options)
{
	return options->aligns_clocks || time_range_needs_end(&options->range);
}

struct first_pass *first_pass_create(const struct analysis_options *options)
{
	struct first_pass *pass = g_new0(struct first_pass, 1);

	pass->pool = string_pool_create();
	pass->recording = recording_create(pass->pool);
	pass->ends = g_array_new(FALSE, FALSE, sizeof(int64_t));
	pipeline_add_interest(&pass->interest, PIPELINE_FLOWS);
	if (options->aligns_clocks) {
		pass->pipeline = pipeline_create(pass->recording, PIPELINE_FLOWS);
		pass->messages = host_messages_create(pass->pipeline);
	}
	return pass;
}

void first_pass_destroy(struct first_pass *pass)
{
	if (!pass) {
		return;
	}
	pipeline_destroy(pass->pipeline);
	host_messages_destroy(pass->messages);
	clock_alignment_destroy(pass->clocks);
	g_array_unref(pass->ends);
	recording_destroy(pass->recording);
	string_pool_destroy(pass->pool);
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

static void note_end(struct first_pass *pass, const struct event_record *record)
{
	uint32_t host =
		recording_process(pass->recording, recording_thread(pass->recording, record->thread)->process)->host;
	int64_t none = INT64_MIN, *end_ns;

	while (pass->ends->len <= host) {
		g_array_append_val(pass->ends, none);
	}
	end_ns = &g_array_index(pass->ends, int64_t, host);
	*end_ns = MAX(*end_ns, record->time_ns);
}

static bool is_runtime(const struct event_record *record)
{
	enum event_class class = record->kind < EVENT_KIND_COUNT ? event_class_of(record->kind) : EVENT_CLASS_MARK;

	return class == EVENT_CLASS_RUNTIME || class == EVENT_CLASS_POLL;
}

void first_pass_feed(struct first_pass *pass, const struct event_record *records, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (is_runtime(&records[i])) {
			note_end(pass, &records[i]);
		}
		if (pass->pipeline) {
			pipeline_feed(pass->pipeline, &records[i]);
			host_messages_feed(pass->messages, &records[i]);
		}
	}
}

void first_pass_finish(struct first_pass *pass)
{
	g_autoptr(GArray) messages = NULL;

	if (pass->pipeline) {
		pipeline_finish(pass->pipeline);
		messages = host_messages_match(pass->messages);
		pass->clocks = host_clocks_align(messages, pass->recording);
	}
}

const struct clock_alignment *first_pass_clocks(const struct first_pass *pass)
{
	return pass->clocks;
}

int64_t first_pass_end_ns(const struct first_pass *pass)
{
	int64_t last_ns = INT64_MIN;

	for (guint host = 0; host < pass->ends->len; host++) {
		int64_t end_ns = g_array_index(pass->ends, int64_t, host);

		if (end_ns != INT64_MIN && pass->clocks) {
			end_ns = clock_alignment_to_reference(pass->clocks, host, end_ns);
		}
		last_ns = MAX(last_ns, end_ns);
	}
	return last_ns;
}
