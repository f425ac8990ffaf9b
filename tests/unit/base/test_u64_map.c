/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <glib.h>

#include "ros2bt/base/u64_map.h"

Test(u64_map, behaves_like_a_hash_table_under_random_changes)
{
	struct u64_map map;
	g_autoptr(GHashTable) model = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	g_autoptr(GRand) random = g_rand_new_with_seed(1);

	u64_map_init(&map);
	for (int step = 0; step < 200000; step++) {
		/* Few keys, some of them far apart and some neighbours: collisions and runs. */
		uint64_t key = (uint64_t)g_rand_int_range(random, 0, 300) << (g_rand_boolean(random) ? 0 : 40);
		uint64_t value = g_rand_int(random);
		gpointer known = NULL;
		bool is_known = g_hash_table_lookup_extended(model, &key, NULL, &known);

		cr_assert_eq(u64_map_get(&map, key), is_known ? (uint64_t)(uintptr_t)known : U64_MAP_NONE);
		if (g_rand_int_range(random, 0, 3) == 0) {
			u64_map_count(&map, key, value);
			g_hash_table_insert(model, g_memdup2(&key, sizeof(key)),
					    (gpointer)(uintptr_t)((is_known ? (uint64_t)(uintptr_t)known : 0) + value));
		} else if (g_rand_boolean(random)) {
			u64_map_set(&map, key, value);
			g_hash_table_insert(model, g_memdup2(&key, sizeof(key)), (gpointer)(uintptr_t)value);
		} else {
			cr_assert_eq(u64_map_remove(&map, key), is_known ? (uint64_t)(uintptr_t)known : U64_MAP_NONE);
			g_hash_table_remove(model, &key);
		}
		cr_assert_eq(map.count, g_hash_table_size(model));
	}
	u64_map_clear(&map);
	cr_assert_eq(u64_map_get(&map, 0), U64_MAP_NONE);
}

Test(u64_map, iterates_over_every_entry_once)
{
	struct u64_map map;
	size_t position = 0;
	uint64_t key, value, sum = 0, count = 0;

	u64_map_init(&map);
	cr_assert_not(u64_map_next(&map, &position, &key, &value));
	for (uint64_t i = 0; i < 1000; i++) {
		u64_map_set(&map, i * 4096, i);
	}
	for (position = 0; u64_map_next(&map, &position, &key, &value); count++) {
		cr_assert_eq(key, value * 4096);
		sum += value;
	}
	cr_assert_eq(count, 1000);
	cr_assert_eq(sum, 999 * 1000 / 2);
	u64_map_clear(&map);
}
