/* SPDX-License-Identifier: MIT */
/*
 * Unique process or thread ids, for tools that do not support pid namespaces, in which every container numbers its
 * processes from 1. An id is unchanged in the first namespace in which it appears. In other namespaces it becomes a
 * number from UNIQUE_IDS_FIRST on, above the largest pid of Linux, which encodes the id, so a reader restores it
 * without a table.
 *
 * Embedded: init and clear. Cost: O(1) per id. Memory: the ids.
 */
#ifndef ROS2BT_UNIQUE_IDS_H
#define ROS2BT_UNIQUE_IDS_H

#include "ros2bt/base/u64_map.h"

#define UNIQUE_IDS_FIRST 1000000000
/* PID_MAX_LIMIT of Linux; ids are below it. */
#define UNIQUE_IDS_RANGE (1 << 22)
/* Ids of further namespaces are numbered from UNIQUE_IDS_PLAIN on, and cannot be restored. */
#define UNIQUE_IDS_NAMESPACES 256
#define UNIQUE_IDS_PLAIN (UNIQUE_IDS_FIRST + UNIQUE_IDS_NAMESPACES * UNIQUE_IDS_RANGE)

struct unique_ids {
	struct u64_map namespaces; /* id → index of the first namespace in which it appeared */
	struct u64_map indexes;	   /* namespace → its index */
	struct u64_map made;	   /* id and index of another namespace → plain number */
};

void unique_ids_init(struct unique_ids *ids);
void unique_ids_clear(struct unique_ids *ids);

/* The unique id of an id in a pid namespace. */
int32_t unique_ids_get(struct unique_ids *ids, int32_t id, uint64_t pid_ns);

/* The recorded id, from a result of unique_ids_get(). */
static inline int32_t unique_id_recorded(int32_t id)
{
	return id < UNIQUE_IDS_FIRST || id >= UNIQUE_IDS_PLAIN ? id : (id - UNIQUE_IDS_FIRST) % UNIQUE_IDS_RANGE;
}

#endif
