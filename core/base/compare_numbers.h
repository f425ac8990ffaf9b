/* SPDX-License-Identifier: MIT */
/* The order of numbers, for functions that compare rows: less than 0, 0, or more than 0. */
#ifndef ROS2BT_COMPARE_NUMBERS_H
#define ROS2BT_COMPARE_NUMBERS_H

#include <stdint.h>

static inline int compare_integers(int64_t left, int64_t right)
{
	return (left > right) - (left < right);
}

static inline int compare_unsigned(uint64_t left, uint64_t right)
{
	return (left > right) - (left < right);
}

/* The order of times in an array, for qsort() and g_array_sort(). */
static inline int compare_times(const void *a, const void *b)
{
	return compare_integers(*(const int64_t *)a, *(const int64_t *)b);
}

#endif
