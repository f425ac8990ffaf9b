/* SPDX-License-Identifier: MIT */
#include "core/reports/compare/row_pairs.h"

#include <string.h>

/* A row by its key and its names without periods. */
struct keyed_row {
	const char *key, *timeless; /* borrowed */
	bool is_on[2];
};

static void add_rows(GHashTable *rows, const GPtrArray *recordings, int side)
{
	for (guint i = 0; i < recordings->len; i++) {
		GHashTableIter iterator;
		gpointer key, value;

		g_hash_table_iter_init(&iterator, block_series_rows(g_ptr_array_index(recordings, i)));
		while (g_hash_table_iter_next(&iterator, &key, &value)) {
			struct keyed_row *row = g_hash_table_lookup(rows, key);

			if (!row) {
				row = g_new0(struct keyed_row, 1);
				row->key = key;
				row->timeless = ((const struct block_row *)value)->timeless_key;
				g_hash_table_insert(rows, key, row);
			}
			row->is_on[side] = true;
		}
	}
}

/* The rows of one side that are alike but for a period. */
struct alike {
	const char *key[2]; /* the last one of a side */
	guint count[2];
};

/* By their names without periods: the rows that only one side has. */
static GHashTable *find_alike(GHashTable *rows)
{
	GHashTable *all = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
	GHashTableIter iterator;
	gpointer value;

	g_hash_table_iter_init(&iterator, rows);
	while (g_hash_table_iter_next(&iterator, NULL, &value)) {
		const struct keyed_row *row = value;
		int side = row->is_on[1];
		struct alike *alike;

		if (!row->timeless || (row->is_on[0] && row->is_on[1])) {
			continue;
		}
		alike = g_hash_table_lookup(all, row->timeless);
		if (!alike) {
			alike = g_new0(struct alike, 1);
			g_hash_table_insert(all, (gpointer)row->timeless, alike);
		}
		alike->key[side] = row->key;
		alike->count[side]++;
	}
	return all;
}

static const char *partner_of(GHashTable *all_alike, const struct keyed_row *row, int side)
{
	const struct alike *alike = row->timeless ? g_hash_table_lookup(all_alike, row->timeless) : NULL;

	return alike && alike->count[0] == 1 && alike->count[1] == 1 ? alike->key[side] : NULL;
}

static gint compare_pairs(gconstpointer a, gconstpointer b)
{
	const struct row_pair *left = a, *right = b;

	return strcmp(left->base ? left->base : left->changed, right->base ? right->base : right->changed);
}

GArray *row_pairs_find(const GPtrArray *base, const GPtrArray *changed)
{
	g_autoptr(GHashTable) rows = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
	g_autoptr(GHashTable) alike = NULL;
	GArray *pairs = g_array_new(FALSE, FALSE, sizeof(struct row_pair));
	GHashTableIter iterator;
	gpointer value;

	add_rows(rows, base, 0);
	add_rows(rows, changed, 1);
	alike = find_alike(rows);
	g_hash_table_iter_init(&iterator, rows);
	while (g_hash_table_iter_next(&iterator, NULL, &value)) {
		const struct keyed_row *row = value;
		struct row_pair pair = { row->is_on[0] ? row->key : NULL, row->is_on[1] ? row->key : NULL };

		if (!pair.base && partner_of(alike, row, 0)) {
			continue; /* it is in the pair of the other one */
		}
		pair.changed = pair.changed ? pair.changed : partner_of(alike, row, 1);
		g_array_append_val(pairs, pair);
	}
	g_array_sort(pairs, compare_pairs);
	return pairs;
}
