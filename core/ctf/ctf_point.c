/* SPDX-License-Identifier: MIT */
#include "core/ctf/ctf_point.h"

#include <string.h>

#define NOT_WANTED SIZE_MAX

struct ctf_point_plan {
	size_t event;
	bool is_system;
	size_t value_count;
	const struct ctf_type *payload;
	GArray *values; /* size_t, by member of the payload: its index among the values, or NOT_WANTED */
};

static size_t index_of(const struct point_event *event, const char *name)
{
	for (size_t i = 0; i < event->field_count; i++) {
		if (strcmp(event->fields[i], name) == 0) {
			return i;
		}
	}
	return NOT_WANTED;
}

struct ctf_point_plan *ctf_point_plan_create(const struct point_events *points, const char *name, bool is_system,
					     const struct ctf_type *payload)
{
	int event = point_events_find(points, name);
	struct ctf_point_plan *plan;

	if (event < 0) {
		return NULL;
	}
	plan = g_new0(struct ctf_point_plan, 1);
	plan->event = (size_t)event;
	plan->is_system = is_system;
	plan->value_count = points->events[event].field_count;
	plan->payload = payload;
	plan->values = g_array_new(FALSE, FALSE, sizeof(size_t));
	for (guint i = 0; payload && i < payload->fields->len; i++) {
		size_t value = index_of(&points->events[event], ctf_type_field(payload, i)->name);

		g_array_append_val(plan->values, value);
	}
	return plan;
}

void ctf_point_plan_destroy(struct ctf_point_plan *plan)
{
	if (plan) {
		g_array_unref(plan->values);
		g_free(plan);
	}
}

/* The ranges of labels do not overlap: such traces are refused. */
static const char *label_of(const struct ctf_type *type, uint64_t number)
{
	for (guint i = 0; type->labels && i < type->labels->len; i++) {
		const struct ctf_label *label = &g_array_index(type->labels, struct ctf_label, i);

		if (type->is_signed
			    ? (int64_t)number >= (int64_t)label->lower && (int64_t)number <= (int64_t)label->upper
			    : number >= label->lower && number <= label->upper) {
			return label->name;
		}
	}
	return NULL;
}

static bool read_elements(struct ctf_cursor *cursor, const struct ctf_type *element, uint64_t count,
			  struct point_builder *builder)
{
	uint64_t number;
	double real;

	for (uint64_t i = 0; i < count; i++) {
		if (element->kind == CTF_FLOAT) {
			if (!ctf_cursor_read_real(cursor, element, &real)) {
				return false;
			}
			point_builder_add_real_element(builder, real);
		} else {
			if (!ctf_cursor_read_integer(cursor, element, &number)) {
				return false;
			}
			point_builder_add_element(builder, number);
		}
	}
	return true;
}

static enum point_value_type number_type(const struct ctf_type *type)
{
	switch (type->kind) {
	case CTF_INTEGER:
		return type->is_signed ? POINT_VALUE_SIGNED : POINT_VALUE_UNSIGNED;
	case CTF_FLOAT:
		return POINT_VALUE_REAL;
	default:
		return POINT_VALUE_NONE;
	}
}

static bool read_list(struct ctf_cursor *cursor, const struct ctf_type *type, size_t value,
		      struct point_builder *builder)
{
	enum point_value_type element = number_type(type->element);
	uint64_t count;

	if (!ctf_cursor_enter_array(cursor, type, &count)) {
		return false;
	}
	if (count > POINT_LIST_MAX) {
		element = POINT_VALUE_NONE;
	}
	point_builder_set_list(builder, value, element, count);
	return element == POINT_VALUE_NONE || read_elements(cursor, type->element, count, builder);
}

static bool read_value(struct ctf_cursor *cursor, const struct ctf_type *type, size_t value,
		       struct point_builder *builder)
{
	const char *text;
	size_t length;
	uint64_t number;
	double real;

	if (type->kind == CTF_INTEGER) {
		if (!ctf_cursor_read_integer(cursor, type, &number)) {
			return false;
		}
		point_builder_set_integer(builder, value, type->is_signed, number, label_of(type, number));
	} else if (type->kind == CTF_FLOAT) {
		if (!ctf_cursor_read_real(cursor, type, &real)) {
			return false;
		}
		point_builder_set_real(builder, value, real);
	} else if (type->kind == CTF_STRING || ctf_type_is_text(type)) {
		if (!ctf_cursor_read_text(cursor, type, &text, &length)) {
			return false;
		}
		point_builder_set_text(builder, value, text, length);
	} else if (type->kind == CTF_ARRAY || type->kind == CTF_SEQUENCE) {
		return read_list(cursor, type, value, builder);
	}
	return true;
}

static enum point_value_type type_of(const struct ctf_type *type)
{
	if (type->kind == CTF_STRING || ctf_type_is_text(type)) {
		return POINT_VALUE_TEXT;
	}
	return type->kind == CTF_ARRAY || type->kind == CTF_SEQUENCE ? POINT_VALUE_LIST : number_type(type);
}

void ctf_point_describe(const struct point_class_listener *listener, const char *name, const struct ctf_type *payload)
{
	g_autoptr(GArray) fields = g_array_new(FALSE, FALSE, sizeof(struct point_field));

	for (guint i = 0; payload && i < payload->fields->len; i++) {
		const struct ctf_field *field = ctf_type_field(payload, i);
		struct point_field described = {
			.name = field->name,
			.type = type_of(field->type),
			.is_enumeration = field->type->kind == CTF_INTEGER && field->type->labels,
		};

		g_array_append_val(fields, described);
	}
	listener->found(listener->data, name, (const struct point_field *)(void *)fields->data, fields->len);
}

bool ctf_point_read(const struct ctf_point_plan *plan, struct ctf_cursor *cursor, struct point_builder *builder,
		    struct event_record *record)
{
	point_builder_start(builder, plan->value_count);
	if (plan->payload && !ctf_cursor_align(cursor, plan->payload->alignment)) {
		return false;
	}
	for (guint i = 0; plan->payload && i < plan->values->len; i++) {
		const struct ctf_field *field = ctf_type_field(plan->payload, i);
		size_t value = g_array_index(plan->values, size_t, i);
		struct ctf_cursor start = *cursor;

		/* first, since a length that others depend on is stored on the way */
		if (!ctf_cursor_skip_field(cursor, field) ||
		    (value != NOT_WANTED && !read_value(&start, field->type, value, builder))) {
			return false;
		}
	}
	point_builder_finish(builder, plan->event, plan->is_system, record);
	return true;
}
