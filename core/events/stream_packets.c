/* SPDX-License-Identifier: MIT */
#include "core/events/stream_packets.h"

#include <glib.h>

void stream_packets_init(struct stream_packets *packets)
{
	*packets = (struct stream_packets){ .begin_ns = INT64_MAX, .end_ns = INT64_MIN, .first_begin_ns = INT64_MIN };
}

void stream_packets_begin(struct stream_packets *packets, int64_t time_ns)
{
	if (packets->apart_count == 0) {
		packets->aparts[packets->apart_count++] = (struct apart){ INT64_MIN, time_ns };
		packets->begin_ns = time_ns;
	} else if (packets->is_after && packets->after_ns < time_ns) {
		packets->aparts[packets->apart_count++ % APARTS_KEPT] = (struct apart){ packets->after_ns, time_ns };
	}
	packets->is_after = false;
}

void stream_packets_end(struct stream_packets *packets, int64_t time_ns)
{
	packets->is_after = true;
	packets->after_ns = time_ns;
	packets->end_ns = MAX(packets->end_ns, time_ns);
}

void stream_packets_lose(struct stream_packets *packets)
{
	packets->is_after = false;
}

/* Narrows the time to what it has in common with another one. False, and unchanged, if there is nothing. */
static bool narrow_to(struct apart *time, const struct apart *other)
{
	struct apart common = { MAX(time->begin_ns, other->begin_ns), MIN(time->end_ns, other->end_ns) };

	if (common.begin_ns >= common.end_ns) {
		return false;
	}
	*time = common;
	return true;
}

bool stream_packets_narrow(const struct stream_packets *packets, struct apart *time)
{
	unsigned int kept = MIN(packets->apart_count, APARTS_KEPT);

	if (packets->apart_count == 0) {
		return true; /* the stream has not begun */
	}
	for (unsigned int i = packets->apart_count - kept; i < packets->apart_count; i++) {
		if (narrow_to(time, &packets->aparts[i % APARTS_KEPT])) {
			return true;
		}
	}
	return packets->is_after && narrow_to(time, &(struct apart){ packets->after_ns, INT64_MAX });
}
