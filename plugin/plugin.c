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

BT_PLUGIN_FILTER_COMPONENT_CLASS(dedup, dedup_iterator_next);
BT_PLUGIN_FILTER_COMPONENT_CLASS_DESCRIPTION(dedup, "Drop the copies of initialization events.");
BT_PLUGIN_FILTER_COMPONENT_CLASS_HELP(dedup, DEDUP_HELP);
BT_PLUGIN_FILTER_COMPONENT_CLASS_QUERY_METHOD(dedup, dedup_query);
BT_PLUGIN_FILTER_COMPONENT_CLASS_GET_SUPPORTED_MIP_VERSIONS_METHOD(dedup, dedup_get_supported_mip_versions);
BT_PLUGIN_FILTER_COMPONENT_CLASS_INITIALIZE_METHOD(dedup, dedup_initialize);
BT_PLUGIN_FILTER_COMPONENT_CLASS_FINALIZE_METHOD(dedup, dedup_finalize);
BT_PLUGIN_FILTER_COMPONENT_CLASS_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD(dedup, dedup_iterator_initialize);
BT_PLUGIN_FILTER_COMPONENT_CLASS_MESSAGE_ITERATOR_CLASS_FINALIZE_METHOD(dedup, dedup_iterator_finalize);
BT_PLUGIN_FILTER_COMPONENT_CLASS_MESSAGE_ITERATOR_CLASS_SEEK_BEGINNING_METHODS(dedup, dedup_iterator_seek_beginning,
									       dedup_iterator_can_seek_beginning);

BT_PLUGIN_FILTER_COMPONENT_CLASS(flow, flow_iterator_next);
BT_PLUGIN_FILTER_COMPONENT_CLASS_DESCRIPTION(flow, "Link messages from publish to callback.");
BT_PLUGIN_FILTER_COMPONENT_CLASS_HELP(flow, FLOW_HELP);
BT_PLUGIN_FILTER_COMPONENT_CLASS_QUERY_METHOD(flow, flow_query);
BT_PLUGIN_FILTER_COMPONENT_CLASS_GET_SUPPORTED_MIP_VERSIONS_METHOD(flow, flow_get_supported_mip_versions);
BT_PLUGIN_FILTER_COMPONENT_CLASS_INITIALIZE_METHOD(flow, flow_initialize);
BT_PLUGIN_FILTER_COMPONENT_CLASS_FINALIZE_METHOD(flow, flow_finalize);
BT_PLUGIN_FILTER_COMPONENT_CLASS_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD(flow, flow_iterator_initialize);
BT_PLUGIN_FILTER_COMPONENT_CLASS_MESSAGE_ITERATOR_CLASS_FINALIZE_METHOD(flow, flow_iterator_finalize);
BT_PLUGIN_FILTER_COMPONENT_CLASS_MESSAGE_ITERATOR_CLASS_SEEK_BEGINNING_METHODS(flow, flow_iterator_seek_beginning,
									       flow_iterator_can_seek_beginning);

BT_PLUGIN_FILTER_COMPONENT_CLASS_WITH_ID(auto, init_timestamp, "init-timestamp", init_timestamp_iterator_next);
BT_PLUGIN_FILTER_COMPONENT_CLASS_DESCRIPTION_WITH_ID(
	auto, init_timestamp, "Move initialization events of CARET to the time of the initialization.");
BT_PLUGIN_FILTER_COMPONENT_CLASS_HELP_WITH_ID(auto, init_timestamp, INIT_TIMESTAMP_HELP);
BT_PLUGIN_FILTER_COMPONENT_CLASS_QUERY_METHOD_WITH_ID(auto, init_timestamp, init_timestamp_query);
BT_PLUGIN_FILTER_COMPONENT_CLASS_GET_SUPPORTED_MIP_VERSIONS_METHOD_WITH_ID(auto, init_timestamp,
									   init_timestamp_get_supported_mip_versions);
BT_PLUGIN_FILTER_COMPONENT_CLASS_INITIALIZE_METHOD_WITH_ID(auto, init_timestamp, init_timestamp_initialize);
BT_PLUGIN_FILTER_COMPONENT_CLASS_FINALIZE_METHOD_WITH_ID(auto, init_timestamp, init_timestamp_finalize);
BT_PLUGIN_FILTER_COMPONENT_CLASS_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD_WITH_ID(auto, init_timestamp,
										  init_timestamp_iterator_initialize);
BT_PLUGIN_FILTER_COMPONENT_CLASS_MESSAGE_ITERATOR_CLASS_FINALIZE_METHOD_WITH_ID(auto, init_timestamp,
										init_timestamp_iterator_finalize);
BT_PLUGIN_FILTER_COMPONENT_CLASS_MESSAGE_ITERATOR_CLASS_SEEK_BEGINNING_METHODS_WITH_ID(
	auto, init_timestamp, init_timestamp_iterator_seek_beginning, init_timestamp_iterator_can_seek_beginning);

BT_PLUGIN_FILTER_COMPONENT_CLASS(normalize, normalize_iterator_next);
BT_PLUGIN_FILTER_COMPONENT_CLASS_DESCRIPTION(normalize, "Give events of all releases and of CARET today's layout.");
BT_PLUGIN_FILTER_COMPONENT_CLASS_HELP(normalize, NORMALIZE_HELP);
BT_PLUGIN_FILTER_COMPONENT_CLASS_GET_SUPPORTED_MIP_VERSIONS_METHOD(normalize, normalize_get_supported_mip_versions);
BT_PLUGIN_FILTER_COMPONENT_CLASS_QUERY_METHOD(normalize, normalize_query);
BT_PLUGIN_FILTER_COMPONENT_CLASS_INITIALIZE_METHOD(normalize, normalize_initialize);
BT_PLUGIN_FILTER_COMPONENT_CLASS_FINALIZE_METHOD(normalize, normalize_finalize);
BT_PLUGIN_FILTER_COMPONENT_CLASS_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD(normalize, normalize_iterator_initialize);
BT_PLUGIN_FILTER_COMPONENT_CLASS_MESSAGE_ITERATOR_CLASS_FINALIZE_METHOD(normalize, normalize_iterator_finalize);
BT_PLUGIN_FILTER_COMPONENT_CLASS_MESSAGE_ITERATOR_CLASS_SEEK_BEGINNING_METHODS(normalize,
									       normalize_iterator_seek_beginning,
									       normalize_iterator_can_seek_beginning);

BT_PLUGIN_SINK_COMPONENT_CLASS(latency, latency_consume);
BT_PLUGIN_SINK_COMPONENT_CLASS_DESCRIPTION(latency, "Report the latencies of callbacks, communications and paths.");
BT_PLUGIN_SINK_COMPONENT_CLASS_HELP(latency, LATENCY_HELP);
BT_PLUGIN_SINK_COMPONENT_CLASS_GET_SUPPORTED_MIP_VERSIONS_METHOD(latency, latency_get_supported_mip_versions);
BT_PLUGIN_SINK_COMPONENT_CLASS_QUERY_METHOD(latency, latency_query);
BT_PLUGIN_SINK_COMPONENT_CLASS_INITIALIZE_METHOD(latency, latency_initialize);
BT_PLUGIN_SINK_COMPONENT_CLASS_FINALIZE_METHOD(latency, latency_finalize);
BT_PLUGIN_SINK_COMPONENT_CLASS_INPUT_PORT_CONNECTED_METHOD(latency, latency_port_connected);
BT_PLUGIN_SINK_COMPONENT_CLASS_GRAPH_IS_CONFIGURED_METHOD(latency, latency_graph_is_configured);
