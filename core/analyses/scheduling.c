/* SPDX-License-Identifier: MIT */
/*
 * The tables `scheduling` (a row per callback), `scheduling_instances` (a row per execution) and `worst_scheduling`
 * (the longest executions of each callback, explained), and the lines `why` of the summary: what threads did while they
 * executed callbacks, by the kernel's events in the same recording (execution_schedules.h).
 *
 * - An execution counts when it starts within the options' [begin, end] and both its start and its end are recorded
 *   without doubt (executions.h).
 * - on_cpu + preempted + woken + blocked + unknown = duration, for each execution and so for each row. irq_ns is a part
 *   of on_cpu_ns.
 * - Where a callback spins, the executions within it count for both callbacks.
 * - wakeup: from the moment when the thread was woken to the one when it ran on a CPU, of executions that such a
 *   wake-up led to: those for which their thread waited outside any callback.
 * - callback_id: see callback_ids.h.
 * - A recording without the kernel's events has no rows; the diagnostics name that where somebody asked for the table.
 *   Executions before the first such event of their host are in the state unknown; the diagnostics count them.
 *
 * Cost: O(1) per execution. Memory: for each callback that ran.
 */
#include "core/analyses/shared/callback_rows.h"
#include "core/analyses/shared/columns.h"
#include "core/analyses/shared/schedule_text.h"
#include "core/analyses/shared/worst.h"
#include "core/base/text/hidden_names.h"
#include "core/base/text/human_text.h"
#include "core/model/execution_schedules.h"
#include "ros2bt/base/time_units.h"

#define WHY_ROWS 2

/* Times in ns; sums stop at INT64_MAX. */
struct scheduling_row {
	struct row_callback of;
	uint64_t executions;
	struct thread_account account; /* of all but the unscheduled ones */
	struct thread_causes preempted_by, blocked_in, calls;
	uint64_t call_count;
	int64_t call_ns;
	uint64_t before;	/* executions that started before the host's first event of the kernel */
	int64_t unscheduled_ns; /* of executions of which nothing said that there would be any event */
	struct duration_statistics wakeup;
	struct worst *worst;		   /* the worst executions, with a struct execution_schedule each; or NULL */
	struct execution_schedule longest; /* end_ns 0: none */
	/* As it is written: */
	int64_t duration_ns, unknown_ns, longest_ns;
	const struct thread_cause *preemptor, *block, *call; /* NULL: none */
	struct cell preemptor_name, block_name, call_name;
};

/* clang-format off */
#define ROW struct scheduling_row
static const struct table_column columns[] = {
	{ .name = "callback_id", .id_of = "callbacks", .role = COLUMN_ROLE_HIDDEN, CELL_OF(of.id) },
	{ .name = "executions", .merge = COLUMN_MERGE_SUM, CELL_OF(executions) },
	{ SUM_OF_TIME("on_cpu_ns", "on CPU"), CELL_OF(account.time_ns[THREAD_RUNNING]) },
	{ SUM_OF_TIME("preempted_ns", "preempted"), CELL_OF(account.time_ns[THREAD_PREEMPTED]) },
	{ SUM_OF_TIME("woken_ns", "woken"), CELL_OF(account.time_ns[THREAD_WOKEN]) },
	{ SUM_OF_TIME("blocked_ns", "blocked"), CELL_OF(account.time_ns[THREAD_BLOCKED]) },
	{ SUM_OF_TIME("unknown_ns", "unknown"), .hints = HINT_ONLY_IF_ANY, CELL_OF(unknown_ns) },
	{ .name = "preemptions", .merge = COLUMN_MERGE_SUM, .role = COLUMN_ROLE_DETAIL, CELL_OF(account.preemptions) },
	{ .name = "blocks", .merge = COLUMN_MERGE_SUM, .role = COLUMN_ROLE_DETAIL, CELL_OF(account.blocks) },
	{ .name = "preempted_by", .label = "most by", .format = COLUMN_NAME, CELL_OF(preemptor_name) },
	{ .name = "wakeup", .format = COLUMN_STATISTIC, .hints = HINT_BRIEF, CELL_OF(wakeup) },
	COLUMNS_OF_PROCESS(of.process),
	{ .name = "callback", .means = MEANS_CALLBACK, .merge = COLUMN_MERGE_KEY, .format = COLUMN_NAME,
	  .hints = HINT(.leads = true, .may_be_hidden = true), CELL_OF(of.name) },
	{ SUM_OF_TIME("duration_ns", "duration"), .role = COLUMN_ROLE_HIDDEN, .hints = HINT_MARKED,
	  CELL_OF(duration_ns) },
	{ SUM_OF_TIME("irq_ns", "interrupts"), .role = COLUMN_ROLE_DETAIL, .hints = HINT_ONLY_IF_ANY,
	  CELL_OF(account.irq_ns) },
	{ .name = "preempted_by_tid", .role = COLUMN_ROLE_HIDDEN, CELL_VIA(preemptor, tid) },
	{ .name = "preempted_by_count", .role = COLUMN_ROLE_HIDDEN, CELL_VIA(preemptor, count) },
	{ .name = "preempted_by_ns", .role = COLUMN_ROLE_HIDDEN, .format = COLUMN_DURATION,
	  CELL_VIA(preemptor, time_ns) },
	{ .name = "longest_preemption_ns", .role = COLUMN_ROLE_HIDDEN, .format = COLUMN_DURATION,
	  CELL_VIA(preemptor, longest_ns) },
	{ .name = "blocked_in", .label = "most in", .format = COLUMN_NAME, .role = COLUMN_ROLE_DETAIL,
	  CELL_OF(block_name) },
	{ .name = "blocked_in_ns", .role = COLUMN_ROLE_HIDDEN, .format = COLUMN_DURATION, CELL_VIA(block, time_ns) },
	{ .name = "system_calls", .merge = COLUMN_MERGE_SUM, .role = COLUMN_ROLE_DETAIL, .hints = HINT_ONLY_IF_ANY,
	  CELL_OF(call_count) },
	{ SUM_OF_TIME("system_call_ns", "in them"), .role = COLUMN_ROLE_DETAIL, .hints = HINT_ONLY_IF_ANY,
	  CELL_OF(call_ns) },
	{ .name = "longest_call", .cells = CELL_TEXT, .role = COLUMN_ROLE_HIDDEN, CELL_OF(call_name) },
	{ .name = "longest_call_ns", .role = COLUMN_ROLE_HIDDEN, .format = COLUMN_DURATION,
	  CELL_VIA(call, longest_ns) },
};

/* What orders the lines of the summary, too. */
static const struct table_column order_columns[] = { { .name = "longest_ns", CELL_OF(longest_ns) } };

#define ORDER "hostname procname vpid -duration_ns callback callback_id"

static const struct table_schema schema = {
	TABLE("scheduling", columns), .title = "What the threads did in callbacks", .selection = "scheduling",
	.is_of_kernel = true, .presence = PRESENT_IF_ANY, .why_empty = "needs the kernel's events, see docs/why.md",
	.order = ORDER, UNWRITTEN(order_columns),
};
#undef ROW

struct instance {
	struct cell callback_id, start, on_cpu, preempted, woken, blocked, unknown, irq, preemptions, blocks,
		preempted_by, blocked_in, wakeup;
};

#define ROW struct instance
static const struct table_column instance_columns[] = {
	{ .name = "callback_id", .id_of = "callbacks", CELL_OF(callback_id) },
	{ .name = "start_ns", .label = "start", .format = COLUMN_TIME, CELL_OF(start) },
	{ .name = "on_cpu_ns", .label = "on CPU", .format = COLUMN_DURATION, CELL_OF(on_cpu) },
	{ .name = "preempted_ns", .label = "preempted", .format = COLUMN_DURATION, CELL_OF(preempted) },
	{ .name = "woken_ns", .label = "woken", .format = COLUMN_DURATION, CELL_OF(woken) },
	{ .name = "blocked_ns", .label = "blocked", .format = COLUMN_DURATION, CELL_OF(blocked) },
	{ .name = "unknown_ns", .label = "unknown", .format = COLUMN_DURATION, CELL_OF(unknown) },
	{ .name = "irq_ns", .label = "interrupts", .format = COLUMN_DURATION, CELL_OF(irq) },
	{ .name = "preemptions", CELL_OF(preemptions) },
	{ .name = "blocks", CELL_OF(blocks) },
	{ .name = "preempted_by", .cells = CELL_TEXT, CELL_OF(preempted_by) },
	{ .name = "blocked_in", .cells = CELL_TEXT, CELL_OF(blocked_in) },
	/* empty: no wake-up led to it */
	{ .name = "wakeup_ns", .label = "wakeup", .format = COLUMN_DURATION, CELL_OF(wakeup) },
};

static const struct table_schema instance_schema = {
	TABLE_OF_CELLS("scheduling_instances", instance_columns), .title = "What the threads did in executions",
	.selection = "scheduling", .is_of_kernel = true, .kind = KIND_INSTANCES, .presence = PRESENT_IF_ANY,
};
#undef ROW

struct worst_row {
	uint64_t callback_id, rank;
	const char *why;
	int64_t start_ns, duration_ns;
};

#define ROW struct worst_row
static const struct table_column worst_columns[] = {
	{ .name = "callback_id", .id_of = "callbacks", .role = COLUMN_ROLE_HIDDEN, CELL_OF(callback_id) },
	{ .name = "rank", .means = MEANS_RANK, CELL_OF(rank) },
	{ .name = "start_ns", .label = "at", .format = COLUMN_MOMENT, CELL_OF(start_ns) },
	{ .name = "why", .format = COLUMN_NAME, .hints = HINT_WRAPS, CELL_OF(why) },
	{ .name = "duration_ns", .role = COLUMN_ROLE_HIDDEN, .format = COLUMN_DURATION, CELL_OF(duration_ns) },
};

static const struct table_schema worst_schema = {
	TABLE("worst_scheduling", worst_columns), .title = "Why the worst executions took so long",
	.selection = "scheduling", .is_of_kernel = true, .parent = "scheduling", .kind = KIND_WORST, .presence = PRESENT_IF_ANY,
};
#undef ROW

static const struct table_column why_columns[] = { { .name = "why" } };

static const struct table_schema why_schema = {
	.name = "why", .columns = why_columns, .column_count = G_N_ELEMENTS(why_columns), .title = "Why",
	.selection = "scheduling", .is_of_kernel = true, .kind = KIND_SUMMARY, .place = 5,
};
/* clang-format on */

enum { TABLE_SCHEDULING, TABLE_INSTANCES, TABLE_WORST, TABLE_WHY };

/* --- while the recording is read --- */

static struct cell name_cell(const char *name)
{
	return cell_text(name && name[0] != '\0' ? name : NULL);
}

static void add_worst(const struct analysis *analysis, struct scheduling_row *row,
		      const struct execution_schedule *schedule)
{
	int64_t duration_ns = schedule->end_ns - schedule->start_ns;
	uint32_t count_max = analysis->context.options->worst;
	struct execution_schedule *kept;

	if (count_max > 0 && !row->worst) {
		row->worst = worst_create(analysis->rows.arena, count_max, sizeof(*kept));
	}
	kept = row->worst ? worst_add(row->worst, duration_ns, schedule->start_ns) : NULL;
	if (kept) {
		*kept = *schedule;
	}
	if (row->longest.end_ns == 0 || duration_ns > row->longest.end_ns - row->longest.start_ns) {
		row->longest = *schedule;
	}
}

static void write_instance(const struct analysis *analysis, const struct scheduling_row *row,
			   const struct execution_schedule *schedule)
{
	const struct thread_account *account = &schedule->account;
	const struct thread_wakeup *wakeup = &schedule->wakeup;

	row_write(
		analysis->writers[TABLE_INSTANCES], &instance_schema,
		&(struct instance){
			.callback_id = cell_unsigned(row->of.id),
			.start = cell_integer(schedule->start_ns),
			.on_cpu = cell_integer(account->time_ns[THREAD_RUNNING]),
			.preempted = cell_integer(account->time_ns[THREAD_PREEMPTED]),
			.woken = cell_integer(account->time_ns[THREAD_WOKEN]),
			.blocked = cell_integer(account->time_ns[THREAD_BLOCKED]),
			.unknown = cell_integer(account->time_ns[THREAD_UNKNOWN]),
			.irq = cell_integer(account->irq_ns),
			.preemptions = cell_unsigned(account->preemptions),
			.blocks = cell_unsigned(account->blocks),
			.preempted_by = name_cell(schedule->preempted_by.name),
			.blocked_in = name_cell(schedule->blocked_in.name),
			.wakeup = wakeup->is_fresh ? cell_integer(wakeup->switch_in_ns - wakeup->waking_ns) : CELL_NONE,
		});
}

static void add(const struct analysis *analysis, struct scheduling_row *row, const struct execution_schedule *schedule,
		const struct thread_span *span)
{
	thread_account_add(&row->account, &schedule->account);
	thread_causes_add_all(&row->preempted_by, &span->preempted_by);
	thread_causes_add_all(&row->blocked_in, &span->blocked_in);
	thread_causes_add_all(&row->calls, &span->calls);
	row->call_count += schedule->call_count;
	row->call_ns = add_saturated(row->call_ns, schedule->call_ns);
	row->before += schedule->is_before_kernel;
	if (schedule->wakeup.is_fresh) {
		duration_statistics_add(&row->wakeup, schedule->wakeup.switch_in_ns - schedule->wakeup.waking_ns,
					schedule->wakeup.waking_ns);
	}
	add_worst(analysis, row, schedule);
	if (analysis->writers[TABLE_INSTANCES]) {
		write_instance(analysis, row, schedule);
	}
}

static void ended(void *data, struct execution *execution, enum execution_outcome outcome)
{
	struct analysis *analysis = data;
	struct scheduling_row *row = callback_row_of(analysis, execution->callback);
	const struct execution_schedule *schedule;
	const struct thread_span *span;

	if (outcome != EXECUTION_COMPLETE ||
	    !analysis_options_include(analysis->context.options, execution->start_ns)) {
		return;
	}
	row->executions++;
	schedule = execution_schedules_ended(analysis->context.schedules, &span);
	if (schedule) {
		add(analysis, row, schedule, span);
	} else {
		row->unscheduled_ns = add_saturated(row->unscheduled_ns, execution->end_ns - execution->start_ns);
	}
}

/* --- diagnostics --- */

/* The executions on a host that the kernel's trace is too late for. */
static uint64_t count_before(const struct analysis *analysis, uint32_t host)
{
	uint64_t count = 0;

	for (guint i = 0; i < analysis->rows.rows->len; i++) {
		const struct scheduling_row *row = analysis->rows.rows->pdata[i];

		if (row && recording_process(analysis->context.recording, row->of.callback->process)->host == host) {
			count += row->before;
		}
	}
	return count;
}

/* Whether callbacks ran on a host: otherwise there is nothing to explain. */
static bool has_executions(const struct analysis_context *context, uint32_t host)
{
	for (size_t i = 0; i < object_model_callback_count(context->model); i++) {
		const struct model_callback *callback = object_model_callback_at(context->model, i);

		if (callback_ids_has(context->callback_ids, callback) &&
		    recording_process(context->recording, callback->process)->host == host) {
			return true;
		}
	}
	return false;
}

static void diagnose(const void *data, struct diagnostics *findings)
{
	const struct analysis *analysis = data;
	const struct analysis_context *context = &analysis->context;
	const struct table_writer *writer = analysis->writers[TABLE_SCHEDULING];

	for (uint32_t i = 0; i < recording_host_count(context->recording); i++) {
		const struct thread_states *states = execution_schedules_host(context->schedules, i);
		const char *hostname = recording_host(context->recording, i)->hostname;

		if (!has_executions(context, i)) {
			continue;
		}
		if (!states || !states->has_begun) {
			/* only if somebody asked for the table */
			diagnostics_add(findings, DIAGNOSTIC_NO_KERNEL, hostname, writer && !writer->is_late);
			continue;
		}
		diagnostics_add(findings, DIAGNOSTIC_KERNEL_LATE, hostname, count_before(analysis, i));
		diagnostics_add(findings, DIAGNOSTIC_NO_WAKINGS, hostname, !states->has_wakings);
	}
}

/* --- the tables --- */

static bool prepare(const struct analysis *analysis, void *data)
{
	struct scheduling_row *row = data;

	row->duration_ns = add_saturated(thread_account_total(&row->account), row->unscheduled_ns);
	row->unknown_ns = add_saturated(row->account.time_ns[THREAD_UNKNOWN], row->unscheduled_ns);
	row->longest_ns = row->longest.end_ns - row->longest.start_ns;
	row->preemptor = thread_causes_longest(&row->preempted_by);
	row->block = thread_causes_longest(&row->blocked_in);
	row->call = thread_causes_longest(&row->calls);
	row->preemptor_name = row->preemptor ? name_cell(row->preemptor->name) : CELL_NONE;
	row->block_name = row->block ? name_cell(row->block->name) : CELL_NONE;
	row->call_name = row->call ? name_cell(row->call->name) : CELL_NONE;
	return row->executions > 0 &&
	       execution_schedules_host(
		       analysis->context.schedules,
		       recording_process(analysis->context.recording, row->of.callback->process)->host);
}

static void write_worst(const struct scheduling_row *row, struct table_writer *writer)
{
	size_t count;
	g_autofree struct worst_instance *worst = worst_sorted(row->worst, &count);

	for (size_t i = 0; writer && i < count; i++) {
		g_autofree char *why = schedule_text(worst[i].kept);

		row_write(writer, &worst_schema,
			  &(struct worst_row){
				  .callback_id = row->of.id,
				  .rank = i + 1,
				  .why = why,
				  .start_ns = worst[i].start_ns,
				  .duration_ns = worst[i].duration_ns,
			  });
	}
}

static void write_why(const struct analysis *analysis, const struct scheduling_row *row, struct table_writer *writer)
{
	char buffer[HUMAN_TEXT_SIZE];
	g_autofree char *why = schedule_text(&row->longest);
	g_autofree char *line = g_strdup_printf(
		"%s at %s took %s", row->of.name,
		human_text_moment(buffer, row->longest.start_ns - analysis->context.span->begin_ns), why);

	TABLE_ROW(writer, why_columns, (struct cell[]){ cell_text(line) });
}

static void write_summary(const struct analysis *analysis, struct row_list *rows, struct table_writer *writer)
{
	size_t count = 0;

	row_list_sort(rows, "-longest_ns " ORDER);
	for (guint i = 0; i < row_list_count(rows) && count < WHY_ROWS; i++) {
		const struct scheduling_row *row = row_list_at(rows, i);

		if (row->longest.end_ns > 0 && !name_is_hidden(row->of.name)) {
			write_why(analysis, row, writer);
			count++;
		}
	}
}

static void write_tables(const void *analysis, struct table_writer *const *writers)
{
	g_autoptr(row_list) rows = callback_rows(analysis, prepare);

	row_list_sort(rows, schema.order);
	for (guint i = 0; i < row_list_count(rows); i++) {
		row_write(writers[TABLE_SCHEDULING], &schema, row_list_at(rows, i));
		write_worst(row_list_at(rows, i), writers[TABLE_WORST]);
	}
	if (writers[TABLE_WHY]) {
		write_summary(analysis, rows, writers[TABLE_WHY]);
	}
}

const struct analysis_class scheduling_analysis = {
	.name = "scheduling",
	.tables = (const struct table_schema *const[]){ &schema, &instance_schema, &worst_schema, &why_schema, NULL },
	.needs = ANALYSIS_NEEDS_SCHEDULES | ANALYSIS_NEEDS_CALLBACK_IDS,
	.executions = { .only_with = host_schedules_kinds, .ended = ended },
	.diagnose = diagnose,
	.write = write_tables,
};
