/* SPDX-License-Identifier: MIT */
#include "core/flow/doubtful_origins.h"

#include "core/flow/resolve.h"

/* An open execution and the publications that may come from it, which are not decided. */
struct doubtful_origin {
	struct linked_execution *linked; /* reference */
	const struct execution *execution;
	GPtrArray *publications; /* struct linked_publication *, references, in order of time */
};

static struct doubtful_origin *origin_at(const struct flow_linker *linker, guint index)
{
	return linker->doubtful->pdata[index];
}

/* There are as many as threads with such an execution. */
static guint find(const struct flow_linker *linker, const struct linked_execution *linked)
{
	guint index = 0;

	while (origin_at(linker, index)->linked != linked) {
		index++;
	}
	return index;
}

static struct doubtful_origin *create(void)
{
	struct doubtful_origin *origin = g_new0(struct doubtful_origin, 1);

	origin->publications = g_ptr_array_new();
	return origin;
}

static void destroy(void *data)
{
	struct doubtful_origin *origin = data;

	g_ptr_array_unref(origin->publications);
	g_free(origin);
}

GPtrArray *doubtful_origins_create(void)
{
	return g_ptr_array_new_with_free_func(destroy);
}

static struct doubtful_origin *origin_of(struct flow_linker *linker, const struct execution *execution)
{
	struct linked_execution *linked = execution->flow;
	GPtrArray *spare = linker->spare_origins;
	struct doubtful_origin *origin;

	if (linked->has_doubtful) {
		return origin_at(linker, find(linker, linked));
	}
	linked->has_doubtful = true;
	origin = spare->len > 0 ? g_ptr_array_steal_index(spare, spare->len - 1) : create();
	origin->linked = linked_execution_reference(linked);
	origin->execution = execution;
	g_ptr_array_add(linker->doubtful, origin);
	return origin;
}

/* When its publications are given up, or to be looked at again: those of an execution that is not left wait for its
 * end. */
static int64_t due_ns(const struct flow_linker *linker, const struct doubtful_origin *origin)
{
	const struct linked_publication *first = origin->publications->pdata[0];
	bool is_left = origin->execution->left_ns != EXECUTION_HAS_NOT_LEFT;

	return (is_left ? first->public.first_ns : linker->now_ns) + EXECUTION_DOUBT_NS;
}

void doubtful_origins_add(struct flow_linker *linker, struct linked_publication *publication,
			  const struct execution *execution)
{
	struct doubtful_origin *origin = origin_of(linker, execution);

	publication->is_doubtful = true;
	publication->enclosing = linked_execution_reference(origin->linked);
	g_ptr_array_add(origin->publications, linked_publication_reference(publication));
	linker->aged_due_ns = MIN(linker->aged_due_ns, due_ns(linker, origin));
	flow_linker_wake(linker, linker->aged_due_ns);
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
	linked_execution_release(linker, enclosing);
}

/*
 * Decides on all publications of an execution: first on each, since an execution may wait for several, then what
 * follows from that.
 */
static void decide_all(struct flow_linker *linker, guint index, bool comes_from_it, bool has_lost_origin)
{
	struct doubtful_origin *origin = g_ptr_array_steal_index(linker->doubtful, index);
	GPtrArray *publications = origin->publications;

	origin->linked->has_doubtful = false;
	for (guint i = 0; i < publications->len; i++) {
		decide(linker, publications->pdata[i], origin->execution, comes_from_it, has_lost_origin);
	}
	flow_resolve_dependents(linker, origin->linked);
	g_ptr_array_extend(linker->decided, publications, NULL, NULL);
	g_ptr_array_set_size(publications, 0);
	linked_execution_release(linker, origin->linked);
	g_ptr_array_add(linker->spare_origins, origin);
}

void doubtful_origins_decide_all(struct flow_linker *linker, const struct execution *execution,
				 enum execution_outcome outcome)
{
	decide_all(linker, find(linker, execution->flow), outcome == EXECUTION_COMPLETE,
		   outcome == EXECUTION_DOUBTFUL || hides_origin(linker, execution));
}

void doubtful_origins_give_up(struct flow_linker *linker, struct linked_publication *publication)
{
	if (G_UNLIKELY(publication->is_doubtful)) {
		struct linked_execution *enclosing = linked_execution_reference(publication->enclosing);
		const struct doubtful_origin *origin = origin_at(linker, find(linker, enclosing));

		decide(linker, publication, origin->execution, false, hides_origin(linker, origin->execution));
		flow_resolve_dependents(linker, enclosing);
		linked_execution_release(linker, enclosing);
	}
}

static void give_up_all(struct flow_linker *linker, guint index)
{
	decide_all(linker, index, false, hides_origin(linker, origin_at(linker, index)->execution));
}

void doubtful_origins_expire(struct flow_linker *linker)
{
	for (guint i = linker->doubtful->len; i-- > 0;) {
		if (linker->now_ns >= due_ns(linker, origin_at(linker, i))) {
			give_up_all(linker, i);
		}
	}
}

int64_t doubtful_origins_due_ns(const struct flow_linker *linker)
{
	int64_t next_ns = INT64_MAX;

	for (guint i = 0; i < linker->doubtful->len; i++) {
		next_ns = MIN(next_ns, due_ns(linker, origin_at(linker, i)));
	}
	return next_ns;
}

void doubtful_origins_finish(struct flow_linker *linker)
{
	while (linker->doubtful->len > 0) {
		give_up_all(linker, linker->doubtful->len - 1);
	}
}
