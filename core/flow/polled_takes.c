/* SPDX-License-Identifier: MIT */
#include "core/flow/polled_takes.h"

#include "core/flow/endpoints.h"

void polled_takes_mark(const struct model_subscription *subscription)
{
	flow_subscription(subscription)->has_takes = true;
}

bool polled_takes_are_recorded(const struct model_subscription *subscription)
{
	return flow_subscription(subscription)->has_takes;
}

int64_t polled_takes_note(const struct model_subscription *subscription, int64_t take_ns, bool is_taken)
{
	struct flow_subscription *of = flow_subscription(subscription);
	int64_t since_ns = of->in_vain_since_ns;

	of->has_takes = true;
	if (!is_taken) {
		of->in_vain_since_ns = MAX(of->in_vain_ns, take_ns - POLL_TRANSPORT_NS);
		of->in_vain_ns = take_ns;
	}
	return since_ns;
}

bool polled_takes_has_polled(struct flow_linker *linker, const struct flow_thread *thread)
{
	const struct pending_take *pending = &thread->pending;
	const struct execution *execution;

	if (!pending->is_set || pending->is_intra_process || !pending->take.delivery.subscription ||
	    !thread->has_vtid || thread->is_cut) {
		return false;
	}
	execution = executions_current(linker->executions, thread->index, linker->now_ns);
	if (!execution) {
		return thread->callback_phase == 0 && !thread->has_executed;
	}
	return execution->start_ns <= pending->take.delivery.take_ns &&
	       (!thread->has_executed || pending->has_no_callback) &&
	       !executions_has_looked(linker->executions, thread->index, pending->take.delivery.take_ns);
}
