/* SPDX-License-Identifier: MIT */
/*
 * Unique process or thread ids, for tools that do not support pid namespaces: every container numbers its processes
 * from 1. The first namespace in which an id appears keeps it; in others it becomes a number from UNIQUE_IDS_FIRST on,
 * above Linux' greatest pid. That number contains the id, so a reader restores it without a table. O(1).
 */
#ifndef ROS2BT_UNIQUE_IDS_H
#define ROS2BT_UNIQUE_IDS_H

#include "core/base/u64_map.h"

#define UNIQUE_IDS_FIRST 1000000000
/* Linux' PID_MAX_LIMIT: ids are below it. */
#define UNIQUE_IDS_RANGE (1 << 22)
/* Ids of further namespaces are numbered from UNIQUE_IDS_PLAIN on, and cannot be got back. */
#define UNIQUE_IDS_NAMESPACES 256
#define UNIQUE_IDS_PLAIN (UNIQUE_IDS_FIRST + UNIQUE_IDS_NAMESPACES * UNIQUE_IDS_RANGE)

struct unique_ids {
	struct u64_map namespaces; /* id → index of the first namespace it was met in */
	struct u64_map indexes;	   /* namespace → its index */
	struct u64_map made;	   /* id and index of another namespace → plain number */
};

void unique_ids_init(struct unique_ids *ids);
void unique_ids_clear(struct unique_ids *ids);

int32_t unique_ids_get(struct unique_ids *ids, int32_t id, uint64_t pid_ns);

/* The id that was recorded, from what unique_ids_get() gave. */
static inline int32_t unique_id_recorded(int32_t id)
{
	return id < UNIQUE_IDS_FIRST || id >= UNIQUE_IDS_PLAIN ? id : (id - UNIQUE_IDS_FIRST) % UNIQUE_IDS_RANGE;
}

#endif
