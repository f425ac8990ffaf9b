/* SPDX-License-Identifier: MIT */
/* The table of contents of the plugin `ros2`. Each component class has a folder of its own. */
#include <babeltrace2/babeltrace.h>

#include "filters/dedup/dedup.h"
#include "filters/flow/flow.h"
#include "filters/init_timestamp/init_timestamp.h"
#include "filters/normalize/normalize.h"
#include "sinks/latency/latency.h"

/* before 2.1 the headers of babeltrace2 do not export the symbols it looks for */
#pragma GCC visibility push(default)
BT_PLUGIN_MODULE();
#pragma GCC visibility pop

BT_PLUGIN(ros2);
BT_PLUGIN_DESCRIPTION("Latency of ROS 2 systems from LTTng-UST traces");
BT_PLUGIN_AUTHOR("the babeltrace2-ros2 authors");
BT_PLUGIN_LICENSE("MIT");
BT_PLUGIN_VERSION(ROS2BT_VERSION_MAJOR, ROS2BT_VERSION_MINOR, ROS2BT_VERSION_PATCH, NULL);

/* A filter (ros2bt/bt/filter.h) with the constant ID_class. */
#define FILTER(id, name, description, help)                                                                            \
	static bt_component_class_get_supported_mip_versions_method_status id##_get_supported_mip_versions(            \
		bt_self_component_class_filter *self, const bt_value *params, void *data, bt_logging_level level,      \
		bt_integer_range_set_unsigned *versions)                                                               \
	{                                                                                                              \
		return filter_get_supported_mip_versions(&id##_class, versions);                                       \
	}                                                                                                              \
	static bt_component_class_query_method_status id##_query(                                                      \
		bt_self_component_class_filter *self, bt_private_query_executor *executor, const char *object,         \
		const bt_value *params, void *data, const bt_value **result)                                           \
	{                                                                                                              \
		return filter_query(&id##_class, object, result);                                                      \
	}                                                                                                              \
	static bt_component_class_initialize_method_status id##_initialize(                                            \
		bt_self_component_filter *self, bt_self_component_filter_configuration *configuration,                 \
		const bt_value *params, void *data)                                                                    \
	{                                                                                                              \
		return filter_initialize(&id##_class, self, params);                                                   \
	}                                                                                                              \
	BT_PLUGIN_FILTER_COMPONENT_CLASS_WITH_ID(auto, id, name, filter_iterator_next);                                \
	BT_PLUGIN_FILTER_COMPONENT_CLASS_DESCRIPTION_WITH_ID(auto, id, description);                                   \
	BT_PLUGIN_FILTER_COMPONENT_CLASS_HELP_WITH_ID(auto, id, help);                                                 \
	BT_PLUGIN_FILTER_COMPONENT_CLASS_GET_SUPPORTED_MIP_VERSIONS_METHOD_WITH_ID(auto, id,                           \
										   id##_get_supported_mip_versions);   \
	BT_PLUGIN_FILTER_COMPONENT_CLASS_QUERY_METHOD_WITH_ID(auto, id, id##_query);                                   \
	BT_PLUGIN_FILTER_COMPONENT_CLASS_INITIALIZE_METHOD_WITH_ID(auto, id, id##_initialize);                         \
	BT_PLUGIN_FILTER_COMPONENT_CLASS_FINALIZE_METHOD_WITH_ID(auto, id, filter_finalize);                           \
	BT_PLUGIN_FILTER_COMPONENT_CLASS_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD_WITH_ID(auto, id,                    \
											  filter_iterator_initialize); \
	BT_PLUGIN_FILTER_COMPONENT_CLASS_MESSAGE_ITERATOR_CLASS_FINALIZE_METHOD_WITH_ID(auto, id,                      \
											filter_iterator_finalize);     \
	BT_PLUGIN_FILTER_COMPONENT_CLASS_MESSAGE_ITERATOR_CLASS_SEEK_BEGINNING_METHODS_WITH_ID(                        \
		auto, id, filter_iterator_seek_beginning, filter_iterator_can_seek_beginning)

FILTER(dedup, "dedup", "Drop the copies of initialization events.", DEDUP_HELP);
FILTER(flow, "flow", "Link messages from publish to callback.", FLOW_HELP);
FILTER(init_timestamp, "init-timestamp", "Move initialization events of CARET to the time of the initialization.",
       INIT_TIMESTAMP_HELP);
FILTER(normalize, "normalize", "Give events of all releases and of CARET today's layout.", NORMALIZE_HELP);

BT_PLUGIN_SINK_COMPONENT_CLASS(latency, latency_consume);
BT_PLUGIN_SINK_COMPONENT_CLASS_DESCRIPTION(latency, "Report the latencies of callbacks, communications and paths.");
BT_PLUGIN_SINK_COMPONENT_CLASS_HELP(latency, LATENCY_HELP);
BT_PLUGIN_SINK_COMPONENT_CLASS_GET_SUPPORTED_MIP_VERSIONS_METHOD(latency, latency_get_supported_mip_versions);
BT_PLUGIN_SINK_COMPONENT_CLASS_QUERY_METHOD(latency, latency_query);
BT_PLUGIN_SINK_COMPONENT_CLASS_INITIALIZE_METHOD(latency, latency_initialize);
BT_PLUGIN_SINK_COMPONENT_CLASS_FINALIZE_METHOD(latency, latency_finalize);
BT_PLUGIN_SINK_COMPONENT_CLASS_INPUT_PORT_CONNECTED_METHOD(latency, latency_port_connected);
BT_PLUGIN_SINK_COMPONENT_CLASS_GRAPH_IS_CONFIGURED_METHOD(latency, latency_graph_is_configured);
