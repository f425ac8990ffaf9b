/* SPDX-License-Identifier: MIT */
#include "core/model/open_executions.h"

#include "core/base/arena.h"
#include "core/base/slots.h"
#include "core/model/object_store.h"

struct execution_stack *execution_stack_add(struct executions *executions, uint32_t thread)
{
	const size_t size = sizeof(struct execution_stack);

	if (thread >= executions->thread_room) {
		uint32_t room = MAX(thread + 1, 2 * executions->thread_room);

		executions->threads = arena_grow(recording_arena(executions->recording), executions->threads,
						 executions->thread_count * size, room * size);
		executions->thread_room = room;
	}
	for (uint32_t i = executions->thread_count; i <= thread; i++) {
		const struct recording_thread *of = recording_thread(executions->recording, i);

		executions->threads[i] = (struct execution_stack){
			.trace = of->trace,
			.process = of->process,
			.version = model_process_version(executions->model, of->process),
			.has_vtid = of->has_vtid,
			.looked_ns = INT64_MIN,
		};
		array_with(executions->phases, of->process); /* starts do not ask whether it has one */
	}
	executions->thread_count = thread + 1;
	return &executions->threads[thread];
}

void execution_leave(struct executions *executions, const struct execution_stack *thread, struct open_execution *frame,
		     int64_t time_ns)
{
	if (thread->has_vtid && !execution_is_left(&frame->execution)) {
		frame->execution.left_ns = MAX(time_ns, frame->execution.start_ns);
		execution_ends_of(frame->execution.callback)->was_left = true;
	}
}

void execution_note_kept(struct executions *executions, const struct execution_stack *thread,
			 const struct open_execution *frame)
{
	if (thread->has_vtid && !frame->has_loss && !execution_is_left(&frame->execution)) {
		execution_ends_of(frame->execution.callback)->was_kept = true;
	}
}

enum execution_fate open_execution_fate(const struct executions *executions, const struct execution *execution,
					int64_t now_ns)
{
	enum execution_fate fate;

	if (!execution_is_left(execution)) {
		return EXECUTION_GOES_ON;
	}
	fate = execution_ends_fate(execution->callback,
				   object_model_callback_info(executions->model, execution->callback));
	return fate == EXECUTION_IN_DOUBT && now_ns - execution->left_ns > EXECUTION_DOUBT_NS ? EXECUTION_IS_OVER
											      : fate;
}

struct open_execution *execution_not_over(const struct executions *executions, struct open_execution *frame,
					  int64_t now_ns)
{
	while (frame && G_UNLIKELY(execution_is_left(&frame->execution)) &&
	       open_execution_fate(executions, &frame->execution, now_ns) == EXECUTION_IS_OVER) {
		frame = frame->outer;
	}
	return frame;
}

void execution_end_without_end(struct executions *executions, struct execution_stack *thread,
			       struct open_execution **link, bool is_cut)
{
	struct callback_ends *ends = execution_ends_of((*link)->execution.callback);
	struct missing_ends *missing = execution_ends_missing((*link)->execution.callback);

	if (is_cut || (*link)->has_loss) {
		missing->cut++;
	} else {
		missing->missing++;
		ends->is_over |= execution_is_left(&(*link)->execution) && !executions->is_finishing;
	}
	(*link)->execution.end_ns = 0;
	(*link)->execution.end_stream = 0;
	execution_end(executions, thread, link, ends, EXECUTION_WITHOUT_END);
}

static gint compare_by_number(gconstpointer a, gconstpointer b)
{
	const struct execution_stack *left = *(struct execution_stack *const *)a;
	const struct execution_stack *right = *(struct execution_stack *const *)b;

	return left->innermost->number < right->innermost->number ? -1 : 1;
}

void execution_end_threads(struct executions *executions,
			   bool (*is_chosen)(const struct recording_thread *thread,
					     const struct recording_thread *like),
			   const struct recording_thread *like, bool is_cut)
{
	g_autoptr(GPtrArray) chosen = g_ptr_array_new();

	for (uint32_t i = 0; i < executions->thread_count; i++) {
		if (executions->threads[i].innermost && is_chosen(recording_thread(executions->recording, i), like)) {
			g_ptr_array_add(chosen, &executions->threads[i]);
		}
	}
	g_ptr_array_sort(chosen, compare_by_number);
	for (guint i = 0; i < chosen->len; i++) {
		struct execution_stack *thread = chosen->pdata[i];

		while (thread->innermost) {
			execution_note_kept(executions, thread, thread->innermost);
			execution_end_without_end(executions, thread, &thread->innermost, is_cut);
		}
	}
}
