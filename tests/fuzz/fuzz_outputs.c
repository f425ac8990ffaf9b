/* SPDX-License-Identifier: MIT */
/*
 * libFuzzer: reports of tables with arbitrary names of columns and cells. A strict parser must accept the JSON, and a
 * reader of RFC 4180 must split the CSV into cells, with all cells as they were given (bytes that are not UTF-8
 * replaced); the data in a page must equal the JSON output; a database must hold the cells. Any other output of the
 * list must write whole files, and valid UTF-8 unless it is binary.
 */
#include <glib/gstdio.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <unistd.h>
#include <zlib.h>

#ifdef HAVE_SQLITE
#include <sqlite3.h>
#endif

#include "drawings.h"
#include "fuzz_input.h"
#include "core/output/outputs.h"
#include "ros2bt/output/report.h"
#include "core/tables/table.h"

#define TABLES_MAX 3
#define COLUMNS_MAX 6
#define ROWS_MAX 12

struct fuzz_table {
	struct table_schema schema;
	struct table_column columns[COLUMNS_MAX];
	struct text_hints hints[COLUMNS_MAX];
	size_t row_count;
	struct cell cells[ROWS_MAX][COLUMNS_MAX];
};

struct fuzz_tables {
	GStringChunk *texts;
	char *directory; /* owned */
	size_t count;
	struct fuzz_table table[TABLES_MAX];
};

static const char *const table_names[TABLES_MAX] = { "first", "second", "third" };

/* What to make of the bytes */

static const char *keep(struct fuzz_tables *tables, char *text)
{
	const char *kept = g_string_chunk_insert(tables->texts, text);

	g_free(text);
	return kept;
}

static const char *any_text(struct fuzz_tables *tables, struct fuzz_input *input)
{
	return keep(tables, fuzz_input_text(input));
}

/* Texts for people come from the code, never from a trace: they are UTF-8, and not empty. */
static const char *any_label(struct fuzz_tables *tables, struct fuzz_input *input)
{
	g_autofree char *text = fuzz_input_text(input);
	g_autofree char *valid = g_utf8_make_valid(text, -1);

	return keep(tables, g_strconcat("L", valid, NULL));
}

static struct cell any_cell(struct fuzz_tables *tables, struct fuzz_input *input)
{
	uint64_t word;
	double real;

	switch (fuzz_input_byte(input) % 8) {
	case 0:
		return CELL_NONE;
	case 1:
		return cell_integer((int64_t)fuzz_input_word(input));
	case 2:
		return cell_unsigned(fuzz_input_word(input));
	case 3:
		word = fuzz_input_word(input);
		memcpy(&real, &word, sizeof(real));
		return cell_real(real);
	case 4:
		return cell_address(fuzz_input_word(input));
	case 5:
		return cell_integer((int8_t)fuzz_input_byte(input));
	default:
		return cell_text(any_text(tables, input));
	}
}

/*
 * Names of columns are unique in a table because of the number at the end. A column may mean anything, whatever its
 * cells are, several columns may mean the same, and what a table of this subject has may not be there. Columns of any
 * table but the first may say that they are ids of the first table's rows.
 */
static void any_column(struct fuzz_tables *tables, struct fuzz_input *input, struct table_column *column,
		       struct text_hints *hints, size_t number, size_t number_of_table)
{
	uint8_t bits = fuzz_input_byte(input), meaning = fuzz_input_byte(input);
	g_autofree char *name = fuzz_input_text(input);

	*column = (struct table_column){
		.name = keep(tables, g_strdup_printf("%s%zu", name, number)),
		.label = any_label(tables, input),
		.format = (bits >> 2) % (COLUMN_NAME + 1),
		.role = (bits >> 5) % (COLUMN_ROLE_HIDDEN + 1),
		.means = meaning % (MEANS_DEVIATION + 1),
		.side = meaning / (MEANS_DEVIATION + 1) % (SIDE_RECEIVER + 1),
		.id_of = number_of_table > 0 && bits & 1 ? table_names[0] : NULL,
		.hints = hints,
	};
	*hints = (struct text_hints){
		.heading = bits & 2 ? any_label(tables, input) : NULL,
		.marks_largest = (bits & 0x14) == 0x14,
		.idle = (bits & 0x11) == 0x11 ? "never ran" : NULL,
	};
}

static void any_table(struct fuzz_tables *tables, struct fuzz_input *input, size_t number)
{
	struct fuzz_table *table = &tables->table[number];
	uint8_t bits = fuzz_input_byte(input);
	bool is_below = number > 0 && bits & 2;

	table->schema = (struct table_schema){
		.name = table_names[number],
		.title = any_label(tables, input),
		.selection = "callbacks",
		.subject = fuzz_input_byte(input) % (SUBJECT_GAPS + 1),
		.kind = bits & 1   ? KIND_INSTANCES
			: is_below ? KIND_DETAIL
				   : KIND_MAIN,
		.parent = !(bits & 1) && is_below ? table_names[number - 1] : NULL,
		.columns = table->columns,
		.column_count = 1 + (bits >> 2) % COLUMNS_MAX,
	};
	for (size_t i = 0; i < table->schema.column_count; i++) {
		any_column(tables, input, &table->columns[i], &table->hints[i], i, number);
		/* not of the last column */
		table->hints[i].next_if_empty = bits & 0x80 && i + 1 < table->schema.column_count;
	}
	table->row_count = fuzz_input_byte(input) % (ROWS_MAX + 1);
	for (size_t row = 0; row < table->row_count; row++) {
		for (size_t i = 0; i < table->schema.column_count; i++) {
			table->cells[row][i] = any_cell(tables, input);
		}
	}
}

static void make_tables(struct fuzz_tables *tables, struct fuzz_input *input)
{
	tables->texts = g_string_chunk_new(4096);
	tables->directory = g_strdup_printf("%s/fuzz-outputs-%d", g_get_tmp_dir(), getpid());
	tables->count = 1 + fuzz_input_byte(input) % TABLES_MAX;
	for (size_t i = 0; i < tables->count; i++) {
		any_table(tables, input, i);
	}
}

/* Writing: the rows of the tables in turn, as analyses do */

static void write_rows(const struct fuzz_tables *tables, bool takes_all, struct table_output *output)
{
	struct table_writer *writers[TABLES_MAX];

	for (size_t i = 0; i < tables->count; i++) {
		writers[i] = output->open(output, &tables->table[i].schema);
		FUZZ_MUST(writers[i] || !takes_all, "table %zu was asked for", i);
	}
	for (size_t row = 0; row < ROWS_MAX; row++) {
		for (size_t i = 0; i < tables->count; i++) {
			if (row < tables->table[i].row_count) {
				table_row(writers[i], tables->table[i].cells[row]);
			}
		}
	}
}

/* `takes_all`: the output writes every table. */
static void write_report(const struct fuzz_tables *tables, const struct output_class *format, bool takes_all,
			 const char *hostname)
{
	const struct report_options options = { .format = format,
						.directory = tables->directory,
						.has_instances = true };
	const struct report_trace trace = {
		.hostnames = &hostname, .hostname_count = 1, .trace_count = 1, .has_runtime_events = true, .end_ns = 1
	};
	g_autoptr(GError) error = NULL;
	struct report *report = report_create(&options, &error);

	FUZZ_MUST(report, "%s", error->message);
	write_rows(tables, takes_all, report_tables(report));
	FUZZ_MUST(report_check(report, &error), "%s", error->message);
	FUZZ_MUST(report_finish(report, &trace, &error), "%s", error->message);
	report_destroy(report);
}

/* What was written; the file is gone afterwards. */
static char *read_bytes(const struct fuzz_tables *tables, const char *name, gsize *size)
{
	g_autofree char *path = g_build_filename(tables->directory, name, NULL);
	char *bytes = NULL;

	FUZZ_MUST(g_file_get_contents(path, &bytes, size, NULL), "%s was written", path);
	(void)g_unlink(path);
	return bytes;
}

static char *read_file(const struct fuzz_tables *tables, const char *name, gsize *size)
{
	char *text = read_bytes(tables, name, size);

	FUZZ_MUST(g_utf8_validate(text, (gssize)*size, NULL), "%s is UTF-8: %s", name, text);
	return text;
}

/* What a text must have become. */
static char *valid_text(const char *text)
{
	GString *valid = g_string_new(NULL);

	while (*text) {
		gunichar character = g_utf8_get_char_validated(text, -1);

		if (character == (gunichar)-1 || character == (gunichar)-2) {
			g_string_append(valid, "\xEF\xBF\xBD");
			text++;
		} else {
			g_string_append_unichar(valid, character);
			text = g_utf8_next_char(text);
		}
	}
	return g_string_free(valid, FALSE);
}

static bool is_near(double written, double real)
{
	return fabs(written - real) <= 0.0005 + fabs(real) * 1e-15;
}

/* JSON */

static void check_json_text(const json_t *value, const char *text)
{
	g_autofree char *valid = valid_text(text);

	FUZZ_MUST(json_is_string(value) && strcmp(json_string_value(value), valid) == 0, "%s", valid);
}

static void check_json_cell(const json_t *value, const struct cell *cell)
{
	g_autofree char *address = NULL;

	switch (cell->type) {
	case CELL_EMPTY:
	case CELL_STATISTIC:
		FUZZ_MUST(json_is_null(value), "an empty cell");
		break;
	case CELL_INTEGER:
		FUZZ_MUST(json_is_integer(value) ? json_integer_value(value) == cell->integer
						 : json_number_value(value) == (double)cell->integer,
			  "%" PRIi64, cell->integer);
		break;
	case CELL_UNSIGNED:
		FUZZ_MUST(json_is_integer(value) ? (uint64_t)json_integer_value(value) == cell->unsigned_integer
						 : json_number_value(value) == (double)cell->unsigned_integer,
			  "%" PRIu64, cell->unsigned_integer);
		break;
	case CELL_REAL:
		FUZZ_MUST(isfinite(cell->real) ? is_near(json_number_value(value), cell->real) : json_is_null(value),
			  "%f", cell->real);
		break;
	case CELL_TEXT:
		check_json_text(value, cell->text);
		break;
	case CELL_ADDRESS:
		address = g_strdup_printf("0x%" PRIx64, cell->unsigned_integer);
		check_json_text(value, address);
		break;
	}
}

static void check_json_table(const json_t *rows, const struct fuzz_table *table)
{
	FUZZ_MUST(json_is_array(rows) && json_array_size(rows) == table->row_count, "%zu rows", table->row_count);
	for (size_t row = 0; row < table->row_count; row++) {
		const json_t *object = json_array_get(rows, row);

		FUZZ_MUST(json_object_size(object) == table->schema.column_count, "row %zu", row);
		for (size_t i = 0; i < table->schema.column_count; i++) {
			g_autofree char *name = valid_text(table->columns[i].name);

			check_json_cell(json_object_get(object, name), &table->cells[row][i]);
		}
	}
}

static void check_json(const struct fuzz_tables *tables)
{
	gsize size;
	g_autofree char *text = read_file(tables, "report.json", &size);
	json_error_t error;
	json_t *json = json_loadb(text, size, JSON_REJECT_DUPLICATES, &error);

	if (!json && json_error_code(&error) == json_error_numeric_overflow) {
		/* an integer beyond 63 bits: all as reals then */
		json = json_loadb(text, size, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, &error);
	}
	FUZZ_MUST(json, "%s: %s", error.text, text);
	for (size_t i = 0; i < tables->count; i++) {
		check_json_table(json_object_get(json, table_names[i]), &tables->table[i]);
	}
	json_decref(json);
}

/* CSV */

/* The next cell, and in *end what ends it; NULL if it is none of RFC 4180. Moves *text behind the end. */
static char *next_csv_cell(const char **text, char *end)
{
	GString *cell = g_string_new(NULL);
	const char *at = *text;
	bool is_quoted = *at == '"';

	if (is_quoted) {
		for (at++; *at && (*at != '"' || at[1] == '"'); at++) {
			at += *at == '"';
			g_string_append_c(cell, *at);
		}
		at += *at == '"';
	} else {
		for (; *at && !strchr(",\n\"\r", *at); at++) {
			g_string_append_c(cell, *at);
		}
	}
	*end = *at;
	*text = at + 1;
	if (*end == ',' || *end == '\n') {
		return g_string_free(cell, FALSE);
	}
	g_string_free(cell, TRUE);
	return NULL;
}

static void check_csv_cell(const char *text, const struct cell *cell)
{
	g_autofree char *wanted = NULL;

	switch (cell->type) {
	case CELL_EMPTY:
	case CELL_STATISTIC:
		wanted = g_strdup("");
		break;
	case CELL_INTEGER:
		wanted = g_strdup_printf("%" PRIi64, cell->integer);
		break;
	case CELL_UNSIGNED:
		wanted = g_strdup_printf("%" PRIu64, cell->unsigned_integer);
		break;
	case CELL_REAL:
		FUZZ_MUST(isfinite(cell->real) ? is_near(g_ascii_strtod(text, NULL), cell->real) : !*text, "%s", text);
		return;
	case CELL_TEXT:
		wanted = valid_text(cell->text);
		break;
	case CELL_ADDRESS:
		wanted = g_strdup_printf("0x%" PRIx64, cell->unsigned_integer);
		break;
	}
	FUZZ_MUST(strcmp(text, wanted) == 0, "\"%s\" is \"%s\"", text, wanted);
}

static void check_csv_line(const char **at, const struct table_schema *schema, const struct cell *cells)
{
	for (size_t i = 0; i < schema->column_count; i++) {
		char end = '\0';
		g_autofree char *cell = next_csv_cell(at, &end);

		FUZZ_MUST(cell && end == (i + 1 < schema->column_count ? ',' : '\n'), "column %zu", i);
		check_csv_cell(cell, &cells[i]);
	}
}

static void check_csv_table(const struct fuzz_tables *tables, const struct fuzz_table *table)
{
	g_autofree char *name = g_strconcat(table->schema.name, csv_output.extension, NULL);
	gsize size;
	g_autofree char *text = read_file(tables, name, &size);
	const char *at = text;
	struct cell names[COLUMNS_MAX];

	for (size_t i = 0; i < table->schema.column_count; i++) {
		names[i] = cell_text(table->columns[i].name);
	}
	check_csv_line(&at, &table->schema, names);
	for (size_t row = 0; row < table->row_count; row++) {
		check_csv_line(&at, &table->schema, table->cells[row]);
	}
	FUZZ_MUST(at == text + size, "no more rows: %s", at);
}

static void check_csv(const struct fuzz_tables *tables)
{
	for (size_t i = 0; i < tables->count; i++) {
		check_csv_table(tables, &tables->table[i]);
	}
}

/* HTML */

#define DATA_BEGIN "<script id=\"data\" type=\"application/gzip;base64\">"
#define DATA_SIZE_MAX ((uInt)1 << 20)
#define GZIP_WINDOW_BITS (15 + 16)

static json_t *data_of_page(const char *page)
{
	const char *begin = strstr(page, DATA_BEGIN) + strlen(DATA_BEGIN);
	g_autofree char *base64 = g_strndup(begin, strcspn(begin, "<"));
	gsize size;
	g_autofree guchar *compressed = g_base64_decode(base64, &size);
	g_autofree char *text = g_malloc(DATA_SIZE_MAX);
	z_stream inflater = {
		.next_in = compressed, .avail_in = (uInt)size, .next_out = (Bytef *)text, .avail_out = DATA_SIZE_MAX
	};
	json_error_t error;
	json_t *json;

	FUZZ_MUST(inflateInit2(&inflater, GZIP_WINDOW_BITS) == Z_OK, "zlib");
	FUZZ_MUST(inflate(&inflater, Z_FINISH) == Z_STREAM_END, "compressed data: %s", base64);
	inflateEnd(&inflater);
	json = json_loadb(text, inflater.total_out, JSON_REJECT_DUPLICATES, &error);
	if (!json && json_error_code(&error) == json_error_numeric_overflow) {
		json = json_loadb(text, inflater.total_out, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, &error);
	}
	FUZZ_MUST(json, "%s", error.text);
	return json;
}

/* The cells of a column of texts, each of which is in the page once. Numbers may have been read as reals. */
static json_t *cells_of_texts(const json_t *texts, const json_t *which)
{
	json_t *cells = json_array();
	size_t seen = 0;

	for (size_t row = 0; row < json_array_size(which); row++) {
		const json_t *place = json_array_get(which, row);
		size_t number = (size_t)json_number_value(place);

		if (json_is_null(place)) {
			json_array_append_new(cells, json_null());
			continue;
		}
		FUZZ_MUST(json_is_number(place) && number <= seen && number < json_array_size(texts), "row %zu", row);
		seen += number == seen;
		json_array_append(cells, json_array_get(texts, number));
	}
	FUZZ_MUST(seen == json_array_size(texts), "%zu texts are used", seen);
	return cells;
}

static json_t *cells_of_steps(const json_t *steps)
{
	json_t *cells = json_array();
	json_int_t id = 0;

	for (size_t row = 0; row < json_array_size(steps); row++) {
		FUZZ_MUST(json_is_number(json_array_get(steps, row)), "step %zu", row);
		id += (json_int_t)json_number_value(json_array_get(steps, row));
		json_array_append_new(cells, json_integer(id));
	}
	return cells;
}

/* The cells of a column (core/output/page/page_columns.h). */
static json_t *cells_of_column(json_t *column)
{
	const json_t *texts = json_object_get(column, "texts"), *which = json_object_get(column, "which");
	const json_t *steps = json_object_get(column, "steps");

	if (json_is_array(column)) {
		return json_incref(column);
	}
	if (texts) {
		FUZZ_MUST(json_is_array(texts) && json_is_array(which), "a column of texts");
		return cells_of_texts(texts, which);
	}
	FUZZ_MUST(json_is_array(steps), "a column of ids");
	return cells_of_steps(steps);
}

static void check_page_table(const json_t *written, const struct fuzz_table *table)
{
	const json_t *columns = json_object_get(written, "cells");

	FUZZ_MUST(json_is_null(json_object_get(written, "lacking")), "so few rows are all there");
	FUZZ_MUST(json_array_size(columns) == table->schema.column_count, "%zu columns", table->schema.column_count);
	for (size_t i = 0; i < table->schema.column_count; i++) {
		json_t *cells = cells_of_column(json_array_get(columns, i));

		FUZZ_MUST(json_array_size(cells) == table->row_count, "%zu rows", table->row_count);
		for (size_t row = 0; row < table->row_count; row++) {
			check_json_cell(json_array_get(cells, row), &table->cells[row][i]);
		}
		json_decref(cells);
	}
}

static void check_page(const struct fuzz_tables *tables)
{
	gsize size;
	g_autofree char *page = read_file(tables, "report.html", &size);
	json_t *data = data_of_page(page);
	size_t next = 0;

	for (size_t i = 0; i < tables->count; i++) {
		if (tables->table[i].schema.kind != KIND_INSTANCES) {
			check_page_table(json_array_get(json_object_get(data, "tables"), next++), &tables->table[i]);
		}
	}
	json_decref(data);
}

#ifdef HAVE_SQLITE

/* The database */

static bool is_integer(const struct cell *cell)
{
	return cell->type == CELL_INTEGER || cell->type == CELL_UNSIGNED;
}

static double as_real(const struct cell *cell)
{
	return cell->type == CELL_INTEGER ? (double)cell->integer : (double)cell->unsigned_integer;
}

static void check_stored_cell(sqlite3_stmt *row, int column, const struct cell *cell)
{
	int type = sqlite3_column_type(row, column); /* before its text is asked for */
	const char *text = (const char *)sqlite3_column_text(row, column);
	g_autofree char *wanted = NULL;

	if (type == SQLITE_FLOAT && is_integer(cell)) {
		/* a column of reals holds integers as such; those beyond 63 bits are texts, which SQLite rounds itself
		 */
		double rounding =
			cell->type == CELL_UNSIGNED && cell->unsigned_integer > INT64_MAX ? 4e-16 * as_real(cell) : 0;

		FUZZ_MUST(fabs(sqlite3_column_double(row, column) - as_real(cell)) <= rounding, "%f", as_real(cell));
		return;
	}
	if (type == SQLITE_TEXT && cell->type == CELL_REAL) {
		/* a column of names holds numbers as texts of 15 digits */
		FUZZ_MUST(!isfinite(cell->real) ||
				  fabs(sqlite3_column_double(row, column) - cell->real) <= 1e-14 * fabs(cell->real),
			  "%g", cell->real);
		return;
	}
	switch (cell->type) {
	case CELL_EMPTY:
	case CELL_STATISTIC:
		FUZZ_MUST(!text, "an empty cell is %s", text);
		return;
	case CELL_REAL:
		FUZZ_MUST(isnan(cell->real) ? !text : sqlite3_column_double(row, column) == cell->real, "%f",
			  cell->real);
		return;
	case CELL_INTEGER:
		wanted = g_strdup_printf("%" PRIi64, cell->integer);
		break;
	case CELL_UNSIGNED:
		wanted = g_strdup_printf("%" PRIu64, cell->unsigned_integer);
		break;
	case CELL_TEXT:
		wanted = valid_text(cell->text);
		break;
	case CELL_ADDRESS:
		wanted = g_strdup_printf("0x%" PRIx64, cell->unsigned_integer);
		break;
	}
	FUZZ_MUST(text && strcmp(text, wanted) == 0, "\"%s\" is \"%s\"", text ? text : "NULL", wanted);
}

static void check_stored_table(sqlite3 *database, const struct fuzz_table *table)
{
	g_autofree char *query = g_strdup_printf("SELECT * FROM %s", table->schema.name);
	sqlite3_stmt *row = NULL;

	FUZZ_MUST(sqlite3_prepare_v2(database, query, -1, &row, NULL) == SQLITE_OK, "%s", sqlite3_errmsg(database));
	FUZZ_MUST(sqlite3_column_count(row) == (int)table->schema.column_count, "%d", sqlite3_column_count(row));
	for (size_t i = 0; i < table->schema.column_count; i++) {
		g_autofree char *name = valid_text(table->columns[i].name);

		FUZZ_MUST(strcmp(sqlite3_column_name(row, (int)i), name) == 0, "column %s", name);
	}
	for (size_t number = 0; number < table->row_count; number++) {
		FUZZ_MUST(sqlite3_step(row) == SQLITE_ROW, "row %zu", number);
		for (size_t i = 0; i < table->schema.column_count; i++) {
			check_stored_cell(row, (int)i, &table->cells[number][i]);
		}
	}
	FUZZ_MUST(sqlite3_step(row) == SQLITE_DONE, "no more rows");
	sqlite3_finalize(row);
}

static void check_database(const struct fuzz_tables *tables)
{
	g_autofree char *path = g_strdup_printf("%s/report.sqlite", tables->directory);
	sqlite3 *database = NULL;

	FUZZ_MUST(sqlite3_open(path, &database) == SQLITE_OK, "%s", path);
	for (size_t i = 0; i < tables->count; i++) {
		check_stored_table(database, &tables->table[i]);
	}
	sqlite3_close(database);
	(void)g_unlink(path);
}

#endif

/* Any other output */

static void check_file(const struct fuzz_tables *tables, const struct output_class *format, const char *name)
{
	gsize size;

	g_free(format->is_binary ? read_bytes(tables, name, &size) : read_file(tables, name, &size));
}

static void check_files(const struct fuzz_tables *tables, const struct output_class *format)
{
	if (format->file) {
		check_file(tables, format, format->file);
		return;
	}
	for (size_t i = 0; i < tables->count; i++) {
		g_autofree char *name = g_strconcat(tables->table[i].schema.name, format->extension, NULL);

		check_file(tables, format, name);
	}
}

static void check_text(const struct fuzz_tables *tables)
{
	check_files(tables, &text_output);
}

/* Outputs that write every table, and what is checked of each. */
static const struct {
	const struct output_class *format;
	void (*check)(const struct fuzz_tables *tables);
} checks[] = {
	{ &text_output, check_text },	    { &csv_output, check_csv },
	{ &json_output, check_json },	    { &html_output, check_page },
#ifdef HAVE_SQLITE
	{ &sqlite_output, check_database },
#endif
};

static void write_and_check(const struct fuzz_tables *tables, const struct output_class *format, const char *hostname)
{
	for (size_t i = 0; i < G_N_ELEMENTS(checks); i++) {
		if (checks[i].format == format) {
			write_report(tables, format, !format->takes_instances, hostname);
			checks[i].check(tables);
			return;
		}
	}
	write_report(tables, format, false, hostname);
	check_files(tables, format);
}

/* A database takes longer than all the others. */
static bool is_written(const struct output_class *format, struct fuzz_input *input)
{
	if (format != &sqlite_output) {
		return true;
	}
#ifdef HAVE_SQLITE
	return fuzz_input_byte(input) % 8 == 1;
#else
	return false;
#endif
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct fuzz_input input = { bytes, size };
	struct fuzz_tables tables = { 0 };
	g_autofree char *hostname = fuzz_input_text(&input);

	make_tables(&tables, &input);
	for (size_t i = 0; outputs[i]; i++) {
		if (is_written(outputs[i], &input)) {
			write_and_check(&tables, outputs[i], hostname);
		}
	}
	fuzz_timeline(&input, tables.directory);
	fuzz_graph(&input, tables.directory);
	g_string_chunk_free(tables.texts);
	g_free(tables.directory);
	return 0;
}
