/* SPDX-License-Identifier: MIT */
/*
 * The methods of the component class sink.ros2.latency: decodes, feeds the latency analysis, and writes its report at
 * the end of the trace. Needs no filter before it; with filter.ros2.dedup or filter.ros2.init-timestamp the report is
 * the same.
 *
 * The report is also written when the trace breaks off with an error upstream (then the error is returned) and when the
 * graph is destroyed before its end, as babeltrace2 does when it is interrupted: it covers what was read until then.
 */
#ifndef ROS2BT_LATENCY_H
#define ROS2BT_LATENCY_H

#include <babeltrace2/babeltrace.h>

#include "ros2bt/session/session_params.h"

bt_component_class_get_supported_mip_versions_method_status
latency_get_supported_mip_versions(bt_self_component_class_sink *self, const bt_value *params, void *data,
				   bt_logging_level logging_level, bt_integer_range_set_unsigned *versions);
bt_component_class_query_method_status latency_query(bt_self_component_class_sink *self,
						     bt_private_query_executor *executor, const char *object,
						     const bt_value *params, void *data, const bt_value **result);
bt_component_class_initialize_method_status latency_initialize(bt_self_component_sink *self,
							       bt_self_component_sink_configuration *configuration,
							       const bt_value *params, void *data);
void latency_finalize(bt_self_component_sink *self);
bt_component_class_port_connected_method_status
latency_port_connected(bt_self_component_sink *self, bt_self_component_port_input *port, const bt_port_output *other);
bt_component_class_sink_graph_is_configured_method_status latency_graph_is_configured(bt_self_component_sink *self);
bt_component_class_sink_consume_method_status latency_consume(bt_self_component_sink *self);

#endif
