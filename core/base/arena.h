/* SPDX-License-Identifier: MIT */
/*
 * Memory for many small things that live as long as the arena: aligned to cache lines, given back as a whole. It comes
 * from the system in huge pages where the system has them (Linux, transparent_hugepage "madvise" or "always"), since
 * 512 ordinary pages cost many times as much as one of these. O(1).
 */
#ifndef ROS2BT_ARENA_H
#define ROS2BT_ARENA_H

#include <stddef.h>

struct arena;

struct arena *arena_create(void);
void arena_destroy(struct arena *arena);

/* Zeroed. */
void *arena_take(struct arena *arena, size_t size);

/* Lets what was taken be taken again; NULL of size 0 is allowed. */
void arena_give(struct arena *arena, void *bytes, size_t size);

/* Gives `bytes` for a larger place, with what is in them at its beginning and zeros behind. */
void *arena_grow(struct arena *arena, void *bytes, size_t size, size_t new_size);

#endif
