/* SPDX-License-Identifier: MIT */
#include "core/flow/breaks.h"

#include "core/flow/linked_publications.h"

void flow_breaks_begin_phase(struct flow_linker *linker, struct flow_process *process)
{
	linker->has_stopped |= process->recorded.has_run;
	recorded_process_stop(&process->recorded);
	process->phase++;
}

void flow_breaks_pause(struct flow_process *process)
{
	recorded_process_pause(&process->recorded);
	process->phase++;
}

void flow_breaks_begin_runtime(struct flow_linker *linker, struct flow_process *process)
{
	if (!process->recorded.has_run) {
		process->first_runtime_ns = linker->now_ns;
		/* A process recorded from its start defines its objects first; CARET records definitions late. */
		process->ran_before = process->phase > 0 || !process->has_rcl;
	} else {
		process->ran_before = true;
	}
	recorded_process_begin(&process->recorded, executions_coverage(linker->executions), process->index,
			       linker->now_ns);
	process->phase_begin_ns = linker->now_ns;
}

bool flow_breaks_may_hide_start(const struct flow_linker *linker, const struct flow_thread *thread)
{
	const struct flow_process *process = thread->process;

	return executions_may_have_lost_start(linker->executions, thread->index) ||
	       (process->ran_before && thread->callback_phase != process->phase + 1 &&
		linker->now_ns - process->phase_begin_ns < FLOW_CUT_EXECUTION_NS);
}

void flow_breaks_cut(const struct flow_linker *linker, const struct flow_thread *thread)
{
	const struct linked_publication *open = thread->open;

	if (open && !open->queue && open->steps) {
		coverage_add_break(executions_coverage(linker->executions), thread->process_index,
				   open->public.first_ns, open->public.last_ns, false);
	}
}

bool flow_breaks_overlap(const struct flow_linker *linker, const struct flow_process *process, int64_t begin_ns,
			 int64_t end_ns)
{
	return recorded_process_may_miss(&process->recorded, executions_coverage(linker->executions), process->index,
					 begin_ns, end_ns);
}

/* Pauses are in the coverage when the linker hears of them. */
bool flow_breaks_are_none(const struct flow_linker *linker)
{
	return !linker->has_stopped && !coverage_has_any(executions_coverage(linker->executions));
}
