/* SPDX-License-Identifier: MIT */
#include "core/tables/row_store.h"

#include "core/base/arena_parts.h"

void row_store_init(struct row_store *store, const struct table_schema *schema, struct arena *arena)
{
	row_store_init_of_size(store, schema->row_size, arena);
	store->schema = schema;
	store->statistics = row_statistics(schema);
}

void row_store_init_of_size(struct row_store *store, size_t row_size, struct arena *arena)
{
	*store = (struct row_store){ .row_size = row_size, .arena = arena, .rows = arena_pointers(arena) };
	arena_map(arena, &store->by_key);
}

static void *make_row(const struct row_store *store)
{
	void *row = arena_take(store->arena, store->row_size);

	row_init_statistics(row, store->schema, store->statistics, store->is_brief, store->arena);
	return row;
}

void *row_store_add(struct row_store *store)
{
	void *row = make_row(store);

	g_ptr_array_add(store->rows, row);
	return row;
}

void *row_store_make_of(struct row_store *store, uint64_t key)
{
	void *row = row_store_add(store);

	u64_map_set_pointer(&store->by_key, key, row);
	return row;
}

void *row_store_make_at(struct row_store *store, uint32_t index)
{
	return *slot_at(store->rows, index) = make_row(store);
}
