/* SPDX-License-Identifier: MIT */
#include "core/flow/doubtful_origins.h"

#include "core/flow/resolve.h"

/* Its place in the list. There are as many as threads with such an execution. */
static struct doubtful_origin **find(struct flow_linker *linker, const struct linked_execution *linked)
{
	struct doubtful_origin **place = &linker->doubtful;

	while ((*place)->linked != linked) {
		place = &(*place)->next;
	}
	return place;
}

/* From the place in a list to that in another. */
static void move_to(struct doubtful_origin **from, struct doubtful_origin **to)
{
	struct doubtful_origin *origin = *from;

	*from = origin->next;
	origin->next = *to;
	*to = origin;
}

void doubtful_origins_drop_decided(struct flow_linker *linker)
{
	linker->decided->count = 0;
	move_to(&linker->decided, &linker->spare_origins);
}

void doubtful_origins_clear(struct flow_linker *linker)
{
	while (linker->spare_origins) {
		struct doubtful_origin *origin = linker->spare_origins;

		linker->spare_origins = origin->next;
		g_free(origin->publications);
		g_free(origin);
	}
}

static struct doubtful_origin *origin_of(struct flow_linker *linker, const struct execution *execution)
{
	struct linked_execution *linked = execution->flow;

	if (linked->has_doubtful) {
		return *find(linker, linked);
	}
	linked->has_doubtful = true;
	if (!linker->spare_origins) {
		linker->spare_origins = g_new0(struct doubtful_origin, 1);
	}
	move_to(&linker->spare_origins, &linker->doubtful);
	linker->doubtful->linked = linked_execution_reference(linked);
	linker->doubtful->execution = execution;
	return linker->doubtful;
}

/* When its publications are given up, or to be looked at again: those of an execution that is not left wait for its
 * end. */
static int64_t due_ns(const struct flow_linker *linker, const struct doubtful_origin *origin)
{
	bool is_left = origin->execution->left_ns != EXECUTION_HAS_NOT_LEFT;

	return (is_left ? origin->publications[0]->public.first_ns : linker->now_ns) + EXECUTION_DOUBT_NS;
}

void doubtful_origins_add(struct flow_linker *linker, struct linked_publication *publication,
			  const struct execution *execution)
{
	struct doubtful_origin *origin = origin_of(linker, execution);

	publication->is_doubtful = true;
	publication->enclosing = origin->linked;
	if (origin->count == origin->room) {
		origin->room = MAX(2 * origin->room, 8);
		origin->publications = g_renew(struct linked_publication *, origin->publications, origin->room);
	}
	origin->publications[origin->count++] = linked_publication_reference(publication);
	flow_linker_wake_aged(linker, due_ns(linker, origin));
}

/* Whether it is not known what has happened after the thread left the execution. */
static bool hides_origin(const struct flow_linker *linker, const struct execution *execution)
{
	return executions_fate(linker->executions, execution, execution->left_ns) != EXECUTION_IS_OVER;
}

/* `execution` is the one that the publication may come from. */
static void decide(struct flow_linker *linker, struct linked_publication *publication,
		   const struct execution *execution, bool comes_from_it, bool has_lost_origin)
{
	struct linked_execution *enclosing = publication->enclosing;

	if (!publication->is_doubtful) {
		return;
	}
	publication->is_doubtful = false;
	publication->enclosing = NULL;
	if (comes_from_it) {
		linked_publication_set_direct_parent(linker, publication, enclosing);
		enclosing->is_continued |= publication->is_taken_on;
	} else {
		/* before the thread left the execution, nothing shows whether it was over */
		publication->public.has_lost_origin =
			has_lost_origin || publication->public.first_ns < execution->left_ns;
	}
}

/*
 * Decides on all publications of an execution: first on each, since an execution may wait for several, then what
 * follows from that.
 */
static void decide_all(struct flow_linker *linker, struct doubtful_origin **place, bool comes_from_it,
		       bool has_lost_origin)
{
	struct doubtful_origin *origin = *place, **end = &linker->decided;

	origin->linked->has_doubtful = false;
	for (guint i = 0; i < origin->count; i++) {
		decide(linker, origin->publications[i], origin->execution, comes_from_it, has_lost_origin);
	}
	flow_resolve_dependents(linker, origin->linked);
	linked_execution_release(linker, origin->linked);
	while (*end) {
		end = &(*end)->next;
	}
	move_to(place, end);
}

void doubtful_origins_decide(struct flow_linker *linker, const struct execution *execution,
			     enum execution_outcome outcome)
{
	decide_all(linker, find(linker, execution->flow), outcome == EXECUTION_COMPLETE,
		   outcome == EXECUTION_DOUBTFUL || hides_origin(linker, execution));
}

void doubtful_origins_give_up(struct flow_linker *linker, struct linked_publication *publication)
{
	if (G_UNLIKELY(publication->is_doubtful)) {
		struct linked_execution *enclosing = publication->enclosing;
		const struct execution *execution = (*find(linker, enclosing))->execution;

		decide(linker, publication, execution, false, hides_origin(linker, execution));
		if (publication->has_kept_waiting) { /* of hundreds that wait for the execution, some for this */
			flow_resolve_dependents(linker, enclosing);
		}
	}
}

static void give_up_all(struct flow_linker *linker, struct doubtful_origin **place)
{
	decide_all(linker, place, false, hides_origin(linker, (*place)->execution));
}

void doubtful_origins_expire(struct flow_linker *linker)
{
	struct doubtful_origin **place = &linker->doubtful;

	while (*place) {
		if (linker->now_ns >= due_ns(linker, *place)) {
			give_up_all(linker, place);
		} else {
			place = &(*place)->next;
		}
	}
}

int64_t doubtful_origins_due_ns(const struct flow_linker *linker)
{
	int64_t next_ns = INT64_MAX;

	for (const struct doubtful_origin *origin = linker->doubtful; origin; origin = origin->next) {
		next_ns = MIN(next_ns, due_ns(linker, origin));
	}
	return next_ns;
}

void doubtful_origins_finish(struct flow_linker *linker)
{
	while (linker->doubtful) {
		give_up_all(linker, &linker->doubtful);
	}
}
