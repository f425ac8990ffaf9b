/* SPDX-License-Identifier: MIT */
/* Memory layout: the size of a cache line on common machines, and rounding up to whole units. */
#ifndef ROS2BT_MEMORY_LAYOUT_H
#define ROS2BT_MEMORY_LAYOUT_H

#include <stddef.h>

#define CACHE_LINE 64

static inline size_t round_up(size_t size, size_t unit)
{
	return (size + unit - 1) / unit * unit;
}

#endif
