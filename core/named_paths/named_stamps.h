/* SPDX-License-Identifier: MIT */
/*
 * The stamps in the headers of messages with which flows on named paths begin, such as that of the sensor whose data it
 * is. Only CARET's fork of rclcpp records them, with the publication. They are of the clock of the node that made them,
 * compared as they are, and only within HEADER_STAMP_AGE_MAX_NS of the publication: simulated time is another clock.
 *
 * Cost: O(1) for a publication with a stamp. Memory: 16 bytes for each publication that is under way at one time.
 */
#ifndef ROS2BT_NAMED_STAMPS_H
#define ROS2BT_NAMED_STAMPS_H

#include "core/base/arena.h"
#include "ros2bt/base/u64_map.h"
#include "ros2bt/flow/flow_linker.h"

struct named_stamps {
	struct arena *arena;	/* borrowed */
	struct u64_map stamped; /* address of a publication → struct stamped *, in the arena */
};

void named_stamps_init(struct named_stamps *stamps, struct arena *arena);

void named_stamps_note(struct named_stamps *stamps, const struct flow_publication *publication, uint64_t header_stamp);

/* ns since the Unix epoch; 0: none is recorded, or it is of another clock. */
int64_t named_stamps_of(const struct named_stamps *stamps, const struct flow_publication *publication);

#endif
