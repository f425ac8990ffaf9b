/* SPDX-License-Identifier: MIT */
/*
 * Unique process or thread ids, for tools that do not support pid namespaces: every container numbers its processes
 * from 1. The first namespace in which an id appears keeps it; in others it becomes a number from UNIQUE_IDS_FIRST on,
 * in order of appearance (above Linux' greatest pid, 2^22). O(1).
 */
#ifndef ROS2BT_UNIQUE_IDS_H
#define ROS2BT_UNIQUE_IDS_H

#include "core/base/u64_map.h"

#define UNIQUE_IDS_FIRST 1000000000

struct unique_ids {
	struct u64_map namespaces; /* id → index of the first namespace it was met in */
	struct u64_map indexes;	   /* namespace → its index */
	struct u64_map made;	   /* id and index of another namespace → made id */
};

void unique_ids_init(struct unique_ids *ids);
void unique_ids_clear(struct unique_ids *ids);

int32_t unique_ids_get(struct unique_ids *ids, int32_t id, uint64_t pid_ns);

#endif
