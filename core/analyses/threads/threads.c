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
 * Works at the end only: what it writes is counted by execution_schedules.h; while a timeline is drawn, the states are
 * drawn as they are counted (thread_timeline.h). Times in ns.
 */
#include "core/analyses/shared/analysis.h"
#include "core/analyses/shared/columns.h"
#include "core/analyses/threads/kernel_identity.h"
#include "core/analyses/threads/thread_timeline.h"
#include "core/model/execution_schedules.h"
#include "core/tables/row_list.h"

struct thread_row {
	const char *hostname;
	uint32_t host;
	const struct scheduled_thread *thread;
	struct cell vpid, vtid;
	bool has_ros;
	const struct recording_process *process; /* with ROS 2; else NULL */
	struct thread_account account;
};

/* clang-format off */
#define ROW struct thread_row
static const struct table_column columns[] = {
	{ .name = "hostname", .means = MEANS_HOST, .label = "on", .role = COLUMN_ROLE_GROUP, CELL_OF(hostname) },
	{ .name = "tid", CELL_VIA(thread, tid) },
	{ .name = "vpid", .means = MEANS_PROCESS, .label = "pid", .role = COLUMN_ROLE_DETAIL, CELL_OF(vpid) },
	{ .name = "vtid", .means = MEANS_THREAD, .role = COLUMN_ROLE_HIDDEN, CELL_OF(vtid) },
	{ .name = "name", .merge = COLUMN_MERGE_KEY, .format = COLUMN_NAME, .hints = HINT_LEADS,
	  CELL_VIA(thread, name) },
	{ SUM_OF_TIME("on_cpu_ns", "on CPU"), .hints = HINT_MARKED, CELL_OF(account.time_ns[THREAD_RUNNING]) },
	{ SUM_OF_TIME("preempted_ns", "preempted"), CELL_OF(account.time_ns[THREAD_PREEMPTED]) },
	{ SUM_OF_TIME("woken_ns", "woken"), CELL_OF(account.time_ns[THREAD_WOKEN]) },
	{ SUM_OF_TIME("blocked_ns", "blocked"), CELL_OF(account.time_ns[THREAD_BLOCKED]) },
	{ SUM_OF_TIME("unknown_ns", "unknown"), .hints = HINT_ONLY_IF_ANY, CELL_OF(account.time_ns[THREAD_UNKNOWN]) },
	{ .name = "wakeup", .format = COLUMN_STATISTIC, .hints = HINT_BRIEF, CELL_VIA(thread, wakeup) },
	{ .name = "preemptions", .merge = COLUMN_MERGE_SUM, CELL_OF(account.preemptions) },
	{ .name = "blocks", .merge = COLUMN_MERGE_SUM, CELL_OF(account.blocks) },
	{ SUM_OF_TIME("irq_ns", "interrupts"), .role = COLUMN_ROLE_DETAIL, CELL_OF(account.irq_ns) },
	{ .name = "ros", .merge = COLUMN_MERGE_KEY, .role = COLUMN_ROLE_HIDDEN, .hints = HINT_RANKS_BEFORE,
	  CELL_OF(has_ros) },
	{ .name = "procname", .means = MEANS_PROCESS_NAME, .label = "process", .merge = COLUMN_MERGE_KEY,
	  .format = COLUMN_NAME, .role = COLUMN_ROLE_DETAIL, CELL_VIA(process, procname) },
};

static const struct table_column order_columns[] = {
	{ .name = "host", CELL_OF(host) },
	{ .name = "counted_ns", CELL_VIA(thread, counted_ns) },
};

static const struct table_schema schema = {
	TABLE("threads", columns), .title = "Threads", .selection = "threads", .is_of_kernel = true, .presence = PRESENT_IF_ANY,
	.why_empty = "needs the kernel's events, see docs/why.md", .key_count = 5,
	.order = "hostname host -ros -on_cpu_ns tid counted_ns", UNWRITTEN(order_columns),
};
#undef ROW
/* clang-format on */

enum { TABLE_THREADS, TABLE_TRACKS, TABLE_LABELS, TABLE_EVENTS };

static const struct table_schema *const tables[] = {
	[TABLE_THREADS] = &schema,
	[TABLE_TRACKS] = &thread_track_schema,
	[TABLE_LABELS] = &thread_label_schema,
	[TABLE_EVENTS] = &thread_event_schema,
	NULL,
};

struct threads {
	struct analysis analysis;
	struct thread_timeline timeline;
};

static struct cell id_cell(int32_t id)
{
	return id > 0 ? cell_integer(id) : CELL_NONE;
}

static void add_thread(const struct analysis_context *context, uint32_t host, const struct thread_states *states,
		       const struct scheduled_thread *thread, struct row_list *rows)
{
	struct thread_account account = thread_states_in_range(states, thread);
	struct kernel_identity identity = kernel_identity_of(context, host, thread);
	bool has_ros = identity.process != PROCESS_NONE;

	if (thread_account_total(&account) <= account.time_ns[THREAD_UNKNOWN]) {
		return;
	}
	*(struct thread_row *)row_list_make(rows) = (struct thread_row){
		.hostname = recording_host(context->recording, host)->hostname,
		.host = host,
		.thread = thread,
		.vpid = id_cell(identity.vpid),
		.vtid = id_cell(identity.ids.vtid),
		.has_ros = has_ros,
		.process = has_ros ? recording_process(context->recording, identity.process) : NULL,
		.account = account,
	};
}

static void write_threads(const struct analysis_context *context, struct table_writer *writer)
{
	g_autoptr(row_list) rows = row_list_create(&schema);

	for (uint32_t host = 0; host < recording_host_count(context->recording); host++) {
		const struct thread_states *states = execution_schedules_host(context->schedules, host);

		for (guint i = 0; states && i < states->tids.threads->len; i++) {
			add_thread(context, host, states, states->tids.threads->pdata[i], rows);
		}
	}
	row_list_write(rows, writer);
}

static void begin(void *data)
{
	struct threads *threads = data;
	struct analysis *analysis = &threads->analysis;

	thread_timeline_init(&threads->timeline, &analysis->context, analysis->writers[TABLE_EVENTS]);
}

static void finish(void *data)
{
	thread_timeline_finish(&((struct threads *)data)->timeline);
}

static void write_tables(const void *data, struct table_writer *const *writers)
{
	const struct threads *threads = data;

	if (writers[TABLE_THREADS]) {
		write_threads(&threads->analysis.context, writers[TABLE_THREADS]);
	}
	if (writers[TABLE_EVENTS]) {
		thread_timeline_write_names(&threads->timeline, writers[TABLE_TRACKS], writers[TABLE_LABELS]);
	}
}

const struct analysis_class threads_analysis = {
	.name = "threads",
	.tables = tables,
	.needs = ANALYSIS_NEEDS_SCHEDULES,
	.size = sizeof(struct threads),
	.begin = begin,
	.finish = finish,
	.write = write_tables,
};
