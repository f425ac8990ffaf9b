/* SPDX-License-Identifier: MIT */
#include "core/stamps/stamp_doubt.h"

#include <stdlib.h>

#include "core/stamps/stamp_candidates.h"

struct offsets {
	int64_t lowest_ns, highest_ns;
};

/* Those at which the publication has the stamp. */
static struct offsets offsets_of(const struct stamp_interval *interval, int64_t stamp)
{
	return (struct offsets){
		stamp - MIN(stamp_interval_end(interval), interval->from_ns + INTERVAL_NEAR_NS),
		stamp - interval->from_ns,
	};
}

static bool overlap(const struct offsets *a, const struct offsets *b)
{
	return a->lowest_ns <= b->highest_ns && b->lowest_ns <= a->highest_ns;
}

/* Whether the publication may have been taken so, at some offset. */
static bool may_be(const struct stamp_interval *interval, const struct stamp_take *take)
{
	return !interval->is_stamped && (interval->host != take->host || interval->from_ns <= take->taken_ns);
}

/* Whether one of these offsets gives the stamp to another publication of the host; true if too many are to be tried. */
static bool is_explained(const struct stamp_topic *topic, const struct stamp_take *take, const struct offsets *offsets,
			 const struct stamp_interval *other)
{
	int64_t since_ns = take->stamp - offsets->highest_ns - INTERVAL_NEAR_NS; /* all others began before */
	guint steps = 0;

	for (const struct stamp_interval *i = topic->newest; i && i->from_ns >= since_ns; i = i->older) {
		struct offsets own = offsets_of(i, take->stamp);

		if (++steps > DOUBT_STEPS_MAX) {
			return true;
		}
		if (i != other && i->host == other->host && may_be(i, take) && overlap(&own, offsets)) {
			return true;
		}
	}
	return false;
}

/* Whether the publication may have been written when nothing confirms the clock of its host. */
static bool is_unconfirmed(const struct stamp_clocks *clocks, const struct stamp_interval *interval)
{
	const struct stamp_clock *clock = stamp_clock_of(clocks, interval->host);

	return stamp_interval_end(interval) > clock->confirmed_ns || interval->from_ns < clock->confirmed_since_ns;
}

static bool is_rival(const struct stamp_clocks *clocks, const struct stamp_interval *interval,
		     const struct stamp_take *take, const struct stamp_interval *candidate)
{
	return interval != candidate && may_be(interval, take) && is_unconfirmed(clocks, interval);
}

/* Whether other publications may have the stamp by another offset, at a time when nothing confirms this one. */
static bool has_rival(const struct stamp_clocks *clocks, const struct stamp_topic *topic, const struct stamp_take *take,
		      const struct stamp_interval *candidate)
{
	bool is_early = candidate->from_ns < stamp_clock_of(clocks, candidate->host)->confirmed_since_ns;
	int64_t since_ns = INT64_MAX;
	guint steps = 0;

	for (guint i = 0; i < topic->hosts->len; i++) {
		uint32_t host = g_array_index(topic->hosts, uint32_t, i);

		since_ns = MIN(since_ns, is_early ? INT64_MIN : stamp_clock_of(clocks, host)->confirmed_ns);
	}
	for (guint i = 0; i < topic->longs->len; i++) {
		if (is_rival(clocks, g_ptr_array_index(topic->longs, i), take, candidate)) {
			return true;
		}
	}
	for (const struct stamp_interval *i = topic->newest; i && i->from_ns + INTERVAL_LONG_NS >= since_ns;
	     i = i->older) {
		if (++steps > DOUBT_STEPS_MAX || is_rival(clocks, i, take, candidate)) {
			return true;
		}
	}
	return false;
}

bool stamp_doubt_is_confirmed(const struct stamp_clocks *clocks, const struct stamp_topic *topic,
			      const struct stamp_take *take, const struct stamp_interval *candidate)
{
	static const struct offsets original = { -INTERVAL_NEAR_NS, INTERVAL_NEAR_NS };
	const struct stamp_clock *clock = stamp_clock_of(clocks, candidate->host);
	struct offsets bounds = { clock->lowest_ns, clock->highest_ns };
	bool is_near = stamp_clock_behind(clock, candidate->from_ns, take->stamp) <= INTERVAL_NEAR_NS;
	bool is_first = is_near && clock->confirmed_since_ns == INT64_MAX;
	bool is_original = llabs(clock->highest_ns) <= INTERVAL_NEAR_NS;
	bool is_after = is_first || is_original || candidate->from_ns >= clock->confirmed_since_ns;
	bool is_before = is_near || clock->confirmed_ns >= take->taken_ns;

	if (!overlap(&bounds, &original) && is_explained(topic, take, &original, candidate)) {
		return false;
	}
	return (is_after && is_before) || !has_rival(clocks, topic, take, candidate);
}

/* Whether the offset that gives the stamp to `other` explains an odd stamp. */
static bool explains_odd(const struct stamp_doubt *doubt, const struct stamp_interval *other,
			 const struct offsets *offsets)
{
	for (guint i = 0; i < doubt->count; i++) {
		if (is_explained(doubt->topics[i], &doubt->takes[i], offsets, other)) {
			return true;
		}
	}
	return false;
}

bool stamp_doubt_is_justified(const struct stamp_doubt *doubt, const struct stamp_topic *topic,
			      const struct stamp_take *take, const struct stamp_interval *candidate)
{
	guint steps = 0, tried = 0;

	for (const struct stamp_interval *i = topic->newest;
	     i && steps < DOUBT_STEPS_MAX && tried < DOUBT_PUBLICATIONS_MAX; i = i->older, steps++) {
		struct offsets offsets = offsets_of(i, take->stamp);

		if (i == candidate || !may_be(i, take)) {
			continue;
		}
		if (explains_odd(doubt, i, &offsets)) {
			return true;
		}
		tried++;
	}
	return false;
}
