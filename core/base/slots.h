/* SPDX-License-Identifier: MIT */
/*
 * Arrays by the index of an object, which grow with the indices: of pointers, NULL where an object has none, and of
 * structs, zeros where it has none.
 */
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

static inline GArray *array_with(GArray *array, uint32_t index)
{
	if (G_UNLIKELY(index >= array->len)) {
		g_array_set_size(array, index + 1);
	}
	return array;
}

/* The element of an index; valid until the next call. The array clears its elements. Amortized O(1). */
#define array_at(array, type, index) (&g_array_index(array_with(array, index), type, index))

#endif
