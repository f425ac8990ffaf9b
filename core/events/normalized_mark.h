/* SPDX-License-Identifier: MIT */
/*
 * The mark that filter.ros2.normalize leaves in the specific context of the events that it changes or adds: an
 * enumeration of this name. Readers ignore a timestamp that the filter inferred or did not find, so that the report of
 * a trace is the same with and without the filter.
 */
#ifndef ROS2BT_NORMALIZED_MARK_H
#define ROS2BT_NORMALIZED_MARK_H

#include <stdbool.h>
#include <stdint.h>

#define NORMALIZED_MARK "normalized"

enum normalized_how {
	NORMALIZED_KEPT,      /* the event as it is; not marked */
	NORMALIZED_CHANGED,   /* the event in today's layout */
	NORMALIZED_SUPPLIED,  /* an event that the trace implies */
	NORMALIZED_INFERRED,  /* the event in today's layout, with a timestamp inferred from the take */
	NORMALIZED_UNSTAMPED, /* the event in today's layout, with a timestamp of -1: it is unknown */
	NORMALIZED_HOW_COUNT,
};

/* Whether the timestamp of an event with this mark is not that of the publication. */
static inline bool normalized_mark_lacks_timestamp(uint64_t mark)
{
	return mark == NORMALIZED_INFERRED || mark == NORMALIZED_UNSTAMPED;
}

#endif
