/* SPDX-License-Identifier: MIT */
#include "core/bt/decode/event_plan.h"

#include <string.h>

#include "core/base/unique_ids.h"
#include "core/bt/decode/normalized_class.h"

static enum field_reader integer_reader(const bt_field_class *field_class)
{
	switch (bt_field_class_get_type(field_class)) {
	case BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER:
	case BT_FIELD_CLASS_TYPE_UNSIGNED_ENUMERATION:
		return FIELD_READER_UNSIGNED;
	case BT_FIELD_CLASS_TYPE_SIGNED_INTEGER:
	case BT_FIELD_CLASS_TYPE_SIGNED_ENUMERATION:
		return FIELD_READER_SIGNED;
	case BT_FIELD_CLASS_TYPE_BOOL:
		return FIELD_READER_BOOL;
	case BT_FIELD_CLASS_TYPE_BIT_ARRAY:
		return FIELD_READER_BITS;
	default:
		return FIELD_READER_NONE;
	}
}

static bool is_integer(enum field_reader reader)
{
	return reader == FIELD_READER_UNSIGNED || reader == FIELD_READER_SIGNED;
}

static uint64_t all_bits(const bt_field_class *field_class)
{
	return UINT64_MAX >> (64 - bt_field_class_integer_get_field_value_range(field_class));
}

static bool is_array(const bt_field_class *field_class)
{
	switch (bt_field_class_get_type(field_class)) {
	case BT_FIELD_CLASS_TYPE_STATIC_ARRAY:
	case BT_FIELD_CLASS_TYPE_DYNAMIC_ARRAY_WITHOUT_LENGTH_FIELD:
	case BT_FIELD_CLASS_TYPE_DYNAMIC_ARRAY_WITH_LENGTH_FIELD:
		return true;
	default:
		return false;
	}
}

static bool is_long_enough_for_gid(const bt_field_class *field_class)
{
	return bt_field_class_get_type(field_class) != BT_FIELD_CLASS_TYPE_STATIC_ARRAY ||
	       bt_field_class_array_static_get_length(field_class) >= GID_SIZE;
}

static void plan_array(struct field_plan *plan, const bt_field_class *field_class, enum field_type type)
{
	const bt_field_class *element_class;

	if (!is_array(field_class)) {
		return;
	}
	element_class = bt_field_class_array_borrow_element_field_class_const(field_class);
	plan->element = integer_reader(element_class);
	if (!is_integer(plan->element)) {
		return;
	}
	plan->mask = all_bits(element_class);
	if (type == FIELD_TYPE_ADDRESSES) {
		plan->reader = FIELD_READER_ADDRESSES;
	} else if (plan->mask == UINT8_MAX && is_long_enough_for_gid(field_class)) {
		plan->reader = FIELD_READER_GID;
	}
}

static void plan_integer(struct field_plan *plan, const bt_field_class *field_class, enum field_type type)
{
	plan->reader = integer_reader(field_class);
	plan->mask = UINT64_MAX;
	if (is_integer(plan->reader) && (type == FIELD_TYPE_ADDRESS || type == FIELD_TYPE_U64)) {
		plan->mask = all_bits(field_class);
	}
}

/* The plan for a member of a structure class; NONE if it is not there or not of a type that goes with `type`. */
static struct field_plan plan_member(const bt_field_class *structure, const char *name, enum field_type type)
{
	struct field_plan plan = { .reader = FIELD_READER_NONE };
	uint64_t count = structure ? bt_field_class_structure_get_member_count(structure) : 0;

	for (uint64_t i = 0; i < count; i++) {
		const bt_field_class_structure_member *member =
			bt_field_class_structure_borrow_member_by_index_const(structure, i);
		const bt_field_class *field_class;

		if (strcmp(bt_field_class_structure_member_get_name(member), name) != 0) {
			continue;
		}
		plan.index = i;
		field_class = bt_field_class_structure_member_borrow_field_class_const(member);
		if (type == FIELD_TYPE_GID || type == FIELD_TYPE_ADDRESSES) {
			plan_array(&plan, field_class, type);
		} else if (type != FIELD_TYPE_STRING) {
			plan_integer(&plan, field_class, type);
		} else if (bt_field_class_get_type(field_class) == BT_FIELD_CLASS_TYPE_STRING) {
			plan.reader = FIELD_READER_STRING;
		}
		break;
	}
	return plan;
}

static char *explain_mismatch(const struct event_schema *schema, const bt_field_class *payload, const bool *has)
{
	bool is_named[EVENT_FIELDS_MAX] = { false };

	for (size_t i = 0; payload && i < schema->field_count; i++) {
		is_named[i] =
			bt_field_class_structure_borrow_member_by_name_const(payload, schema->fields[i].name) != NULL;
	}
	return event_schema_explain_mismatch(schema, has, is_named);
}

/* A word that is the same for all events of the class. */
static struct field_plan plan_name(const struct event_plan *plan, const struct event_schema *schema,
				   struct string_pool *pool)
{
	const char *rest = event_schema_name_rest(schema, plan->name);
	struct field_plan name = { .reader = FIELD_READER_NONE };

	if (rest[0] != '\0') {
		name.reader = FIELD_READER_NAME;
		name.text = string_pool_intern(pool, rest);
	}
	return name;
}

static void plan_payload(struct event_plan *plan, const struct event_schema *schema, enum event_provider provider,
			 const struct normalized_mark *mark, struct string_pool *pool)
{
	const bt_field_class *payload = bt_event_class_borrow_payload_field_class_const(plan->event_class);
	bool has[EVENT_FIELDS_MAX] = { false };

	for (size_t i = 0; i < schema->field_count; i++) {
		const struct event_field *field = &schema->fields[i];
		const char *name = normalized_mark_member(mark, schema->kind, field);
		struct field_plan field_plan = { .reader = FIELD_READER_NONE };

		if (field->type == FIELD_TYPE_NAME) {
			field_plan = plan_name(plan, schema, pool);
		} else if (name) {
			field_plan = plan_member(payload, name, field->type);
		}
		has[i] = field_plan.reader != FIELD_READER_NONE;
		if (has[i] && field->slot != SKIP) {
			field_plan.slot = field->slot;
			plan->fields[plan->field_count++] = field_plan;
		}
	}
	if (!event_schema_match(schema, provider, has)) {
		plan->action = EVENT_PLAN_UNKNOWN;
		plan->reason = explain_mismatch(schema, payload, has);
		return;
	}
	plan->action = EVENT_PLAN_DECODE;
	if (provider == EVENT_PROVIDER_CARET) {
		plan->flags = RECORD_FROM_CARET;
		plan->init_time = plan_member(payload, "init_timestamp", FIELD_TYPE_I64);
		plan->has_init_time = schema->class == EVENT_CLASS_INIT && is_integer(plan->init_time.reader);
	}
}

struct event_plan *event_plan_create(const bt_event_class *event_class, const struct event_interest *interest,
				     struct string_pool *pool)
{
	struct event_plan *plan = g_new0(struct event_plan, 1);
	enum event_provider provider;
	const struct event_schema *schema;
	struct normalized_mark mark = { .how = NORMALIZED_KEPT };

	bt_event_class_get_ref(event_class);
	plan->event_class = event_class;
	plan->name = bt_event_class_get_name(event_class);
	plan->action = EVENT_PLAN_IGNORE;
	if (!plan->name) {
		return plan;
	}
	schema = event_schema_find(plan->name, &provider);
	if (schema) {
		mark = normalized_class_mark(event_class);
		plan->how = mark.how;
	}
	if (mark.how == NORMALIZED_SUPPLIED) {
		return plan;
	}
	if (mark.recorded_as) {
		plan->name = mark.recorded_as;
		schema = event_schema_find(plan->name, &provider);
	}
	if (interest && interest->classes) {
		point_plan_describe(interest->classes, plan->name, event_class);
	}
	plan->point = point_plan_create(interest ? interest->points : NULL, plan->name,
					provider == EVENT_PROVIDER_KERNEL, event_class);
	if (!schema && event_provider_is_complete(provider) && !plan->point) {
		plan->action = EVENT_PLAN_UNKNOWN;
		plan->reason = g_strdup("not in the table of events");
	} else if (schema && event_interest_wants(interest, schema->kind)) {
		plan->kind = schema->kind;
		plan->is_system = schema->class == EVENT_CLASS_SYSTEM;
		plan_payload(plan, schema, provider, &mark, pool);
		plan->has_kind = plan->action == EVENT_PLAN_DECODE;
		plan->has_counters = plan->has_kind && interest && interest->wants_counters[plan->kind];
	}
	if (plan->point && plan->action == EVENT_PLAN_IGNORE) {
		plan->is_system = provider == EVENT_PROVIDER_KERNEL;
		plan->action = EVENT_PLAN_DECODE;
	}
	return plan;
}

void event_plan_destroy(struct event_plan *plan)
{
	bt_event_class_put_ref(plan->event_class);
	g_free(plan->reason);
	point_plan_destroy(plan->point);
	g_free(plan);
}

static inline uint64_t read_integer(enum field_reader reader, uint64_t mask, const bt_field *field)
{
	switch (reader) {
	case FIELD_READER_UNSIGNED:
		return bt_field_integer_unsigned_get_value(field);
	case FIELD_READER_SIGNED:
		return (uint64_t)bt_field_integer_signed_get_value(field) & mask;
	case FIELD_READER_BOOL:
		return bt_field_bool_get_value(field) ? 1 : 0;
	case FIELD_READER_BITS:
		return bt_field_bit_array_get_value_as_integer(field);
	default:
		return 0;
	}
}

static const void *read_gid(const struct field_plan *plan, const bt_field *field, struct string_pool *pool)
{
	uint8_t gid[GID_SIZE];

	if (bt_field_array_get_length(field) < GID_SIZE) {
		return NULL;
	}
	for (uint64_t i = 0; i < GID_SIZE; i++) {
		const bt_field *element = bt_field_array_borrow_element_field_by_index_const(field, i);

		gid[i] = (uint8_t)read_integer(plan->element, plan->mask, element);
	}
	return string_pool_intern_bytes(pool, gid, sizeof(gid));
}

static const void *read_addresses(const struct field_plan *plan, const bt_field *field, struct string_pool *pool,
				  GByteArray *scratch)
{
	struct address_list head = { .count = bt_field_array_get_length(field) };

	g_byte_array_set_size(scratch, 0);
	g_byte_array_append(scratch, (const guint8 *)&head, sizeof(head));
	for (uint64_t i = 0; i < head.count; i++) {
		const bt_field *element = bt_field_array_borrow_element_field_by_index_const(field, i);
		uint64_t address = read_integer(plan->element, plan->mask, element);

		g_byte_array_append(scratch, (const guint8 *)&address, sizeof(address));
	}
	return string_pool_intern_bytes(pool, scratch->data, scratch->len);
}

/* In libbabeltrace2 2.0.4 an empty string may still hold its previous text. */
static const char *read_string(const bt_field *field)
{
	return bt_field_string_get_length(field) > 0 ? bt_field_string_get_value(field) : "";
}

static inline const bt_field *member_field(const struct field_plan *plan, const bt_field *structure)
{
	return bt_field_structure_borrow_member_field_by_index_const(structure, plan->index);
}

void event_plan_read(const struct event_plan *plan, const bt_field *payload, struct string_pool *pool,
		     GByteArray *scratch, struct event_record *record)
{
	for (size_t i = 0; i < plan->field_count; i++) {
		const struct field_plan *field_plan = &plan->fields[i];
		bool is_name = field_plan->reader == FIELD_READER_NAME;
		const bt_field *field = is_name ? NULL : member_field(field_plan, payload);
		const void *pooled;

		switch (field_plan->reader) {
		case FIELD_READER_NAME:
			pooled = field_plan->text;
			break;
		case FIELD_READER_STRING:
			pooled = string_pool_intern(pool, read_string(field));
			break;
		case FIELD_READER_GID:
			pooled = read_gid(field_plan, field, pool);
			break;
		case FIELD_READER_ADDRESSES:
			pooled = read_addresses(field_plan, field, pool, scratch);
			break;
		default:
			record->word[field_plan->slot] = read_integer(field_plan->reader, field_plan->mask, field);
			record->present |= 1u << field_plan->slot;
			continue;
		}
		if (pooled) {
			record->word[field_plan->slot] = (uint64_t)(uintptr_t)pooled;
			record->present |= 1u << field_plan->slot;
		}
	}
}

uint64_t event_plan_init_ticks(const struct event_plan *plan, const bt_field *payload)
{
	uint64_t ticks = read_integer(plan->init_time.reader, UINT64_MAX, member_field(&plan->init_time, payload));

	return ticks <= INT64_MAX ? ticks : 0;
}

static void plan_counters(struct context_plan *plan, const bt_field_class *structure, struct string_pool *pool)
{
	uint64_t count = structure ? bt_field_class_structure_get_member_count(structure) : 0;

	for (uint64_t i = 0; i < count && plan->counters->len < RECORD_COUNTERS_MAX; i++) {
		const char *name = bt_field_class_structure_member_get_name(
			bt_field_class_structure_borrow_member_by_index_const(structure, i));
		struct counter_plan counter;

		if (!g_str_has_prefix(name, RECORD_COUNTER_PREFIX)) {
			continue;
		}
		counter.name = string_pool_intern(pool, name + strlen(RECORD_COUNTER_PREFIX));
		counter.field = plan_member(structure, name, FIELD_TYPE_U64);
		if (is_integer(counter.field.reader)) {
			g_array_append_val(plan->counters, counter);
		}
	}
}

void context_plan_init(struct context_plan *plan, const bt_stream_class *stream_class, struct string_pool *pool)
{
	const bt_field_class *structure = bt_stream_class_borrow_event_common_context_field_class_const(stream_class);

	*plan = (struct context_plan){
		.is_there = structure != NULL,
		.vpid = plan_member(structure, "vpid", FIELD_TYPE_I32),
		.vtid = plan_member(structure, "vtid", FIELD_TYPE_I32),
		.pid_ns = plan_member(structure, "pid_ns", FIELD_TYPE_U64),
		.procname = plan_member(structure, "procname", FIELD_TYPE_STRING),
		.counters = g_array_new(FALSE, FALSE, sizeof(struct counter_plan)),
	};
	plan_counters(plan, structure, pool);
}

void context_plan_clear(struct context_plan *plan)
{
	g_array_unref(plan->counters);
}

uint64_t context_plan_counter(const struct counter_plan *plan, const bt_field *fields)
{
	return read_integer(plan->field.reader, plan->field.mask, member_field(&plan->field, fields));
}

void context_plan_read(const struct context_plan *plan, const bt_field *fields, struct recording_context *context)
{
	*context = (struct recording_context){ .has_vpid = false };
	if (plan->vpid.reader != FIELD_READER_NONE) {
		context->has_vpid = true;
		context->vpid = (int32_t)read_integer(plan->vpid.reader, UINT64_MAX, member_field(&plan->vpid, fields));
	}
	if (plan->vtid.reader != FIELD_READER_NONE) {
		context->has_vtid = true;
		context->vtid = (int32_t)read_integer(plan->vtid.reader, UINT64_MAX, member_field(&plan->vtid, fields));
	}
	if (plan->pid_ns.reader != FIELD_READER_NONE) {
		context->has_pid_ns = true;
		context->pid_ns =
			read_integer(plan->pid_ns.reader, plan->pid_ns.mask, member_field(&plan->pid_ns, fields));
		context->vpid = unique_id_recorded(context->vpid);
		context->vtid = unique_id_recorded(context->vtid);
	}
}

const char *context_plan_procname(const struct context_plan *plan, const bt_field *fields)
{
	return plan->procname.reader == FIELD_READER_NONE ? NULL : read_string(member_field(&plan->procname, fields));
}
