/* SPDX-License-Identifier: MIT */
/*
 * The messages that a process has published both intra-process and inter-process, by source timestamp and topic: a take
 * of one by an intra-process subscription of the same process finds a copy of what the subscription gets anyway.
 *
 * Remembers the last INTRA_COPIES_MAX messages of the process; a copy of an older one is not recognized. Cost: O(1).
 * Memory: nothing until the first message, 112 bytes a message afterwards, at most INTRA_COPIES_MAX of them.
 */
#ifndef ROS2BT_INTRA_COPIES_H
#define ROS2BT_INTRA_COPIES_H

#include <glib.h>
#include <stdbool.h>

#include "ros2bt/base/u64_map.h"

#define INTRA_COPIES_MAX 16384

struct intra_copies {
	struct u64_map topics; /* timestamp → topic (interned) */
	GArray *timestamps;    /* int64_t; ring of INTRA_COPIES_MAX; NULL until the first message */
	guint next;	       /* its oldest entry, once it is full */
};

void intra_copies_init(struct intra_copies *copies);
void intra_copies_clear(struct intra_copies *copies);

/* `topic`: interned text as a word; U64_MAP_NONE: unknown, the message is not remembered. */
void intra_copies_add(struct intra_copies *copies, int64_t timestamp, uint64_t topic);
bool intra_copies_has(const struct intra_copies *copies, int64_t timestamp, uint64_t topic);

#endif
