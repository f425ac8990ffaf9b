/* SPDX-License-Identifier: MIT */
#include "core/stamps/stamp_voters.h"

#include "core/stamps/stamp_candidates.h"

static bool is_voter(const struct stamp_clocks *clocks, const struct stamp_clock *clock,
		     const struct waiting_stamp *waiting)
{
	return !waiting->is_ended && (!clock->is_known || waiting->is_odd ||
				      stamp_candidates_find(clocks, waiting->topic, &waiting->take).count == 0);
}

/*
 * Whether the publications that may have the stamp are known, up to `ahead_ns` behind where the expected offset puts
 * it, or it has waited for them.
 */
static bool has_choice(const struct stamp_clocks *clocks, const struct stamp_clock *clock, uint32_t host,
		       const struct stamp_take *take, int64_t ahead_ns)
{
	int64_t expected_ns = clock->is_known ? clock->highest_ns : 0;

	return take->host == host || clocks->now_ns - take->taken_ns >= VOTER_WAIT_NS ||
	       clocks->now_ns - (take->stamp - expected_ns) >= ahead_ns;
}

/* The newest first. */
static void add_voters(struct stamp_vote *vote, const struct stamp_waiting *stamps, const struct stamp_clocks *clocks,
		       uint32_t host, int64_t ahead_ns)
{
	const struct stamp_clock *clock = stamp_clock_of(clocks, host);

	for (guint i = stamps->queue->len; i-- > stamps->first && vote->voters < VOTERS_MAX;) {
		const struct waiting_stamp *waiting = stamp_waiting_at(stamps, i);

		if (has_choice(clocks, clock, host, &waiting->take, ahead_ns) && is_voter(clocks, clock, waiting)) {
			stamp_vote_add(vote, waiting->topic, host, &waiting->take);
		}
	}
	for (guint i = stamps->left_count; clock->is_known && i-- > 0 && vote->voters < VOTERS_MAX;) {
		const struct waiting_stamp *left = &stamps->left[i];

		if (left->take.taken_ns > clock->confirmed_ns &&
		    has_choice(clocks, clock, host, &left->take, ahead_ns)) {
			stamp_vote_add(vote, left->topic, host, &left->take);
		}
	}
}

/* False if no region is clear. */
static bool count_votes(const struct stamp_waiting *stamps, const struct stamp_clocks *clocks, uint32_t host,
			int64_t ahead_ns, struct stamp_elected *elected, guint *voters)
{
	const struct stamp_clock *clock = stamp_clock_of(clocks, host);
	struct stamp_vote ballots;
	bool is_clear;

	stamp_vote_init(&ballots);
	add_voters(&ballots, stamps, clocks, host, ahead_ns);
	is_clear = stamp_vote_elect(&ballots, clock->is_known ? &clock->highest_ns : NULL, elected);
	*voters = ballots.voters;
	stamp_vote_clear(&ballots);
	return is_clear;
}

bool stamp_voters_elect(const struct stamp_waiting *stamps, const struct stamp_clocks *clocks, uint32_t host,
			struct stamp_elected *elected, guint *voters)
{
	bool is_clear = count_votes(stamps, clocks, host, INTERVAL_NEAR_NS, elected, voters);
	int64_t away_ns = stamp_vote_away(elected, 0);

	/* Away from zero: a rival that is nearer, or not clearly farther away, must have been possible. */
	if (is_clear && !stamp_clock_of(clocks, host)->is_known && away_ns > INTERVAL_NEAR_NS / VOTE_CLEARLY) {
		is_clear = count_votes(stamps, clocks, host, MIN(away_ns, INT64_MAX / VOTE_CLEARLY) * VOTE_CLEARLY,
				       elected, voters) &&
			   stamp_vote_away(elected, 0) <= away_ns;
	}
	return is_clear;
}
