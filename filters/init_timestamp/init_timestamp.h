/* SPDX-License-Identifier: MIT */
/*
 * The methods of the component class filter.ros2.init-timestamp, which moves initialization events of CARET to their
 * `init_timestamp`. For users: docs/filter.ros2.init-timestamp.md.
 *
 * Two passes (where upstream can be rewound): the first collects the events to be moved, the second passes all messages
 * and emits moved events when their time comes, before others of the same time. If nothing moves, the second pass
 * forwards the originals. One pass (`window`): all messages are held for a while. If something may move, all messages
 * are copies (mirror.h).
 */
#ifndef ROS2BT_INIT_TIMESTAMP_H
#define ROS2BT_INIT_TIMESTAMP_H

#include <babeltrace2/babeltrace.h>

#include "ros2bt/base/params.h"

/* clang-format off */ /* which would split names at their hyphens */
#define INIT_TIMESTAMP_PARAMS(PARAM)                                                                                   \
	PARAM(mode, STRING, "auto", "auto|two-pass|window",                                                            \
	      "How to move events:"                                                                                    \
	      PARAM_CHOICE(auto, "two-pass if upstream can be read twice, otherwise window")                           \
	      PARAM_CHOICE(two-pass, "read upstream twice, which is exact")                                            \
	      PARAM_CHOICE(window, "hold messages back"))                                                              \
	PARAM(window, DURATION, "2s", "DURATION", "In mode window: how much trace time may be held back.")
/* clang-format on */

#define INIT_TIMESTAMP_HELP                                                                                            \
	"Moves initialization events of CARET to the time in their init_timestamp and keeps the order of time.\n\n"    \
	"Parameters:\n\n" INIT_TIMESTAMP_PARAMS(PARAM_HELP) "Queries: parameters."

bt_component_class_get_supported_mip_versions_method_status
init_timestamp_get_supported_mip_versions(bt_self_component_class_filter *self, const bt_value *params, void *data,
					  bt_logging_level logging_level, bt_integer_range_set_unsigned *versions);
bt_component_class_query_method_status init_timestamp_query(bt_self_component_class_filter *self,
							    bt_private_query_executor *executor, const char *object,
							    const bt_value *params, void *data,
							    const bt_value **result);
bt_component_class_initialize_method_status
init_timestamp_initialize(bt_self_component_filter *self, bt_self_component_filter_configuration *configuration,
			  const bt_value *params, void *data);
void init_timestamp_finalize(bt_self_component_filter *self);

bt_message_iterator_class_initialize_method_status
init_timestamp_iterator_initialize(bt_self_message_iterator *self,
				   bt_self_message_iterator_configuration *configuration,
				   bt_self_component_port_output *port);
void init_timestamp_iterator_finalize(bt_self_message_iterator *self);
bt_message_iterator_class_next_method_status init_timestamp_iterator_next(bt_self_message_iterator *self,
									  bt_message_array_const messages,
									  uint64_t capacity, uint64_t *count);
bt_message_iterator_class_can_seek_beginning_method_status
init_timestamp_iterator_can_seek_beginning(bt_self_message_iterator *self, bt_bool *can_seek);
bt_message_iterator_class_seek_beginning_method_status
init_timestamp_iterator_seek_beginning(bt_self_message_iterator *self);

#endif
