/* SPDX-License-Identifier: MIT */
/*
 * The common part of our filters: one input port "in", one output port "out", message iterators that own one iterator
 * upstream and rewind by rewinding it. The functions are shaped like the methods of libbabeltrace2 that call them.
 */
#ifndef ROS2BT_FILTER_H
#define ROS2BT_FILTER_H

#include <babeltrace2/babeltrace.h>

#include "ros2bt/base/params.h"

/*
 * The status enumerations of libbabeltrace2 give one meaning one number (func-status.h), so the status of a call
 * upstream can be returned as the status of the method that made it, where both have that meaning.
 */
static inline int filter_same_status(int status)
{
	return status;
}

_Static_assert(
	(int)BT_MESSAGE_ITERATOR_NEXT_STATUS_AGAIN == (int)BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_AGAIN &&
		(int)BT_MESSAGE_ITERATOR_NEXT_STATUS_END == (int)BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_END &&
		(int)BT_MESSAGE_ITERATOR_NEXT_STATUS_ERROR == (int)BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_ERROR &&
		(int)BT_MESSAGE_ITERATOR_SEEK_BEGINNING_STATUS_AGAIN ==
			(int)BT_MESSAGE_ITERATOR_CLASS_SEEK_BEGINNING_METHOD_STATUS_AGAIN &&
		(int)BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_ERROR == (int)BT_SELF_COMPONENT_ADD_PORT_STATUS_ERROR,
	"one meaning, one number");

/* Adds both ports; `data` becomes the user data of the component. */
bt_component_class_initialize_method_status filter_initialize(bt_self_component_filter *self, void *data);

/* The component's user data, from one of its message iterators. */
void *filter_data(bt_self_message_iterator *self);

/* Makes the iterator on "in" (owned by the caller) and sets in the configuration whether it can seek forward. */
bt_message_iterator_class_initialize_method_status
filter_create_upstream(bt_self_message_iterator *self, bt_self_message_iterator_configuration *configuration,
		       bt_message_iterator **upstream);

/* Pass the query / the request upstream. */
bt_message_iterator_class_can_seek_beginning_method_status filter_can_seek_beginning(bt_message_iterator *upstream,
										     bt_bool *can_seek);
bt_message_iterator_class_seek_beginning_method_status filter_seek_beginning(bt_message_iterator *upstream);

/* The message interchange protocol versions 0 to `maximum`. */
bt_component_class_get_supported_mip_versions_method_status
filter_supported_mip_versions(bt_integer_range_set_unsigned *versions, uint64_t maximum);

/* The answer to `query … parameters`, the one object that filters know. */
bt_component_class_query_method_status filter_query(const struct param *rows, size_t row_count, const char *object,
						    const bt_value **result);

#endif
