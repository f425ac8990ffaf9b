/* SPDX-License-Identifier: MIT */
/*
 * The rules of messages (support/message_rules.h) behind filters, on recorded traces; every field is read.
 *
 *   check_messages PLUGIN FILTERS[,FILTERS…] TRACE…       FILTERS: FILTER[?KEY=VALUE[&KEY=VALUE…]][+FILTER…]
 *
 * PLUGIN is the plugin's file, a TRACE the directory of a metadata file. The traces pass all filters of FILTERS, then
 * those of the next FILTERS. Exits with 1 and prints the first rule that each breaks.
 */
#include <babeltrace2/babeltrace.h>
#include <glib.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "ros2bt/bt/own.h"
#include "support/message_rules.h"
#include "support/message_text.h"

struct check {
	struct message_rules *rules;
	GString *text;
	uint64_t count;
	const char *broken; /* NULL: none so far */
};

G_NORETURN static void fail(const char *what)
{
	const bt_error *error = bt_current_thread_take_error();

	fprintf(stderr, "%s\n", what);
	for (uint64_t i = 0; error && i < bt_error_get_cause_count(error); i++) {
		fprintf(stderr, "  %s\n", bt_error_cause_get_message(bt_error_borrow_cause_by_index(error, i)));
	}
	exit(1);
}

/* They must outlive the graphs. */
struct plugins {
	const bt_plugin *ctf, *utils;
	const bt_plugin_set *ros2;
};

static const bt_plugin *find_plugin(const char *name)
{
	const bt_plugin *plugin;

	if (bt_plugin_find(name, BT_TRUE, BT_FALSE, BT_TRUE, BT_FALSE, BT_TRUE, &plugin) != BT_PLUGIN_FIND_STATUS_OK) {
		fail(name);
	}
	return plugin;
}

static void plugins_init(struct plugins *plugins, const char *file)
{
	plugins->ctf = find_plugin("ctf");
	plugins->utils = find_plugin("utils");
	if (bt_plugin_find_all_from_file(file, BT_TRUE, &plugins->ros2) != BT_PLUGIN_FIND_ALL_FROM_FILE_STATUS_OK) {
		fail(file);
	}
}

static void plugins_clear(struct plugins *plugins)
{
	bt_plugin_put_ref(plugins->ctf);
	bt_plugin_put_ref(plugins->utils);
	bt_plugin_set_put_ref(plugins->ros2);
}

static void check_message(struct check *check, const bt_message *message)
{
	check->count++;
	if (!check->broken) {
		check->broken = message_rules_check(check->rules, message);
		g_string_truncate(check->text, 0);
		message_text_append(check->text, message);
	}
}

static bt_graph_simple_sink_component_consume_func_status consume(bt_message_iterator *iterator, void *data)
{
	bt_message_array_const messages;
	uint64_t count;
	bt_message_iterator_next_status status = bt_message_iterator_next(iterator, &messages, &count);

	if (status == BT_MESSAGE_ITERATOR_NEXT_STATUS_OK) {
		for (uint64_t i = 0; i < count; i++) {
			check_message(data, messages[i]);
			bt_message_put_ref(messages[i]);
		}
	}
	/* one meaning, one number (func-status.h) */
	return (bt_graph_simple_sink_component_consume_func_status)(int)status;
}

static void add_source(bt_graph *graph, const bt_plugin *ctf, const char *trace, const bt_component_filter *muxer,
		       uint64_t *muxer_port)
{
	g_autoptr(bt_value) params = bt_value_map_create();
	const bt_component_source *source;
	bt_value *inputs;

	(void)bt_value_map_insert_empty_array_entry(params, "inputs", &inputs);
	(void)bt_value_array_append_string_element(inputs, trace);
	if (bt_graph_add_source_component(graph, bt_plugin_borrow_source_component_class_by_name_const(ctf, "fs"),
					  trace, params, BT_LOGGING_LEVEL_ERROR,
					  &source) != BT_GRAPH_ADD_COMPONENT_STATUS_OK) {
		fail(trace);
	}
	for (uint64_t i = 0; i < bt_component_source_get_output_port_count(source); i++) {
		const bt_port_input *in = bt_component_filter_borrow_input_port_by_index_const(muxer, (*muxer_port)++);

		if (bt_graph_connect_ports(graph, bt_component_source_borrow_output_port_by_index_const(source, i), in,
					   NULL) != BT_GRAPH_CONNECT_PORTS_STATUS_OK) {
			fail("cannot connect a trace");
		}
	}
}

static const bt_value *read_params(const char *text)
{
	bt_value *params = bt_value_map_create();
	g_auto(GStrv) entries = g_strsplit(text ? text : "", "&", -1);

	for (char **entry = entries; *entry; entry++) {
		g_auto(GStrv) pair = g_strsplit(*entry, "=", 2);

		if (g_strcmp0(pair[1], "yes") == 0) {
			(void)bt_value_map_insert_bool_entry(params, pair[0], BT_TRUE);
		} else {
			(void)bt_value_map_insert_string_entry(params, pair[0], pair[1]);
		}
	}
	return params;
}

static const bt_component_filter *add_filter(bt_graph *graph, const bt_plugin *plugin, const char *name,
					     const char *params)
{
	g_autoptr(bt_value) values = (bt_value *)read_params(params);
	const bt_component_class_filter *class = bt_plugin_borrow_filter_component_class_by_name_const(plugin, name);
	const bt_component_filter *filter;

	if (!class || bt_graph_add_filter_component(graph, class, name, values, BT_LOGGING_LEVEL_WARNING, &filter) !=
			      BT_GRAPH_ADD_COMPONENT_STATUS_OK) {
		fail(name);
	}
	return filter;
}

static void connect(bt_graph *graph, const bt_component_filter *from, const bt_port_input *to)
{
	if (bt_graph_connect_ports(graph, bt_component_filter_borrow_output_port_by_index_const(from, 0), to, NULL) !=
	    BT_GRAPH_CONNECT_PORTS_STATUS_OK) {
		fail("cannot connect a filter");
	}
}

static void build(bt_graph *graph, const struct plugins *plugins, const char *filters, char **traces,
		  struct check *check)
{
	const bt_plugin *ros2 = bt_plugin_set_borrow_plugin_by_index_const(plugins->ros2, 0);
	const bt_component_filter *last = add_filter(graph, plugins->utils, "muxer", NULL);
	const bt_component_sink *sink;
	g_auto(GStrv) names = g_strsplit(filters, "+", -1);
	uint64_t muxer_port = 0;

	for (char **trace = traces; *trace; trace++) {
		add_source(graph, plugins->ctf, *trace, last, &muxer_port);
	}
	for (char **name = names; *name; name++) {
		g_auto(GStrv) parts = g_strsplit(*name, "?", 2);
		const bt_component_filter *filter = add_filter(graph, ros2, parts[0], parts[1]);

		connect(graph, last, bt_component_filter_borrow_input_port_by_index_const(filter, 0));
		last = filter;
	}
	if (bt_graph_add_simple_sink_component(graph, "check", NULL, consume, NULL, check, &sink) !=
	    BT_GRAPH_ADD_COMPONENT_STATUS_OK) {
		fail("cannot add the sink");
	}
	connect(graph, last, bt_component_sink_borrow_input_port_by_index_const(sink, 0));
}

static bool keeps_rules(const struct plugins *plugins, const char *filters, char **traces)
{
	struct check check = { .rules = message_rules_create(), .text = g_string_new(NULL) };
	g_autoptr(bt_graph) graph = bt_graph_create(0);
	bt_graph_run_status status;

	build(graph, plugins, filters, traces, &check);
	do {
		status = bt_graph_run(graph);
	} while (status == BT_GRAPH_RUN_STATUS_AGAIN);
	if (status != BT_GRAPH_RUN_STATUS_OK) {
		fail("the graph failed");
	}
	if (!check.broken) {
		check.broken = message_rules_check_end(check.rules);
	}
	printf("%s: %" PRIu64 " messages\n", filters, check.count);
	if (check.broken) {
		printf("broken: %s\n%s", check.broken, check.text->str);
	}
	message_rules_destroy(check.rules);
	g_string_free(check.text, TRUE);
	return !check.broken;
}

int main(int argc, char **argv)
{
	g_auto(GStrv) chains = NULL;
	struct plugins plugins;
	bool is_done = true;

	if (argc < 4) {
		fail("usage: check_messages PLUGIN FILTERS[,FILTERS...] TRACE...");
	}
	plugins_init(&plugins, argv[1]);
	chains = g_strsplit(argv[2], ",", -1);
	for (char **chain = chains; *chain; chain++) {
		is_done &= keeps_rules(&plugins, *chain, argv + 3);
	}
	plugins_clear(&plugins);
	return is_done ? 0 : 1;
}
