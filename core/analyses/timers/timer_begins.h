/* SPDX-License-Identifier: MIT */
/*
 * Since when each host is recorded, as sessions of several hosts begin at different times: since the first event of an
 * executor, or the first execution, on it. Embedded. Cost: O(hosts) per question. Memory: 8 bytes for each host. Times
 * in ns.
 */
#ifndef ROS2BT_TIMER_BEGINS_H
#define ROS2BT_TIMER_BEGINS_H

#include <glib.h>
#include <stdint.h>

#include "ros2bt/events/recording.h"

struct timer_begins {
	const struct recording *recording; /* borrowed */
	GArray *hosts;			   /* int64_t by index; INT64_MAX: nothing so far */
};

/* A process did something. The first events of each thread are enough. */
void timer_begins_note(struct timer_begins *begins, uint32_t process, int64_t time_ns);

/*
 * Since when the host of a process is recorded. Of the host that begins first, any event will do: `any_ns` is the first
 * one of all hosts. INT64_MAX: nothing is.
 */
int64_t timer_begins_of(const struct timer_begins *begins, uint32_t process, int64_t any_ns);

#endif
