/* SPDX-License-Identifier: MIT */
#include "core/stamps/stamp_clock.h"

#include "core/base/slots.h"
#include "core/stamps/stamp_interval.h"

struct stamp_clock *stamp_clock_of(const struct stamp_clocks *clocks, uint32_t host)
{
	return array_at(clocks->by_host, struct stamp_clock, host);
}

void stamp_clock_set(struct stamp_clock *clock, int64_t lowest_ns, int64_t highest_ns, guint close, int64_t now_ns)
{
	*clock = (struct stamp_clock){
		.is_known = true,
		.lowest_ns = MIN(lowest_ns, highest_ns),
		.highest_ns = highest_ns,
		.close = close,
		.confirmed_since_ns = INT64_MAX,
		.confirmed_ns = INT64_MIN,
		.at_ns = now_ns,
		.retried_ns = INT64_MAX,
	};
}

void stamp_clock_learn(struct stamp_clock *clock, int64_t from_ns, int64_t until_ns, int64_t stamp, int64_t now_ns)
{
	int64_t drift_ns = stamp_clock_drift(clock, now_ns);
	int64_t lowest_ns = clock->lowest_ns - drift_ns;
	int64_t highest_ns = MIN(clock->highest_ns + drift_ns, stamp - from_ns);
	int64_t behind_ns = stamp_clock_behind(clock, from_ns, stamp);

	if (behind_ns < -CLOCK_CLOSE_NS) {
		clock->close = 0; /* those so far were not */
	}
	clock->close += behind_ns <= CLOCK_CLOSE_NS;
	if (behind_ns <= INTERVAL_NEAR_NS) {
		clock->confirmed_since_ns = MIN(clock->confirmed_since_ns, from_ns);
		clock->confirmed_ns = MAX(clock->confirmed_ns, from_ns);
	}

	if (until_ns != INT64_MAX) {
		lowest_ns = MAX(lowest_ns, stamp - until_ns);
	}
	if (lowest_ns > highest_ns) {
		/* They contradict each other by the error of the clocks at most. */
		lowest_ns = highest_ns = lowest_ns + (highest_ns - lowest_ns) / 2;
	}
	clock->lowest_ns = lowest_ns;
	clock->highest_ns = highest_ns;
	clock->at_ns = MAX(clock->at_ns, now_ns);
}

bool stamp_clocks_are_better(const struct stamp_clocks *clocks)
{
	bool is_better = false;

	for (guint i = 0; i < clocks->by_host->len; i++) {
		struct stamp_clock *clock = stamp_clock_of(clocks, i);
		int64_t width_ns = clock->highest_ns - clock->lowest_ns;

		if (clock->is_known && width_ns < clock->retried_ns / 2) {
			clock->retried_ns = width_ns;
			is_better = true;
		}
	}
	return is_better;
}
