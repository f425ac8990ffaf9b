/* SPDX-License-Identifier: MIT */
#include "core/model/open_executions.h"

struct execution_stack *execution_stack_add(struct executions *executions, uint32_t thread)
{
	guint known = executions->threads->len;

	g_array_set_size(executions->threads, thread + 1);
	for (guint i = known; i <= thread; i++) {
		const struct recording_thread *of = recording_thread(executions->recording, i);

		g_array_index(executions->threads, struct execution_stack, i) = (struct execution_stack){
			.trace = of->trace,
			.process = of->process,
			.has_vtid = of->has_vtid,
			.looked_ns = INT64_MIN,
		};
	}
	return &g_array_index(executions->threads, struct execution_stack, thread);
}

void execution_leave(struct executions *executions, const struct execution_stack *thread, struct open_execution *frame,
		     int64_t time_ns)
{
	if (thread->has_vtid && !execution_is_left(&frame->execution)) {
		frame->execution.left_ns = MAX(time_ns, frame->execution.start_ns);
		execution_ends_of(&executions->ends, frame->execution.callback)->was_left = true;
	}
}

void execution_note_kept(struct executions *executions, const struct execution_stack *thread,
			 const struct open_execution *frame)
{
	if (thread->has_vtid && !frame->has_loss && !execution_is_left(&frame->execution)) {
		execution_ends_of(&executions->ends, frame->execution.callback)->was_kept = true;
	}
}

enum execution_fate open_execution_fate(const struct executions *executions, const struct execution *execution,
					int64_t now_ns)
{
	enum execution_fate fate;

	if (!execution_is_left(execution)) {
		return EXECUTION_GOES_ON;
	}
	fate = execution_ends_fate(&executions->ends, execution->callback,
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
