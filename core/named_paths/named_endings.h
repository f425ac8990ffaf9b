/* SPDX-License-Identifier: MIT */
/*
 * The ends of flows: the points that a flow passed are collected from its steps (named_steps.h) and handed to the
 * results (named_results.h), with its outcome. A flow that breaks off counts for every path that leads on from there.
 *
 * Cost: O(nodes on the path) for each flow, without allocation. Of paths of more than 1000 nodes only the first 1000
 * points are handed over.
 */
#ifndef ROS2BT_NAMED_ENDINGS_H
#define ROS2BT_NAMED_ENDINGS_H

#include "core/named_paths/named_steps.h"

struct named_endings {
	struct named_results *results; /* borrowed, like the next one */
	struct named_steps *steps;
	struct named_point *points; /* scratch, owned */
};

void named_endings_init(struct named_endings *endings, struct named_results *results, struct named_steps *steps);

/* The flow has reached the end of `way`; `last` is its last step. */
void named_endings_complete(struct named_endings *endings, const struct named_way *way, const struct named_step *last,
			    int64_t end_ns);

/* The flow did not reach `way`, which follows `last`. `publish_ns`: of the message that should have arrived there, or
 * NAMED_NO_TIME. */
void named_endings_break_off(struct named_endings *endings, const struct named_way *way, const struct named_step *last,
			     enum named_outcome outcome, int64_t publish_ns);

/* What the fate of a message means for the flow that it should carry from `step` to `way`. */
void named_endings_by_send(struct named_endings *endings, struct named_step *step, struct named_way *way,
			   const struct named_send *send);

#endif
