/* SPDX-License-Identifier: MIT */
#include "core/output/text/text_leave_out.h"

#include "core/output/text/text_cell.h"
#include "core/tables/statistics_columns.h"

/* The ranks that come first so far. */
struct first_ranks {
	GArray *ranks; /* struct text_rank, in any order */
	guint limit;
	bool has_last;
	struct text_rank last; /* of `limit` rows: those behind it are left out */
};

static bool is_behind(const struct first_ranks *first, const struct text_rank *rank)
{
	return first->has_last && text_ranks_compare(&first->last, rank) < 0;
}

static gint compare_ranks(gconstpointer left, gconstpointer right)
{
	return text_ranks_compare(left, right);
}

static void keep_first(struct first_ranks *first)
{
	if (first->ranks->len >= first->limit) {
		g_array_sort(first->ranks, compare_ranks);
		g_array_set_size(first->ranks, first->limit);
		first->last = g_array_index(first->ranks, struct text_rank, first->limit - 1);
		first->has_last = true;
	}
}

/* The row is not behind. */
static void add_rank(struct first_ranks *first, const struct text_rank *rank)
{
	if (!first->has_last || text_ranks_compare(&first->last, rank) != 0) {
		g_array_append_vals(first->ranks, rank, 1);
	}
	if (first->ranks->len / 2 >= first->limit) {
		keep_first(first);
	}
}

/* Whether one of its columns looks at others, too. */
static bool has_mixed_names(const struct table_schema *schema)
{
	bool has_any = false;

	for (size_t i = 0; i < schema->column_count; i++) {
		has_any |= text_hints_of(&schema->columns[i])->is_name != NULL;
	}
	return has_any;
}

/* Whether text_table_only_counts() may look at a column. */
static bool is_judged(const struct table_schema *schema, size_t column)
{
	const struct text_hints *hints = text_hints_of(&schema->columns[column]);

	return hints->idle || hints->may_be_hidden || hints->ranks_before || hints->marks_largest ||
	       schema->columns[column].format == COLUMN_STATISTIC ||
	       (column > 0 && text_hints_of(&schema->columns[column - 1])->next_if_empty);
}

/* The others are empty. */
static const struct cell *judged_cells(const struct table_schema *schema, const bool *is_needed, const void *row,
				       struct cell *cells)
{
	for (size_t i = 0; i < schema->column_count; i++) {
		if (is_needed[i]) {
			cells[i] = row_cell(&schema->columns[i].source, row);
		}
	}
	return cells;
}

void text_leave_out(struct text_table *table, struct statistics_columns *columns, struct row_list *rows)
{
	const struct table_schema *schema = rows->schema;
	guint count = row_list_count(rows), stay = 0, kept = 0;
	struct first_ranks first = { .limit = (guint)MIN(table->limit, count) };
	g_autofree struct text_rank *ranks = NULL;
	struct cell cells[ROW_COLUMNS_MAX] = { 0 };
	bool is_needed[ROW_COLUMNS_MAX], needs_all = has_mixed_names(schema);
	size_t rank_columns[3];

	if (first.limit == count) {
		return;
	}
	text_table_rank_columns(table, rank_columns);
	for (size_t i = 0; i < schema->column_count; i++) {
		is_needed[i] = needs_all || is_judged(schema, i);
	}
	ranks = g_new(struct text_rank, count);
	first.ranks = g_array_new(FALSE, FALSE, sizeof(struct text_rank));
	for (guint i = 0; i < count; i++) {
		const struct cell *judged = judged_cells(schema, is_needed, row_list_at(rows, i), cells);

		if (text_table_only_counts(table, statistics_columns_some(columns, judged, rank_columns))) {
			continue;
		}
		ranks[stay] = text_table_rank(table);
		if (is_behind(&first, &ranks[stay])) {
			table->dropped++;
			continue;
		}
		add_rank(&first, &ranks[stay]);
		row_list_put(rows, stay++, row_list_at(rows, i));
	}
	keep_first(&first);
	for (guint i = 0; i < stay; i++) {
		if (is_behind(&first, &ranks[i])) {
			table->dropped++;
		} else {
			row_list_put(rows, kept++, row_list_at(rows, i));
		}
	}
	row_list_cut(rows, kept);
	g_array_unref(first.ranks);
}
