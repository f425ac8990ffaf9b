/* SPDX-License-Identifier: MIT */
/* When a stream of a recording was in a packet. Part of the recording. Times in ns. */
#ifndef ROS2BT_STREAM_PACKETS_H
#define ROS2BT_STREAM_PACKETS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The number of gaps between packets that are remembered: a reader reads a stream ahead to its next event, perhaps over
 * many packets without one.
 */
#define APARTS_KEPT 16

/* A time in which a stream was in no packet. */
struct apart {
	int64_t begin_ns, end_ns;
};

struct stream_packets {
	bool has_switches;		  /* of threads, by the metadata */
	bool has_definitions_only;	  /* by the metadata, too */
	struct apart aparts[APARTS_KEPT]; /* a ring: before the first packet, and between two that do not touch */
	unsigned int apart_count;	  /* so far; 0: no packet has been read */
	bool is_after;			  /* the last packet that was read has ended, at after_ns; none has followed */
	int64_t after_ns;
	int64_t begin_ns, end_ns; /* of all packets so far; INT64_MAX and INT64_MIN: none */
	uint64_t lost_before;	  /* packets that are missing before the first one */
	int64_t first_begin_ns;	  /* where that begins, known before it is read; INT64_MIN: not known */
};

void stream_packets_init(struct stream_packets *packets);
void stream_packets_begin(struct stream_packets *packets, int64_t time_ns);
void stream_packets_end(struct stream_packets *packets, int64_t time_ns);
/* Packets are missing between the last one and the next one: the stream counts as in one all that time. */
void stream_packets_lose(struct stream_packets *packets);

/* Narrows a time to the first part of it in which the stream was in no packet. False if there is none. */
bool stream_packets_narrow(const struct stream_packets *packets, struct apart *time);

#endif
