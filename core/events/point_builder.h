/* SPDX-License-Identifier: MIT */
/*
 * Where a reader puts the values of RECORD_POINT (point_events.h) together, and keeps those of a batch of records.
 *
 *   point_builder_begin_batch()                   the blocks of the batch before are gone
 *     point_builder_start() → add values → point_builder_finish()      for each event
 *
 * Memory: the blocks of a batch. A reader ends its batch where point_builder_is_full().
 */
#ifndef ROS2BT_POINT_BUILDER_H
#define ROS2BT_POINT_BUILDER_H

#include <glib.h>

#include "ros2bt/event_record.h"
#include "ros2bt/point_events.h"

struct point_builder {
	GByteArray *block;  /* of the event at hand */
	GPtrArray *chunks;  /* owned; of the batch: the first one is kept */
	size_t used;	    /* bytes of the last chunk */
	size_t batch_bytes; /* of all */
};

void point_builder_init(struct point_builder *builder);
void point_builder_clear(struct point_builder *builder);

void point_builder_begin_batch(struct point_builder *builder);
/* So much is in the batch that it should end here. */
bool point_builder_is_full(const struct point_builder *builder);

/* An event with so many values, none of which is known yet. */
void point_builder_start(struct point_builder *builder, size_t count);
/* Sets value `index`. `label` may be NULL. */
void point_builder_set_integer(struct point_builder *builder, size_t index, bool is_signed, uint64_t number,
			       const char *label);
void point_builder_set_real(struct point_builder *builder, size_t index, double real);
/* Up to its first NUL. */
void point_builder_set_text(struct point_builder *builder, size_t index, const char *text, size_t length);
/* Elements are added behind it, before anything else is set. */
void point_builder_set_list(struct point_builder *builder, size_t index, enum point_value_type element, uint64_t count);
void point_builder_add_element(struct point_builder *builder, uint64_t bits);
void point_builder_add_real_element(struct point_builder *builder, double real);

/* Gives the values to the record, which becomes a RECORD_POINT of the event. is_system: it is one of a kernel. */
void point_builder_finish(struct point_builder *builder, size_t event, bool is_system, struct event_record *record);

#endif
