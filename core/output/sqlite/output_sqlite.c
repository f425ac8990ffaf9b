/* SPDX-License-Identifier: MIT */
/*
 * All tables as an SQLite database, for notebooks, BI tools and SQL: each table with the columns of CSV, rows of
 * instances included, whose times are stored as sqlite_statements.h says; `trace`, one row about the recording; keys
 * and indexes; and the views of sqlite_views.sql.
 *
 * - A table whose first column names its rows (`callback_id` of `callbacks`) has it as primary key; the same column of
 *   other tables refers to it, with an index.
 * - It is written in one transaction, into a file without a name, which is copied to the report's once it is whole: a
 *   run that is killed leaves nothing.
 * - Integers beyond 63 bits, which SQLite does not have, are given to it as decimal text, of which a column of
 *   integers makes the nearest REAL. Addresses are text as in CSV.
 */
#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "core/base/text/number_text.h"
#include "core/base/text/utf8.h"
#include "core/output/outputs.h"
#include "core/output/sqlite/sqlite_library.h"
#include "core/output/sqlite/sqlite_statements.h"
#include "core/output/sqlite/sqlite_views.h"
#include "core/tables/statistics_columns.h"
#include "ros2bt/output/output_stream.h"

#define SQLITE_SCHEMA_VERSION 1
#define COPY_SIZE ((size_t)64 * 1024)

/* No other process opens the file, and it vanishes with this one: it needs no journal, lock or fsync(). */
#define SET_UP                                                                                                         \
	"PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;"                        \
	"PRAGMA cache_size = -8192; PRAGMA user_version = " G_STRINGIFY(SQLITE_SCHEMA_VERSION) "; BEGIN"

struct sqlite_output {
	const struct output_place *place;     /* borrowed */
	GPtrArray *tables;		      /* struct sqlite_table, owned */
	int descriptor;			      /* of the file; -1: it could not be made */
	const struct sqlite_library *library; /* NULL, like the database: it is not installed */
	sqlite3 *database;
	char *error; /* owned; the first error, NULL: none */
	GFileError error_code;
};

struct sqlite_table {
	struct table_writer writer;
	struct sqlite_output *sqlite;	    /* borrowed */
	struct statistics_columns *columns; /* owned */
	const struct table_schema *schema;  /* of the columns */
	bool stores_differences;	    /* as sqlite_statements.h says */
	bool has_since;
	int64_t since_ns;     /* the first time of the first row that has one */
	sqlite3_stmt *insert; /* NULL after an error */
	GString *text;	      /* scratch, for a cell that is not valid UTF-8 */
};

/* --- errors: the first one sticks --- */

static void set_error(struct sqlite_output *sqlite, GFileError code, const char *what)
{
	if (!sqlite->error) {
		sqlite->error = g_strdup_printf("cannot write a temporary file in %s: %s",
						sqlite->place->spool_directory, what);
		sqlite->error_code = code;
	}
}

static bool succeeds(struct sqlite_output *sqlite, int result)
{
	if (result != SQLITE_OK && result != SQLITE_DONE && result != SQLITE_ROW) {
		set_error(sqlite, result == SQLITE_FULL ? G_FILE_ERROR_NOSPC : G_FILE_ERROR_FAILED,
			  sqlite->library->errmsg(sqlite->database));
		return false;
	}
	return true;
}

static void execute(struct sqlite_output *sqlite, const char *statements)
{
	if (!sqlite->error) {
		succeeds(sqlite, sqlite->library->exec(sqlite->database, statements, NULL, NULL, NULL));
	}
}

/* --- tables --- */

static void append_valid(GString *text, const char *bytes)
{
	const char *piece;
	size_t length;

	while ((length = utf8_next_piece(&bytes, &piece))) {
		g_string_append_len(text, piece, (gssize)length);
	}
}

/* NULL after an error. */
static sqlite3_stmt *prepare(struct sqlite_output *sqlite, const char *statement)
{
	sqlite3_stmt *prepared = NULL;

	if (!sqlite->error) {
		succeeds(sqlite, sqlite->library->prepare_v2(sqlite->database, statement, -1, &prepared, NULL));
	}
	return prepared;
}

/* --- rows --- */

static int bind_text(struct sqlite_table *table, int number, const char *text)
{
	if (g_utf8_validate(text, -1, NULL)) {
		return table->sqlite->library->bind_text(table->insert, number, text, -1, SQLITE_STATIC);
	}
	g_string_truncate(table->text, 0);
	append_valid(table->text, text);
	return table->sqlite->library->bind_text(table->insert, number, table->text->str, (int)table->text->len,
						 SQLITE_TRANSIENT);
}

static int bind_cell(struct sqlite_table *table, int number, const struct cell *cell)
{
	char buffer[NUMBER_TEXT_SIZE];

	switch (cell->type) {
	case CELL_EMPTY:
	case CELL_STATISTIC: /* statistics_columns.h has turned these into numbers */
		break;
	case CELL_INTEGER:
		return table->sqlite->library->bind_int64(table->insert, number, cell->integer);
	case CELL_UNSIGNED:
		if (cell->unsigned_integer <= INT64_MAX) {
			return table->sqlite->library->bind_int64(table->insert, number,
								  (sqlite3_int64)cell->unsigned_integer);
		}
		return table->sqlite->library->bind_text(table->insert, number,
							 number_text_unsigned(buffer, cell->unsigned_integer), -1,
							 SQLITE_TRANSIENT);
	case CELL_REAL:
		return table->sqlite->library->bind_double(table->insert, number, cell->real);
	case CELL_TEXT:
		return bind_text(table, number, cell->text);
	case CELL_ADDRESS:
		return table->sqlite->library->bind_text(table->insert, number,
							 number_text_address(buffer, cell->unsigned_integer), -1,
							 SQLITE_TRANSIENT);
	}
	return table->sqlite->library->bind_null(table->insert, number);
}

/* The first time of a row; false: the row has none, or its times are not to be subtracted from each other. */
static bool find_first_time(const struct sqlite_table *table, const struct cell *cells, int64_t *first_ns)
{
	bool is_known = false;
	int64_t difference;

	for (size_t i = 0; i < table->schema->column_count; i++) {
		if (!sqlite_is_difference(table->schema, i) || cells[i].type == CELL_EMPTY) {
			continue;
		}
		if (cells[i].type != CELL_INTEGER) {
			return false;
		}
		*first_ns = is_known ? *first_ns : cells[i].integer;
		is_known = true;
		if (__builtin_sub_overflow(cells[i].integer, *first_ns, &difference)) {
			return false;
		}
	}
	return is_known;
}

/* Binds row_ns. Returns what is to be subtracted from the times of the row. */
static int64_t bind_row_time(struct sqlite_table *table, const struct cell *cells)
{
	int number = (int)table->schema->column_count + 1;
	int64_t first_ns, row_ns;

	if (!find_first_time(table, cells, &first_ns)) {
		table->sqlite->library->bind_null(table->insert, number);
		return 0;
	}
	table->since_ns = table->has_since ? table->since_ns : first_ns;
	table->has_since = true;
	if (__builtin_sub_overflow(first_ns, table->since_ns, &row_ns)) {
		table->sqlite->library->bind_null(table->insert, number);
		return 0;
	}
	table->sqlite->library->bind_int64(table->insert, number, row_ns);
	return first_ns;
}

static struct cell stored_cell(const struct sqlite_table *table, size_t column, struct cell cell, int64_t first_ns)
{
	if (cell.type == CELL_INTEGER && sqlite_is_difference(table->schema, column)) {
		cell.integer -= first_ns;
	}
	return cell;
}

static void write_row(struct table_writer *writer, const struct cell *cells)
{
	struct sqlite_table *table = (struct sqlite_table *)writer;
	struct sqlite_output *sqlite = table->sqlite;
	int64_t first_ns;

	if (sqlite->error) {
		return;
	}
	cells = statistics_columns_cells(table->columns, cells);
	first_ns = table->stores_differences ? bind_row_time(table, cells) : 0;
	for (size_t i = 0; i < table->schema->column_count; i++) {
		struct cell cell = stored_cell(table, i, cells[i], first_ns);

		if (!succeeds(sqlite, bind_cell(table, (int)i + 1, &cell))) {
			return;
		}
	}
	succeeds(sqlite, sqlite->library->step(table->insert));
	sqlite->library->reset(table->insert);
}

static void create_table(struct sqlite_table *table)
{
	g_autofree char *creation = sqlite_table_statement(table->schema);
	g_autofree char *insertion = sqlite_insert_statement(table->schema);

	execute(table->sqlite, creation);
	table->insert = prepare(table->sqlite, insertion);
}

static struct table_writer *open_table(struct output *output, const struct table_schema *schema,
				       struct output_stream *stream)
{
	struct sqlite_output *sqlite = (struct sqlite_output *)output;
	struct sqlite_table *table = g_new0(struct sqlite_table, 1);

	table->writer.row = write_row;
	table->sqlite = sqlite;
	table->columns = statistics_columns_create(schema, sqlite->place->quantiles, sqlite->place->quantile_count);
	table->text = g_string_new(NULL);
	table->schema = statistics_columns_schema(table->columns);
	table->stores_differences = sqlite_stores_differences(table->schema);
	create_table(table);
	g_ptr_array_add(sqlite->tables, table);
	return &table->writer;
}

/* --- the end --- */

static void write_trace(struct sqlite_output *sqlite, const struct report_trace *trace)
{
	static const struct table_column columns[] = {
		{ .name = "hosts", .cells = CELL_TEXT },
		{ .name = "traces" },
		{ .name = "processes" },
		{ .name = "begin_ns", .format = COLUMN_TIME },
		{ .name = "end_ns", .format = COLUMN_TIME },
		{ .name = "is_complete" },
		{ .name = "missing", .cells = CELL_TEXT },
	};
	static const struct table_schema schema = { .name = "trace",
						    .columns = columns,
						    .column_count = G_N_ELEMENTS(columns) };
	struct table_writer *writer = open_table((struct output *)sqlite, &schema, NULL);
	g_autoptr(GString) hosts = g_string_new(NULL);
	g_autoptr(GString) missing = g_string_new(NULL);

	for (size_t i = 0; i < trace->hostname_count; i++) {
		g_string_append_printf(hosts, "%s%s", i > 0 ? "\n" : "", trace->hostnames[i]);
	}
	for (size_t i = 0; i < trace->missing_count; i++) {
		g_string_append_printf(missing, "%s%s", i > 0 ? "\n" : "", trace->missing[i]);
	}
	TABLE_ROW(writer, columns,
		  (struct cell[]){
			  cell_text(hosts->str),
			  cell_unsigned(trace->trace_count),
			  cell_unsigned(trace->process_count),
			  trace->has_runtime_events ? cell_integer(trace->begin_ns) : CELL_NONE,
			  trace->has_runtime_events ? cell_integer(trace->end_ns) : CELL_NONE,
			  cell_integer(trace->missing_count == 0),
			  missing->len > 0 ? cell_text(missing->str) : CELL_NONE,
		  });
}

/* SQLite checks only on use whether everything that a view needs exists. */
static bool can_select(struct sqlite_output *sqlite, const char *view)
{
	g_autofree char *select = g_strdup_printf("SELECT * FROM %s", view);
	sqlite3_stmt *statement = NULL;
	int result = sqlite->library->prepare_v2(sqlite->database, select, -1, &statement, NULL);

	sqlite->library->finalize(statement);
	return result == SQLITE_OK;
}

static int add_view(void *views, int count, char **values, char **names)
{
	g_ptr_array_add(views, g_strdup(values[0]));
	return 0;
}

/* All views except those of tables that this report does not have. */
static void create_views(struct sqlite_output *sqlite)
{
	g_autoptr(GPtrArray) views = g_ptr_array_new_with_free_func(g_free);

	execute(sqlite, sqlite_views);
	if (sqlite->error ||
	    !succeeds(sqlite,
		      sqlite->library->exec(sqlite->database, "SELECT name FROM sqlite_master WHERE type = 'view'",
					    add_view, views, NULL))) {
		return;
	}
	for (guint i = 0; i < views->len; i++) {
		const char *view = g_ptr_array_index(views, i);

		if (!can_select(sqlite, view)) {
			g_autofree char *drop = g_strdup_printf("DROP VIEW %s", view);

			execute(sqlite, drop);
		}
	}
}

static void copy_file(struct sqlite_output *sqlite)
{
	g_autofree char *buffer = g_malloc(COPY_SIZE);
	off_t offset = 0;
	ssize_t size;

	while (!sqlite->error && (size = pread(sqlite->descriptor, buffer, COPY_SIZE, offset)) != 0) {
		if (size > 0) {
			output_stream_bytes(sqlite->place->stream, buffer, (size_t)size);
			offset += size;
		} else if (errno != EINTR) {
			set_error(sqlite, g_file_error_from_errno(errno), g_strerror(errno));
		}
	}
}

static void close_tables(struct sqlite_output *sqlite)
{
	for (guint i = 0; i < sqlite->tables->len; i++) {
		struct sqlite_table *table = g_ptr_array_index(sqlite->tables, i);

		g_clear_pointer(&table->insert, sqlite->library->finalize);
	}
}

static bool finish(struct output *output, const struct report_trace *trace, GError **error)
{
	struct sqlite_output *sqlite = (struct sqlite_output *)output;

	write_trace(sqlite, trace);
	close_tables(sqlite);
	for (guint i = 0; i < sqlite->tables->len; i++) {
		const struct sqlite_table *table = g_ptr_array_index(sqlite->tables, i);
		g_autofree char *statements = sqlite_last_statements(table->schema, table->since_ns);

		execute(sqlite, statements);
	}
	create_views(sqlite);
	execute(sqlite, "COMMIT");
	g_clear_pointer(&sqlite->database, sqlite->library->close);
	copy_file(sqlite);
	return true;
}

static bool check(const struct output *output, GError **error)
{
	const struct sqlite_output *sqlite = (const struct sqlite_output *)output;

	if (sqlite->error) {
		g_set_error_literal(error, G_FILE_ERROR, (int)sqlite->error_code, sqlite->error);
		return false;
	}
	return true;
}

/* --- life --- */

/* The file loses its name as soon as it is open. */
static void open_database(struct sqlite_output *sqlite)
{
	g_autofree char *path = g_build_filename(sqlite->place->spool_directory, ".ros2bt-sqlite-XXXXXX", NULL);
	const char *reason = NULL;
	int result;

	sqlite->library = sqlite_library_load(&reason);
	if (!sqlite->library) {
		sqlite->error = g_strdup_printf("the format sqlite needs libsqlite3: %s", reason);
		sqlite->error_code = G_FILE_ERROR_FAILED;
		return;
	}
	sqlite->library->initialize(); /* not while the file has a name */
	sqlite->descriptor = g_mkstemp(path);
	if (sqlite->descriptor < 0) {
		set_error(sqlite, g_file_error_from_errno(errno), g_strerror(errno));
		return;
	}
	result = sqlite->library->open_v2(path, &sqlite->database, SQLITE_OPEN_READWRITE, "unix-none");
	g_unlink(path);
	if (succeeds(sqlite, result)) {
		execute(sqlite, SET_UP);
	}
}

static struct output *create(const struct output_place *place)
{
	struct sqlite_output *sqlite = g_new0(struct sqlite_output, 1);

	sqlite->place = place;
	sqlite->tables = g_ptr_array_new();
	open_database(sqlite);
	return (struct output *)sqlite;
}

static void table_destroy(gpointer data, gpointer unused)
{
	struct sqlite_table *table = data;

	statistics_columns_destroy(table->columns);
	g_string_free(table->text, TRUE);
	g_free(table);
}

static void destroy(struct output *output)
{
	struct sqlite_output *sqlite = (struct sqlite_output *)output;

	close_tables(sqlite);
	g_ptr_array_foreach(sqlite->tables, table_destroy, NULL);
	g_ptr_array_unref(sqlite->tables);
	g_clear_pointer(&sqlite->database, sqlite->library->close);
	if (sqlite->descriptor >= 0) {
		close(sqlite->descriptor);
	}
	g_free(sqlite->error);
	g_free(sqlite);
}

const struct output_class sqlite_output = {
	.name = "sqlite",
	.file = "report.sqlite",
	.is_binary = true,
	.takes_histograms = true,
	.takes_instances = true,
	.create = create,
	.open = open_table,
	.check = check,
	.finish = finish,
	.destroy = destroy,
};
