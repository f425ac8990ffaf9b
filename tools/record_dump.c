/* SPDX-License-Identifier: MIT */
#include "tools/record_dump.h"

#include <inttypes.h>
#include <math.h>

#include "ros2bt/events/kernel_call.h"
#include "ros2bt/events/poll.h"

static const char *kind_name(uint8_t kind)
{
	switch (kind) {
	case RECORD_DISCARDED_EVENTS:
		return "discarded events";
	case RECORD_DISCARDED_PACKETS:
		return "discarded packets";
	case RECORD_GAP:
		return "gap";
	case RECORD_STREAM_END:
		return "stream end";
	case RECORD_POLLS:
		return "polls";
	case RECORD_CALLS:
		return "calls";
	case RECORD_POINT:
		return "point";
	case RECORD_COUNTER:
		return "counter";
	default:
		return event_schema_of((enum event_kind)kind)->name;
	}
}

static enum field_type slot_type(uint8_t kind, unsigned int slot)
{
	const struct event_schema *schema = kind < EVENT_KIND_COUNT ? event_schema_of((enum event_kind)kind) : NULL;

	for (size_t i = 0; schema && i < schema->field_count; i++) {
		if (schema->fields[i].slot == slot) {
			return schema->fields[i].type;
		}
	}
	return kind == RECORD_COUNTER && slot == RECORD__counter_name ? FIELD_TYPE_STRING : FIELD_TYPE_U64;
}

static void write_addresses(FILE *file, const struct address_list *list)
{
	fprintf(file, "[");
	for (uint64_t i = 0; i < list->count; i++) {
		fprintf(file, " %" PRIx64, list->address[i]);
	}
	fprintf(file, " ]");
}

static void write_word(FILE *file, const struct event_record *record, unsigned int slot)
{
	const void *pointer = (const void *)(uintptr_t)record->word[slot];
	enum field_type type = slot_type(record->kind, slot);

	fprintf(file, " %u=", slot);
	if (type == FIELD_TYPE_STRING || type == FIELD_TYPE_NAME) {
		fprintf(file, "\"%s\"", (const char *)pointer);
	} else if (type == FIELD_TYPE_GID) {
		for (size_t i = 0; i < GID_SIZE; i++) {
			fprintf(file, "%02x", ((const uint8_t *)pointer)[i]);
		}
	} else if (type == FIELD_TYPE_ADDRESSES) {
		write_addresses(file, pointer);
	} else {
		fprintf(file, "%" PRIx64, record->word[slot]);
	}
}

static void write_polls(FILE *file, const struct event_record *record)
{
	static const char *const names[] = {
		[POLL_NONE] = "none",
		[POLL_FIND] = "find",
		[POLL_WAIT] = "wait",
		[POLL_LOOK_UP] = "look_up",
	};
	const struct poll *polls = record_polls(record);

	for (uint64_t i = 0; i < record->word[RECORD__count]; i++) {
		fprintf(file, " %s=%" PRId64, names[polls[i].kind], polls[i].time_ns);
	}
}

/* NaN has many bit patterns, and which one a conversion gives is unspecified. */
static void write_number(FILE *file, const struct point_value *value)
{
	if (value->type == POINT_VALUE_REAL && isnan(value->real)) {
		fprintf(file, " nan");
	} else {
		fprintf(file, " %" PRIx64, value->number);
	}
}

static void write_values(FILE *file, const struct event_record *record)
{
	const struct point_values *values = record_point_values(record);

	fprintf(file, " %" PRIu64, record->word[RECORD__point]);
	if (record_has(record, RECORD__ids)) {
		fprintf(file, " ids %" PRIu64, record->word[RECORD__ids]);
	}
	for (uint32_t i = 0; i < values->count; i++) {
		const struct point_value *value = &values->at[i];

		fprintf(file, " %u:%u", value->type, value->element);
		if (value->type == POINT_VALUE_LIST) {
			fprintf(file, "[%" PRIu64, value->count);
			for (uint64_t j = 0; value->element != POINT_VALUE_NONE && j < value->count; j++) {
				struct point_value element = point_value_element(values, value, j);

				write_number(file, &element);
			}
			fprintf(file, " ]");
			continue;
		}
		if (value->type != POINT_VALUE_TEXT) {
			write_number(file, value);
		}
		if (point_value_text(values, value)) {
			fprintf(file, " \"%s\"", point_value_text(values, value));
		}
	}
}

/* A call that ends as "-". */
static void write_calls(FILE *file, const struct event_record *record)
{
	for (uint64_t i = 0; i < record->word[RECORD__count]; i++) {
		const struct kernel_call *call = &record_calls(record)[i];

		fprintf(file, " %s=%" PRId64, call->name ? call->name : "-", call->time_ns);
	}
}

static bool has_words(const struct event_record *record)
{
	return record->kind != RECORD_POLLS && record->kind != RECORD_CALLS && record->kind != RECORD_POINT;
}

void record_dump_write(FILE *file, const struct event_record *record)
{
	fprintf(file, "%" PRId64 " stream %u thread %" PRIu32 " flags %u %s", record->time_ns, record->stream,
		record->thread, record->flags, kind_name(record->kind));
	if (record->kind == RECORD_POLLS) {
		write_polls(file, record);
	}
	if (record->kind == RECORD_CALLS) {
		write_calls(file, record);
	}
	if (record->kind == RECORD_POINT) {
		write_values(file, record);
	}
	for (unsigned int slot = 0; slot < EVENT_SLOTS && has_words(record); slot++) {
		if (record_has(record, slot)) {
			write_word(file, record, slot);
		}
	}
	fprintf(file, "\n");
}

void recording_dump_write(FILE *file, const struct recording *recording)
{
	for (uint32_t i = 0; i < recording_host_count(recording); i++) {
		fprintf(file, "host \"%s\"\n", recording_host(recording, i)->hostname);
	}
	for (uint32_t i = 0; i < recording_trace_count(recording); i++) {
		fprintf(file, "trace \"%s\" host %" PRIu32 "\n", recording_trace(recording, i)->name,
			recording_trace(recording, i)->host);
	}
	for (uint32_t i = 0; i < recording_stream_count(recording); i++) {
		fprintf(file, "stream of trace %" PRIu32 " on CPU %" PRId32 "\n",
			recording_stream_trace(recording, (uint16_t)i),
			(int32_t)recording_stream_cpu(recording, (uint16_t)i));
	}
	for (uint32_t i = 0; i < recording_process_count(recording); i++) {
		const struct recording_process *process = recording_process(recording, i);

		fprintf(file, "process host %" PRIu32 " vpid %d %" PRId32 " namespace %" PRIu64 " name \"%s\"\n",
			process->host, process->has_vpid, process->vpid, process->pid_ns, process->procname);
	}
	for (uint32_t i = 0; i < recording_ids_count(recording); i++) {
		const struct recording_context *ids = recording_ids(recording, i);

		fprintf(file, "ids vpid %d vtid %d pid_ns %d %" PRIu64 "\n", ids->vpid, ids->vtid, ids->has_pid_ns,
			ids->pid_ns);
	}
	for (uint32_t i = 0; i < recording_thread_count(recording); i++) {
		const struct recording_thread *thread = recording_thread(recording, i);

		fprintf(file, "thread trace %" PRIu32 " process %" PRIu32 " vtid %d %" PRId32 "\n", thread->trace,
			thread->process, thread->has_vtid, thread->vtid);
	}
	for (uint32_t i = 0; i < recording_unknown_class_count(recording); i++) {
		const struct recording_unknown_class *unknown = recording_unknown_class(recording, i);

		fprintf(file, "unknown \"%s\" \"%s\" %" PRIu64 "\n", unknown->name, unknown->reason, unknown->count);
	}
}
