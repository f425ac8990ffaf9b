/* SPDX-License-Identifier: MIT */
#include "core/stamps/stamp_contest.h"

#define SLACK_NS NS_PER_MS /* the bounds of a clock may be wider when the next stamp comes: 500 ppm in 2 s */

/* Which stamps the publication may have. */
struct stamp_range {
	int64_t lowest, highest;
};

static struct stamp_range stamps_of(const struct stamp_clocks *clocks, const struct stamp_interval *interval)
{
	const struct stamp_clock *clock = stamp_clock_of(clocks, interval->host);

	if (interval->is_stamped) {
		return (struct stamp_range){ interval->stamp, interval->stamp };
	}
	return (struct stamp_range){
		interval->from_ns + stamp_clock_lowest(clock, clocks->now_ns) - SLACK_NS,
		MIN(stamp_interval_end(interval), clocks->now_ns) + stamp_clock_highest(clock, clocks->now_ns) +
			SLACK_NS,
	};
}

/* Where a host's clock is not known, two hosts are not compared: anything near may be mistaken. */
static bool are_comparable(const struct stamp_clocks *clocks, uint32_t host, uint32_t other)
{
	return host == other || (stamp_clock_of(clocks, host)->is_known && stamp_clock_of(clocks, other)->is_known);
}

static bool is_rival(const struct stamp_clocks *clocks, const struct stamp_interval *leaving,
		     const struct stamp_interval *other)
{
	struct stamp_range left, right;

	if (other == leaving || other->is_stamped) {
		return false;
	}
	left = stamps_of(clocks, leaving);
	right = stamps_of(clocks, other);
	return (left.lowest <= right.highest && right.lowest <= left.highest) ||
	       !are_comparable(clocks, leaving->host, other->host);
}

/* How far apart two intervals of the topic may begin that could have the same stamp. */
static int64_t reach(const struct stamp_clocks *clocks, const struct stamp_topic *topic)
{
	int64_t lowest_ns = INT64_MAX, highest_ns = INT64_MIN;

	for (guint i = 0; i < topic->hosts->len; i++) {
		const struct stamp_clock *clock = stamp_clock_of(clocks, g_array_index(topic->hosts, uint32_t, i));

		lowest_ns = MIN(lowest_ns, stamp_clock_lowest(clock, clocks->now_ns));
		highest_ns = MAX(highest_ns, stamp_clock_highest(clock, clocks->now_ns));
	}
	return highest_ns - lowest_ns + 2 * SLACK_NS;
}

static int64_t end_of(const struct stamp_clocks *clocks, const struct stamp_interval *leaving)
{
	return MIN(stamp_interval_end(leaving), clocks->now_ns) + reach(clocks, leaving->topic);
}

/* Whether the interval may be mistaken for the one that leaves; it is contested from now on, unless this only asks. */
static bool meet(const struct stamp_clocks *clocks, const struct stamp_interval *leaving, struct stamp_interval *other,
		 bool is_question)
{
	if (!is_rival(clocks, leaving, other)) {
		return false;
	}
	other->is_contested |= !is_question;
	return true;
}

/* Whether there is a rival; all of them are contested from now on, unless this only asks. */
static bool meet_all(const struct stamp_clocks *clocks, const struct stamp_interval *leaving, bool is_question)
{
	const GPtrArray *longs = leaving->topic->longs;
	int64_t oldest_ns = leaving->from_ns - reach(clocks, leaving->topic) - INTERVAL_LONG_NS;
	int64_t newest_ns = end_of(clocks, leaving);
	bool has_any = false;

	for (struct stamp_interval *i = leaving->older; i && i->from_ns >= oldest_ns; i = i->older) {
		has_any |= meet(clocks, leaving, i, is_question);
	}
	for (struct stamp_interval *i = leaving->newer; i && i->from_ns <= newest_ns; i = i->newer) {
		has_any |= meet(clocks, leaving, i, is_question);
	}
	for (guint i = 0; i < longs->len; i++) {
		has_any |= meet(clocks, leaving, g_ptr_array_index(longs, i), is_question);
	}
	return has_any;
}

void stamp_contest_rivals(const struct stamp_clocks *clocks, const struct stamp_interval *leaving)
{
	(void)meet_all(clocks, leaving, false);
}

bool stamp_contest_is_needless(const struct stamp_clocks *clocks, const struct stamp_interval *leaving)
{
	return stamp_clock_of(clocks, leaving->host)->is_known && end_of(clocks, leaving) < clocks->now_ns &&
	       !meet_all(clocks, leaving, true);
}
