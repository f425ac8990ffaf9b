/* SPDX-License-Identifier: MIT */
#include "core/analyses/shared/thread_history.h"

#include <glib.h>

#include "core/base/slots.h"
#include "core/base/time_units.h"

/* An outermost execution that has ended, or a time in which the thread may have executed anything. */
struct period {
	struct model_callback *callback; /* NULL: it is not known what */
	int64_t start_ns;
	int64_t end_ns; /* OPEN_END: until the next execution starts */
};

#define OPEN_END INT64_MAX

struct thread_ring {
	const struct execution *outermost; /* open; borrowed until it ends, NULL if there is none */
	uint32_t depth;			   /* open executions */
	uint64_t count;			   /* periods so far */
	struct period periods[THREAD_HISTORY_LENGTH];
};

/* A question, and the answer to it. */
struct answer {
	uint32_t thread;
	int64_t from_ns, to_ns;
	bool is_known;
	struct thread_uses uses;
};

struct thread_history {
	const struct recording *recording; /* borrowed */
	struct executions *executions;	   /* borrowed */
	bool listens;
	GPtrArray *rings; /* struct thread_ring * by thread index; NULL: the thread executed nothing */
	struct answer last;
};

static struct thread_ring *ring_of(struct thread_history *history, uint32_t thread)
{
	gpointer *slot = slot_at(history->rings, thread);

	if (G_UNLIKELY(!*slot)) {
		*slot = g_new0(struct thread_ring, 1);
	}
	return *slot;
}

static const struct period *period_at(const struct thread_ring *ring, uint64_t number)
{
	return &ring->periods[number % THREAD_HISTORY_LENGTH];
}

static struct period *last_period(struct thread_ring *ring)
{
	return ring->count > 0 ? &ring->periods[(ring->count - 1) % THREAD_HISTORY_LENGTH] : NULL;
}

static void add_period(struct thread_ring *ring, struct period period)
{
	ring->periods[ring->count++ % THREAD_HISTORY_LENGTH] = period;
}

static void close_last(struct thread_ring *ring, int64_t time_ns)
{
	struct period *last = last_period(ring);

	if (last && last->end_ns == OPEN_END) {
		last->end_ns = time_ns;
	}
}

static void started(void *data, struct execution *execution)
{
	struct thread_ring *ring = ring_of(data, execution->thread);

	if (ring->depth++ == 0) {
		close_last(ring, execution->start_ns);
		ring->outermost = execution;
	}
}

/* The execution that ends here may have begun at any time since the last known period. */
static void end_without_start(struct thread_ring *ring, const struct execution *execution)
{
	const struct period *last = last_period(ring);

	if (last && last->end_ns == OPEN_END) {
		close_last(ring, execution->end_ns);
	} else if (ring->depth == 0) {
		add_period(ring, (struct period){
					 .start_ns = last ? last->end_ns : INT64_MIN,
					 .end_ns = execution->end_ns,
				 });
	}
}

static void ended(void *data, struct execution *execution, enum execution_outcome outcome)
{
	struct thread_history *history = data;
	struct thread_ring *ring = ring_of(history, execution->thread);

	history->last.is_known &= history->last.thread != execution->thread;
	if (outcome == EXECUTION_WITHOUT_START) {
		end_without_start(ring, execution);
		return;
	}
	ring->depth--;
	if (execution == ring->outermost) {
		ring->outermost = NULL;
		add_period(ring, (struct period){
					 .callback = outcome == EXECUTION_COMPLETE ? execution->callback : NULL,
					 .start_ns = execution->start_ns,
					 .end_ns = outcome == EXECUTION_WITHOUT_END ? OPEN_END : execution->end_ns,
				 });
	}
}

struct thread_history *thread_history_create(const struct recording *recording, struct executions *executions)
{
	struct thread_history *history = g_new0(struct thread_history, 1);

	history->recording = recording;
	history->executions = executions;
	history->rings = g_ptr_array_new_with_free_func(g_free);
	return history;
}

void thread_history_listen(struct thread_history *history)
{
	if (!history->listens) {
		executions_add_listener(history->executions, &(struct executions_listener){
								     .data = history,
								     .started = started,
								     .ended = ended,
							     });
		history->listens = true;
	}
}

void thread_history_destroy(struct thread_history *history)
{
	if (history) {
		g_ptr_array_unref(history->rings);
		g_free(history);
	}
}

/*
 * From the last period backwards: they are in order and do not overlap, so that only the first use can go beyond to_ns.
 * The sums are in local variables, which stay in registers, because there may be hundreds of uses.
 */
static bool find_in_ring(const struct thread_ring *ring, int64_t from_ns, int64_t to_ns, struct thread_uses *uses)
{
	uint64_t i = ring->count, oldest = i - MIN(i, THREAD_HISTORY_LENGTH);
	struct thread_use *use = uses->list;
	struct model_callback *longest = NULL;
	int64_t longest_ns = -1, total_ns = 0, reached_ns = INT64_MAX;

	if (ring->outermost && ring->outermost->start_ns < to_ns) {
		longest = ring->outermost->callback;
		longest_ns = total_ns = to_ns - MAX(ring->outermost->start_ns, from_ns);
		*use++ = (struct thread_use){ longest, total_ns };
	}
	while (i > oldest && period_at(ring, i - 1)->start_ns >= to_ns) {
		reached_ns = period_at(ring, --i)->start_ns;
	}
	for (; i > oldest; i--) {
		const struct period *period = period_at(ring, i - 1);
		int64_t used_ns;

		if (period->end_ns <= from_ns) {
			reached_ns = from_ns;
			break;
		}
		if (!period->callback) {
			return false;
		}
		reached_ns = period->start_ns;
		used_ns = MIN(period->end_ns, to_ns) - MAX(period->start_ns, from_ns);
		*use++ = (struct thread_use){ period->callback, used_ns };
		total_ns = add_saturated(total_ns, used_ns);
		longest = used_ns > longest_ns ? period->callback : longest;
		longest_ns = MAX(longest_ns, used_ns);
	}
	uses->total_ns = total_ns;
	uses->longest = longest;
	uses->count = (size_t)(use - uses->list);
	return oldest == 0 || reached_ns <= from_ns;
}

static bool find(const struct thread_history *history, uint32_t thread, int64_t from_ns, int64_t to_ns,
		 struct thread_uses *uses)
{
	const struct thread_ring *ring = slot_get(history->rings, thread);

	if (to_ns < from_ns || !recording_thread(history->recording, thread)->has_vtid ||
	    executions_may_miss_events(history->executions, thread, from_ns, to_ns)) {
		return false;
	}
	if (ring) {
		return find_in_ring(ring, from_ns, to_ns, uses);
	}
	uses->total_ns = 0;
	uses->longest = NULL;
	uses->count = 0;
	return true;
}

const struct thread_uses *thread_history_find(struct thread_history *history, uint32_t thread, int64_t from_ns,
					      int64_t to_ns)
{
	struct answer *last = &history->last;

	if (last->thread != thread || last->from_ns != from_ns || last->to_ns != to_ns || !last->is_known) {
		last->thread = thread;
		last->from_ns = from_ns;
		last->to_ns = to_ns;
		last->is_known = find(history, thread, from_ns, to_ns, &last->uses);
	}
	return last->is_known ? &last->uses : NULL;
}
