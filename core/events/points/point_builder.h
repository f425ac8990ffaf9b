/* SPDX-License-Identifier: MIT */
/*
 * Builds the values of RECORD_POINT (point_events.h) for a reader, and keeps those of a batch of records.
 *
 *   point_builder_begin_batch()                   the blocks of the previous batch become invalid
 *     point_builder_start() → set values → point_builder_finish()      for each event
 *
 * Embedded: init and clear. Memory: the blocks of a batch; a reader ends the batch when point_builder_is_full().
 */
#ifndef ROS2BT_POINT_BUILDER_H
#define ROS2BT_POINT_BUILDER_H

#include <glib.h>

#include "core/events/points/point_events.h"
#include "ros2bt/events/event_record.h"

struct point_builder {
	GByteArray *block;  /* of the current event */
	GPtrArray *chunks;  /* owned: memory of the batch; the first one is kept for the next batch */
	size_t used;	    /* bytes of the last chunk */
	size_t batch_bytes; /* bytes of all chunks */
};

void point_builder_init(struct point_builder *builder);
void point_builder_clear(struct point_builder *builder);

void point_builder_begin_batch(struct point_builder *builder);
/* Whether the batch should end, because its blocks take much memory. */
bool point_builder_is_full(const struct point_builder *builder);

/* Begins an event with `count` values, all POINT_VALUE_NONE. */
void point_builder_start(struct point_builder *builder, size_t count);
/* These set value `index`. `label` may be NULL. */
void point_builder_set_integer(struct point_builder *builder, size_t index, bool is_signed, uint64_t number,
			       const char *label);
void point_builder_set_real(struct point_builder *builder, size_t index, double real);
/* The text ends at `length` or at its first NUL. */
void point_builder_set_text(struct point_builder *builder, size_t index, const char *text, size_t length);
/* All elements must be added before another value is set. */
void point_builder_set_list(struct point_builder *builder, size_t index, enum point_value_type element, uint64_t count);
void point_builder_add_element(struct point_builder *builder, uint64_t bits);
void point_builder_add_real_element(struct point_builder *builder, double real);

/* Turns the record into a RECORD_POINT of the event with these values. is_system: it is an event of a kernel. */
void point_builder_finish(struct point_builder *builder, size_t event, bool is_system, struct event_record *record);

#endif
