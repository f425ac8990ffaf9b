/* SPDX-License-Identifier: MIT */
#include "core/flow/breaks.h"

static void add(struct break_list *list, int64_t begin_ns, int64_t end_ns)
{
	unsigned int newest = (list->first + list->count + BREAKS_MAX - 1) % BREAKS_MAX;

	if (list->count > 0 && begin_ns <= list->breaks[newest].end_ns) {
		list->breaks[newest].begin_ns = MIN(list->breaks[newest].begin_ns, begin_ns);
		list->breaks[newest].end_ns = MAX(list->breaks[newest].end_ns, end_ns);
		return;
	}
	if (list->count == BREAKS_MAX) {
		list->forgotten_until_ns = list->breaks[list->first].end_ns;
		list->has_forgotten = true;
		list->first = (list->first + 1) % BREAKS_MAX;
		list->count--;
	}
	list->breaks[(list->first + list->count++) % BREAKS_MAX] = (struct flow_break){ begin_ns, end_ns };
}

static bool overlaps(const struct break_list *list, int64_t begin_ns, int64_t end_ns)
{
	if (list->has_forgotten && begin_ns <= list->forgotten_until_ns) {
		return true;
	}
	for (unsigned int i = 0; i < list->count; i++) {
		const struct flow_break *one = &list->breaks[(list->first + i) % BREAKS_MAX];

		if (one->begin_ns <= end_ns && one->end_ns >= begin_ns) {
			return true;
		}
	}
	return false;
}

static struct break_list *of_trace(struct flow_linker *linker, uint32_t trace)
{
	while (linker->trace_breaks->len <= trace) {
		g_ptr_array_add(linker->trace_breaks, NULL);
	}
	if (!linker->trace_breaks->pdata[trace]) {
		linker->trace_breaks->pdata[trace] = g_new0(struct break_list, 1);
	}
	return linker->trace_breaks->pdata[trace];
}

void flow_breaks_feed(struct flow_linker *linker, const struct event_record *record)
{
	struct break_list *list = of_trace(linker, recording_stream_trace(linker->recording, record->stream));

	if (record->kind == RECORD_GAP) {
		add(list, record->time_ns, record->time_ns);
	} else {
		add(list, record->time_ns, MAX(record->time_ns, (int64_t)record->word[RECORD__end_ns]));
	}
}

void flow_breaks_begin_phase(struct flow_linker *linker, struct flow_process *process)
{
	process->is_recorded = false;
	process->phase++;
}

static void end_pause(struct flow_linker *linker, struct flow_process *process)
{
	if (!process->breaks) {
		process->breaks = g_new0(struct break_list, 1);
	}
	add(process->breaks, process->last_runtime_ns, linker->now_ns);
}

void flow_breaks_begin_runtime(struct flow_linker *linker, struct flow_process *process)
{
	if (!process->has_run) {
		process->has_run = true;
		process->first_runtime_ns = linker->now_ns;
		/* A process recorded from its start defines its objects first; CARET records definitions late. */
		process->ran_before = process->phase > 0 || !process->has_rcl;
	} else {
		process->ran_before = true;
		end_pause(linker, process);
	}
	process->is_recorded = true;
	process->phase_begin_ns = linker->now_ns;
}

bool flow_breaks_may_hide_start(const struct flow_linker *linker, const struct flow_thread *thread)
{
	const struct flow_process *process = thread->process;

	return executions_may_have_lost_start(linker->executions, thread->index) ||
	       (process->ran_before && thread->callback_phase != process->phase + 1 &&
		linker->now_ns - process->phase_begin_ns < FLOW_CUT_EXECUTION_NS);
}

bool flow_breaks_overlap(const struct flow_linker *linker, const struct flow_process *process, int64_t begin_ns,
			 int64_t end_ns)
{
	if ((process->breaks && overlaps(process->breaks, begin_ns, end_ns)) ||
	    (process->has_run && !process->is_recorded && end_ns >= process->last_runtime_ns)) {
		return true;
	}
	for (guint i = 0; i < process->traces->len && linker->trace_breaks->len > 0; i++) {
		uint32_t trace = g_array_index(process->traces, uint32_t, i);
		const struct break_list *list =
			trace < linker->trace_breaks->len ? linker->trace_breaks->pdata[trace] : NULL;

		if (list && overlaps(list, begin_ns, end_ns)) {
			return true;
		}
	}
	return false;
}
