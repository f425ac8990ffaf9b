/* SPDX-License-Identifier: MIT */
/*
 * The values of a field as names: the label of a value, else its text or number. Names have indices in order of
 * appearance. Memory: the first POINT_NAMES_MAX names; all others share one, POINT_NAMES_OTHERS. O(1); a text is
 * hashed.
 */
#ifndef ROS2BT_POINT_NAMES_H
#define ROS2BT_POINT_NAMES_H

#include <glib.h>

#include "core/events/points/point_events.h"
#include "ros2bt/events/recording.h"
#include "ros2bt/base/u64_map.h"

#define POINT_NAMES_MAX 1000
#define POINT_NAMES_OTHERS "(others)"
#define POINT_NAME_NONE UINT32_MAX

struct point_names {
	struct string_pool *pool; /* borrowed */
	GPtrArray *names;	  /* const char *, in the pool */
	GHashTable *by_text;	  /* name → index + 1 */
	struct u64_map by_number; /* number of a value → index, to be checked if the value has a label */
	bool has_others;
};

void point_names_init(struct point_names *names, struct recording *recording);

/* The index of a value's name, POINT_NAME_NONE if the value is neither a number nor a text. */
uint32_t point_names_find(struct point_names *names, const struct point_values *values,
			  const struct point_value *value);

static inline const char *point_names_at(const struct point_names *names, uint32_t index)
{
	return g_ptr_array_index(names->names, index);
}

#endif
