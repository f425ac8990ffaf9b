/* SPDX-License-Identifier: MIT */
/* When a stream of a recording was in a packet. Part of the recording. Times in ns. */
#ifndef ROS2BT_STREAM_PACKETS_H
#define ROS2BT_STREAM_PACKETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;

/*
 * The number of gaps between packets that are remembered: a reader reads a stream ahead by a batch of records, each of
 * which may be in a packet of its own, and then to its next event, perhaps over many packets without one.
 */
#define APARTS_KEPT 2048
#define APARTS_COMMON 64 /* a limit of cost; the rest of what streams have in common counts as recorded */

/*
 * A time in which a stream, or each of several, was in no packet that was read. Before its first packet and after its
 * last one, a stream says nothing about whether tracing was on: its program may not have run.
 */
struct apart {
	int64_t begin_ns, end_ns;
	bool has_stopped; /* of one of them, packets follow, and nothing is missing: tracing was off */
	bool has_lost;	  /* of one of them, packets or events are missing: tracing may have been on, too */
};

struct stream_packets {
	bool has_switches;	   /* of threads, by the metadata */
	bool has_definitions_only; /* by the metadata, too */
	struct apart *aparts;	   /* in the arena: before the first packet, and between two that do not touch */
	unsigned int apart_room;   /* of these; once it is APARTS_KEPT, a ring */
	unsigned int apart_count;  /* so far; 0: no packet has been read */
	bool is_after;		   /* the last packet that was read has ended, at after_ns; none has followed */
	bool has_lost;		   /* after it, packets are missing */
	bool has_more;		   /* another one follows, although it has not been read */
	int64_t after_ns;
	int64_t begin_ns, end_ns; /* of all packets so far; INT64_MAX and INT64_MIN: none */
	uint64_t lost_before;	  /* packets that are missing before the first one */
	int64_t first_begin_ns;	  /* where that begins, known before it is read; INT64_MIN: not known */
};

void stream_packets_init(struct stream_packets *packets);
void stream_packets_begin(struct stream_packets *packets, struct arena *arena, int64_t time_ns);
void stream_packets_end(struct stream_packets *packets, int64_t time_ns);
/* Packets are missing between the last one and the next one, or events up to the end of the next one. */
void stream_packets_lose(struct stream_packets *packets);

/* Parts of a time in which none of the streams that were asked was in a packet. */
struct common_aparts {
	struct apart parts[APARTS_COMMON];
	size_t count;
};

static inline struct common_aparts common_aparts_of(int64_t from_ns, int64_t to_ns)
{
	return (struct common_aparts){ .parts = { { .begin_ns = from_ns, .end_ns = to_ns } }, .count = 1 };
}

/* Narrows them to those in which the stream was in no packet, either. O(parts x gaps since the first of them begins).
 */
void stream_packets_narrow(const struct stream_packets *packets, struct common_aparts *common);

/* The first part in which tracing was off: one stream shows it, or none has lost packets then. NULL: there is none. */
const struct apart *common_aparts_off(const struct common_aparts *common);

#endif
