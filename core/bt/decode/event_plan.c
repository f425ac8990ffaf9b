/* SPDX-License-Identifier: MIT */
#include "core/bt/decode/event_plan.h"

#include "core/base/memory_layout.h"
#include "ros2bt/bt/normalized_class.h"

static const bt_field_class *payload_of(const struct event_plan *plan)
{
	return bt_event_class_borrow_payload_field_class_const(plan->event_class);
}

static void add_field(struct event_plan *plan, const struct field_plan *member)
{
	struct field_plan *added = plan->end++;

	if (field_reader_is_word(member->reader)) {
		struct field_plan *first_other = plan->others++;

		*added = *first_other;
		added = first_other;
	}
	*added = *member;
}

static bool plan_member(void *data, const char *name, const struct event_field *field)
{
	struct event_plan *plan = data;
	struct field_plan member = field_plan_create(payload_of(plan), name, field->type);

	if (member.reader == FIELD_READER_NONE) {
		return false;
	}
	if (field->slot != SKIP) {
		member.slot = field->slot;
		add_field(plan, &member);
	}
	return true;
}

static bool has_member(const void *data, const char *name)
{
	const bt_field_class *payload = payload_of(data);

	return payload && bt_field_class_structure_borrow_member_by_name_const(payload, name) != NULL;
}

static const struct class_members members = { plan_member, has_member };

static void plan_init_time(struct event_plan *plan)
{
	if (plan->class.may_have_init_time) {
		plan->init_time = field_plan_create(payload_of(plan), "init_timestamp", FIELD_TYPE_I64);
		plan->has_init_time = field_reader_is_integer(plan->init_time.reader);
	}
}

static uint64_t record_head(const struct event_plan *plan)
{
	struct event_record record = { .kind = (uint8_t)plan->class.kind, .flags = plan->class.flags & 3 };

	for (const struct field_plan *field = plan->fields; field < plan->others; field++) {
		record.present |= 1u << field->slot;
	}
	return event_record_head(&record);
}

struct event_plan *event_plan_create(const bt_event_class *event_class, const struct event_interest *interest,
				     struct string_pool *pool)
{
	struct event_plan *plan = g_aligned_alloc0(1, sizeof(*plan), CACHE_LINE);

	bt_event_class_get_ref(event_class);
	plan->event_class = event_class;
	plan->others = plan->end = plan->fields;
	class_plan_init(&plan->class, bt_event_class_get_name(event_class));
	if (plan->class.schema) {
		class_plan_set_mark(&plan->class, normalized_class_mark(event_class));
	}
	if (!plan->class.name || class_plan_is_supplied(&plan->class)) {
		return plan;
	}
	if (interest && interest->classes) {
		point_plan_describe(interest->classes, plan->class.name, event_class);
	}
	plan->point = point_plan_create(interest ? interest->points : NULL, plan->class.name,
					plan->class.provider == EVENT_PROVIDER_KERNEL, event_class);
	class_plan_choose(&plan->class, interest, plan->point != NULL, &members, plan, pool);
	plan->joins_polls = interest && interest->joins_polls && plan->class.has_kind && !plan->point &&
			    !plan->class.wants_counters && event_class_of(plan->class.kind) == EVENT_CLASS_POLL;
	plan_init_time(plan);
	plan->has_more = plan->class.text || plan->end > plan->others || plan->has_init_time || plan->point ||
			 plan->class.wants_counters;
	plan->record_head = record_head(plan);
	return plan;
}

void event_plan_destroy(struct event_plan *plan)
{
	bt_event_class_put_ref(plan->event_class);
	class_plan_clear(&plan->class);
	point_plan_destroy(plan->point);
	g_aligned_free(plan);
}

void event_plan_read_others(const struct event_plan *plan, const bt_field *payload, struct string_pool *pool,
			    GByteArray *scratch, struct event_record *record)
{
	if (plan->class.text) {
		record->word[plan->class.text_slot] = (uint64_t)(uintptr_t)plan->class.text;
		record->present |= 1u << plan->class.text_slot;
	}
	for (const struct field_plan *field_plan = plan->others; field_plan < plan->end; field_plan++) {
		const bt_field *field = field_plan_member(field_plan, payload);
		const void *pooled;

		switch (field_plan->reader) {
		case FIELD_READER_STRING:
			pooled = string_pool_intern(pool, field_string(field));
			break;
		case FIELD_READER_GID:
			pooled = field_plan_gid(field_plan, field, pool);
			break;
		default:
			pooled = field_plan_addresses(field_plan, field, pool, scratch);
			break;
		}
		if (pooled) {
			record->word[field_plan->slot] = (uint64_t)(uintptr_t)pooled;
			record->present |= 1u << field_plan->slot;
		}
	}
}

uint64_t event_plan_init_ticks(const struct event_plan *plan, const bt_field *payload)
{
	uint64_t ticks = field_plan_integer(&plan->init_time, payload);

	return ticks <= INT64_MAX ? ticks : 0;
}
