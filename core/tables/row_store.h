/* SPDX-License-Identifier: MIT */
/*
 * The rows of a table while the recording is read: made when they are first asked for, by an index or by a key, with
 * zeros in all members and distributions ready for samples. They are in an arena and stay where they are.
 *
 * Embedded in what lives as long as the arena: init. Cost: O(1) for a row. Memory: the rows, and a word for each index
 * or entry of the map.
 */
#ifndef ROS2BT_ROW_STORE_H
#define ROS2BT_ROW_STORE_H

#include "core/base/slots.h"
#include "core/tables/row.h"
#include "ros2bt/base/u64_map.h"

struct row_store {
	const struct table_schema *schema; /* NULL: rows are not written as they are, and have no distributions */
	uint64_t statistics;		   /* row_statistics() */
	bool is_brief;			   /* as table_writer.is_brief; false at first */
	size_t row_size;
	struct arena *arena;
	GPtrArray *rows; /* by index, NULL: none; or in the order in which they were made */
	struct u64_map by_key;
};

/* Both are borrowed. */
void row_store_init(struct row_store *store, const struct table_schema *schema, struct arena *arena);
/* Rows of a size, of no table. */
void row_store_init_of_size(struct row_store *store, size_t row_size, struct arena *arena);

/* A new row, after all others. */
void *row_store_add(struct row_store *store);
/* Makes the row of a key. */
void *row_store_make_of(struct row_store *store, uint64_t key);

/* The row of a key (an interned name, a handle). Not in a store that has rows by index. */
static inline void *row_store_of(struct row_store *store, uint64_t key)
{
	void *row = u64_map_get_pointer(&store->by_key, key);

	return G_LIKELY(row != NULL) ? row : row_store_make_of(store, key);
}

/* Makes the row of an index. */
void *row_store_make_at(struct row_store *store, uint32_t index);

/* The row of an index, such as that of a callback or a thread. */
static inline void *row_store_at(struct row_store *store, uint32_t index)
{
	void *row = slot_get(store->rows, index);

	return G_LIKELY(row != NULL) ? row : row_store_make_at(store, index);
}

#endif
