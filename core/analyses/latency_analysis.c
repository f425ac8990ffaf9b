/* SPDX-License-Identifier: MIT */
#include "core/analyses/latency_analysis.h"

#include "core/analyses/callbacks.h"
#include "core/analyses/communications.h"
#include "core/base/compare_texts.h"
#include "ros2bt/pipeline.h"
#include "core/analyses/paths.h"
#include "ros2bt/report.h"

struct latency_analysis {
	struct recording *recording; /* borrowed */
	struct table_output *output; /* borrowed */
	struct latency_options options;
	struct pipeline *pipeline;
	struct callbacks *callbacks;
	struct communications *communications;
	struct paths *paths;
	GPtrArray *hostnames; /* borrowed from the pool */
};

struct latency_analysis *latency_analysis_create(struct recording *recording, const struct latency_options *options,
						 struct table_output *output)
{
	struct latency_analysis *analysis = g_new0(struct latency_analysis, 1);
	struct executions_listener listener;
	struct object_model *model;
	struct flow_linker *flows;
	struct diagnostics *diagnostics;

	analysis->recording = recording;
	analysis->output = output;
	analysis->options = *options;
	analysis->pipeline = pipeline_create(recording, PIPELINE_ALL);
	model = analysis->pipeline->model;
	flows = analysis->pipeline->flows;
	diagnostics = analysis->pipeline->diagnostics;
	analysis->callbacks = callbacks_create(recording, model, &analysis->options, output);
	listener = callbacks_listener(analysis->callbacks);
	executions_add_listener(analysis->pipeline->executions, &listener);
	flow_linker_add_rules(flows, options->links, options->link_count);
	analysis->communications =
		communications_create(recording, model, flows, diagnostics, &analysis->options, output);
	analysis->paths = paths_create(recording, model, flows, diagnostics, &analysis->options, output);
	analysis->hostnames = g_ptr_array_new();
	return analysis;
}

void latency_analysis_destroy(struct latency_analysis *analysis)
{
	if (!analysis) {
		return;
	}
	pipeline_destroy(analysis->pipeline);
	paths_destroy(analysis->paths);
	communications_destroy(analysis->communications);
	callbacks_destroy(analysis->callbacks);
	g_ptr_array_free(analysis->hostnames, TRUE);
	g_free(analysis);
}

void latency_analysis_feed(struct latency_analysis *analysis, const struct event_record *records, size_t count)
{
	struct pipeline *pipeline = analysis->pipeline;

	for (size_t i = 0; i < count; i++) {
		pipeline_feed(pipeline, &records[i]);
	}
}

void latency_analysis_finish(struct latency_analysis *analysis)
{
	struct diagnostics *diagnostics = analysis->pipeline->diagnostics;

	pipeline_finish(analysis->pipeline);
	callbacks_finish(analysis->callbacks, diagnostics);
	communications_write(analysis->communications, analysis->output);
	paths_write(analysis->paths, analysis->output);
	diagnostics_write(diagnostics, analysis->output->open(analysis->output, diagnostics_schema()));
}

bool latency_analysis_wants(enum event_kind kind)
{
	return pipeline_wants(kind);
}

void latency_analysis_describe(struct latency_analysis *analysis, struct report_trace *trace)
{
	const struct pipeline *pipeline = analysis->pipeline;

	g_ptr_array_set_size(analysis->hostnames, 0);
	for (uint32_t i = 0; i < recording_host_count(analysis->recording); i++) {
		const char *hostname = recording_host(analysis->recording, i)->hostname;

		if (hostname[0] != '\0' && !g_ptr_array_find(analysis->hostnames, hostname, NULL)) {
			g_ptr_array_add(analysis->hostnames, (gpointer)hostname);
		}
	}
	g_ptr_array_sort(analysis->hostnames, compare_texts);
	*trace = (struct report_trace){
		.hostnames = (const char *const *)analysis->hostnames->pdata,
		.hostname_count = analysis->hostnames->len,
		.trace_count = recording_trace_count(analysis->recording),
		.process_count = recording_process_count(analysis->recording),
		.has_runtime_events = pipeline_has_runtime(pipeline),
		.begin_ns = pipeline->begin_ns,
		.end_ns = pipeline->end_ns,
	};
}
