/* SPDX-License-Identifier: MIT */
#include "core/analyses/usage/usage_tables.h"

#include <string.h>

#include "core/analyses/shared/callback_text.h"
#include "core/analyses/shared/cells.h"
#include "core/analyses/shared/columns.h"
#include "core/base/compare_numbers.h"
#include "core/base/name_filter.h"

static const struct table_column columns[] = {
	{ .name = "scope", .merge = COLUMN_MERGE_KEY, .role = COLUMN_ROLE_GROUP },
	{ .name = "name", .merge = COLUMN_MERGE_KEY, .format = COLUMN_NAME, .hints = HINT(.if_empty = "[unknown]") },
	{ .name = "hostname", .label = "on", .role = COLUMN_ROLE_DETAIL, .hints = HINT_TELLS_APART(HOST) },
	{ .name = "vpid", .label = "pid", .hints = HINT_TELLS_APART(PROCESS) },
	{ .name = "vtid", .label = "thread", .hints = HINT_TELLS_APART(PROCESS) },
	{ .name = "executions", .merge = COLUMN_MERGE_SUM },
	{ SUM_OF_TIME("busy_ns", "busy"), .role = COLUMN_ROLE_DETAIL },
	{ SUM_OF_TIME("self_ns", "self"), .hints = HINT_MARKED },
	{ .name = "share_percent", .label = "share", .format = COLUMN_PERCENT },
	{ .name = "cpu_ns", .merge = COLUMN_MERGE_SUM, .role = COLUMN_ROLE_HIDDEN },
	{ .name = "migrated", .merge = COLUMN_MERGE_SUM },
	COLUMN_WHICH("which", "which"),
};

static const struct table_schema schema = {
	.name = "usage",
	.title = "Time in callbacks",
	.selection = "usage",
	.is_optional = true,
	.why_empty = "needs executions of callbacks, see docs/usage.md",
	.is_of_processes = true,
	.columns = columns,
	.column_count = G_N_ELEMENTS(columns),
};

const struct table_schema *const usage_tables[] = { &schema, NULL };

enum usage_scope {
	USAGE_HOST,
	USAGE_PROCESS,
	USAGE_THREAD,
	USAGE_NODE,
	USAGE_CALLBACK,
	USAGE_CPU,
};

static const char *const scope_names[] = {
	[USAGE_HOST] = "host", [USAGE_PROCESS] = "process",   [USAGE_THREAD] = "thread",
	[USAGE_NODE] = "node", [USAGE_CALLBACK] = "callback", [USAGE_CPU] = "cpu",
};

struct usage_row {
	enum usage_scope scope;
	const char *hostname;
	uint32_t host, process, thread; /* RECORDING_NONE: not of one */
	uint64_t key;			/* orders rows of equal names, as in the trace */
	char *name;			/* owned; NULL: unknown */
	struct usage_counts counts;
};

/* --- which rows there are --- */

static void row_clear(gpointer data)
{
	g_free(((struct usage_row *)data)->name);
}

static const char *hostname_of(const struct usage *usage, uint32_t host)
{
	return recording_host(usage->recording, host)->hostname;
}

static void add_row(const struct usage *usage, GArray *rows, struct usage_row row)
{
	row.hostname = hostname_of(usage, row.host);
	g_array_append_val(rows, row);
}

/* The row of a host, process or node, which is created at the first call. */
static struct usage_row *row_of(const struct usage *usage, GArray *rows, const struct usage_row *like)
{
	for (guint i = 0; i < rows->len; i++) {
		struct usage_row *row = &g_array_index(rows, struct usage_row, i);

		if (row->scope == like->scope && row->host == like->host && row->process == like->process &&
		    g_strcmp0(row->name, like->name) == 0) {
			return row;
		}
	}
	add_row(usage, rows,
		(struct usage_row){
			.scope = like->scope,
			.host = like->host,
			.process = like->process,
			.thread = RECORDING_NONE,
			.key = rows->len,
			.name = g_strdup(like->name),
		});
	return &g_array_index(rows, struct usage_row, rows->len - 1);
}

static void add_to(const struct usage *usage, GArray *rows, struct usage_row like, const struct usage_counts *counts)
{
	usage_counts_add(&row_of(usage, rows, &like)->counts, counts);
}

/* The counts, with what is known by now of the coverage. */
static struct usage_counts settled(const struct usage *usage, const struct usage_counts *counts)
{
	struct usage_counts result = *counts;

	result.time = (struct covered_time){
		.uncovered_ns = covered_time_uncovered_ns(&counts->time, usage->coverage),
	};
	return result;
}

static void add_threads(const struct usage *usage, GArray *rows)
{
	for (guint i = 0; i < usage->threads->len; i++) {
		const struct usage_counts now = settled(usage, &g_array_index(usage->threads, struct usage_counts, i));
		const struct usage_counts *counts = &now;
		const struct recording_thread *thread = recording_thread(usage->recording, i);
		const struct recording_process *process = recording_process(usage->recording, thread->process);

		if (counts->executions == 0) {
			continue;
		}
		add_to(usage, rows,
		       (struct usage_row){ USAGE_HOST, .host = process->host, .process = RECORDING_NONE,
					   .name = (char *)hostname_of(usage, process->host) },
		       counts);
		add_to(usage, rows,
		       (struct usage_row){ USAGE_PROCESS, .host = process->host, .process = thread->process,
					   .name = (char *)process->procname },
		       counts);
		add_row(usage, rows,
			(struct usage_row){
				.scope = USAGE_THREAD,
				.host = process->host,
				.process = thread->process,
				.thread = i,
				.key = i,
				.name = g_strdup(process->procname),
				.counts = *counts,
			});
	}
}

static void add_callbacks(const struct usage *usage, GArray *rows)
{
	for (guint i = 0; i < usage->callbacks->len; i++) {
		const struct usage_counts now =
			settled(usage, &g_array_index(usage->callbacks, struct usage_counts, i));
		const struct usage_counts *counts = &now;
		struct model_callback *callback = object_model_callback_at(usage->model, i);
		const char *node = object_model_callback_info(usage->model, callback)->node;
		uint32_t host = recording_process(usage->recording, callback->process)->host;

		if (counts->executions == 0 || !name_filter_passes(usage->options->nodes, &node, 1)) {
			continue;
		}
		add_to(usage, rows,
		       (struct usage_row){ USAGE_NODE, .host = host, .process = callback->process,
					   .name = (char *)node },
		       counts);
		add_row(usage, rows,
			(struct usage_row){
				.scope = USAGE_CALLBACK,
				.host = host,
				.process = callback->process,
				.thread = RECORDING_NONE,
				.key = i,
				.name = callback_text(callback, usage->model),
				.counts = *counts,
			});
	}
}

static void add_cpus(const struct usage *usage, GArray *rows)
{
	for (guint i = 0; i < usage->cpus->len; i++) {
		const struct usage_cpu *cpu = &g_array_index(usage->cpus, struct usage_cpu, i);

		add_row(usage, rows,
			(struct usage_row){
				.scope = USAGE_CPU,
				.host = cpu->host,
				.process = RECORDING_NONE,
				.thread = RECORDING_NONE,
				.key = cpu->cpu,
				.name = g_strdup_printf("%u", cpu->cpu),
				.counts = settled(usage, &cpu->counts),
			});
	}
}

/* --- their order, and cells --- */

static int64_t vpid_of(const struct usage *usage, const struct usage_row *row)
{
	return row->process == RECORDING_NONE ? 0 : recording_process(usage->recording, row->process)->vpid;
}

/* By scope; CPUs by number, otherwise rows with most time come first. */
static gint compare_rows(gconstpointer a, gconstpointer b, gpointer usage)
{
	const struct usage_row *left = a;
	const struct usage_row *right = b;
	int order = compare_integers(left->scope, right->scope);

	if (!order && left->scope != USAGE_CPU) {
		order = compare_integers(right->counts.self_ns, left->counts.self_ns);
	}
	order = order ? order : strcmp(left->hostname, right->hostname);
	if (!order && left->scope != USAGE_CPU) {
		order = g_strcmp0(left->name, right->name);
	}
	order = order ? order : compare_integers(vpid_of(usage, left), vpid_of(usage, right));
	return order ? order : compare_unsigned(left->key, right->key);
}

static int64_t process_lost_ns(const struct usage *usage, uint32_t process)
{
	return coverage_process_lost_ns(usage->coverage, process, usage->span->begin_ns, usage->span->end_ns);
}

/* How much of the span is uncovered; of a host and a CPU, for the process on the host that is covered longest. */
static int64_t lost_ns(const struct usage *usage, const struct usage_row *row)
{
	int64_t least_ns = INT64_MAX;

	if (row->process != RECORDING_NONE) {
		return process_lost_ns(usage, row->process);
	}
	for (guint i = 0; i < usage->threads->len; i++) {
		uint32_t process = recording_thread(usage->recording, i)->process;

		if (g_array_index(usage->threads, struct usage_counts, i).executions > 0 &&
		    recording_process(usage->recording, process)->host == row->host) {
			least_ns = MIN(least_ns, process_lost_ns(usage, process));
		}
	}
	return least_ns == INT64_MAX ? 0 : least_ns;
}

/* See usage.c. */
static struct cell usage_share_cell(const struct usage *usage, const struct usage_row *row)
{
	double span_ns = (double)usage->span->end_ns - (double)usage->span->begin_ns;
	double self_ns = (double)row->counts.self_ns;

	if (G_UNLIKELY(coverage_has_any(usage->coverage)) && span_ns > 0) {
		span_ns -= (double)lost_ns(usage, row);
		self_ns -= (double)row->counts.time.uncovered_ns;
	}
	return share_cell(self_ns, span_ns);
}

static void write_row(const struct usage *usage, struct table_writer *writer, const struct usage_row *row)
{
	const struct recording_process *process =
		row->process == RECORDING_NONE ? NULL : recording_process(usage->recording, row->process);
	const struct recording_thread *thread =
		row->thread == RECORDING_NONE ? NULL : recording_thread(usage->recording, row->thread);
	g_autofree char *which =
		row->scope == USAGE_CALLBACK
			? object_numbers_callback(usage->numbers, object_model_callback_at(usage->model, row->key))
			: NULL;

	TABLE_ROW(writer, columns,
		  (struct cell[]){
			  cell_text(scope_names[row->scope]),
			  cell_text(row->name),
			  cell_text(row->hostname),
			  process ? vpid_cell(process) : CELL_NONE,
			  thread ? vtid_cell(thread) : CELL_NONE,
			  cell_unsigned(row->counts.executions),
			  cell_integer(row->counts.busy_ns),
			  cell_integer(row->counts.self_ns),
			  usage_share_cell(usage, row),
			  CELL_NONE,
			  usage->cpus->len > 0 ? cell_unsigned(row->counts.migrated) : CELL_NONE,
			  cell_text(which),
		  });
}

void usage_tables_write(const struct usage *usage, struct table_writer *const *writers)
{
	g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(struct usage_row));

	g_array_set_clear_func(rows, row_clear);
	add_threads(usage, rows);
	add_callbacks(usage, rows);
	add_cpus(usage, rows);
	g_array_sort_with_data(rows, compare_rows, (gpointer)usage);
	for (guint i = 0; i < rows->len; i++) {
		write_row(usage, writers[0], &g_array_index(rows, struct usage_row, i));
	}
}
