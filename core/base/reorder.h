/* SPDX-License-Identifier: MIT */
/*
 * Puts items that come too late back into a sequence. Items in order (`kept`) are held until their time is due; an item
 * that belongs to an earlier time (`moved`) is put where its time says, or, where what follows has left already, at
 * the earliest place that is still there. Out comes everything that went in, in order of time; at equal times moved
 * items come first, otherwise they stay in the order in which they came.
 *
 * Knows nothing of what the items are. Times in ns. Memory: what is held. Taking and keeping O(1), moving O(log moved).
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
void reorder_destroy(struct reorder *reorder); /* the contents are the caller's: take them all before */

/* Adds an item in order: its time is not before that of any kept item so far (else it is taken as that of the last
 * one). */
void reorder_keep(struct reorder *reorder, int64_t time_ns, const void *content);

/* Adds one in order that has no time of its own. */
void reorder_keep_timeless(struct reorder *reorder, const void *content);

/* Adds an item that belongs to time_ns. Returns how much later than that its place is (0: none). */
uint64_t reorder_move(struct reorder *reorder, int64_t time_ns, const void *content);

/* Takes the next item, if its time is not after limit_ns; false if there is none. */
bool reorder_take(struct reorder *reorder, int64_t limit_ns, struct reorder_item *item);

/* The time of the last kept item that went in; INT64_MIN before the first one with a time. */
int64_t reorder_now(const struct reorder *reorder);

size_t reorder_kept_count(const struct reorder *reorder);

#endif
