/* SPDX-License-Identifier: MIT */
#include "filters/init_timestamp/init_time.h"

#include <glib.h>
#include <stdbool.h>
#include <string.h>

#include "ros2bt/bt/message_time.h"
#include "ros2bt/events/event_record.h"
#include "ros2bt/base/u64_map.h"

#define NO_INIT_TIMESTAMP (UINT64_MAX - 1)

struct init_times {
	struct u64_map
		members; /* const bt_event_class * → index of init_timestamp in the payload, or NO_INIT_TIMESTAMP */
	GPtrArray *kept_classes; /* references: the address of a class must not be used again */
};

struct init_times *init_times_create(void)
{
	struct init_times *times = g_new0(struct init_times, 1);

	u64_map_init(&times->members);
	times->kept_classes = g_ptr_array_new_with_free_func((GDestroyNotify)bt_event_class_put_ref);
	return times;
}

void init_times_destroy(struct init_times *times)
{
	if (times) {
		u64_map_clear(&times->members);
		g_ptr_array_free(times->kept_classes, TRUE);
		g_free(times);
	}
}

static bool is_initialization(const bt_event_class *event_class)
{
	const char *name = bt_event_class_get_name(event_class);
	enum event_provider provider;
	const struct event_schema *schema = name ? event_schema_find(name, &provider) : NULL;

	return schema && schema->class == EVENT_CLASS_INIT;
}

static uint64_t find_member(const bt_event_class *event_class)
{
	const bt_field_class *payload = bt_event_class_borrow_payload_field_class_const(event_class);
	uint64_t count =
		payload && is_initialization(event_class) ? bt_field_class_structure_get_member_count(payload) : 0;

	if (!bt_stream_class_borrow_default_clock_class_const(bt_event_class_borrow_stream_class_const(event_class))) {
		return NO_INIT_TIMESTAMP;
	}
	for (uint64_t i = 0; i < count; i++) {
		const bt_field_class_structure_member *member =
			bt_field_class_structure_borrow_member_by_index_const(payload, i);
		bt_field_class_type type =
			bt_field_class_get_type(bt_field_class_structure_member_borrow_field_class_const(member));

		if (strcmp(bt_field_class_structure_member_get_name(member), "init_timestamp") == 0 &&
		    bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_INTEGER)) {
			return i;
		}
	}
	return NO_INIT_TIMESTAMP;
}

static uint64_t member_of(struct init_times *times, const bt_event_class *event_class)
{
	uint64_t key = (uint64_t)(uintptr_t)event_class;
	uint64_t member = u64_map_get(&times->members, key);

	if (member == U64_MAP_NONE) {
		member = find_member(event_class);
		u64_map_set(&times->members, key, member);
		bt_event_class_get_ref(event_class);
		g_ptr_array_add(times->kept_classes, (gpointer)event_class);
	}
	return member;
}

/* The value of init_timestamp; 0 if it cannot be a clock's value. */
static uint64_t told_value(const bt_event *event, uint64_t member)
{
	const bt_field *field = bt_field_structure_borrow_member_field_by_index_const(
		bt_event_borrow_payload_field_const(event), member);

	if (bt_field_class_type_is(bt_field_get_class_type(field), BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER)) {
		return bt_field_integer_unsigned_get_value(field);
	}
	return (uint64_t)MAX(bt_field_integer_signed_get_value(field), 0);
}

enum init_time_verdict init_times_judge(struct init_times *times, const bt_message *message, struct init_time *time)
{
	const bt_event *event;
	uint64_t member, event_value;

	if (bt_message_get_type(message) != BT_MESSAGE_TYPE_EVENT) {
		return INIT_TIME_IN_PLACE;
	}
	event = bt_message_event_borrow_event_const(message);
	member = member_of(times, bt_event_borrow_class_const(event));
	if (member == NO_INIT_TIMESTAMP) {
		return INIT_TIME_IN_PLACE;
	}
	time->clock_value = told_value(event, member);
	event_value = bt_clock_snapshot_get_value(bt_message_event_borrow_default_clock_snapshot_const(message));
	if (time->clock_value == event_value) {
		return INIT_TIME_IN_PLACE;
	}
	if (time->clock_value == 0 || time->clock_value > event_value ||
	    message_time(message, &time->event_ns) != MESSAGE_TIME_KNOWN) {
		return INIT_TIME_NONSENSE;
	}
	if (bt_clock_class_cycles_to_ns_from_origin(
		    bt_message_event_borrow_stream_class_default_clock_class_const(message), time->clock_value,
		    &time->time_ns) != BT_CLOCK_CLASS_CYCLES_TO_NS_FROM_ORIGIN_STATUS_OK) {
		bt_current_thread_clear_error();
		return INIT_TIME_NONSENSE;
	}
	return record_time_fits(time->time_ns) ? INIT_TIME_EARLIER : INIT_TIME_NONSENSE;
}
