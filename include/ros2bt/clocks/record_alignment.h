/* SPDX-License-Identifier: MIT */
/*
 * Converts the records of a recording to the clock of the reference (core/clocks/clock_alignment.h), and puts them in
 * order of that clock. Input is in order of the hosts' own clocks, as readers give it. A record waits until no host can
 * have an earlier one, which takes as long as the clocks differ. Records of one stream keep their order.
 *
 * Cost: O(hosts) per record. Memory: 64 bytes for each record within the largest difference of two clocks.
 */
#ifndef ROS2BT_RECORD_ALIGNMENT_H
#define ROS2BT_RECORD_ALIGNMENT_H

#include "core/clocks/clock_alignment.h"
#include "ros2bt/events/event_record.h"
#include "ros2bt/events/recording.h"

struct record_alignment;

/* Takes records in order, borrowed during the call; false to get no more. */
typedef bool (*record_alignment_take)(const struct event_record *records, size_t count, void *data);

/* The recording and the clocks are borrowed. */
struct record_alignment *record_alignment_create(const struct recording *recording,
						 const struct clock_alignment *clocks, record_alignment_take take,
						 void *data);
void record_alignment_destroy(struct record_alignment *alignment); /* NULL is allowed; what waits is dropped */

/* Takes records in order of the hosts' own clocks. Returns the last answer of `take`. */
bool record_alignment_feed(struct record_alignment *alignment, const struct event_record *records, size_t count);
/* The end of the recording: gives all waiting records. Returns the last answer of `take`. */
bool record_alignment_finish(struct record_alignment *alignment);

/* Converts the times in the words of a record to the reference's clock. */
void record_align_words(const struct clock_alignment *clocks, uint32_t host, struct event_record *record);

#endif
