/* SPDX-License-Identifier: MIT */
#include "ros2bt/latency_analysis.h"

#include <glib.h>

#include "ros2bt/callbacks.h"
#include "ros2bt/diagnostics.h"
#include "ros2bt/executions.h"
#include "ros2bt/object_model.h"
#include "ros2bt/recording_gaps.h"

struct latency_analysis {
	struct latency_options options;
	struct object_model *model;
	struct diagnostics *diagnostics;
	struct recording_gaps *gaps;
	struct executions *executions;
	struct callbacks *callbacks;
	struct table_writer *diagnostics_writer; /* borrowed */
};

/* Listeners of the executions hear of an end in the order in which they are added; tables are put out in the order of
 * opening. */
struct latency_analysis *latency_analysis_create(struct recording *recording, const struct latency_options *options,
						 struct table_output *output)
{
	struct latency_analysis *analysis = g_new0(struct latency_analysis, 1);
	struct executions_listener listener;

	analysis->options = *options;
	analysis->model = object_model_create(recording);
	analysis->diagnostics = diagnostics_create();
	analysis->gaps = recording_gaps_create(recording);
	analysis->executions = executions_create(recording, analysis->model, analysis->diagnostics);
	analysis->callbacks = callbacks_create(recording, analysis->model, &analysis->options, output);
	listener = callbacks_listener(analysis->callbacks);
	executions_add_listener(analysis->executions, &listener);
	analysis->diagnostics_writer = output->open(output, diagnostics_schema());
	return analysis;
}

void latency_analysis_destroy(struct latency_analysis *analysis)
{
	if (!analysis) {
		return;
	}
	callbacks_destroy(analysis->callbacks);
	executions_destroy(analysis->executions);
	recording_gaps_destroy(analysis->gaps);
	diagnostics_destroy(analysis->diagnostics);
	object_model_destroy(analysis->model);
	g_free(analysis);
}

/* Definitions first: an event's objects are looked up by those that follow. */
void latency_analysis_feed(struct latency_analysis *analysis, const struct event_record *record)
{
	recording_gaps_feed(analysis->gaps, record);
	object_model_feed(analysis->model, record);
	executions_feed(analysis->executions, record);
}

void latency_analysis_finish(struct latency_analysis *analysis)
{
	executions_finish(analysis->executions);
	recording_gaps_finish(analysis->gaps, analysis->diagnostics);
	callbacks_finish(analysis->callbacks, analysis->diagnostics);
	diagnostics_write(analysis->diagnostics, analysis->diagnostics_writer);
}

bool latency_analysis_wants(enum event_kind kind)
{
	return event_schema_of(kind)->class != EVENT_CLASS_POLL;
}
