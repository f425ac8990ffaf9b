/* SPDX-License-Identifier: MIT */
#include "support/record_text.h"

#include <inttypes.h>

static void append_word(GString *text, const struct event_field *field, uint64_t word)
{
	const struct address_list *list = (const struct address_list *)(uintptr_t)word;
	const uint8_t *bytes = (const uint8_t *)(uintptr_t)word;

	g_string_append_printf(text, " %s=", field->name);
	switch (field->type) {
	case FIELD_TYPE_ADDRESS:
		g_string_append_printf(text, "0x%" PRIx64, word);
		break;
	case FIELD_TYPE_U64:
		g_string_append_printf(text, "%" PRIu64, word);
		break;
	case FIELD_TYPE_I64:
	case FIELD_TYPE_I32:
		g_string_append_printf(text, "%" PRIi64, (int64_t)word);
		break;
	case FIELD_TYPE_STRING:
	case FIELD_TYPE_NAME:
		g_string_append_printf(text, "'%s'", (const char *)bytes);
		break;
	case FIELD_TYPE_GID:
		for (size_t i = 0; i < GID_SIZE; i++) {
			g_string_append_printf(text, "%02x", bytes[i]);
		}
		break;
	case FIELD_TYPE_ADDRESSES:
		for (uint64_t i = 0; i < list->count; i++) {
			g_string_append_printf(text, "%s0x%" PRIx64, i > 0 ? ";" : "", list->address[i]);
		}
		break;
	}
}

static const struct event_field *field_of_slot(const struct event_schema *schema, unsigned int slot)
{
	for (size_t i = 0; i < schema->field_count; i++) {
		if (schema->fields[i].slot == slot) {
			return &schema->fields[i];
		}
	}
	return NULL;
}

static void append_event(GString *text, const struct event_record *record)
{
	const struct event_schema *schema = event_schema_of(record->kind);

	g_string_append_printf(text, "%s %" PRIi64 " t%" PRIu32 " s%u", schema->name, record->time_ns, record->thread,
			       record->stream);
	for (unsigned int slot = 0; slot < EVENT_SLOTS; slot++) {
		const struct event_field *field = field_of_slot(schema, slot);

		if (field && record_has(record, slot)) {
			append_word(text, field, record->word[slot]);
		}
	}
	if (record->flags & RECORD_FROM_CARET) {
		g_string_append(text, " caret");
	}
	if (record->flags & RECORD_HAS_INIT_TIME) {
		g_string_append_printf(text, " since=%" PRIi64, record_since_ns(record));
	}
}

void record_text_append(GString *text, const struct event_record *record)
{
	static const char *const names[] = { "discarded_events", "discarded_packets", "gap", "stream_end" };

	if (record->kind < EVENT_KIND_COUNT) {
		append_event(text, record);
	} else if (record->kind == RECORD_COUNTER) {
		g_string_append_printf(text, "counter %" PRIi64 " t%" PRIu32 " s%u %s=%" PRIu64 "\n", record->time_ns,
				       record->thread, record->stream, record_string(record, RECORD__counter_name),
				       record->word[RECORD__counter_value]);
		return;
	} else {
		g_string_append_printf(text, "%s %" PRIi64 " s%u", names[record->kind - EVENT_KIND_COUNT],
				       record->time_ns, record->stream);
	}
	if (record->kind >= EVENT_KIND_COUNT && record_has(record, RECORD__end_ns)) {
		g_string_append_printf(text, " to %" PRIi64, (int64_t)record->word[RECORD__end_ns]);
		if (record->word[RECORD__count] == RECORD_COUNT_UNKNOWN) {
			g_string_append(text, " count ?");
		} else {
			g_string_append_printf(text, " count %" PRIu64, record->word[RECORD__count]);
		}
	}
	g_string_append_c(text, '\n');
}
