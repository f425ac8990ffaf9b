/* SPDX-License-Identifier: MIT */
#include "core/events/class_plan.h"

#include <glib.h>

#include "ros2bt/events/event_record.h"

static void find_row(struct class_plan *class, const char *name)
{
	class->name = name;
	class->schema = event_schema_find(name, &class->provider);
}

void class_plan_init(struct class_plan *class, const char *name)
{
	*class = (struct class_plan){ .action = CLASS_IGNORE, .mark.how = NORMALIZED_KEPT };
	if (name) {
		find_row(class, name);
	}
}

void class_plan_set_mark(struct class_plan *class, struct normalized_mark mark)
{
	class->mark = mark;
	if (mark.recorded_as) {
		find_row(class, mark.recorded_as);
	}
}

static bool plan_name(struct class_plan *class, const struct event_field *field, struct string_pool *pool)
{
	const char *rest = event_schema_name_rest(class->schema, class->name);

	if (rest[0] == '\0') {
		return false;
	}
	class->text = string_pool_intern(pool, rest);
	class->text_slot = field->slot;
	return true;
}

static bool plan_field(struct class_plan *class, const struct event_field *field, const struct class_members *members,
		       void *plan, struct string_pool *pool)
{
	const char *name;

	if (field->type == FIELD_TYPE_NAME) {
		return plan_name(class, field, pool);
	}
	name = normalized_mark_member(&class->mark, class->schema->kind, field);
	return name && members->plan(plan, name, field);
}

static char *explain_mismatch(const struct event_schema *schema, const bool *has, const struct class_members *members,
			      const void *plan)
{
	bool is_named[EVENT_FIELDS_MAX] = { false };

	for (size_t i = 0; i < schema->field_count; i++) {
		is_named[i] = members->has(plan, schema->fields[i].name);
	}
	return event_schema_explain_mismatch(schema, has, is_named);
}

static void plan_kind(struct class_plan *class, const struct event_interest *interest,
		      const struct class_members *members, void *plan, struct string_pool *pool)
{
	const struct event_schema *schema = class->schema;
	bool has[EVENT_FIELDS_MAX] = { false };

	class->kind = schema->kind;
	class->is_system = schema->class == EVENT_CLASS_SYSTEM;
	for (size_t i = 0; i < schema->field_count; i++) {
		has[i] = plan_field(class, &schema->fields[i], members, plan, pool);
	}
	if (!event_schema_match(schema, class->provider, has)) {
		class->action = CLASS_UNKNOWN;
		class->reason = explain_mismatch(schema, has, members, plan);
		return;
	}
	class->action = CLASS_DECODE;
	class->has_kind = true;
	class->wants_counters = interest && interest->wants_counters[class->kind];
	if (class->provider == EVENT_PROVIDER_CARET) {
		class->flags = RECORD_FROM_CARET;
		class->may_have_init_time = schema->class == EVENT_CLASS_INIT;
	}
}

void class_plan_choose(struct class_plan *class, const struct event_interest *interest, bool has_point,
		       const struct class_members *members, void *plan, struct string_pool *pool)
{
	if (!class->schema && event_provider_is_complete(class->provider) && !has_point) {
		class->action = CLASS_UNKNOWN;
		class->reason = g_strdup("not in the table of events");
	} else if (class->schema && event_interest_wants(interest, class->schema->kind)) {
		plan_kind(class, interest, members, plan, pool);
	}
	if (has_point && class->action == CLASS_IGNORE) {
		class->action = CLASS_DECODE;
		class->is_system = class->provider == EVENT_PROVIDER_KERNEL;
	}
}

void class_plan_clear(struct class_plan *class)
{
	g_clear_pointer(&class->reason, g_free);
}
