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

/* Moves a row down to its place in a heap, the first row of which ranks before all others. */
static void sift_down(struct text_ranked *rows, size_t place, size_t count)
{
	struct text_ranked moved = rows[place];
	size_t child;

	while ((child = 2 * place + 1) < count) {
		child += child + 1 < count && compare_rows(&rows[child + 1], &rows[child]) < 0;
		if (compare_rows(&moved, &rows[child]) < 0) {
			break;
		}
		rows[place] = rows[child];
		place = child;
	}
	rows[place] = moved;
}

static struct text_ranked take_first(struct text_ranked *rows, size_t count)
{
	struct text_ranked first = rows[0];

	rows[0] = rows[count - 1];
	sift_down(rows, 0, count - 1);
	return first;
}

bool text_ranked_fold(struct text_ranked *rows, size_t count, size_t limit)
{
	g_autoptr(GHashTable) shown = g_hash_table_new(g_str_hash, g_str_equal);
	size_t first_count = MIN(limit, count), stay = 0, behind = 0;
	g_autofree struct text_ranked *first = g_new(struct text_ranked, first_count);
	g_autofree struct text_ranked *folded = g_new(struct text_ranked, first_count);
	bool has_others = false;

	for (size_t place = count / 2; place-- > 0;) {
		sift_down(rows, place, count);
	}
	for (size_t i = 0; i < count && stay < first_count; i++) {
		struct text_ranked row = take_first(rows, count - i);
		guint before = row.name ? GPOINTER_TO_UINT(g_hash_table_lookup(shown, row.name)) : 0;

		if (before < TEXT_FOLD_SHOWN) {
			first[stay++] = row;
			has_others |= i >= first_count;
		} else if (behind < first_count) {
			folded[behind++] = row;
		}
		if (row.name) {
			g_hash_table_insert(shown, (gpointer)row.name, GUINT_TO_POINTER(before + 1));
		}
	}
	for (size_t i = 0; i < first_count; i++) {
		rows[i] = i < stay ? first[i] : folded[i - stay];
	}
	return has_others;
}
