/* SPDX-License-Identifier: MIT */
#include "ros2bt/bt_trace_graph.h"

#include <string.h>

#include "ros2bt/bt_own.h"

#define DIRECTORY_DEPTH_MAX 64

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
	const bt_plugin *utils_plugin;
	GArray *groups; /* struct trace_group */
	bt_trace_graph_take take;
	void *data;
	bt_message_iterator *iterator; /* of the sink */
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

/* What babeltrace2 says: the cause that came first is the one that tells the reason. */
static bool fail_with_causes(struct trace_graph *trace_graph, const char *what)
{
	const bt_error *error = bt_current_thread_take_error();

	if (!error) {
		return fail(trace_graph, "%s", what);
	}
	fail(trace_graph, "%s: %s", what, bt_error_cause_get_message(bt_error_borrow_cause_by_index(error, 0)));
	bt_error_release(error);
	return false;
}

static bool find_plugin(struct trace_graph *trace_graph, const char *name, const bt_plugin **plugin)
{
	return bt_plugin_find(name, BT_TRUE, BT_TRUE, BT_TRUE, BT_TRUE, BT_FALSE, plugin) == BT_PLUGIN_FIND_STATUS_OK ||
	       fail(trace_graph, "babeltrace2's plugin `%s` is not there", name);
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

/* Asks source.ctf.fs whether a directory is a trace, and which group it belongs to. */
static bool query_directory(struct trace_graph *trace_graph, const char *path, const char *relative_path,
			    bool *is_trace)
{
	const bt_component_class_source *class =
		bt_plugin_borrow_source_component_class_by_name_const(trace_graph->ctf_plugin, "fs");
	g_autoptr(bt_value) parameters = bt_value_map_create();
	g_autoptr(bt_query_executor) executor = NULL;
	const bt_value *result = NULL;
	const bt_value *weight, *group = NULL;

	bt_value_map_insert_string_entry(parameters, "input", path);
	bt_value_map_insert_string_entry(parameters, "type", "directory");
	executor = bt_query_executor_create(bt_component_class_source_as_component_class_const(class),
					    "babeltrace.support-info", parameters);
	if (bt_query_executor_query(executor, &result) != BT_QUERY_EXECUTOR_QUERY_STATUS_OK) {
		return fail_with_causes(trace_graph, path);
	}
	weight = bt_value_is_map(result) ? bt_value_map_borrow_entry_value_const(result, "weight") : result;
	*is_trace = weight && weight_of(weight) > 0;
	if (*is_trace) {
		group = bt_value_is_map(result) ? bt_value_map_borrow_entry_value_const(result, "group") : NULL;
		add_input(find_or_add_group(trace_graph,
					    group && bt_value_is_string(group) ? bt_value_string_get(group) : NULL),
			  path, relative_path);
	}
	bt_value_put_ref(result);
	return true;
}

static gint compare_texts(gconstpointer a, gconstpointer b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static char *join_relative(const char *relative_path, const char *name)
{
	return relative_path[0] == '\0' ? g_strdup(name) : g_build_filename(relative_path, name, NULL);
}

static bool find_traces(struct trace_graph *trace_graph, const char *path, const char *relative_path,
			unsigned int depth)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GError) error = NULL;
	g_autoptr(GDir) directory = NULL;
	const char *name;
	bool is_trace = false;

	if (depth == DIRECTORY_DEPTH_MAX) {
		return fail(trace_graph, "%s: directories nested too deep", path);
	}
	if (!query_directory(trace_graph, path, relative_path, &is_trace) || is_trace) {
		return is_trace;
	}
	directory = g_dir_open(path, 0, &error);
	if (!directory) {
		return (depth > 0 && g_error_matches(error, G_FILE_ERROR, G_FILE_ERROR_ACCES)) ||
		       fail(trace_graph, "%s", error->message);
	}
	while ((name = g_dir_read_name(directory))) {
		g_ptr_array_add(names, g_strdup(name));
	}
	g_ptr_array_sort(names, compare_texts);
	for (guint i = 0; i < names->len; i++) {
		const char *entry = g_ptr_array_index(names, i);
		g_autofree char *child = g_build_filename(path, entry, NULL);
		g_autofree char *relative_child = join_relative(relative_path, entry);

		if (g_file_test(child, G_FILE_TEST_IS_DIR) &&
		    !find_traces(trace_graph, child, relative_child, depth + 1)) {
			return false;
		}
	}
	return true;
}

/* Connects all ports of a source to the muxer, whose last input port is always a free one. */
static bool connect_source(struct trace_graph *trace_graph, const bt_component_source *source,
			   const bt_component_filter *muxer)
{
	uint64_t count = bt_component_source_get_output_port_count(source);

	for (uint64_t i = 0; i < count; i++) {
		uint64_t free_port = bt_component_filter_get_input_port_count(muxer) - 1;

		if (bt_graph_connect_ports(trace_graph->graph,
					   bt_component_source_borrow_output_port_by_index_const(source, i),
					   bt_component_filter_borrow_input_port_by_index_const(muxer, free_port),
					   NULL) != BT_GRAPH_CONNECT_PORTS_STATUS_OK) {
			return fail_with_causes(trace_graph, "cannot connect a stream");
		}
	}
	return true;
}

static bool add_source(struct trace_graph *trace_graph, guint index, const bt_component_filter *muxer)
{
	const struct trace_group *group = &g_array_index(trace_graph->groups, struct trace_group, index);
	const bt_component_class_source *class =
		bt_plugin_borrow_source_component_class_by_name_const(trace_graph->ctf_plugin, "fs");
	g_autoptr(bt_value) parameters = bt_value_map_create();
	g_autofree char *name = g_strdup_printf("source-%u", index);
	const bt_component_source *source;

	bt_value_map_insert_entry(parameters, "inputs", group->inputs);
	/* As the command line does it: where a trace is one directory, the path to it is part of its name. */
	if (bt_value_array_get_length(group->inputs) == 1 && group->relative_path[0] != '\0') {
		bt_value_map_insert_string_entry(parameters, "trace-name", group->relative_path);
	}
	if (bt_graph_add_source_component(trace_graph->graph, class, name, parameters, BT_LOGGING_LEVEL_NONE,
					  &source) != BT_GRAPH_ADD_COMPONENT_STATUS_OK) {
		return fail_with_causes(trace_graph, "cannot open a trace");
	}
	return connect_source(trace_graph, source, muxer);
}

static bt_graph_simple_sink_component_initialize_func_status sink_initialize(bt_message_iterator *iterator, void *data)
{
	struct trace_graph *trace_graph = data;

	bt_message_iterator_get_ref(iterator);
	trace_graph->iterator = iterator;
	return BT_GRAPH_SIMPLE_SINK_COMPONENT_INITIALIZE_FUNC_STATUS_OK;
}

static bt_graph_simple_sink_component_consume_func_status sink_consume(bt_message_iterator *iterator, void *data)
{
	struct trace_graph *trace_graph = data;
	bt_message_array_const messages;
	uint64_t count;
	bt_message_iterator_next_status status = bt_message_iterator_next(iterator, &messages, &count);

	if (status == BT_MESSAGE_ITERATOR_NEXT_STATUS_END) {
		return BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_END;
	}
	if (status == BT_MESSAGE_ITERATOR_NEXT_STATUS_AGAIN) {
		return BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_AGAIN;
	}
	if (status != BT_MESSAGE_ITERATOR_NEXT_STATUS_OK) {
		return BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_ERROR;
	}
	for (uint64_t i = 0; i < count; i++) {
		trace_graph->has_stopped =
			trace_graph->has_stopped || !trace_graph->take(messages[i], trace_graph->data);
		bt_message_put_ref(messages[i]);
	}
	return trace_graph->has_stopped ? BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_END
					: BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_OK;
}

static void sink_finalize(void *data)
{
	struct trace_graph *trace_graph = data;

	bt_message_iterator_put_ref(trace_graph->iterator);
	trace_graph->iterator = NULL;
}

static bool build_graph(struct trace_graph *trace_graph, bool *has_ports)
{
	const bt_component_class_filter *muxer_class =
		bt_plugin_borrow_filter_component_class_by_name_const(trace_graph->utils_plugin, "muxer");
	const bt_component_filter *muxer;
	const bt_component_sink *sink;

	if (bt_graph_add_filter_component(trace_graph->graph, muxer_class, "muxer", NULL, BT_LOGGING_LEVEL_NONE,
					  &muxer) != BT_GRAPH_ADD_COMPONENT_STATUS_OK ||
	    bt_graph_add_simple_sink_component(trace_graph->graph, "reader", sink_initialize, sink_consume,
					       sink_finalize, trace_graph, &sink) != BT_GRAPH_ADD_COMPONENT_STATUS_OK ||
	    bt_graph_connect_ports(trace_graph->graph, bt_component_filter_borrow_output_port_by_index_const(muxer, 0),
				   bt_component_sink_borrow_input_port_by_index_const(sink, 0),
				   NULL) != BT_GRAPH_CONNECT_PORTS_STATUS_OK) {
		return fail_with_causes(trace_graph, "cannot make the graph");
	}
	for (guint i = 0; i < trace_graph->groups->len; i++) {
		if (!add_source(trace_graph, i, muxer)) {
			return false;
		}
	}
	*has_ports = bt_component_filter_get_input_port_count(muxer) > 1;
	return true;
}

static bool run(struct trace_graph *trace_graph, const char *const *paths, size_t path_count)
{
	bool has_ports = false;

	if (!find_plugin(trace_graph, "ctf", &trace_graph->ctf_plugin) ||
	    !find_plugin(trace_graph, "utils", &trace_graph->utils_plugin)) {
		return false;
	}
	for (size_t i = 0; i < path_count; i++) {
		if (!find_traces(trace_graph, paths[i], "", 0)) {
			return false;
		}
	}
	if (trace_graph->groups->len == 0) {
		return fail(trace_graph, "no trace found");
	}
	if (!build_graph(trace_graph, &has_ports)) {
		return false;
	}
	/* A trace without streams gives nothing, and no graph that could be run. */
	if (has_ports && bt_graph_run(trace_graph->graph) != BT_GRAPH_RUN_STATUS_OK) {
		return fail_with_causes(trace_graph, "cannot read the traces");
	}
	return !trace_graph->has_stopped;
}

bool bt_trace_graph_run(const char *const *paths, size_t path_count, bt_trace_graph_take take, void *data,
			char **reason)
{
	struct trace_graph trace_graph = {
		.graph = bt_graph_create(0),
		.groups = g_array_new(FALSE, FALSE, sizeof(struct trace_group)),
		.take = take,
		.data = data,
	};
	bool is_read;

	g_array_set_clear_func(trace_graph.groups, group_clear);
	is_read = run(&trace_graph, paths, path_count);
	bt_graph_put_ref(trace_graph.graph);
	bt_plugin_put_ref(trace_graph.ctf_plugin);
	bt_plugin_put_ref(trace_graph.utils_plugin);
	g_array_free(trace_graph.groups, TRUE);
	*reason = trace_graph.reason;
	return is_read;
}
