/* SPDX-License-Identifier: MIT */
/*
 * What kept messages of paths from being taken: for each step of a traversal, how long the thread that took its message
 * had executed other callbacks since the publication, and which of them longest (thread_history.h).
 *
 * A step keeps the number of its hold, because most messages are not held at all: PATH_HOLD_NONE, PATH_HOLD_UNKNOWN, or
 * the number of an entry, which belongs to the step until path_holds_give().
 *
 * Cost: that of thread_history_find() to measure, otherwise O(1). Memory: the steps under way whose messages were held,
 * and thread_history.h. Times in ns.
 */
#ifndef ROS2BT_PATH_HOLDS_H
#define ROS2BT_PATH_HOLDS_H

#include <glib.h>
#include <stdalign.h>

#include "core/analyses/shared/analysis.h"
#include "core/analyses/shared/holders.h"
#include "core/base/memory_layout.h"
#include "core/model/thread_history.h"

#define PATH_HOLD_NONE 0    /* the thread was free */
#define PATH_HOLD_UNKNOWN 1 /* the trace does not show it */

struct path_hold {
	struct model_callback *callback; /* NULL: not in use */
	int64_t held_ns;		 /* not in use: the next such entry */
};

struct path_holds {
	struct thread_history *threads; /* borrowed; NULL: nothing is measured, all is unknown */
	GArray *entries;		/* struct path_hold; the first two stand for no hold */
	uint32_t unused;		/* the first entry not in use, 0: none */
};

/* What held the messages of a hop in total; zeros are empty. On cache lines, to be fetched whole. */
struct hop_holds {
	alignas(CACHE_LINE) int64_t held_ns;
	uint64_t unknown; /* messages of which that is not known */
	struct holders holders;
};

void path_holds_init(struct path_holds *holds, const struct analysis_context *context, bool measures);

/* The number of what held the message that the execution handles. */
uint32_t path_holds_measure(struct path_holds *holds, const struct flow_execution *execution);

/* Another number for the same hold; `hold` is that of path_holds_get(). */
uint32_t path_holds_add(struct path_holds *holds, uint32_t number, struct path_hold hold);

/* Gives a number back. */
void path_holds_give(struct path_holds *holds, uint32_t number);

/* Zeros without an entry. */
struct path_hold path_holds_get(const struct path_holds *holds, uint32_t number);

void hop_holds_add(struct hop_holds *sum, const struct path_holds *holds, uint32_t number);

#endif
