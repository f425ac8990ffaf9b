/* SPDX-License-Identifier: MIT */
#include "core/normalize/rewrite.h"

void rewrite_relate(struct rewrite *rewrite, enum rewrite_relation relation, uint64_t key, uint64_t value)
{
	if (value != U64_MAP_NONE) {
		u64_map_set(&rewrite->process->relations[relation], key, value);
	}
}

uint64_t rewrite_related(const struct rewrite *rewrite, enum rewrite_relation relation, uint64_t key)
{
	return key == U64_MAP_NONE ? U64_MAP_NONE : u64_map_get(&rewrite->process->relations[relation], key);
}

bool rewrite_is_related(const struct rewrite *rewrite, enum rewrite_relation relation, uint64_t key)
{
	return rewrite_related(rewrite, relation, key) != U64_MAP_NONE;
}

uint64_t rewrite_unrelate(struct rewrite *rewrite, enum rewrite_relation relation, uint64_t key)
{
	return u64_map_remove(&rewrite->process->relations[relation], key);
}

struct event_record *rewrite_add(struct rewrite *rewrite, enum normalized_how how, enum event_kind kind)
{
	struct normalized_event *event;

	g_assert(rewrite->events->count < NORMALIZED_EVENTS_MAX);
	event = &rewrite->events->event[rewrite->events->count++];
	event->how = how;
	event->record = (struct event_record){
		.time_ns = rewrite->input->time_ns,
		.thread = rewrite->input->thread,
		.stream = rewrite->input->stream,
		.kind = (uint8_t)kind,
	};
	return &event->record;
}

struct event_record *rewrite_pass(struct rewrite *rewrite)
{
	const struct event_record *input = rewrite->input;
	bool is_renamed =
		rewrite_is_from_caret(rewrite) && event_schema_of(input->kind)->providers == EVENT_PROVIDER_BOTH;
	struct event_record *record =
		rewrite_add(rewrite, is_renamed ? NORMALIZED_CHANGED : NORMALIZED_KEPT, input->kind);

	*record = *input;
	if (is_renamed) {
		record->flags = 0;
		if (input->flags & RECORD_HAS_INIT_TIME) {
			record->present &= ~(1u << EVENT_SLOT_INIT_TIME) & 0x3f;
		}
	}
	return record;
}

struct event_record *rewrite_pass_changed(struct rewrite *rewrite)
{
	struct event_record *record = rewrite_pass(rewrite);

	rewrite->events->event[rewrite->events->count - 1].how = NORMALIZED_CHANGED;
	record->flags = 0;
	return record;
}
