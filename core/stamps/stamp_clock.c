/* SPDX-License-Identifier: MIT */
#include "core/stamps/stamp_clock.h"

struct stamp_clock *stamp_clock_of(const struct stamp_clocks *clocks, uint32_t host)
{
	if (clocks->by_host->len <= host) {
		g_array_set_size(clocks->by_host, host + 1);
	}
	return &g_array_index(clocks->by_host, struct stamp_clock, host);
}

void stamp_clock_set(struct stamp_clock *clock, int64_t lowest_ns, int64_t highest_ns, int64_t now_ns)
{
	*clock = (struct stamp_clock){
		.is_known = true,
		.lowest_ns = MIN(lowest_ns, highest_ns),
		.highest_ns = highest_ns,
		.at_ns = now_ns,
		.retried_ns = INT64_MAX,
	};
}

void stamp_clock_learn(struct stamp_clock *clock, int64_t from_ns, int64_t until_ns, int64_t stamp, int64_t now_ns)
{
	int64_t drift_ns = stamp_clock_drift(clock, now_ns);
	int64_t lowest_ns = clock->lowest_ns - drift_ns;
	int64_t highest_ns = MIN(clock->highest_ns + drift_ns, stamp - from_ns);

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
