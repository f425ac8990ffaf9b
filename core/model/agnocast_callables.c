/* SPDX-License-Identifier: MIT */
#include "core/model/agnocast_callables.h"

#include "core/base/slots.h"

#include <glib.h>

#include "ros2bt/base/u64_map.h"

struct agnocast_callables {
	struct recording *recording; /* borrowed, as the next */
	struct object_model *model;
	GPtrArray *processes; /* struct u64_map *, owned, by process: address → struct agnocast_callable *, owned */
};

static void clear(struct u64_map *of_process)
{
	size_t position = 0;
	uint64_t address, value;

	while (u64_map_next(of_process, &position, &address, &value)) {
		g_free((void *)(uintptr_t)value);
	}
	u64_map_clear(of_process);
}

static void destroy_process(gpointer data)
{
	if (data) {
		clear(data);
		g_free(data);
	}
}

struct agnocast_callables *agnocast_callables_create(struct recording *recording, struct object_model *model)
{
	struct agnocast_callables *callables = g_new0(struct agnocast_callables, 1);

	callables->recording = recording;
	callables->model = model;
	callables->processes = g_ptr_array_new_with_free_func(destroy_process);
	return callables;
}

void agnocast_callables_destroy(struct agnocast_callables *callables)
{
	if (callables) {
		g_ptr_array_free(callables->processes, TRUE);
		g_free(callables);
	}
}

static struct u64_map *process_of(const struct agnocast_callables *callables, uint32_t process)
{
	return slot_get(callables->processes, process);
}

static struct u64_map *find_or_add_process(struct agnocast_callables *callables, uint32_t process)
{
	gpointer *slot = slot_at(callables->processes, process);

	if (!*slot) {
		*slot = g_new0(struct u64_map, 1);
		u64_map_init(*slot);
	}
	return *slot;
}

/* The callback of a timer; its handle if no event connects the two. */
static uint64_t timer_callback(const struct agnocast_callables *callables, uint32_t process,
			       const struct event_record *record)
{
	uint64_t handle = record->word[AGNOCAST_CREATE_TIMER_CALLABLE__timer_handle];
	uint64_t callback = object_model_timer_callback(callables->model, process, handle, record->time_ns);

	return callback != 0 ? callback : handle;
}

void agnocast_callables_add(struct agnocast_callables *callables, const struct event_record *record, uint32_t phase)
{
	uint32_t process = recording_thread(callables->recording, record->thread)->process;
	struct u64_map *of_process = find_or_add_process(callables, process);
	uint64_t address = record->word[AGNOCAST_CREATE_CALLABLE__callable];
	struct agnocast_callable *callable = u64_map_get_pointer(of_process, address);

	_Static_assert(AGNOCAST_CREATE_CALLABLE__callable == AGNOCAST_CREATE_TIMER_CALLABLE__callable, "one word");
	if (!callable) {
		if (of_process->count >= CALLABLES_MAX) {
			clear(of_process);
		}
		callable = g_new(struct agnocast_callable, 1);
		u64_map_set_pointer(of_process, address, callable);
	}
	*callable = (struct agnocast_callable){
		.created_ns = record->time_ns,
		.thread = record->thread,
		.phase = phase,
	};
	if (record->kind == EVENT_AGNOCAST_CREATE_CALLABLE) {
		callable->callback = record->word[AGNOCAST_CREATE_CALLABLE__pid_callback_info_id];
		callable->entry_id = (int64_t)record->word[AGNOCAST_CREATE_CALLABLE__entry_id];
		callable->has_message = true;
	} else {
		callable->callback = timer_callback(callables, process, record);
	}
}

static struct agnocast_callable *at(const struct agnocast_callables *callables, uint32_t process, uint64_t address)
{
	const struct u64_map *of_process = callables ? process_of(callables, process) : NULL;

	return of_process ? u64_map_get_pointer(of_process, address) : NULL;
}

const struct agnocast_callable *agnocast_callables_find(const struct agnocast_callables *callables, uint32_t process,
							uint64_t address, uint32_t phase)
{
	const struct agnocast_callable *callable = at(callables, process, address);

	return callable && !callable->is_started && callable->phase == phase ? callable : NULL;
}

/* Its end: the callable is gone. 0: it was not known when it started. */
static uint64_t end(struct agnocast_callables *callables, uint32_t process, uint64_t address)
{
	struct agnocast_callable *callable = at(callables, process, address);
	uint64_t callback = callable && callable->is_started ? callable->callback : 0;

	if (callback != 0) {
		u64_map_remove(process_of(callables, process), address);
		g_free(callable);
	}
	return callback;
}

struct event_record agnocast_callables_translate(struct agnocast_callables *callables,
						 const struct event_record *record, bool is_known)
{
	uint32_t process = recording_thread(callables->recording, record->thread)->process;
	uint64_t address = record->word[AGNOCAST_CALLABLE_START__callable];
	struct event_record translated = *record;
	uint64_t callback = 0;

	_Static_assert(AGNOCAST_CALLABLE_START__callable == AGNOCAST_CALLABLE_END__callable &&
			       CALLBACK_START__callback == CALLBACK_END__callback,
		       "one word");
	if (record->kind == EVENT_AGNOCAST_CALLABLE_END) {
		callback = end(callables, process, address);
	} else if (is_known) {
		struct agnocast_callable *callable = at(callables, process, address);

		callable->is_started = true;
		callback = callable->callback;
	}
	translated.kind = record->kind == EVENT_AGNOCAST_CALLABLE_START ? EVENT_CALLBACK_START : EVENT_CALLBACK_END;
	translated.present = 1U << CALLBACK_START__callback;
	translated.word[CALLBACK_START__callback] = callback != 0 ? callback : address | 1;
	return translated;
}
