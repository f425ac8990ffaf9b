/* SPDX-License-Identifier: MIT */
#include "core/output/page/page_columns.h"

#include <string.h>

#include "core/output/json_writer.h"
#include "core/output/page/page_rows.h"
#include "ros2bt/output/output_stream.h"

#define CHUNK_SIZE 65536

/* The cells of all rows, as JSON. */
struct cell_texts {
	GStringChunk *chunk;
	GPtrArray *texts; /* const char, in the chunk: row by row */
	size_t column_count;
};

/* The length of a cell, up to the comma after it or the end of its row. */
static size_t length_of_cell(const char *cell)
{
	size_t length = 0;

	if (cell[0] != '"') {
		return strcspn(cell, ",]");
	}
	do {
		length += cell[length] == '\\' ? 2 : 1;
	} while (cell[length] != '"');
	return length + 1;
}

static void add_row(struct cell_texts *cells, const char *row)
{
	const char *cell = row + 1; /* after the bracket */

	for (size_t i = 0; i < cells->column_count; i++) {
		size_t length;

		cell += strspn(cell, ", ");
		length = length_of_cell(cell);
		g_ptr_array_add(cells->texts, g_string_chunk_insert_len(cells->chunk, cell, (gssize)length));
		cell += length;
	}
}

static void read_rows(struct cell_texts *cells, struct output_stream *spool, const struct page_rows *chosen)
{
	g_autoptr(GString) line = g_string_new(NULL);

	output_stream_rewind(spool);
	output_stream_read_line(spool, line); /* an empty one: a line break comes before each row */
	for (uint64_t number = 0; output_stream_read_line(spool, line); number++) {
		if (page_rows_keep(chosen, number)) {
			add_row(cells, line->str);
		}
	}
}

/* --- columns --- */

static size_t row_count(const struct cell_texts *cells)
{
	return cells->texts->len / cells->column_count;
}

static const char *cell_at(const struct cell_texts *cells, size_t row, size_t column)
{
	return g_ptr_array_index(cells->texts, row * cells->column_count + column);
}

static bool is_null(const char *cell)
{
	return cell[0] == 'n';
}

static bool has_only_texts(const struct cell_texts *cells, size_t column)
{
	bool has_any = false;

	for (size_t i = 0; i < row_count(cells); i++) {
		const char *cell = cell_at(cells, i, column);

		if (cell[0] != '"' && !is_null(cell)) {
			return false;
		}
		has_any = has_any || cell[0] == '"';
	}
	return has_any;
}

static bool has_only_ids(const struct cell_texts *cells, size_t column)
{
	for (size_t i = 0; i < row_count(cells); i++) {
		const char *cell = cell_at(cells, i, column);

		if (!g_ascii_isdigit(cell[0]) || strlen(cell) > 15) { /* differences of larger ones might overflow */
			return false;
		}
	}
	return true;
}

static void write_values(struct json_writer *json, const struct cell_texts *cells, size_t column)
{
	json_writer_begin_array(json);
	for (size_t i = 0; i < row_count(cells); i++) {
		json_writer_formed(json, cell_at(cells, i, column));
	}
	json_writer_end_array(json);
}

static void write_texts(struct json_writer *json, const struct cell_texts *cells, size_t column)
{
	g_autoptr(GHashTable) places = g_hash_table_new(g_str_hash, g_str_equal);

	json_writer_begin_object(json);
	json_writer_member_array(json, "texts");
	for (size_t i = 0; i < row_count(cells); i++) {
		const char *cell = cell_at(cells, i, column);

		if (!is_null(cell) && !g_hash_table_contains(places, cell)) {
			g_hash_table_insert(places, (char *)cell, GUINT_TO_POINTER(g_hash_table_size(places)));
			json_writer_formed(json, cell);
		}
	}
	json_writer_end_array(json);
	json_writer_member_array(json, "which");
	for (size_t i = 0; i < row_count(cells); i++) {
		const char *cell = cell_at(cells, i, column);

		if (is_null(cell)) {
			json_writer_null(json);
		} else {
			json_writer_unsigned(json, GPOINTER_TO_UINT(g_hash_table_lookup(places, cell)));
		}
	}
	json_writer_end_array(json);
	json_writer_end_object(json);
}

static void write_steps(struct json_writer *json, const struct cell_texts *cells, size_t column)
{
	int64_t last = 0;

	json_writer_begin_object(json);
	json_writer_member_array(json, "steps");
	for (size_t i = 0; i < row_count(cells); i++) {
		int64_t id = g_ascii_strtoll(cell_at(cells, i, column), NULL, 10);

		json_writer_integer(json, id - last);
		last = id;
	}
	json_writer_end_array(json);
	json_writer_end_object(json);
}

void page_columns_write(struct json_writer *json, const struct table_schema *schema, struct output_stream *spool,
			const struct page_rows *chosen)
{
	struct cell_texts cells = { g_string_chunk_new(CHUNK_SIZE), g_ptr_array_new(), schema->column_count };

	read_rows(&cells, spool, chosen);
	json_writer_begin_array(json);
	for (size_t i = 0; i < schema->column_count; i++) {
		json_writer_line_break(json);
		if (schema->columns[i].id_of && has_only_ids(&cells, i)) {
			write_steps(json, &cells, i);
		} else if (has_only_texts(&cells, i)) {
			write_texts(json, &cells, i);
		} else {
			write_values(json, &cells, i);
		}
	}
	json_writer_end_array(json);
	g_string_chunk_free(cells.chunk);
	g_ptr_array_unref(cells.texts);
}
