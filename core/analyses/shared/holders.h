/* SPDX-License-Identifier: MIT */
/*
 * Which callback held messages, or calls of a timer, longest: the callbacks that held them most, each with its time in
 * all. A callback holds what waits for the thread on which it runs.
 *
 * A new callback takes the place of the one that held least, and its rank with it, so that no callback with more than a
 * HOLDERS_MAX-th of the total time stays out for good (Metwally et al., "Efficient computation of frequent and top-k
 * elements in data streams", 2005). They are compared by the time that they held themselves. A struct of zeros is
 * empty.
 *
 * Cost: O(HOLDERS_MAX) to add. Memory: the struct. Times in ns; sums stop at INT64_MAX.
 */
#ifndef ROS2BT_HOLDERS_H
#define ROS2BT_HOLDERS_H

#include <stddef.h>

#include "ros2bt/base/time_units.h"
#include "ros2bt/model/object_model.h"

#define HOLDERS_MAX 4

struct holder {
	struct model_callback *callback; /* NULL: free */
	int64_t held_ns;
	int64_t rank_ns; /* held_ns, and the rank of the callback whose place it took */
};

struct holders {
	struct holder list[HOLDERS_MAX];
};

/* The place of the callback, or NULL. */
static inline struct holder *holders_find(struct holders *holders, const struct model_callback *callback)
{
#pragma GCC unroll 4
	for (size_t i = 0; i < HOLDERS_MAX; i++) {
		if (holders->list[i].callback == callback) {
			return &holders->list[i];
		}
	}
	return NULL;
}

/* The first of the lowest rank. */
static inline struct holder *holders_lowest(struct holders *holders)
{
	struct holder *lowest = &holders->list[0];

#pragma GCC unroll 4
	for (size_t i = 1; i < HOLDERS_MAX; i++) {
		lowest = holders->list[i].rank_ns < lowest->rank_ns ? &holders->list[i] : lowest;
	}
	return lowest;
}

/*
 * A callback that has a place does not wait for the ranks, which those before have just changed. A branch tells the two
 * cases apart: that it is often predicted wrongly costs less than always to find both.
 */
static inline void holders_add(struct holders *holders, struct model_callback *callback, int64_t held_ns)
{
	struct holder *place = holders_find(holders, callback);

	if (place) {
		place->held_ns = add_saturated(place->held_ns, held_ns);
	} else {
		place = holders_lowest(holders);
		place->callback = callback;
		place->held_ns = held_ns;
	}
	place->rank_ns = add_saturated(place->rank_ns, held_ns);
}

/* The callback that held longest, or NULL; and how long at least. */
int64_t holders_longest_ns(const struct holders *holders);
struct model_callback *holders_longest(const struct holders *holders);

/* The same as a text (callback_text.h), or NULL. To be freed. */
char *holders_longest_text(const struct holders *holders, struct object_model *model);

#endif
