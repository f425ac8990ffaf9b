/* SPDX-License-Identifier: MIT */
#include "core/model/scheduled_thread.h"

#include <glib.h>

#define NOTHING INT64_MIN

struct scheduled_thread *scheduled_thread_create(struct arena *arena, const struct thread_doubt *doubt, int32_t tid,
						 int64_t since_ns)
{
	struct scheduled_thread *thread = arena_take(arena, sizeof(*thread));

	thread->tid = tid;
	thread->doubt = doubt;
	thread->pending_until_ns = NOTHING;
	thread->name = "";
	thread->identity = (struct thread_identity){ .pid = -1, .vpid = -1, .vtid = -1 };
	thread->state_since_ns = thread->counted_ns = since_ns;
	duration_statistics_init(&thread->wakeup, arena);
	return thread;
}

void scheduled_thread_set_name(struct scheduled_thread *thread, const char *name)
{
	thread->name = name && name[0] != '\0' ? name : thread->name;
}

/* Whether what it does may be something else: the trace shows it only if nothing of a doubtful CPU is missing. */
static bool is_doubtful(const struct scheduled_thread *thread)
{
	bool is_elsewhere =
		thread->state == THREAD_RUNNING && thread->cpu && thread->cpu->has_stream && thread->cpu->doubtful == 0;

	return thread->doubt->doubtful > 0 && thread->state != THREAD_UNKNOWN && !is_elsewhere;
}

void scheduled_thread_resolve(struct scheduled_thread *thread)
{
	bool is_certain = thread->doubt->doubtful > 0 && thread->pending_until_ns <= thread->doubt->since_ns;

	if (thread->pending_until_ns == NOTHING) {
		return;
	}
	if (thread->watch) {
		thread->watch->settled(thread->watch, thread, is_certain);
	}
	if (is_certain) {
		thread_account_add(&thread->account, &thread->pending);
	} else {
		thread->account.time_ns[THREAD_UNKNOWN] += thread_account_total(&thread->pending);
	}
	thread->pending = (struct thread_account){ 0 };
	thread->pending_until_ns = NOTHING;
}

static void tell(const struct scheduled_thread *thread, int64_t from_ns, int64_t to_ns, bool is_pending)
{
	if (thread->watch && from_ns < to_ns) {
		thread->watch->passed(thread->watch, thread, from_ns, to_ns, is_pending);
	}
}

/* Counts the time up to time_ns, which begins at counted_ns, of a thread that is_doubtful(). */
static void count_doubtful(struct scheduled_thread *thread, int64_t time_ns)
{
	int64_t certain_ns = CLAMP(thread->doubt->since_ns, thread->counted_ns, time_ns);

	if (thread->pending_until_ns <= thread->doubt->since_ns) {
		scheduled_thread_resolve(thread);
	}
	tell(thread, thread->counted_ns, certain_ns, false);
	thread->account.time_ns[thread->state] += certain_ns - thread->counted_ns;
	if (certain_ns == time_ns) {
		thread->account.irq_ns += thread->uncounted_irq_ns;
		return;
	}
	tell(thread, certain_ns, time_ns, true);
	thread->pending.time_ns[thread->state] += time_ns - certain_ns;
	thread->pending.irq_ns += MIN(thread->uncounted_irq_ns, time_ns - certain_ns);
	thread->pending_until_ns = time_ns;
}

void scheduled_thread_count(struct scheduled_thread *thread, int64_t time_ns)
{
	if (time_ns <= thread->counted_ns) {
		return;
	}
	if (G_UNLIKELY(thread->state == THREAD_GONE)) {
		/* in no account */
	} else if (G_UNLIKELY(is_doubtful(thread))) {
		count_doubtful(thread, time_ns);
	} else {
		tell(thread, thread->counted_ns, time_ns, false);
		thread->account.time_ns[thread->state] += time_ns - thread->counted_ns;
		thread->account.irq_ns += thread->uncounted_irq_ns;
	}
	thread->uncounted_irq_ns = 0;
	thread->counted_ns = time_ns;
}

/* A preemption or a block ends: adds its cause to the open spans. */
static void note_cause(const struct scheduled_thread *thread, int64_t time_ns)
{
	bool is_preempted = thread->state == THREAD_PREEMPTED;
	struct thread_cause cause = {
		.name = is_preempted ? thread->taken_by : thread->call,
		.tid = is_preempted ? thread->taken_by_tid : 0,
		.count = 1,
	};

	if (thread->doubt->doubtful > 0) {
		time_ns = MIN(time_ns, thread->doubt->since_ns);
	}
	for (struct thread_span *span = thread->innermost; cause.name && span; span = span->outer) {
		cause.time_ns = cause.longest_ns = time_ns - MAX(thread->state_since_ns, span->start_ns);
		if (cause.time_ns >= 0) {
			thread_causes_add(is_preempted ? &span->preempted_by : &span->blocked_in, &cause);
		}
	}
}

void scheduled_thread_set_state(struct scheduled_thread *thread, enum thread_state state, int64_t time_ns)
{
	time_ns = MAX(time_ns, thread->counted_ns);
	if (thread->innermost && (thread->state == THREAD_PREEMPTED || thread->state == THREAD_BLOCKED)) {
		note_cause(thread, time_ns);
	}
	scheduled_thread_count(thread, time_ns);
	thread->uncounted_irq_ns = 0; /* the thread turned out not to have run */
	thread->state = state;
	thread->state_since_ns = time_ns;
}

void scheduled_thread_take_off(struct scheduled_thread *thread)
{
	if (thread->cpu && thread->cpu->current == thread) {
		thread->cpu->current = NULL;
	}
	thread->cpu = NULL;
}

void scheduled_thread_forget(struct scheduled_thread *thread, int64_t from_ns)
{
	if (thread->cpu && thread->cpu->current == thread) {
		thread->cpu->is_vacated = true;
	}
	scheduled_thread_take_off(thread);
	scheduled_thread_set_state(thread, THREAD_UNKNOWN, from_ns);
	thread->call = NULL;
	thread->has_wakeup = false; /* it may have waited since */
}

void scheduled_thread_note_wakeup(struct scheduled_thread *thread, int64_t switch_in_ns)
{
	thread->has_wakeup = true;
	thread->waking_ns = thread->state_since_ns;
	thread->switch_in_ns = switch_in_ns;
}

void scheduled_thread_count_call(const struct scheduled_thread *thread, int64_t time_ns)
{
	for (struct thread_span *span = thread->innermost; span; span = span->outer) {
		int64_t call_ns = time_ns - MAX(thread->call_since_ns, span->start_ns);

		span->call_count++;
		span->call_ns += call_ns;
		thread_causes_add(&span->calls, &(struct thread_cause){
							.name = thread->call,
							.count = 1,
							.time_ns = call_ns,
							.longest_ns = call_ns,
						});
	}
}

struct thread_account scheduled_thread_account(const struct scheduled_thread *thread, int64_t time_ns)
{
	struct scheduled_thread then = *thread;

	then.watch = NULL;
	scheduled_thread_count(&then, time_ns);
	scheduled_thread_resolve(&then);
	return then.account;
}

void scheduled_thread_open_span(struct scheduled_thread *thread, struct thread_span *span, int64_t time_ns)
{
	scheduled_thread_count(thread, time_ns);
	scheduled_thread_resolve(thread);
	*span = (struct thread_span){
		.outer = thread->innermost,
		.start_ns = time_ns,
		.account = thread->account,
	};
	thread->innermost = span;
}

/* Makes the states add up to the duration, even if records were out of order. */
static void complete(struct thread_account *account, int64_t duration_ns)
{
	int64_t known_ns = thread_account_total(account) - account->time_ns[THREAD_UNKNOWN];

	if (known_ns > duration_ns) {
		*account = (struct thread_account){ 0 };
		known_ns = 0;
	}
	account->time_ns[THREAD_UNKNOWN] = duration_ns - known_ns;
	account->irq_ns = MIN(account->irq_ns, account->time_ns[THREAD_RUNNING]);
}

void scheduled_thread_close_span(struct scheduled_thread *thread, struct thread_span *span, int64_t time_ns)
{
	struct thread_span **place = &thread->innermost;

	while (*place && *place != span) {
		place = &(*place)->outer;
	}
	if (*place) {
		*place = span->outer;
	}
	scheduled_thread_count(thread, time_ns);
	scheduled_thread_resolve(thread);
	span->account = thread_account_since(&thread->account, &span->account);
	complete(&span->account, time_ns - span->start_ns);
}
