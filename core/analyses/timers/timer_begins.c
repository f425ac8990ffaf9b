/* SPDX-License-Identifier: MIT */
#include "core/analyses/timers/timer_begins.h"

void timer_begins_note(struct timer_begins *begins, uint32_t process, int64_t time_ns)
{
	uint32_t host = recording_process(begins->recording, process)->host;
	const int64_t none = INT64_MAX;
	int64_t *begin_ns;

	while (host >= begins->hosts->len) {
		g_array_append_val(begins->hosts, none);
	}
	begin_ns = &g_array_index(begins->hosts, int64_t, host);
	*begin_ns = MIN(*begin_ns, time_ns);
}

int64_t timer_begins_of(const struct timer_begins *begins, uint32_t process, int64_t any_ns)
{
	uint32_t host = recording_process(begins->recording, process)->host;
	int64_t own_ns = host < begins->hosts->len ? g_array_index(begins->hosts, int64_t, host) : INT64_MAX;

	for (guint i = 0; i < begins->hosts->len; i++) {
		if (g_array_index(begins->hosts, int64_t, i) < own_ns) {
			return own_ns;
		}
	}
	return MIN(own_ns, any_ns);
}
