/* SPDX-License-Identifier: MIT */
#include "ros2bt/reports/recordings.h"

#include "core/reports/merge/merged_rows.h"
#include "ros2bt/reports/merged_table.h"
#include "ros2bt/reports/trends.h"

struct recordings_table {
	const struct table_schema *schema; /* borrowed */
	struct merged_rows rows;
	struct trends *trends;
	bool has_rows, has_trends; /* somebody asked for them */
	struct merged_table *of_recording, *of_all;
};

struct recordings {
	struct table_output session_output;
	GArray *tables; /* struct recordings_table */
};

static struct recordings_table *table_at(const struct recordings *recordings, guint index)
{
	return &g_array_index(recordings->tables, struct recordings_table, index);
}

static void table_clear(gpointer data)
{
	struct recordings_table *table = data;

	merged_rows_clear(&table->rows);
	trends_destroy(table->trends);
	merged_table_destroy(table->of_recording);
	merged_table_destroy(table->of_all);
}

static void add_table(struct recordings *recordings, const struct table_schema *schema)
{
	static const char *const attribute = RECORDING_COLUMN;
	struct recordings_table *table;

	g_array_set_size(recordings->tables, recordings->tables->len + 1);
	table = table_at(recordings, recordings->tables->len - 1);
	table->schema = schema;
	table->of_recording = merged_table_create(schema);
	table->of_all = merged_table_create(schema);
	table->trends = trends_create(schema);
	merged_rows_init(&table->rows, schema, &attribute, 1);
}

/* Once all tables are added: outputs keep what they opened, and adding a table moves the others. */
static void open_tables(struct recordings *recordings, struct table_output *tables, bool has_rows)
{
	for (guint i = 0; i < recordings->tables->len; i++) {
		struct recordings_table *table = table_at(recordings, i);

		table->has_rows = has_rows && merged_rows_open(&table->rows, tables);
		table->has_trends = table_has_statistics(table->schema) && trends_open(table->trends, tables);
	}
}

static struct table_writer *open_for_session(struct table_output *output, const struct table_schema *schema)
{
	const struct recordings *recordings = (const struct recordings *)output;

	for (guint i = 0; i < recordings->tables->len; i++) {
		const struct recordings_table *table = table_at(recordings, i);

		if (table->schema == schema && (table->has_rows || table->has_trends)) {
			return merged_table_writer(table->of_recording);
		}
	}
	return NULL;
}

struct recordings *recordings_create(const struct table_schema *const *schemas, struct table_output *tables,
				     bool has_rows)
{
	struct recordings *recordings = g_new0(struct recordings, 1);

	recordings->session_output.open = open_for_session;
	recordings->tables = g_array_new(FALSE, TRUE, sizeof(struct recordings_table));
	g_array_set_clear_func(recordings->tables, table_clear);
	for (size_t i = 0; schemas[i]; i++) {
		if (table_can_be_merged(schemas[i])) {
			add_table(recordings, schemas[i]);
		}
	}
	open_tables(recordings, tables, has_rows);
	return recordings;
}

void recordings_destroy(struct recordings *recordings)
{
	if (recordings) {
		g_array_unref(recordings->tables);
		g_free(recordings);
	}
}

struct table_output *recordings_tables(struct recordings *recordings)
{
	return &recordings->session_output;
}

static struct cell sum_of(const struct recordings_table *table, size_t column)
{
	g_autoptr(GPtrArray) rows = merged_table_rows(table->of_recording);
	struct cell sum = CELL_NONE;

	for (guint i = 0; i < rows->len; i++) {
		const struct merged_row *row = g_ptr_array_index(rows, i);

		if (row->cells[column].type == CELL_UNSIGNED) {
			sum = cell_unsigned((sum.type == CELL_EMPTY ? 0 : sum.unsigned_integer) +
					    row->cells[column].unsigned_integer);
		}
	}
	return sum;
}

struct cell recordings_sum(const struct recordings *recordings, enum table_subject subject, enum column_meaning means)
{
	for (guint i = 0; i < recordings->tables->len; i++) {
		const struct table_schema *schema = table_at(recordings, i)->schema;
		int column = schema->subject == subject ? table_find_meaning(schema, means, SIDE_NONE) : -1;

		if (column >= 0) {
			return sum_of(table_at(recordings, i), (size_t)column);
		}
	}
	return CELL_NONE;
}

static void end_table(struct recordings_table *table, const char *name, int64_t begin_ns)
{
	g_autoptr(GPtrArray) rows = merged_table_rows(table->of_recording);

	if (table->has_rows) {
		merged_rows_write(&table->rows, table->of_recording, &name, 1);
	}
	for (guint i = 0; table->has_trends && i < rows->len; i++) {
		const struct merged_row *of_recording = g_ptr_array_index(rows, i);

		trends_add(table->trends, table->of_all, merged_table_add(table->of_all, of_recording), begin_ns,
			   of_recording);
	}
	merged_table_clear(table->of_recording);
}

void recordings_end(struct recordings *recordings, const char *name, int64_t begin_ns)
{
	for (guint i = 0; i < recordings->tables->len; i++) {
		end_table(table_at(recordings, i), name, begin_ns);
	}
}

bool recordings_write_trends(struct recordings *recordings)
{
	bool are_wanted = false, has_rows = false;

	for (guint i = 0; i < recordings->tables->len; i++) {
		const struct recordings_table *table = table_at(recordings, i);

		if (table->has_trends) {
			are_wanted = true;
			has_rows |= trends_write(table->trends, table->of_all);
		}
	}
	return has_rows || !are_wanted;
}
