/* SPDX-License-Identifier: MIT */
#include "core/bt/decode/point_plan.h"

#include <string.h>

/* A wanted field that the class has. */
struct planned_field {
	size_t value;	/* its index among the values */
	uint64_t index; /* in its structure */
};

struct point_plan {
	size_t event;
	bool is_system;
	size_t value_count;
	GArray *fields; /* struct planned_field */
};

static bool find_member(const bt_field_class *structure, const char *name, uint64_t *index)
{
	uint64_t count = structure ? bt_field_class_structure_get_member_count(structure) : 0;

	for (*index = 0; *index < count; ++*index) {
		const bt_field_class_structure_member *member =
			bt_field_class_structure_borrow_member_by_index_const(structure, *index);

		if (strcmp(bt_field_class_structure_member_get_name(member), name) == 0) {
			return true;
		}
	}
	return false;
}

struct point_plan *point_plan_create(const struct point_events *points, const char *name, bool is_system,
				     const bt_event_class *event_class)
{
	int event = point_events_find(points, name);
	struct point_plan *plan;

	if (event < 0) {
		return NULL;
	}
	plan = g_new0(struct point_plan, 1);
	plan->event = (size_t)event;
	plan->is_system = is_system;
	plan->value_count = points->events[event].field_count;
	plan->fields = g_array_new(FALSE, FALSE, sizeof(struct planned_field));
	for (size_t i = 0; i < plan->value_count; i++) {
		struct planned_field field = { .value = i };

		if (find_member(bt_event_class_borrow_payload_field_class_const(event_class),
				points->events[event].fields[i], &field.index)) {
			g_array_append_val(plan->fields, field);
		}
	}
	return plan;
}

void point_plan_destroy(struct point_plan *plan)
{
	if (plan) {
		g_array_unref(plan->fields);
		g_free(plan);
	}
}

/* The first label of an enumeration's value; NULL: none. */
static const char *label_of(const bt_field *field, bool is_signed)
{
	bt_field_class_enumeration_mapping_label_array labels;
	uint64_t count = 0;
	bt_field_enumeration_get_mapping_labels_status status =
		is_signed ? bt_field_enumeration_signed_get_mapping_labels(field, &labels, &count)
			  : bt_field_enumeration_unsigned_get_mapping_labels(field, &labels, &count);

	if (status != BT_FIELD_ENUMERATION_GET_MAPPING_LABELS_STATUS_OK) {
		bt_current_thread_clear_error();
		return NULL;
	}
	return count > 0 ? labels[0] : NULL;
}

static enum point_value_type number_type(const bt_field_class *field_class)
{
	switch (bt_field_class_get_type(field_class)) {
	case BT_FIELD_CLASS_TYPE_BOOL:
	case BT_FIELD_CLASS_TYPE_BIT_ARRAY:
	case BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER:
	case BT_FIELD_CLASS_TYPE_UNSIGNED_ENUMERATION:
		return POINT_VALUE_UNSIGNED;
	case BT_FIELD_CLASS_TYPE_SIGNED_INTEGER:
	case BT_FIELD_CLASS_TYPE_SIGNED_ENUMERATION:
		return POINT_VALUE_SIGNED;
	case BT_FIELD_CLASS_TYPE_SINGLE_PRECISION_REAL:
	case BT_FIELD_CLASS_TYPE_DOUBLE_PRECISION_REAL:
		return POINT_VALUE_REAL;
	default:
		return POINT_VALUE_NONE;
	}
}

static uint64_t read_integer(const bt_field *field)
{
	switch (bt_field_get_class_type(field)) {
	case BT_FIELD_CLASS_TYPE_BOOL:
		return bt_field_bool_get_value(field) ? 1 : 0;
	case BT_FIELD_CLASS_TYPE_BIT_ARRAY:
		return bt_field_bit_array_get_value_as_integer(field);
	case BT_FIELD_CLASS_TYPE_SIGNED_INTEGER:
	case BT_FIELD_CLASS_TYPE_SIGNED_ENUMERATION:
		return (uint64_t)bt_field_integer_signed_get_value(field);
	default:
		return bt_field_integer_unsigned_get_value(field);
	}
}

static double read_real(const bt_field *field)
{
	return bt_field_class_type_is(bt_field_get_class_type(field), BT_FIELD_CLASS_TYPE_SINGLE_PRECISION_REAL)
		       ? (double)bt_field_real_single_precision_get_value(field)
		       : bt_field_real_double_precision_get_value(field);
}

static void read_list(const bt_field *field, size_t value, struct point_builder *builder)
{
	const bt_field_class *element_class =
		bt_field_class_array_borrow_element_field_class_const(bt_field_borrow_class_const(field));
	uint64_t count = bt_field_array_get_length(field);
	enum point_value_type element = count > POINT_LIST_MAX ? POINT_VALUE_NONE : number_type(element_class);

	point_builder_set_list(builder, value, element, count);
	for (uint64_t i = 0; element != POINT_VALUE_NONE && i < count; i++) {
		const bt_field *item = bt_field_array_borrow_element_field_by_index_const(field, i);

		if (element == POINT_VALUE_REAL) {
			point_builder_add_real_element(builder, read_real(item));
		} else {
			point_builder_add_element(builder, read_integer(item));
		}
	}
}

static void read_value(const bt_field *field, size_t value, struct point_builder *builder)
{
	bt_field_class_type type = bt_field_get_class_type(field);
	enum point_value_type number = number_type(bt_field_borrow_class_const(field));
	bool is_signed = number == POINT_VALUE_SIGNED;

	if (number == POINT_VALUE_REAL) {
		point_builder_set_real(builder, value, read_real(field));
	} else if (number != POINT_VALUE_NONE) {
		bool has_labels = bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_ENUMERATION);

		point_builder_set_integer(builder, value, is_signed, read_integer(field),
					  has_labels ? label_of(field, is_signed) : NULL);
	} else if (type == BT_FIELD_CLASS_TYPE_STRING) {
		/* In libbabeltrace2 2.0.4 an empty string may still hold its previous text. */
		point_builder_set_text(builder, value, bt_field_string_get_value(field),
				       bt_field_string_get_length(field));
	} else if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_ARRAY)) {
		read_list(field, value, builder);
	}
}

static enum point_value_type type_of(const bt_field_class *field_class)
{
	bt_field_class_type type = bt_field_class_get_type(field_class);

	if (type == BT_FIELD_CLASS_TYPE_STRING) {
		return POINT_VALUE_TEXT;
	}
	return bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_ARRAY) ? POINT_VALUE_LIST : number_type(field_class);
}

void point_plan_describe(const struct point_class_listener *listener, const char *name,
			 const bt_event_class *event_class)
{
	const bt_field_class *payload = bt_event_class_borrow_payload_field_class_const(event_class);
	g_autoptr(GArray) fields = g_array_new(FALSE, FALSE, sizeof(struct point_field));
	uint64_t count = payload ? bt_field_class_structure_get_member_count(payload) : 0;

	for (uint64_t i = 0; i < count; i++) {
		const bt_field_class_structure_member *member =
			bt_field_class_structure_borrow_member_by_index_const(payload, i);
		const bt_field_class *field_class = bt_field_class_structure_member_borrow_field_class_const(member);
		struct point_field described = {
			.name = bt_field_class_structure_member_get_name(member),
			.type = type_of(field_class),
			.is_enumeration = bt_field_class_type_is(bt_field_class_get_type(field_class),
								 BT_FIELD_CLASS_TYPE_ENUMERATION),
		};

		g_array_append_val(fields, described);
	}
	listener->found(listener->data, name, (const struct point_field *)(void *)fields->data, fields->len);
}

void point_plan_read(const struct point_plan *plan, const bt_field *payload, struct point_builder *builder,
		     struct event_record *record)
{
	point_builder_start(builder, plan->value_count);
	for (guint i = 0; i < plan->fields->len; i++) {
		const struct planned_field *planned = &g_array_index(plan->fields, struct planned_field, i);

		read_value(bt_field_structure_borrow_member_field_by_index_const(payload, planned->index),
			   planned->value, builder);
	}
	point_builder_finish(builder, plan->event, plan->is_system, record);
}
