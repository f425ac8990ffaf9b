/* SPDX-License-Identifier: MIT */
#include "core/analyses/timers/timer_creations.h"

#include "core/base/arena_parts.h"
#include "core/base/slots.h"

#include <glib.h>

struct timer_creations {
	const struct recording *recording; /* borrowed, as the next one */
	const struct object_model *model;
	GArray *events; /* int64_t by thread: its last event; 0: none */
	GArray *slacks; /* struct slack by index of the timer */
};

struct slack {
	bool is_known;
	int64_t ns;
};

struct timer_creations *timer_creations_create(struct analysis *analysis)
{
	struct timer_creations *creations = arena_take(analysis_arena(analysis), sizeof(*creations));

	creations->recording = analysis->context.recording;
	creations->model = analysis->context.model;
	creations->events = arena_array(analysis_arena(analysis), sizeof(int64_t));
	creations->slacks = arena_array(analysis_arena(analysis), sizeof(struct slack));
	return creations;
}

static int64_t *last_event_of(struct timer_creations *creations, uint32_t thread)
{
	return array_at(creations->events, int64_t, thread);
}

static struct slack *slack_of(struct timer_creations *creations, const struct model_timer *timer)
{
	return array_at(creations->slacks, struct slack, timer->index);
}

/* Before a copy of its event, the thread's last event is that event itself: the first one counts. */
static void note_creation(struct timer_creations *creations, const struct event_record *record, int64_t pause_ns)
{
	const struct recording_thread *thread = recording_thread(creations->recording, record->thread);
	const struct model_timer *timer = object_model_find_timer(
		creations->model, thread->process, record->word[RCL_TIMER_INIT__timer_handle], record->time_ns);
	int64_t before_ns = *last_event_of(creations, record->thread);
	bool has_before = before_ns != 0 && thread->has_vtid;
	struct slack *slack = timer ? slack_of(creations, timer) : NULL;

	if (slack && !slack->is_known) {
		*slack = (struct slack){ true, has_before ? MIN(record->time_ns - before_ns, pause_ns) : pause_ns };
	}
}

void timer_creations_feed(struct timer_creations *creations, const struct event_record *record, int64_t pause_ns)
{
	if (record->kind == EVENT_RCL_TIMER_INIT && !(record->flags & RECORD_HAS_INIT_TIME)) {
		note_creation(creations, record, pause_ns);
	}
	*last_event_of(creations, record->thread) = record->time_ns;
}

int64_t timer_creations_slack_ns(const struct timer_creations *creations, const struct model_timer *timer)
{
	const struct slack *slack = timer->index < creations->slacks->len
					    ? &g_array_index(creations->slacks, struct slack, timer->index)
					    : NULL;

	return slack && slack->is_known ? slack->ns : INT64_MAX;
}
