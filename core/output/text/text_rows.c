/* SPDX-License-Identifier: MIT */
#include "core/output/text/text_rows.h"

#include <math.h>
#include <string.h>

#include "core/output/hidden_row.h"
#include "core/output/text/text_cell.h"

bool text_table_is_sort_column(const struct text_table *table, const struct table_column *column)
{
	g_autofree char *without_ns = table->choice.sort ? column_name_without_ns(column) : NULL;

	return without_ns &&
	       (strcmp(table->choice.sort, column->name) == 0 || strcmp(table->choice.sort, without_ns) == 0);
}

/* Whether text_table_only_counts() looks at it. */
static bool is_judged(const struct text_table *table, size_t kept)
{
	const struct text_hints *hints = text_hints_of(text_table_column(table, kept));

	return hints->idle || hints->may_be_hidden;
}

static bool is_kept(const struct text_table *table, size_t index)
{
	const struct table_column *column = &table->schema->columns[index];
	const struct text_hints *hints = text_hints_of(column);

	return index == 0 || column->role != COLUMN_ROLE_HIDDEN || hints->idle || hints->may_be_hidden ||
	       hints->tells_apart || hints->ranks_before || text_table_is_sort_column(table, column);
}

/* The column that was asked for, else the first column whose largest value is marked. */
static size_t rank_column(const struct text_table *table)
{
	size_t rank = table->kept_count;

	for (size_t i = table->kept_count; i-- > 0;) {
		if (text_table_is_sort_column(table, text_table_column(table, i))) {
			return i;
		}
		if (text_hints_of(text_table_column(table, i))->marks_largest) {
			rank = i;
		}
	}
	return rank;
}

/* None if somebody asked for a column to sort by. */
static size_t rank_before_column(const struct text_table *table)
{
	size_t i = 0;

	while (i < table->kept_count && !text_hints_of(text_table_column(table, i))->ranks_before) {
		i++;
	}
	return table->choice.sort ? table->kept_count : i;
}

/* None if somebody asked for a number of rows, or a column to sort by. */
static size_t fold_column(const struct text_table *table)
{
	size_t i = 0;

	while (i < table->kept_count && !text_hints_of(text_table_column(table, i))->folds) {
		i++;
	}
	return table->choice.sort || table->choice.has_top ? table->kept_count : i;
}

struct text_table *text_table_create(const struct table_schema *schema, const struct row_choice *choice)
{
	struct text_table *table = g_new0(struct text_table, 1);

	table->schema = schema;
	table->choice = *choice;
	table->cells = g_array_new(FALSE, FALSE, sizeof(struct cell));
	table->texts = g_string_chunk_new(4096);
	table->kept = g_new(size_t, schema->column_count);
	for (size_t i = 0; i < schema->column_count; i++) {
		if (is_kept(table, i)) {
			table->kept[table->kept_count++] = i;
		}
	}
	table->shown = g_new(struct cell, table->kept_count);
	table->rank = rank_column(table);
	table->rank_before = rank_before_column(table);
	table->fold = fold_column(table);
	table->judged = g_new(size_t, table->kept_count);
	for (size_t i = 0; i < table->kept_count; i++) {
		if (is_judged(table, i)) {
			table->judged[table->judged_count++] = i;
		}
	}
	table->limit = table->last_left = SIZE_MAX;
	return table;
}

void text_table_destroy(struct text_table *table)
{
	if (!table) {
		return;
	}
	g_array_unref(table->cells);
	g_string_chunk_free(table->texts);
	g_free(table->kept);
	g_free(table->judged);
	g_free(table->shown);
	g_free(table);
}

/* The cell that text shows in a kept column. */
static struct cell shown_cell(const struct text_table *table, const struct cell *cells, size_t kept)
{
	const struct table_column *columns = table->schema->columns;
	size_t column = table->kept[kept];

	while (cells[column].type == CELL_EMPTY && text_hints_of(&columns[column])->next_if_empty) {
		column++;
	}
	if (cells[column].type == CELL_EMPTY && text_hints_of(&columns[column])->if_empty) {
		return cell_text(text_hints_of(&columns[column])->if_empty);
	}
	return cells[column];
}

static bool is_zero(const struct cell *cell)
{
	return cell->type == CELL_EMPTY || text_cell_number(cell) == 0;
}

static struct text_rank rank_of(struct cell before, struct cell value)
{
	return (struct text_rank){ text_cell_number(&before), text_cell_number(&value),
				   value.type == CELL_TEXT ? value.text : NULL };
}

struct text_rank text_table_rank(const struct text_table *table, const struct cell *cells)
{
	size_t count = table->kept_count;

	return rank_of(table->rank_before < count ? shown_cell(table, cells, table->rank_before) : CELL_NONE,
		       table->rank < count ? shown_cell(table, cells, table->rank) : CELL_NONE);
}

void text_table_rank_columns(const struct text_table *table, size_t columns[3])
{
	size_t count = 0;

	if (table->rank < table->kept_count) {
		columns[count++] = table->kept[table->rank];
	}
	if (table->rank_before < table->kept_count) {
		columns[count++] = table->kept[table->rank_before];
	}
	columns[count] = SIZE_MAX;
}

bool text_table_only_counts(struct text_table *table, const struct cell *cells)
{
	bool is_idle = false, is_used = false, is_hidden = false;

	for (size_t i = 0; i < table->judged_count; i++) {
		size_t kept = table->judged[i];
		const struct table_column *column = text_table_column(table, kept);
		struct cell *shown = &table->shown[kept];

		*shown = shown_cell(table, cells, kept);
		if (text_hints_of(column)->idle) {
			is_idle |= is_zero(shown);
			is_used |= !is_zero(shown);
		}
		is_hidden = is_hidden || column_hides_row(column, shown, cells);
	}
	is_idle &= !is_used;
	if (table->choice.shows_hidden || !(is_idle || is_hidden)) {
		return false;
	}
	table->idle += is_idle;
	table->hidden += !is_idle;
	return true;
}

/* These rows, in their order. To be freed. */
static struct text_ranked *ranked_rows(const struct text_table *table, const size_t *rows, size_t count)
{
	struct text_ranked *ranked = g_new(struct text_ranked, count);

	for (size_t i = 0; i < count; i++) {
		const struct cell *cells = text_table_cells(table, rows[i]);
		bool has_name = table->fold < table->kept_count && cells[table->fold].type == CELL_TEXT;
		struct cell before = table->rank_before < table->kept_count ? cells[table->rank_before] : CELL_NONE;
		struct cell value = table->rank < table->kept_count ? cells[table->rank] : CELL_NONE;

		ranked[i] = (struct text_ranked){ rows[i], rank_of(before, value),
						  has_name ? cells[table->fold].text : NULL };
	}
	return ranked;
}

/* Whether as many rows as may be listed come before it. */
static bool is_beyond(struct text_table *table, const struct cell *cells)
{
	struct text_rank rank;

	if (table->last_left == SIZE_MAX) {
		return false;
	}
	rank = text_table_rank(table, cells);
	if (text_ranks_compare(&rank, &table->last) != 0) {
		return false;
	}
	if (table->last_left == 0) {
		return true;
	}
	table->last_left--;
	return false;
}

bool text_table_add(struct text_table *table, const struct cell *cells)
{
	struct cell *shown = table->shown;

	if (text_table_only_counts(table, cells)) {
		return false;
	}
	if (is_beyond(table, cells)) {
		table->dropped++;
		return false;
	}
	for (size_t i = 0; i < table->kept_count; i++) {
		shown[i] = shown_cell(table, cells, i);
		if (shown[i].type == CELL_TEXT) {
			shown[i].text = g_string_chunk_insert_const(table->texts, shown[i].text);
		}
	}
	g_array_append_vals(table->cells, shown, (guint)table->kept_count);
	table->row_count++;
	return true;
}

const struct cell *text_table_cells(const struct text_table *table, size_t row)
{
	return &g_array_index(table->cells, struct cell, row * table->kept_count);
}

const struct table_column *text_table_column(const struct text_table *table, size_t kept)
{
	return &table->schema->columns[table->kept[kept]];
}

bool text_table_has_groups(const struct text_table *table)
{
	for (size_t i = 0; i < table->schema->column_count; i++) {
		if (table->schema->columns[i].role == COLUMN_ROLE_GROUP) {
			return true;
		}
	}
	return false;
}

bool text_rows_are_of_one_group(const struct text_table *table, size_t left, size_t right)
{
	for (size_t i = 0; i < table->kept_count; i++) {
		if (text_table_column(table, i)->role == COLUMN_ROLE_GROUP &&
		    !text_cells_equal(&text_table_cells(table, left)[i], &text_table_cells(table, right)[i])) {
			return false;
		}
	}
	return true;
}

static void take_ranked(struct text_selection *selection, const struct text_ranked *ranked, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		selection->rows[i] = ranked[i].row;
	}
}

void text_selection_rank(struct text_selection *selection, const struct text_table *table)
{
	if (table->rank < table->kept_count) {
		g_autofree struct text_ranked *ranked = ranked_rows(table, selection->rows, selection->count);

		text_ranked_sort(ranked, selection->count);
		take_ranked(selection, ranked, selection->count);
	}
	selection->is_ranked = true;
}

void text_selection_init(struct text_selection *selection, const struct text_table *table)
{
	*selection = (struct text_selection){
		.rows = g_new(size_t, table->row_count),
		.count = table->row_count,
		.left_out = table->dropped,
		.is_folded = table->is_folded,
	};
	for (size_t row = 0; row < table->row_count; row++) {
		selection->rows[row] = row;
	}
	if (!text_table_has_groups(table) ||
	    (table->rank < table->kept_count &&
	     text_table_is_sort_column(table, text_table_column(table, table->rank)))) {
		text_selection_rank(selection, table);
	}
}

void text_selection_clear(struct text_selection *selection)
{
	g_free(selection->rows);
}

void text_selection_cut(struct text_selection *selection, const struct text_table *table, size_t count)
{
	if (count < selection->count) {
		if (table->fold < table->kept_count) {
			g_autofree struct text_ranked *ranked = ranked_rows(table, selection->rows, selection->count);

			selection->is_folded |= text_ranked_fold(ranked, selection->count, count);
			text_ranked_sort(ranked, count);
			take_ranked(selection, ranked, count);
		}
		selection->left_out += selection->count - count;
		selection->count = count;
	}
}
