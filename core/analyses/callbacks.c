/* SPDX-License-Identifier: MIT */
#include "core/analyses/callbacks.h"

#include <string.h>

#include "ros2bt/duration_statistics.h"

struct callback_row {
	uint64_t id;
	uint64_t count, incomplete;
	uint32_t open;	      /* executions that have not ended */
	uint32_t last_phase;  /* of the last start */
	uint16_t last_stream; /* of the last start */
	bool has_last_start;  /* the last start lies in the range */
	bool has_last_end;    /* nothing has started since the last end */
	int64_t last_start_ns, last_end_ns;
	struct duration_statistics duration, period, gap;
};

struct callbacks {
	struct recording *recording; /* borrowed, like all up to here */
	struct object_model *model;
	const struct latency_options *options;
	GPtrArray *rows; /* struct callback_row * by index of the model's callback, in the arena; NULL: never ran */
	uint64_t next_id;
	GArray *columns;  /* struct table_column */
	GPtrArray *names; /* owned names of columns */
	struct table_schema schema;
	struct table_writer *writer;	      /* borrowed */
	struct table_writer *instance_writer; /* borrowed */
};

static const struct table_column leading_columns[] = {
	{ .name = "callback_id", .role = COLUMN_ROLE_HIDDEN },
	{ .name = "hostname", .label = "on", .role = COLUMN_ROLE_GROUP },
	{ .name = "vpid", .label = "pid", .role = COLUMN_ROLE_GROUP },
	{ .name = "procname", .label = "process", .role = COLUMN_ROLE_GROUP },
	{ .name = "node", .role = COLUMN_ROLE_GROUP },
	{ .name = "kind" },
	{ .name = "source", .format = COLUMN_DURATION, .next_if_empty = true },
	{ .name = "symbol", .format = COLUMN_NAME, .role = COLUMN_ROLE_DETAIL, .next_if_empty = true },
	{ .name = "callback", .role = COLUMN_ROLE_HIDDEN },
	{ .name = "count", .idle = "never ran" },
	{ .name = "incomplete", .role = COLUMN_ROLE_DETAIL, .idle = "never ran" },
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
	LEADING_COLUMNS,
};

_Static_assert(G_N_ELEMENTS(leading_columns) == LEADING_COLUMNS, "one enumerator a column");

static const struct table_column instance_columns[] = {
	{ .name = "callback_id" },
	{ .name = "vtid" },
	{ .name = "start_ns", .label = "start", .format = COLUMN_TIME },
	{ .name = "end_ns", .label = "end", .format = COLUMN_TIME },
	{ .name = "duration_ns", .label = "duration", .format = COLUMN_DURATION },
};

static const struct table_schema instance_schema = {
	.name = "callback_instances",
	.title = "Callback executions",
	.selection = "callbacks",
	.is_instances = true,
	.columns = instance_columns,
	.column_count = G_N_ELEMENTS(instance_columns),
};

static const char *const statistic_names[] = { "duration", "period", "gap" };

const char *callback_kind_name(enum callback_kind kind)
{
	static const char *const names[] = {
		[CALLBACK_KIND_UNKNOWN] = "unknown",
		[CALLBACK_KIND_SUBSCRIPTION] = "subscription",
		[CALLBACK_KIND_TIMER] = "timer",
		[CALLBACK_KIND_SERVICE] = "service",
	};

	return names[kind];
}

static void describe_columns(struct callbacks *callbacks)
{
	size_t count = duration_statistics_column_count(callbacks->options->quantile_count);
	GArray *columns = g_array_new(FALSE, TRUE, sizeof(struct table_column));

	callbacks->columns = columns;
	callbacks->names = g_ptr_array_new_with_free_func(g_free);
	g_array_append_vals(columns, leading_columns, LEADING_COLUMNS);
	for (size_t i = 0; i < G_N_ELEMENTS(statistic_names); i++) {
		guint first = columns->len;

		g_array_set_size(columns, first + (guint)count);
		duration_statistics_columns(statistic_names[i], callbacks->options->quantiles,
					    callbacks->options->quantile_count,
					    &g_array_index(columns, struct table_column, first), callbacks->names);
		if (i > 0) {
			duration_statistics_columns_reduce(&g_array_index(columns, struct table_column, first),
							   callbacks->options->quantile_count);
		}
	}
	callbacks->schema = (struct table_schema){
		.name = "callbacks",
		.title = "Callbacks",
		.selection = "callbacks",
		.columns = (const struct table_column *)(void *)columns->data,
		.column_count = columns->len,
	};
}

struct callbacks *callbacks_create(struct recording *recording, struct object_model *model,
				   const struct latency_options *options, struct table_output *output)
{
	struct callbacks *callbacks = g_new0(struct callbacks, 1);

	callbacks->recording = recording;
	callbacks->model = model;
	callbacks->options = options;
	callbacks->rows = g_ptr_array_new();
	describe_columns(callbacks);
	callbacks->writer = output->open(output, &callbacks->schema);
	callbacks->instance_writer = output->open(output, &instance_schema);
	return callbacks;
}

void callbacks_destroy(struct callbacks *callbacks)
{
	if (!callbacks) {
		return;
	}
	g_ptr_array_free(callbacks->rows, TRUE);
	g_array_free(callbacks->columns, TRUE);
	g_ptr_array_free(callbacks->names, TRUE);
	g_free(callbacks);
}

/* The row of a callback that runs. */
static struct callback_row *row_of(struct callbacks *callbacks, const struct model_callback *callback)
{
	struct callback_row *row;

	if (G_UNLIKELY(callback->index >= callbacks->rows->len)) {
		g_ptr_array_set_size(callbacks->rows, (gint)callback->index + 1);
	}
	row = callbacks->rows->pdata[callback->index];
	if (G_UNLIKELY(!row)) {
		struct arena *arena = recording_arena(callbacks->recording);

		row = arena_take(arena, sizeof(*row));
		row->id = callbacks->next_id++;
		duration_statistics_init(&row->duration, arena);
		duration_statistics_init(&row->period, arena);
		duration_statistics_init(&row->gap, arena);
		callbacks->rows->pdata[callback->index] = row;
	}
	return row;
}

/* Whether the trace lost nothing between the last start and this one. */
static bool is_continuous(const struct callback_row *row, const struct execution *execution)
{
	return row->last_phase == execution->phase &&
	       !(execution->is_near_loss && row->last_stream != execution->stream);
}

static void started(void *data, struct execution *execution)
{
	struct callbacks *callbacks = data;
	struct callback_row *row = row_of(callbacks, execution->callback);
	bool is_counted = latency_options_include(callbacks->options, execution->start_ns);

	if (is_counted && is_continuous(row, execution)) {
		if (row->has_last_start && execution->start_ns >= row->last_start_ns) {
			duration_statistics_add(&row->period, execution->start_ns - row->last_start_ns);
		}
		if (row->open == 0 && row->has_last_end && execution->start_ns >= row->last_end_ns) {
			duration_statistics_add(&row->gap, execution->start_ns - row->last_end_ns);
		}
	}
	row->open++;
	row->has_last_start = is_counted;
	row->has_last_end = false;
	row->last_start_ns = execution->start_ns;
	row->last_phase = execution->phase;
	row->last_stream = execution->stream;
}

static void write_instance(const struct callbacks *callbacks, const struct callback_row *row,
			   const struct execution *execution, enum execution_outcome outcome)
{
	const struct recording_thread *thread = recording_thread(callbacks->recording, execution->thread);
	const struct cell cells[] = {
		cell_unsigned(row->id),
		thread->has_vtid ? cell_integer(thread->vtid) : CELL_NONE,
		outcome == EXECUTION_WITHOUT_START ? CELL_NONE : cell_integer(execution->start_ns),
		outcome == EXECUTION_WITHOUT_END ? CELL_NONE : cell_integer(execution->end_ns),
		outcome == EXECUTION_COMPLETE ? cell_integer(execution->end_ns - execution->start_ns) : CELL_NONE,
	};

	table_row(callbacks->instance_writer, cells);
}

static void ended(void *data, struct execution *execution, enum execution_outcome outcome)
{
	struct callbacks *callbacks = data;
	struct callback_row *row = row_of(callbacks, execution->callback);
	bool is_counted = latency_options_include(
		callbacks->options, outcome == EXECUTION_WITHOUT_START ? execution->end_ns : execution->start_ns);

	row->open -= outcome != EXECUTION_WITHOUT_START;
	row->has_last_end = is_counted && outcome == EXECUTION_COMPLETE;
	row->last_end_ns = execution->end_ns;
	if (!is_counted) {
		return;
	}
	if (outcome == EXECUTION_COMPLETE) {
		row->count++;
		duration_statistics_add(&row->duration, execution->end_ns - execution->start_ns);
	} else {
		row->incomplete++;
	}
	if (callbacks->instance_writer) {
		write_instance(callbacks, row, execution, outcome);
	}
}

struct executions_listener callbacks_listener(struct callbacks *callbacks)
{
	return (struct executions_listener){ .data = callbacks, .started = started, .ended = ended };
}

/* The table */

/* A row as it is sorted and written. */
struct output_row {
	const struct model_callback *callback;
	const struct callback_row *row; /* NULL: never ran */
	const struct recording_process *process;
	const char *hostname;
	const char *source_text; /* NULL: none, or a period */
	__int128 sum_ns;	 /* of the durations, -1 if it never ran */
	struct model_callback_info info;
};

static const char *source_of(const struct model_callback_info *info)
{
	switch (info->kind) {
	case CALLBACK_KIND_SUBSCRIPTION:
		return info->subscription ? info->subscription->topic : NULL;
	case CALLBACK_KIND_SERVICE:
		return info->service ? info->service->name : NULL;
	default:
		return NULL;
	}
}

static int compare_integers(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int compare_callbacks(const struct output_row *left, const struct output_row *right)
{
	int order = (left->sum_ns < right->sum_ns) - (left->sum_ns > right->sum_ns);

	order = order ? order : compare_integers(left->info.kind, right->info.kind);
	order = order ? order : g_strcmp0(left->source_text, right->source_text);
	order = order ? order : compare_integers(left->info.period_ns, right->info.period_ns);
	order = order ? order : g_strcmp0(left->info.symbol, right->info.symbol);
	order = order ? order
		      : (left->callback->address > right->callback->address) -
				(left->callback->address < right->callback->address);
	if (!order && left->row && right->row) {
		order = (left->row->id > right->row->id) - (left->row->id < right->row->id);
	}
	return order;
}

static int compare_rows(gconstpointer a, gconstpointer b)
{
	const struct output_row *left = a;
	const struct output_row *right = b;
	int order = strcmp(left->hostname, right->hostname);

	order = order ? order : strcmp(left->process->procname, right->process->procname);
	order = order ? order : compare_integers(left->process->vpid, right->process->vpid);
	order = order ? order : g_strcmp0(left->info.node, right->info.node);
	return order ? order : compare_callbacks(left, right);
}

static struct output_row output_row_of(struct callbacks *callbacks, size_t index)
{
	struct model_callback *callback = object_model_callback_at(callbacks->model, index);
	const struct recording_process *process = recording_process(callbacks->recording, callback->process);
	struct output_row row = {
		.callback = callback,
		.row = index < callbacks->rows->len ? callbacks->rows->pdata[index] : NULL,
		.process = process,
		.hostname = recording_host(callbacks->recording, process->host)->hostname,
	};

	row.info = *object_model_callback_info(callbacks->model, callback);
	row.source_text = source_of(&row.info);
	row.sum_ns = row.row ? duration_statistics_totals(&row.row->duration).sum_ns : -1;
	return row;
}

static void write_row(struct callbacks *callbacks, const struct output_row *output, uint64_t id, struct cell *cells)
{
	static const struct callback_row never_ran;
	const struct latency_options *options = callbacks->options;
	const struct callback_row *row = output->row ? output->row : &never_ran;
	const struct duration_statistics *statistics[] = { &row->duration, &row->period, &row->gap };
	size_t cell_count = duration_statistics_column_count(options->quantile_count);

	cells[COLUMN_ID] = cell_unsigned(id);
	cells[COLUMN_HOSTNAME] = cell_text(output->hostname);
	cells[COLUMN_VPID] = output->process->has_vpid ? cell_integer(output->process->vpid) : CELL_NONE;
	cells[COLUMN_PROCNAME] = cell_text(output->process->procname);
	cells[COLUMN_NODE] = cell_text(output->info.node);
	cells[COLUMN_KIND] = cell_text(callback_kind_name(output->info.kind));
	cells[COLUMN_SOURCE] =
		output->info.has_period ? cell_integer(output->info.period_ns) : cell_text(output->source_text);
	cells[COLUMN_SYMBOL] = cell_text(output->info.symbol);
	cells[COLUMN_CALLBACK] = cell_address(output->callback->address);
	cells[COLUMN_COUNT] = cell_unsigned(row->count);
	cells[COLUMN_INCOMPLETE] = cell_unsigned(row->incomplete);
	for (size_t i = 0; i < G_N_ELEMENTS(statistics); i++) {
		duration_statistics_cells(statistics[i], options->quantiles, options->quantile_count,
					  cells + LEADING_COLUMNS + i * cell_count);
	}
	table_row(callbacks->writer, cells);
}

static void diagnose(const struct callbacks *callbacks, const struct output_row *row, struct diagnostics *diagnostics)
{
	uint32_t process = row->callback->process;
	bool has_owner = row->info.kind == CALLBACK_KIND_TIMER || row->info.subscription || row->info.service;
	g_autofree char *name = NULL;

	if (has_owner && row->info.node && object_model_has_definitions(callbacks->model, process)) {
		return;
	}
	name = recording_process_text(callbacks->recording, process);
	if (!has_owner) {
		diagnostics_add(diagnostics, DIAGNOSTIC_CALLBACK_WITHOUT_OWNER, name, 1);
	} else if (!row->info.node && row->info.kind == CALLBACK_KIND_TIMER) {
		diagnostics_add(diagnostics, DIAGNOSTIC_TIMER_WITHOUT_NODE, name, 1);
	}
}

/* Processes that ran callbacks of which no initialization was recorded. */
static void diagnose_processes(const struct callbacks *callbacks, struct diagnostics *diagnostics)
{
	g_autoptr(GArray) is_told = g_array_new(FALSE, TRUE, sizeof(bool));

	g_array_set_size(is_told, (guint)recording_process_count(callbacks->recording));
	for (guint i = 0; i < callbacks->rows->len; i++) {
		uint32_t process = object_model_callback_at(callbacks->model, i)->process;
		bool *told = &g_array_index(is_told, bool, process);
		g_autofree char *name = NULL;

		if (!callbacks->rows->pdata[i] || *told || object_model_has_definitions(callbacks->model, process)) {
			continue;
		}
		*told = true;
		name = recording_process_text(callbacks->recording, process);
		diagnostics_add(diagnostics, DIAGNOSTIC_NO_INIT, name, 1);
	}
}

void callbacks_finish(struct callbacks *callbacks, struct diagnostics *diagnostics)
{
	size_t count = object_model_callback_count(callbacks->model);
	g_autoptr(GArray) rows = g_array_sized_new(FALSE, FALSE, sizeof(struct output_row), (guint)count);
	g_autofree struct cell *cells = g_new(struct cell, callbacks->schema.column_count);

	for (size_t i = 0; i < count; i++) {
		struct output_row row = output_row_of(callbacks, i);

		g_array_append_val(rows, row);
	}
	g_array_sort(rows, compare_rows);
	for (size_t i = 0; i < count; i++) {
		const struct output_row *row = &g_array_index(rows, struct output_row, i);

		write_row(callbacks, row, row->row ? row->row->id : callbacks->next_id++, cells);
		diagnose(callbacks, row, diagnostics);
	}
	diagnose_processes(callbacks, diagnostics);
}
