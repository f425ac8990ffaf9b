/* SPDX-License-Identifier: MIT */
#include "core/flow/resolve.h"

#define WAITING_MAX 10000 /* executions that wait for one another; a longer chain counts as a circle */

void flow_resolve_finish(struct flow_linker *linker, struct linked_execution *execution)
{
	/* a message may turn out to come from it later, and be concluded */
	if (!execution->is_finished) {
		FLOW_TELL(&linker->hearers, finished, &execution->public, execution->is_continued);
	}
}

/* The first execution that the message comes from, and that is unresolved; or that it may come from. */
static struct linked_execution *unresolved_parent(const struct linked_publication *publication)
{
	if (G_UNLIKELY(publication->is_doubtful)) {
		return publication->enclosing;
	}
	for (size_t i = 0; i < publication->public.parent_count; i++) {
		struct linked_execution *parent = (struct linked_execution *)publication->public.parents[i];

		if (!parent->public.is_resolved) {
			return parent;
		}
	}
	return NULL;
}

/* The execution that has to be resolved before this one. */
static struct linked_execution *awaited_by(const struct linked_execution *execution)
{
	return execution->cause ? unresolved_parent(execution->cause) : NULL;
}

/* Whether an execution is `other`, or waits for it. */
static bool waits_for(const struct linked_execution *execution, const struct linked_execution *other)
{
	for (unsigned int i = 0; execution && execution != other && i < WAITING_MAX; i++) {
		execution = awaited_by(execution);
	}
	return execution != NULL;
}

/* The list of dependents is circular, from the last one to the first, so that both ends are at hand. */
static void add_dependent(struct linked_execution *execution, struct linked_execution *dependent)
{
	struct linked_execution *last = execution->dependents;

	dependent->next_dependent = last ? last->next_dependent : dependent;
	if (last) {
		last->next_dependent = dependent;
	}
	execution->dependents = linked_execution_reference(dependent);
}

/* Those that waited for the execution, in the order in which they began to, and then the rest of a list. */
static struct linked_execution *take_dependents(struct linked_execution *execution, struct linked_execution *rest)
{
	struct linked_execution *last = execution->dependents, *first;

	if (!last) {
		return rest;
	}
	execution->dependents = NULL;
	first = last->next_dependent;
	last->next_dependent = rest;
	return first;
}

/* Marks it resolved and reports it; false if it has to wait for another execution. */
static bool try_resolve(struct flow_linker *linker, struct linked_execution *execution)
{
	struct linked_execution *awaited = awaited_by(execution);

	if (awaited && !waits_for(awaited, execution)) {
		add_dependent(awaited, execution);
		return false;
	}
	flow_resolve_mark(linker, execution);
	linked_publication_release(linker, execution->cause);
	execution->cause = NULL;
	return true;
}

/* Takes a list of executions; each is a reference. */
static void resolve_all(struct flow_linker *linker, struct linked_execution *todo)
{
	while (todo) {
		struct linked_execution *execution = todo;

		todo = execution->next_dependent;
		prefetch(todo, sizeof(*todo));
		if (try_resolve(linker, execution)) {
			todo = take_dependents(execution, todo);
			flow_resolve_await_less(linker, execution);
		}
		linked_execution_release(linker, execution);
	}
}

void flow_resolve_dependents(struct flow_linker *linker, struct linked_execution *execution)
{
	if (execution->public.is_resolved) {
		resolve_all(linker, take_dependents(execution, NULL));
	}
}

void flow_resolve_set_cause(struct flow_linker *linker, struct linked_execution *execution,
			    struct linked_publication *publication, struct flow_delivery *delivery)
{
	execution->public.cause = delivery;
	execution->public.flow_id = publication->public.id;
	if (G_LIKELY(!unresolved_parent(publication))) {
		flow_resolve_now(linker, execution);
		return;
	}
	publication->has_kept_waiting = true;
	execution->cause = linked_publication_reference(publication);
	execution->next_dependent = NULL;
	resolve_all(linker, linked_execution_reference(execution));
}
