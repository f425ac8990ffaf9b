/* SPDX-License-Identifier: MIT */
/*
 * A counter of a timeline by pieces of time, however long the recording is: how often something happened in each, per
 * second, or the last value in each. Pieces have a tenth of a second at first; when there are more than
 * PIECE_COUNTER_MAX, each two become one. Times may come in any order.
 *
 * Embedded, zeroed. O(1) on average. Memory: 16 bytes for each piece.
 */
#ifndef ROS2BT_PIECE_COUNTER_H
#define ROS2BT_PIECE_COUNTER_H

#include <glib.h>

#include "core/tables/timeline_tables.h"

#define PIECE_COUNTER_MAX 1024

struct piece_counter {
	GArray *pieces;		/* struct piece; NULL: none so far */
	int64_t first;		/* the number of the first one: floor(time / width) */
	int64_t begin_ns;	/* the earliest time of what was added */
	unsigned int doublings; /* of the width */
};

void piece_counter_clear(struct piece_counter *counter);

/* It happened once more. */
void piece_counter_add(struct piece_counter *counter, int64_t time_ns);

/* The value from a time on. */
void piece_counter_set(struct piece_counter *counter, int64_t time_ns, int64_t value);

/* Whether it has values. */
static inline bool piece_counter_has_any(const struct piece_counter *counter)
{
	return counter->pieces != NULL;
}

/* By those that were added: the number of each piece, per second, from the first of them on, and 0 after the last one.
 */
void piece_counter_write_rate(const struct piece_counter *counter, struct table_writer *events, uint64_t track);

/* By those that were set: each at its time. */
void piece_counter_write_values(const struct piece_counter *counter, struct table_writer *events, uint64_t track);

#endif
