/* SPDX-License-Identifier: MIT */
/*
 * Memory for many small objects that live as long as the arena: aligned to cache lines, freed as a whole, and with it
 * what they refer to and the arena owns (arena_own(), arena_parts.h): such objects need no function that frees them. It
 * is allocated in huge pages where the system has them (Linux, transparent_hugepage "madvise" or "always"), because 512
 * ordinary pages cost many times as much as one huge page. Out of memory ends the program, as in GLib. Cost: O(1) per
 * call.
 */
#ifndef ROS2BT_ARENA_H
#define ROS2BT_ARENA_H

#include <stddef.h>

struct arena;

struct arena *arena_create(void);
void arena_destroy(struct arena *arena);

/* Frees an object with the arena, and before those that were given to it earlier. Returns the object. */
void *arena_own(struct arena *arena, void *object, void (*free_object)(void *object));

/* Zeroed memory. */
void *arena_take(struct arena *arena, size_t size);

/* Returns memory to the arena for reuse, also of blocks of half, a quarter or an eighth of its size; NULL is
 * allowed. */
void arena_give(struct arena *arena, void *bytes, size_t size);

/* Returns a larger block that begins with the `size` bytes, followed by zeros, and gives back the old one. */
void *arena_grow(struct arena *arena, void *bytes, size_t size, size_t new_size);

#endif
