/* SPDX-License-Identifier: MIT */
#include "core/flow/latched.h"

#include "core/base/memory_layout.h"
#include "core/flow/channels.h"
#include "core/flow/conclusions.h"
#include "core/flow/inferred_stamps.h"
#include "core/flow/linked_executions.h"

static inline void forget_oldest(struct flow_linker *linker, struct flow_publisher *publisher)
{
	struct linked_publication *publication = publisher->latched_first;

	publisher->latched_first = publication->next_of_publisher;
	publisher->latched_count--;
	publisher->latched_fetched = 0;
	publication->is_forgotten = true;
	inferred_stamps_forget(linker, publication);
	linked_publication_forget_key(linker, publication);
	flow_conclude_check(linker, publication);
	linked_publication_release(linker, publication);
}

/* Whether the oldest of more than the publisher's queue holds leaves before another one is added. */
static bool leaves(const struct flow_linker *linker, const struct flow_publisher *publisher)
{
	return publisher->latched_count >= FLOW_LATCHED_MAX || recording_host_count(linker->recording) <= 1 ||
	       linker->now_ns - publisher->latched_first->public.first_ns > FLOW_OUT_OF_ORDER_NS;
}

void latched_add(struct flow_linker *linker, struct flow_publisher *publisher, struct linked_publication *publication)
{
	uint64_t depth = publisher->model->queue_depth;
	unsigned int limit = depth == 0 || depth > FLOW_LATCHED_MAX ? FLOW_LATCHED_MAX : (unsigned int)depth;

	while (publisher->latched_count >= limit && leaves(linker, publisher)) {
		forget_oldest(linker, publisher);
	}
	linked_publication_append(&publisher->latched_first, &publisher->latched_last, publication);
	publisher->latched_count++;
}

void latched_clear(struct flow_linker *linker, struct flow_publisher *publisher)
{
	while (publisher->latched_first) {
		forget_oldest(linker, publisher);
	}
}

/* --- prefetching --- */

void latched_prefetch(const struct linked_publication *publication)
{
	struct flow_publisher *publisher = publication->queue;
	const struct linked_publication *leaving = publisher ? publisher->latched_first : NULL;

	if (!leaving) {
		return;
	}
	switch (publisher->latched_fetched++) {
	case 0:
		prefetch(leaving, sizeof(*leaving));
		break;
	case 1:
		prefetch(leaving->last_delivery, sizeof(*leaving->last_delivery));
		if (leaving->public.parent_count > 0) {
			prefetch(leaving->public.parents[0], sizeof(struct linked_execution));
		}
		break;
	case 2:
		if (leaving->public.parent_count > 0) {
			prefetch(leaving->public.parents[0]->data[0], CACHE_LINE);
		}
		break;
	default:
		publisher->latched_fetched--;
		break;
	}
}
