/* SPDX-License-Identifier: MIT */
/*
 * What a thread executed while something waited for it (thread_history.h), added to the distribution of how long that
 * took and to the callbacks that held what waited.
 */
#ifndef ROS2BT_THREAD_USES_H
#define ROS2BT_THREAD_USES_H

#include "core/analyses/shared/holders.h"
#include "core/analyses/shared/thread_history.h"
#include "ros2bt/duration_statistics.h"

/* Of a wait that began at from_ns. Adds nothing if that is not known: `uses` is NULL. O(uses). */
static inline void thread_uses_add(const struct thread_uses *uses, int64_t from_ns, struct duration_statistics *held,
				   struct holders *holders)
{
	if (!uses) {
		return;
	}
	duration_statistics_add(held, uses->total_ns, from_ns);
	for (size_t i = 0; i < uses->count; i++) {
		holders_add(holders, uses->list[i].callback, uses->list[i].used_ns);
	}
}

#endif
