/* SPDX-License-Identifier: MIT */
#include "core/analyses/timers/timer_frames.h"

#include <string.h>

#define FIRST_FRAMES 4

/* The room doubles, so what is left behind in the arena is less than the last frames. */
static void grow(struct timer_frames *frames, struct arena *arena)
{
	size_t room = MAX(2 * frames->room, FIRST_FRAMES);
	struct timer_frame *list = arena_take(arena, room * sizeof(*list));

	if (frames->depth > 0) {
		memcpy(list, frames->list, frames->depth * sizeof(*list));
	}
	frames->list = list;
	frames->room = room;
}

void timer_frames_push(struct timer_frames *frames, struct arena *arena, const struct execution *execution)
{
	if (frames->depth == frames->room) {
		grow(frames, arena);
	}
	frames->list[frames->depth++].execution = execution;
}

void timer_frames_keep(struct timer_frames *frames, const struct timer_waits *now)
{
	for (; frames->kept < frames->depth; frames->kept++) {
		frames->list[frames->kept].before = *now;
	}
}

void timer_frames_pop(struct timer_frames *frames, const struct execution *execution, bool has_end,
		      struct timer_waits *now)
{
	int64_t possible_ns = now->idle.possible_ns;
	size_t i = frames->depth;

	timer_frames_keep(frames, now);
	while (i > 0 && frames->list[i - 1].execution != execution) {
		i--;
	}
	if (i == 0) {
		if (has_end) {
			timer_waits_forget(now);
		}
		return;
	}
	if (G_UNLIKELY(execution->left_ns != EXECUTION_HAS_NOT_LEFT)) {
		*now = has_end ? frames->list[i - 1].before : *now;
		now->idle = frames->list[i - 1].before.idle;
		now->idle.possible_ns = has_end ? now->idle.possible_ns : possible_ns;
	}
	frames->kept = --frames->depth;
	for (; i <= frames->depth; i++) {
		frames->list[i - 1] = frames->list[i];
	}
}

void timer_frames_drop(struct timer_frames *frames, struct timer_waits *now)
{
	int64_t possible_ns = now->idle.possible_ns;

	now->idle = timer_frames_outer(frames, now)->idle;
	now->idle.possible_ns = possible_ns;
	frames->depth = frames->kept = 0;
}
