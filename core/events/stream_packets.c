/* SPDX-License-Identifier: MIT */
#include "core/events/stream_packets.h"

#include <glib.h>

void stream_packets_init(struct stream_packets *packets)
{
	*packets = (struct stream_packets){ .begin_ns = INT64_MAX, .end_ns = INT64_MIN };
}

void stream_packets_begin(struct stream_packets *packets, int64_t time_ns)
{
	if (packets->apart_count == 0) {
		packets->aparts[packets->apart_count++].begin_ns = INT64_MIN;
		packets->begin_ns = time_ns;
	}
	packets->aparts[(packets->apart_count - 1) % APARTS_KEPT].end_ns = time_ns;
}

void stream_packets_end(struct stream_packets *packets, int64_t time_ns)
{
	packets->aparts[packets->apart_count++ % APARTS_KEPT] = (struct apart){ time_ns, INT64_MAX };
	packets->end_ns = MAX(packets->end_ns, time_ns);
}

bool stream_packets_narrow(const struct stream_packets *packets, struct apart *time)
{
	unsigned int kept = MIN(packets->apart_count, APARTS_KEPT);

	if (packets->apart_count == 0) {
		return true; /* the stream has not begun */
	}
	for (unsigned int i = packets->apart_count - kept; i < packets->apart_count; i++) {
		const struct apart *apart = &packets->aparts[i % APARTS_KEPT];
		struct apart common = { MAX(time->begin_ns, apart->begin_ns), MIN(time->end_ns, apart->end_ns) };

		if (common.begin_ns < common.end_ns) {
			*time = common;
			return true;
		}
	}
	return false;
}
