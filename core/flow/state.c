/* SPDX-License-Identifier: MIT */
#include "core/flow/state.h"

static void set_at_index(GPtrArray *array, uint32_t index, void *value)
{
	if (array->len <= index) {
		g_ptr_array_set_size(array, (gint)index + 1);
	}
	g_ptr_array_index(array, index) = value;
}

struct flow_thread *flow_add_thread(struct flow_linker *linker, uint32_t index)
{
	const struct recording_thread *of = recording_thread(linker->recording, index);
	struct flow_thread *thread = arena_take(recording_arena(linker->recording), sizeof(*thread));

	thread->index = index;
	thread->process_index = of->process;
	thread->has_vtid = of->has_vtid;
	thread->is_cut = true;
	thread->untaken.is_in_callback = linker->has_followed_late;
	thread->process = flow_process(linker, of->process);
	set_at_index(linker->threads, index, thread);
	return thread;
}

struct flow_process *flow_add_process(struct flow_linker *linker, uint32_t index)
{
	struct flow_process *process = arena_take(recording_arena(linker->recording), sizeof(*process));

	u64_map_init(&process->buffers);
	u64_map_init(&process->copies);
	process->index = index;
	set_at_index(linker->processes, index, process);
	return process;
}

const struct execution *flow_enclosing_execution(struct flow_linker *linker, const struct flow_thread *thread,
						 bool *is_certain)
{
	const struct execution *enclosing;

	/* Without vtids it may be another thread's. */
	if (!thread->has_vtid) {
		return NULL;
	}
	enclosing = executions_enclosing(linker->executions, thread->index, is_certain);
	return enclosing && enclosing->flow ? enclosing : NULL;
}
