/* SPDX-License-Identifier: MIT */
/*
 * The methods of the component class filter.ros2.normalize, which converts traces of every release and of CARET to the
 * current layout of ros2_tracing. The rules are in normalizer.h; here messages become records and records messages. All
 * messages are copies (mirror.h); times, packets and discarded events stay as they are.
 *
 * A publication may need a timestamp that is recorded later. Where upstream can go back to its beginning, a first pass
 * learns them all; else messages are held back for a window of time. Memory: 32 bytes a publication, or the messages of
 * the window (at most NORMALIZE_HELD_MAX). For users: docs/filter.ros2.normalize.md.
 */
#ifndef ROS2BT_NORMALIZE_H
#define ROS2BT_NORMALIZE_H

#include <babeltrace2/babeltrace.h>

#include "ros2bt/base/params.h"

#define NORMALIZE_HELD_MAX 200000

/* clang-format off */ /* which would split names at their hyphens */
#define NORMALIZE_PARAMS(PARAM)                                                                                        \
	PARAM(mode, STRING, "auto", "auto|two-pass|window",                                                            \
	      "How to find timestamps that are recorded later:"                                                        \
	      PARAM_CHOICE(auto, "two-pass if upstream can be read twice, otherwise window")                           \
	      PARAM_CHOICE(two-pass, "read upstream twice, which is exact")                                            \
	      PARAM_CHOICE(window, "hold messages back"))                                                              \
	PARAM(window, DURATION, "2s", "DURATION", "In mode window: how much trace time is held back.")                 \
	PARAM(drop-empty-takes, BOOL, "no", "yes|no", "Drop takes that found no message, request or response.")        \
	PARAM(drop-rosout, BOOL, "no", "yes|no", "Drop the publishers of /rosout and their publications.")             \
	PARAM(complete, BOOL, "no", "yes|no",                                                                          \
	      "Supply the callbacks of services and the steps of publications that only rclcpp records, leave out "    \
	      "requests and responses that nobody sent in the trace.")                                                 \
	PARAM(intra-process, STRING, "keep", "keep|as-inter-process",                                                  \
	      "How to show intra-process messages:"                                                                    \
	      PARAM_CHOICE(keep, "as recorded")                                                                        \
	      PARAM_CHOICE(as-inter-process, "as inter-process messages, for tools that know only these"))
/* clang-format on */

#define NORMALIZE_HELP                                                                                                 \
	"Converts the events of every release of ros2_tracing and of CARET to the current layout of\n"                 \
	"ros2_tracing, and adds the events that they imply. An event that was changed or added has a specific\n"       \
	"context: `normalized` is changed, supplied, inferred or unstamped.\n\n"                                       \
	"Parameters:\n\n" NORMALIZE_PARAMS(PARAM_HELP) "Queries: parameters."

bt_component_class_get_supported_mip_versions_method_status
normalize_get_supported_mip_versions(bt_self_component_class_filter *self, const bt_value *params, void *data,
				     bt_logging_level logging_level, bt_integer_range_set_unsigned *versions);
bt_component_class_query_method_status normalize_query(bt_self_component_class_filter *self,
						       bt_private_query_executor *executor, const char *object,
						       const bt_value *params, void *data, const bt_value **result);
bt_component_class_initialize_method_status normalize_initialize(bt_self_component_filter *self,
								 bt_self_component_filter_configuration *configuration,
								 const bt_value *params, void *data);
void normalize_finalize(bt_self_component_filter *self);

bt_message_iterator_class_initialize_method_status
normalize_iterator_initialize(bt_self_message_iterator *self, bt_self_message_iterator_configuration *configuration,
			      bt_self_component_port_output *port);
void normalize_iterator_finalize(bt_self_message_iterator *self);
bt_message_iterator_class_next_method_status normalize_iterator_next(bt_self_message_iterator *self,
								     bt_message_array_const messages, uint64_t capacity,
								     uint64_t *count);
bt_message_iterator_class_can_seek_beginning_method_status
normalize_iterator_can_seek_beginning(bt_self_message_iterator *self, bt_bool *can_seek);
bt_message_iterator_class_seek_beginning_method_status
normalize_iterator_seek_beginning(bt_self_message_iterator *self);

#endif
