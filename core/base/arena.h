/* SPDX-License-Identifier: MIT */
/*
 * Memory for many small objects that live as long as the arena: aligned to cache lines, freed as a whole, and with it
 * what they refer to and the arena owns (arena_own(), arena_parts.h): such objects need no function that frees them. It
 * is allocated in huge pages where the system has them (Linux, transparent_hugepage "madvise" or "always"), because 512
 * ordinary pages cost many times as much as one huge page. Out of memory ends the program, as in GLib. Cost: O(1) per
 * call.
 *
 * An arena may be of a recording that goes on for days, whose memory somebody watches. It grows page by page then,
 * which become huge ones when 512 are full; and who takes memory from it, and knows that more will be needed if the
 * recording is long, takes that at once.
 */
#ifndef ROS2BT_ARENA_H
#define ROS2BT_ARENA_H

#include <stdbool.h>
#include <stddef.h>

struct arena;

struct arena *arena_create(void);
void arena_destroy(struct arena *arena);

/* It is of a recording that goes on. What was taken before stays as it is. */
void arena_set_lasting(struct arena *arena);
bool arena_is_lasting(const struct arena *arena);

/* Frees an object with the arena, and before those that were given to it earlier. Returns the object. */
void *arena_own(struct arena *arena, void *object, void (*free_object)(void *object));

/* Zeroed memory. */
void *arena_take(struct arena *arena, size_t size);

/* The same for many small objects that are never given back: one behind the other, at a multiple of 8. */
void *arena_take_packed(struct arena *arena, size_t size);

/* Takes room for a copy of the bytes. NULL of NULL. */
void *arena_copy(struct arena *arena, const void *bytes, size_t size);

/* Returns memory to the arena for reuse, also of blocks of half, a quarter or an eighth of its size; NULL is
 * allowed. */
void arena_give(struct arena *arena, void *bytes, size_t size);

/* Returns a larger block that begins with the `size` bytes, followed by zeros, and gives back the old one. */
void *arena_grow(struct arena *arena, void *bytes, size_t size, size_t new_size);

#endif
