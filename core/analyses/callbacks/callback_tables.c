/* SPDX-License-Identifier: MIT */
#include "core/analyses/callbacks/callback_tables.h"

#include "core/analyses/shared/callback_choice.h"
#include "core/analyses/shared/callback_text.h"
#include "core/analyses/shared/cells.h"
#include "core/analyses/shared/columns.h"
#include "core/analyses/shared/node_or_process.h"
#include "core/analyses/shared/row_process.h"
#include "core/base/compare_numbers.h"
#include "core/base/slots.h"
#include "core/text/hidden_names.h"

/* Rows of callbacks that never ran are only counted. */
#define HINT_NEVER_RAN HINT_IDLE("never ran")
#define HINT_NEXT_IF_EMPTY HINT(.next_if_empty = true)
#define HINT_SOURCE HINT(.next_if_empty = true, .may_be_hidden = true)

static const struct table_column columns[] = {
	{ .name = "callback_id", .role = COLUMN_ROLE_HIDDEN },
	COLUMNS_OF_PROCESS_GROUP,
	{ .name = "node", .merge = COLUMN_MERGE_KEY, .role = COLUMN_ROLE_GROUP, .hints = HINT_MAY_BE_HIDDEN },
	{ .name = "kind", .merge = COLUMN_MERGE_KEY },
	{ .name = "source", .merge = COLUMN_MERGE_KEY, .format = COLUMN_DURATION, .hints = HINT_SOURCE },
	{ .name = "symbol",
	  .merge = COLUMN_MERGE_KEY,
	  .format = COLUMN_NAME,
	  .role = COLUMN_ROLE_DETAIL,
	  .hints = HINT_NEXT_IF_EMPTY },
	{ .name = "callback", .role = COLUMN_ROLE_HIDDEN },
	{ .name = "count", .merge = COLUMN_MERGE_SUM, .hints = HINT_NEVER_RAN },
	{ .name = "incomplete", .merge = COLUMN_MERGE_SUM, .role = COLUMN_ROLE_DETAIL, .hints = HINT_NEVER_RAN },
	{ .name = "duration", .format = COLUMN_STATISTIC, .counted_by = "count", .lacks = "doubtful" },
	{ .name = "period", .format = COLUMN_STATISTIC, .hints = HINT_BRIEF },
	{ .name = "gap", .format = COLUMN_STATISTIC, .hints = HINT_BRIEF },
	{ .name = "doubtful", .merge = COLUMN_MERGE_SUM, .role = COLUMN_ROLE_DETAIL, .hints = HINT_NEVER_RAN },
	{ .name = "rate_hz", .label = "rate", .format = COLUMN_RATE, .role = COLUMN_ROLE_DETAIL },
	{ .name = "deferred", .role = COLUMN_ROLE_HIDDEN, .hints = HINT_NEVER_RAN },
	COLUMN_WHICH("which", "which"),
};

enum {
	COLUMN_ID,
	COLUMN_HOSTNAME,
	COLUMN_VPID,
	COLUMN_PROCNAME,
	COLUMN_NODE,
	COLUMN_KIND,
	COLUMN_SOURCE,
	COLUMN_SYMBOL,
	COLUMN_CALLBACK,
	COLUMN_COUNT,
	COLUMN_INCOMPLETE,
	COLUMN_DURATION_STATISTIC,
	COLUMN_PERIOD_STATISTIC,
	COLUMN_GAP_STATISTIC,
	COLUMN_DOUBTFUL,
	COLUMN_RATE_HZ,
	COLUMN_DEFERRED,
	COLUMN_WHICH_ONE,
	COLUMNS,
};

_Static_assert(G_N_ELEMENTS(columns) == COLUMNS, "one enumerator a column");

static const struct table_schema schema = {
	.name = "callbacks",
	.title = "Callbacks",
	.selection = "callbacks",
	.is_of_processes = true,
	.columns = columns,
	.column_count = G_N_ELEMENTS(columns),
};

static const struct table_column instance_columns[] = {
	{ .name = "callback_id" },
	{ .name = "vtid" },
	{ .name = "start_ns", .label = "start", .format = COLUMN_TIME },
	{ .name = "end_ns", .label = "end", .format = COLUMN_TIME },
	{ .name = "duration_ns", .label = "duration", .format = COLUMN_DURATION },
	{ .name = "doubtful" },
	{ .name = "start_cpu" },
	{ .name = "end_cpu" },
};

static const struct table_schema instance_schema = {
	.name = "callback_instances",
	.title = "Callback executions",
	.selection = "callbacks",
	.is_instances = true,
	.columns = instance_columns,
	.column_count = G_N_ELEMENTS(instance_columns),
};

/* A callback in a summary. */
#define COLUMNS_OF_CALLBACK                                                                                            \
	{ .name = "node", .merge = COLUMN_MERGE_KEY, .format = COLUMN_NAME }, COLUMN_HOST("hostname", "on"),           \
		COLUMN_PROCESS("vpid"), { .name = "kind", .merge = COLUMN_MERGE_KEY },                                 \
		{ .name = "source", .merge = COLUMN_MERGE_KEY, .format = COLUMN_DURATION },                            \
		COLUMN_WHICH("which", "which")

static const struct table_column busiest_columns[] = {
	COLUMNS_OF_CALLBACK,
	{ .name = "rate_hz", .label = "rate", .format = COLUMN_RATE },
	{ .name = "total_ns", .label = "total", .format = COLUMN_DURATION },
	{ .name = "share_percent", .label = "of the time", .format = COLUMN_PERCENT },
	{ .name = "p99_ns", .label = "p99", .format = COLUMN_DURATION },
};

static const struct table_schema busiest_schema = {
	.name = "busiest_callbacks",
	.title = "Busiest callbacks",
	.selection = "callbacks",
	.summary = 3,
	.columns = busiest_columns,
	.column_count = G_N_ELEMENTS(busiest_columns),
};

static const struct table_column longest_columns[] = {
	COLUMNS_OF_CALLBACK,
	{ .name = "duration_ns", .label = "duration", .format = COLUMN_DURATION },
	{ .name = "start_ns", .label = "at", .format = COLUMN_MOMENT },
	{ .name = "p99_ns", .label = "p99", .format = COLUMN_DURATION },
};

static const struct table_schema longest_schema = {
	.name = "longest_executions",
	.title = "Longest executions",
	.selection = "callbacks",
	.summary = 4,
	.columns = longest_columns,
	.column_count = G_N_ELEMENTS(longest_columns),
};

static const struct table_column worst_columns[] = {
	{ .name = "callback_id", .role = COLUMN_ROLE_HIDDEN },
	{ .name = "rank" },
	{ .name = "vtid", .label = "thread" },
	{ .name = "start_ns", .label = "at", .format = COLUMN_MOMENT },
	{ .name = "duration_ns", .label = "duration", .format = COLUMN_DURATION },
};

static const struct table_schema worst_schema = {
	.name = "worst_executions",
	.title = "Worst executions",
	.selection = "callbacks",
	.parent = "callbacks",
	.is_worst = true,
	.columns = worst_columns,
	.column_count = G_N_ELEMENTS(worst_columns),
};

/* clang-format off */
const struct table_schema *const callback_tables[] = {
	[TABLE_CALLBACKS] = &schema,
	[TABLE_INSTANCES] = &instance_schema,
	[TABLE_BUSIEST] = &busiest_schema,
	[TABLE_LONGEST] = &longest_schema,
	[TABLE_WORST] = &worst_schema,
	NULL,
};
/* clang-format on */

static bool is_chosen(const struct callbacks *callbacks, struct model_callback *callback)
{
	return callback_is_chosen(callbacks->options, callbacks->model, callback);
}

static struct cell thread_cell(const struct callbacks *callbacks, uint32_t thread)
{
	return vtid_cell(recording_thread(callbacks->recording, thread));
}

void callback_tables_write_instance(const struct callbacks *callbacks, const struct callback_row *row,
				    const struct execution *execution, enum execution_outcome outcome)
{
	const struct cell cells[] = {
		cell_unsigned(row->id),
		thread_cell(callbacks, execution->thread),
		outcome == EXECUTION_WITHOUT_START ? CELL_NONE : cell_integer(execution->start_ns),
		outcome == EXECUTION_WITHOUT_END ? CELL_NONE : cell_integer(execution->end_ns),
		execution_is_whole(outcome) ? cell_integer(execution->end_ns - execution->start_ns) : CELL_NONE,
		cell_integer(outcome == EXECUTION_DOUBTFUL),
		outcome == EXECUTION_WITHOUT_START ? CELL_NONE : cpu_cell(callbacks->recording, execution->stream),
		outcome == EXECUTION_WITHOUT_END ? CELL_NONE : cpu_cell(callbacks->recording, execution->end_stream),
	};

	if (is_chosen(callbacks, execution->callback)) {
		TABLE_ROW(callbacks->instance_writer, instance_columns, cells);
	}
}

void callback_tables_write_inferred(const struct callbacks *callbacks, const struct callback_row *row,
				    const struct inferred_execution *execution)
{
	const struct cell cells[] = {
		cell_unsigned(row->id),
		thread_cell(callbacks, execution->thread),
		cell_integer(execution->start_ns),
		CELL_NONE,
		CELL_NONE,
		cell_integer(0),
		CELL_NONE,
		CELL_NONE,
	};

	if (is_chosen(callbacks, execution->callback)) {
		TABLE_ROW(callbacks->instance_writer, instance_columns, cells);
	}
}

/* --- rows --- */

/* A row as it is sorted and written. */
struct output_row {
	struct model_callback *callback;
	const struct callback_row *row; /* NULL: never ran */
	bool is_chosen;			/* the report is about the callback */
	const char *name;		/* in a summary: the node, or else the process */
	const char *which;		/* object_numbers_callback(); as a row is written */
	struct row_process process;
	const char *source_text; /* NULL: none, or a period */
	__int128 sum_ns;	 /* of the durations, -1 if it never ran */
	struct model_callback_info info;
};

static int compare_callbacks(const struct output_row *left, const struct output_row *right)
{
	int order = (left->sum_ns < right->sum_ns) - (left->sum_ns > right->sum_ns); /* 128 bits */

	order = order ? order : compare_integers(left->info.kind, right->info.kind);
	order = order ? order : g_strcmp0(left->source_text, right->source_text);
	order = order ? order : compare_integers(left->info.period_ns, right->info.period_ns);
	order = order ? order : g_strcmp0(left->info.symbol, right->info.symbol);
	order = order ? order : compare_unsigned(left->callback->address, right->callback->address);
	return !order && left->row && right->row ? compare_unsigned(left->row->id, right->row->id) : order;
}

static int compare_rows(gconstpointer a, gconstpointer b)
{
	const struct output_row *left = a;
	const struct output_row *right = b;
	int order = compare_row_processes(&left->process, &right->process);

	order = order ? order : g_strcmp0(left->info.node, right->info.node);
	return order ? order : compare_callbacks(left, right);
}

static struct output_row output_row_of(const struct callbacks *callbacks, size_t index)
{
	struct model_callback *callback = object_model_callback_at(callbacks->model, index);
	struct output_row row = {
		.callback = callback,
		.row = slot_get(callbacks->rows, (uint32_t)index),
		.process = row_process_of(callbacks->recording, callback->process),
		.info = *object_model_callback_info(callbacks->model, callback),
	};

	row.source_text = callback_source(&row.info);
	row.sum_ns = row.row ? duration_statistics_totals(&row.row->duration).sum_ns : -1;
	return row;
}

/* How often a callback starts; empty where no period was measured. */
static struct cell start_rate_cell(const struct callback_row *row)
{
	double period_ns = duration_statistics_mean(&row->period);

	return period_ns > 0 ? cell_real((double)NS_PER_S / period_ns) : CELL_NONE;
}

static struct cell source_cell(const struct output_row *output)
{
	return output->info.has_period ? cell_integer(output->info.period_ns) : cell_text(output->source_text);
}

static void write_row(const struct callbacks *callbacks, struct table_writer *writer, const struct output_row *output,
		      uint64_t id)
{
	static const struct callback_row never_ran;
	const struct callback_row *row = output->row ? output->row : &never_ran;
	bool is_deferred = executions_is_deferred(callbacks->executions, output->callback);
	g_autofree char *which = object_numbers_callback(callbacks->numbers, output->callback);
	const struct cell cells[] = {
		[COLUMN_ID] = cell_unsigned(id),
		[COLUMN_HOSTNAME] = cell_text(output->process.hostname),
		[COLUMN_VPID] = vpid_cell(output->process.process),
		[COLUMN_PROCNAME] = cell_text(output->process.process->procname),
		[COLUMN_NODE] = cell_text(output->info.node),
		[COLUMN_KIND] = cell_text(callback_kind_name(output->info.kind)),
		[COLUMN_SOURCE] = source_cell(output),
		[COLUMN_SYMBOL] = cell_text(output->info.symbol),
		[COLUMN_CALLBACK] = output->info.kind == CALLBACK_KIND_INFERRED
					    ? CELL_NONE
					    : cell_address(output->callback->address),
		[COLUMN_COUNT] = cell_unsigned(row->count),
		[COLUMN_INCOMPLETE] = cell_unsigned(row->without_start + (is_deferred ? 0 : row->without_end)),
		[COLUMN_DURATION_STATISTIC] = cell_statistic(&row->duration),
		[COLUMN_PERIOD_STATISTIC] = cell_statistic(&row->period),
		[COLUMN_GAP_STATISTIC] = cell_statistic(&row->gap),
		[COLUMN_DOUBTFUL] = cell_unsigned(row->doubtful),
		[COLUMN_RATE_HZ] = start_rate_cell(row),
		[COLUMN_DEFERRED] = cell_unsigned(is_deferred ? row->without_end : 0),
		[COLUMN_WHICH_ONE] = cell_text(which),
	};

	TABLE_ROW(writer, columns, cells);
}

static void write_worst(const struct callbacks *callbacks, struct table_writer *writer, const struct callback_row *row)
{
	size_t count;
	g_autofree struct worst_instance *worst = worst_sorted(row->worst, &count);

	for (size_t i = 0; i < count; i++) {
		const struct worst_execution *execution = worst[i].kept;

		TABLE_ROW(writer, worst_columns,
			  (struct cell[]){
				  cell_unsigned(row->id),
				  cell_unsigned(i + 1),
				  thread_cell(callbacks, execution->thread),
				  cell_integer(worst[i].start_ns),
				  cell_integer(worst[i].duration_ns),
			  });
	}
}

/* --- summaries --- */

/* By total duration, the longest first; callbacks that never ran come last. */
static gint compare_totals(gconstpointer a, gconstpointer b)
{
	const struct output_row *left = a;
	const struct output_row *right = b;
	int order = (left->sum_ns < right->sum_ns) - (left->sum_ns > right->sum_ns);

	return order ? order : compare_rows(a, b);
}

static int64_t longest_ns(const struct output_row *output)
{
	return output->row ? output->row->duration.longest_ns : INT64_MIN;
}

static gint compare_longest(gconstpointer a, gconstpointer b)
{
	int order = compare_integers(longest_ns(b), longest_ns(a));

	return order ? order : compare_rows(a, b);
}

static bool is_hidden(const struct output_row *output)
{
	return (output->info.node && name_is_hidden(output->info.node)) ||
	       (output->source_text && name_is_hidden(output->source_text));
}

static void write_busy(const struct callbacks *callbacks, struct table_writer *writer, const struct output_row *output)
{
	double span_ns = (double)callbacks->span->end_ns - (double)callbacks->span->begin_ns;
	double total_ns = (double)output->sum_ns, covered_ns = total_ns;

	if (G_UNLIKELY(coverage_has_any(callbacks->coverage)) && span_ns > 0) {
		span_ns -= (double)coverage_process_lost_ns(callbacks->coverage, output->callback->process,
							    callbacks->span->begin_ns, callbacks->span->end_ns);
		covered_ns -= (double)covered_time_uncovered_ns(&output->row->time, callbacks->coverage);
	}

	TABLE_ROW(writer, busiest_columns,
		  (struct cell[]){
			  cell_text(output->name),
			  cell_text(output->process.hostname),
			  vpid_cell(output->process.process),
			  cell_text(callback_kind_name(output->info.kind)),
			  source_cell(output),
			  cell_text(output->which),
			  start_rate_cell(output->row),
			  cell_real(total_ns),
			  share_cell(covered_ns, span_ns),
			  cell_integer(duration_statistics_quantile(&output->row->duration, 0.99)),
		  });
}

static void write_long(const struct callbacks *callbacks, struct table_writer *writer, const struct output_row *output)
{
	const struct duration_statistics *duration = &output->row->duration;

	TABLE_ROW(writer, longest_columns,
		  (struct cell[]){
			  cell_text(output->name),
			  cell_text(output->process.hostname),
			  vpid_cell(output->process.process),
			  cell_text(callback_kind_name(output->info.kind)),
			  source_cell(output),
			  cell_text(output->which),
			  cell_integer(duration->longest_ns),
			  cell_integer(duration->longest_at_ns),
			  cell_integer(duration_statistics_quantile(duration, 0.99)),
		  });
}

/* The first rows that are neither hidden nor without a duration. */
static void write_summary(const struct callbacks *callbacks, struct table_writer *writer, GArray *rows,
			  GCompareFunc compare,
			  void (*write)(const struct callbacks *callbacks, struct table_writer *writer,
					const struct output_row *output))
{
	size_t count = 0;

	if (!writer) {
		return;
	}
	g_array_sort(rows, compare);
	for (guint i = 0; i < rows->len && count < SUMMARY_ROWS; i++) {
		struct output_row row = g_array_index(rows, struct output_row, i);

		if (row.is_chosen && row.row && row.row->count > 0 && row.info.kind != CALLBACK_KIND_INFERRED &&
		    !is_hidden(&row)) {
			g_autofree char *name = node_or_process(row.info.node, row.process.process);
			g_autofree char *which = object_numbers_callback(callbacks->numbers, row.callback);

			row.name = name;
			row.which = which;
			write(callbacks, writer, &row);
			count++;
		}
	}
}

void callback_tables_write(const struct callbacks *callbacks, struct table_writer *const *writers)
{
	size_t count = object_model_callback_count(callbacks->model);
	g_autoptr(GArray) rows = g_array_sized_new(FALSE, FALSE, sizeof(struct output_row), (guint)count);
	uint64_t next_id = callback_ids_count(callbacks->ids);

	if (!writers[TABLE_CALLBACKS]) {
		return;
	}
	for (size_t i = 0; i < count; i++) {
		struct output_row row = output_row_of(callbacks, i);

		g_array_append_val(rows, row);
	}
	g_array_sort(rows, compare_rows);
	for (guint i = 0; i < rows->len; i++) {
		struct output_row *row = &g_array_index(rows, struct output_row, i);
		uint64_t id = row->row ? row->row->id : next_id++;

		row->is_chosen = is_chosen(callbacks, row->callback);
		if (row->is_chosen) {
			write_row(callbacks, writers[TABLE_CALLBACKS], row, id);
			if (row->row && writers[TABLE_WORST]) {
				write_worst(callbacks, writers[TABLE_WORST], row->row);
			}
		}
	}
	write_summary(callbacks, writers[TABLE_BUSIEST], rows, compare_totals, write_busy);
	write_summary(callbacks, writers[TABLE_LONGEST], rows, compare_longest, write_long);
}
