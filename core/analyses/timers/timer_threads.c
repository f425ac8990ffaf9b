/* SPDX-License-Identifier: MIT */
#include "core/analyses/timers/timer_threads.h"

#include <glib.h>

#include "core/analyses/timers/recent_threads.h"
#include "core/analyses/timers/timer_begins.h"
#include "core/analyses/timers/timer_frames.h"
#include "core/analyses/timers/timer_waits.h"
#include "core/base/arena_parts.h"
#include "ros2bt/base/time_units.h"
#include "ros2bt/base/u64_map.h"

/* Without events of an executor, rcl read its clock at most this time before the callback. */
#define CLOCK_TO_CALLBACK_NS INT64_C(200000)

/* Of so many it is worth while to look which ones matter. */
#define MANY_POLLS 8

#define NEVER TIMER_NEVER

struct timer_thread {
	int64_t looked_ns;   /* the last get_next_ready */
	int64_t executes_ns; /* the last execute … */
	uint64_t executes;   /* … and of what */
	struct timer_waits now;
	struct timer_frames frames;
	int64_t early_ns;   /* the last call of a timer that was not due */
	int64_t trusted_ns; /* idle.certain_ns well before the first of these calls; NEVER: none */
	struct timer_shown shown;
	bool has_executor;
	bool is_followed;    /* see follow() */
	uint32_t next;	     /* the next thread of its process with has_executor; RECORDING_NONE: none */
	uint32_t apart_from; /* from this one on, by `next`, none shares its executor; RECORDING_NONE: unknown */
};

/* The threads of a process with has_executor. */
struct executor_list {
	uint32_t first; /* the latest; RECORDING_NONE: none */
	uint32_t count;
	uint32_t life; /* how often another process may have got its ids */
};

struct timer_threads {
	const struct recording *recording; /* borrowed, as the next three */
	struct arena *arena;
	struct executions *executions;
	struct timer_delays delays;
	GArray *threads; /* struct timer_thread, by thread index */
	struct recent_threads recent;
	GArray *executors; /* struct executor_list by process */
	struct timer_begins begins;
	struct u64_map apart; /* pair_of() two threads that share no executor: the life in which they showed that */
};

static const struct timer_thread no_thread = {
	.looked_ns = NEVER,
	.executes_ns = NEVER,
	.now = TIMER_NO_WAITS,
	.early_ns = NEVER,
	.trusted_ns = NEVER,
	.apart_from = RECORDING_NONE,
};

static struct timer_thread *thread_of(struct timer_threads *threads, uint32_t index)
{
	while (G_UNLIKELY(index >= threads->threads->len)) {
		g_array_append_val(threads->threads, no_thread);
	}
	return &g_array_index(threads->threads, struct timer_thread, index);
}

/*
 * The thread, of which all starts and ends are told from now on, until nothing is open: its frames are the open
 * executions. Any other has started some since the last question about recent threads, knows with which threads of its
 * process it shares its executor, and has one execution open at most, within which it has not waited.
 */
static struct timer_thread *follow(struct timer_threads *threads, uint32_t index)
{
	struct timer_thread *thread = thread_of(threads, index);
	const struct execution *open;

	if (thread->is_followed) {
		return thread;
	}
	open = executions_outermost(threads->executions, index);
	if (open) {
		timer_frames_push(&thread->frames, threads->arena, open);
	}
	thread->is_followed = true;
	executions_watch(threads->executions, index, true);
	return thread;
}

static bool is_open(const struct timer_threads *threads, const struct timer_thread *thread, uint32_t index)
{
	return thread->is_followed ? thread->frames.depth > 0
				   : executions_outermost(threads->executions, index) != NULL;
}

/* --- threads that may share an executor --- */

static uint64_t pair_of(uint32_t a, uint32_t b)
{
	return (uint64_t)MIN(a, b) << 32 | MAX(a, b);
}

/* The last wait of the executor that runs a thread, rather than of one within a callback. */
static const struct timer_waits *outer_waits(const struct timer_thread *thread)
{
	return timer_frames_outer(&thread->frames, &thread->now);
}

/* By what they did until now, the time of the last record; in a life of their process. */
static bool are_apart(struct timer_threads *threads, uint32_t a, uint32_t b, int64_t now_ns, uint32_t life)
{
	const struct timer_waits *one, *other;

	if (u64_map_get(&threads->apart, pair_of(a, b)) == life) {
		return true;
	}
	executions_catch_up(threads->executions, b, now_ns);
	one = outer_waits(thread_of(threads, a));
	other = outer_waits(thread_of(threads, b));
	if (!timer_waits_show_apart(one, other) && !timer_waits_show_apart(other, one)) {
		return false;
	}
	u64_map_set(&threads->apart, pair_of(a, b), life);
	return true;
}

static struct executor_list *executors_of(struct timer_threads *threads, uint32_t process)
{
	struct executor_list none = { .first = RECORDING_NONE };

	while (process >= threads->executors->len) {
		g_array_append_val(threads->executors, none);
	}
	return &g_array_index(threads->executors, struct executor_list, process);
}

/* Whether what the thread and others of its process do may still show that they share no executor. */
static bool is_unsure(struct timer_threads *threads, const struct timer_thread *thread, uint32_t index)
{
	const struct executor_list *list = executors_of(threads, recording_thread(threads->recording, index)->process);

	return thread->has_executor && thread->apart_from != list->first && list->count <= TIMER_EXECUTORS_MAX &&
	       !executions_is_shared(threads->executions, index);
}

/* Whether the thread, with has_executor, may be one of several of it; remembers with which others it is not. */
static bool may_share(struct timer_threads *threads, const struct execution *starting)
{
	uint32_t index = starting->thread;
	const struct timer_thread *thread = thread_of(threads, index);
	const struct executor_list *list = executors_of(threads, recording_thread(threads->recording, index)->process);
	bool shares = false;

	if (G_UNLIKELY(list->count > TIMER_EXECUTORS_MAX)) {
		return true;
	}
	for (uint32_t i = list->first; i != thread->apart_from; i = thread_of(threads, i)->next) {
		shares |= i != index && !are_apart(threads, index, i, starting->start_ns, list->life);
	}
	if (!shares) {
		thread_of(threads, index)->apart_from = list->first;
	}
	return shares;
}

static G_GNUC_NO_INLINE void add_executor(struct timer_threads *threads, uint32_t index, int64_t time_ns)
{
	uint32_t process = recording_thread(threads->recording, index)->process;
	struct executor_list *list = executors_of(threads, process);
	struct timer_thread *thread = thread_of(threads, index);

	timer_begins_note(&threads->begins, process, time_ns);
	thread->has_executor = true;
	thread->next = list->first;
	list->first = index;
	list->count++;
	for (uint32_t i = index; list->count <= TIMER_EXECUTORS_MAX && i != RECORDING_NONE;
	     i = thread_of(threads, i)->next) {
		follow(threads, i);
	}
}

/* The thread if it has recorded an event of its executor before, else NULL. */
static inline struct timer_thread *known_executor(const struct timer_threads *threads, uint32_t index)
{
	struct timer_thread *thread =
		index < threads->threads->len ? &g_array_index(threads->threads, struct timer_thread, index) : NULL;

	return thread && thread->has_executor ? thread : NULL;
}

/* The thread, which has recorded an event of its executor. */
static inline struct timer_thread *executor_of(struct timer_threads *threads, uint32_t index, int64_t time_ns)
{
	if (G_UNLIKELY(!known_executor(threads, index))) {
		add_executor(threads, index, time_ns);
	}
	return &g_array_index(threads->threads, struct timer_thread, index);
}

/* --- executions --- */

static void started(void *data, struct execution *execution)
{
	struct timer_threads *threads = data;
	uint32_t process = execution->callback->process;
	struct timer_thread *thread = follow(threads, execution->thread);

	if (recent_threads_started(&threads->recent, process, execution->thread)) {
		timer_begins_note(&threads->begins, process, execution->start_ns);
	}
	if (is_unsure(threads, thread, execution->thread)) {
		may_share(threads, execution);
		thread = thread_of(threads, execution->thread);
	}
	if (timer_frames_is_last(&thread->frames, execution)) {
		return;
	}
	if (thread->frames.depth > 0 && thread_history_is_outside(execution->callback)) {
		timer_frames_drop(&thread->frames, &thread->now);
	}
	timer_frames_push(&thread->frames, threads->arena, execution);
}

static void ended(void *data, struct execution *execution, enum execution_outcome outcome)
{
	struct timer_threads *threads = data;
	struct timer_thread *thread = thread_of(threads, execution->thread);

	if (outcome == EXECUTION_WITHOUT_START) {
		follow(threads, execution->thread);
		timer_frames_keep(&thread->frames, &thread->now);
		timer_waits_forget(&thread->now);
	} else if (thread->is_followed) {
		timer_frames_pop(&thread->frames, execution, outcome != EXECUTION_WITHOUT_END, &thread->now);
	}
	if (!executions_outermost(threads->executions, execution->thread) &&
	    recent_threads_is_touched(&threads->recent, execution->thread) &&
	    !is_unsure(threads, thread, execution->thread)) {
		thread->is_followed = false;
		executions_watch(threads->executions, execution->thread, false);
	}
}

static int64_t settle(void *data, uint32_t thread)
{
	struct timer_threads *threads = data;

	if (executions_outermost(threads->executions, thread)) {
		return RECENT_THREAD_IS_OPEN;
	}
	follow(threads, thread);
	return thread_history_reaches_ns(threads->delays.history, thread);
}

/* What it has shown is forgotten: whether it shares an executor, how that waits, and what queues. */
static void forget(struct timer_threads *threads, uint32_t index)
{
	struct timer_thread *thread = follow(threads, index);
	struct timer_thread old;

	timer_frames_keep(&thread->frames, &thread->now);
	old = *thread;
	*thread = no_thread;
	thread->frames = old.frames;
	thread->is_followed = true;
	thread->has_executor = old.has_executor;
	thread->next = old.next;
}

static void may_be_new(void *data, uint32_t process, int64_t time_ns)
{
	struct timer_threads *threads = data;
	struct executor_list *list = executors_of(threads, process);
	uint32_t i;

	list->life++;
	for (i = list->first; i != RECORDING_NONE; i = thread_of(threads, i)->next) {
		executions_catch_up(threads->executions, i, time_ns);
		forget(threads, i);
	}
	for (i = recent_threads_first(&threads->recent, process, INT64_MIN); i != RECORDING_NONE;
	     i = recent_threads_next(&threads->recent, process, i, INT64_MIN)) {
		forget(threads, i);
	}
}

struct timer_threads *timer_threads_create(struct analysis *analysis)
{
	const struct analysis_context *context = &analysis->context;
	struct timer_threads *threads = arena_take(analysis_arena(analysis), sizeof(*threads));

	threads->recording = context->recording;
	threads->arena = recording_arena(context->recording);
	threads->delays = (struct timer_delays){ context->model, context->threads, &threads->recent };
	threads->executions = context->executions;
	thread_history_listen(context->threads);
	threads->threads = arena_array(analysis_arena(analysis), sizeof(struct timer_thread));
	threads->executors = arena_array(analysis_arena(analysis), sizeof(struct executor_list));
	threads->begins =
		(struct timer_begins){ context->recording, arena_array(analysis_arena(analysis), sizeof(int64_t)) };
	arena_map(analysis_arena(analysis), &threads->apart);
	recent_threads_init(&threads->recent, threads->arena, settle, threads);
	executions_add_listener(context->executions, &(struct executions_listener){
							     .data = threads,
							     .only_unusual = true,
							     .started = started,
							     .ended = ended,
							     .may_be_new = may_be_new,
						     });
	return threads;
}

/* --- executors --- */

void timer_threads_feed(struct timer_threads *threads, const struct event_record *record)
{
	struct timer_thread *thread = executor_of(threads, record->thread, record->time_ns);

	thread->executes_ns = record->time_ns;
	thread->executes = record->word[RCLCPP_EXECUTOR_EXECUTE__handle];
}

static G_GNUC_NO_INLINE void take_polls(struct timer_threads *threads, uint32_t thread, const struct poll *polls,
					size_t count)
{
	struct timer_thread *of = executor_of(threads, thread, polls->time_ns);
	size_t first = 0;

	if (is_open(threads, of, thread)) {
		follow(threads, thread);
	} else if (count > MANY_POLLS) {
		first = timer_waits_skip(&of->now, polls, count);
	}
	timer_frames_keep(&of->frames, &of->now);
	for (size_t i = first; i < count; i++) {
		if (polls[i].kind == POLL_FIND) {
			of->looked_ns = polls[i].time_ns;
			timer_waits_end(&of->now, polls[i].time_ns);
		} else {
			timer_waits_begin(&of->now, &polls[i], timer_frames_began_since(&of->frames, of->now.woke_ns));
		}
	}
}

/* Most are the look before each execution, which ends no wait: the waits stay as they are. */
void timer_threads_feed_polls(struct timer_threads *threads, uint32_t thread, const struct poll *polls, size_t count)
{
	struct timer_thread *of = known_executor(threads, thread);

	if (G_LIKELY(of) && count == 1 && polls->kind == POLL_FIND && !timer_waits_goes_on(&of->now)) {
		of->looked_ns = polls->time_ns;
	} else {
		take_polls(threads, thread, polls, count);
	}
}

int64_t timer_threads_begin_ns(const struct timer_threads *threads, uint32_t process, int64_t any_ns)
{
	return timer_begins_of(&threads->begins, process, any_ns);
}

static void tell_clock(const struct timer_thread *thread, uint64_t timer_handle, struct timer_call_facts *facts)
{
	if (thread->looked_ns != NEVER && thread->executes == timer_handle &&
	    thread->executes_ns >= thread->looked_ns && thread->executes_ns <= facts->start_ns) {
		facts->earliest_ns = thread->looked_ns;
		facts->now_ns = thread->executes_ns;
	}
}

static void tell_wait(const struct timer_thread *thread, struct timer_call_facts *facts)
{
	const struct timer_waits *now = &thread->now;

	if (now->waits_ns != NEVER && now->woke_ns != NEVER) {
		facts->has_wait = true;
		facts->wait_begin_ns = now->waits_ns;
		facts->wait_end_ns = now->is_look_up ? now->waits_ns : MIN(now->woke_ns, facts->start_ns);
	}
}

void timer_threads_tell(struct timer_threads *threads, const struct execution *execution,
			const struct timer_asked *asked, struct timer_call_facts *facts)
{
	const struct timer_thread *thread = thread_of(threads, execution->thread);
	bool is_shared = executions_is_shared(threads->executions, execution->thread);

	facts->start_ns = facts->now_ns = facts->wait_begin_ns = facts->wait_end_ns = execution->start_ns;
	facts->earliest_ns = execution->start_ns - CLOCK_TO_CALLBACK_NS;
	facts->idle_ns = facts->seems_idle_ns = facts->may_be_idle_ns = NEVER;
	facts->pause_ns = INT64_MAX;
	if (!recording_thread(threads->recording, execution->thread)->has_vtid) {
		return;
	}
	facts->has_executor = thread->has_executor && MAX(thread->looked_ns, thread->executes_ns) >= asked->created_ns;
	facts->is_nested = thread->frames.depth > 1;
	facts->pause_ns = timer_threads_pause_ns(threads, execution->thread, execution->start_ns);
	facts->wake_up_ns = timer_shown_wake_up_ns(&thread->shown);
	facts->has_no_queue = timer_shown_has_no_queue(&thread->shown);
	tell_clock(thread, asked->timer_handle, facts);
	/* within another execution, the last waits may be those of another executor, or before this one spun */
	if (!is_shared && !(thread->has_executor && may_share(threads, execution)) && !facts->is_nested) {
		bool is_trusted = thread->early_ns < asked->expected_ns;

		facts->idle_ns = is_trusted ? thread->now.idle.certain_ns : thread->trusted_ns;
		facts->seems_idle_ns = is_trusted ? thread->now.idle.likely_ns : thread->trusted_ns;
	}
	if (!is_shared && thread->early_ns < asked->expected_ns &&
	    thread->now.idle.possible_ns > timer_frames_around_ns(&thread->frames)) {
		facts->may_be_idle_ns = thread->now.idle.possible_ns;
	}
	if (!is_shared) {
		tell_wait(thread, facts);
	}
}

int64_t timer_threads_silent_since_ns(struct timer_threads *threads, const struct execution *execution)
{
	struct executor_list list = *executors_of(threads, execution->callback->process);
	int64_t since_ns = INT64_MAX;

	if (!timer_threads_is_shared(threads, execution->thread)) {
		return since_ns;
	}
	if (G_UNLIKELY(list.count > TIMER_EXECUTORS_MAX)) {
		return NEVER;
	}
	for (uint32_t i = list.first; i != RECORDING_NONE; i = thread_of(threads, i)->next) {
		const struct timer_thread *thread = thread_of(threads, i);

		if (i != execution->thread && executions_is_shared(threads->executions, i) &&
		    !is_open(threads, thread, i)) {
			since_ns = MIN(since_ns,
				       MAX(thread->executes_ns, thread_history_ended_ns(threads->delays.history, i)));
		}
	}
	return since_ns;
}

uint32_t timer_threads_executing(struct timer_threads *threads, const struct execution *execution,
				 uint64_t timer_handle, int64_t before_ns)
{
	struct executor_list list = *executors_of(threads, execution->callback->process);
	const struct timer_thread *thread;
	uint32_t count = 0;

	for (uint32_t i = list.first; list.count <= TIMER_EXECUTORS_MAX && i != RECORDING_NONE; i = thread->next) {
		thread = thread_of(threads, i);
		if (i != execution->thread && thread->executes == timer_handle && thread->executes_ns < before_ns &&
		    thread->executes_ns > thread_history_ended_ns(threads->delays.history, i) &&
		    !is_open(threads, thread, i)) {
			executions_catch_up(threads->executions, i, execution->start_ns);
			thread = thread_of(threads, i);
			count += thread->looked_ns <= thread->executes_ns;
		}
	}
	return count;
}

int64_t timer_threads_pause_ns(const struct timer_threads *threads, uint32_t thread, int64_t time_ns)
{
	bool has_vtid = recording_thread(threads->recording, thread)->has_vtid;
	int64_t ended_ns = has_vtid ? thread_history_ended_ns(threads->delays.history, thread) : NEVER;

	return ended_ns != NEVER ? time_ns - ended_ns : INT64_MAX;
}

void timer_threads_note_early(struct timer_threads *threads, uint32_t thread, int64_t time_ns)
{
	struct timer_thread *known = thread_of(threads, thread);

	if (known->early_ns == NEVER || time_ns - known->early_ns > 2 * TIMER_DISTRUST_NS) {
		known->trusted_ns = known->now.marks_ns[0];
	}
	known->early_ns = time_ns;
}

struct timer_shown *timer_threads_shown(struct timer_threads *threads, uint32_t thread)
{
	return recording_thread(threads->recording, thread)->has_vtid ? &thread_of(threads, thread)->shown : NULL;
}

const struct timer_delays *timer_threads_delays(const struct timer_threads *threads)
{
	return &threads->delays;
}

bool timer_threads_is_shared(const struct timer_threads *threads, uint32_t thread)
{
	return recording_thread(threads->recording, thread)->has_vtid &&
	       executions_is_shared(threads->executions, thread);
}
