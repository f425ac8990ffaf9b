/* SPDX-License-Identifier: MIT */
/*
 * The clocks of all hosts of a recording, relative to the clock of one of them, the reference. Each host refers to
 * another one with which it exchanges messages (its parent), up to the reference. A host that no message connects with
 * others is a reference itself, and its times do not change.
 *
 * Hosts are indexes as in recording.h, which are the same each time a recording is read. Times are in ns.
 */
#ifndef ROS2BT_CLOCK_ALIGNMENT_H
#define ROS2BT_CLOCK_ALIGNMENT_H

#include "core/clocks/clock_relation.h"

#define CLOCK_REFERENCE UINT32_MAX

struct aligned_host {
	uint32_t parent;		 /* the host it refers to; CLOCK_REFERENCE: it is a reference */
	struct clock_relation *relation; /* owned: to the clock of the parent; NULL for a reference */
};

struct clock_alignment {
	GArray *hosts; /* struct aligned_host, by index */
};

/* All hosts are references at first. Hosts with an index of host_count or more are always references. */
struct clock_alignment *clock_alignment_create(size_t host_count);
void clock_alignment_destroy(struct clock_alignment *alignment); /* NULL is allowed */

/* Sets the parent of a host, and takes ownership of the relation. */
void clock_alignment_refer(struct clock_alignment *alignment, uint32_t host, uint32_t parent,
			   struct clock_relation *relation);

const struct aligned_host *clock_alignment_host(const struct clock_alignment *alignment, uint32_t host);

uint32_t clock_alignment_reference(const struct clock_alignment *alignment, uint32_t host);

/* Converts a time of a host to a time of its reference. O(hosts in between). */
int64_t clock_alignment_to_reference(const struct clock_alignment *alignment, uint32_t host, int64_t time_ns);

/* Clock of the host minus clock of its reference, at a time of the reference. */
int64_t clock_alignment_offset(const struct clock_alignment *alignment, uint32_t host, int64_t reference_ns);

/*
 * The largest error of the time between events of two hosts: the sum of the uncertainties on the way from one to the
 * other. 0 for the same host; CLOCK_UNKNOWN_NS if one of them is unknown, or no way connects the hosts.
 */
int64_t clock_alignment_uncertainty(const struct clock_alignment *alignment, uint32_t one, uint32_t other);

#endif
