/* SPDX-License-Identifier: MIT */
#include "core/ctf/ctf_type.h"

#include <string.h>

#include "core/base/compare_numbers.h"
#include "ros2bt/base/time_units.h"
#include "ros2bt/events/event_record.h"

#define LABELS_MAX 1024

static void type_free(gpointer data)
{
	struct ctf_type *type = data;

	if (type->labels) {
		g_array_free(type->labels, TRUE);
	}
	if (type->fields) {
		g_array_free(type->fields, TRUE);
	}
	g_free(type);
}

struct ctf_trace_class *ctf_trace_class_create(void)
{
	struct ctf_trace_class *trace_class = g_new0(struct ctf_trace_class, 1);

	trace_class->streams = g_array_new(FALSE, TRUE, sizeof(struct ctf_stream_class));
	trace_class->events = g_array_new(FALSE, TRUE, sizeof(struct ctf_event_class));
	trace_class->strings = g_string_chunk_new(1024);
	trace_class->types = g_ptr_array_new_with_free_func(type_free);
	return trace_class;
}

void ctf_trace_class_destroy(struct ctf_trace_class *trace_class)
{
	if (!trace_class) {
		return;
	}
	g_array_free(trace_class->streams, TRUE);
	g_array_free(trace_class->events, TRUE);
	g_string_chunk_free(trace_class->strings);
	g_ptr_array_free(trace_class->types, TRUE);
	g_free(trace_class);
}

struct ctf_type *ctf_trace_class_add_type(struct ctf_trace_class *trace_class, enum ctf_kind kind)
{
	struct ctf_type *type = g_new0(struct ctf_type, 1);

	type->kind = kind;
	type->alignment = 1;
	type->depends_on = CTF_NO_VALUE;
	if (kind == CTF_STRUCTURE || kind == CTF_VARIANT) {
		type->fields = g_array_new(FALSE, TRUE, sizeof(struct ctf_field));
	}
	g_ptr_array_add(trace_class->types, type);
	return type;
}

static bool labels_overlap(const struct ctf_type *type, const struct ctf_label *one, const struct ctf_label *other)
{
	return type->is_signed
		       ? (int64_t)one->lower <= (int64_t)other->upper && (int64_t)other->lower <= (int64_t)one->upper
		       : one->lower <= other->upper && other->lower <= one->upper;
}

const char *ctf_type_add_label(struct ctf_type *type, const struct ctf_label *label)
{
	bool is_reversed =
		type->is_signed ? (int64_t)label->lower > (int64_t)label->upper : label->lower > label->upper;

	if (is_reversed) {
		return "its range is empty: it ends below its beginning";
	}
	if (type->labels->len > LABELS_MAX) {
		return "the enumeration has more than 1025 labels";
	}
	for (guint i = 0; i < type->labels->len; i++) {
		if (labels_overlap(type, label, &g_array_index(type->labels, struct ctf_label, i))) {
			return "enumeration labels overlap";
		}
	}
	g_array_append_val(type->labels, *label);
	return NULL;
}

static gint compare_streams(gconstpointer a, gconstpointer b)
{
	const struct ctf_stream_class *left = a;
	const struct ctf_stream_class *right = b;

	return compare_unsigned(left->id, right->id);
}

static gint compare_events(gconstpointer a, gconstpointer b)
{
	const struct ctf_event_class *left = a;
	const struct ctf_event_class *right = b;

	if (left->stream_id != right->stream_id) {
		return left->stream_id > right->stream_id ? 1 : -1;
	}
	return compare_unsigned(left->id, right->id);
}

const char *ctf_trace_class_sort(struct ctf_trace_class *trace_class)
{
	GArray *events = trace_class->events;

	g_array_sort(trace_class->streams, compare_streams);
	g_array_sort(events, compare_events);
	for (guint i = 0; i < events->len; i++) {
		const struct ctf_event_class *event = &g_array_index(events, struct ctf_event_class, i);

		if (!ctf_trace_class_find_stream(trace_class, event->stream_id)) {
			return "an event belongs to no stream";
		}
		if (i > 0 && compare_events(event - 1, event) == 0) {
			return "second event with this id in its stream";
		}
	}
	return NULL;
}

const struct ctf_stream_class *ctf_trace_class_find_stream(const struct ctf_trace_class *trace_class, uint64_t id)
{
	for (guint i = 0; i < trace_class->streams->len; i++) {
		const struct ctf_stream_class *stream =
			&g_array_index(trace_class->streams, struct ctf_stream_class, i);

		if (stream->id == id) {
			return stream;
		}
	}
	return NULL;
}

const struct ctf_field *ctf_type_find_field(const struct ctf_type *type, const char *name)
{
	if (!type || !type->fields) {
		return NULL;
	}
	for (guint i = 0; i < type->fields->len; i++) {
		const struct ctf_field *field = ctf_type_field(type, i);

		if (strcmp(field->name, name) == 0) {
			return field;
		}
	}
	return NULL;
}

bool ctf_type_is_text(const struct ctf_type *type)
{
	return (type->kind == CTF_ARRAY || type->kind == CTF_SEQUENCE) && type->element->kind == CTF_INTEGER &&
	       type->element->is_character;
}

static uint64_t ticks_to_ns(uint64_t frequency, uint64_t ticks)
{
	double ns;

	if (frequency == (uint64_t)NS_PER_S) {
		return ticks;
	}
	ns = 1e9 * (double)ticks / (double)frequency;
	return ns >= (double)UINT64_MAX ? UINT64_MAX : (uint64_t)ns;
}

bool ctf_clock_to_ns(const struct ctf_clock *clock, uint64_t ticks, int64_t *time_ns)
{
	uint64_t ns = ticks_to_ns(clock->frequency, ticks);
	int64_t offset_ns;

	if (clock->offset_s <= INT64_MIN / NS_PER_S - 1 || clock->offset_s >= INT64_MAX / NS_PER_S - 1) {
		return false;
	}
	offset_ns = clock->offset_s * NS_PER_S + (int64_t)ticks_to_ns(clock->frequency, clock->offset_cycles);
	return ns < INT64_MAX && !__builtin_add_overflow(offset_ns, (int64_t)ns, time_ns) && record_time_fits(*time_ns);
}
