/* SPDX-License-Identifier: MIT */
#include "core/stamps/stamp_candidates.h"

#define STAMP_MAX (INT64_MAX / 4) /* larger stamps are ignored: their differences would overflow */

bool stamp_candidate_is_near(const struct stamp_clock *clock, const struct stamp_interval *interval,
			     const struct stamp_take *take)
{
	return clock->is_known && stamp_clock_behind(clock, interval->from_ns, take->stamp) >= -INTERVAL_NEAR_NS &&
	       stamp_clock_behind(clock, interval->written_ns, take->stamp) <= INTERVAL_NEAR_NS;
}

bool stamp_candidates_are_possible(const struct stamp_topic *topic, int64_t stamp)
{
	return stamp >= 0 && stamp <= STAMP_MAX && !stamp_topic_has_early(topic, stamp);
}

/* Whether the stamp seems to lie before the beginning of the write, by more than the error of the clock. */
static bool is_early(const struct stamp_clock *clock, const struct stamp_interval *interval,
		     const struct stamp_take *take)
{
	return stamp_clock_behind(clock, interval->from_ns, take->stamp) <
	       -stamp_clock_early(clock, take->taken_ns, INTERVAL_NEAR_NS);
}

static void consider(const struct stamp_clock *clock, struct stamp_interval *interval, const struct stamp_take *take,
		     struct stamp_candidates *candidates)
{
	int64_t stamp = take->stamp;
	int64_t distance_ns = stamp - interval->from_ns;
	int64_t until_ns = stamp_interval_end_before(interval, take);

	if (interval->is_stamped) {
		candidates->is_taken |= interval->stamp == stamp;
		return;
	}
	if ((interval->host == take->host && interval->from_ns > take->taken_ns) ||
	    distance_ns < stamp_clock_lowest(clock, take->taken_ns) ||
	    (until_ns != INT64_MAX && stamp - until_ns > stamp_clock_highest(clock, take->taken_ns))) {
		return;
	}
	if (candidates->count < CANDIDATES_MAX) {
		candidates->all[candidates->count] = interval;
	}
	candidates->count++;
	candidates->is_contested |= interval->is_contested;
	candidates->is_unsure |= !clock->is_known;
	if (stamp_candidate_is_near(clock, interval, take)) {
		candidates->near_count++;
		candidates->near = interval;
		candidates->is_near_early = is_early(clock, interval, take);
	}
}

static void find_of_host(const struct stamp_clocks *clocks, const struct stamp_topic *topic, uint32_t host,
			 const struct stamp_take *take, struct stamp_candidates *candidates)
{
	const struct stamp_clock *clock = stamp_clock_of(clocks, host);
	int64_t newest_ns = take->stamp - stamp_clock_lowest(clock, take->taken_ns);
	int64_t oldest_ns = take->stamp - stamp_clock_highest(clock, take->taken_ns) - INTERVAL_LONG_NS;

	candidates->has_unknown_host |= !clock->is_known;
	candidates->is_open |= newest_ns >= clocks->now_ns && host != take->host;
	for (struct stamp_interval *i = topic->newest; i && i->from_ns >= oldest_ns; i = i->older) {
		if (i->host == host && i->from_ns <= newest_ns) {
			consider(clock, i, take, candidates);
		}
	}
	for (guint i = 0; i < topic->longs->len; i++) {
		struct stamp_interval *interval = g_ptr_array_index(topic->longs, i);

		if (interval->host == host && interval->from_ns < oldest_ns) {
			consider(clock, interval, take, candidates);
		}
	}
}

struct stamp_candidates stamp_candidates_find(const struct stamp_clocks *clocks, const struct stamp_topic *topic,
					      const struct stamp_take *take)
{
	struct stamp_candidates candidates = { 0 };

	for (guint i = 0; i < topic->hosts->len; i++) {
		find_of_host(clocks, topic, g_array_index(topic->hosts, uint32_t, i), take, &candidates);
	}
	return candidates;
}

bool stamp_candidates_prefer_near(const struct stamp_candidates *candidates)
{
	if (candidates->near_count != 1 || candidates->is_near_early || candidates->count > CANDIDATES_MAX) {
		return false;
	}
	for (guint i = 0; i < candidates->count; i++) {
		const struct stamp_interval *rival = candidates->all[i];

		if (rival != candidates->near && !rival->is_loose && stamp_interval_overlaps(rival, candidates->near)) {
			return false;
		}
	}
	return true;
}

bool stamp_candidates_are_disjoint(const struct stamp_candidates *candidates)
{
	if (candidates->count > CANDIDATES_MAX) {
		return false;
	}
	for (guint i = 1; i < candidates->count; i++) {
		for (guint j = 0; j < i; j++) {
			if (stamp_interval_overlaps(candidates->all[i], candidates->all[j])) {
				return false;
			}
		}
	}
	return candidates->count > 0;
}

bool stamp_candidates_are_of(const struct stamp_candidates *candidates, uint32_t host)
{
	for (guint i = 0; i < MIN(candidates->count, CANDIDATES_MAX); i++) {
		if (candidates->all[i]->host != host) {
			return false;
		}
	}
	return candidates->count <= CANDIDATES_MAX;
}
