/* SPDX-License-Identifier: MIT */
#include "ros2bt/bt/origins.h"

#include <glib.h>
#include <string.h>

#include "core/bt/clock_identity.h"
#include "ros2bt/base/u64_map.h"

struct origins {
	struct recording *recording; /* owned */
	struct u64_map traces;	     /* const bt_trace * → index in the recording */
	GPtrArray *kept_traces;	     /* references: the address of a trace must not be used again */
	uint64_t mip_version;
};

struct origins *origins_create(struct string_pool *pool, uint64_t mip_version)
{
	struct origins *origins = g_new0(struct origins, 1);

	origins->recording = recording_create(pool);
	u64_map_init(&origins->traces);
	origins->kept_traces = g_ptr_array_new_with_free_func((GDestroyNotify)bt_trace_put_ref);
	origins->mip_version = mip_version;
	return origins;
}

void origins_destroy(struct origins *origins)
{
	if (!origins) {
		return;
	}
	recording_destroy(origins->recording);
	u64_map_clear(&origins->traces);
	g_ptr_array_free(origins->kept_traces, TRUE);
	g_free(origins);
}

static const char *environment_text(const bt_trace *trace, const char *name)
{
	const bt_value *value = bt_trace_borrow_environment_entry_value_by_name_const(trace, name);

	return value && bt_value_is_string(value) ? bt_value_string_get(value) : NULL;
}

static bool environment_integer(const bt_trace *trace, const char *name, int64_t *integer)
{
	const bt_value *value = bt_trace_borrow_environment_entry_value_by_name_const(trace, name);

	if (value && bt_value_is_signed_integer(value)) {
		*integer = bt_value_integer_signed_get(value);
		return true;
	}
	return false;
}

void origins_describe_trace(const bt_trace *trace, const bt_clock_class *clock_class, uint64_t mip_version,
			    struct recording_trace_info *info, uint8_t identity[16])
{
	const char *domain = environment_text(trace, "domain");
	int64_t vpid = 0;

	*info = (struct recording_trace_info){
		.name = bt_trace_get_name(trace),
		.hostname = environment_text(trace, "hostname"),
		.procname = environment_text(trace, "procname"),
		.is_kernel = domain && strcmp(domain, "kernel") == 0,
	};
	info->has_vpid = environment_integer(trace, "vpid", &vpid);
	info->vpid = (int32_t)vpid;
	if (clock_class && clock_identity(clock_class, mip_version, identity)) {
		info->clock_uuid = identity;
	}
}

static uint32_t trace_index(struct origins *origins, const bt_stream *stream)
{
	const bt_trace *trace = bt_stream_borrow_trace_const(stream);
	uint64_t found = u64_map_get(&origins->traces, (uint64_t)(uintptr_t)trace);
	struct recording_trace_info info;
	uint8_t identity[16];
	uint32_t index;

	if (found != U64_MAP_NONE) {
		return (uint32_t)found;
	}
	origins_describe_trace(trace,
			       bt_stream_class_borrow_default_clock_class_const(bt_stream_borrow_class_const(stream)),
			       origins->mip_version, &info, identity);
	index = recording_add_trace(origins->recording, &info);
	bt_trace_get_ref(trace);
	g_ptr_array_add(origins->kept_traces, (gpointer)trace);
	u64_map_set(&origins->traces, (uint64_t)(uintptr_t)trace, index);
	return index;
}

static bool integer_value(const bt_field *field, uint64_t *value)
{
	bt_field_class_type type = bt_field_get_class_type(field);

	if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER)) {
		*value = bt_field_integer_unsigned_get_value(field);
		return true;
	}
	if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_SIGNED_INTEGER)) {
		*value = (uint64_t)bt_field_integer_signed_get_value(field);
		return true;
	}
	return false;
}

/* An integer of the event's contexts, in whichever context the tracer put it. */
static bool context_integer(const bt_event *event, const char *name, uint64_t *value)
{
	const bt_field *contexts[] = { bt_event_borrow_common_context_field_const(event),
				       bt_event_borrow_specific_context_field_const(event) };

	for (size_t i = 0; i < G_N_ELEMENTS(contexts); i++) {
		const bt_field *member =
			contexts[i] ? bt_field_structure_borrow_member_field_by_name_const(contexts[i], name) : NULL;

		if (member && integer_value(member, value)) {
			return true;
		}
	}
	return false;
}

uint32_t origins_process(struct origins *origins, const bt_event *event)
{
	uint32_t trace = trace_index(origins, bt_event_borrow_stream_const(event));
	struct recording_context context = { 0 };
	uint64_t vpid = 0;
	uint32_t thread;

	context.has_vpid = context_integer(event, "vpid", &vpid);
	context.vpid = (int32_t)vpid;
	context.has_pid_ns = context_integer(event, "pid_ns", &context.pid_ns);
	/* without a thread id, one entry represents all threads of the process */
	thread = recording_find_thread(origins->recording, trace, &context);
	if (thread == RECORDING_NONE) {
		thread = recording_add_thread(origins->recording, trace, &context, NULL);
	}
	return recording_thread(origins->recording, thread)->process;
}
