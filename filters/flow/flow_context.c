/* SPDX-License-Identifier: MIT */
#include "filters/flow/flow_context.h"

#include <glib.h>

#include "ros2bt/bt/own.h"
#include "ros2bt/events/event_schema.h"

static const struct {
	const char *name;
	bt_field_class_type type;
} members[] = {
	{ "flow_id", BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER },
	{ "flow_parent_id", BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER },
	{ "flow_latency_ns", BT_FIELD_CLASS_TYPE_SIGNED_INTEGER },
};

void flow_context_init(struct flow_context *context)
{
	u64_map_init(&context->first_members);
}

void flow_context_clear(struct flow_context *context)
{
	u64_map_clear(&context->first_members);
}

static bool is_of_a_flow(enum event_kind kind)
{
	switch (kind) {
	case EVENT_RCLCPP_PUBLISH:
	case EVENT_RCLCPP_INTRA_PUBLISH:
	case EVENT_RCL_PUBLISH:
	case EVENT_RMW_PUBLISH:
	case EVENT_DDS_WRITE:
	case EVENT_RCLCPP_RING_BUFFER_ENQUEUE:
	case EVENT_RCLCPP_RING_BUFFER_DEQUEUE:
	case EVENT_RMW_TAKE:
	case EVENT_RMW_PAYLOAD:
	case EVENT_RCL_TAKE:
	case EVENT_RCLCPP_TAKE:
	case EVENT_DISPATCH_SUBSCRIPTION_CALLBACK:
	case EVENT_DISPATCH_INTRA_PROCESS_SUBSCRIPTION_CALLBACK:
	case EVENT_CALLBACK_START:
	case EVENT_CALLBACK_END:
	case EVENT_RMW_SEND_REQUEST:
	case EVENT_RMW_TAKE_REQUEST:
	case EVENT_RMW_SEND_RESPONSE:
	case EVENT_RMW_TAKE_RESPONSE:
	case EVENT_AGNOCAST_PUBLISH:
	case EVENT_AGNOCAST_CALLABLE_START:
	case EVENT_AGNOCAST_CALLABLE_END:
	case EVENT_AGNOCAST_TAKE:
		return true;
	default:
		return false;
	}
}

/* Where the context of another filter.ros2.flow begins, whose values are replaced; U64_MAP_NONE if there is none.
 */
static uint64_t find_members(const bt_field_class *structure)
{
	uint64_t count = bt_field_class_structure_get_member_count(structure);

	for (uint64_t first = 0; first + G_N_ELEMENTS(members) <= count; first++) {
		size_t i;

		for (i = 0; i < G_N_ELEMENTS(members); i++) {
			const bt_field_class_structure_member *member =
				bt_field_class_structure_borrow_member_by_index_const(structure, first + i);

			if (g_strcmp0(bt_field_class_structure_member_get_name(member), members[i].name) != 0 ||
			    bt_field_class_get_type(bt_field_class_structure_member_borrow_field_class_const(member)) !=
				    members[i].type) {
				break;
			}
		}
		if (i == G_N_ELEMENTS(members)) {
			return first;
		}
	}
	return U64_MAP_NONE;
}

static bool has_any_member(const bt_field_class *structure)
{
	for (size_t i = 0; i < G_N_ELEMENTS(members); i++) {
		if (bt_field_class_structure_borrow_member_by_name_const(structure, members[i].name)) {
			return true;
		}
	}
	return false;
}

static bool append_members(bt_trace_class *trace_class, bt_field_class *structure)
{
	for (size_t i = 0; i < G_N_ELEMENTS(members); i++) {
		g_autoptr(bt_field_class) class = members[i].type == BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER
							  ? bt_field_class_integer_unsigned_create(trace_class)
							  : bt_field_class_integer_signed_create(trace_class);

		if (!class || bt_field_class_structure_append_member(structure, members[i].name, class) !=
				      BT_FIELD_CLASS_STRUCTURE_APPEND_MEMBER_STATUS_OK) {
			return false;
		}
	}
	return true;
}

bool flow_context_extend(void *data, const bt_event_class *original, bt_trace_class *copy, bt_field_class *structure)
{
	struct flow_context *context = data;
	const char *name = bt_event_class_get_name(original);
	enum event_provider provider;
	const struct event_schema *schema = name ? event_schema_find(name, &provider) : NULL;
	uint64_t first;

	if (!schema || !is_of_a_flow(schema->kind)) {
		return true;
	}
	first = find_members(structure);
	if (first == U64_MAP_NONE) {
		if (has_any_member(structure)) {
			/* Of another origin and meaning. */
			return true;
		}
		first = bt_field_class_structure_get_member_count(structure);
		if (!append_members(copy, structure)) {
			return false;
		}
	}
	u64_map_set(&context->first_members, (uint64_t)(uintptr_t)original, first);
	return true;
}

bool flow_context_is_extended(const struct flow_context *context, const bt_event_class *original)
{
	return u64_map_get(&context->first_members, (uint64_t)(uintptr_t)original) != U64_MAP_NONE;
}

void flow_context_set(const struct flow_context *context, const bt_event_class *original, bt_event *copy,
		      const struct flow_values *values)
{
	uint64_t first = u64_map_get(&context->first_members, (uint64_t)(uintptr_t)original);
	bt_field *structure = bt_event_borrow_specific_context_field(copy);

	bt_field_integer_unsigned_set_value(bt_field_structure_borrow_member_field_by_index(structure, first),
					    values->flow_id);
	bt_field_integer_unsigned_set_value(bt_field_structure_borrow_member_field_by_index(structure, first + 1),
					    values->flow_parent_id);
	bt_field_integer_signed_set_value(bt_field_structure_borrow_member_field_by_index(structure, first + 2),
					  values->flow_latency_ns);
}
