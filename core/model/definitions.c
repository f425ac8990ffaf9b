/* SPDX-License-Identifier: MIT */
#include "core/model/definitions.h"

#include "core/base/slots.h"

#include <glib.h>
#include <string.h>

static const uint8_t word_counts[DEFINITION_KIND_COUNT] = {
	[DEFINITION_NODE] = 1,
	[DEFINITION_PUBLISHER] = 4,
	[DEFINITION_PUBLISHER_BY_RMW] = 1,
	[DEFINITION_SUBSCRIPTION] = 4,
	[DEFINITION_SUBSCRIPTION_BY_RMW] = 1,
	[DEFINITION_SUBSCRIPTION_OBJECT] = 1,
	[DEFINITION_SERVICE] = 3,
	[DEFINITION_SERVICE_BY_RMW] = 1,
	[DEFINITION_CLIENT] = 3,
	[DEFINITION_CLIENT_BY_RMW] = 1,
	[DEFINITION_CLIENT_GID] = 1,
	[DEFINITION_TIMER] = 1,
	[DEFINITION_TIMER_NODE] = 1,
	[DEFINITION_TIMER_CALLBACK] = 1,
	[DEFINITION_TIMER_GROUP] = 1,
	[DEFINITION_SUBSCRIPTION_GROUP] = 1,
	[DEFINITION_SERVICE_GROUP] = 1,
	[DEFINITION_GROUP_MEMBER] = 2,
	[DEFINITION_GROUP_EXECUTOR] = 2,
	[DEFINITION_GROUP_COLLECTOR] = 2,
	[DEFINITION_COLLECTOR_EXECUTOR] = 1,
	[DEFINITION_EXECUTOR] = 1,
	[DEFINITION_STATE_MACHINE] = 1,
	[DEFINITION_ACTION] = 3,
	[DEFINITION_CALLBACK] = 2,
	[DEFINITION_SYMBOL] = 1,
	[DEFINITION_CALLBACK_SERVICE] = 1,
	[DEFINITION_BUFFER] = 1,
	[DEFINITION_INTRA_PROCESS_BUFFER] = 1,
};

struct process_definitions {
	struct u64_map newest[DEFINITION_KIND_COUNT]; /* address → struct definition * */
};

struct definitions {
	struct arena *arena;  /* borrowed */
	GPtrArray *processes; /* struct process_definitions *, in the arena; NULL before its first definition */
};

static void process_definitions_clear(gpointer data)
{
	struct process_definitions *process = data;

	if (process) {
		for (size_t kind = 0; kind < DEFINITION_KIND_COUNT; kind++) {
			u64_map_clear(&process->newest[kind]);
		}
	}
}

struct definitions *definitions_create(struct arena *arena)
{
	struct definitions *definitions = g_new0(struct definitions, 1);

	definitions->arena = arena;
	definitions->processes = g_ptr_array_new_with_free_func(process_definitions_clear);
	return definitions;
}

void definitions_destroy(struct definitions *definitions)
{
	if (!definitions) {
		return;
	}
	g_ptr_array_free(definitions->processes, TRUE);
	g_free(definitions);
}

static struct u64_map *map_of(struct definitions *definitions, uint32_t process, enum definition_kind kind)
{
	gpointer *slot = slot_at(definitions->processes, process);

	if (!*slot) {
		struct process_definitions *created = *slot = arena_take(definitions->arena, sizeof(*created));

		for (size_t i = 0; i < DEFINITION_KIND_COUNT; i++) {
			u64_map_init(&created->newest[i]);
		}
	}
	return &((struct process_definitions *)*slot)->newest[kind];
}

static const struct u64_map *find_map(const struct definitions *definitions, uint32_t process,
				      enum definition_kind kind)
{
	const struct process_definitions *found = slot_get(definitions->processes, process);

	return found ? &found->newest[kind] : NULL;
}

static struct definition *allocate(struct definitions *definitions, enum definition_kind kind)
{
	return arena_take_packed(definitions->arena, sizeof(struct definition) + word_counts[kind] * sizeof(uint64_t));
}

struct definition *definitions_newest(const struct definitions *definitions, uint32_t process,
				      enum definition_kind kind, uint64_t address)
{
	const struct u64_map *map = find_map(definitions, process, kind);

	return map ? u64_map_get_pointer(map, address) : NULL;
}

struct definition *definitions_only(const struct definitions *definitions, uint32_t process, enum definition_kind kind)
{
	const struct u64_map *map = find_map(definitions, process, kind);
	size_t position = 0;
	uint64_t address, newest;
	struct definition *only;

	if (!map || map->count != 1 || !u64_map_next(map, &position, &address, &newest)) {
		return NULL;
	}
	only = (struct definition *)(uintptr_t)newest;
	return only->older ? NULL : only;
}

static uint64_t distance_ns(int64_t a_ns, int64_t b_ns)
{
	return a_ns > b_ns ? (uint64_t)a_ns - (uint64_t)b_ns : (uint64_t)b_ns - (uint64_t)a_ns;
}

static bool is_same_thing(const struct definition *definition, int64_t since_ns, bool has_init_time)
{
	if (definition->has_init_time && has_init_time) {
		return definition->since_ns == since_ns;
	}
	return distance_ns(definition->since_ns, since_ns) <= DEFINITION_COPY_DISTANCE_NS;
}

static struct definition *find_copy(struct definition *newest, enum definition_kind kind,
				    const struct event_record *record, const uint64_t *words)
{
	int64_t since_ns = record_since_ns(record);
	bool has_init_time = record->flags & RECORD_HAS_INIT_TIME;

	for (struct definition *other = newest; other && other->is_defined; other = other->older) {
		if (other->since_ns < since_ns &&
		    distance_ns(other->since_ns, since_ns) > DEFINITION_COPY_DISTANCE_NS) {
			break;
		}
		if (is_same_thing(other, since_ns, has_init_time) &&
		    memcmp(other->word, words, word_counts[kind] * sizeof(uint64_t)) == 0) {
			return other;
		}
	}
	return NULL;
}

/* Inserts a definition before the first one that does not begin later. */
static void insert(struct u64_map *map, uint64_t address, struct definition *definition)
{
	struct definition *newer = NULL;
	struct definition *older = u64_map_get_pointer(map, address);

	while (older && older->since_ns > definition->since_ns) {
		newer = older;
		older = older->older;
	}
	definition->older = older;
	if (newer) {
		newer->older = definition;
	} else {
		u64_map_set_pointer(map, address, definition);
	}
}

static void remove_from(struct u64_map *map, uint64_t address, struct definition *definition)
{
	struct definition *newer = u64_map_get_pointer(map, address);

	if (newer == definition) {
		if (definition->older) {
			u64_map_set_pointer(map, address, definition->older);
		} else {
			u64_map_remove(map, address);
		}
		return;
	}
	while (newer->older != definition) {
		newer = newer->older;
	}
	newer->older = definition->older;
}

/* A CARET event whose ros2 twin is known: CARET's time is the better one. */
static struct definition *prefer_caret(struct u64_map *map, uint64_t address, struct definition *twin,
				       const struct event_record *record)
{
	if (!(record->flags & RECORD_FROM_CARET) || twin->is_from_caret) {
		return NULL;
	}
	remove_from(map, address, twin);
	twin->since_ns = record_since_ns(record);
	twin->is_from_caret = true;
	twin->has_init_time = record->flags & RECORD_HAS_INIT_TIME;
	insert(map, address, twin);
	return twin;
}

static struct definition *find_undefined(struct definition *newest)
{
	while (newest && newest->is_defined) {
		newest = newest->older;
	}
	return newest;
}

struct definition *definitions_add(struct definitions *definitions, uint32_t process, enum definition_kind kind,
				   uint64_t address, const struct event_record *record, const uint64_t *words)
{
	struct u64_map *map = map_of(definitions, process, kind);
	struct definition *newest = u64_map_get_pointer(map, address);
	struct definition *copy = find_copy(newest, kind, record, words);
	struct definition *definition = find_undefined(newest);
	int64_t since_ns = record_since_ns(record);

	if (copy) {
		copy->last_ns = MAX(copy->last_ns, since_ns);
		return prefer_caret(map, address, copy, record);
	}
	if (definition && (definition->last_use_ns == INT64_MIN || since_ns <= definition->last_use_ns)) {
		remove_from(map, address, definition);
	} else {
		definition = allocate(definitions, kind);
	}
	definition->since_ns = definition->last_ns = since_ns;
	definition->is_defined = true;
	definition->is_from_caret = record->flags & RECORD_FROM_CARET;
	definition->has_init_time = record->flags & RECORD_HAS_INIT_TIME;
	memcpy(definition->word, words, word_counts[kind] * sizeof(uint64_t));
	insert(map, address, definition);
	return definition;
}

struct definition *definitions_add_undefined(struct definitions *definitions, uint32_t process,
					     enum definition_kind kind, uint64_t address)
{
	struct definition *definition = allocate(definitions, kind);

	definition->since_ns = INT64_MIN;
	definition->last_use_ns = INT64_MIN;
	insert(map_of(definitions, process, kind), address, definition);
	return definition;
}

struct definition *definition_from(struct definition *newest, int64_t time_ns)
{
	struct definition *first = NULL;

	for (; newest && newest->is_defined && newest->since_ns >= time_ns; newest = newest->older) {
		first = newest;
	}
	return first;
}

struct definition *definition_at_or_from(struct definition *newest, int64_t time_ns)
{
	struct definition *found = definition_at(newest, time_ns);

	return found && found->is_defined ? found : definition_from(newest, time_ns);
}

struct definition *definition_nearest(struct definition *newest, int64_t time_ns)
{
	struct definition *before = definition_at(newest, time_ns);
	struct definition *after = definition_from(newest, time_ns);

	if (!before || !before->is_defined) {
		return after;
	}
	if (!after) {
		return before;
	}
	return distance_ns(after->since_ns, time_ns) < distance_ns(before->since_ns, time_ns) ? after : before;
}

int64_t definition_until_ns(struct definition *newest, const struct definition *definition)
{
	int64_t until_ns = INT64_MAX;

	for (; newest && newest != definition; newest = newest->older) {
		until_ns = newest->since_ns;
	}
	return until_ns;
}
