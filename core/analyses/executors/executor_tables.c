/* SPDX-License-Identifier: MIT */
#include "core/analyses/executors/executors_state.h"

#include "core/analyses/executors/executor_threads.h"
#include "core/analyses/shared/columns.h"
#include "core/analyses/shared/name_choice.h"
#include "core/analyses/shared/row_process.h"
#include "core/tables/row_list.h"

/* A thread of an executor. */
struct thread_row {
	uint32_t id; /* of the executor */
	const struct executor_thread *thread;
	const struct executor_totals *totals; /* NULL: without events, nothing is known but callbacks */
	struct row_process process;
	struct cell vtid, span, time[EXECUTOR_STATES], percent[EXECUTOR_STATES];
	const char *kind, *held_by, *nodes;
};

/* clang-format off */
#define ROW struct thread_row
static const struct table_column columns[] = {
	{ .name = "executor_id", .id_of = "executors", .label = "executor", CELL_OF(id) },
	{ .name = "hostname", .means = MEANS_HOST, .label = "on", .role = COLUMN_ROLE_GROUP,
	  .hints = HINT_TELLS_APART(HOST), CELL_OF(process.hostname) },
	{ .name = "vpid", .means = MEANS_PROCESS, .label = "pid", .role = COLUMN_ROLE_GROUP,
	  .hints = HINT_TELLS_APART(PROCESS), CELL_OF(process.vpid) },
	{ .name = "vtid", .means = MEANS_THREAD, .label = "thread", .hints = HINT_TELLS_APART(PROCESS), CELL_OF(vtid) },
	{ .name = "kind", .means = MEANS_KIND, .merge = COLUMN_MERGE_KEY, .role = COLUMN_ROLE_DETAIL, CELL_OF(kind) },
	{ .name = "spins", .merge = COLUMN_MERGE_SUM, CELL_VIA(totals, spins) },
	{ .name = "empty_spins", .merge = COLUMN_MERGE_SUM, .label = "empty", CELL_VIA(totals, empty_spins) },
	{ .name = "executions", .merge = COLUMN_MERGE_SUM, CELL_VIA(thread, totals.executions) },
	{ SUM_OF_TIME("wait_ns", NULL), .role = COLUMN_ROLE_HIDDEN, CELL_OF(time[EXECUTOR_WAIT]) },
	{ SUM_OF_TIME("ready_ns", NULL), .role = COLUMN_ROLE_HIDDEN, CELL_OF(time[EXECUTOR_FIND]) },
	{ SUM_OF_TIME("execute_ns", NULL), .role = COLUMN_ROLE_HIDDEN, CELL_OF(time[EXECUTOR_EXECUTE]) },
	{ SUM_OF_TIME("gap_ns", NULL), .role = COLUMN_ROLE_HIDDEN, CELL_OF(time[EXECUTOR_GAP]) },
	{ SUM_OF_TIME("span_ns", "span"), .role = COLUMN_ROLE_DETAIL, CELL_OF(span) },
	{ .name = "spin", .format = COLUMN_STATISTIC, .role = COLUMN_ROLE_HIDDEN, CELL_VIA(thread, states.spin) },
	{ .name = "queue", .format = COLUMN_STATISTIC, .hints = HINT_BRIEF, CELL_VIA(thread, queue) },
	{ .name = "queue_held_by", .label = "held most by", .format = COLUMN_NAME, .role = COLUMN_ROLE_DETAIL,
	  CELL_OF(held_by) },
	{ .name = "wait_percent", .label = "wait", .format = COLUMN_PERCENT, CELL_OF(percent[EXECUTOR_WAIT]) },
	{ .name = "ready_percent", .label = "ready", .format = COLUMN_PERCENT, CELL_OF(percent[EXECUTOR_FIND]) },
	{ .name = "execute_percent", .label = "execute", .format = COLUMN_PERCENT, CELL_OF(percent[EXECUTOR_EXECUTE]) },
	{ .name = "gap_percent", .label = "gap", .format = COLUMN_PERCENT, CELL_OF(percent[EXECUTOR_GAP]) },
	{ SUM_OF_TIME("pause_ns", NULL), .role = COLUMN_ROLE_HIDDEN,
	  CELL_VIA(totals, time_ns[EXECUTOR_PAUSE]) },
	{ SUM_OF_TIME("unknown_ns", NULL), .role = COLUMN_ROLE_HIDDEN,
	  CELL_VIA(totals, time_ns[EXECUTOR_UNKNOWN]) },
	{ .name = "procname", .means = MEANS_PROCESS_NAME, .merge = COLUMN_MERGE_KEY, .label = "process",
	  .role = COLUMN_ROLE_GROUP, CELL_OF(process.procname) },
	{ .name = "nodes", .merge = COLUMN_MERGE_KEY, .format = COLUMN_NAME, .role = COLUMN_ROLE_DETAIL,
	  CELL_OF(nodes) },
};

static const struct table_schema schema = {
	TABLE("executors", columns), .title = "Executors", .selection = "executors", .presence = PRESENT_IF_ANY,
	.why_empty = "needs the events of executors, see docs/executors.md",
	.key_count = 4, /* an executor has a row for each thread */
};
#undef ROW

/* All threads of an executor together. */
struct busy_row {
	const char *process, *kind;
	uint32_t threads;
	double execute, wait, empty; /* in percent: of the time, of the spins */
	double spin_hz;		     /* of a thread, on average */
};

#define ROW struct busy_row
static const struct table_column busy_columns[] = {
	{ .name = "process", .format = COLUMN_NAME, CELL_OF(process) },
	{ .name = "kind", .means = MEANS_KIND, .format = COLUMN_NAME, CELL_OF(kind) },
	{ .name = "threads", CELL_OF(threads) },
	{ .name = "execute_percent", .label = "execute", .format = COLUMN_PERCENT, CELL_OF(execute) },
	{ .name = "wait_percent", .label = "wait", .format = COLUMN_PERCENT, CELL_OF(wait) },
	{ .name = "spin_hz", .label = "spins", .format = COLUMN_RATE, CELL_OF(spin_hz) },
	{ .name = "empty_percent", .label = "of them empty", .format = COLUMN_PERCENT, CELL_OF(empty) },
};

static const struct table_schema busy_schema = {
	TABLE("busy_executors", busy_columns), .title = "Executors that hardly wait, or poll", .selection = "executors",
	.kind = KIND_SUMMARY, .place = 4, .order = "-execute_percent",
};
#undef ROW
/* clang-format on */
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

static void set_states(struct thread_row *row, const struct executor_totals *totals)
{
	int64_t span_ns = executor_totals_span(totals);

	row->totals = totals;
	row->span = cell_integer(span_ns);
	for (enum executor_state state = EXECUTOR_WAIT; state < EXECUTOR_STATES; state++) {
		int64_t time_ns = executor_totals_time(totals, state);

		row->time[state] = cell_integer(time_ns);
		row->percent[state] = share_cell((double)time_ns, (double)span_ns);
	}
}

static void write_thread(const struct executors *executors, struct table_writer *writer,
			 const struct executor *executor, const struct executor_thread *thread, guint id)
{
	const struct analysis_context *context = &executors->analysis.context;
	g_autofree char *held_by = holders_longest_text(&thread->holders, context->model);
	g_autofree char *nodes = nodes_text(executor);
	struct thread_row row = {
		.id = id,
		.thread = thread,
		.process = executor->of,
		.vtid = vtid_cell(recording_thread(context->recording, thread->thread)),
		.kind = kind_of(executor),
		.held_by = held_by,
		.nodes = nodes,
	};

	if (executor->has_events) {
		set_states(&row, &thread->totals);
	}
	row_write(writer, &schema, &row);
}

static bool is_chosen(const struct executors *executors, const struct executor *executor)
{
	return any_node_is_chosen(executors->analysis.context.options, (const char *const *)executor->nodes->pdata,
				  executor->nodes->len);
}

/* --- the summary --- */

#define BUSY_PERCENT 80
#define POLL_PERCENT 50
#define POLL_RATE_HZ 1000
#define SUMMARY_EXECUTORS 3

static double ratio(double part, double whole)
{
	return whole > 0 ? part / whole : 0;
}

static struct busy_row shares_of(const struct executor *executor)
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
	return (struct busy_row){
		.kind = kind_of(executor),
		.threads = executor->threads->len,
		.execute = 100 * ratio(execute_ns, span_ns),
		.wait = 100 * ratio(wait_ns, span_ns),
		.empty = 100 * ratio(empty, spins),
		.spin_hz = ratio(spins * (double)NS_PER_S, span_ns),
	};
}

static bool is_worth_a_look(const struct busy_row *row)
{
	return row->execute >= BUSY_PERCENT || (row->empty >= POLL_PERCENT && row->spin_hz >= POLL_RATE_HZ);
}

static void write_summary(const struct executors *executors, struct table_writer *writer, const GPtrArray *all)
{
	g_autoptr(row_list) busy = row_list_create(&busy_schema);

	for (guint i = 0; i < all->len; i++) {
		const struct executor *executor = all->pdata[i];
		struct busy_row row = shares_of(executor);

		if (is_chosen(executors, executor) && executor->has_events && is_worth_a_look(&row)) {
			row.process = executor->of.procname;
			*(struct busy_row *)row_list_make(busy) = row;
		}
	}
	row_list_write_first(busy, SUMMARY_EXECUTORS, writer);
}

void executor_tables_write(const void *data, struct table_writer *const *writers)
{
	const struct executors *executors = data;
	struct arena *arena = arena_create();
	const GPtrArray *all = executors_find(executors, arena);

	for (guint i = 0; writers[TABLE_EXECUTORS] && i < all->len; i++) {
		const struct executor *executor = all->pdata[i];

		for (guint j = 0; j < executor->threads->len && is_chosen(executors, executor); j++) {
			write_thread(executors, writers[TABLE_EXECUTORS], executor, executor->threads->pdata[j], i + 1);
		}
	}
	if (writers[TABLE_BUSY_EXECUTORS]) {
		write_summary(executors, writers[TABLE_BUSY_EXECUTORS], all);
	}
	arena_destroy(arena);
}
