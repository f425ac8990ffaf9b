/* SPDX-License-Identifier: MIT */
/*
 * Puts late items back into a sequence. Items in order (`kept`) are held until their time is due; an item that belongs
 * to an earlier time (`moved`) is put at its time or, if later items have already left, at the earliest position that
 * is still free. Every item that goes in comes out, in order of time; at equal times moved items come first, and
 * otherwise the order of arrival is kept.
 *
 * The items are opaque. Times in ns. Memory: the held items. Taking and keeping cost O(1), moving O(log moved).
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
void reorder_destroy(struct reorder *reorder); /* items belong to the caller: take all of them first */

/* Adds an item in order: its time is not before that of any kept item so far (otherwise the time of the last one is
 * used). */
void reorder_keep(struct reorder *reorder, int64_t time_ns, const void *content);

/* Adds an item without a time of its own, in order. */
void reorder_keep_timeless(struct reorder *reorder, const void *content);

/* Adds an item that belongs to time_ns. Returns how much later than that its place is (0: none). */
uint64_t reorder_move(struct reorder *reorder, int64_t time_ns, const void *content);

/* Takes the next item, if its time is not after limit_ns; false if there is none. */
bool reorder_take(struct reorder *reorder, int64_t limit_ns, struct reorder_item *item);

/* The time of the last kept item that went in; INT64_MIN before the first one with a time. */
int64_t reorder_now(const struct reorder *reorder);

size_t reorder_kept_count(const struct reorder *reorder);

#endif
