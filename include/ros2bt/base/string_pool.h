/* SPDX-License-Identifier: MIT */
/*
 * A pool of interned, immutable byte strings: equal contents have equal pointers, which are valid as long as the pool.
 * Every string is followed by a NUL and aligned to 8 bytes, so the pool also holds gids and lists of addresses. Cost:
 * O(length) per call; not for every event. Memory: each distinct string once.
 */
#ifndef ROS2BT_STRING_POOL_H
#define ROS2BT_STRING_POOL_H

#include <glib.h>
#include <stddef.h>

struct string_pool;

struct string_pool *string_pool_create(void);
void string_pool_destroy(struct string_pool *pool);

/* The pool's copy of a text, or of `size` bytes. */
const char *string_pool_intern(struct string_pool *pool, const char *text);
const void *string_pool_intern_bytes(struct string_pool *pool, const void *bytes, size_t size);

#endif
