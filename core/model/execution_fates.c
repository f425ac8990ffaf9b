/* SPDX-License-Identifier: MIT */
#include "core/model/execution_fates.h"

#include "core/model/coverage.h"
#include "core/model/open_executions.h"

/* --- when threads leave executions --- */

void executions_look(struct executions *executions, uint32_t thread, int64_t time_ns)
{
	struct execution_stack *frames = execution_stack_of(executions, thread);

	frames->has_polled = true;
	frames->looked_ns = time_ns;
	if (G_UNLIKELY(frames->innermost)) {
		execution_leave(executions, frames, frames->innermost, time_ns);
	}
}

void executions_set_polls(struct executions *executions, executions_poll_source release, void *data)
{
	executions->release_polls = release;
	executions->poll_data = data;
}

void executions_catch_up(struct executions *executions, uint32_t thread, int64_t until_ns)
{
	if (executions->release_polls) {
		executions->release_polls(executions->poll_data, thread, until_ns);
	}
}

/* --- questions --- */

bool executions_is_deferred(const struct executions *executions, struct model_callback *callback)
{
	return execution_ends_are_deferred(callback, object_model_callback_info(executions->model, callback));
}

enum execution_fate executions_fate(const struct executions *executions, const struct execution *execution,
				    int64_t now_ns)
{
	return open_execution_fate(executions, execution, now_ns);
}

/* Whether a trace with losses leaves open what the thread does. */
static bool is_lossy(const struct open_execution *frame)
{
	return frame->has_loss || frame->has_contradiction;
}

/* Whether the callback says that it responds later: only these are over for certain as soon as they are left. */
static bool is_certainly_over(const struct executions *executions, const struct open_execution *frame)
{
	return execution_is_left(&frame->execution) && executions_is_deferred(executions, frame->execution.callback) &&
	       object_model_callback_info(executions->model, frame->execution.callback)->response ==
		       SERVICE_RESPONSE_DEFERRED;
}

/* The innermost of a frame and those around it that is not. */
static G_GNUC_NO_INLINE struct open_execution *not_certainly_over(const struct executions *executions,
								  struct open_execution *frame)
{
	while (frame && is_certainly_over(executions, frame)) {
		frame = frame->outer;
	}
	return frame;
}

struct execution *executions_enclosing(struct executions *executions, uint32_t thread, bool *is_certain)
{
	const struct execution_stack *frames = execution_stack_of(executions, thread);
	struct open_execution *frame = frames->innermost;

	if (G_UNLIKELY(frame && execution_is_left(&frame->execution))) {
		frame = not_certainly_over(executions, frame);
	}
	if (!frame || !frames->has_vtid || is_lossy(frame)) {
		return NULL;
	}
	*is_certain = !execution_is_left(&frame->execution) && frames->has_polled;
	return &frame->execution;
}

struct execution *executions_current(struct executions *executions, uint32_t thread, int64_t now_ns)
{
	const struct execution_stack *frames = execution_stack_of(executions, thread);
	struct open_execution *frame = execution_not_over(executions, frames->innermost, now_ns);

	return frame && frames->has_vtid && !is_lossy(frame) &&
			       open_execution_fate(executions, &frame->execution, now_ns) == EXECUTION_GOES_ON
		       ? &frame->execution
		       : NULL;
}

const struct execution *executions_outermost(struct executions *executions, uint32_t thread)
{
	struct execution_stack *frames = execution_stack_of(executions, thread);

	return frames->innermost ? &(*execution_stack_outermost(frames))->execution : NULL;
}

bool executions_is_shared(struct executions *executions, uint32_t thread)
{
	return execution_stack_of(executions, thread)->is_shared;
}

bool executions_has_looked(struct executions *executions, uint32_t thread, int64_t since_ns)
{
	return execution_stack_of(executions, thread)->looked_ns > since_ns;
}

bool executions_may_have_lost_start(struct executions *executions, uint32_t thread)
{
	const struct execution_stack *frames = execution_stack_of(executions, thread);

	return frames->trail.is_uncertain || (frames->innermost && is_lossy(frames->innermost));
}

bool executions_are_in_doubt(struct executions *executions, uint32_t thread, int64_t now_ns)
{
	const struct open_execution *frame =
		execution_not_over(executions, execution_stack_of(executions, thread)->innermost, now_ns);

	return frame && open_execution_fate(executions, &frame->execution, now_ns) == EXECUTION_IN_DOUBT;
}

/* --- losses --- */

static G_GNUC_NO_INLINE bool lies_in_silence(const struct executions *executions, uint32_t thread, int64_t from_ns,
					     int64_t to_ns)
{
	return !coverage_trace_is_whole(executions->coverage, recording_thread(executions->recording, thread)->trace,
					from_ns, to_ns);
}

bool executions_may_miss_events(const struct executions *executions, uint32_t thread, int64_t from_ns, int64_t to_ns)
{
	return G_UNLIKELY(coverage_has_any(executions->coverage)) &&
	       lies_in_silence(executions, thread, from_ns, to_ns);
}

bool executions_is_after_loss(const struct executions *executions)
{
	return executions->is_after_loss;
}
