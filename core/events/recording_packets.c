/* SPDX-License-Identifier: MIT */
#include "ros2bt/events/recording.h"

bool recording_has_packets(const struct recording *recording)
{
	for (size_t i = 0; i < recording_stream_count(recording); i++) {
		if (recording_stream_packets(recording, (uint16_t)i)->apart_count > 0) {
			return true;
		}
	}
	return false;
}

bool recording_find_off(const struct recording *recording, int64_t from_ns, int64_t to_ns, struct apart *off)
{
	struct common_aparts common = common_aparts_of(from_ns, to_ns);
	const struct apart *first = NULL;
	bool has_packets = false;

	for (size_t i = 0; common.count > 0 && i < recording_stream_count(recording); i++) {
		const struct stream_packets *packets = recording_stream_packets(recording, (uint16_t)i);

		if (!packets->has_definitions_only && packets->apart_count > 0) {
			has_packets = true;
			stream_packets_narrow(packets, &common);
		}
	}
	first = has_packets ? common_aparts_off(&common) : NULL;
	if (first) {
		*off = *first;
	}
	return first != NULL;
}

bool recording_was_off(const struct recording *recording, int64_t from_ns, int64_t to_ns)
{
	struct apart off;

	return recording_find_off(recording, from_ns, to_ns, &off);
}
