/* SPDX-License-Identifier: MIT */
#include "support/test_graph.h"

#include <stdlib.h>
#include <string.h>

#include "core/bt/merge/message_merge.h"
#include "ros2bt/bt/own.h"
#include "support/message_rules.h"
#include "support/message_text.h"
#include "support/must.h"
#include "support/scripted_source.h"

struct test_graph {
	bt_graph *graph;	       /* owned */
	const bt_plugin_set *plugins;  /* owned */
	GPtrArray *ends;	       /* const bt_port_output *: of the last component or the sources */
	GString *text;		       /* owned; what arrived */
	GString *error;		       /* owned */
	struct message_rules *rules;   /* owned */
	bt_message_iterator *iterator; /* owned by the checking sink, which has either this */
	struct message_merge *merge;   /* or this */
	void (*observer)(void *data, const bt_message *message);
	void *observer_data;
	guint component_count; /* of the plugin */
};

const bt_plugin_set *test_graph_load_plugins(void)
{
	const char *file = getenv("ROS2BT_PLUGIN");
	const bt_plugin_set *plugins = NULL;

	if (!file || bt_plugin_find_all_from_file(file, BT_TRUE, &plugins) != BT_PLUGIN_FIND_ALL_FROM_FILE_STATUS_OK) {
		g_error("no plugin in ROS2BT_PLUGIN=%s", file ? file : "");
	}
	return plugins;
}

static const bt_plugin *find_plugin(struct test_graph *graph)
{
	if (!graph->plugins) {
		graph->plugins = test_graph_load_plugins();
	}
	return bt_plugin_set_borrow_plugin_by_index_const(graph->plugins, 0);
}

uint64_t test_graph_mip_version(const char *filter)
{
	g_autoptr(bt_plugin_set) plugins = (bt_plugin_set *)test_graph_load_plugins();
	bt_component_descriptor_set *descriptors = bt_component_descriptor_set_create();
	const bt_component_class_filter *filter_class = bt_plugin_borrow_filter_component_class_by_name_const(
		bt_plugin_set_borrow_plugin_by_index_const(plugins, 0), filter);
	uint64_t version = 0;

	MUST(bt_component_descriptor_set_add_descriptor(
		     descriptors, bt_component_class_filter_as_component_class_const(filter_class), NULL) == 0);
	MUST(bt_get_greatest_operative_mip_version(descriptors, BT_LOGGING_LEVEL_NONE, &version) == 0);
	bt_component_descriptor_set_put_ref(descriptors);
	return version;
}

static void add_source(struct test_graph *graph, test_graph_source add, const void *data)
{
	g_autofree char *name = g_strdup_printf("source-%u", graph->ends->len);
	const bt_component_source *source = add(graph->graph, name, data);

	g_ptr_array_add(graph->ends, (gpointer)bt_component_source_borrow_output_port_by_index_const(source, 0));
}

static const bt_component_source *add_scripted(bt_graph *graph, const char *name, const void *script)
{
	return scripted_source_add(graph, name, script);
}

void test_graph_add_source(struct test_graph *graph, const char *script)
{
	add_source(graph, add_scripted, script);
}

struct test_graph *test_graph_create(const char *script)
{
	return test_graph_create_from(add_scripted, script, 0);
}

struct test_graph *test_graph_create_from(test_graph_source add, const void *data, uint64_t mip_version)
{
	struct test_graph *graph = g_new0(struct test_graph, 1);

	graph->graph = bt_graph_create(mip_version);
	graph->ends = g_ptr_array_new();
	graph->text = g_string_new(NULL);
	graph->error = g_string_new(NULL);
	graph->rules = message_rules_create();
	add_source(graph, add, data);
	return graph;
}

void test_graph_destroy(struct test_graph *graph)
{
	bt_graph_put_ref(graph->graph);
	bt_plugin_set_put_ref(graph->plugins);
	g_ptr_array_free(graph->ends, TRUE);
	message_rules_destroy(graph->rules);
	g_string_free(graph->text, TRUE);
	g_string_free(graph->error, TRUE);
	g_free(graph);
}

static void take_error(struct test_graph *graph)
{
	const bt_error *error = bt_current_thread_take_error();

	g_string_set_size(graph->error, 0);
	for (uint64_t i = 0; error && i < bt_error_get_cause_count(error); i++) {
		const char *message = bt_error_cause_get_message(bt_error_borrow_cause_by_index(error, i));

		g_string_append_printf(graph->error, "%s\n", message);
	}
	if (error) {
		bt_error_release(error);
	}
}

static void insert_array(bt_value *map, const char *key, const char *text)
{
	g_autofree char *inner = g_strndup(text + 1, strlen(text) - 2);
	g_auto(GStrv) items = g_strsplit(inner, ",", -1);
	bt_value *array = NULL;

	bt_value_map_insert_empty_array_entry(map, key, &array);
	for (size_t i = 0; items[i]; i++) {
		bt_value_array_append_string_element(array, items[i]);
	}
}

static void insert_parameter(bt_value *map, const char *key, const char *text)
{
	char *end = NULL;
	int64_t integer = g_ascii_strtoll(text, &end, 0);

	if (text[0] == '[') {
		insert_array(map, key, text);
	} else if (strcmp(text, "yes") == 0 || strcmp(text, "no") == 0) {
		bt_value_map_insert_bool_entry(map, key, text[0] == 'y');
	} else if (text[0] != '\0' && *end == '\0') {
		bt_value_map_insert_signed_integer_entry(map, key, integer);
	} else {
		bt_value_map_insert_string_entry(map, key, text);
	}
}

static bt_value *parse_parameters(const char *params)
{
	bt_value *map = bt_value_map_create();
	g_auto(GStrv) words = NULL;

	if (!params || !g_shell_parse_argv(params, NULL, &words, NULL)) {
		return map;
	}
	for (size_t i = 0; words[i]; i++) {
		char *equals = strchr(words[i], '=');

		g_assert(equals);
		*equals = '\0';
		insert_parameter(map, words[i], equals + 1);
	}
	return map;
}

static void connect(struct test_graph *graph, const bt_port_output *output, const bt_port_input *input)
{
	if (bt_graph_connect_ports(graph->graph, output, input, NULL) != BT_GRAPH_CONNECT_PORTS_STATUS_OK) {
		g_error("cannot connect ports");
	}
}

/* Connects each end to the last port at that time: a component of several ports adds one for the next. */
static void connect_filter(struct test_graph *graph, const bt_component_filter *filter)
{
	for (guint i = 0; i < graph->ends->len; i++) {
		uint64_t last = bt_component_filter_get_input_port_count(filter) - 1;

		connect(graph, g_ptr_array_index(graph->ends, i),
			bt_component_filter_borrow_input_port_by_index_const(filter, last));
	}
	g_ptr_array_set_size(graph->ends, 0);
	g_ptr_array_add(graph->ends, (gpointer)bt_component_filter_borrow_output_port_by_index_const(filter, 0));
}

static void connect_sink(struct test_graph *graph, const bt_component_sink *sink)
{
	for (guint i = 0; i < graph->ends->len; i++) {
		uint64_t last = bt_component_sink_get_input_port_count(sink) - 1;

		connect(graph, g_ptr_array_index(graph->ends, i),
			bt_component_sink_borrow_input_port_by_index_const(sink, last));
	}
	g_ptr_array_set_size(graph->ends, 0);
}

static bool add_filter(struct test_graph *graph, const bt_component_class_filter *filter_class, const char *name,
		       const bt_value *params)
{
	const bt_component_filter *filter = NULL;

	if (bt_graph_add_filter_component(graph->graph, filter_class, name, params, BT_LOGGING_LEVEL_NONE, &filter) !=
	    BT_GRAPH_ADD_COMPONENT_STATUS_OK) {
		take_error(graph);
		return false;
	}
	connect_filter(graph, filter);
	return true;
}

static bool add_sink(struct test_graph *graph, const bt_component_class_sink *sink_class, const char *name,
		     const bt_value *params)
{
	const bt_component_sink *sink = NULL;

	if (bt_graph_add_sink_component(graph->graph, sink_class, name, params, BT_LOGGING_LEVEL_NONE, &sink) !=
	    BT_GRAPH_ADD_COMPONENT_STATUS_OK) {
		take_error(graph);
		return false;
	}
	connect_sink(graph, sink);
	return true;
}

static void add_utils_filter(struct test_graph *graph, const char *name, const bt_value *params)
{
	const bt_plugin *plugin = NULL;
	const bt_component_filter *filter = NULL;

	if (bt_plugin_find("utils", BT_TRUE, BT_TRUE, BT_TRUE, BT_TRUE, BT_TRUE, &plugin) != BT_PLUGIN_FIND_STATUS_OK ||
	    bt_graph_add_filter_component(graph->graph,
					  bt_plugin_borrow_filter_component_class_by_name_const(plugin, name), name,
					  params, BT_LOGGING_LEVEL_NONE, &filter) != BT_GRAPH_ADD_COMPONENT_STATUS_OK) {
		g_error("no filter.utils.%s", name);
	}
	connect_filter(graph, filter);
	bt_plugin_put_ref(plugin);
}

void test_graph_add_muxer(struct test_graph *graph)
{
	add_utils_filter(graph, "muxer", NULL);
}

void test_graph_add_trimmer(struct test_graph *graph, const char *begin)
{
	g_autoptr(bt_value) params = bt_value_map_create();

	bt_value_map_insert_string_entry(params, "begin", begin);
	add_utils_filter(graph, "trimmer", params);
}

void test_graph_add_details(struct test_graph *graph)
{
	const bt_plugin *plugin = NULL;
	g_autoptr(bt_value) params = bt_value_map_create();

	bt_value_map_insert_string_entry(params, "color", "never");
	if (bt_plugin_find("text", BT_TRUE, BT_TRUE, BT_TRUE, BT_TRUE, BT_TRUE, &plugin) != BT_PLUGIN_FIND_STATUS_OK ||
	    !add_sink(graph, bt_plugin_borrow_sink_component_class_by_name_const(plugin, "details"), "details",
		      params)) {
		g_error("no sink.text.details");
	}
	bt_plugin_put_ref(plugin);
}

bool test_graph_add_with(struct test_graph *graph, const char *class_name, const bt_value *params)
{
	const bt_plugin *plugin = find_plugin(graph);
	const bt_component_class_filter *filter_class =
		bt_plugin_borrow_filter_component_class_by_name_const(plugin, class_name);
	const bt_component_class_sink *sink_class =
		bt_plugin_borrow_sink_component_class_by_name_const(plugin, class_name);
	/* names in a graph are unique, and a class can be used twice */
	g_autofree char *name = g_strdup_printf("%s-%u", class_name, graph->component_count++);

	if (!filter_class && !sink_class) {
		g_error("the plugin has no component class %s", class_name);
	}
	return filter_class ? add_filter(graph, filter_class, name, params) : add_sink(graph, sink_class, name, params);
}

bool test_graph_add(struct test_graph *graph, const char *class_name, const char *params)
{
	g_autoptr(bt_value) map = parse_parameters(params);

	return test_graph_add_with(graph, class_name, map);
}

void test_graph_observe(struct test_graph *graph, void (*observer)(void *data, const bt_message *message), void *data)
{
	graph->observer = observer;
	graph->observer_data = data;
}

/* The sink that checks */

static void note_broken(struct test_graph *graph, const char *problem)
{
	if (problem) {
		g_string_append_printf(graph->text, "broken: %s\n", problem);
	}
}

static void take_message(struct test_graph *graph, const bt_message *message)
{
	message_text_append(graph->text, message);
	note_broken(graph, message_rules_check(graph->rules, message));
	if (graph->observer) {
		graph->observer(graph->observer_data, message);
	}
	bt_message_put_ref(message);
}

static bt_message_iterator_next_status take_batch(struct test_graph *graph)
{
	bt_message_array_const messages;
	uint64_t count;
	bt_message_iterator_next_status status = bt_message_iterator_next(graph->iterator, &messages, &count);

	if (status == BT_MESSAGE_ITERATOR_NEXT_STATUS_OK && count == 0) {
		note_broken(graph, "an empty batch");
	}
	for (uint64_t i = 0; status == BT_MESSAGE_ITERATOR_NEXT_STATUS_OK && i < count; i++) {
		take_message(graph, messages[i]);
	}
	return status;
}

static bt_message_iterator_next_status take_merged(struct test_graph *graph)
{
	const bt_message *message;
	bt_message_iterator_next_status status = message_merge_next(graph->merge, &message);

	if (status == BT_MESSAGE_ITERATOR_NEXT_STATUS_OK) {
		take_message(graph, message);
	}
	return status;
}

static struct test_graph *graph_of(bt_self_component_sink *self)
{
	return bt_self_component_get_data(bt_self_component_sink_as_self_component(self));
}

static bt_component_class_sink_consume_method_status sink_consume(bt_self_component_sink *self)
{
	struct test_graph *graph = graph_of(self);
	bt_message_iterator_next_status status = graph->merge ? take_merged(graph) : take_batch(graph);

	if (status == BT_MESSAGE_ITERATOR_NEXT_STATUS_END) {
		note_broken(graph, message_rules_check_end(graph->rules));
	}
	/* the status enumerations give one meaning one number (func-status.h) */
	return (bt_component_class_sink_consume_method_status)status;
}

static bt_component_class_initialize_method_status sink_initialize(bt_self_component_sink *self,
								   bt_self_component_sink_configuration *configuration,
								   const bt_value *params, void *data)
{
	bt_self_component_set_data(bt_self_component_sink_as_self_component(self), data);
	return (bt_component_class_initialize_method_status)message_merge_add_port(self);
}

static bt_component_class_port_connected_method_status
sink_port_connected(bt_self_component_sink *self, bt_self_component_port_input *port, const bt_port_output *other)
{
	return (bt_component_class_port_connected_method_status)message_merge_add_port(self);
}

static bt_component_class_sink_graph_is_configured_method_status sink_graph_is_configured(bt_self_component_sink *self)
{
	struct test_graph *graph = graph_of(self);
	bt_self_component_port_input *port = bt_self_component_sink_borrow_input_port_by_index(self, 0);

	if (bt_component_sink_get_input_port_count(bt_self_component_sink_as_component_sink(self)) > 2) {
		return message_merge_create(self, &graph->merge);
	}
	return (bt_component_class_sink_graph_is_configured_method_status)
		bt_message_iterator_create_from_sink_component(self, port, &graph->iterator);
}

static void sink_finalize(bt_self_component_sink *self)
{
	struct test_graph *graph = graph_of(self);

	g_clear_pointer(&graph->iterator, bt_message_iterator_put_ref);
	g_clear_pointer(&graph->merge, message_merge_destroy);
}

static void add_checking_sink(struct test_graph *graph)
{
	bt_component_class_sink *sink_class = bt_component_class_sink_create("checking", sink_consume);
	const bt_component_sink *sink = NULL;

	bt_component_class_sink_set_initialize_method(sink_class, sink_initialize);
	bt_component_class_sink_set_input_port_connected_method(sink_class, sink_port_connected);
	bt_component_class_sink_set_graph_is_configured_method(sink_class, sink_graph_is_configured);
	bt_component_class_sink_set_finalize_method(sink_class, sink_finalize);
	if (bt_graph_add_sink_component_with_initialize_method_data(graph->graph, sink_class, "checking", NULL, graph,
								    BT_LOGGING_LEVEL_NONE,
								    &sink) != BT_GRAPH_ADD_COMPONENT_STATUS_OK) {
		g_error("cannot add the checking sink");
	}
	bt_component_class_sink_put_ref(sink_class);
	connect_sink(graph, sink);
}

const char *test_graph_run(struct test_graph *graph)
{
	bt_graph_run_status status;

	if (graph->ends->len > 0) {
		add_checking_sink(graph);
	}
	while ((status = bt_graph_run(graph->graph)) == BT_GRAPH_RUN_STATUS_AGAIN) {
		g_string_append(graph->text, "again\n");
	}
	if (status != BT_GRAPH_RUN_STATUS_OK) {
		g_string_append(graph->text, "error\n");
		take_error(graph);
	}
	return graph->text->str;
}

bool test_graph_run_until_again(struct test_graph *graph)
{
	return bt_graph_run(graph->graph) == BT_GRAPH_RUN_STATUS_OK;
}

const char *test_graph_error(struct test_graph *graph)
{
	return graph->error->str;
}
