/* SPDX-License-Identifier: MIT */
/*
 * Which callback held the messages of a pair longest: the time in all of each of the few callbacks that held them most.
 *
 * A new callback takes the place of the one that held least, and its rank with it, so that one with more than a
 * HOLDERS_MAX-th of all time is never out for good (Metwally et al., "Efficient computation of frequent and top-k
 * elements in data streams", 2005); they are compared by the time that they themselves held. A struct of zeros is
 * empty.
 *
 * Cost: O(HOLDERS_MAX) to add, in line: one message may have waited for hundreds of executions. Memory: the struct.
 */
#ifndef ROS2BT_HOLDERS_H
#define ROS2BT_HOLDERS_H

#include <stddef.h>

#include "core/base/time_units.h"
#include "ros2bt/object_model.h"

#define HOLDERS_MAX 4

struct holder {
	struct model_callback *callback; /* NULL: free */
	int64_t held_ns;
	int64_t rank_ns; /* and what those held whose place it took */
};

struct holders {
	struct holder list[HOLDERS_MAX];
};

/* The place of the callback, or the first of the lowest rank. Without branches: which it is cannot be predicted. */
static inline struct holder *holders_place(struct holders *holders, const struct model_callback *callback)
{
	int64_t lowest_ns = holders->list[0].rank_ns;
	size_t place = 0;

#pragma GCC unroll 4
	for (size_t i = 1; i < HOLDERS_MAX; i++) {
		bool is_lower = holders->list[i].rank_ns < lowest_ns;

		lowest_ns = is_lower ? holders->list[i].rank_ns : lowest_ns;
		place = is_lower ? i : place;
	}
#pragma GCC unroll 4
	for (size_t i = 0; i < HOLDERS_MAX; i++) {
		place = holders->list[i].callback == callback ? i : place;
	}
	return &holders->list[place];
}

static inline void holders_add(struct holders *holders, struct model_callback *callback, int64_t held_ns)
{
	struct holder *place = holders_place(holders, callback);

	place->held_ns = add_saturated(place->callback == callback ? place->held_ns : 0, held_ns);
	place->rank_ns = add_saturated(place->rank_ns, held_ns);
	place->callback = callback;
}

/* The one that held longest, NULL if there is none. */
struct model_callback *holders_longest(const struct holders *holders);

/* The same as "NODE SOURCE": "/k1 /f1", "/planner 100 ms"; NULL if there is none. Owned by the
 * caller. */
char *holders_longest_text(const struct holders *holders, struct object_model *model);

#endif
