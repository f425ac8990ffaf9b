/* SPDX-License-Identifier: MIT */
/*
 * The methods of the component class filter.ros2.dedup, which drops the second and later copies of an initialization
 * event. All other messages are forwarded by reference. Memory grows with the number of distinct initialization
 * events. For users: docs/filter.ros2.dedup.md.
 */
#ifndef ROS2BT_DEDUP_H
#define ROS2BT_DEDUP_H

#include <babeltrace2/babeltrace.h>

#include "ros2bt/base/params.h"

#define DEDUP_PARAMS(PARAM)                                                                                            \
	PARAM(window, DURATION, "1ms", "DURATION",                                                                     \
	      "The largest time between the first event and a copy without init_timestamp.")

#define DEDUP_HELP                                                                                                     \
	"Drops the second and later copies of an initialization event: same host, process, event name and "            \
	"payload.\n\n"                                                                                                 \
	"Parameters:\n\n" DEDUP_PARAMS(PARAM_HELP) "Queries: parameters."

bt_component_class_get_supported_mip_versions_method_status
dedup_get_supported_mip_versions(bt_self_component_class_filter *self, const bt_value *params, void *data,
				 bt_logging_level logging_level, bt_integer_range_set_unsigned *versions);
bt_component_class_query_method_status dedup_query(bt_self_component_class_filter *self,
						   bt_private_query_executor *executor, const char *object,
						   const bt_value *params, void *data, const bt_value **result);
bt_component_class_initialize_method_status dedup_initialize(bt_self_component_filter *self,
							     bt_self_component_filter_configuration *configuration,
							     const bt_value *params, void *data);
void dedup_finalize(bt_self_component_filter *self);

bt_message_iterator_class_initialize_method_status
dedup_iterator_initialize(bt_self_message_iterator *self, bt_self_message_iterator_configuration *configuration,
			  bt_self_component_port_output *port);
void dedup_iterator_finalize(bt_self_message_iterator *self);
bt_message_iterator_class_next_method_status dedup_iterator_next(bt_self_message_iterator *self,
								 bt_message_array_const messages, uint64_t capacity,
								 uint64_t *count);
bt_message_iterator_class_can_seek_beginning_method_status
dedup_iterator_can_seek_beginning(bt_self_message_iterator *self, bt_bool *can_seek);
bt_message_iterator_class_seek_beginning_method_status dedup_iterator_seek_beginning(bt_self_message_iterator *self);

#endif
