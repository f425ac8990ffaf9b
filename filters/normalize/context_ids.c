/* SPDX-License-Identifier: MIT */
#include "filters/normalize/context_ids.h"

#include <glib.h>
#include <stdbool.h>

#include "ros2bt/base/unique_ids.h"

#define ID_BITS 32

enum member {
	VPID,
	VTID,
	PID_NS,
	MEMBER_COUNT,
};

/* Where the members of a context are. */
struct context_plan {
	bool is_complete;
	uint64_t index[MEMBER_COUNT];
};

struct context_ids {
	struct u64_map plans; /* const bt_stream_class * → struct context_plan * */
	struct unique_ids processes, threads;
};

struct context_ids *context_ids_create(void)
{
	struct context_ids *ids = g_new0(struct context_ids, 1);

	u64_map_init(&ids->plans);
	unique_ids_init(&ids->processes);
	unique_ids_init(&ids->threads);
	return ids;
}

void context_ids_destroy(struct context_ids *ids)
{
	uint64_t key, value;

	if (!ids) {
		return;
	}
	for (size_t position = 0; u64_map_next(&ids->plans, &position, &key, &value);) {
		g_free((struct context_plan *)(uintptr_t)value);
	}
	u64_map_clear(&ids->plans);
	unique_ids_clear(&ids->processes);
	unique_ids_clear(&ids->threads);
	g_free(ids);
}

static bool find_member(const bt_field_class *context, const char *name, uint64_t *index)
{
	uint64_t count = bt_field_class_structure_get_member_count(context);

	for (*index = 0; *index < count; ++*index) {
		const bt_field_class_structure_member *member =
			bt_field_class_structure_borrow_member_by_index_const(context, *index);

		if (g_str_equal(bt_field_class_structure_member_get_name(member), name)) {
			return true;
		}
	}
	return false;
}

static const bt_field_class *member_class(const bt_field_class *context, uint64_t index)
{
	return bt_field_class_structure_member_borrow_field_class_const(
		bt_field_class_structure_borrow_member_by_index_const(context, index));
}

static bool is_id(const bt_field_class *field_class)
{
	return bt_field_class_get_type(field_class) == BT_FIELD_CLASS_TYPE_SIGNED_INTEGER &&
	       bt_field_class_integer_get_field_value_range(field_class) >= ID_BITS;
}

static struct context_plan *make_plan(const bt_stream_class *stream_class)
{
	const bt_field_class *context = bt_stream_class_borrow_event_common_context_field_class_const(stream_class);
	struct context_plan *plan = g_new0(struct context_plan, 1);

	plan->is_complete = context && find_member(context, "vpid", &plan->index[VPID]) &&
			    find_member(context, "vtid", &plan->index[VTID]) &&
			    find_member(context, "pid_ns", &plan->index[PID_NS]) &&
			    is_id(member_class(context, plan->index[VPID])) &&
			    is_id(member_class(context, plan->index[VTID])) &&
			    bt_field_class_get_type(member_class(context, plan->index[PID_NS])) ==
				    BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER;
	return plan;
}

static void make_unique(struct unique_ids *ids, bt_field *field, uint64_t pid_ns)
{
	int64_t id = bt_field_integer_signed_get_value(field);

	if (id >= INT32_MIN && id <= INT32_MAX) {
		bt_field_integer_signed_set_value(field, unique_ids_get(ids, (int32_t)id, pid_ns));
	}
}

void context_ids_make_unique(struct context_ids *ids, const bt_stream_class *original, bt_event *event)
{
	struct context_plan *plan = u64_map_get_pointer(&ids->plans, (uintptr_t)original);
	bt_field *context;
	uint64_t pid_ns;

	if (!plan) {
		plan = make_plan(original);
		u64_map_set_pointer(&ids->plans, (uintptr_t)original, plan);
	}
	if (!plan->is_complete) {
		return;
	}
	context = bt_event_borrow_common_context_field(event);
	pid_ns = bt_field_integer_unsigned_get_value(
		bt_field_structure_borrow_member_field_by_index(context, plan->index[PID_NS]));
	make_unique(&ids->processes, bt_field_structure_borrow_member_field_by_index(context, plan->index[VPID]),
		    pid_ns);
	make_unique(&ids->threads, bt_field_structure_borrow_member_field_by_index(context, plan->index[VTID]), pid_ns);
}
