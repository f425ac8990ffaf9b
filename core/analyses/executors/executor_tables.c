/* SPDX-License-Identifier: MIT */
#include "core/analyses/executors/executor_tables.h"

#include "core/analyses/executors/executor_threads.h"
#include "core/analyses/shared/cells.h"
#include "core/analyses/shared/columns.h"
#include "core/analyses/shared/row_process.h"
#include "core/base/name_filter.h"
#include "core/base/time_units.h"

static const struct table_column columns[] = {
	{ .name = "executor_id", .label = "executor" },
	{ .name = "hostname", .label = "on", .role = COLUMN_ROLE_GROUP, .hints = HINT_TELLS_APART(HOST) },
	{ .name = "vpid", .label = "pid", .role = COLUMN_ROLE_GROUP, .hints = HINT_TELLS_APART(PROCESS) },
	{ .name = "vtid", .label = "thread", .hints = HINT_TELLS_APART(PROCESS) },
	{ .name = "kind", .merge = COLUMN_MERGE_KEY, .role = COLUMN_ROLE_DETAIL },
	{ .name = "spins", .merge = COLUMN_MERGE_SUM },
	{ .name = "empty_spins", .merge = COLUMN_MERGE_SUM, .label = "empty" },
	{ .name = "executions", .merge = COLUMN_MERGE_SUM },
	{ .name = "wait_ns", .merge = COLUMN_MERGE_SUM, .role = COLUMN_ROLE_HIDDEN },
	{ .name = "ready_ns", .merge = COLUMN_MERGE_SUM, .role = COLUMN_ROLE_HIDDEN },
	{ .name = "execute_ns", .merge = COLUMN_MERGE_SUM, .role = COLUMN_ROLE_HIDDEN },
	{ .name = "gap_ns", .merge = COLUMN_MERGE_SUM, .role = COLUMN_ROLE_HIDDEN },
	{ SUM_OF_TIME("span_ns", "span"), .role = COLUMN_ROLE_DETAIL },
	{ .name = "spin", .format = COLUMN_STATISTIC, .role = COLUMN_ROLE_HIDDEN },
	{ .name = "queue", .format = COLUMN_STATISTIC, .hints = HINT_BRIEF },
	{ .name = "queue_held_by", .label = "held most by", .format = COLUMN_NAME, .role = COLUMN_ROLE_DETAIL },
	{ .name = "wait_percent", .label = "wait", .format = COLUMN_PERCENT },
	{ .name = "ready_percent", .label = "ready", .format = COLUMN_PERCENT },
	{ .name = "execute_percent", .label = "execute", .format = COLUMN_PERCENT },
	{ .name = "gap_percent", .label = "gap", .format = COLUMN_PERCENT },
	{ .name = "pause_ns", .merge = COLUMN_MERGE_SUM, .role = COLUMN_ROLE_HIDDEN },
	{ .name = "unknown_ns", .merge = COLUMN_MERGE_SUM, .role = COLUMN_ROLE_HIDDEN },
	{ .name = "procname", .merge = COLUMN_MERGE_KEY, .label = "process", .role = COLUMN_ROLE_GROUP },
	{ .name = "nodes", .merge = COLUMN_MERGE_KEY, .format = COLUMN_NAME, .role = COLUMN_ROLE_DETAIL },
};

enum {
	COLUMN_ID,
	COLUMN_HOSTNAME,
	COLUMN_VPID,
	COLUMN_VTID,
	COLUMN_KIND,
	COLUMN_SPINS,
	COLUMN_EMPTY_SPINS,
	COLUMN_EXECUTIONS,
	COLUMN_WAIT,
	COLUMN_READY,
	COLUMN_EXECUTE,
	COLUMN_GAP,
	COLUMN_SPAN,
	COLUMN_SPIN,
	COLUMN_QUEUE,
	COLUMN_QUEUE_HELD_BY,
	COLUMN_WAIT_PERCENT,
	COLUMN_READY_PERCENT,
	COLUMN_EXECUTE_PERCENT,
	COLUMN_GAP_PERCENT,
	COLUMN_PAUSE,
	COLUMN_UNKNOWN,
	COLUMN_PROCNAME,
	COLUMN_NODES,
	COLUMNS,
};

_Static_assert(G_N_ELEMENTS(columns) == COLUMNS, "one enumerator a column");

static const struct table_schema schema = {
	.key_count = 4, /* an executor has a row for each thread */
	.name = "executors",
	.title = "Executors",
	.selection = "executors",
	.is_optional = true,
	.why_empty = "needs the events of executors, see docs/executors.md",
	.columns = columns,
	.column_count = G_N_ELEMENTS(columns),
};

static const struct table_column busy_columns[] = {
	{ .name = "process", .format = COLUMN_NAME },
	{ .name = "kind", .format = COLUMN_NAME },
	{ .name = "threads" },
	{ .name = "execute_percent", .label = "execute", .format = COLUMN_PERCENT },
	{ .name = "wait_percent", .label = "wait", .format = COLUMN_PERCENT },
	{ .name = "spin_hz", .label = "spins", .format = COLUMN_RATE },
	{ .name = "empty_percent", .label = "of them empty", .format = COLUMN_PERCENT },
};

static const struct table_schema busy_schema = {
	.name = "busy_executors",
	.title = "Executors that hardly wait, or poll",
	.selection = "executors",
	.summary = 4,
	.columns = busy_columns,
	.column_count = G_N_ELEMENTS(busy_columns),
};

const struct table_schema *const executor_tables[] = {
	[TABLE_EXECUTORS] = &schema,
	[TABLE_BUSY_EXECUTORS] = &busy_schema,
	NULL,
};

static const char *kind_of(const struct executor *executor)
{
	if (executor->type) {
		return executor->type;
	}
	if (!executor->has_events) {
		return "unknown";
	}
	return executor->threads->len > 1 ? "multi_threaded_executor" : "single_threaded_executor";
}

/* The names of the nodes; NULL if none is known. To be freed. */
static char *nodes_text(const struct executor *executor)
{
	GString *text;

	if (executor->nodes->len == 0) {
		return NULL;
	}
	text = g_string_new(executor->nodes->pdata[0]);
	for (guint i = 1; i < executor->nodes->len; i++) {
		g_string_append_printf(text, ", %s", (const char *)executor->nodes->pdata[i]);
	}
	return g_string_free(text, FALSE);
}

static void set_states(struct cell *cells, const struct executor_totals *totals)
{
	static const struct {
		unsigned int time, percent;
	} places[EXECUTOR_STATES] = {
		[EXECUTOR_WAIT] = { COLUMN_WAIT, COLUMN_WAIT_PERCENT },
		[EXECUTOR_FIND] = { COLUMN_READY, COLUMN_READY_PERCENT },
		[EXECUTOR_EXECUTE] = { COLUMN_EXECUTE, COLUMN_EXECUTE_PERCENT },
		[EXECUTOR_GAP] = { COLUMN_GAP, COLUMN_GAP_PERCENT },
	};
	int64_t span_ns = executor_totals_span(totals);

	for (enum executor_state state = EXECUTOR_WAIT; state < EXECUTOR_STATES; state++) {
		int64_t time_ns = executor_totals_time(totals, state);

		cells[places[state].time] = cell_integer(time_ns);
		cells[places[state].percent] = share_cell((double)time_ns, (double)span_ns);
	}
	cells[COLUMN_SPINS] = cell_unsigned(totals->spins);
	cells[COLUMN_EMPTY_SPINS] = cell_unsigned(totals->empty_spins);
	cells[COLUMN_SPAN] = cell_integer(span_ns);
	cells[COLUMN_PAUSE] = cell_integer(totals->time_ns[EXECUTOR_PAUSE]);
	cells[COLUMN_UNKNOWN] = cell_integer(totals->time_ns[EXECUTOR_UNKNOWN]);
}

static void write_thread(const struct executors *executors, struct table_writer *writer,
			 const struct executor *executor, const struct executor_thread *thread, guint id)
{
	struct row_process process = row_process_of(executors->recording, executor->process);
	g_autofree char *held_by = holders_longest_text(&thread->holders, executors->model);
	g_autofree char *nodes = nodes_text(executor);
	struct cell cells[COLUMNS] = {
		[COLUMN_ID] = cell_unsigned(id),
		[COLUMN_HOSTNAME] = cell_text(process.hostname),
		[COLUMN_VPID] = vpid_cell(process.process),
		[COLUMN_VTID] = vtid_cell(recording_thread(executors->recording, thread->thread)),
		[COLUMN_KIND] = cell_text(kind_of(executor)),
		[COLUMN_EXECUTIONS] = cell_unsigned(thread->totals.executions),
		[COLUMN_SPIN] = cell_statistic(&thread->states.spin),
		[COLUMN_QUEUE] = cell_statistic(&thread->queue),
		[COLUMN_QUEUE_HELD_BY] = cell_text(held_by),
		[COLUMN_PROCNAME] = cell_text(process.process->procname),
		[COLUMN_NODES] = cell_text(nodes),
	};

	if (executor->has_events) {
		set_states(cells, &thread->totals);
	}
	TABLE_ROW(writer, columns, cells);
}

static bool is_chosen(const struct executors *executors, const struct executor *executor)
{
	return name_filter_passes(executors->options->nodes, (const char *const *)executor->nodes->pdata,
				  executor->nodes->len);
}

/* --- the summary --- */

#define BUSY_SHARE 0.8
#define POLL_SHARE 0.5
#define POLL_RATE_HZ 1000
#define SUMMARY_EXECUTORS 3

/* All threads of an executor together. */
struct executor_shares {
	const struct executor *executor;
	double execute, wait; /* shares of the time */
	double empty;	      /* share of the spins */
	double spin_hz;	      /* of a thread, on average */
};

static double ratio(double part, double whole)
{
	return whole > 0 ? part / whole : 0;
}

static struct executor_shares shares_of(const struct executor *executor)
{
	double execute_ns = 0, wait_ns = 0, span_ns = 0, spins = 0, empty = 0;

	for (guint i = 0; i < executor->threads->len; i++) {
		const struct executor_totals *totals = &((struct executor_thread *)executor->threads->pdata[i])->totals;

		execute_ns += (double)executor_totals_time(totals, EXECUTOR_EXECUTE);
		wait_ns += (double)executor_totals_time(totals, EXECUTOR_WAIT);
		span_ns += (double)executor_totals_span(totals);
		spins += (double)totals->spins;
		empty += (double)totals->empty_spins;
	}
	return (struct executor_shares){
		.executor = executor,
		.execute = ratio(execute_ns, span_ns),
		.wait = ratio(wait_ns, span_ns),
		.empty = ratio(empty, spins),
		.spin_hz = ratio(spins * (double)NS_PER_S, span_ns),
	};
}

static bool is_worth_a_look(const struct executor_shares *totals)
{
	return totals->execute >= BUSY_SHARE || (totals->empty >= POLL_SHARE && totals->spin_hz >= POLL_RATE_HZ);
}

static gint compare_totals(gconstpointer a, gconstpointer b)
{
	const struct executor_shares *left = a;
	const struct executor_shares *right = b;

	return (left->execute < right->execute) - (left->execute > right->execute);
}

static void write_busy(const struct executors *executors, struct table_writer *writer,
		       const struct executor_shares *totals)
{
	const struct recording_process *process = recording_process(executors->recording, totals->executor->process);

	TABLE_ROW(writer, busy_columns,
		  (struct cell[]){
			  cell_text(process->procname),
			  cell_text(kind_of(totals->executor)),
			  cell_unsigned(totals->executor->threads->len),
			  cell_real(100 * totals->execute),
			  cell_real(100 * totals->wait),
			  cell_real(totals->spin_hz),
			  cell_real(100 * totals->empty),
		  });
}

static void write_summary(const struct executors *executors, struct table_writer *writer, const GPtrArray *all)
{
	g_autoptr(GArray) busy = g_array_new(FALSE, FALSE, sizeof(struct executor_shares));

	for (guint i = 0; i < all->len; i++) {
		struct executor_shares totals = shares_of(all->pdata[i]);

		if (is_chosen(executors, totals.executor) && totals.executor->has_events && is_worth_a_look(&totals)) {
			g_array_append_val(busy, totals);
		}
	}
	g_array_sort(busy, compare_totals);
	for (guint i = 0; i < busy->len && i < SUMMARY_EXECUTORS; i++) {
		write_busy(executors, writer, &g_array_index(busy, struct executor_shares, i));
	}
}

void executor_tables_write(const struct executors *executors, struct table_writer *const *writers)
{
	g_autoptr(GPtrArray) all = executors_find(executors);

	for (guint i = 0; i < all->len; i++) {
		const struct executor *executor = all->pdata[i];

		for (guint j = 0; j < executor->threads->len && is_chosen(executors, executor); j++) {
			write_thread(executors, writers[TABLE_EXECUTORS], executor, executor->threads->pdata[j], i + 1);
		}
	}
	if (writers[TABLE_BUSY_EXECUTORS]) {
		write_summary(executors, writers[TABLE_BUSY_EXECUTORS], all);
	}
}
