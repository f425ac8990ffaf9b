/* SPDX-License-Identifier: MIT */
/* What the component classes answer to queries (babeltrace2 query). */
#include <criterion/criterion.h>

#include "ros2bt/bt/own.h"
#include "ros2bt/events/event_schema.h"
#include "support/must.h"
#include "support/test_graph.h"

/* The answer, owned by the caller; NULL if the class does not know the object. */
static const bt_value *query(const char *class_name, const char *object)
{
	g_autoptr(bt_plugin_set) plugins = (bt_plugin_set *)test_graph_load_plugins();
	const bt_plugin *plugin = bt_plugin_set_borrow_plugin_by_index_const(plugins, 0);
	const bt_component_class_filter *filter =
		bt_plugin_borrow_filter_component_class_by_name_const(plugin, class_name);
	const bt_component_class *class =
		filter ? bt_component_class_filter_as_component_class_const(filter)
		       : bt_component_class_sink_as_component_class_const(
				 bt_plugin_borrow_sink_component_class_by_name_const(plugin, class_name));
	bt_query_executor *executor = bt_query_executor_create(class, object, NULL);
	const bt_value *answer = NULL;
	bt_query_executor_query_status status = bt_query_executor_query(executor, &answer);

	bt_query_executor_put_ref(executor);
	bt_current_thread_clear_error();
	cr_assert(status == BT_QUERY_EXECUTOR_QUERY_STATUS_OK ||
			  status == BT_QUERY_EXECUTOR_QUERY_STATUS_UNKNOWN_OBJECT,
		  "%s", object);
	return answer;
}

static void assert_describes(const char *class_name, const char *key, const char *type)
{
	g_autoptr(bt_value) answer = (bt_value *)query(class_name, "parameters");
	const bt_value *parameter;

	cr_assert(answer && bt_value_is_map(answer), "%s", class_name);
	parameter = bt_value_map_borrow_entry_value_const(answer, key);
	cr_assert(parameter && bt_value_is_map(parameter), "%s", key);
	cr_assert(
		g_str_has_prefix(bt_value_string_get(bt_value_map_borrow_entry_value_const(parameter, "type")), type));
}

Test(queries, every_component_class_describes_its_parameters)
{
	assert_describes("dedup", "window", "string, a duration");
	assert_describes("init-timestamp", "mode", "string");
	assert_describes("flow", "links", "array of strings");
	assert_describes("normalize", "drop-rosout", "boolean");
	assert_describes("latency", "quantiles", "array of reals");
}

Test(queries, the_sink_lists_every_event_that_it_knows)
{
	g_autoptr(bt_value) answer = (bt_value *)query("latency", "schema");
	const bt_value *event;
	uint64_t count = 0;

	cr_assert(answer && bt_value_is_map(answer));
	event = bt_value_map_borrow_entry_value_const(answer, "ros2:callback_start");
	cr_assert(event && bt_value_map_has_entry(event, "fields"));
	cr_assert(bt_value_map_has_entry(bt_value_map_borrow_entry_value_const(event, "fields"), "is_intra_process"));
	cr_assert(bt_value_map_has_entry(answer, "ros2_caret:rcl_init"));
	cr_assert(bt_value_map_has_entry(answer, "lttng_ust_libc:malloc"));
	cr_assert(bt_value_map_has_entry(answer, "sched_switch"));
	for (int kind = 0; kind < EVENT_KIND_COUNT; kind++) {
		count += (unsigned int)__builtin_popcount(event_schema_of(kind)->providers);
	}
	cr_assert_eq(bt_value_map_get_size(answer), count);
}

Test(queries, another_object_is_not_known)
{
	static const char *const names[] = { "dedup", "init-timestamp", "flow", "normalize", "latency" };

	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		cr_assert_null(query(names[i], "paramters"), "%s", names[i]);
	}
}
