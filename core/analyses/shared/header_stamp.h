/* SPDX-License-Identifier: MIT */
/*
 * Stamps in the headers of messages (flow_listener.stamped): of the clock of the node that made them, compared as they
 * are, and only within HEADER_STAMP_AGE_MAX_NS, since simulated time is another clock. Times in ns.
 */
#ifndef ROS2BT_HEADER_STAMP_H
#define ROS2BT_HEADER_STAMP_H

#include "ros2bt/base/time_units.h"
#include "ros2bt/flow/flow_linker.h"

/* In either direction: above what any pipeline takes, and what clocks of a robot differ by. */
#define HEADER_STAMP_AGE_MAX_NS (3600 * NS_PER_S)

/* From the stamp to the publication. False: it is of another clock. */
static inline bool header_stamp_age(const struct flow_publication *publication, uint64_t header_stamp, int64_t *age_ns)
{
	return header_stamp <= INT64_MAX &&
	       !__builtin_sub_overflow(publication->first_ns, (int64_t)header_stamp, age_ns) &&
	       *age_ns <= HEADER_STAMP_AGE_MAX_NS && *age_ns >= -HEADER_STAMP_AGE_MAX_NS;
}

#endif
