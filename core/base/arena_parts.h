/* SPDX-License-Identifier: MIT */
/* Parts of objects that live as long as an arena, which frees them. */
#ifndef ROS2BT_ARENA_PARTS_H
#define ROS2BT_ARENA_PARTS_H

#include <glib.h>

#include "core/base/arena.h"
#include "core/base/object_pool.h"
#include "ros2bt/base/u64_map.h"

/* An array whose elements are zeroed where it grows by its size. */
static inline GArray *arena_array(struct arena *arena, size_t element_size)
{
	return arena_own(arena, g_array_new(FALSE, TRUE, (guint)element_size), (GDestroyNotify)g_array_unref);
}

static inline GPtrArray *arena_pointers(struct arena *arena)
{
	return arena_own(arena, g_ptr_array_new(), (GDestroyNotify)g_ptr_array_unref);
}

static inline void arena_free_string(gpointer string)
{
	g_string_free(string, TRUE);
}

static inline GString *arena_string(struct arena *arena)
{
	return arena_own(arena, g_string_new(NULL), arena_free_string);
}

/* Makes an embedded map. */
static inline void arena_map(struct arena *arena, struct u64_map *map)
{
	u64_map_init(map);
	arena_own(arena, map, (GDestroyNotify)u64_map_clear);
}

/* Makes an embedded pool. */
static inline void arena_pool(struct arena *arena, struct object_pool *pool, size_t object_size)
{
	object_pool_init(pool, object_size);
	arena_own(arena, pool, (GDestroyNotify)object_pool_clear);
}

#endif
