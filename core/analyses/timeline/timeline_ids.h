/* SPDX-License-Identifier: MIT */
/*
 * Numbers by which a timeline knows processes and threads. Viewers tell them apart by pid and tid alone, but those of
 * several hosts or containers, and of processes at different times, may be equal: one of them is then replaced by a
 * number beyond those that Linux gives. They follow from the recording alone, so all analyses have the same.
 *
 * Embedded: timeline_ids_init() and timeline_ids_clear(). O(processes + threads), once.
 */
#ifndef ROS2BT_TIMELINE_IDS_H
#define ROS2BT_TIMELINE_IDS_H

#include "ros2bt/base/u64_map.h"
#include "ros2bt/events/recording.h"

struct timeline_ids {
	GArray *pids; /* int32_t by index of the process in the recording */
	GArray *tids; /* int32_t by index of the thread; 0: it has no vtid, or another trace has the thread as well */
	struct u64_map used;	  /* pid or tid → what is to be tried instead */
	struct u64_map of_thread; /* index of the process << 32 | vtid → index of its first thread */
};

void timeline_ids_init(struct timeline_ids *ids, const struct recording *recording);
void timeline_ids_clear(struct timeline_ids *ids);

static inline int32_t timeline_ids_pid(const struct timeline_ids *ids, uint32_t process)
{
	return g_array_index(ids->pids, int32_t, process);
}

static inline int32_t timeline_ids_tid(const struct timeline_ids *ids, uint32_t thread)
{
	return g_array_index(ids->tids, int32_t, thread);
}

/* The tid of the thread of a process; 0 if it recorded nothing. */
int32_t timeline_ids_find(const struct timeline_ids *ids, uint32_t process, int32_t vtid);

/* Takes a number of its own for a process or thread that is not in the recording: `id`, if nobody has it. */
int32_t timeline_ids_take(struct timeline_ids *ids, int32_t id);

#endif
