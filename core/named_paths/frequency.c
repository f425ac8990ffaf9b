/* SPDX-License-Identifier: MIT */
#include "core/named_paths/frequency.h"

#include <glib.h>

#include "ros2bt/base/time_units.h"

static void visit_empty(uint64_t from, uint64_t to, int64_t begin_ns, frequency_visitor visit, void *data)
{
	if (to - from > FREQUENCY_EMPTY_BINS_MAX) {
		to = from + 1;
	}
	for (uint64_t bin = from; bin < to; bin++) {
		visit(data, begin_ns + (int64_t)bin * NS_PER_S, 0);
	}
}

void frequency_visit(const int64_t *times_ns, size_t count, frequency_visitor visit, void *data)
{
	size_t next = 0;
	uint64_t bin = 0, end;
	int64_t begin_ns;

	if (count == 0) {
		return;
	}
	begin_ns = times_ns[0];
	if (count > 1) {
		begin_ns += (times_ns[1] - times_ns[0]) / 2;
	}
	end = times_ns[count - 1] < begin_ns ? 0 : (uint64_t)(times_ns[count - 1] - begin_ns) / NS_PER_S;
	while (next < count && times_ns[next] < begin_ns) {
		next++;
	}
	while (next < count) {
		uint64_t at = (uint64_t)(times_ns[next] - begin_ns) / NS_PER_S;
		size_t first = next;

		if (at >= end) {
			break;
		}
		visit_empty(bin, at, begin_ns, visit, data);
		while (next < count && (uint64_t)(times_ns[next] - begin_ns) / NS_PER_S == at) {
			next++;
		}
		visit(data, begin_ns + (int64_t)at * NS_PER_S, next - first);
		bin = at + 1;
	}
	visit_empty(MIN(bin, end), end, begin_ns, visit, data);
}
