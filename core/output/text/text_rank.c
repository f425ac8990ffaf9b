/* SPDX-License-Identifier: MIT */
#include "core/output/text/text_rank.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/compare_numbers.h"

static int compare_numbers(double left, double right)
{
	return (right > left) - (right < left);
}

int text_ranks_compare(const struct text_rank *left, const struct text_rank *right)
{
	int order = compare_numbers(left->before, right->before);

	if (order != 0) {
		return order;
	}
	return left->text && right->text ? strcmp(left->text, right->text) : compare_numbers(left->value, right->value);
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

/* Where the rows of a name are that rank first so far. */
struct shown {
	size_t places[TEXT_FOLD_SHOWN];
	size_t count;
	size_t last; /* once there are TEXT_FOLD_SHOWN: the place of the one that ranks last */
};

static struct shown *shown_of(GHashTable *by_name, const char *name)
{
	struct shown *shown = g_hash_table_lookup(by_name, name);

	if (!shown) {
		shown = g_new0(struct shown, 1);
		g_hash_table_insert(by_name, (gpointer)name, shown);
	}
	return shown;
}

static size_t last_place(const struct shown *shown, const struct text_ranked *rows)
{
	size_t last = shown->places[0];

	for (size_t i = 1; i < shown->count; i++) {
		last = compare_rows(&rows[shown->places[i]], &rows[last]) > 0 ? shown->places[i] : last;
	}
	return last;
}

/* Puts those that are not folded in front, in any order. Returns how many they are. */
static size_t part(struct text_ranked *rows, size_t count)
{
	g_autoptr(GHashTable) by_name = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
	struct shown *shown = NULL;
	const char *name = NULL; /* of `shown`: rows of a name often follow one another */
	size_t stay = 0;

	for (size_t i = 0; i < count; i++) {
		struct text_ranked row = rows[i];
		size_t place;
		bool is_full;

		if (row.name != name) {
			name = row.name;
			shown = name ? shown_of(by_name, name) : NULL;
		}
		is_full = shown && shown->count == TEXT_FOLD_SHOWN;
		place = is_full ? shown->last : stay++;
		if (is_full && compare_rows(&rows[place], &row) < 0) {
			continue;
		}
		if (shown && !is_full) {
			shown->places[shown->count++] = place;
		}
		rows[i] = rows[place];
		rows[place] = row;
		if (shown && shown->count == TEXT_FOLD_SHOWN) {
			shown->last = last_place(shown, rows);
		}
	}
	return stay;
}

bool text_ranked_fold(struct text_ranked *rows, size_t count, size_t limit)
{
	size_t stay = part(rows, count);
	bool has_others = false;

	text_ranked_sort(rows, stay);
	if (stay < limit) {
		text_ranked_sort(&rows[stay], count - stay);
	}
	for (size_t i = limit; i < count && MIN(stay, limit) > 0; i++) {
		has_others |= compare_rows(&rows[i], &rows[MIN(stay, limit) - 1]) < 0;
	}
	return has_others;
}
