/* SPDX-License-Identifier: MIT */
/*
 * The table `usage`, a row per host, process, thread, node, callback and CPU: the time that each spends in callbacks.
 *
 * - An execution counts when it starts within the options' [begin, end].
 * - busy_ns: from callback_start to callback_end, over all executions. self_ns: the same without the executions within
 *   them, where a callback spins, so its sums over the rows of each scope are equal. Both are exact.
 * - share_percent: self_ns in covered time (core/model/coverage.h) divided by how long that is within the report's
 * span. Of a host and a CPU, that of the process on the host that is covered longest. A process with several threads
 * may have more than 100 %.
 * - A CPU has the executions that started on it; migrated: those that ended on another one. Without the CPU in the
 *   packets of the trace, both are missing.
 * - A doubtful execution is counted without its time; one without a recorded start or end is not counted.
 * - This is time in callbacks, whether or not the thread was on a CPU. cpu_ns is the part of self_ns on a CPU, by the
 *   kernel's events (execution_schedules.h), cpu_unknown_ns that of which they do not tell; missing without them.
 *
 * Cost: O(1) per execution. Memory: for each callback, thread and CPU that executes, and the open executions.
 */
#include "core/analyses/shared/analysis.h"
#include "core/analyses/shared/callback_text.h"
#include "core/analyses/shared/columns.h"
#include "core/analyses/shared/covered_time.h"
#include "core/analyses/shared/name_choice.h"
#include "core/base/slots.h"
#include "core/model/execution_schedules.h"
#include "core/model/object_numbers.h"
#include "core/analyses/shared/row_process.h"
#include "core/base/arena_parts.h"
#include "core/tables/row_list.h"
#include "ros2bt/base/time_units.h"

/* Times in ns; sums stop at INT64_MAX. */
struct usage_counts {
	uint64_t executions, migrated;
	int64_t busy_ns, self_ns, cpu_ns, cpu_unknown_ns;
	struct covered_time time; /* of self_ns; in rows of several, only the uncovered part */
};

struct usage_cpu {
	uint32_t host;
	uint32_t cpu; /* its number in the packets */
	struct usage_counts counts;
};

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
	const char *scope_name, *hostname;
	uint32_t host, process; /* RECORDING_NONE: not of one */
	uint64_t key;		/* orders rows of equal names, as in the trace */
	const char *name;	/* NULL: unknown */
	struct usage_counts counts;
	struct cell vpid, vtid, share, migrated, cpu_time, cpu_unknown;
	const char *which;
};

struct usage {
	struct analysis analysis;
	struct coverage *coverage;
	GArray *callbacks; /* struct usage_counts by the model's index */
	GArray *threads;   /* struct usage_counts by thread index */
	GArray *cpus;	   /* struct usage_cpu, in order of appearance */
	GPtrArray *frames; /* GArray of struct usage_frame, innermost last, by thread index; NULL: none */
};

/* CPUs are in the order of their numbers, not of their time and names. */
static struct cell ordering_time(const void *data)
{
	const struct usage_row *row = data;

	return row->scope == USAGE_CPU ? CELL_NONE : cell_integer(row->counts.self_ns);
}

static struct cell ordering_name(const void *data)
{
	const struct usage_row *row = data;

	return row->scope == USAGE_CPU ? CELL_NONE : cell_text(row->name);
}

/* clang-format off */
#define ROW struct usage_row
static const struct table_column columns[] = {
	{ .name = "scope", .means = MEANS_SCOPE, .merge = COLUMN_MERGE_KEY, .role = COLUMN_ROLE_GROUP,
	  CELL_OF(scope_name) },
	{ .name = "name", .merge = COLUMN_MERGE_KEY, .format = COLUMN_NAME, .hints = HINT(.if_empty = "[unknown]"),
	  CELL_OF(name) },
	{ .name = "hostname", .means = MEANS_HOST, .label = "on", .role = COLUMN_ROLE_DETAIL,
	  .hints = HINT_TELLS_APART(HOST), CELL_OF(hostname) },
	{ .name = "vpid", .means = MEANS_PROCESS, .label = "pid", .hints = HINT_TELLS_APART(PROCESS), CELL_OF(vpid) },
	{ .name = "vtid", .means = MEANS_THREAD, .label = "thread", .hints = HINT_TELLS_APART(PROCESS), CELL_OF(vtid) },
	{ .name = "executions", .merge = COLUMN_MERGE_SUM, CELL_OF(counts.executions) },
	{ SUM_OF_TIME("busy_ns", "busy"), .role = COLUMN_ROLE_DETAIL, CELL_OF(counts.busy_ns) },
	{ SUM_OF_TIME("self_ns", "self"), .hints = HINT_MARKED, CELL_OF(counts.self_ns) },
	{ .name = "share_percent", .means = MEANS_SHARE, .label = "share", .format = COLUMN_PERCENT, CELL_OF(share) },
	{ SUM_OF_TIME("cpu_ns", NULL), .means = MEANS_CPU_TIME, .role = COLUMN_ROLE_HIDDEN, CELL_OF(cpu_time) },
	{ .name = "migrated", .merge = COLUMN_MERGE_SUM, CELL_OF(migrated) },
	{ COLUMN_IS_WHICH("which", "which"), CELL_OF(which) },
	{ SUM_OF_TIME("cpu_unknown_ns", NULL), .role = COLUMN_ROLE_HIDDEN, CELL_OF(cpu_unknown) },
};

static const struct table_column order_columns[] = {
	{ .name = "scope_number", CELL_OF(scope) },
	{ .name = "ordering_time", CELL_BY(ordering_time) },
	{ .name = "ordering_name", CELL_BY(ordering_name) },
	{ .name = "key", CELL_OF(key) },
};

static const struct table_schema schema = {
	TABLE("usage", columns), .title = "Time in callbacks", .selection = "usage", .presence = PRESENT_IF_ANY,
	.why_empty = "needs executions of callbacks, see docs/usage.md", .is_of_processes = true,
	.order = "scope_number -ordering_time hostname ordering_name vpid key", UNWRITTEN(order_columns),
};
#undef ROW
/* clang-format on */

/* --- while the recording is read --- */

static void usage_counts_add(struct usage_counts *counts, const struct usage_counts *more)
{
	counts->executions += more->executions;
	counts->migrated += more->migrated;
	counts->busy_ns = add_saturated(counts->busy_ns, more->busy_ns);
	counts->self_ns = add_saturated(counts->self_ns, more->self_ns);
	counts->cpu_ns = add_saturated(counts->cpu_ns, more->cpu_ns);
	counts->cpu_unknown_ns = add_saturated(counts->cpu_unknown_ns, more->cpu_unknown_ns);
	counts->time.uncovered_ns = add_saturated(counts->time.uncovered_ns, more->time.uncovered_ns);
}

struct usage_times {
	int64_t duration_ns, cpu_ns, unknown_ns;
};

/* An open execution, and the times of executions within it so far. */
struct usage_frame {
	const struct execution *execution; /* borrowed until it ends */
	struct usage_times nested;
};

static void usage_times_add(struct usage_times *times, const struct usage_times *more)
{
	times->duration_ns = add_saturated(times->duration_ns, more->duration_ns);
	times->cpu_ns = add_saturated(times->cpu_ns, more->cpu_ns);
	times->unknown_ns = add_saturated(times->unknown_ns, more->unknown_ns);
}

static struct usage_times times_of(const struct usage *usage, const struct execution *execution)
{
	const struct execution_schedule *schedule = execution_schedules_ended(usage->analysis.context.schedules, NULL);
	int64_t duration_ns = execution->end_ns - execution->start_ns;

	return (struct usage_times){
		.duration_ns = duration_ns,
		.cpu_ns = schedule ? schedule->account.time_ns[THREAD_RUNNING] : 0,
		.unknown_ns = schedule ? schedule->account.time_ns[THREAD_UNKNOWN] : duration_ns,
	};
}

static struct usage_counts *counts_at(GArray *counts, uint32_t index)
{
	return array_at(counts, struct usage_counts, index);
}

/* The counts of the CPU on which the execution started; NULL if that is not known. */
static struct usage_counts *cpu_counts(struct usage *usage, const struct execution *execution)
{
	uint32_t cpu = recording_stream_cpu(usage->analysis.context.recording, execution->stream);
	uint32_t host =
		recording_process(usage->analysis.context.recording,
				  recording_thread(usage->analysis.context.recording, execution->thread)->process)
			->host;

	if (cpu == RECORDING_NONE) {
		return NULL;
	}
	for (guint i = 0; i < usage->cpus->len; i++) {
		struct usage_cpu *known = &g_array_index(usage->cpus, struct usage_cpu, i);

		if (known->host == host && known->cpu == cpu) {
			return &known->counts;
		}
	}
	g_array_append_val(usage->cpus, ((struct usage_cpu){ .host = host, .cpu = cpu }));
	return &g_array_index(usage->cpus, struct usage_cpu, usage->cpus->len - 1).counts;
}

static bool has_migrated(const struct usage *usage, const struct execution *execution)
{
	uint32_t start, end;

	if (G_LIKELY(execution->stream == execution->end_stream)) {
		return false;
	}
	start = recording_stream_cpu(usage->analysis.context.recording, execution->stream);
	end = recording_stream_cpu(usage->analysis.context.recording, execution->end_stream);
	return start != RECORDING_NONE && end != RECORDING_NONE && start != end;
}

static GArray *frames_of(struct usage *usage, uint32_t thread)
{
	gpointer *slot = slot_at(usage->frames, thread);

	if (G_UNLIKELY(!*slot)) {
		*slot = arena_array(analysis_arena(&usage->analysis), sizeof(struct usage_frame));
	}
	return *slot;
}

static void started(void *data, struct execution *execution)
{
	struct usage_frame frame = { .execution = execution };

	g_array_append_val(frames_of(data, execution->thread), frame);
}

/*
 * Removes the frame of an execution, not necessarily the innermost one, from its thread, and returns the times of the
 * executions within it. `own` are its own, or NULL if unknown: then these are within the next outer execution.
 */
static struct usage_times take_frame(struct usage *usage, const struct execution *execution,
				     const struct usage_times *own)
{
	GArray *frames = frames_of(usage, execution->thread);
	guint index = frames->len;
	struct usage_times nested;

	while (index > 0 && g_array_index(frames, struct usage_frame, index - 1).execution != execution) {
		index--;
	}
	if (index == 0) {
		return (struct usage_times){ 0 };
	}
	nested = g_array_index(frames, struct usage_frame, index - 1).nested;
	g_array_remove_index(frames, index - 1);
	if (index > 1) {
		usage_times_add(&g_array_index(frames, struct usage_frame, index - 2).nested, own ? own : &nested);
	}
	return nested;
}

static void add_execution(const struct usage *usage, struct usage_counts *counts, const struct execution *execution,
			  const struct usage_counts *one)
{
	usage_counts_add(counts, one);
	covered_time_add(&counts->time, usage->coverage, execution->callback->process, execution->start_ns,
			 execution->end_ns, one->self_ns);
}

static void ended(void *data, struct execution *execution, enum execution_outcome outcome)
{
	struct usage *usage = data;
	bool is_complete = outcome == EXECUTION_COMPLETE;
	struct usage_counts one = { .executions = 1, .migrated = has_migrated(usage, execution) };
	struct usage_times own = is_complete ? times_of(usage, execution) : (struct usage_times){ 0 };
	struct usage_times nested = { 0 };
	struct usage_counts *cpu;

	if (outcome != EXECUTION_WITHOUT_START) {
		nested = take_frame(usage, execution, is_complete ? &own : NULL);
	}
	if (outcome == EXECUTION_WITHOUT_START || outcome == EXECUTION_WITHOUT_END ||
	    !analysis_options_include(usage->analysis.context.options, execution->start_ns)) {
		return;
	}
	if (is_complete) {
		one.busy_ns = own.duration_ns;
		one.self_ns = own.duration_ns - nested.duration_ns;
		one.cpu_ns = own.cpu_ns - nested.cpu_ns;
		one.cpu_unknown_ns = own.unknown_ns - nested.unknown_ns;
	}
	add_execution(usage, counts_at(usage->callbacks, execution->callback->index), execution, &one);
	add_execution(usage, counts_at(usage->threads, execution->thread), execution, &one);
	cpu = cpu_counts(usage, execution);
	if (cpu) {
		add_execution(usage, cpu, execution, &one);
	}
}

static void begin(void *data)
{
	struct usage *usage = data;
	struct arena *arena = analysis_arena(&usage->analysis);

	usage->coverage = executions_coverage(usage->analysis.context.executions);
	usage->callbacks = arena_array(arena, sizeof(struct usage_counts));
	usage->threads = arena_array(arena, sizeof(struct usage_counts));
	usage->cpus = arena_array(arena, sizeof(struct usage_cpu));
	usage->frames = arena_pointers(arena);
}

/* --- rows --- */

/* A new row with the names of its scope, host and process. */
static struct usage_row *make_row(const struct usage *usage, struct row_list *rows, const struct usage_row *like)
{
	const struct recording *recording = usage->analysis.context.recording;
	struct usage_row *row = row_list_make(rows);

	*row = *like;
	row->scope_name = scope_names[row->scope];
	row->hostname = recording_host(recording, row->host)->hostname;
	if (row->process != RECORDING_NONE) {
		row->vpid = vpid_cell(recording_process(recording, row->process));
	}
	return row;
}

/* The row of a host, process or node, which is made at the first call. */
static struct usage_row *row_of(const struct usage *usage, struct row_list *rows, const struct usage_row *like)
{
	struct usage_row *row;

	for (guint i = 0; i < row_list_count(rows); i++) {
		row = row_list_at(rows, i);
		if (row->scope == like->scope && row->host == like->host && row->process == like->process &&
		    g_strcmp0(row->name, like->name) == 0) {
			return row;
		}
	}
	row = make_row(usage, rows, like);
	row->key = row_list_count(rows) - 1;
	return row;
}

static void add_to(const struct usage *usage, struct row_list *rows, struct usage_row like,
		   const struct usage_counts *counts)
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

static void add_thread(const struct usage *usage, struct row_list *rows, guint index, const struct usage_counts *counts)
{
	const struct recording *recording = usage->analysis.context.recording;
	const struct recording_thread *thread = recording_thread(recording, index);
	const struct recording_process *process = recording_process(recording, thread->process);
	struct usage_row row = {
		.scope = USAGE_HOST,
		.host = process->host,
		.process = RECORDING_NONE,
		.name = recording_host(recording, process->host)->hostname,
	};

	add_to(usage, rows, row, counts);
	row.scope = USAGE_PROCESS;
	row.process = thread->process;
	row.name = process->procname;
	add_to(usage, rows, row, counts);
	row.scope = USAGE_THREAD;
	row.key = index;
	row.counts = *counts;
	row.vtid = vtid_cell(thread);
	make_row(usage, rows, &row);
}

static void add_callback(const struct usage *usage, struct row_list *rows, guint index,
			 const struct usage_counts *counts)
{
	const struct analysis_context *context = &usage->analysis.context;
	struct model_callback *callback = object_model_callback_at(context->model, index);
	struct usage_row row = {
		.scope = USAGE_NODE,
		.host = recording_process(context->recording, callback->process)->host,
		.process = callback->process,
		.name = object_model_callback_info(context->model, callback)->node,
	};

	if (!node_is_chosen(context->options, row.name)) {
		return;
	}
	add_to(usage, rows, row, counts);
	row.scope = USAGE_CALLBACK;
	row.key = index;
	row.name = row_list_keep(rows, callback_text(callback, context->model));
	row.which = row_list_keep(rows, object_numbers_callback(context->numbers, callback));
	row.counts = *counts;
	make_row(usage, rows, &row);
}

static void add_cpu(const struct usage *usage, struct row_list *rows, const struct usage_cpu *cpu)
{
	make_row(usage, rows,
		 &(struct usage_row){
			 .scope = USAGE_CPU,
			 .host = cpu->host,
			 .process = RECORDING_NONE,
			 .key = cpu->cpu,
			 .name = row_list_keep(rows, g_strdup_printf("%u", cpu->cpu)),
			 .counts = settled(usage, &cpu->counts),
		 });
}

static void add_each(const struct usage *usage, struct row_list *rows, const GArray *all,
		     void (*add)(const struct usage *usage, struct row_list *rows, guint index,
				 const struct usage_counts *counts))
{
	for (guint i = 0; i < all->len; i++) {
		struct usage_counts counts = settled(usage, &g_array_index(all, struct usage_counts, i));

		if (counts.executions > 0) {
			add(usage, rows, i, &counts);
		}
	}
}

static int64_t process_lost_ns(const struct usage *usage, uint32_t process)
{
	return coverage_process_lost_ns(usage->coverage, process, usage->analysis.context.span->begin_ns,
					usage->analysis.context.span->end_ns);
}

/* How much of the span is uncovered; of a host and a CPU, for the process on the host that is covered longest. */
static int64_t lost_ns(const struct usage *usage, const struct usage_row *row)
{
	int64_t least_ns = INT64_MAX;

	if (row->process != RECORDING_NONE) {
		return process_lost_ns(usage, row->process);
	}
	for (guint i = 0; i < usage->threads->len; i++) {
		uint32_t process = recording_thread(usage->analysis.context.recording, i)->process;

		if (g_array_index(usage->threads, struct usage_counts, i).executions > 0 &&
		    recording_process(usage->analysis.context.recording, process)->host == row->host) {
			least_ns = MIN(least_ns, process_lost_ns(usage, process));
		}
	}
	return least_ns == INT64_MAX ? 0 : least_ns;
}

/* See above. */
static struct cell usage_share_cell(const struct usage *usage, const struct usage_row *row)
{
	const struct analysis_span *span = usage->analysis.context.span;
	double span_ns = time_between(span->begin_ns, span->end_ns);
	double self_ns = (double)row->counts.self_ns;

	if (G_UNLIKELY(coverage_has_any(usage->coverage)) && span_ns > 0) {
		span_ns -= (double)lost_ns(usage, row);
		self_ns -= (double)row->counts.time.uncovered_ns;
	}
	return share_cell(self_ns, span_ns);
}

static void write_table(const void *data, struct table_writer *const *writers)
{
	const struct usage *usage = data;
	g_autoptr(row_list) rows = row_list_create(&schema);

	add_each(usage, rows, usage->threads, add_thread);
	add_each(usage, rows, usage->callbacks, add_callback);
	for (guint i = 0; i < usage->cpus->len; i++) {
		add_cpu(usage, rows, &g_array_index(usage->cpus, struct usage_cpu, i));
	}
	for (guint i = 0; i < row_list_count(rows); i++) {
		struct usage_row *row = row_list_at(rows, i);

		row->share = usage_share_cell(usage, row);
		if (execution_schedules_host(usage->analysis.context.schedules, row->host)) {
			row->cpu_time = cell_integer(row->counts.cpu_ns);
			row->cpu_unknown = cell_integer(row->counts.cpu_unknown_ns);
		}
		row->migrated = usage->cpus->len > 0 ? cell_unsigned(row->counts.migrated) : CELL_NONE;
	}
	row_list_write(rows, writers[0]);
}

const struct analysis_class usage_analysis = {
	.name = "usage",
	.tables = (const struct table_schema *const[]){ &schema, NULL },
	.needs = ANALYSIS_NEEDS_SCHEDULES,
	.executions = { .started = started, .ended = ended },
	.size = sizeof(struct usage),
	.begin = begin,
	.write = write_table,
};
