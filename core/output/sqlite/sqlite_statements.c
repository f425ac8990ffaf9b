/* SPDX-License-Identifier: MIT */
#include "core/output/sqlite/sqlite_statements.h"

#include <inttypes.h>
#include <string.h>

#include "core/base/text/utf8.h"

bool sqlite_is_difference(const struct table_schema *schema, size_t column)
{
	return table_is_of_instances(schema) && schema->columns[column].format == COLUMN_TIME;
}

bool sqlite_stores_differences(const struct table_schema *schema)
{
	for (size_t i = 0; i < schema->column_count; i++) {
		if (sqlite_is_difference(schema, i)) {
			return true;
		}
	}
	return false;
}

/* --- names --- */

static void append_name(GString *text, const char *name, const char *ending)
{
	g_autoptr(GString) valid = g_string_new(NULL);
	const char *piece;
	size_t length;

	while ((length = utf8_next_piece(&name, &piece))) {
		g_string_append_len(valid, piece, (gssize)length);
	}
	g_string_replace(valid, "\"", "\"\"", 0);
	g_string_append_printf(text, "\"%s%s\"", valid->str, ending);
}

static void append_stored(GString *text, const struct table_schema *schema)
{
	append_name(text, schema->name, sqlite_stores_differences(schema) ? "_stored" : "");
}

/* --- the table --- */

#define TYPE_INTEGER " INTEGER"
#define TYPE_REAL " REAL"
#define TYPE_TEXT " TEXT"

static const char *type_of_source(const struct cell_source *source)
{
	switch (source->type) {
	case SOURCE_BOOL:
	case SOURCE_INT32:
	case SOURCE_INT64:
	case SOURCE_UINT32:
	case SOURCE_UINT64:
		return TYPE_INTEGER;
	case SOURCE_REAL:
		return TYPE_REAL;
	case SOURCE_TEXT:
		return TYPE_TEXT;
	default:
		return NULL;
	}
}

static const char *type_of_meaning(const struct table_column *column)
{
	switch (column->means) {
	case MEANS_HOST:
	case MEANS_PROCESS_NAME:
	case MEANS_NODE:
	case MEANS_TOPIC:
	case MEANS_PATH:
	case MEANS_CALLBACK: /* an address */
	case MEANS_SYMBOL:
	case MEANS_KIND:
	case MEANS_STATE:
	case MEANS_SOURCE:
	case MEANS_SCOPE:
		return TYPE_TEXT;
	case MEANS_RATE:
	case MEANS_RATE_TO_END:
	case MEANS_SHARE:
	case MEANS_DEVIATION:
		return TYPE_REAL;
	case MEANS_NOTHING:
		return NULL;
	default:
		return TYPE_INTEGER;
	}
}

static const char *type_of_format(const struct table_column *column)
{
	switch (column->format) {
	case COLUMN_PERCENT:
	case COLUMN_RATE:
		return TYPE_REAL;
	case COLUMN_NAME:
		return TYPE_TEXT;
	default:
		return column_is_in_ns(column) ? TYPE_INTEGER : NULL;
	}
}

static const char *type_of_cells(enum cell_type cells)
{
	return cells == CELL_TEXT ? TYPE_TEXT : cells == CELL_REAL ? TYPE_REAL : NULL;
}

/*
 * That of all its cells: readers such as DuckDB's refuse others. A REAL in a column of integers is one beyond 63 bits.
 */
static const char *type_of(const struct table_column *column)
{
	const char *type = type_of_cells(column->cells);

	type = type ? type : type_of_source(&column->source);
	type = type ? type : type_of_format(column);
	type = type ? type : type_of_meaning(column);
	return type ? type : TYPE_INTEGER;
}

static void append_column(GString *text, const struct table_schema *schema, size_t index)
{
	const struct table_column *column = &schema->columns[index];
	const char *owner = column->id_of;

	append_name(text, column->name, "");
	if (!owner) {
		g_string_append(text, type_of(column));
	} else if (schema->key_count > 1 ||
		   (strcmp(owner, schema->name) != 0 && strcmp(owner, schema->selection) != 0)) {
		/* the id alone does not identify a row, or belongs to a table that may not be in the report */
		g_string_append(text, " INTEGER");
	} else if (strcmp(owner, schema->name) == 0) {
		g_string_append(text, " INT PRIMARY KEY");
	} else {
		g_string_append(text, " INTEGER REFERENCES ");
		append_name(text, owner, "");
	}
}

char *sqlite_table_statement(const struct table_schema *schema)
{
	GString *text = g_string_new("CREATE TABLE ");

	append_stored(text, schema);
	for (size_t i = 0; i < schema->column_count; i++) {
		g_string_append(text, i == 0 ? " (" : ", ");
		append_column(text, schema, i);
	}
	g_string_append(text, sqlite_stores_differences(schema) ? ", row_ns INTEGER)" : ")");
	return g_string_free(text, FALSE);
}

char *sqlite_insert_statement(const struct table_schema *schema)
{
	GString *text = g_string_new("INSERT INTO ");

	append_stored(text, schema);
	for (size_t i = 0; i < schema->column_count; i++) {
		g_string_append(text, i == 0 ? " VALUES (?" : ", ?");
	}
	g_string_append(text, sqlite_stores_differences(schema) ? ", ?)" : ")");
	return g_string_free(text, FALSE);
}

/* --- the view and the indexes --- */

/* What a column of the view is in terms of the stored ones. */
static void append_value(GString *text, const struct table_schema *schema, size_t index, int64_t since_ns)
{
	const char *name = schema->columns[index].name;

	if (sqlite_is_difference(schema, index)) {
		g_string_append_printf(text, "ifnull(%" PRIi64 " + row_ns + ", since_ns);
		append_name(text, name, "");
		g_string_append(text, ", ");
		append_name(text, name, "");
		g_string_append_c(text, ')');
	} else {
		append_name(text, name, "");
	}
}

static void append_view(GString *text, const struct table_schema *schema, int64_t since_ns)
{
	g_string_append(text, "CREATE VIEW ");
	append_name(text, schema->name, "");
	for (size_t i = 0; i < schema->column_count; i++) {
		g_string_append(text, i == 0 ? " AS SELECT " : ", ");
		append_value(text, schema, i, since_ns);
		g_string_append(text, " AS ");
		append_name(text, schema->columns[i].name, "");
	}
	g_string_append(text, " FROM ");
	append_stored(text, schema);
	g_string_append(text, ";\n");
}

/*
 * By which column, besides the row that they belong to, rows of instances are looked up; -1: none. Those of a thread
 * are executions, of which one at a time is looked for; other rows of an owner are read all.
 */
static int find_second(const struct table_schema *schema)
{
	int instance = table_find_meaning(schema, MEANS_INSTANCE, SIDE_NONE);
	bool has_thread = table_find_meaning(schema, MEANS_THREAD, SIDE_NONE) >= 0;

	return instance >= 0 ? instance : table_is_of_instances(schema) && has_thread ? table_find_time(schema) : -1;
}

static void append_index(GString *text, const struct table_schema *schema, int second, int64_t since_ns)
{
	g_autofree char *names = g_strconcat(schema->columns[0].name, second > 0 ? "_" : NULL,
					     second > 0 ? schema->columns[second].name : NULL, NULL);
	g_autofree char *name = g_strdup_printf("%s_%s", schema->name, names);

	g_string_append(text, "CREATE INDEX ");
	append_name(text, name, "");
	g_string_append(text, " ON ");
	append_stored(text, schema);
	g_string_append(text, " (");
	append_value(text, schema, 0, since_ns);
	if (second > 0) {
		g_string_append(text, ", ");
		append_value(text, schema, (size_t)second, since_ns);
	}
	g_string_append(text, ");\n");
}

char *sqlite_last_statements(const struct table_schema *schema, int64_t since_ns)
{
	GString *text = g_string_new(NULL);
	const char *owner = schema->columns[0].id_of;

	if (sqlite_stores_differences(schema)) {
		append_view(text, schema, since_ns);
	}
	if (owner && strcmp(owner, schema->name) != 0) {
		append_index(text, schema, find_second(schema), since_ns);
	}
	return g_string_free(text, FALSE);
}
