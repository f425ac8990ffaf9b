/* SPDX-License-Identifier: MIT */
#include "core/analyses/timeline/timeline_ids.h"

#define ID_LIMIT (1 << 22)	/* of Linux: pids and tids are smaller */
#define PID_OF_NOBODY (1 << 30) /* from here on: processes whose pid was not recorded */

/* The number that is tried after another: of all numbers that exist, each has its turn. Never 0, which is no id. */
static uint32_t next_number(uint32_t number)
{
	uint32_t next = (number & INT32_MAX) + ID_LIMIT;

	return next <= INT32_MAX ? next : MAX((next + 1) % ID_LIMIT, 1);
}

int32_t timeline_ids_take(struct timeline_ids *ids, int32_t id)
{
	uint32_t unique = (uint32_t)id;
	uint64_t next;

	while ((next = u64_map_get(&ids->used, unique)) != U64_MAP_NONE) {
		unique = (uint32_t)next;
	}
	u64_map_set(&ids->used, unique, next_number(unique));
	u64_map_set(&ids->used, (uint32_t)id, next_number(unique)); /* those with the same id need not try all again */
	return (int32_t)unique;
}

static uint64_t thread_key(uint32_t process, int32_t vtid)
{
	return (uint64_t)process << 32 | (uint32_t)vtid;
}

static void add_thread(struct timeline_ids *ids, const struct recording *recording, uint32_t index)
{
	const struct recording_thread *thread = recording_thread(recording, index);
	const struct recording_process *process = recording_process(recording, thread->process);
	uint64_t key = thread_key(thread->process, thread->vtid);
	int32_t tid = 0;

	if (thread->has_vtid && u64_map_get(&ids->of_thread, key) == U64_MAP_NONE) {
		bool is_main = process->has_vpid && thread->vtid == process->vpid;

		tid = is_main ? timeline_ids_pid(ids, thread->process) : timeline_ids_take(ids, MAX(thread->vtid, 1));
		u64_map_set(&ids->of_thread, key, index);
	}
	g_array_append_val(ids->tids, tid);
}

void timeline_ids_init(struct timeline_ids *ids, const struct recording *recording)
{
	u64_map_init(&ids->used);
	u64_map_init(&ids->of_thread);
	ids->pids = g_array_new(FALSE, FALSE, sizeof(int32_t));
	ids->tids = g_array_new(FALSE, FALSE, sizeof(int32_t));
	for (uint32_t i = 0; i < recording_process_count(recording); i++) {
		const struct recording_process *process = recording_process(recording, i);
		int32_t pid = timeline_ids_take(
			ids, process->has_vpid && process->vpid >= 0 ? process->vpid : (int32_t)(PID_OF_NOBODY + i));

		g_array_append_val(ids->pids, pid);
	}
	for (uint32_t i = 0; i < recording_thread_count(recording); i++) {
		add_thread(ids, recording, i);
	}
}

void timeline_ids_clear(struct timeline_ids *ids)
{
	g_array_unref(ids->pids);
	g_array_unref(ids->tids);
	u64_map_clear(&ids->used);
	u64_map_clear(&ids->of_thread);
}

int32_t timeline_ids_find(const struct timeline_ids *ids, uint32_t process, int32_t vtid)
{
	uint64_t index = u64_map_get(&ids->of_thread, thread_key(process, vtid));

	return index == U64_MAP_NONE ? 0 : timeline_ids_tid(ids, (uint32_t)index);
}
