/* SPDX-License-Identifier: MIT */
#include "core/analyses/threads/thread_timeline.h"

#include "core/analyses/threads/kernel_identity.h"
#include "core/analyses/timeline/timeline_ids.h"
#include "core/base/arena_parts.h"
#include "core/model/execution_schedules.h"

/* Threads of programs without ROS 2 come after those with it. */
#define RANK_OF_OTHERS (1U << 24)

const struct table_schema thread_track_schema = { .name = "timeline_thread_tracks",
						  .title = "Timeline: threads of kernels",
						  .is_of_threads = true,
						  TIMELINE_SCHEMA_TRACKS };
const struct table_schema thread_label_schema = { .name = "timeline_thread_labels",
						  .title = "Timeline: states of threads, by name",
						  .is_of_threads = true,
						  TIMELINE_SCHEMA_LABELS };
const struct table_schema thread_event_schema = { .name = "timeline_thread_events",
						  .title = "Timeline: states of threads",
						  .is_of_threads = true,
						  TIMELINE_SCHEMA_EVENTS };

struct drawn_thread {
	const struct scheduled_thread *thread;
	uint32_t number, host;
	bool is_drawn;
	struct drawn_state last; /* not written: it may go on */
	GArray *pending;	 /* struct drawn_state; NULL: none so far */
};

static const char *const state_names[] = {
	[THREAD_UNKNOWN] = NULL,
	[THREAD_RUNNING] = TIMELINE_STATE_RUNNING,
	[THREAD_PREEMPTED] = TIMELINE_STATE_PREEMPTED,
	[THREAD_WOKEN] = TIMELINE_STATE_WOKEN,
	[THREAD_BLOCKED] = TIMELINE_STATE_BLOCKED,
};

/* Parts of the ids of labels, beyond the states. */
enum { PART_WOKEN_IN_IRQ = THREAD_STATES, PART_ENDED, PARTS };

static const char *name_of_part(unsigned int part)
{
	return part == PART_WOKEN_IN_IRQ ? TIMELINE_STATE_WOKEN_IN_IRQ
	       : part == PART_ENDED	 ? TIMELINE_STATE_ENDED
					 : state_names[part];
}

/* --- while the recording is read --- */

static struct drawn_thread *drawn_of(struct thread_timeline *timeline, const struct scheduled_thread *thread,
				     uint32_t host)
{
	uint64_t number = u64_map_get(&timeline->numbers, (uint64_t)(uintptr_t)thread);

	if (G_UNLIKELY(number == U64_MAP_NONE)) {
		struct drawn_thread *drawn = arena_take(recording_arena(timeline->context->recording), sizeof(*drawn));

		g_ptr_array_add(timeline->threads, drawn);
		number = timeline->threads->len;
		drawn->thread = thread;
		drawn->number = (uint32_t)number;
		drawn->host = host;
		u64_map_set(&timeline->numbers, (uint64_t)(uintptr_t)thread, number);
	}
	return timeline->threads->pdata[number - 1];
}

static uint64_t track_of(uint32_t number)
{
	return timeline_id(TIMELINE_SPACE_SCHEDULED, number, 0);
}

static void write_state(const struct thread_timeline *timeline, struct drawn_thread *drawn,
			const struct drawn_state *state)
{
	drawn->is_drawn = true;
	timeline_write_state(timeline->events, track_of(drawn->number), state->label, state->begin_ns, state->end_ns,
			     state->cpu >= 0 ? cell_integer(state->cpu) : CELL_NONE,
			     state->by ? cell_unsigned(track_of(state->by)) : CELL_NONE);
}

static void flush(const struct thread_timeline *timeline, struct drawn_thread *drawn)
{
	if (drawn->last.begin_ns < drawn->last.end_ns) {
		write_state(timeline, drawn, &drawn->last);
	}
	drawn->last.end_ns = drawn->last.begin_ns;
}

/* Follows the last one, which it may continue. */
static void add(const struct thread_timeline *timeline, struct drawn_thread *drawn, const struct drawn_state *state)
{
	struct drawn_state *last = &drawn->last;

	if (last->begin_ns < last->end_ns && last->end_ns == state->begin_ns && last->label == state->label &&
	    last->cpu == state->cpu && last->by == state->by) {
		last->end_ns = state->end_ns;
		return;
	}
	flush(timeline, drawn);
	*last = *state;
}

static uint64_t call_number(struct thread_timeline *timeline, const char *call)
{
	uint64_t number = call ? u64_map_get(&timeline->calls, (uint64_t)(uintptr_t)call) : 0;

	if (number == U64_MAP_NONE) {
		g_ptr_array_add(timeline->call_names, (char *)call);
		number = timeline->call_names->len;
		u64_map_set(&timeline->calls, (uint64_t)(uintptr_t)call, number);
	}
	return number;
}

/* In the numbers of all hosts; -1: none. */
static int32_t cpu_number(const struct scheduled_thread *thread, uint32_t host)
{
	uint64_t number = thread->state == THREAD_RUNNING && thread->ran_on ? thread->ran_on->number : UINT64_MAX;

	return number < TIMELINE_CPUS_MAX ? (int32_t)(number + (uint64_t)host * TIMELINE_CPUS_MAX) : -1;
}

/* The thread that has a tid on the host. */
static uint32_t number_of(struct thread_timeline *timeline, uint32_t host, int32_t tid)
{
	const struct thread_states *states = execution_schedules_host(timeline->context->schedules, host);
	const struct scheduled_thread *thread = states && tid > 0 ? thread_tids_find(&states->tids, tid) : NULL;

	return thread ? drawn_of(timeline, thread, host)->number : 0;
}

static struct drawn_state state_of(struct thread_timeline *timeline, const struct scheduled_thread *thread,
				   uint32_t host)
{
	bool is_blocked = thread->state == THREAD_BLOCKED;
	unsigned int part =
		thread->state == THREAD_WOKEN && thread->is_woken_in_irq ? PART_WOKEN_IN_IRQ : thread->state;
	struct drawn_state state = {
		.label = timeline_id(TIMELINE_SPACE_SCHEDULED, is_blocked ? call_number(timeline, thread->call) : 0,
				     part),
		.cpu = cpu_number(thread, host),
	};

	if (thread->state == THREAD_PREEMPTED) {
		state.by = number_of(timeline, host, thread->taken_by_tid);
	} else if (thread->state == THREAD_WOKEN && thread->woken_by) {
		state.by = drawn_of(timeline, thread->woken_by, host)->number;
	}
	return state;
}

static void on_passed(const struct thread_watch *watch, const struct scheduled_thread *thread, int64_t from_ns,
		      int64_t to_ns, bool is_pending)
{
	struct thread_timeline *timeline = watch->data;
	const struct thread_states *states = execution_schedules_host(timeline->context->schedules, watch->host);
	struct drawn_thread *drawn;
	struct drawn_state state;

	if (thread->state == THREAD_UNKNOWN || states->range != THREAD_RANGE_OPEN) {
		return;
	}
	drawn = drawn_of(timeline, thread, watch->host);
	state = state_of(timeline, thread, watch->host);
	state.begin_ns = from_ns;
	state.end_ns = to_ns;
	if (G_LIKELY(!is_pending)) {
		add(timeline, drawn, &state);
		return;
	}
	if (!drawn->pending) {
		drawn->pending = arena_array(recording_arena(timeline->context->recording), sizeof(state));
	}
	g_array_append_val(drawn->pending, state);
}

static void on_settled(const struct thread_watch *watch, const struct scheduled_thread *thread, bool is_certain)
{
	struct thread_timeline *timeline = watch->data;
	struct drawn_thread *drawn = drawn_of(timeline, thread, watch->host);

	for (guint i = 0; drawn->pending && is_certain && i < drawn->pending->len; i++) {
		add(timeline, drawn, &g_array_index(drawn->pending, struct drawn_state, i));
	}
	if (drawn->pending) {
		g_array_set_size(drawn->pending, 0);
	}
}

void thread_timeline_finish(struct thread_timeline *timeline)
{
	for (guint i = 0; i < timeline->threads->len; i++) {
		struct drawn_thread *drawn = timeline->threads->pdata[i];
		int64_t end_ns = drawn->last.end_ns;
		bool has_ended = drawn->thread->state == THREAD_GONE && end_ns == drawn->thread->state_since_ns;

		flush(timeline, drawn);
		if (has_ended && drawn->is_drawn) {
			write_state(timeline, drawn,
				    &(struct drawn_state){
					    .begin_ns = end_ns,
					    .end_ns = end_ns,
					    .label = timeline_id(TIMELINE_SPACE_SCHEDULED, 0, PART_ENDED),
					    .cpu = -1,
				    });
		}
	}
}

/* --- names --- */

static void write_labels(const struct thread_timeline *timeline, struct table_writer *labels)
{
	for (unsigned int part = 0; part < PARTS; part++) {
		timeline_write_label(labels, timeline_id(TIMELINE_SPACE_SCHEDULED, 0, part), TIMELINE_KEY_STATE,
				     cell_text(name_of_part(part)));
	}
	for (guint i = 0; i < timeline->call_names->len; i++) {
		uint64_t id = timeline_id(TIMELINE_SPACE_SCHEDULED, i + 1, THREAD_BLOCKED);

		timeline_write_label(labels, id, TIMELINE_KEY_STATE, cell_text(TIMELINE_STATE_BLOCKED));
		timeline_write_label(labels, id, TIMELINE_KEY_CALL, cell_text(timeline->call_names->pdata[i]));
	}
}

static void write_track(const struct thread_timeline *timeline, struct table_writer *tracks,
			const struct drawn_thread *drawn, struct timeline_ids *ids, struct u64_map *pids)
{
	struct kernel_identity identity = kernel_identity_of(timeline->context, drawn->host, drawn->thread);
	bool has_ros = identity.process != PROCESS_NONE;
	uint64_t key = (uint64_t)drawn->host << 32 | (uint32_t)identity.ids.pid;
	int32_t tid = has_ros ? timeline_ids_find(ids, identity.process, identity.ids.vtid) : 0;
	const char *name = drawn->thread->name[0] != '\0' ? drawn->thread->name : "thread";
	uint64_t pid = 0, parent = 0;

	if (has_ros) {
		parent = timeline_id(TIMELINE_SPACE_PROCESS, identity.process, 0);
		pid = (uint64_t)timeline_ids_pid(ids, identity.process);
		tid = tid == 0 && identity.ids.vtid == identity.vpid ? (int32_t)pid : tid;
	} else if (identity.ids.pid > 0) {
		parent = timeline_id(TIMELINE_SPACE_PROGRAM, key & 0xffffffffff, 0);
		pid = u64_map_get(pids, key);
		if (pid == U64_MAP_NONE) {
			pid = (uint64_t)timeline_ids_take(ids, identity.ids.pid);
			u64_map_set(pids, key, pid);
		}
		tid = identity.ids.pid == drawn->thread->tid ? (int32_t)pid : 0;
		if (tid != 0) { /* a program is called what its main thread is */
			timeline_write_track(tracks, &(struct timeline_track){
							     .id = parent,
							     .kind = "process",
							     .name = name,
							     .rank = RANK_OF_OTHERS + drawn->number,
							     .pid = cell_integer((int64_t)pid),
						     });
		}
	}
	timeline_write_track(tracks,
			     &(struct timeline_track){
				     .id = track_of(drawn->number),
				     .parent = parent,
				     .kind = "thread",
				     .name = name,
				     .rank = RANK_OF_OTHERS + drawn->number,
				     .pid = pid ? cell_integer((int64_t)pid) : CELL_NONE,
				     .tid = cell_integer(tid ? tid : timeline_ids_take(ids, drawn->thread->tid)),
			     });
}

void thread_timeline_write_names(const struct thread_timeline *timeline, struct table_writer *tracks,
				 struct table_writer *labels)
{
	struct timeline_ids ids;
	struct u64_map pids;

	timeline_ids_init(&ids, timeline->context->recording);
	u64_map_init(&pids);
	write_labels(timeline, labels);
	for (guint i = 0; i < timeline->threads->len; i++) {
		write_track(timeline, tracks, timeline->threads->pdata[i], &ids, &pids);
	}
	u64_map_clear(&pids);
	timeline_ids_clear(&ids);
}

/* --- life --- */

void thread_timeline_init(struct thread_timeline *timeline, const struct analysis_context *context,
			  struct table_writer *events)
{
	struct arena *arena = recording_arena(context->recording);

	*timeline = (struct thread_timeline){ .context = context, .events = events };
	arena_map(arena, &timeline->numbers);
	arena_map(arena, &timeline->calls);
	timeline->threads = arena_pointers(arena);
	timeline->call_names = arena_pointers(arena);
	if (events) {
		execution_schedules_watch(context->schedules, &(struct thread_watch){
								      .data = timeline,
								      .passed = on_passed,
								      .settled = on_settled,
							      });
	}
}
