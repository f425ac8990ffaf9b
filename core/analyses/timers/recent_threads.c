/* SPDX-License-Identifier: MIT */
#include "core/analyses/timers/recent_threads.h"

#include "core/base/arena_parts.h"
#include "ros2bt/events/recording.h"

enum recent_list {
	LIST_NONE,
	LIST_OPEN,
	LIST_CLOSED,
};

struct recent_thread {
	uint32_t depth; /* open executions */
	bool is_touched;
	enum recent_list list;
	uint32_t next_touched; /* of its process, while is_touched; RECORDING_NONE: none */
	uint64_t touched;      /* which of all touches was its last */
	int64_t reached_ns;
	uint32_t newer, older; /* in its list; RECORDING_NONE: it is the first, or the last */
};

struct recent_process {
	uint32_t open, closed; /* the first of each list; RECORDING_NONE: it is empty */
	uint32_t touched;      /* the last of the threads that are not in their places yet; RECORDING_NONE: all are */
	int64_t reached_ns;
};

void recent_threads_init(struct recent_threads *recent, struct arena *arena)
{
	recent->threads = arena_array(arena, sizeof(struct recent_thread));
	recent->processes = arena_array(arena, sizeof(struct recent_process));
	recent->order = arena_array(arena, sizeof(uint32_t));
	recent->touches = 0;
}

static struct recent_thread *thread_at(const struct recent_threads *recent, uint32_t index)
{
	return &g_array_index(recent->threads, struct recent_thread, index);
}

static struct recent_thread *thread_of(struct recent_threads *recent, uint32_t index)
{
	if (G_UNLIKELY(index >= recent->threads->len)) {
		g_array_set_size(recent->threads, index + 1);
	}
	return thread_at(recent, index);
}

static struct recent_process *process_of(struct recent_threads *recent, uint32_t index)
{
	while (G_UNLIKELY(index >= recent->processes->len)) {
		struct recent_process none = { RECORDING_NONE, RECORDING_NONE, RECORDING_NONE, INT64_MIN };

		g_array_append_val(recent->processes, none);
	}
	return &g_array_index(recent->processes, struct recent_process, index);
}

static void take_out(const struct recent_threads *recent, const struct recent_thread *thread, uint32_t *list)
{
	if (thread->newer == RECORDING_NONE) {
		*list = thread->older;
	} else {
		thread_at(recent, thread->newer)->older = thread->older;
	}
	if (thread->older != RECORDING_NONE) {
		thread_at(recent, thread->older)->newer = thread->newer;
	}
}

static void put_first(const struct recent_threads *recent, uint32_t index, uint32_t *list)
{
	struct recent_thread *thread = thread_at(recent, index);

	thread->newer = RECORDING_NONE;
	thread->older = *list;
	if (*list != RECORDING_NONE) {
		thread_at(recent, *list)->newer = index;
	}
	*list = index;
}

/* The thread has gone over to the other list, or within one, after all that did so before. */
static void touch(struct recent_threads *recent, struct recent_process *of, struct recent_thread *thread,
		  uint32_t index)
{
	thread->touched = ++recent->touches;
	if (!thread->is_touched) {
		thread->is_touched = true;
		thread->next_touched = of->touched;
		of->touched = index;
	}
}

void recent_threads_started(struct recent_threads *recent, uint32_t process, uint32_t thread)
{
	struct recent_thread *known = thread_of(recent, thread);

	if (known->depth++ == 0) {
		touch(recent, process_of(recent, process), known, thread);
	}
}

void recent_threads_ended(struct recent_threads *recent, uint32_t process, uint32_t thread, int64_t end_ns)
{
	struct recent_thread *known = thread_of(recent, thread);
	struct recent_process *of = process_of(recent, process);

	of->reached_ns = MAX(of->reached_ns, end_ns);
	if (known->depth > 0 && --known->depth == 0) {
		known->reached_ns = of->reached_ns;
		touch(recent, of, known, thread);
	}
}

static gint compare_touches(gconstpointer a, gconstpointer b, gpointer data)
{
	const struct recent_threads *recent = data;
	uint64_t left = thread_at(recent, *(const uint32_t *)a)->touched;
	uint64_t right = thread_at(recent, *(const uint32_t *)b)->touched;

	return left < right ? -1 : left > right;
}

/* Puts the threads that were touched since the last question into their places. */
static void settle(const struct recent_threads *recent, struct recent_process *of)
{
	g_array_set_size(recent->order, 0);
	while (of->touched != RECORDING_NONE) {
		struct recent_thread *thread = thread_at(recent, of->touched);

		g_array_append_val(recent->order, of->touched);
		of->touched = thread->next_touched;
		thread->is_touched = false;
	}
	if (recent->order->len > 1) {
		g_array_sort_with_data(recent->order, compare_touches, (gpointer)recent);
	}
	for (guint i = 0; i < recent->order->len; i++) {
		uint32_t index = g_array_index(recent->order, uint32_t, i);
		struct recent_thread *thread = thread_at(recent, index);

		if (thread->list != LIST_NONE) {
			take_out(recent, thread, thread->list == LIST_OPEN ? &of->open : &of->closed);
		}
		thread->list = thread->depth > 0 ? LIST_OPEN : LIST_CLOSED;
		put_first(recent, index, thread->list == LIST_OPEN ? &of->open : &of->closed);
	}
}

/* The thread, of the second list, unless it and those behind it executed nothing since then. */
static uint32_t closed_since(const struct recent_threads *recent, uint32_t thread, int64_t since_ns)
{
	return thread != RECORDING_NONE && thread_at(recent, thread)->reached_ns > since_ns ? thread : RECORDING_NONE;
}

uint32_t recent_threads_first(const struct recent_threads *recent, uint32_t process, int64_t since_ns)
{
	struct recent_process *of;

	if (process >= recent->processes->len) {
		return RECORDING_NONE;
	}
	of = &g_array_index(recent->processes, struct recent_process, process);
	settle(recent, of);
	return of->open != RECORDING_NONE ? of->open : closed_since(recent, of->closed, since_ns);
}

uint32_t recent_threads_next(const struct recent_threads *recent, uint32_t process, uint32_t thread, int64_t since_ns)
{
	const struct recent_thread *known = thread_at(recent, thread);

	if (known->depth == 0) {
		return closed_since(recent, known->older, since_ns);
	}
	return known->older != RECORDING_NONE
		       ? known->older
		       : closed_since(recent, g_array_index(recent->processes, struct recent_process, process).closed,
				      since_ns);
}
