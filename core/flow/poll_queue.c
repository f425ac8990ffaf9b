/* SPDX-License-Identifier: MIT */
#include "core/flow/poll_queue.h"

#include <string.h>

/* Of a thread that does nothing but poll. With as many, a call costs little. */
#define POLLS_KEPT 128

/* More wait only if a clock stands still, or a reader joins more than any of ours. */
#define POLLS_MAX (32 * POLLS_KEPT)

struct poll_queue *poll_queue_create(void)
{
	struct poll_queue *queue = g_new0(struct poll_queue, 1);

	queue->calls = g_new0(struct poll_call, 1);
	queue->full_ns = INT64_MAX;
	return queue;
}

void poll_queue_destroy(struct poll_queue *queue)
{
	if (queue) {
		for (uint32_t thread = 0; thread < queue->thread_count; thread++) {
			g_free(queue->threads[thread].polls);
		}
		g_free(queue->threads);
		g_free(queue->calls);
		g_free(queue);
	}
}

void poll_queue_add_taker(struct poll_queue *queue, poll_taker take, void *data)
{
	size_t count = 0;

	while (queue->calls[count].take) {
		count++;
	}
	queue->calls = g_renew(struct poll_call, queue->calls, count + 2);
	queue->calls[count] = (struct poll_call){ take, data };
	queue->calls[count + 1] = (struct poll_call){ NULL, NULL };
}

static void pass_on(const struct poll_queue *queue, uint32_t thread, const struct poll *polls, size_t count)
{
	for (const struct poll_call *call = queue->calls; call->take; call++) {
		call->take(call->data, thread, polls, count);
	}
}

/* A thread that only polls never waits for none: what has been passed on makes room if it is more than what waits. */
static G_GNUC_NO_INLINE void enlarge(struct waiting_polls *waiting, size_t count)
{
	uint32_t kept = waiting->end - waiting->begin;

	if (waiting->begin > kept) {
		memmove(waiting->polls, &waiting->polls[waiting->begin], kept * sizeof(*waiting->polls));
		waiting->begin = 0;
		waiting->end = kept;
	}
	if (waiting->end + count > waiting->room) {
		waiting->room = MAX(2 * waiting->room, waiting->end + (uint32_t)count);
		waiting->polls = g_renew(struct poll, waiting->polls, waiting->room);
	}
}

/* Asked for each record of the thread. There is one. */
static inline void note_first(struct waiting_polls *waiting)
{
	waiting->first_ns = waiting->polls[waiting->begin].time_ns;
}

/*
 * The thread has moved between two CPUs, so some waiting polls are later than some new ones. Merges backwards from the
 * last one.
 */
static void merge(struct waiting_polls *waiting, const struct poll *polls, size_t count)
{
	size_t old = waiting->end, place = waiting->end + count;

	waiting->end = (uint32_t)place;
	while (count > 0) {
		bool is_old_later = old > waiting->begin && waiting->polls[old - 1].time_ns > polls[count - 1].time_ns;

		waiting->polls[--place] = is_old_later ? waiting->polls[--old] : polls[--count];
	}
}

/*
 * The time of the first poll that is one too many; INT64_MIN: far too many wait, whatever their time; INT64_MAX: none
 * is.
 */
static inline int64_t full_ns(const struct waiting_polls *waiting)
{
	uint32_t count = waiting->end - waiting->begin;

	return G_LIKELY(count <= POLLS_KEPT) ? INT64_MAX
	       : count > POLLS_MAX	     ? INT64_MIN
					     : waiting->polls[waiting->begin + POLLS_KEPT].time_ns;
}

static G_GNUC_NO_INLINE void pass_on_oldest(const struct poll_queue *queue, uint32_t thread,
					    struct waiting_polls *waiting)
{
	waiting->begin += POLLS_KEPT;
	note_first(waiting);
	pass_on(queue, thread, &waiting->polls[waiting->begin - POLLS_KEPT], POLLS_KEPT);
}

/* Before anything at time_ns: no poll before that is to come any more. */
static inline void release_full(const struct poll_queue *queue, uint32_t thread, int64_t time_ns)
{
	struct waiting_polls *waiting = &queue->threads[thread];

	while (G_UNLIKELY(full_ns(waiting) < time_ns)) {
		pass_on_oldest(queue, thread, waiting);
	}
}

void poll_queue_settle_full(struct poll_queue *queue, int64_t time_ns)
{
	queue->full_ns = INT64_MAX;
	for (uint32_t thread = 0; thread < queue->thread_count; thread++) {
		release_full(queue, thread, time_ns);
		queue->full_ns = MIN(queue->full_ns, full_ns(&queue->threads[thread]));
	}
}

/* Those up to the thread at least: twice as many as there are, so that adding one is amortized O(1). */
static void add_threads(struct poll_queue *queue, uint32_t thread)
{
	uint32_t count = MAX(thread + 1, 2 * queue->thread_count);

	queue->threads = g_renew(struct waiting_polls, queue->threads, count);
	while (queue->thread_count < count) {
		queue->threads[queue->thread_count++] = (struct waiting_polls){ .first_ns = INT64_MAX };
	}
}

static G_GNUC_NO_INLINE void add_to_others(struct poll_queue *queue, uint32_t thread, const struct poll *polls,
					   size_t count)
{
	struct waiting_polls *waiting;

	if (thread >= queue->thread_count) {
		add_threads(queue, thread);
	}
	waiting = &queue->threads[thread];
	if (waiting->room == 0) {
		/* whoever asks about other threads than that of a record knows from now on which ones poll */
		enlarge(waiting, count);
		pass_on(queue, thread, polls++, 1);
		if (--count == 0) {
			return;
		}
	}
	release_full(queue, thread, polls[0].time_ns);
	if (waiting->end + count > waiting->room) {
		enlarge(waiting, count);
	}
	if (waiting->end == 0 || waiting->polls[waiting->end - 1].time_ns <= polls[0].time_ns) {
		memcpy(&waiting->polls[waiting->end], polls, count * sizeof(*polls));
		waiting->end += (uint32_t)count;
	} else {
		merge(waiting, polls, count);
	}
	note_first(waiting);
	queue->full_ns = MIN(queue->full_ns, full_ns(waiting));
}

/* Most come when none wait, and are few: a copy is all, and one is copied at once. */
void poll_queue_add(struct poll_queue *queue, uint32_t thread, const struct poll *polls, size_t count)
{
	struct waiting_polls *waiting = queue->threads;

	if (count == 0) {
		return;
	}
	if (G_UNLIKELY(thread >= queue->thread_count || waiting[thread].end > 0 ||
		       count > MIN(waiting[thread].room, POLLS_KEPT))) {
		add_to_others(queue, thread, polls, count);
		return;
	}
	waiting += thread;
	waiting->first_ns = polls[0].time_ns;
	waiting->end = (uint32_t)count;
	waiting->polls[0] = polls[0];
	if (count > 1) {
		memcpy(&waiting->polls[1], &polls[1], (count - 1) * sizeof(*polls));
	}
}

void poll_queue_feed(void *queue, const struct event_record *record)
{
	if (record->kind == RECORD_POLLS) {
		poll_queue_add(queue, record->thread, record_polls(record), record->word[RECORD__count]);
	} else {
		struct poll poll = poll_of(record);

		poll_queue_add(queue, record->thread, &poll, 1);
	}
}

void poll_queue_pass_on(const struct poll_queue *queue, uint32_t thread, struct waiting_polls *due, int64_t until_ns)
{
	const struct poll *polls = &due->polls[due->begin];
	size_t count = due->end - due->begin;

	if (G_LIKELY(polls[count - 1].time_ns <= until_ns)) {
		due->begin = due->end = 0;
		due->first_ns = INT64_MAX;
	} else {
		count = 1;
		while (polls[count].time_ns <= until_ns) {
			count++;
		}
		due->begin += (uint32_t)count;
		note_first(due);
	}
	pass_on(queue, thread, polls, count);
}

void poll_queue_release(const struct poll_queue *queue, uint32_t thread, int64_t until_ns)
{
	struct waiting_polls *due = poll_queue_due(queue, thread, until_ns);

	if (due && due->end > 0) {
		poll_queue_pass_on(queue, thread, due, until_ns);
	}
}

void poll_queue_release_all(const struct poll_queue *queue, int64_t until_ns)
{
	for (uint32_t thread = 0; thread < queue->thread_count; thread++) {
		poll_queue_release(queue, thread, until_ns);
	}
}
