/* SPDX-License-Identifier: MIT */
#include "ros2bt/base/definition_set.h"

#include <glib.h>

#include "core/base/int128.h"
#include "ros2bt/base/string_pool.h"
#include "ros2bt/base/u64_map.h"

struct definition_set {
	struct string_pool *definitions; /* owned */
	struct u64_map first;		 /* the pool's definition → index of first_ns */
	GArray *first_ns;		 /* int64_t */
};

struct definition_set *definition_set_create(void)
{
	struct definition_set *set = g_new0(struct definition_set, 1);

	set->definitions = string_pool_create();
	u64_map_init(&set->first);
	set->first_ns = g_array_new(FALSE, FALSE, sizeof(int64_t));
	return set;
}

void definition_set_destroy(struct definition_set *set)
{
	if (!set) {
		return;
	}
	string_pool_destroy(set->definitions);
	u64_map_clear(&set->first);
	g_array_free(set->first_ns, TRUE);
	g_free(set);
}

static bool is_within(int64_t a_ns, int64_t b_ns, int64_t window_ns)
{
	int128 distance = (int128)a_ns - b_ns;

	return window_ns == INT64_MAX || (distance <= window_ns && distance >= -window_ns);
}

bool definition_set_add(struct definition_set *set, const void *definition, size_t size, int64_t time_ns,
			int64_t window_ns)
{
	uint64_t key = (uint64_t)(uintptr_t)string_pool_intern_bytes(set->definitions, definition, size);
	uint64_t index = u64_map_get(&set->first, key);
	int64_t *first_ns;

	if (index == U64_MAP_NONE) {
		u64_map_set(&set->first, key, set->first_ns->len);
		g_array_append_val(set->first_ns, time_ns);
		return true;
	}
	first_ns = &g_array_index(set->first_ns, int64_t, index);
	if (is_within(time_ns, *first_ns, window_ns)) {
		return false;
	}
	*first_ns = time_ns;
	return true;
}
