/* SPDX-License-Identifier: MIT */
#include "core/analyses/counters/counter_tables.h"

#include "core/analyses/shared/callback_choice.h"
#include "core/analyses/shared/callback_text.h"
#include "core/analyses/shared/cells.h"
#include "core/analyses/shared/columns.h"
#include "core/analyses/shared/row_process.h"
#include <string.h>

static const struct table_column columns[] = {
	{ .name = "callback_id", .role = COLUMN_ROLE_HIDDEN },
	{ .name = "counter", .merge = COLUMN_MERGE_KEY, .role = COLUMN_ROLE_GROUP },
	{ .name = "count", .merge = COLUMN_MERGE_SUM, .hints = HINT_IDLE("not counted on this machine") },
	{ .name = "sum", .merge = COLUMN_MERGE_SUM, .hints = HINT_MARKED },
	{ .name = "min", .role = COLUMN_ROLE_DETAIL },
	{ .name = "mean" },
	{ .name = "max", .merge = COLUMN_MERGE_MAX },
	{ .name = "p50" },
	{ .name = "p99" },
	{ .name = "unknown", .merge = COLUMN_MERGE_SUM, .hints = HINT_ONLY_IF_ANY },
	{ .name = "unit", .merge = COLUMN_MERGE_KEY, .role = COLUMN_ROLE_HIDDEN },
	{ .name = "share_percent", .label = "of duration", .format = COLUMN_PERCENT },
	{ .name = "callback", .merge = COLUMN_MERGE_KEY, .format = COLUMN_NAME, .hints = HINT_LEADS },
	COLUMN_HOST("hostname", "on"),
	{ .name = "vpid", .label = "pid", .role = COLUMN_ROLE_DETAIL, .hints = HINT_TELLS_APART(PROCESS) },
};

static const struct table_schema schema = {
	.name = "counters",
	.title = "Counters",
	.selection = "counters",
	.is_optional = true,
	.why_empty = "needs contexts such as perf:thread:task-clock, see docs/counters.md",
	.key_count = 2,
	.is_of_processes = true,
	.columns = columns,
	.column_count = G_N_ELEMENTS(columns),
};

static const struct table_column instance_columns[] = {
	{ .name = "callback_id" },
	{ .name = "counter" },
	{ .name = "vtid", .label = "thread" },
	{ .name = "start_ns", .label = "start", .format = COLUMN_TIME },
	{ .name = "end_ns", .label = "end", .format = COLUMN_TIME },
	{ .name = "value" },
};

static const struct table_schema instance_schema = {
	.name = "counter_instances",
	.title = "Counters of executions",
	.selection = "counters",
	.is_instances = true,
	.is_optional = true,
	.columns = instance_columns,
	.column_count = G_N_ELEMENTS(instance_columns),
};

/* clang-format off */
const struct table_schema *const counter_tables[] = {
	[TABLE_COUNTERS] = &schema,
	[TABLE_COUNTER_INSTANCES] = &instance_schema,
	NULL,
};
/* clang-format on */

/* A row as it is sorted and written. */
struct output_row {
	const struct counter *counter;
	const struct counter_row *row;
	const struct counter_cell *cell;
	struct row_process process;
	char *name; /* owned */
	__int128 sum;
};

static void output_row_clear(gpointer data)
{
	g_free(((struct output_row *)data)->name);
}

static const struct counter *counter_at(const struct counters *counters, guint index)
{
	return &g_array_index(counters->counters, struct counter, index);
}

void counter_tables_write_instance(const struct counters *counters, const struct counter_row *row,
				   const struct counter *counter, const struct execution *execution, int64_t value)
{
	if (!callback_is_chosen(counters->options, counters->model, execution->callback)) {
		return;
	}
	TABLE_ROW(counters->instance_writer, instance_columns,
		  (struct cell[]){
			  cell_unsigned(row->id),
			  cell_text(counter->name),
			  vtid_cell(recording_thread(counters->recording, execution->thread)),
			  cell_integer(execution->start_ns),
			  cell_integer(execution->end_ns),
			  cell_integer(value),
		  });
}

/* A row for each counter that was recorded with a callback. */
static void add_rows(const struct counters *counters, GArray *rows, guint index)
{
	struct model_callback *callback = object_model_callback_at(counters->model, index);
	const struct counter_row *row = counters->rows->pdata[index];

	for (guint i = 0; i < row->cells->len; i++) {
		const struct counter_cell *cell = row->cells->pdata[i];
		struct output_row output = {
			.counter = counter_at(counters, i),
			.row = row,
			.cell = cell,
			.process = row_process_of(counters->recording, callback->process),
		};

		if (cell) {
			output.name = callback_text(callback, counters->model);
			output.sum = duration_statistics_totals(&cell->counted).sum_ns;
			g_array_append_val(rows, output);
		}
	}
}

/* By counter; then callbacks with the largest sums come first. */
static gint compare_rows(gconstpointer a, gconstpointer b)
{
	const struct output_row *left = a;
	const struct output_row *right = b;
	int order = strcmp(left->counter->name, right->counter->name);

	order = order ? order : (left->sum < right->sum) - (left->sum > right->sum); /* 128 bits */
	order = order ? order : strcmp(left->process.hostname, right->process.hostname);
	order = order ? order : strcmp(left->name, right->name);
	return order ? order : compare_unsigned(left->row->id, right->row->id);
}

/* The sum; empty where 64 bits cannot hold it. */
static struct cell sum_cell(const struct duration_totals *totals)
{
	bool fits = totals->count > 0 && totals->sum_ns == (int64_t)totals->sum_ns;

	return fits ? cell_integer((int64_t)totals->sum_ns) : CELL_NONE;
}

static void write_row(struct table_writer *writer, const struct output_row *output)
{
	static const struct duration_statistics none;
	const struct duration_statistics *counted = output->counter->has_changed ? &output->cell->counted : &none;
	struct duration_totals totals = duration_statistics_totals(counted);
	bool has_any = totals.count > 0;
	bool has_share = has_any && output->counter->is_time;

	TABLE_ROW(writer, columns,
		  (struct cell[]){
			  cell_unsigned(output->row->id),
			  cell_text(output->counter->name),
			  cell_unsigned(totals.count),
			  sum_cell(&totals),
			  has_any ? cell_integer(totals.min_ns) : CELL_NONE,
			  has_any ? cell_real(duration_totals_mean(&totals)) : CELL_NONE,
			  has_any ? cell_integer(totals.max_ns) : CELL_NONE,
			  has_any ? cell_integer(duration_statistics_quantile_of(counted, &totals, 0.5)) : CELL_NONE,
			  has_any ? cell_integer(duration_statistics_quantile_of(counted, &totals, 0.99)) : CELL_NONE,
			  cell_unsigned(output->row->executions - totals.count),
			  cell_text(output->counter->is_time ? "ns" : NULL),
			  has_share ? share_cell((double)totals.sum_ns, (double)output->cell->duration_ns) : CELL_NONE,
			  cell_text(output->name),
			  cell_text(output->process.hostname),
			  vpid_cell(output->process.process),
		  });
}

void counter_tables_write(const struct counters *counters, struct table_writer *const *writers)
{
	g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(struct output_row));

	g_array_set_clear_func(rows, output_row_clear);
	for (guint i = 0; i < counters->rows->len && writers[TABLE_COUNTERS]; i++) {
		struct model_callback *callback = object_model_callback_at(counters->model, i);

		if (counters->rows->pdata[i] && callback_is_chosen(counters->options, counters->model, callback)) {
			add_rows(counters, rows, i);
		}
	}
	g_array_sort(rows, compare_rows);
	for (guint i = 0; i < rows->len; i++) {
		write_row(writers[TABLE_COUNTERS], &g_array_index(rows, struct output_row, i));
	}
}

void counter_tables_diagnose(const struct counters *counters, struct diagnostics *findings)
{
	for (guint i = 0; i < counters->counters->len; i++) {
		const struct counter *counter = counter_at(counters, i);

		if (!counter->has_changed) {
			diagnostics_add(findings, DIAGNOSTIC_COUNTER_STANDS_STILL, counter->name, 1);
		}
	}
}
