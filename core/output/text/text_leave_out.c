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

static bool is_judged(const struct row_list *rows, size_t column)
{
	const struct table_column *columns = rows->schema->columns;
	const struct text_hints *hints = text_hints_of(&columns[column]);

	return hints->folds || hints->ranks_before || hints->marks_largest ||
	       columns[column].format == COLUMN_STATISTIC ||
	       (!rows->is_sifted && (hints->idle || hints->may_be_hidden)) ||
	       (column > 0 && text_hints_of(&columns[column - 1])->next_if_empty);
}

/* The columns that say whether a row is only counted, how it ranks, and by what name it is folded. */
struct judged_columns {
	size_t columns[ROW_COLUMNS_MAX];
	size_t count;
	size_t ranks[3]; /* text_table_rank_columns() */
};

static void find_judged(struct judged_columns *judged, const struct text_table *table,
			const struct statistics_columns *columns, const struct row_list *rows)
{
	bool needs_all = !rows->is_sifted && has_mixed_names(rows->schema);

	judged->count = 0;
	text_table_rank_columns(table, judged->ranks);
	for (size_t i = 0; i < rows->schema->column_count; i++) {
		if ((needs_all || is_judged(rows, i)) && statistics_columns_needs(columns, i, judged->ranks)) {
			judged->columns[judged->count++] = i;
		}
	}
}

/* The cells of a row, as far as they are judged. */
static const struct cell *judged_cells(struct statistics_columns *columns, const struct table_schema *schema,
				       const struct judged_columns *judged, const void *row)
{
	const struct cell *cells = NULL;

	for (size_t i = 0; i < judged->count; i++) {
		struct cell cell = row_cell(&schema->columns[judged->columns[i]].source, row);

		cells = statistics_columns_put(columns, judged->columns[i], &cell, judged->ranks);
	}
	return cells;
}

/* The same of a table that folds rows, for which all have to be ranked. */
static void leave_out_folded(struct text_table *table, struct statistics_columns *columns, struct row_list *rows,
			     const struct judged_columns *judged)
{
	guint count = row_list_count(rows), stay = 0, kept = 0;
	g_autofree struct text_ranked *ranked = g_new(struct text_ranked, count);
	g_autofree bool *is_first = g_new0(bool, count);

	for (guint i = 0; i < count; i++) {
		const struct cell *cells = judged_cells(columns, rows->schema, judged, row_list_at(rows, i));
		const struct cell *name = &cells[table->kept[table->fold]];

		if (rows->is_sifted || !text_table_only_counts(table, cells)) {
			ranked[stay] = (struct text_ranked){ stay, text_table_rank(table, cells),
							     name->type == CELL_TEXT ? name->text : NULL };
			row_list_put(rows, stay++, row_list_at(rows, i));
		}
	}
	if (stay > table->limit) {
		table->is_folded |= text_ranked_fold(ranked, stay, table->limit);
		table->dropped += stay - table->limit;
	}
	for (guint i = 0; i < MIN(stay, table->limit); i++) {
		is_first[ranked[i].row] = true;
	}
	for (guint i = 0; i < stay; i++) {
		if (is_first[i]) {
			row_list_put(rows, kept++, row_list_at(rows, i));
		}
	}
	row_list_cut(rows, kept);
}

void text_leave_out(struct text_table *table, struct statistics_columns *columns, struct row_list *rows)
{
	guint count = row_list_count(rows), stay = 0, kept = 0;
	struct first_ranks first = { .limit = (guint)MIN(table->limit, count) };
	g_autofree struct text_rank *ranks = NULL;
	struct judged_columns judged;

	if (first.limit == count) {
		return;
	}
	find_judged(&judged, table, columns, rows);
	if (table->fold < table->kept_count) {
		leave_out_folded(table, columns, rows, &judged);
		return;
	}
	ranks = g_new(struct text_rank, count);
	first.ranks = g_array_new(FALSE, FALSE, sizeof(struct text_rank));
	for (guint i = 0; i < count; i++) {
		void *row = row_list_at(rows, i);
		const struct cell *cells = judged_cells(columns, rows->schema, &judged, row);

		if (!rows->is_sifted && text_table_only_counts(table, cells)) {
			continue;
		}
		ranks[stay] = text_table_rank(table, cells);
		if (is_behind(&first, &ranks[stay])) {
			table->dropped++;
			continue;
		}
		add_rank(&first, &ranks[stay]);
		row_list_put(rows, stay++, row);
	}
	keep_first(&first);
	table->last = first.last;
	table->last_left = first.has_last ? first.limit : SIZE_MAX;
	for (guint i = 0; i < stay; i++) {
		if (is_behind(&first, &ranks[i])) {
			table->dropped++;
		} else {
			table->last_left -= first.has_last && text_ranks_compare(&ranks[i], &first.last) < 0;
			row_list_put(rows, kept++, row_list_at(rows, i));
		}
	}
	row_list_cut(rows, kept);
	g_array_unref(first.ranks);
}
