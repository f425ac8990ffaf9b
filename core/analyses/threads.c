/* SPDX-License-Identifier: MIT */
/*
 * The table `threads`, a row per thread: what it did, by the kernel's events (thread_states.h).
 *
 * - Threads of processes with ROS 2 come first, then all other threads that the kernel recorded; within both, those
 *   that took most CPU time. Idle threads have no row.
 * - on_cpu + preempted + woken + blocked + unknown = the time from the first to the last event of the host's kernel
 *   that lies within the options' [begin, end], or the part of it in which the thread existed.
 * - A thread has one row, whatever happens when it ends (thread_states.h). A tid that was given to another thread has a
 *   row for each, with the ids that each had.
 * - wakeup: from the moment when the thread was woken to the one when it ran on a CPU, over all wake-ups.
 *
 * Works at the end only: what it writes is counted by execution_schedules.h. Times in ns.
 */
#include <string.h>

#include "core/analyses/analyses.h"
#include "core/analyses/shared/columns.h"
#include "core/analyses/shared/row_process.h"
#include "core/base/compare_numbers.h"
#include "core/model/execution_schedules.h"

static const struct table_column columns[] = {
	{ .name = "hostname", .label = "on", .role = COLUMN_ROLE_GROUP },
	{ .name = "tid" },
	{ .name = "vpid", .label = "pid", .role = COLUMN_ROLE_DETAIL },
	{ .name = "vtid", .role = COLUMN_ROLE_HIDDEN },
	{ .name = "name", .merge = COLUMN_MERGE_KEY, .format = COLUMN_NAME, .hints = HINT_LEADS },
	{ SUM_OF_TIME("on_cpu_ns", "on CPU"), .hints = HINT_MARKED },
	{ SUM_OF_TIME("preempted_ns", "preempted") },
	{ SUM_OF_TIME("woken_ns", "woken") },
	{ SUM_OF_TIME("blocked_ns", "blocked") },
	{ SUM_OF_TIME("unknown_ns", "unknown"), .hints = HINT_ONLY_IF_ANY },
	{ .name = "wakeup", .format = COLUMN_STATISTIC, .hints = HINT_BRIEF },
	{ .name = "preemptions", .merge = COLUMN_MERGE_SUM },
	{ .name = "blocks", .merge = COLUMN_MERGE_SUM },
	{ SUM_OF_TIME("irq_ns", "interrupts"), .role = COLUMN_ROLE_DETAIL },
	{ .name = "ros", .merge = COLUMN_MERGE_KEY, .role = COLUMN_ROLE_HIDDEN, .hints = HINT_RANKS_BEFORE },
	{ .name = "procname",
	  .label = "process",
	  .merge = COLUMN_MERGE_KEY,
	  .format = COLUMN_NAME,
	  .role = COLUMN_ROLE_DETAIL },
};

static const struct table_schema schema = {
	.name = "threads",
	.title = "Threads",
	.selection = "threads",
	.is_of_kernel = true,
	.is_optional = true,
	.why_empty = "needs the kernel's events, see docs/why.md",
	.key_count = 5,
	.columns = columns,
	.column_count = G_N_ELEMENTS(columns),
};

struct threads {
	struct recording *recording; /* borrowed, like all below */
	struct object_model *model;
	const struct execution_schedules *schedules;
};

struct row {
	uint32_t host;
	const struct scheduled_thread *thread;
	struct thread_identity identity;
	const struct recording_process *process; /* with ROS 2; else NULL */
	struct thread_account account;
};

static int32_t vpid_of(const struct thread_identity *identity)
{
	return identity->vpid > 0 ? identity->vpid : identity->pid;
}

/* The process of a thread, if it has ROS 2; else NULL. */
static const struct recording_process *process_of(const struct threads *threads, uint32_t host,
						  const struct thread_identity *identity)
{
	for (uint32_t i = 0; i < recording_process_count(threads->recording); i++) {
		const struct recording_process *process = recording_process(threads->recording, i);

		if (process_has_ids(process, host, vpid_of(identity), identity->ns_inum) &&
		    object_model_has_definitions(threads->model, i)) {
			return process;
		}
	}
	return NULL;
}

static struct thread_identity identity_of(const struct threads *threads, uint32_t host,
					  const struct scheduled_thread *thread)
{
	const struct kernel_threads *identities = execution_schedules_threads(threads->schedules);
	uint32_t index = kernel_threads_find(identities, host, thread->tid);
	const struct kernel_thread *known;

	if (thread->has_passed_tid || index == KERNEL_THREAD_NONE) {
		return thread->identity;
	}
	known = kernel_thread_at(identities, index);
	return (struct thread_identity){ known->pid, known->vpid, known->vtid, known->ns_inum };
}

static struct row row_of(const struct threads *threads, uint32_t host, const struct thread_states *states,
			 const struct scheduled_thread *thread)
{
	struct row row = {
		.host = host,
		.thread = thread,
		.identity = identity_of(threads, host, thread),
		.account = thread_states_in_range(states, thread),
	};

	row.process = process_of(threads, host, &row.identity);
	return row;
}

static void add_host(const struct threads *threads, uint32_t host, GArray *rows)
{
	const struct thread_states *states = execution_schedules_host(threads->schedules, host);

	for (guint i = 0; states && i < states->tids.threads->len; i++) {
		struct row row = row_of(threads, host, states, states->tids.threads->pdata[i]);

		if (thread_account_total(&row.account) > row.account.time_ns[THREAD_UNKNOWN]) {
			g_array_append_val(rows, row);
		}
	}
}

static gint compare_rows(gconstpointer a, gconstpointer b, gpointer recording)
{
	const struct row *left = a;
	const struct row *right = b;
	int order = strcmp(recording_host(recording, left->host)->hostname,
			   recording_host(recording, right->host)->hostname);

	order = order ? order : compare_integers(left->host, right->host);
	order = order ? order : compare_integers(right->process != NULL, left->process != NULL);
	order = order ? order
		      : compare_integers(right->account.time_ns[THREAD_RUNNING], left->account.time_ns[THREAD_RUNNING]);
	order = order ? order : compare_integers(left->thread->tid, right->thread->tid);
	return order ? order : compare_integers(left->thread->counted_ns, right->thread->counted_ns);
}

static struct cell id_cell(int32_t id)
{
	return id > 0 ? cell_integer(id) : CELL_NONE;
}

static void write_row(const struct threads *threads, struct table_writer *writer, const struct row *row)
{
	const int64_t *time_ns = row->account.time_ns;
	const struct scheduled_thread *thread = row->thread;

	TABLE_ROW(writer, columns,
		  (struct cell[]){
			  cell_text(recording_host(threads->recording, row->host)->hostname),
			  cell_integer(thread->tid),
			  id_cell(vpid_of(&row->identity)),
			  id_cell(row->identity.vtid),
			  cell_text(thread->name),
			  cell_integer(time_ns[THREAD_RUNNING]),
			  cell_integer(time_ns[THREAD_PREEMPTED]),
			  cell_integer(time_ns[THREAD_WOKEN]),
			  cell_integer(time_ns[THREAD_BLOCKED]),
			  cell_integer(time_ns[THREAD_UNKNOWN]),
			  cell_statistic(&thread->wakeup),
			  cell_unsigned(row->account.preemptions),
			  cell_unsigned(row->account.blocks),
			  cell_integer(row->account.irq_ns),
			  cell_integer(row->process != NULL),
			  cell_text(row->process ? row->process->procname : NULL),
		  });
}

/* --- the analysis --- */

static void *create(const struct analysis_context *context, struct table_writer *const *writers)
{
	struct threads *threads = g_new0(struct threads, 1);

	threads->recording = context->recording;
	threads->model = context->model;
	threads->schedules = context->schedules;
	return threads;
}

static void write_table(const void *analysis, struct table_writer *const *writers)
{
	const struct threads *threads = analysis;
	g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(struct row));

	for (uint32_t i = 0; i < recording_host_count(threads->recording); i++) {
		add_host(threads, i, rows);
	}
	g_array_sort_with_data(rows, compare_rows, threads->recording);
	for (guint i = 0; i < rows->len; i++) {
		write_row(threads, writers[0], &g_array_index(rows, struct row, i));
	}
}

const struct analysis_class threads_analysis = {
	.name = "threads",
	.tables = (const struct table_schema *const[]){ &schema, NULL },
	.needs = ANALYSIS_NEEDS_SCHEDULES,
	.create = create,
	.write = write_table,
	.destroy = g_free,
};
