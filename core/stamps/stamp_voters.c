/* SPDX-License-Identifier: MIT */
#include "core/stamps/stamp_voters.h"

#include "core/stamps/stamp_candidates.h"

static bool is_voter(const struct stamp_clocks *clocks, const struct stamp_clock *clock,
		     const struct waiting_stamp *waiting)
{
	return !waiting->is_ended && (!clock->is_known || waiting->is_odd ||
				      stamp_candidates_find(clocks, waiting->topic, &waiting->take).count == 0);
}

/* The newest first. */
void stamp_voters_add(struct stamp_vote *vote, const struct stamp_waiting *stamps, const struct stamp_clocks *clocks,
		      uint32_t host)
{
	const struct stamp_clock *clock = stamp_clock_of(clocks, host);

	for (guint i = stamps->queue->len; i-- > stamps->first && vote->voters < VOTERS_MAX;) {
		const struct waiting_stamp *waiting = stamp_waiting_at(stamps, i);

		if (is_voter(clocks, clock, waiting)) {
			stamp_vote_add(vote, waiting->topic, host, &waiting->take);
		}
	}
	for (guint i = stamps->left_count; clock->is_known && i-- > 0 && vote->voters < VOTERS_MAX;) {
		const struct waiting_stamp *left = &stamps->left[i];

		if (left->take.taken_ns > clock->confirmed_ns) {
			stamp_vote_add(vote, left->topic, host, &left->take);
		}
	}
}
