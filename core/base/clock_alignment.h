/* SPDX-License-Identifier: MIT */
/*
 * The clocks of all hosts of a recording on that of one of them, the reference: each host refers to another one that it
 * exchanges messages with, up to the reference. Hosts that no message connects are references of their own, and their
 * times stay as they are.
 *
 * Hosts are indexes as in recording.h: readers give them in the same order each time they read a recording.
 */
#ifndef ROS2BT_CLOCK_ALIGNMENT_H
#define ROS2BT_CLOCK_ALIGNMENT_H

#include "core/base/clock_relation.h"

#define CLOCK_REFERENCE UINT32_MAX

struct aligned_host {
	uint32_t parent;		 /* the host it refers to; CLOCK_REFERENCE: it is a reference */
	struct clock_relation *relation; /* owned: its clock beside that of the parent; NULL of a reference */
};

struct clock_alignment {
	GArray *hosts; /* struct aligned_host, by index */
};

/* Of references; hosts->len may be less than there are hosts in the recording: the others are references, too. */
struct clock_alignment *clock_alignment_create(size_t host_count);
void clock_alignment_destroy(struct clock_alignment *alignment); /* NULL is allowed */

/* Takes the relation. */
void clock_alignment_refer(struct clock_alignment *alignment, uint32_t host, uint32_t parent,
			   struct clock_relation *relation);

const struct aligned_host *clock_alignment_host(const struct clock_alignment *alignment, uint32_t host);

uint32_t clock_alignment_reference(const struct clock_alignment *alignment, uint32_t host);

/* Time of the host to time of its reference. O(hosts in between). */
int64_t clock_alignment_to_reference(const struct clock_alignment *alignment, uint32_t host, int64_t time_ns);

/* Host - reference, at a time of the reference. */
int64_t clock_alignment_offset(const struct clock_alignment *alignment, uint32_t host, int64_t reference_ns);

/*
 * By how much the time between events of two hosts may be off: the uncertainties on the way from one to the other
 * together. 0 for the same host; CLOCK_UNKNOWN_NS if it is not known.
 */
int64_t clock_alignment_uncertainty(const struct clock_alignment *alignment, uint32_t one, uint32_t other);

#endif
