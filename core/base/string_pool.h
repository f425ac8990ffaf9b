/* SPDX-License-Identifier: MIT */
/*
 * A pool of interned, immutable byte strings: equal contents give equal pointers, which stay valid until the pool is
 * destroyed. Append-only. Every string is followed by a NUL and starts at an address that is a multiple of 8,
 * so gids and address lists can live here too. O(length) per call; not for the hot path.
 */
#ifndef ROS2BT_STRING_POOL_H
#define ROS2BT_STRING_POOL_H

#include <glib.h>
#include <stddef.h>

struct string_pool;

struct string_pool *string_pool_create(void);
void string_pool_destroy(struct string_pool *pool);

/* The pool's copy of text / of `size` bytes. */
const char *string_pool_intern(struct string_pool *pool, const char *text);
const void *string_pool_intern_bytes(struct string_pool *pool, const void *bytes, size_t size);

#endif
