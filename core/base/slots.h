/* SPDX-License-Identifier: MIT */
/* Arrays of pointers by the index of an object, which grow with the indices; NULL where an object has none. */
#ifndef ROS2BT_SLOTS_H
#define ROS2BT_SLOTS_H

#include <glib.h>
#include <stdint.h>

/* The slot of an index; valid until the next call. Amortized O(1). */
static inline gpointer *slot_at(GPtrArray *slots, uint32_t index)
{
	if (G_UNLIKELY(index >= slots->len)) {
		g_ptr_array_set_size(slots, (gint)index + 1);
	}
	return &slots->pdata[index];
}

/* What is in the slot of an index; NULL beyond the array, which stays as it is. */
static inline gpointer slot_get(const GPtrArray *slots, uint32_t index)
{
	return index < slots->len ? slots->pdata[index] : NULL;
}

#endif
