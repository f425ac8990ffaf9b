/* SPDX-License-Identifier: MIT */
#include "core/output/json_trace.h"

#include "core/output/json_writer.h"
#include "core/output/output.h"

static void write_version(struct json_writer *json, const struct report_version *version)
{
	json_writer_begin_object(json);
	json_writer_member_text(json, "version", version->version);
	json_writer_member_text_or_null(json, "release", version->release);
	json_writer_end_object(json);
}

void json_trace(struct json_writer *json, const struct report_trace *trace)
{
	json_writer_member_object(json, "trace");
	json_writer_member_texts(json, "hosts", trace->hostnames, trace->hostname_count);
	json_writer_member_array(json, "tracetools");
	for (size_t i = 0; i < trace->version_count; i++) {
		write_version(json, &trace->versions[i]);
	}
	json_writer_end_array(json);
	json_writer_member_unsigned(json, "nodes", trace->node_count);
	json_writer_member_unsigned(json, "topics", trace->topic_count);
	json_writer_member_unsigned(json, "traces", trace->trace_count);
	json_writer_member_unsigned(json, "processes", trace->process_count);
	json_writer_member_cell(json, "begin_ns",
				trace->has_runtime_events ? cell_integer(trace->begin_ns) : CELL_NONE);
	json_writer_member_cell(json, "end_ns", trace->has_runtime_events ? cell_integer(trace->end_ns) : CELL_NONE);
	json_writer_member_bool(json, "is_complete", trace->missing_count == 0);
	if (trace->window_ns > 0) {
		json_writer_member_integer(json, "window_ns", trace->window_ns);
	}
	if (trace->has_lag) {
		json_writer_member_integer(json, "lag_ns", trace->lag_ns);
	}
	json_writer_end_object(json);
}
