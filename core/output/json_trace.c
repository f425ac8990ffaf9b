/* SPDX-License-Identifier: MIT */
#include "core/output/json_trace.h"

#include "core/output/json_writer.h"
#include "core/output/output.h"

static void write_version(struct json_writer *json, const struct report_version *version)
{
	json_writer_begin_object(json);
	json_writer_key(json, "version");
	json_writer_text(json, version->version);
	json_writer_key(json, "release");
	json_writer_text_or_null(json, version->release);
	json_writer_end_object(json);
}

void json_trace(struct json_writer *json, const struct report_trace *trace)
{
	json_writer_key(json, "trace");
	json_writer_begin_object(json);
	json_writer_key(json, "hosts");
	json_writer_begin_array(json);
	for (size_t i = 0; i < trace->hostname_count; i++) {
		json_writer_text(json, trace->hostnames[i]);
	}
	json_writer_end_array(json);
	json_writer_key(json, "tracetools");
	json_writer_begin_array(json);
	for (size_t i = 0; i < trace->version_count; i++) {
		write_version(json, &trace->versions[i]);
	}
	json_writer_end_array(json);
	json_writer_key(json, "nodes");
	json_writer_unsigned(json, trace->node_count);
	json_writer_key(json, "topics");
	json_writer_unsigned(json, trace->topic_count);
	json_writer_key(json, "traces");
	json_writer_unsigned(json, trace->trace_count);
	json_writer_key(json, "processes");
	json_writer_unsigned(json, trace->process_count);
	json_writer_key(json, "begin_ns");
	if (trace->has_runtime_events) {
		json_writer_integer(json, trace->begin_ns);
	} else {
		json_writer_null(json);
	}
	json_writer_key(json, "end_ns");
	if (trace->has_runtime_events) {
		json_writer_integer(json, trace->end_ns);
	} else {
		json_writer_null(json);
	}
	json_writer_key(json, "is_complete");
	json_writer_bool(json, trace->missing_count == 0);
	if (trace->window_ns > 0) {
		json_writer_key(json, "window_ns");
		json_writer_integer(json, trace->window_ns);
	}
	if (trace->has_lag) {
		json_writer_key(json, "lag_ns");
		json_writer_integer(json, trace->lag_ns);
	}
	json_writer_end_object(json);
}
