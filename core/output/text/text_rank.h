/* SPDX-License-Identifier: MIT */
/*
 * What ranks a row, and which of many rows are listed: those that rank first; of those with the same name in the column
 * that folds a table (text_hints.folds), only the first few as long as there are others. Else what everybody receives
 * (/tf) would leave nothing else to see.
 */
#ifndef ROS2BT_TEXT_RANK_H
#define ROS2BT_TEXT_RANK_H

#include "core/tables/table.h"

#define TEXT_FOLD_SHOWN 3

/* The numbers of two cells (text_cell_number()), or the text of the second one. */
struct text_rank {
	double before, value;
	const char *text; /* borrowed; NULL: none */
};

/* Negative: `left` ranks first. The largest number does, texts in the order of a dictionary, empty cells last. */
int text_ranks_compare(const struct text_rank *left, const struct text_rank *right);

struct text_ranked {
	size_t row; /* its place in the order of the table */
	struct text_rank rank;
	const char *name; /* borrowed; by which it is folded, NULL: none */
};

/* Those that rank first come first, equal ones in the order of the table. */
void text_ranked_sort(struct text_ranked *rows, size_t count);

/*
 * Puts the first `limit` in front, with those that are folded behind the others; what follows is of no use. Returns
 * whether others are among them than those that rank first. O(count), and sorts those that are not folded.
 */
bool text_ranked_fold(struct text_ranked *rows, size_t count, size_t limit);

#endif
