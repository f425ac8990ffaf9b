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

#include "core/bt/params.h"

#define NORMALIZE_HELD_MAX 200000

/* a key with a hyphen is no subtraction */
/* clang-format off */
#define NORMALIZE_PARAMS(PARAM)                                                                                        \
	PARAM(mode, STRING, "auto", "auto|two-pass|window",                                                            \
	      "how timestamps that are recorded later are found: two-pass reads everything twice, window holds messages back, auto is " \
	      "two-pass where upstream can go back to its beginning")                                                  \
	PARAM(window, DURATION, "2s", "any", "how much trace time is held back without a second pass")                 \
	PARAM(drop-empty-takes, BOOL, "no", "any", "leave takes out that found no message")                            \
	PARAM(drop-rosout, BOOL, "no", "any", "leave the publishers of /rosout and their publications out")            \
	PARAM(intra-process, STRING, "keep", "keep|as-inter-process",                                                  \
	      "as-inter-process: show intra-process messages to tools that know only inter-process ones")

#define NORMALIZE_HELP                                                                                                 \
	"Gives the events of every release of ros2_tracing, and those of CARET, the layout of today's\n"               \
	"ros2_tracing, and adds what they imply. Events that were changed or added say so in their specific\n"        \
	"context: `normalized` is changed, supplied, inferred or unstamped.\n\nParameters:\n\n"                                    \
	NORMALIZE_PARAMS(PARAM_HELP)                                                                                \
	"Queries: parameters."
/* clang-format on */

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
