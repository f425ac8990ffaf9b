/* SPDX-License-Identifier: MIT */
#include "core/flow/polled_takes.h"

#include "core/base/slots.h"

/* The last two takes of a subscription that found no message. */
struct polls {
	int64_t last_ns, before_ns;
	bool has_takes; /* any, also with messages */
};

GArray *polled_takes_create(void)
{
	return g_array_new(FALSE, TRUE, sizeof(struct polls));
}

static struct polls *polls_of(struct flow_linker *linker, const struct model_subscription *subscription)
{
	return array_at(linker->polls, struct polls, subscription->index);
}

void polled_takes_mark(struct flow_linker *linker, const struct model_subscription *subscription)
{
	polls_of(linker, subscription)->has_takes = true;
}

bool polled_takes_are_recorded(const struct flow_linker *linker, const struct model_subscription *subscription)
{
	return subscription->index < linker->polls->len &&
	       g_array_index(linker->polls, struct polls, subscription->index).has_takes;
}

int64_t polled_takes_note(struct flow_linker *linker, const struct model_subscription *subscription, int64_t take_ns,
			  bool is_taken)
{
	struct polls *polls = polls_of(linker, subscription);
	int64_t since_ns;

	polls->has_takes = true;
	since_ns = MAX(polls->before_ns, polls->last_ns - POLL_TRANSPORT_NS);
	if (!is_taken) {
		polls->before_ns = polls->last_ns;
		polls->last_ns = take_ns;
	}
	return since_ns;
}

bool polled_takes_has_polled(struct flow_linker *linker, const struct flow_thread *thread)
{
	const struct pending_take *pending = &thread->pending;
	const struct execution *execution;

	if (!pending->is_set || pending->is_intra_process || !pending->subscription || !thread->has_vtid ||
	    thread->is_cut) {
		return false;
	}
	execution = executions_current(linker->executions, thread->index, linker->now_ns);
	if (!execution) {
		return thread->callback_phase == 0 && !thread->has_executed;
	}
	return execution->start_ns <= pending->take_ns && (!thread->has_executed || pending->has_no_callback) &&
	       !executions_has_looked(linker->executions, thread->index, pending->take_ns);
}
