/* SPDX-License-Identifier: MIT */
#include "core/output/text/text_rank.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/compare_numbers.h"
#include "core/output/text/text_cell.h"

static int compare_numbers(const struct cell *left, const struct cell *right)
{
	double difference = text_cell_number(right) - text_cell_number(left);

	return (difference > 0) - (difference < 0);
}

int text_ranks_compare(const struct text_rank *left, const struct text_rank *right)
{
	int order = compare_numbers(&left->before, &right->before);

	if (order != 0) {
		return order;
	}
	return left->value.type == CELL_TEXT && right->value.type == CELL_TEXT
		       ? strcmp(left->value.text, right->value.text)
		       : compare_numbers(&left->value, &right->value);
}

static int compare_rows(const void *a, const void *b)
{
	const struct text_ranked *left = a, *right = b;
	int order = text_ranks_compare(&left->rank, &right->rank);

	return order ? order : compare_unsigned(left->row, right->row);
}

void text_ranked_sort(struct text_ranked *rows, size_t count)
{
	if (count > 0) {
		qsort(rows, count, sizeof(*rows), compare_rows);
	}
}

bool text_ranked_fold(struct text_ranked *rows, size_t count, size_t limit)
{
	g_autoptr(GHashTable) shown = g_hash_table_new(g_str_hash, g_str_equal);
	g_autofree struct text_ranked *folded = g_new(struct text_ranked, count);
	size_t stay = 0, behind = 0;
	bool has_others = false;

	for (size_t i = 0; i < count; i++) {
		const char *name = rows[i].name;
		guint before = name ? GPOINTER_TO_UINT(g_hash_table_lookup(shown, name)) : 0;

		if (before >= TEXT_FOLD_SHOWN) {
			folded[behind++] = rows[i];
			continue;
		}
		if (name) {
			g_hash_table_insert(shown, (gpointer)name, GUINT_TO_POINTER(before + 1));
		}
		has_others |= stay < limit && i >= limit;
		rows[stay++] = rows[i];
	}
	for (size_t i = 0; i < behind; i++) {
		rows[stay + i] = folded[i];
	}
	return has_others;
}
