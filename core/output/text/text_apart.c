/* SPDX-License-Identifier: MIT */
#include "core/output/text/text_apart.h"

#include "core/output/text/text_cell.h"
#include "core/tables/row_key.h"

/* What rows are compared by while they are told apart. */
struct comparison {
	struct text_apart *apart;
	const struct text_table *table; /* borrowed, like the next two */
	const struct text_selection *selection;
	const bool *is_shown;
	GArray *columns; /* size_t, kept columns that tell apart and are not shown, by rank */
};

static unsigned int rank_of(const struct text_table *table, size_t kept)
{
	return text_hints_of(text_table_column(table, kept))->tells_apart;
}

/* Whether the first column is an id. */
static bool has_id(const struct text_table *table)
{
	return text_table_column(table, 0)->id_of != NULL;
}

static bool has_names(const struct text_table *table)
{
	for (size_t i = 0; i < table->schema->column_count; i++) {
		if (table->schema->columns[i].merge == COLUMN_MERGE_KEY) {
			return true;
		}
	}
	return false;
}

static const struct cell *cell_of(const struct comparison *comparison, size_t row, size_t kept)
{
	return &text_table_cells(comparison->table, comparison->selection->rows[row])[kept];
}

/* What the row looks like in these columns (size_t); to be freed. */
static char *look_of(const struct comparison *comparison, size_t row, const GArray *columns)
{
	GString *look = g_string_sized_new(64);

	for (guint i = 0; i < columns->len; i++) {
		row_key_append_text(look, cell_of(comparison, row, g_array_index(columns, size_t, i)));
		row_key_append(look, "");
	}
	return g_string_free(look, FALSE);
}

static bool is_look(const struct text_table *table, size_t kept, bool has_keys)
{
	const struct table_column *column = text_table_column(table, kept);

	return (has_keys ? column->merge == COLUMN_MERGE_KEY : column->format == COLUMN_NAME) ||
	       rank_of(table, kept) > 0;
}

/* The rows by a text of each, in the order of the first ones: a list of lists of rows (size_t). */
static GPtrArray *rows_by_text(GPtrArray *texts, const GArray *rows)
{
	g_autoptr(GHashTable) by_text = g_hash_table_new(g_str_hash, g_str_equal);
	GPtrArray *lists = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);

	for (guint i = 0; i < rows->len; i++) {
		GArray *list = g_hash_table_lookup(by_text, texts->pdata[i]);

		if (!list) {
			list = g_array_new(FALSE, FALSE, sizeof(size_t));
			g_hash_table_insert(by_text, texts->pdata[i], list);
			g_ptr_array_add(lists, list);
		}
		g_array_append_val(list, g_array_index(rows, size_t, i));
	}
	return lists;
}

static void mark(struct comparison *comparison, const GArray *rows, size_t kept)
{
	struct text_apart *apart = comparison->apart;

	if (!apart->is_needed) {
		apart->is_needed = g_new0(bool, comparison->selection->count * apart->kept_count);
		apart->is_needed_in_any = g_new0(bool, apart->kept_count);
	}
	apart->is_needed_in_any[kept] = true;
	for (guint i = 0; i < rows->len; i++) {
		apart->is_needed[g_array_index(rows, size_t, i) * apart->kept_count + kept] = true;
	}
}

/* The rows look the same; the columns from `next` on have not been tried. As deep as there are columns. */
static void tell_apart(struct comparison *comparison, const GArray *rows, guint next)
{
	g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GPtrArray) lists = NULL;
	size_t kept;

	if (rows->len < 2 || next == comparison->columns->len) {
		return;
	}
	kept = g_array_index(comparison->columns, size_t, next);
	for (guint i = 0; i < rows->len; i++) {
		GString *text = g_string_new(NULL);

		row_key_append_text(text, cell_of(comparison, g_array_index(rows, size_t, i), kept));
		g_ptr_array_add(texts, g_string_free(text, FALSE));
	}
	lists = rows_by_text(texts, rows);
	if (lists->len > 1) {
		mark(comparison, rows, kept);
	}
	for (guint i = 0; i < lists->len; i++) {
		tell_apart(comparison, lists->pdata[i], next + 1);
	}
}

static void add_columns_of_rank(struct comparison *comparison, unsigned int rank)
{
	for (size_t i = 0; i < comparison->apart->kept_count; i++) {
		if (!comparison->is_shown[i] && rank_of(comparison->table, i) == rank) {
			g_array_append_val(comparison->columns, i);
		}
	}
}

void text_apart_init(struct text_apart *apart, const struct text_table *table, const struct text_selection *selection,
		     const bool *is_shown)
{
	const size_t id = 0;
	bool has_keys = has_names(table);
	g_autoptr(GArray) columns = g_array_new(FALSE, FALSE, sizeof(size_t));
	g_autoptr(GArray) look_columns = g_array_new(FALSE, FALSE, sizeof(size_t));
	g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(size_t));
	g_autoptr(GPtrArray) looks = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GPtrArray) lists = NULL;
	struct comparison comparison = { apart, table, selection, is_shown, columns };

	*apart = (struct text_apart){ .kept_count = table->kept_count };
	for (unsigned int rank = TELLS_APART_HOST; rank <= TELLS_APART_WHICH; rank++) {
		add_columns_of_rank(&comparison, rank);
	}
	if (has_keys && has_id(table) && !table_is_below(table->schema)) {
		g_array_append_val(columns, id);
	}
	if (columns->len == 0) {
		return;
	}
	for (size_t i = 0; i < table->kept_count; i++) {
		if (is_shown[i] && is_look(table, i, has_keys)) {
			g_array_append_val(look_columns, i);
		}
	}
	for (size_t row = 0; row < selection->count; row++) {
		g_array_append_val(rows, row);
		g_ptr_array_add(looks, look_of(&comparison, row, look_columns));
	}
	lists = rows_by_text(looks, rows);
	for (guint i = 0; i < lists->len; i++) {
		tell_apart(&comparison, lists->pdata[i], 0);
	}
}

void text_apart_clear(struct text_apart *apart)
{
	g_free(apart->is_needed);
	g_free(apart->is_needed_in_any);
}
