/* SPDX-License-Identifier: MIT */
#include "sinks/latency/latency.h"

#include <glib.h>
#include <stdbool.h>
#include <string.h>

#include "ros2bt/bt/own.h"
#include "ros2bt/bt/record_batch.h"
#include "ros2bt/bt/component_log.h"
#include "ros2bt/bt/error_text.h"
#include "ros2bt/bt/given_params.h"
#include "ros2bt/clocks/record_alignment.h"
#include "ros2bt/session/unmatched_globs.h"
#include "ros2bt/session/first_pass.h"
#include "ros2bt/session/session.h"

struct latency {
	struct session_params params;
	struct session *session;	    /* owned */
	struct message_decoder *decoder;    /* owned */
	struct message_merge *merge;	    /* owned; NULL until the graph is configured */
	struct first_pass *pass;	    /* owned; NULL unless clocks are to be aligned, or links proposed */
	bool is_in_first_pass;		    /* reading for it; then the graph goes back */
	struct record_alignment *alignment; /* owned; on the way to the session; NULL unless clocks are aligned */
	struct record_batch batch;
	bool is_finished;
};

bt_component_class_get_supported_mip_versions_method_status
latency_get_supported_mip_versions(bt_self_component_class_sink *self, const bt_value *params, void *data,
				   bt_logging_level logging_level, bt_integer_range_set_unsigned *versions)
{
	return bt_integer_range_set_unsigned_add_range(versions, 0, 1) == BT_INTEGER_RANGE_SET_ADD_RANGE_STATUS_OK
		       ? BT_COMPONENT_CLASS_GET_SUPPORTED_MIP_VERSIONS_METHOD_STATUS_OK
		       : BT_COMPONENT_CLASS_GET_SUPPORTED_MIP_VERSIONS_METHOD_STATUS_MEMORY_ERROR;
}

static void latency_destroy(struct latency *latency)
{
	message_merge_destroy(latency->merge);
	message_decoder_destroy(latency->decoder);
	record_alignment_destroy(latency->alignment);
	session_destroy(latency->session);
	first_pass_destroy(latency->pass);
	session_params_clear(&latency->params);
	g_free(latency);
}

/* Messages from upstream arrive only once. */
static bool check_once(const struct session_params *params, GError **error)
{
	if (time_range_needs_end(&params->options.range)) {
		g_set_error(
			error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
			"parameters \"begin\", \"end\": the sink reads a trace once and does not know its end "
			"beforehand; ros2-latency(1) takes a time from the end (--begin=-5s), the sink one from the "
			"start (begin=\"+5s\")");
		return false;
	}
	return true;
}

/* For what is read now: the first pass, or the session. */
static struct message_decoder *create_decoder(const struct latency *latency, bt_self_component *component)
{
	uint64_t mip_version = bt_self_component_get_graph_mip_version(component);

	return latency->is_in_first_pass ? message_decoder_create(first_pass_recording(latency->pass),
								  first_pass_interest(latency->pass), mip_version)
					 : message_decoder_create(session_recording(latency->session),
								  session_interest(latency->session), mip_version);
}

bt_component_class_initialize_method_status latency_initialize(bt_self_component_sink *self,
							       bt_self_component_sink_configuration *configuration,
							       const bt_value *params, void *data)
{
	bt_self_component *component = bt_self_component_sink_as_self_component(self);
	struct latency *latency = g_new0(struct latency, 1);
	g_autoptr(param_values) given = given_params(params);
	g_autoptr(GError) error = NULL;

	if (session_params_read(&latency->params, given, false, &error) && check_once(&latency->params, &error)) {
		latency->session = session_create(&latency->params.report, &latency->params.options, &error);
		if (!latency->session && error->domain == G_FILE_ERROR) {
			g_prefix_error(&error, "parameter \"output\": ");
		}
	}
	if (!latency->session) {
		component_error(component, "%s", error->message);
		latency_destroy(latency);
		return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_ERROR;
	}
	if (latency->params.options.aligns_clocks || latency->params.options.proposes_links) {
		latency->pass = first_pass_create(&latency->params.options, session_interest(latency->session));
		latency->is_in_first_pass = true;
	}
	latency->decoder = create_decoder(latency, component);
	if (message_merge_add_port(self) != BT_SELF_COMPONENT_ADD_PORT_STATUS_OK) {
		latency_destroy(latency);
		return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_ERROR;
	}
	bt_self_component_set_data(component, latency);
	return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_OK;
}

bt_component_class_port_connected_method_status
latency_port_connected(bt_self_component_sink *self, bt_self_component_port_input *port, const bt_port_output *other)
{
	/* the status enumerations give one meaning one number (func-status.h) */
	return (int)message_merge_add_port(self);
}

bt_component_class_sink_graph_is_configured_method_status latency_graph_is_configured(bt_self_component_sink *self)
{
	struct latency *latency = bt_self_component_get_data(bt_self_component_sink_as_self_component(self));

	return message_merge_create(self, &latency->merge);
}

/* A reader that has closed the pipe has seen enough: that is no error. Everything else is. */
static bool is_forgiven(bt_self_component *component, const GError *error)
{
	if (g_error_matches(error, G_FILE_ERROR, G_FILE_ERROR_PIPE)) {
		return true;
	}
	component_error(component, "%s", error->message);
	return false;
}

/* Globs that are probably misspelt, so that something is missing in the report. */
static void warn_of_unmatched_globs(const struct latency *latency, bt_self_component *component)
{
	g_auto(GStrv) texts = unmatched_globs_describe(&latency->params);

	for (size_t i = 0; texts[i]; i++) {
		component_log(bt_self_component_as_component(component), BT_LOGGING_LEVEL_WARNING, "%s", texts[i]);
	}
}

static bool finish(struct latency *latency, bt_self_component *component)
{
	g_autoptr(GError) error = NULL;

	latency->is_finished = true;
	if (latency->alignment) {
		record_alignment_finish(latency->alignment);
	}
	if (!session_finish(latency->session, &error)) {
		return is_forgiven(component, error);
	}
	if (!session_has_events(latency->session)) {
		component_log(bt_self_component_as_component(component), BT_LOGGING_LEVEL_WARNING,
			      "the trace has no ROS 2 runtime events%s",
			      recording_stream_count(session_recording(latency->session)) == 0
				      ? ": its stream files are missing or empty"
				      : "; was it recorded with `ros2 trace` or with ros2:* enabled, while the system "
					"was running?");
	}
	warn_of_unmatched_globs(latency, component);
	return true;
}

/* Reports that cannot be written for now are no problem of the recording. */
static void tell_news(struct latency *latency, bt_self_component *component)
{
	char *news;

	while ((news = session_take_news(latency->session))) {
		component_log(bt_self_component_as_component(component), BT_LOGGING_LEVEL_WARNING, "%s", news);
		g_free(news);
	}
}

static bt_component_class_sink_consume_method_status check(struct latency *latency, bt_self_component *component)
{
	g_autoptr(GError) error = NULL;

	tell_news(latency, component);
	if (G_LIKELY(session_check(latency->session, &error))) {
		return BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_OK;
	}
	latency->is_finished = true;
	return is_forgiven(component, error) ? BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_END
					     : BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_ERROR;
}

/* Nothing arrives for now: a report may be due nevertheless. */
static bt_component_class_sink_consume_method_status wait(struct latency *latency, bt_self_component *component)
{
	bt_component_class_sink_consume_method_status status;

	session_wait(latency->session);
	status = check(latency, component);
	return status == BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_OK
		       ? BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_AGAIN
		       : status;
}

/* Why upstream has failed, as far as the error on this thread holds a reason. */
static void add_reason(struct latency *latency)
{
	g_autofree char *reason = error_text();

	session_add_missing(latency->session, DIAGNOSTIC_NOT_READ,
			    reason ? reason : "a component before the sink has failed");
}

/* --- a first pass: everything is read twice --- */

static bool feed_session(const struct event_record *records, size_t count, void *data)
{
	session_feed(data, records, count);
	return true;
}

static bt_component_class_sink_consume_method_status begin_second_pass(struct latency *latency,
								       bt_self_component *component)
{
	bt_message_iterator_seek_beginning_status status = message_merge_go_back(latency->merge);

	if (status != BT_MESSAGE_ITERATOR_SEEK_BEGINNING_STATUS_OK) {
		if (status < 0) {
			latency->is_finished = true;
			component_error(component,
					"parameter %s reads a trace twice; use it where upstream can go back, or "
					"ros2-latency(1)",
					latency->params.options.aligns_clocks ? "\"clocks\": align"
									      : "\"links\": proposed");
		}
		return (int)status;
	}
	message_decoder_destroy(latency->decoder);
	first_pass_finish(latency->pass);
	session_take_first_pass(latency->session, latency->pass);
	latency->is_in_first_pass = false;
	latency->decoder = create_decoder(latency, component);
	if (session_clocks(latency->session)) {
		latency->alignment =
			record_alignment_create(session_recording(latency->session), session_clocks(latency->session),
						feed_session, latency->session);
	}
	return BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_OK;
}

/* To whom the records of the batch go now. */
static void feed(struct latency *latency)
{
	const struct record_batch *batch = &latency->batch;

	if (latency->is_in_first_pass) {
		first_pass_feed(latency->pass, batch->records, batch->count);
	} else if (latency->alignment) {
		record_alignment_feed(latency->alignment, batch->records, batch->count);
	} else {
		session_feed(latency->session, batch->records, batch->count);
		session_reach(latency->session, message_decoder_reached_ns(latency->decoder));
	}
}

bt_component_class_sink_consume_method_status latency_consume(bt_self_component_sink *self)
{
	bt_self_component *component = bt_self_component_sink_as_self_component(self);
	struct latency *latency = bt_self_component_get_data(component);
	bt_message_iterator_next_status status = record_batch_fill(&latency->batch, latency->merge, latency->decoder);

	feed(latency);
	if (status == BT_MESSAGE_ITERATOR_NEXT_STATUS_END && latency->is_in_first_pass) {
		return begin_second_pass(latency, component);
	}
	switch (status) {
	case BT_MESSAGE_ITERATOR_NEXT_STATUS_OK:
		return check(latency, component);
	case BT_MESSAGE_ITERATOR_NEXT_STATUS_AGAIN:
		return wait(latency, component);
	case BT_MESSAGE_ITERATOR_NEXT_STATUS_END:
		return finish(latency, component) ? BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_END
						  : BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_ERROR;
	default:
		if (latency->is_in_first_pass) {
			latency->is_finished = true;
			component_error(component, "could not read the trace to its end in the first of two passes; no "
						   "report is written");
			return (int)status;
		}
		add_reason(latency);
		component_error(component, "could not read the trace to its end%s",
				finish(latency, component) ? "; the report covers what was read" : "");
		return (int)status;
	}
}

void latency_finalize(bt_self_component_sink *self)
{
	bt_self_component *component = bt_self_component_sink_as_self_component(self);
	struct latency *latency = bt_self_component_get_data(component);
	g_autoptr(GError) error = NULL;

	/*
	 * An interrupted graph is destroyed without being run again, so this is the last chance. This method cannot
	 * return an error.
	 */
	if (latency->merge && !latency->is_finished && latency->is_in_first_pass) {
		component_log(bt_self_component_as_component(component), BT_LOGGING_LEVEL_WARNING,
			      "interrupted in the first of two passes over the trace; no report is written");
	} else if (latency->merge && !latency->is_finished) {
		component_log(bt_self_component_as_component(component), BT_LOGGING_LEVEL_WARNING,
			      "interrupted; the report covers what was read");
		session_add_missing(latency->session, DIAGNOSTIC_INTERRUPTED, "before the end of the trace");
		if (!session_finish(latency->session, &error) &&
		    !g_error_matches(error, G_FILE_ERROR, G_FILE_ERROR_PIPE)) {
			component_log(bt_self_component_as_component(component), BT_LOGGING_LEVEL_ERROR, "%s",
				      error->message);
		}
	}
	latency_destroy(latency);
}

static bool insert_fields(bt_value *map, const struct event_schema *schema)
{
	for (size_t i = 0; i < schema->field_count; i++) {
		const struct event_field *field = &schema->fields[i];
		g_autofree char *text = g_strdup_printf("%s, %s to %s", field_type_name(field->type),
							release_name(field->first), release_name(field->last));

		if (bt_value_map_insert_string_entry(map, field->name, text) != BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK) {
			return false;
		}
	}
	return true;
}

static bool insert_event(bt_value *map, const struct event_schema *schema, enum event_provider provider)
{
	g_autofree char *name = event_schema_full_name(schema, provider);
	bt_value *event = NULL;
	bt_value *event_fields = NULL;

	return bt_value_map_insert_empty_map_entry(map, name, &event) == BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK &&
	       bt_value_map_insert_string_entry(event, "text", schema->text) == BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK &&
	       bt_value_map_insert_string_entry(event, "class", event_class_name(schema->class)) ==
		       BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK &&
	       bt_value_map_insert_string_entry(event, "first", release_name(schema->first)) ==
		       BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK &&
	       bt_value_map_insert_string_entry(event, "last", release_name(schema->last)) ==
		       BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK &&
	       bt_value_map_insert_empty_map_entry(event, "fields", &event_fields) ==
		       BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK &&
	       insert_fields(event_fields, schema);
}

/* The table of events as a map. */
static const bt_value *describe_events(void)
{
	static const enum event_provider providers[] = { EVENT_PROVIDER_ROS2,	EVENT_PROVIDER_CARET,
							 EVENT_PROVIDER_R2R,	EVENT_PROVIDER_LIBC,
							 EVENT_PROVIDER_KERNEL, EVENT_PROVIDER_AGNOCAST };
	g_autoptr(bt_value) map = bt_value_map_create();

	for (int kind = 0; map && kind < EVENT_KIND_COUNT; kind++) {
		const struct event_schema *schema = event_schema_of(kind);

		for (size_t i = 0; i < G_N_ELEMENTS(providers); i++) {
			if ((schema->providers & providers[i]) && !insert_event(map, schema, providers[i])) {
				return NULL;
			}
		}
	}
	return g_steal_pointer(&map);
}

bt_component_class_query_method_status latency_query(bt_self_component_class_sink *self,
						     bt_private_query_executor *executor, const char *object,
						     const bt_value *params, void *data, const bt_value **result)
{
	static const struct param rows[] = { SESSION_PARAMS(PARAM_ROW) };

	if (strcmp(object, "schema") == 0) {
		*result = describe_events();
	} else if (strcmp(object, "parameters") == 0) {
		*result = params_describe(rows, G_N_ELEMENTS(rows));
	} else {
		return BT_COMPONENT_CLASS_QUERY_METHOD_STATUS_UNKNOWN_OBJECT;
	}
	return *result ? BT_COMPONENT_CLASS_QUERY_METHOD_STATUS_OK
		       : BT_COMPONENT_CLASS_QUERY_METHOD_STATUS_MEMORY_ERROR;
}
