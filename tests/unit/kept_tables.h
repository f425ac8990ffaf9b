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
	GPtrArray *rows; /* GHashTable: column → text */
};

static struct table_output kept_output;
static GPtrArray *kept_tables; /* struct kept_table * */
static struct analysis_options kept_options;
static struct session *session;
static struct name_filter *kept_nodes; /* of choose_nodes() */

static inline char *kept_text(const struct cell *cell)
{
	switch (cell->type) {
	case CELL_INTEGER:
		return g_strdup_printf("%" PRId64, cell->integer);
	case CELL_UNSIGNED:
		return g_strdup_printf("%" PRIu64, cell->unsigned_integer);
	case CELL_REAL:
		return g_strdup_printf("%g", cell->real);
	case CELL_TEXT:
		return g_strdup(cell->text);
	case CELL_ADDRESS:
		return g_strdup_printf("0x%" PRIx64, cell->unsigned_integer);
	default:
		return g_strdup("");
	}
}

static inline void kept_add(GHashTable *row, const char *name, const char *suffix, char *text)
{
	g_hash_table_insert(row, g_strconcat(name, suffix, NULL), text);
}

static inline void kept_add_statistic(GHashTable *row, const char *name, const struct duration_statistics *statistic)
{
	struct duration_totals totals = duration_statistics_totals(statistic);
	const struct {
		const char *suffix;
		int64_t ns;
	} values[] = {
		{ "_min_ns", totals.min_ns },
		{ "_p50_ns", totals.count ? duration_statistics_quantile(statistic, 0.5) : 0 },
		{ "_max_ns", totals.max_ns },
		{ "_max_at_ns", statistic->longest_at_ns },
	};

	kept_add(row, name, "_count", g_strdup_printf("%" PRIu64, totals.count));
	kept_add(row, name, "_sum_ns", g_strdup_printf("%" PRId64, (int64_t)totals.sum_ns));
	for (size_t i = 0; i < G_N_ELEMENTS(values); i++) {
		kept_add(row, name, values[i].suffix,
			 totals.count ? g_strdup_printf("%" PRId64, values[i].ns) : g_strdup(""));
	}
}

static inline void kept_row(struct table_writer *writer, const struct cell *cells)
{
	struct kept_table *table = (struct kept_table *)writer;
	GHashTable *row = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);

	for (size_t i = 0; i < table->schema->column_count; i++) {
		if (cells[i].type == CELL_STATISTIC) {
			kept_add_statistic(row, table->schema->columns[i].name, cells[i].statistic);
		} else {
			kept_add(row, table->schema->columns[i].name, "", kept_text(&cells[i]));
		}
	}
	g_ptr_array_add(table->rows, row);
}

static inline struct table_writer *kept_open(struct table_output *output, const struct table_schema *schema)
{
	struct kept_table *table = g_new0(struct kept_table, 1);

	table->writer.row = kept_row;
	table->schema = schema;
	table->rows = g_ptr_array_new_with_free_func((GDestroyNotify)g_hash_table_unref);
	g_ptr_array_add(kept_tables, table);
	return &table->writer;
}

static inline void kept_table_destroy(gpointer data)
{
	g_ptr_array_unref(((struct kept_table *)data)->rows);
	g_free(data);
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
	return kept_table(table)->rows->len;
}

static inline const char *cell_of(const char *table, guint row, const char *column)
{
	const char *text;

	cr_assert_lt(row, row_count(table), "%s has %u rows", table, row_count(table));
	text = g_hash_table_lookup(kept_table(table)->rows->pdata[row], column);
	cr_assert_not_null(text, "%s has no column %s", table, column);
	return text;
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

/* Only what happens from begin_ns to end_ns counts. The session begins anew. */
static inline void limit_range(int64_t begin_ns, int64_t end_ns)
{
	destroy_session();
	kept_options.range = (struct time_range){ .has_begin = true,
						  .has_end = true,
						  .begin = { MOMENT_FROM_EPOCH, begin_ns },
						  .end = { MOMENT_FROM_EPOCH, end_ns } };
	begin_session();
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
