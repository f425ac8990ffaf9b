/* SPDX-License-Identifier: MIT */
#include "core/bt/decode/field_plan.h"

#include <string.h>

#include "ros2bt/events/event_record.h"

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
	if (!field_reader_is_integer(plan->element)) {
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
	if (field_reader_is_integer(plan->reader) && (type == FIELD_TYPE_ADDRESS || type == FIELD_TYPE_U64)) {
		plan->mask = all_bits(field_class);
	}
}

struct field_plan field_plan_create(const bt_field_class *structure, const char *name, enum field_type type)
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
		plan.index = (uint32_t)i;
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

const void *field_plan_gid(const struct field_plan *plan, const bt_field *field, struct string_pool *pool)
{
	uint8_t gid[GID_SIZE];

	if (bt_field_array_get_length(field) < GID_SIZE) {
		return NULL;
	}
	for (uint64_t i = 0; i < GID_SIZE; i++) {
		const bt_field *element = bt_field_array_borrow_element_field_by_index_const(field, i);

		gid[i] = (uint8_t)field_reader_word(plan->element, element);
	}
	return string_pool_intern_bytes(pool, gid, sizeof(gid));
}

const void *field_plan_addresses(const struct field_plan *plan, const bt_field *field, struct string_pool *pool,
				 GByteArray *scratch)
{
	struct address_list head = { .count = bt_field_array_get_length(field) };

	g_byte_array_set_size(scratch, 0);
	g_byte_array_append(scratch, (const guint8 *)&head, sizeof(head));
	for (uint64_t i = 0; i < head.count; i++) {
		const bt_field *element = bt_field_array_borrow_element_field_by_index_const(field, i);
		uint64_t address = field_reader_word(plan->element, element) & plan->mask;

		g_byte_array_append(scratch, (const guint8 *)&address, sizeof(address));
	}
	return string_pool_intern_bytes(pool, scratch->data, scratch->len);
}
