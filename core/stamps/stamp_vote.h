/* SPDX-License-Identifier: MIT */
/*
 * The vote for the offset of a host's clock: the offset at which most stamps lie right behind the beginning of a write.
 * Each stamp votes for the offsets that put it behind one of the latest publications of its topic. The region of
 * offsets with the most votes is elected if it is clearly nearer to the expected offset than any rival with half as
 * many votes; or, where an offset was known before, if it alone explains all stamps. In dense traffic, half of the
 * votes may go to any offset within many periods: then a region needs three quarters, and wider ones wait for more
 * stamps. A publication that was written after the take on the same host gets no vote. stamp_matcher.h describes the
 * rule.
 *
 * Cost: O(n log n) for the edges of at most VOTERS_MAX stamps x 32 publications.
 */
#ifndef ROS2BT_STAMP_VOTE_H
#define ROS2BT_STAMP_VOTE_H

#include "core/stamps/stamp_clock.h"
#include "core/stamps/stamp_interval.h"

#define VOTERS_MAX 64	/* stamps; a limit of cost */
#define VOTE_CLEARLY 10 /* how many times nearer to the expected offset than a rival; a guess */

struct stamp_vote {
	GArray *edges; /* struct edge of stamp_vote.c: where the offsets voted for begin and end */
	GArray *ends; /* struct end of stamp_vote.c: the offset at which each stamp was made at once by a publication */
	guint voters;
};

struct stamp_elected {
	int64_t lowest_ns, highest_ns;
	guint votes;
	guint close; /* stamps within CLOCK_CLOSE_NS of highest_ns; 0: too few, or as many elsewhere in the region */
};

void stamp_vote_init(struct stamp_vote *vote);
void stamp_vote_clear(struct stamp_vote *vote);

/* The stamp votes, if a publication of the host may have it. */
void stamp_vote_add(struct stamp_vote *vote, const struct stamp_topic *topic, uint32_t host,
		    const struct stamp_take *take);

/* `expected_ns`: the offset so far; NULL: zero is expected. False if no region is clear. */
bool stamp_vote_elect(struct stamp_vote *vote, const int64_t *expected_ns, struct stamp_elected *elected);

/* The distance of the region from an offset; 0: inside. */
int64_t stamp_vote_away(const struct stamp_elected *region, int64_t expected_ns);

#endif
