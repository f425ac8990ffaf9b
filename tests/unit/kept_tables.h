/* SPDX-License-Identifier: MIT */
/*
 * A session whose tables are kept, for unit tests of analyses: feed records, end_session(), look at cells by their
 * names. A statistic X is the columns X_count (samples), X_sum_ns, X_min_ns, X_p50_ns, X_max_ns, X_max_at_ns. Include
 * it in one file of a test only, after records.h or flow_records.h.
 */
#ifndef TESTS_UNIT_KEPT_TABLES_H
#define TESTS_UNIT_KEPT_TABLES_H

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdarg.h>

#include "core/base/name_filter.h"
#include "core/statistics/duration_statistics.h"
#include "ros2bt/session/session.h"

struct kept_table {
	struct table_writer writer;
	const struct table_schema *schema;
	GPtrArray *columns; /* their names */
	GPtrArray *cells;   /* their texts, a row after the other */
	GStringChunk *texts;
};

static struct table_output kept_output;
static GPtrArray *kept_tables; /* struct kept_table * */
static struct analysis_options kept_options;
static struct session *session;
static struct name_filter *kept_nodes; /* of choose_nodes() */
static const char *kept_names;	       /* of the tables that are asked for, with a blank between them; NULL: all */
static bool kept_only_counts_hidden;   /* table_writer.only_counts_hidden, only_counts_idle */
static bool kept_is_brief;	       /* table_writer.is_brief */

#define KEPT_TEXT_SIZE 32

/* Other texts than those of texts are in the buffer. */
static inline const char *kept_text(char buffer[KEPT_TEXT_SIZE], const struct cell *cell)
{
	buffer[0] = '\0';
	switch (cell->type) {
	case CELL_INTEGER:
		g_snprintf(buffer, KEPT_TEXT_SIZE, "%" PRId64, cell->integer);
		break;
	case CELL_UNSIGNED:
		g_snprintf(buffer, KEPT_TEXT_SIZE, "%" PRIu64, cell->unsigned_integer);
		break;
	case CELL_REAL:
		g_snprintf(buffer, KEPT_TEXT_SIZE, "%.10g", cell->real);
		break;
	case CELL_TEXT:
		return cell->text;
	case CELL_ADDRESS:
		g_snprintf(buffer, KEPT_TEXT_SIZE, "0x%" PRIx64, cell->unsigned_integer);
		break;
	default:
		break;
	}
	return buffer;
}

static inline void kept_add(struct kept_table *table, struct cell cell)
{
	char buffer[KEPT_TEXT_SIZE];

	g_ptr_array_add(table->cells, g_string_chunk_insert_const(table->texts, kept_text(buffer, &cell)));
}

static const char *const kept_suffixes[] = { "_count", "_sum_ns", "_min_ns", "_p50_ns", "_max_ns", "_max_at_ns" };

static inline void kept_add_statistic(struct kept_table *table, const struct duration_statistics *statistic)
{
	struct duration_totals totals = duration_statistics_totals(statistic);
	const int64_t values[] = {
		(int64_t)totals.count,
		(int64_t)totals.sum_ns,
		totals.min_ns,
		totals.count && !kept_is_brief ? duration_statistics_quantile(statistic, 0.5) : 0,
		totals.max_ns,
		statistic->longest_at_ns,
	};

	for (size_t i = 0; i < G_N_ELEMENTS(values); i++) {
		kept_add(table, i < 2 || totals.count ? cell_integer(values[i]) : CELL_NONE);
	}
}

static inline void kept_row(struct table_writer *writer, const struct cell *cells)
{
	struct kept_table *table = (struct kept_table *)writer;

	for (size_t i = 0; i < table->schema->column_count; i++) {
		if (table->schema->columns[i].format == COLUMN_STATISTIC) {
			cr_assert_eq(cells[i].type, CELL_STATISTIC);
			kept_add_statistic(table, cells[i].statistic);
		} else {
			kept_add(table, cells[i]);
		}
	}
}

static inline void kept_name_columns(struct kept_table *table, const struct table_column *column)
{
	if (column->format != COLUMN_STATISTIC) {
		g_ptr_array_add(table->columns, g_strdup(column->name));
		return;
	}
	for (size_t i = 0; i < G_N_ELEMENTS(kept_suffixes); i++) {
		g_ptr_array_add(table->columns, g_strconcat(column->name, kept_suffixes[i], NULL));
	}
}

static inline struct table_writer *kept_open(struct table_output *output, const struct table_schema *schema)
{
	struct kept_table *table;

	if (kept_names) {
		g_auto(GStrv) names = g_strsplit(kept_names, " ", -1);

		if (!g_strv_contains((const char *const *)names, schema->name)) {
			return NULL;
		}
	}
	table = g_new0(struct kept_table, 1);
	table->writer.row = kept_row;
	table->writer.only_counts_hidden = table->writer.only_counts_idle = kept_only_counts_hidden;
	table->writer.is_brief = kept_is_brief;
	table->schema = schema;
	table->columns = g_ptr_array_new_with_free_func(g_free);
	table->cells = g_ptr_array_new();
	table->texts = g_string_chunk_new(1024);
	for (size_t i = 0; i < schema->column_count; i++) {
		kept_name_columns(table, &schema->columns[i]);
	}
	g_ptr_array_add(kept_tables, table);
	return &table->writer;
}

static inline void kept_table_destroy(gpointer data)
{
	struct kept_table *table = data;

	g_ptr_array_unref(table->columns);
	g_ptr_array_unref(table->cells);
	g_string_chunk_free(table->texts);
	g_free(table);
}

/* With kept_options as they are. */
static inline void begin_session(void)
{
	kept_output = (struct table_output){ .open = kept_open };
	kept_tables = g_ptr_array_new_with_free_func(kept_table_destroy);
	session = session_create_for_tables(recording, &kept_options, &kept_output);
}

static inline void destroy_session(void)
{
	g_clear_pointer(&session, session_destroy);
	g_clear_pointer(&kept_tables, g_ptr_array_unref);
}

static inline const struct kept_table *kept_table(const char *name)
{
	for (guint i = 0; i < kept_tables->len; i++) {
		const struct kept_table *table = kept_tables->pdata[i];

		if (strcmp(table->schema->name, name) == 0) {
			return table;
		}
	}
	cr_assert_fail("no table %s", name);
	return NULL;
}

static inline const struct table_schema *kept_schema(const char *name)
{
	return kept_table(name)->schema;
}

static inline guint row_count(const char *table)
{
	const struct kept_table *kept = kept_table(table);

	return kept->cells->len / kept->columns->len;
}

static inline const char *cell_of(const char *table, guint row, const char *column)
{
	const struct kept_table *kept = kept_table(table);
	guint index;

	cr_assert_lt(row, row_count(table), "%s has %u rows", table, row_count(table));
	cr_assert(g_ptr_array_find_with_equal_func(kept->columns, column, g_str_equal, &index), "%s has no column %s",
		  table, column);
	return kept->cells->pdata[row * kept->columns->len + index];
}

#define expect(table, row, column, expected)                                                                           \
	cr_assert_str_eq(cell_of((table), (row), (column)), (expected), "%s[%u].%s is %s", (table), (row), (column),   \
			 cell_of((table), (row), (column)))

static inline void expect_cells_of(const char *table, guint row, const char *column, ...)
{
	va_list rest;

	va_start(rest, column);
	for (; column; column = va_arg(rest, const char *)) {
		const char *expected = va_arg(rest, const char *);

		expect(table, row, column, expected);
	}
	va_end(rest);
}

/* Of a row: names of columns and their texts in turn. */
#define expect_cells(table, row, ...) expect_cells_of((table), (row), __VA_ARGS__, NULL)

/*
 * All rows, a line each: the cells of these columns, whose names have a blank between them, with "|" between the cells.
 * To be freed.
 */
static inline char *rows_of(const char *table, const char *columns)
{
	g_autoptr(GString) rows = g_string_new(NULL);
	g_auto(GStrv) names = g_strsplit(columns, " ", -1);

	for (guint row = 0, count = row_count(table); row < count; row++) {
		for (size_t i = 0; names[i]; i++) {
			g_string_append_printf(rows, "%s%s", i ? "|" : "", cell_of(table, row, names[i]));
		}
		g_string_append_c(rows, '\n');
	}
	return g_string_free(g_steal_pointer(&rows), FALSE);
}

static inline void expect_rows(const char *table, const char *columns, const char *expected)
{
	g_autofree char *rows = rows_of(table, columns);

	cr_assert_str_eq(rows, expected, "%s is %s", table, rows);
}

/* The column of all rows, separated by a blank. */
static inline void expect_column(const char *table, const char *column, const char *expected)
{
	g_autofree char *cells = g_strdelimit(rows_of(table, column), "\n", ' ');

	if (*cells) {
		cells[strlen(cells) - 1] = '\0';
	}
	cr_expect_str_eq(cells, expected, "%s.%s is %s", table, column, cells);
}

/* Of the table `diagnostics`. */
static inline uint64_t count_of(const char *what)
{
	uint64_t count = 0;

	for (guint i = 0; i < row_count("diagnostics"); i++) {
		if (strcmp(cell_of("diagnostics", i, "what"), what) == 0) {
			count += g_ascii_strtoull(cell_of("diagnostics", i, "count"), NULL, 10);
		}
	}
	return count;
}

/* With kept_options as they are now. */
static inline void begin_session_anew(void)
{
	destroy_session();
	begin_session();
}

/* As with --table=NAME for each of these. The session begins anew. */
static inline void choose_tables(const char *names)
{
	kept_names = names;
	begin_session_anew();
}

/* Only what happens from begin_ns to end_ns counts. The session begins anew. */
static inline void limit_range(int64_t begin_ns, int64_t end_ns)
{
	kept_options.range = (struct time_range){ .has_begin = true,
						  .has_end = true,
						  .begin = { MOMENT_FROM_EPOCH, begin_ns },
						  .end = { MOMENT_FROM_EPOCH, end_ns } };
	begin_session_anew();
}

/* The report is about these nodes only. The session begins anew. */
static inline void choose_nodes(const char *pattern)
{
	destroy_session();
	g_clear_pointer(&kept_nodes, name_filter_destroy);
	kept_options.names.nodes = kept_nodes = name_filter_create((const char *const[]){ pattern, NULL });
	begin_session();
}

#endif
