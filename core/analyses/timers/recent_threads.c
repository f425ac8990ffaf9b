/* SPDX-License-Identifier: MIT */
#include "core/analyses/timers/recent_threads.h"

#include "core/base/arena_parts.h"
#include "ros2bt/events/recording.h"

struct recent_process {
	uint32_t touched; /* the last of the threads that are in no place, by next_touched; RECORDING_NONE: none is */
	uint32_t closed;  /* the first of the others; likewise */
};

void recent_threads_init(struct recent_threads *recent, struct arena *arena,
			 int64_t (*settle)(void *data, uint32_t thread), void *data)
{
	*recent = (struct recent_threads){
		.threads = arena_array(arena, sizeof(struct recent_thread)),
		.processes = arena_array(arena, sizeof(struct recent_process)),
		.reached_ns = -INT64_MAX, /* since INT64_MIN: all threads */
		.settle = settle,
		.data = data,
	};
}

static struct recent_thread *thread_at(const struct recent_threads *recent, uint32_t index)
{
	return &g_array_index(recent->threads, struct recent_thread, index);
}

static struct recent_process *process_of(struct recent_threads *recent, uint32_t index)
{
	const struct recent_process none = { RECORDING_NONE, RECORDING_NONE };

	while (G_UNLIKELY(index >= recent->processes->len)) {
		g_array_append_val(recent->processes, none);
	}
	return &g_array_index(recent->processes, struct recent_process, index);
}

bool recent_threads_started(struct recent_threads *recent, uint32_t process, uint32_t thread)
{
	struct recent_process *of = process_of(recent, process);
	struct recent_thread *starting = array_at(recent->threads, struct recent_thread, thread);

	if (starting->is_touched) {
		return false;
	}
	starting->is_touched = true;
	starting->next_touched = of->touched;
	of->touched = thread;
	return true;
}

bool recent_threads_is_touched(const struct recent_threads *recent, uint32_t thread)
{
	return thread < recent->threads->len && thread_at(recent, thread)->is_touched;
}

static void take_out(const struct recent_threads *recent, struct recent_process *of, struct recent_thread *thread)
{
	if (!thread->has_place) {
		return;
	}
	thread->has_place = false;
	if (thread->newer == RECORDING_NONE) {
		of->closed = thread->older;
	} else {
		thread_at(recent, thread->newer)->older = thread->older;
	}
	if (thread->older != RECORDING_NONE) {
		thread_at(recent, thread->older)->newer = thread->newer;
	}
}

static void put_first(const struct recent_threads *recent, struct recent_process *of, uint32_t index)
{
	struct recent_thread *thread = thread_at(recent, index);

	thread->has_place = true;
	thread->reached_ns = recent->reached_ns;
	thread->newer = RECORDING_NONE;
	thread->older = of->closed;
	if (of->closed != RECORDING_NONE) {
		thread_at(recent, of->closed)->newer = index;
	}
	of->closed = index;
}

/* Puts the threads that were touched and have nothing open into their places. */
static void settle(struct recent_threads *recent, struct recent_process *of)
{
	uint32_t *link = &of->touched;

	while (*link != RECORDING_NONE) {
		uint32_t index = *link;
		struct recent_thread *thread = thread_at(recent, index);
		int64_t reached_ns = recent->settle(recent->data, index);

		take_out(recent, of, thread);
		if (reached_ns == RECENT_THREAD_IS_OPEN) {
			link = &thread->next_touched;
		} else {
			recent->reached_ns = MAX(recent->reached_ns, reached_ns);
			*link = thread->next_touched;
			thread->is_touched = false;
			put_first(recent, of, index);
		}
	}
}

/* The thread, which has nothing open, unless it and those behind it executed nothing since then. */
static uint32_t closed_since(const struct recent_threads *recent, uint32_t thread, int64_t since_ns)
{
	return thread != RECORDING_NONE && thread_at(recent, thread)->reached_ns > since_ns ? thread : RECORDING_NONE;
}

uint32_t recent_threads_first(struct recent_threads *recent, uint32_t process, int64_t since_ns)
{
	struct recent_process *of;

	if (process >= recent->processes->len) {
		return RECORDING_NONE;
	}
	of = &g_array_index(recent->processes, struct recent_process, process);
	settle(recent, of);
	return of->touched != RECORDING_NONE ? of->touched : closed_since(recent, of->closed, since_ns);
}

uint32_t recent_threads_next(const struct recent_threads *recent, uint32_t process, uint32_t thread, int64_t since_ns)
{
	const struct recent_thread *known = thread_at(recent, thread);

	if (!known->is_touched) {
		return closed_since(recent, known->older, since_ns);
	}
	return known->next_touched != RECORDING_NONE
		       ? known->next_touched
		       : closed_since(recent, g_array_index(recent->processes, struct recent_process, process).closed,
				      since_ns);
}
