/* SPDX-License-Identifier: MIT */
#include "ros2bt/recording.h"

bool recording_has_packets(const struct recording *recording)
{
	for (size_t i = 0; i < recording_stream_count(recording); i++) {
		if (recording_stream_packets(recording, (uint16_t)i)->apart_count > 0) {
			return true;
		}
	}
	return false;
}

bool recording_was_off(const struct recording *recording, int64_t from_ns, int64_t to_ns)
{
	struct apart time = { from_ns, to_ns };
	bool has_packets = false;

	for (size_t i = 0; i < recording_stream_count(recording); i++) {
		const struct stream_packets *packets = recording_stream_packets(recording, (uint16_t)i);

		if (!packets->has_definitions_only && !stream_packets_narrow(packets, &time)) {
			return false;
		}
		has_packets |= !packets->has_definitions_only && packets->apart_count > 0;
	}
	return has_packets;
}
