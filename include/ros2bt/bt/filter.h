/* SPDX-License-Identifier: MIT */
/*
 * What all our filters have in common: the life of component and message iterators, ports, parameters, seeking. A
 * filter is a struct filter_class with its own part; plugin/plugin.c declares it to libbabeltrace2.
 *
 * A filter has one input port "in" and one output port "out". Each message iterator owns one upstream and the gate
 * through which its messages go (packet_gate.h), and goes back to its beginning by letting upstream do so.
 */
#ifndef ROS2BT_FILTER_H
#define ROS2BT_FILTER_H

#include <babeltrace2/babeltrace.h>
#include <glib.h>
#include <stdbool.h>

#include "ros2bt/base/params.h"
#include "ros2bt/bt/packet_gate.h"

/* The first member of a filter's iterators. */
struct filter_iterator {
	const struct filter_class *class;
	bt_self_message_iterator *self;
	const void *component;	       /* with the parameters that were read */
	bt_message_iterator *upstream; /* owned */
	struct packet_gate *out;       /* owned; what is pushed is delivered */
	bool has_ended;		       /* set by `end`: nothing more will be pushed */
};

/*
 * Sizes, in bytes, are those of the filter's own structs, which begin as zeros. Functions get them as `component` and
 * `iterator`. A function that returns false or an error has added a cause. NULL: nothing to do.
 */
struct filter_class {
	const struct param *rows;
	size_t row_count;
	uint64_t mip_version_max; /* all versions of the message interchange protocol up to this one are supported */
	enum packet_gate_losses losses;

	size_t component_size;
	/* The parameters are valid by their rows. False with an error: they are wrong nevertheless. */
	bool (*read_parameters)(void *component, const struct params *params, GError **error);
	void (*clear_component)(void *component);

	size_t iterator_size;
	void (*begin)(void *iterator);	/* a new iterator: creates what it has */
	void (*rewind)(void *iterator); /* before the first message again; nothing is left in the gate */
	void (*clear)(void *iterator);	/* frees what `begin` created */

	/* Instead of filter_read(), for filters that do not only read on: one step, the status of a next method. */
	int (*step)(void *iterator);
	const char *purpose; /* of messages: "to look for copies in" */
	/* The next messages of upstream, whose references it takes over. */
	bool (*take)(void *iterator, bt_message_array_const messages, uint64_t count);
	/* Upstream has no more messages: sets has_ended, unless the filter reads them once more (filter_go_back()). */
	bool (*end)(void *iterator);
};

/* Reads messages and gives them to `take`, or calls `end`; the status of a next method. */
int filter_read(struct filter_iterator *iterator);

/* Upstream goes to its beginning, for a second pass; the status of a next method: the filter asks again later. */
int filter_go_back(struct filter_iterator *iterator);

/* The component, for component_log(). */
const bt_component *filter_component(const struct filter_iterator *iterator);

/*
 * Methods of libbabeltrace2. Those of a class, which do not get the filter's class from libbabeltrace2, get it as an
 * argument.
 */
bt_component_class_get_supported_mip_versions_method_status
filter_get_supported_mip_versions(const struct filter_class *class, bt_integer_range_set_unsigned *versions);
bt_component_class_query_method_status filter_query(const struct filter_class *class, const char *object,
						    const bt_value **result);
bt_component_class_initialize_method_status filter_initialize(const struct filter_class *class,
							      bt_self_component_filter *self, const bt_value *params);
void filter_finalize(bt_self_component_filter *self);

bt_message_iterator_class_initialize_method_status
filter_iterator_initialize(bt_self_message_iterator *self, bt_self_message_iterator_configuration *configuration,
			   bt_self_component_port_output *port);
void filter_iterator_finalize(bt_self_message_iterator *self);
bt_message_iterator_class_next_method_status filter_iterator_next(bt_self_message_iterator *self,
								  bt_message_array_const messages, uint64_t capacity,
								  uint64_t *count);
bt_message_iterator_class_can_seek_beginning_method_status
filter_iterator_can_seek_beginning(bt_self_message_iterator *self, bt_bool *can_seek);
bt_message_iterator_class_seek_beginning_method_status filter_iterator_seek_beginning(bt_self_message_iterator *self);

#endif
