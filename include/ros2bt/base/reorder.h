/* SPDX-License-Identifier: MIT */
/*
 * Puts late items back into a sequence. Items in order (`kept`) are held until their time is due. An item of an earlier
 * time (`moved`) is put at its time or, if later items have already been taken, at the earliest position that is left.
 * Every item that goes in comes out, in order of time. At equal times moved items come first; otherwise items keep the
 * order of arrival.
 *
 * Items are opaque. Times are in ns. Cost: O(1) for keeping and taking, O(log moved) for moving. Memory: the held
 * items.
 */
#ifndef ROS2BT_REORDER_H
#define ROS2BT_REORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct reorder;

struct reorder_item {
	int64_t time_ns; /* its place in the order */
	bool is_moved;
	const void *content;
};

struct reorder *reorder_create(void);
void reorder_destroy(struct reorder *reorder); /* does not free items: take all of them first */

/* Adds an item in order. If its time is before that of the last kept item, it gets the time of that one. */
void reorder_keep(struct reorder *reorder, int64_t time_ns, const void *content);

/* Adds an item without a time, in order. */
void reorder_keep_timeless(struct reorder *reorder, const void *content);

/* Adds a moved item of a time. Returns by how much its place is later than that (0: not at all). */
uint64_t reorder_move(struct reorder *reorder, int64_t time_ns, const void *content);

/* Takes the next item with a time of at most limit_ns. False if there is none. */
bool reorder_take(struct reorder *reorder, int64_t limit_ns, struct reorder_item *item);

/* The time of the last kept item added; INT64_MIN before the first one with a time. */
int64_t reorder_now(const struct reorder *reorder);

size_t reorder_kept_count(const struct reorder *reorder);

#endif
