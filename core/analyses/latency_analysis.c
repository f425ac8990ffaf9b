/* SPDX-License-Identifier: MIT */
#include "core/analyses/latency_analysis.h"

#include "core/analyses/callbacks.h"
#include "core/analyses/communications.h"
#include "core/base/compare_texts.h"
#include "ros2bt/diagnostics.h"
#include "ros2bt/executions.h"
#include "ros2bt/flow_linker.h"
#include "ros2bt/object_model.h"
#include "core/analyses/paths.h"
#include "core/analyses/recording_gaps.h"
#include "ros2bt/report.h"

struct latency_analysis {
	struct recording *recording; /* borrowed */
	struct table_output *output; /* borrowed */
	struct latency_options options;
	struct diagnostics *diagnostics;
	struct recording_gaps *gaps;
	struct object_model *model;
	struct executions *executions;
	struct callbacks *callbacks;
	struct flow_linker *linker;
	struct communications *communications;
	struct paths *paths;
	int64_t begin_ns, end_ns; /* of the runtime events; begin_ns is the later one if there are none */
	GPtrArray *hostnames;	  /* borrowed from the pool */
};

struct latency_analysis *latency_analysis_create(struct recording *recording, const struct latency_options *options,
						 struct table_output *output)
{
	struct latency_analysis *analysis = g_new0(struct latency_analysis, 1);
	struct executions_listener listener;

	analysis->recording = recording;
	analysis->output = output;
	analysis->options = *options;
	analysis->diagnostics = diagnostics_create();
	analysis->gaps = recording_gaps_create(recording);
	analysis->model = object_model_create(recording);
	analysis->executions = executions_create(recording, analysis->model, analysis->diagnostics);
	analysis->callbacks = callbacks_create(recording, analysis->model, &analysis->options, output);
	listener = callbacks_listener(analysis->callbacks);
	executions_add_listener(analysis->executions, &listener);
	analysis->linker = flow_linker_create(recording, analysis->model, analysis->executions, analysis->diagnostics);
	flow_linker_add_rules(analysis->linker, options->links, options->link_count);
	analysis->communications = communications_create(recording, analysis->model, analysis->linker,
							 analysis->diagnostics, &analysis->options, output);
	analysis->paths = paths_create(recording, analysis->model, analysis->linker, analysis->diagnostics,
				       &analysis->options, output);
	analysis->hostnames = g_ptr_array_new();
	analysis->begin_ns = INT64_MAX;
	analysis->end_ns = INT64_MIN;
	return analysis;
}

void latency_analysis_destroy(struct latency_analysis *analysis)
{
	if (!analysis) {
		return;
	}
	flow_linker_destroy(analysis->linker);
	paths_destroy(analysis->paths);
	communications_destroy(analysis->communications);
	callbacks_destroy(analysis->callbacks);
	executions_destroy(analysis->executions);
	object_model_destroy(analysis->model);
	recording_gaps_destroy(analysis->gaps);
	diagnostics_destroy(analysis->diagnostics);
	g_ptr_array_free(analysis->hostnames, TRUE);
	g_free(analysis);
}

static void note_runtime(struct latency_analysis *analysis, int64_t time_ns)
{
	analysis->begin_ns = MIN(analysis->begin_ns, time_ns);
	analysis->end_ns = MAX(analysis->end_ns, time_ns);
}

static inline void feed(struct latency_analysis *analysis, const struct event_record *record)
{
	recording_gaps_feed(analysis->gaps, record);
	if (G_LIKELY(record->kind < EVENT_KIND_COUNT)) {
		enum event_class class = event_class_of(record->kind);

		if (class == EVENT_CLASS_INIT) {
			object_model_feed(analysis->model, record);
		} else if (class != EVENT_CLASS_MARK) {
			note_runtime(analysis, record->time_ns);
		}
	}
	flow_linker_feed(analysis->linker, record);
	executions_feed(analysis->executions, record);
}

void latency_analysis_feed(struct latency_analysis *analysis, const struct event_record *records, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		feed(analysis, &records[i]);
	}
}

void latency_analysis_finish(struct latency_analysis *analysis)
{
	executions_finish(analysis->executions);
	flow_linker_finish(analysis->linker);
	recording_gaps_finish(analysis->gaps, analysis->diagnostics);
	callbacks_finish(analysis->callbacks, analysis->diagnostics);
	communications_write(analysis->communications, analysis->output);
	paths_write(analysis->paths, analysis->output);
	diagnostics_write(analysis->diagnostics, analysis->output->open(analysis->output, diagnostics_schema()));
}

bool latency_analysis_wants(enum event_kind kind)
{
	switch (kind) {
	case EVENT_RCL_TAKE:
	case EVENT_RCLCPP_TAKE:
		/* All that they could tell was told by rmw_take. */
	case EVENT_RCL_LIFECYCLE_TRANSITION:
	case EVENT_ON_DATA_AVAILABLE:
	case EVENT_SIM_TIME:
		return false;
	default:
		return event_class_of(kind) != EVENT_CLASS_POLL;
	}
}

void latency_analysis_describe(struct latency_analysis *analysis, struct report_trace *trace)
{
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
		.has_runtime_events = analysis->begin_ns <= analysis->end_ns,
		.begin_ns = analysis->begin_ns,
		.end_ns = analysis->end_ns,
	};
}
