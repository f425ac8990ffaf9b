/* SPDX-License-Identifier: MIT */
/*
 * Puts the records of a recording on the clock of the reference (core/base/clock_alignment.h), and in its order. For
 * readers that give them in the order in which the hosts' own clocks recorded them: a record waits until no host can
 * have an earlier one, so records wait for as long as the clocks differ. Records of one stream keep their order.
 *
 * Memory: what was recorded within the largest difference of two clocks, 64 bytes an event.
 */
#ifndef ROS2BT_RECORD_ALIGNMENT_H
#define ROS2BT_RECORD_ALIGNMENT_H

#include "core/base/clock_alignment.h"
#include "ros2bt/event_record.h"
#include "ros2bt/recording.h"

struct record_alignment;

/* Takes records in order, possibly none, borrowed during the call; false: it wants no more. */
typedef bool (*record_alignment_take)(const struct event_record *records, size_t count, void *data);

/* Both are borrowed. */
struct record_alignment *record_alignment_create(const struct recording *recording,
						 const struct clock_alignment *clocks, record_alignment_take take,
						 void *data);
void record_alignment_destroy(struct record_alignment *alignment); /* NULL is allowed; what waits is dropped */

/* Records in the order of the hosts' own clocks. What `take` said last. */
bool record_alignment_feed(struct record_alignment *alignment, const struct event_record *records, size_t count);
/* The end: gives what waits. */
bool record_alignment_finish(struct record_alignment *alignment);

/* The times that a record holds beside its own go to the reference's clock. */
void record_align_words(const struct clock_alignment *clocks, uint32_t host, struct event_record *record);

#endif
