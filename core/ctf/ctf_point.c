/* SPDX-License-Identifier: MIT */
#include "core/ctf/ctf_point.h"

#include <string.h>

#define NOT_WANTED SIZE_MAX

/* A member of the payload, in their order. */
struct planned_member {
	size_t value;	/* its index among the values, or NOT_WANTED */
	GArray *labels; /* struct ctf_label, owned: in the order in which babeltrace2 lists them; NULL: none */
};

struct ctf_point_plan {
	size_t event;
	size_t value_count;
	const struct ctf_type *payload;
	GArray *members; /* struct planned_member */
};

static void member_clear(gpointer data)
{
	g_clear_pointer(&((struct planned_member *)data)->labels, g_array_unref);
}

static bool is_listed(const GArray *labels, const char *name)
{
	for (guint i = 0; i < labels->len; i++) {
		if (strcmp(g_array_index(labels, struct ctf_label, i).name, name) == 0) {
			return true;
		}
	}
	return false;
}

/* babeltrace2 joins the ranges of one label, in the place of the first. */
static GArray *order_labels(const GArray *labels)
{
	GArray *ordered = g_array_new(FALSE, FALSE, sizeof(struct ctf_label));

	for (guint i = 0; i < labels->len; i++) {
		const char *name = g_array_index(labels, struct ctf_label, i).name;

		for (guint j = i; !is_listed(ordered, name) && j < labels->len; j++) {
			if (strcmp(g_array_index(labels, struct ctf_label, j).name, name) == 0) {
				g_array_append_vals(ordered, &g_array_index(labels, struct ctf_label, j), 1);
			}
		}
	}
	return ordered;
}

static size_t index_of(const struct point_event *event, const char *name)
{
	for (size_t i = 0; i < event->field_count; i++) {
		if (strcmp(event->fields[i], name) == 0) {
			return i;
		}
	}
	return NOT_WANTED;
}

struct ctf_point_plan *ctf_point_plan_create(const struct point_events *points, const char *name,
					     const struct ctf_type *payload)
{
	int event = point_events_find(points, name);
	struct ctf_point_plan *plan;

	if (event < 0) {
		return NULL;
	}
	plan = g_new0(struct ctf_point_plan, 1);
	plan->event = (size_t)event;
	plan->value_count = points->events[event].field_count;
	plan->payload = payload;
	plan->members = g_array_new(FALSE, TRUE, sizeof(struct planned_member));
	g_array_set_clear_func(plan->members, member_clear);
	for (guint i = 0; payload && i < payload->fields->len; i++) {
		const struct ctf_field *field = ctf_type_field(payload, i);
		struct planned_member member = { .value = index_of(&points->events[event], field->name) };

		g_array_append_vals(plan->members, &member, 1);
		if (member.value != NOT_WANTED && field->type->kind == CTF_INTEGER && field->type->labels) {
			g_array_index(plan->members, struct planned_member, i).labels =
				order_labels(field->type->labels);
		}
	}
	return plan;
}

void ctf_point_plan_destroy(struct ctf_point_plan *plan)
{
	if (plan) {
		g_array_unref(plan->members);
		g_free(plan);
	}
}

static const char *label_of(const struct planned_member *member, bool is_signed, uint64_t number)
{
	for (guint i = 0; member->labels && i < member->labels->len; i++) {
		const struct ctf_label *label = &g_array_index(member->labels, struct ctf_label, i);

		if (is_signed ? (int64_t)number >= (int64_t)label->lower && (int64_t)number <= (int64_t)label->upper
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

static enum point_value_type element_type(const struct ctf_type *element)
{
	switch (element->kind) {
	case CTF_INTEGER:
		return element->is_signed ? POINT_VALUE_SIGNED : POINT_VALUE_UNSIGNED;
	case CTF_FLOAT:
		return POINT_VALUE_REAL;
	default:
		return POINT_VALUE_NONE;
	}
}

static bool read_list(struct ctf_cursor *cursor, const struct ctf_type *type, size_t value,
		      struct point_builder *builder)
{
	enum point_value_type element = element_type(type->element);
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

static bool read_value(const struct planned_member *member, struct ctf_cursor *cursor, const struct ctf_type *type,
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
		point_builder_set_integer(builder, member->value, type->is_signed, number,
					  label_of(member, type->is_signed, number));
	} else if (type->kind == CTF_FLOAT) {
		if (!ctf_cursor_read_real(cursor, type, &real)) {
			return false;
		}
		point_builder_set_real(builder, member->value, real);
	} else if (type->kind == CTF_STRING || ctf_type_is_text(type)) {
		if (!ctf_cursor_read_text(cursor, type, &text, &length)) {
			return false;
		}
		point_builder_set_text(builder, member->value, text, length);
	} else if (type->kind == CTF_ARRAY || type->kind == CTF_SEQUENCE) {
		return read_list(cursor, type, member->value, builder);
	}
	return true;
}

bool ctf_point_read(const struct ctf_point_plan *plan, struct ctf_cursor *cursor, struct point_builder *builder,
		    struct event_record *record)
{
	point_builder_start(builder, plan->value_count);
	if (plan->payload && !ctf_cursor_align(cursor, plan->payload->alignment)) {
		return false;
	}
	for (guint i = 0; plan->payload && i < plan->members->len; i++) {
		const struct planned_member *member = &g_array_index(plan->members, struct planned_member, i);
		const struct ctf_field *field = ctf_type_field(plan->payload, i);
		struct ctf_cursor start = *cursor;

		/* first, since a length that others depend on is stored on the way */
		if (!ctf_cursor_skip_field(cursor, field) ||
		    (member->value != NOT_WANTED && !read_value(member, &start, field->type, builder))) {
			return false;
		}
	}
	point_builder_finish(builder, plan->event, record);
	return true;
}
