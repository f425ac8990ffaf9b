/* SPDX-License-Identifier: MIT */
#include "ros2bt/bt/filter.h"

#include "ros2bt/bt/given_params.h"

#include <string.h>

bt_component_class_initialize_method_status filter_initialize(bt_self_component_filter *self, void *data)
{
	bt_self_component_add_port_status status;

	status = bt_self_component_filter_add_input_port(self, "in", NULL, NULL);
	if (status == BT_SELF_COMPONENT_ADD_PORT_STATUS_OK) {
		status = bt_self_component_filter_add_output_port(self, "out", NULL, NULL);
	}
	if (status == BT_SELF_COMPONENT_ADD_PORT_STATUS_OK) {
		bt_self_component_set_data(bt_self_component_filter_as_self_component(self), data);
	}
	return filter_same_status(status);
}

void *filter_data(bt_self_message_iterator *self)
{
	return bt_self_component_get_data(bt_self_message_iterator_borrow_component(self));
}

/* Only a filter has this port. */
static bt_self_component_port_input *input_port(bt_self_message_iterator *self)
{
	bt_self_component *component = bt_self_message_iterator_borrow_component(self);

	/* bt_self_component_filter is the same object; there is no function for the downcast */
	return bt_self_component_filter_borrow_input_port_by_name((bt_self_component_filter *)component, "in");
}

bt_message_iterator_class_initialize_method_status
filter_create_upstream(bt_self_message_iterator *self, bt_self_message_iterator_configuration *configuration,
		       bt_message_iterator **upstream)
{
	bt_message_iterator_create_from_message_iterator_status status;

	status = bt_message_iterator_create_from_message_iterator(self, input_port(self), upstream);
	if (status == BT_MESSAGE_ITERATOR_CREATE_FROM_MESSAGE_ITERATOR_STATUS_OK) {
		bt_self_message_iterator_configuration_set_can_seek_forward(
			configuration, bt_message_iterator_can_seek_forward(*upstream));
	}
	return filter_same_status(status);
}

bt_message_iterator_class_can_seek_beginning_method_status filter_can_seek_beginning(bt_message_iterator *upstream,
										     bt_bool *can_seek)
{
	return filter_same_status(bt_message_iterator_can_seek_beginning(upstream, can_seek));
}

bt_message_iterator_class_seek_beginning_method_status filter_seek_beginning(bt_message_iterator *upstream)
{
	return filter_same_status(bt_message_iterator_seek_beginning(upstream));
}

bt_component_class_get_supported_mip_versions_method_status
filter_supported_mip_versions(bt_integer_range_set_unsigned *versions, uint64_t maximum)
{
	return filter_same_status(bt_integer_range_set_unsigned_add_range(versions, 0, maximum));
}

bt_component_class_query_method_status filter_query(const struct param *rows, size_t row_count, const char *object,
						    const bt_value **result)
{
	if (strcmp(object, "parameters") != 0) {
		return BT_COMPONENT_CLASS_QUERY_METHOD_STATUS_UNKNOWN_OBJECT;
	}
	*result = params_describe(rows, row_count);
	return *result ? BT_COMPONENT_CLASS_QUERY_METHOD_STATUS_OK
		       : BT_COMPONENT_CLASS_QUERY_METHOD_STATUS_MEMORY_ERROR;
}
