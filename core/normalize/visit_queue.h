/* SPDX-License-Identifier: MIT */
/*
 * Entries that are appended by one pass over a recording and visited in the same order by another one, which lags
 * behind. An entry is identified by its number: how many were appended before it. Embedded.
 *
 * Cost: O(1). Memory: the entries between append and visit, in chunks; all if they are kept.
 */
#ifndef ROS2BT_VISIT_QUEUE_H
#define ROS2BT_VISIT_QUEUE_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

struct visit_queue {
	GArray *entries;
	uint64_t first;	   /* number of entries[0] */
	uint64_t position; /* number of the next one to be visited */
	bool are_kept;
};

/* `are_kept`: for visit_queue_rewind(). */
void visit_queue_init(struct visit_queue *queue, guint entry_size, bool are_kept);
void visit_queue_clear(struct visit_queue *queue);

/* Appends an entry of zeros; its number. */
uint64_t visit_queue_append(struct visit_queue *queue);

/* The entry, for a change that its visit shall see; NULL: it was visited before, and in the pass that goes on. */
void *visit_queue_unvisited(struct visit_queue *queue, uint64_t number);

/* The next entry, valid until the next call; NULL: there is none. */
const void *visit_queue_next(struct visit_queue *queue);
void visit_queue_rewind(struct visit_queue *queue);

#endif
