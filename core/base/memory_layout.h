/* SPDX-License-Identifier: MIT */
/* Memory layout: the size of a cache line on common machines, what is soon changed, and rounding up to whole units. */
#ifndef ROS2BT_MEMORY_LAYOUT_H
#define ROS2BT_MEMORY_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

#define CACHE_LINE ((size_t)64)

/* Where a member lies if pointers have 64 bits. With shorter ones it is there, or before. */
#define ASSERT_OFFSET(type, member, bytes)                                                                             \
	_Static_assert(sizeof(void *) < sizeof(uint64_t) ? offsetof(type, member) <= (bytes)                           \
							 : offsetof(type, member) == (bytes),                          \
		       #member " is not where it should be")

static inline size_t round_up(size_t size, size_t unit)
{
	return (size + unit - 1) / unit * unit;
}

/*
 * Fetches the lines of an object into the cache. Nothing is read: any pointer is allowed. NULL is left out, because an
 * address that is not mapped is looked up in the tables of pages each time: 28 ns a line where it was measured.
 */
static inline __attribute__((always_inline)) void prefetch(const void *object, size_t size)
{
	uintptr_t address = (uintptr_t)object;

	if (!object) {
		return;
	}
#pragma GCC unroll 8
	for (size_t offset = 0; offset < size; offset += CACHE_LINE) {
		__builtin_prefetch((const void *)(address + offset), 1);
	}
}

/* The same for an array, whose size is no constant. */
static inline void prefetch_array(const void *first, size_t size)
{
	for (size_t offset = 0; offset < size; offset += CACHE_LINE) {
		__builtin_prefetch((const char *)first + offset, 1);
	}
}

#endif
