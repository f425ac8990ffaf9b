/* SPDX-License-Identifier: MIT */
/*
 * What a thread executed while something waited for it (thread_history.h): added to the distribution of how long that
 * took and to the callbacks that held what waited, or added up by callback.
 */
#ifndef ROS2BT_THREAD_USES_H
#define ROS2BT_THREAD_USES_H

#include "core/analyses/shared/holders.h"
#include "core/model/thread_history.h"
#include "core/statistics/duration_statistics.h"

/*
 * Of a wait that began at from_ns. Adds nothing if that is not known: `uses` is NULL. `holders`: NULL if nobody sees
 * them. O(uses).
 */
static inline void thread_uses_add(const struct thread_uses *uses, int64_t from_ns, struct duration_statistics *held,
				   struct holders *holders)
{
	if (!uses) {
		return;
	}
	duration_statistics_add_briefly(held, uses->total_ns, from_ns);
	for (const struct thread_period *after = uses->after; holders && after > uses->oldest; after--) {
		holders_add(holders, after[-1].callback, thread_uses_ns(uses, &after[-1]));
	}
}

/*
 * The callback that was executed longest in all, and how long: NULL and 0 if there is none. A callback may have been
 * executed several times. O(uses x callbacks), of which there are few.
 */
struct thread_use thread_uses_most(const struct thread_uses *uses);

#endif
