/* SPDX-License-Identifier: MIT */
#include "core/analyses/timeline/timeline_lanes.h"

void timeline_lanes_clear(struct timeline_lanes *lanes)
{
	g_clear_pointer(&lanes->ends, g_array_unref);
}

unsigned int timeline_lanes_take(struct timeline_lanes *lanes, int64_t begin_ns, int64_t end_ns)
{
	if (!lanes->ends) {
		lanes->ends = g_array_new(FALSE, FALSE, sizeof(int64_t));
	}
	for (guint lane = 0; lane < lanes->ends->len; lane++) {
		int64_t *last_end_ns = &g_array_index(lanes->ends, int64_t, lane);

		if (*last_end_ns <= begin_ns) {
			*last_end_ns = end_ns;
			return lane;
		}
	}
	if (lanes->ends->len < TIMELINE_LANES_MAX) {
		g_array_append_val(lanes->ends, end_ns);
		return lanes->ends->len - 1;
	}
	return TIMELINE_LANES_MAX;
}
