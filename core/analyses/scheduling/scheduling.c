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
#include "core/analyses/analyses.h"
#include "core/analyses/scheduling/scheduling_counts.h"
#include "core/analyses/scheduling/scheduling_tables.h"
#include "core/base/slots.h"
#include "core/base/time_units.h"

static struct scheduling_row *row_of(struct scheduling *scheduling, const struct model_callback *callback)
{
	gpointer *slot = slot_at(scheduling->rows, callback->index);
	struct scheduling_row *row = *slot;

	if (G_UNLIKELY(!row)) {
		struct arena *arena = recording_arena(scheduling->recording);

		row = *slot = arena_take(arena, sizeof(*row));
		row->id = callback_ids_of(scheduling->ids, callback);
		duration_statistics_init(&row->wakeup, arena);
		row->worst = worst_create(arena, scheduling->options->worst, sizeof(struct execution_schedule));
	}
	return row;
}

static void started(void *data, struct execution *execution)
{
	(void)row_of(data, execution->callback);
}

static void add_worst(struct scheduling_row *row, const struct execution_schedule *schedule)
{
	int64_t duration_ns = schedule->end_ns - schedule->start_ns;
	struct execution_schedule *kept = row->worst ? worst_add(row->worst, duration_ns, schedule->start_ns) : NULL;

	if (kept) {
		*kept = *schedule;
	}
	if (row->executions == 1 || duration_ns > row->longest.end_ns - row->longest.start_ns) {
		row->longest = *schedule;
	}
}

static void add(struct scheduling *scheduling, struct scheduling_row *row, const struct execution_schedule *schedule,
		const struct thread_span *span)
{
	row->executions++;
	thread_account_add(&row->account, &schedule->account);
	thread_causes_add_all(&row->preempted_by, &span->preempted_by);
	thread_causes_add_all(&row->blocked_in, &span->blocked_in);
	thread_causes_add_all(&row->calls, &span->calls);
	row->call_count += schedule->call_count;
	row->call_ns = add_saturated(row->call_ns, schedule->call_ns);
	if (schedule->wakeup.is_fresh) {
		duration_statistics_add(&row->wakeup, schedule->wakeup.switch_in_ns - schedule->wakeup.waking_ns,
					schedule->wakeup.waking_ns);
	}
	add_worst(row, schedule);
	if (scheduling->instance_writer) {
		scheduling_tables_write_instance(scheduling, row, schedule);
	}
}

static void ended(void *data, struct execution *execution, enum execution_outcome outcome)
{
	struct scheduling *scheduling = data;
	struct scheduling_row *row = row_of(scheduling, execution->callback);
	const struct execution_schedule *schedule;
	const struct thread_span *span;

	if (outcome != EXECUTION_COMPLETE || !analysis_options_include(scheduling->options, execution->start_ns)) {
		return;
	}
	schedule = execution_schedules_ended(scheduling->schedules, &span);
	row->before += schedule && schedule->is_before_kernel;
	if (schedule) {
		add(scheduling, row, schedule, span);
	} else {
		row->unscheduled++;
		row->unscheduled_ns = add_saturated(row->unscheduled_ns, execution->end_ns - execution->start_ns);
	}
}

/* The executions on a host that the kernel's trace is too late for. */
static uint64_t count_before(const struct scheduling *scheduling, uint32_t host)
{
	uint64_t count = 0;

	for (guint i = 0; i < scheduling->rows->len; i++) {
		const struct scheduling_row *row = scheduling->rows->pdata[i];
		const struct model_callback *callback = object_model_callback_at(scheduling->model, i);

		if (row && recording_process(scheduling->recording, callback->process)->host == host) {
			count += row->before;
		}
	}
	return count;
}

/* Whether callbacks ran on a host: otherwise there is nothing to explain. */
static bool has_executions(const struct scheduling *scheduling, uint32_t host)
{
	for (size_t i = 0; i < object_model_callback_count(scheduling->model); i++) {
		const struct model_callback *callback = object_model_callback_at(scheduling->model, i);

		if (callback_ids_has(scheduling->ids, callback) &&
		    recording_process(scheduling->recording, callback->process)->host == host) {
			return true;
		}
	}
	return false;
}

/* --- the analysis --- */

static void *create(const struct analysis_context *context, struct table_writer *const *writers)
{
	struct scheduling *scheduling = g_new0(struct scheduling, 1);

	scheduling->recording = context->recording;
	scheduling->model = context->model;
	scheduling->schedules = context->schedules;
	scheduling->options = context->options;
	scheduling->span = context->span;
	scheduling->ids = context->callback_ids;
	scheduling->instance_writer = writers[TABLE_SCHEDULING_INSTANCES];
	scheduling->is_chosen = writers[TABLE_SCHEDULING] && !writers[TABLE_SCHEDULING]->is_late;
	scheduling->rows = g_ptr_array_new();
	callback_ids_listen(scheduling->ids);
	executions_add_listener(context->executions, &(struct executions_listener){
							     .data = scheduling,
							     .started = started,
							     .ended = ended,
						     });
	return scheduling;
}

static void diagnose(const void *analysis, struct diagnostics *findings)
{
	const struct scheduling *scheduling = analysis;

	for (uint32_t i = 0; i < recording_host_count(scheduling->recording); i++) {
		const struct thread_states *states = execution_schedules_host(scheduling->schedules, i);
		const char *hostname = recording_host(scheduling->recording, i)->hostname;

		if (!has_executions(scheduling, i)) {
			continue;
		}
		if (!states || !states->has_begun) {
			diagnostics_add(findings, DIAGNOSTIC_NO_KERNEL, hostname, scheduling->is_chosen);
			continue;
		}
		diagnostics_add(findings, DIAGNOSTIC_KERNEL_LATE, hostname, count_before(scheduling, i));
		diagnostics_add(findings, DIAGNOSTIC_NO_WAKINGS, hostname, !states->has_wakings);
	}
}

static void write_tables(const void *analysis, struct table_writer *const *writers)
{
	scheduling_tables_write(analysis, writers);
}

static void destroy(void *analysis)
{
	struct scheduling *scheduling = analysis;

	g_ptr_array_unref(scheduling->rows);
	g_free(scheduling);
}

const struct analysis_class scheduling_analysis = {
	.name = "scheduling",
	.tables = scheduling_tables,
	.needs = ANALYSIS_NEEDS_SCHEDULES,
	.create = create,
	.diagnose = diagnose,
	.write = write_tables,
	.destroy = destroy,
};
