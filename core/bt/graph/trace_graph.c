/* SPDX-License-Identifier: MIT */
#include "ros2bt/bt/trace_graph.h"

#include <glib/gstdio.h>
#include <string.h>

#include "ros2bt/bt/error_text.h"
#include "ros2bt/bt/live_interruption.h"
#include "ros2bt/bt/own.h"
#include "ros2bt/bt/record_batch.h"
#include "ros2bt/events/directory_walk.h"
#include "core/events/trace_files/ctf2.h"
#include "core/events/trace_files/metadata_packets.h"
#include "core/events/trace_files/trace_path.h"
#include "core/base/text/path_list.h"

#define MIP_VERSION_MAX 1 /* the greatest that message_merge.h and message_decoder.h know */

G_DEFINE_AUTOPTR_CLEANUP_FUNC(bt_component_class_sink, bt_component_class_sink_put_ref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(bt_component_descriptor_set, bt_component_descriptor_set_put_ref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(bt_plugin, bt_plugin_put_ref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(bt_query_executor, bt_query_executor_put_ref)

/* Directories that source.ctf.fs reads as one trace. */
struct trace_group {
	char *name; /* NULL: a trace of its own */
	bt_value *inputs;
	char *relative_path; /* of the last input: below the path that the user gave */
};

struct trace_graph {
	bt_graph *graph;
	const bt_plugin *ctf_plugin;
	GArray *groups;		     /* struct trace_group */
	struct recording *recording; /* borrowed */
	const struct event_interest *interest;
	struct message_decoder *decoder; /* NULL until the graph is configured */
	struct message_merge *merge;	 /* owned by the sink; NULL until the graph is configured */
	struct record_batch batch;
	trace_graph_take take;
	void *data;
	const struct trace_graph_follower *follower; /* borrowed; NULL: files are read */
	GPtrArray *left_out; /* borrowed; char *, a line for each trace or directory that cannot be read */
	bool has_stopped;
	char *reason;
};

static void group_clear(gpointer data)
{
	struct trace_group *group = data;

	g_free(group->name);
	g_free(group->relative_path);
	bt_value_put_ref(group->inputs);
}

static bool fail(struct trace_graph *trace_graph, const char *format, ...) G_GNUC_PRINTF(2, 3);

static bool fail(struct trace_graph *trace_graph, const char *format, ...)
{
	va_list arguments;

	if (!trace_graph->reason) {
		va_start(arguments, format);
		trace_graph->reason = g_strdup_vprintf(format, arguments);
		va_end(arguments);
	}
	return false;
}

/* Takes the error off this thread, as a sentence. */
static char *take_error_text(const char *otherwise)
{
	char *text = error_text();

	bt_current_thread_clear_error();
	return text ? text : g_strdup(otherwise);
}

static bool fail_with_causes(struct trace_graph *trace_graph, const char *what)
{
	g_autofree char *text = take_error_text(what);

	return fail(trace_graph, "%s", text);
}

/* The other traces are read. */
static void leave_out(struct trace_graph *trace_graph, const char *path, const char *why)
{
	g_ptr_array_add(trace_graph->left_out,
			strstr(why, path) ? g_strdup(why) : g_strdup_printf("%s: %s", path, why));
}

static void leave_out_with_causes(struct trace_graph *trace_graph, const char *path)
{
	g_autofree char *text = take_error_text(TRACE_GRAPH_NO_REASON);

	leave_out(trace_graph, path, text);
}

static bool find_plugin(struct trace_graph *trace_graph, const char *name, const bt_plugin **plugin)
{
	return bt_plugin_find(name, BT_TRUE, BT_TRUE, BT_TRUE, BT_TRUE, BT_FALSE, plugin) == BT_PLUGIN_FIND_STATUS_OK ||
	       fail(trace_graph,
		    "babeltrace2 has no plugin `%s`: install the package babeltrace2, or set BABELTRACE_PLUGIN_PATH",
		    name);
}

static struct trace_group *find_or_add_group(struct trace_graph *trace_graph, const char *name)
{
	struct trace_group group = { .name = g_strdup(name) };

	for (guint i = 0; name && i < trace_graph->groups->len; i++) {
		struct trace_group *other = &g_array_index(trace_graph->groups, struct trace_group, i);

		if (g_strcmp0(other->name, name) == 0) {
			g_free(group.name);
			return other;
		}
	}
	group.inputs = bt_value_array_create();
	g_array_append_val(trace_graph->groups, group);
	return &g_array_index(trace_graph->groups, struct trace_group, trace_graph->groups->len - 1);
}

static double weight_of(const bt_value *value)
{
	return bt_value_is_real(value)		   ? bt_value_real_get(value)
	       : bt_value_is_signed_integer(value) ? (double)bt_value_integer_signed_get(value)
						   : 0;
}

static void add_input(struct trace_group *group, const char *path, const char *relative_path)
{
	bt_value_array_append_string_element(group->inputs, path);
	g_free(group->relative_path);
	group->relative_path = g_strdup(relative_path);
}

/* source.ctf.fs of babeltrace2 2.1 aborts on it. */
static bool is_empty_file(const char *path)
{
	GStatBuf status;

	return g_stat(path, &status) == 0 && status.st_size == 0;
}

/* The version of the library may differ from that of the headers. */
static bool babeltrace2_reads_ctf2(void)
{
	return bt_version_get_major() > 2 || bt_version_get_minor() > 0;
}

/* What source.ctf.fs accepts, or refuses without a reason that a user understands. */
static const char *metadata_problem(const char *path)
{
	g_autofree char *metadata = g_build_filename(path, "metadata", NULL);

	if (is_empty_file(metadata)) {
		return "the metadata is empty";
	}
	if (metadata_is_cut(metadata)) {
		return "metadata: " METADATA_CUT;
	}
	return babeltrace2_reads_ctf2() || !ctf2_is_metadata_file(metadata) ? NULL : CTF2_REFUSAL;
}

static const bt_component_class_source *source_class(const struct trace_graph *trace_graph)
{
	return bt_plugin_borrow_source_component_class_by_name_const(trace_graph->ctf_plugin,
								     trace_graph->follower ? "lttng-live" : "fs");
}

/* Asks source.ctf.fs whether a directory is a trace, and which group it belongs to. Whether to look into it. */
static bool query_directory(struct trace_graph *trace_graph, const char *path, const char *relative_path)
{
	const bt_component_class_source *class = source_class(trace_graph);
	g_autoptr(bt_value) parameters = bt_value_map_create();
	g_autoptr(bt_query_executor) executor = NULL;
	const bt_value *result = NULL;
	const bt_value *weight, *group = NULL;
	bool is_trace;

	bt_value_map_insert_string_entry(parameters, "input", path);
	bt_value_map_insert_string_entry(parameters, "type", "directory");
	executor = bt_query_executor_create(bt_component_class_source_as_component_class_const(class),
					    "babeltrace.support-info", parameters);
	if (bt_query_executor_query(executor, &result) != BT_QUERY_EXECUTOR_QUERY_STATUS_OK) {
		leave_out_with_causes(trace_graph, path);
		return false;
	}
	weight = bt_value_is_map(result) ? bt_value_map_borrow_entry_value_const(result, "weight") : result;
	is_trace = weight && weight_of(weight) > 0;
	if (is_trace) {
		group = bt_value_is_map(result) ? bt_value_map_borrow_entry_value_const(result, "group") : NULL;
		add_input(find_or_add_group(trace_graph,
					    group && bt_value_is_string(group) ? bt_value_string_get(group) : NULL),
			  path, relative_path);
	}
	bt_value_put_ref(result);
	return !is_trace;
}

static bool add_or_enter(const char *path, const char *relative_path, void *data)
{
	const char *problem = metadata_problem(path);

	if (problem) {
		leave_out(data, path, problem);
		return false;
	}
	return query_directory(data, path, relative_path);
}

static bool find_traces(struct trace_graph *trace_graph, const char *path)
{
	const struct directory_walk walk = {
		.enters = add_or_enter,
		.data = trace_graph,
		.left_out = trace_graph->left_out,
	};

	return directory_walk(&walk, path, &trace_graph->reason);
}

/* Nothing can be read at all: the first reason is given for all. */
static bool fail_with_left_out(struct trace_graph *trace_graph)
{
	return fail(trace_graph, "%s", (const char *)g_ptr_array_index(trace_graph->left_out, 0));
}

/* Connects all ports of a source to the sink; the last input port of the sink is always free. */
static bool connect_source(struct trace_graph *trace_graph, const bt_component_source *source,
			   const bt_component_sink *sink)
{
	uint64_t count = bt_component_source_get_output_port_count(source);

	for (uint64_t i = 0; i < count; i++) {
		uint64_t free_port = bt_component_sink_get_input_port_count(sink) - 1;

		if (bt_graph_connect_ports(trace_graph->graph,
					   bt_component_source_borrow_output_port_by_index_const(source, i),
					   bt_component_sink_borrow_input_port_by_index_const(sink, free_port),
					   NULL) != BT_GRAPH_CONNECT_PORTS_STATUS_OK) {
			return fail_with_causes(trace_graph, "cannot connect a stream");
		}
	}
	return true;
}

static const char *group_path(const struct trace_group *group)
{
	return bt_value_string_get(bt_value_array_borrow_element_by_index_const(group->inputs, 0));
}

/* Parameters of the source that reads a group. */
static bt_value *source_parameters(const struct trace_graph *trace_graph, guint index)
{
	const struct trace_group *group = &g_array_index(trace_graph->groups, struct trace_group, index);
	bt_value *parameters = bt_value_map_create();

	bt_value_map_insert_entry(parameters, "inputs", group->inputs);
	if (trace_graph->follower) {
		bt_value_map_insert_string_entry(parameters, "session-not-found-action", "end");
		return parameters;
	}
	/* As on the command line: if a trace is a single directory, its path is part of the name. */
	if (bt_value_array_get_length(group->inputs) == 1 && group->relative_path[0] != '\0') {
		bt_value_map_insert_string_entry(parameters, "trace-name", group->relative_path);
	}
	return parameters;
}

/* *source is NULL where babeltrace2 cannot open the group. */
static bool add_source(struct trace_graph *trace_graph, guint index, const bt_component_source **source)
{
	const struct trace_group *group = &g_array_index(trace_graph->groups, struct trace_group, index);
	g_autoptr(bt_value) parameters = source_parameters(trace_graph, index);
	/* Error messages contain the name of the component. Without UUIDs a path may occur twice. */
	g_autofree char *name =
		group->name ? g_strdup(group_path(group)) : g_strdup_printf("%s (%u)", group_path(group), index);

	*source = NULL;
	return bt_graph_add_source_component(trace_graph->graph, source_class(trace_graph), name, parameters,
					     BT_LOGGING_LEVEL_NONE, source) == BT_GRAPH_ADD_COMPONENT_STATUS_OK;
}

/* The sink */

static struct trace_graph *graph_of(bt_self_component_sink *self)
{
	return bt_self_component_get_data(bt_self_component_sink_as_self_component(self));
}

static bt_component_class_get_supported_mip_versions_method_status
sink_supported_mip_versions(bt_self_component_class_sink *self, const bt_value *params, void *data,
			    bt_logging_level logging_level, bt_integer_range_set_unsigned *versions)
{
	return (int)bt_integer_range_set_unsigned_add_range(versions, 0, MIP_VERSION_MAX);
}

static bt_component_class_initialize_method_status sink_initialize(bt_self_component_sink *self,
								   bt_self_component_sink_configuration *configuration,
								   const bt_value *params, void *data)
{
	bt_self_component_set_data(bt_self_component_sink_as_self_component(self), data);
	/* the status enumerations give one meaning one number (func-status.h) */
	return (int)message_merge_add_port(self);
}

static bt_component_class_port_connected_method_status
sink_port_connected(bt_self_component_sink *self, bt_self_component_port_input *port, const bt_port_output *other)
{
	return (int)message_merge_add_port(self);
}

static bt_component_class_sink_graph_is_configured_method_status sink_graph_is_configured(bt_self_component_sink *self)
{
	struct trace_graph *trace_graph = graph_of(self);
	bt_self_component *component = bt_self_component_sink_as_self_component(self);

	trace_graph->decoder = message_decoder_create(trace_graph->recording, trace_graph->interest,
						      bt_self_component_get_graph_mip_version(component));
	return message_merge_create(self, &trace_graph->merge);
}

static bt_component_class_sink_consume_method_status sink_consume(bt_self_component_sink *self)
{
	struct trace_graph *trace_graph = graph_of(self);
	struct record_batch *batch = &trace_graph->batch;
	bt_message_iterator_next_status status = record_batch_fill(batch, trace_graph->merge, trace_graph->decoder);
	int64_t reached_ns = message_decoder_reached_ns(trace_graph->decoder);

	trace_graph->has_stopped = !trace_graph->take(batch->records, batch->count, trace_graph->data);
	if (trace_graph->follower && reached_ns != INT64_MIN) {
		trace_graph->follower->reached(reached_ns, trace_graph->data);
	}
	return trace_graph->has_stopped ? BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_END : (int)status;
}

static void sink_finalize(bt_self_component_sink *self)
{
	message_merge_destroy(graph_of(self)->merge);
	graph_of(self)->merge = NULL;
}

static bt_component_class_sink *make_sink_class(void)
{
	bt_component_class_sink *class = bt_component_class_sink_create("reader", sink_consume);

	if (class) {
		bt_component_class_sink_set_get_supported_mip_versions_method(class, sink_supported_mip_versions);
		bt_component_class_sink_set_initialize_method(class, sink_initialize);
		bt_component_class_sink_set_input_port_connected_method(class, sink_port_connected);
		bt_component_class_sink_set_graph_is_configured_method(class, sink_graph_is_configured);
		bt_component_class_sink_set_finalize_method(class, sink_finalize);
	}
	return class;
}

/* The graph */

/* Every component that the graph will have. */
static bool describe_components(const struct trace_graph *trace_graph, const bt_component_class_sink *sink_class,
				bt_component_descriptor_set *components)
{
	const bt_component_class *source =
		bt_component_class_source_as_component_class_const(source_class(trace_graph));
	const bt_component_class *sink = bt_component_class_sink_as_component_class_const(sink_class);
	bool is_described = bt_component_descriptor_set_add_descriptor(components, sink, NULL) ==
			    BT_COMPONENT_DESCRIPTOR_SET_ADD_DESCRIPTOR_STATUS_OK;

	for (guint i = 0; is_described && i < trace_graph->groups->len; i++) {
		g_autoptr(bt_value) parameters = source_parameters(trace_graph, i);

		is_described = bt_component_descriptor_set_add_descriptor(components, source, parameters) ==
			       BT_COMPONENT_DESCRIPTOR_SET_ADD_DESCRIPTOR_STATUS_OK;
	}
	return is_described;
}

static bool create_graph(struct trace_graph *trace_graph, const bt_component_class_sink *sink_class)
{
	g_autoptr(bt_component_descriptor_set) components = bt_component_descriptor_set_create();
	uint64_t version;

	if (!components || !describe_components(trace_graph, sink_class, components) ||
	    bt_get_greatest_operative_mip_version(components, BT_LOGGING_LEVEL_NONE, &version) !=
		    BT_GET_GREATEST_OPERATIVE_MIP_VERSION_STATUS_OK) {
		return false;
	}
	trace_graph->graph = bt_graph_create(version);
	return trace_graph->graph != NULL;
}

static const bt_component_sink *add_sink(struct trace_graph *trace_graph, const bt_component_class_sink *class)
{
	const bt_component_sink *sink = NULL;

	bt_graph_add_sink_component_with_initialize_method_data(trace_graph->graph, class, "reader", NULL, trace_graph,
								BT_LOGGING_LEVEL_NONE, &sink);
	return sink;
}

/* A graph of all groups. One that cannot be opened makes a graph useless: *unreadable is its index then. */
static bool build_graph(struct trace_graph *trace_graph, bool *has_ports, guint *unreadable)
{
	g_autoptr(bt_component_class_sink) class = make_sink_class();
	const bt_component_sink *sink;

	if (!class || !create_graph(trace_graph, class) || !(sink = add_sink(trace_graph, class))) {
		return fail_with_causes(trace_graph, "cannot create the graph");
	}
	for (guint i = 0; i < trace_graph->groups->len; i++) {
		const bt_component_source *source;

		if (!add_source(trace_graph, i, &source)) {
			*unreadable = i;
			return false;
		}
		if (!connect_source(trace_graph, source, sink)) {
			return false;
		}
	}
	*has_ports = bt_component_sink_get_input_port_count(sink) > 1;
	return true;
}

/* Leaves out, one after the other, the groups that cannot be opened. */
static bool build_readable_graph(struct trace_graph *trace_graph, bool *has_ports)
{
	guint unreadable = trace_graph->groups->len;

	while (trace_graph->groups->len > 0 && !build_graph(trace_graph, has_ports, &unreadable)) {
		if (unreadable == trace_graph->groups->len) {
			return false;
		}
		leave_out_with_causes(trace_graph,
				      group_path(&g_array_index(trace_graph->groups, struct trace_group, unreadable)));
		g_array_remove_index(trace_graph->groups, unreadable);
		unreadable = trace_graph->groups->len;
		BT_GRAPH_PUT_REF_AND_RESET(trace_graph->graph);
	}
	return trace_graph->groups->len > 0 || fail_with_left_out(trace_graph);
}

static bool run(struct trace_graph *trace_graph, const char *const *paths, size_t path_count)
{
	bool has_ports = false;

	if (!find_plugin(trace_graph, "ctf", &trace_graph->ctf_plugin)) {
		return false;
	}
	for (size_t i = 0; i < path_count; i++) {
		g_autofree char *problem = trace_path_problem(paths[i]);

		if (problem) {
			return fail(trace_graph, "%s", problem);
		}
		if (!find_traces(trace_graph, paths[i])) {
			return false;
		}
	}
	if (trace_graph->groups->len == 0 && trace_graph->left_out->len == 0) {
		g_autofree char *list = path_list_text(paths, path_count);

		return fail(trace_graph, "no trace found in %s: no directory there has a file `metadata`", list);
	}
	if (!build_readable_graph(trace_graph, &has_ports)) {
		return false;
	}
	/* A trace without streams gives no records, and no graph that could run. */
	if (has_ports && bt_graph_run(trace_graph->graph) != BT_GRAPH_RUN_STATUS_OK) {
		return fail_with_causes(trace_graph, "cannot read the traces");
	}
	return !trace_graph->has_stopped;
}

/* --- a recording that goes on --- */

#define RETRY_US 100000

static bool run_live(struct trace_graph *trace_graph, const char *url)
{
	bt_graph_run_status status;
	bool has_ports = false;
	guint unreadable;

	if (!find_plugin(trace_graph, "ctf", &trace_graph->ctf_plugin)) {
		return false;
	}
	add_input(find_or_add_group(trace_graph, url), url, "");
	if (!build_graph(trace_graph, &has_ports, &unreadable)) {
		return fail_with_causes(trace_graph, "babeltrace2 cannot open the live session");
	}
	while ((status = bt_graph_run(trace_graph->graph)) == BT_GRAPH_RUN_STATUS_AGAIN) {
		if (!trace_graph->follower->wait(trace_graph->data)) {
			trace_graph->has_stopped = true;
			return false;
		}
		g_usleep(RETRY_US);
	}
	if (status != BT_GRAPH_RUN_STATUS_OK && live_interruption_is_asked()) {
		bt_current_thread_clear_error(); /* of the connection that was shut down */
		trace_graph->has_stopped = true;
		return false;
	}
	if (status != BT_GRAPH_RUN_STATUS_OK) {
		return fail_with_causes(trace_graph, "cannot read the live session");
	}
	return !trace_graph->has_stopped;
}

/* --- from outside --- */

static struct trace_graph *create(struct recording *recording, const struct event_interest *interest,
				  trace_graph_take take, void *data)
{
	struct trace_graph *trace_graph = g_new0(struct trace_graph, 1);

	trace_graph->groups = g_array_new(FALSE, FALSE, sizeof(struct trace_group));
	g_array_set_clear_func(trace_graph->groups, group_clear);
	trace_graph->recording = recording;
	trace_graph->interest = interest;
	trace_graph->take = take;
	trace_graph->data = data;
	return trace_graph;
}

static void destroy(struct trace_graph *trace_graph)
{
	bt_graph_put_ref(trace_graph->graph);
	bt_current_thread_clear_error(); /* left by a graph that was stopped; the next one could not begin */
	message_decoder_destroy(trace_graph->decoder);
	bt_plugin_put_ref(trace_graph->ctf_plugin);
	g_array_free(trace_graph->groups, TRUE);
	g_free(trace_graph);
}

bool trace_graph_run(const char *const *paths, size_t path_count, struct recording *recording,
		     const struct event_interest *interest, trace_graph_take take, void *data, GPtrArray *left_out,
		     char **reason)
{
	struct trace_graph *trace_graph = create(recording, interest, take, data);
	bool is_read;

	trace_graph->left_out = left_out;
	is_read = run(trace_graph, paths, path_count);
	*reason = trace_graph->reason;
	destroy(trace_graph);
	return is_read;
}

bool trace_graph_run_live(const char *url, struct recording *recording, const struct event_interest *interest,
			  trace_graph_take take, const struct trace_graph_follower *follower, void *data, char **reason)
{
	struct trace_graph *trace_graph = create(recording, interest, take, data);
	bool is_read;

	trace_graph->follower = follower;
	live_interruption_begin();
	is_read = run_live(trace_graph, url);
	*reason = trace_graph->reason;
	destroy(trace_graph); /* asks the relay daemon to leave the session */
	live_interruption_end();
	return is_read;
}
