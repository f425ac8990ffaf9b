/* SPDX-License-Identifier: MIT */
#include "ros2bt/bt/filter.h"

#include <stddef.h>
#include <string.h>

#include "ros2bt/bt/component_log.h"
#include "ros2bt/bt/given_params.h"

/* The user data of a component: the filter's own part follows. */
struct filter {
	const struct filter_class *class;
	max_align_t component[];
};

/*
 * The status enumerations of libbabeltrace2 give one meaning one number (func-status.h), so the status of a call
 * upstream can be returned as the status of the method that made it, where both have that meaning.
 */
static inline int same_status(int status)
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

/* --- the component --- */

bt_component_class_get_supported_mip_versions_method_status
filter_get_supported_mip_versions(const struct filter_class *class, bt_integer_range_set_unsigned *versions)
{
	return same_status(bt_integer_range_set_unsigned_add_range(versions, 0, class->mip_version_max));
}

bt_component_class_query_method_status filter_query(const struct filter_class *class, const char *object,
						    const bt_value **result)
{
	if (strcmp(object, "parameters") != 0) {
		return BT_COMPONENT_CLASS_QUERY_METHOD_STATUS_UNKNOWN_OBJECT;
	}
	*result = params_describe(class->rows, class->row_count);
	return *result ? BT_COMPONENT_CLASS_QUERY_METHOD_STATUS_OK
		       : BT_COMPONENT_CLASS_QUERY_METHOD_STATUS_MEMORY_ERROR;
}

static bool read_parameters(struct filter *filter, bt_self_component *self, const bt_value *values)
{
	g_autoptr(param_values) given = given_params(values);
	const struct params params = { filter->class->rows, filter->class->row_count, given, false };
	g_autofree char *problem = params_check(&params);
	g_autoptr(GError) error = NULL;

	if (problem) {
		component_error(self, "%s", problem);
		return false;
	}
	if (!filter->class->read_parameters(filter->component, &params, &error)) {
		component_error(self, "%s", error->message);
		return false;
	}
	return true;
}

static void destroy(struct filter *filter)
{
	if (filter->class->clear_component) {
		filter->class->clear_component(filter->component);
	}
	g_free(filter);
}

static int add_ports(bt_self_component_filter *self)
{
	int status = bt_self_component_filter_add_input_port(self, "in", NULL, NULL);

	return status == BT_SELF_COMPONENT_ADD_PORT_STATUS_OK
		       ? bt_self_component_filter_add_output_port(self, "out", NULL, NULL)
		       : status;
}

bt_component_class_initialize_method_status filter_initialize(const struct filter_class *class,
							      bt_self_component_filter *self, const bt_value *params)
{
	bt_self_component *component = bt_self_component_filter_as_self_component(self);
	struct filter *filter = g_malloc0(sizeof(struct filter) + class->component_size);
	int status = BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_ERROR;

	filter->class = class;
	if (read_parameters(filter, component, params)) {
		status = add_ports(self);
	}
	if (status == BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_OK) {
		bt_self_component_set_data(component, filter);
	} else {
		destroy(filter);
	}
	return status;
}

void filter_finalize(bt_self_component_filter *self)
{
	destroy(bt_self_component_get_data(bt_self_component_filter_as_self_component(self)));
}

/* --- its iterators --- */

/* Only a filter has this port. */
static bt_self_component_port_input *input_port(bt_self_component *component)
{
	/* bt_self_component_filter is the same object; there is no function for the downcast */
	return bt_self_component_filter_borrow_input_port_by_name((bt_self_component_filter *)component, "in");
}

bt_message_iterator_class_initialize_method_status
filter_iterator_initialize(bt_self_message_iterator *self, bt_self_message_iterator_configuration *configuration,
			   bt_self_component_port_output *port)
{
	bt_self_component *component = bt_self_message_iterator_borrow_component(self);
	const struct filter *filter = bt_self_component_get_data(component);
	struct filter_iterator *iterator;
	bt_message_iterator *upstream;
	bt_message_iterator_create_from_message_iterator_status status =
		bt_message_iterator_create_from_message_iterator(self, input_port(component), &upstream);

	if (status != BT_MESSAGE_ITERATOR_CREATE_FROM_MESSAGE_ITERATOR_STATUS_OK) {
		return same_status(status);
	}
	bt_self_message_iterator_configuration_set_can_seek_forward(configuration,
								    bt_message_iterator_can_seek_forward(upstream));
	iterator = g_malloc0(filter->class->iterator_size);
	*iterator = (struct filter_iterator){
		.class = filter->class,
		.self = self,
		.component = filter->component,
		.upstream = upstream,
		.out = packet_gate_create(self, filter->class->losses),
	};
	filter->class->begin(iterator);
	bt_self_message_iterator_set_data(self, iterator);
	return BT_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD_STATUS_OK;
}

void filter_iterator_finalize(bt_self_message_iterator *self)
{
	struct filter_iterator *iterator = bt_self_message_iterator_get_data(self);

	packet_gate_rewind(iterator->out);
	iterator->class->clear(iterator);
	packet_gate_destroy(iterator->out);
	bt_message_iterator_put_ref(iterator->upstream);
	g_free(iterator);
}

const bt_component *filter_component(const struct filter_iterator *iterator)
{
	return bt_self_component_as_component(bt_self_message_iterator_borrow_component(iterator->self));
}

int filter_read(struct filter_iterator *iterator)
{
	const struct filter_class *class = iterator->class;
	bt_message_array_const messages;
	uint64_t count;
	bt_message_iterator_next_status status = bt_message_iterator_next(iterator->upstream, &messages, &count);
	bool is_done;

	if (status != BT_MESSAGE_ITERATOR_NEXT_STATUS_OK && status != BT_MESSAGE_ITERATOR_NEXT_STATUS_END) {
		if (status < 0) {
			iterator_error(iterator->self, "cannot get the next messages %s", class->purpose);
		}
		return same_status(status);
	}
	is_done = status == BT_MESSAGE_ITERATOR_NEXT_STATUS_END ? class->end(iterator)
								: class->take(iterator, messages, count);
	return is_done ? BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_OK
		       : BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_ERROR;
}

int filter_go_back(struct filter_iterator *iterator)
{
	bt_message_iterator_seek_beginning_status status = bt_message_iterator_seek_beginning(iterator->upstream);

	if (status < 0) {
		iterator_error(iterator->self, "cannot seek to the beginning for the second pass");
	}
	return same_status(status);
}

bt_message_iterator_class_next_method_status filter_iterator_next(bt_self_message_iterator *self,
								  bt_message_array_const messages, uint64_t capacity,
								  uint64_t *count)
{
	struct filter_iterator *iterator = bt_self_message_iterator_get_data(self);

	while (packet_gate_is_empty(iterator->out)) {
		int status;

		if (iterator->has_ended) {
			return BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_END;
		}
		if (bt_self_message_iterator_is_interrupted(self)) {
			return BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_AGAIN;
		}
		status = iterator->class->step ? iterator->class->step(iterator) : filter_read(iterator);
		if (status != BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_OK) {
			return same_status(status);
		}
	}
	*count = packet_gate_pop(iterator->out, messages, capacity);
	return BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_OK;
}

bt_message_iterator_class_can_seek_beginning_method_status
filter_iterator_can_seek_beginning(bt_self_message_iterator *self, bt_bool *can_seek)
{
	const struct filter_iterator *iterator = bt_self_message_iterator_get_data(self);

	return same_status(bt_message_iterator_can_seek_beginning(iterator->upstream, can_seek));
}

bt_message_iterator_class_seek_beginning_method_status filter_iterator_seek_beginning(bt_self_message_iterator *self)
{
	struct filter_iterator *iterator = bt_self_message_iterator_get_data(self);

	packet_gate_rewind(iterator->out);
	iterator->has_ended = false;
	iterator->class->rewind(iterator);
	return same_status(bt_message_iterator_seek_beginning(iterator->upstream));
}
