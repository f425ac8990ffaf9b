/* SPDX-License-Identifier: MIT */
#include "core/bt/decode/context_plan.h"

#include <string.h>

#include "ros2bt/base/unique_ids.h"
#include "ros2bt/events/event_record.h"

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
		counter.field = field_plan_create(structure, name, FIELD_TYPE_U64);
		if (field_reader_is_integer(counter.field.reader)) {
			g_array_append_val(plan->counters, counter);
		}
	}
}

void context_plan_init(struct context_plan *plan, const bt_stream_class *stream_class, struct string_pool *pool)
{
	const bt_field_class *structure = bt_stream_class_borrow_event_common_context_field_class_const(stream_class);

	*plan = (struct context_plan){
		.has_context = structure != NULL,
		.vpid = field_plan_create(structure, "vpid", FIELD_TYPE_I32),
		.vtid = field_plan_create(structure, "vtid", FIELD_TYPE_I32),
		.pid_ns = field_plan_create(structure, "pid_ns", FIELD_TYPE_U64),
		.procname = field_plan_create(structure, "procname", FIELD_TYPE_STRING),
		.counters = g_array_new(FALSE, FALSE, sizeof(struct counter_plan)),
	};
	plan->has_ids_only = plan->vpid.reader == FIELD_READER_SIGNED && plan->vtid.reader == FIELD_READER_SIGNED &&
			     plan->pid_ns.reader == FIELD_READER_NONE;
	plan_counters(plan, structure, pool);
}

void context_plan_clear(struct context_plan *plan)
{
	g_array_unref(plan->counters);
}

uint64_t context_plan_counter(const struct counter_plan *plan, const bt_field *fields)
{
	return field_plan_integer(&plan->field, fields);
}

void context_plan_read(const struct context_plan *plan, const bt_field *fields, struct recording_context *context)
{
	*context = (struct recording_context){ .has_vpid = false };
	if (plan->vpid.reader != FIELD_READER_NONE) {
		context->has_vpid = true;
		context->vpid = (int32_t)field_plan_integer(&plan->vpid, fields);
	}
	if (plan->vtid.reader != FIELD_READER_NONE) {
		context->has_vtid = true;
		context->vtid = (int32_t)field_plan_integer(&plan->vtid, fields);
	}
	if (plan->pid_ns.reader != FIELD_READER_NONE) {
		context->has_pid_ns = true;
		context->pid_ns = field_plan_integer(&plan->pid_ns, fields);
		context->vpid = unique_id_recorded(context->vpid);
		context->vtid = unique_id_recorded(context->vtid);
	}
}

const char *context_plan_procname(const struct context_plan *plan, const bt_field *fields)
{
	return plan->procname.reader == FIELD_READER_NONE ? NULL
							  : field_string(field_plan_member(&plan->procname, fields));
}
