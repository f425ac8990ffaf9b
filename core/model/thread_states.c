/* SPDX-License-Identifier: MIT */
#include "core/model/thread_states.h"

/* Bits of prev_state (core/events/event_table.h) */
#define STATE_ENDED (16 | 32)
#define STATE_ENDED_OR_PARKED 64 /* ended before Linux 4.14; parked since */

#define NO_TIME INT64_MIN

void thread_states_init(struct thread_states *states, struct arena *arena)
{
	*states = (struct thread_states){
		.arena = arena, .begin_ns = NO_TIME, .now_ns = NO_TIME, .range_begin_ns = NO_TIME
	};
	thread_tids_init(&states->tids, arena);
	u64_map_init(&states->cpu_of);
	states->cpus = g_ptr_array_new();
}

void thread_states_clear(struct thread_states *states)
{
	thread_tids_clear(&states->tids);
	u64_map_clear(&states->cpu_of);
	g_ptr_array_unref(states->cpus);
}

struct scheduled_cpu *thread_states_cpu(struct thread_states *states, uint64_t number)
{
	struct scheduled_cpu *cpu = u64_map_get_pointer(&states->cpu_of, number);

	if (G_UNLIKELY(!cpu)) {
		cpu = arena_take(states->arena, sizeof(*cpu));
		cpu->last_ns = NO_TIME;
		cpu->number = number;
		u64_map_set_pointer(&states->cpu_of, number, cpu);
		g_ptr_array_add(states->cpus, cpu);
	}
	return cpu;
}

struct scheduled_thread *thread_states_thread(struct thread_states *states, int32_t tid)
{
	struct scheduled_thread *thread = tid == 0 ? NULL : thread_tids_find(&states->tids, tid);

	if (tid == 0 || G_LIKELY(thread && thread->state != THREAD_GONE)) {
		return thread;
	}
	/* the tid is that of a thread that has ended: the start of the new one was not recorded */
	return thread_tids_add(&states->tids, tid,
			       thread ? states->now_ns : MAX(states->begin_ns, states->range_begin_ns), states->now_ns);
}

/* The same for events that no thread begins with: NULL also for a tid that is free. */
static struct scheduled_thread *living_thread(struct thread_states *states, int32_t tid)
{
	const struct scheduled_thread *thread = thread_tids_find(&states->tids, tid);

	return thread && thread->state == THREAD_GONE ? NULL : thread_states_thread(states, tid);
}

/* --- threads on CPUs --- */

static void put_on(struct scheduled_thread *thread, struct scheduled_cpu *cpu)
{
	thread->cpu = cpu;
	thread->ran_on = cpu;
	cpu->current = thread;
}

static bool is_dark(const struct thread_states *states)
{
	return states->tids.doubt.dark > 0;
}

static bool has_doubt(const struct thread_states *states)
{
	return states->tids.doubt.dark > 0 || states->tids.doubt.doubtful > 0;
}

/* Notes an event and gives the time at which it counts, which is never earlier than that of the last one. */
static int64_t advance(struct thread_states *states, struct scheduled_cpu *cpu, int64_t time_ns)
{
	if (G_UNLIKELY(!states->has_begun)) {
		states->has_begun = true;
		states->begin_ns = time_ns;
	}
	states->is_over = false;
	states->now_ns = MAX(states->now_ns, time_ns);
	cpu->last_ns = states->now_ns;
	return states->now_ns;
}

/* --- switches --- */

/* The thread runs on the CPU although no switch to it was recorded. */
static void put_on_late(struct thread_states *states, struct scheduled_thread *thread, struct scheduled_cpu *cpu,
			int64_t time_ns)
{
	bool is_guess =
		has_doubt(states) ? cpu->is_idle || cpu->is_vacated : cpu->is_idle && thread->state == THREAD_UNKNOWN;
	int64_t from_ns = time_ns;

	if (is_guess) {
		/* it came at any time since */
		states->missed_switches += thread->state != THREAD_UNKNOWN;
		scheduled_thread_forget(thread, cpu->last_switch_ns);
	} else if (cpu->has_switch) {
		from_ns = MAX(thread->counted_ns, cpu->last_switch_ns);
	} else if (thread->state != THREAD_UNKNOWN) {
		from_ns = thread->counted_ns;
	}
	states->missed_switches += thread->state != THREAD_UNKNOWN;
	if (thread->state == THREAD_WOKEN) {
		scheduled_thread_note_wakeup(thread, from_ns);
	}
	scheduled_thread_set_state(thread, THREAD_RUNNING, from_ns);
	put_on(thread, cpu);
}

static void count_irq(struct scheduled_cpu *cpu, int64_t time_ns)
{
	struct scheduled_thread *thread = cpu->current;

	if (thread) {
		thread->uncounted_irq_ns += MAX(time_ns - MAX(cpu->irq_since_ns, thread->counted_ns), 0);
	}
	cpu->irq_depth = 0;
}

static bool has_ended(const struct scheduled_thread *thread, int64_t prev_state)
{
	return (prev_state & STATE_ENDED) || (thread->is_exiting && (prev_state & STATE_ENDED_OR_PARKED));
}

/* While a CPU is dark, a thread may go on there at once. */
static void leave(struct thread_states *states, struct scheduled_thread *thread, int64_t time_ns,
		  const struct thread_switch *one)
{
	bool is_runnable = kernel_state_is_runnable(one->prev_state);

	scheduled_thread_take_off(thread);
	if (G_UNLIKELY(has_ended(thread, one->prev_state))) {
		scheduled_thread_set_state(thread, THREAD_GONE, time_ns);
	} else if (G_UNLIKELY(is_dark(states))) {
		scheduled_thread_forget(thread, time_ns);
		thread->account.preemptions += is_runnable;
		thread->account.blocks += !is_runnable;
	} else if (is_runnable) {
		scheduled_thread_set_state(thread, THREAD_PREEMPTED, time_ns);
		thread->account.preemptions++;
		thread->taken_by = one->next_name ? one->next_name : "";
		thread->taken_by_tid = one->next_tid;
	} else {
		scheduled_thread_set_state(thread, THREAD_BLOCKED, time_ns);
		thread->account.blocks++;
	}
}

/* The thread that, according to a switch, had the CPU until now; NULL: the CPU was idle. */
static struct scheduled_thread *find_current(struct thread_states *states, struct scheduled_cpu *cpu, int64_t time_ns,
					     const struct thread_switch *one)
{
	struct scheduled_thread *thread = cpu->current;

	if (G_LIKELY(thread && thread->tid == one->prev_tid)) {
		return thread;
	}
	if (thread) {
		scheduled_thread_forget(thread, thread->counted_ns);
	}
	thread = thread_states_thread(states, one->prev_tid);
	if (thread && thread->state == THREAD_RUNNING && thread->cpu) {
		scheduled_thread_forget(thread, thread->counted_ns);
	}
	if (thread && thread->state != THREAD_RUNNING) {
		put_on_late(states, thread, cpu, time_ns);
	}
	return thread;
}

static void enter(struct thread_states *states, struct scheduled_cpu *cpu, int64_t time_ns,
		  const struct thread_switch *one)
{
	struct scheduled_thread *thread = thread_states_thread(states, one->next_tid);

	if (!thread) {
		return;
	}
	scheduled_thread_set_name(thread, one->next_name);
	if (thread->state == THREAD_WOKEN && G_UNLIKELY(has_doubt(states))) {
		thread->has_wakeup = false; /* it may have come to another CPU before */
	} else if (thread->state == THREAD_WOKEN) {
		scheduled_thread_note_wakeup(thread, time_ns);
		if (states->range == THREAD_RANGE_OPEN) {
			duration_statistics_add(&thread->wakeup, time_ns - thread->waking_ns, thread->waking_ns);
		}
	} else if (G_UNLIKELY(thread->state == THREAD_RUNNING)) {
		scheduled_thread_forget(thread, thread->counted_ns);
	}
	scheduled_thread_set_state(thread, THREAD_RUNNING, time_ns);
	put_on(thread, cpu);
}

void thread_states_switch(struct thread_states *states, struct scheduled_cpu *cpu, int64_t time_ns,
			  const struct thread_switch *one)
{
	struct scheduled_thread *thread;

	time_ns = advance(states, cpu, time_ns);
	thread = find_current(states, cpu, time_ns, one);
	if (G_UNLIKELY(cpu->irq_depth > 0)) {
		count_irq(cpu, time_ns); /* there are no switches in interrupts: the end of this one was missed */
	}
	if (thread) {
		scheduled_thread_set_name(thread, one->prev_name);
		leave(states, thread, time_ns, one);
	}
	enter(states, cpu, time_ns, one);
	cpu->has_switch = true;
	cpu->is_idle = one->next_tid == 0;
	cpu->is_vacated = false;
	cpu->last_switch_ns = time_ns;
}

/* --- wake-ups, beginnings and ends --- */

static void wake(struct scheduled_thread *thread, const struct scheduled_cpu *cpu, int64_t time_ns)
{
	scheduled_thread_set_state(thread, THREAD_WOKEN, time_ns);
	thread->woken_by = cpu->current;
	thread->is_woken_in_irq = cpu->irq_depth > 0;
}

void thread_states_wake(struct thread_states *states, struct scheduled_cpu *cpu, int64_t time_ns, int32_t tid,
			const char *name)
{
	struct scheduled_thread *thread;

	time_ns = advance(states, cpu, time_ns);
	states->has_wakings = true;
	thread = living_thread(states, tid);
	if (thread) {
		scheduled_thread_set_name(thread, name);
	}
	if (thread && !is_dark(states) && (thread->state == THREAD_BLOCKED || thread->state == THREAD_UNKNOWN)) {
		thread->blocked_since_ns = thread->state == THREAD_BLOCKED ? thread->state_since_ns : INT64_MAX;
		wake(thread, cpu, time_ns);
	}
}

void thread_states_pass(struct thread_states *states, struct scheduled_cpu *cpu, int64_t time_ns)
{
	(void)advance(states, cpu, time_ns);
}

void thread_states_fork(struct thread_states *states, struct scheduled_cpu *cpu, int64_t time_ns, int32_t tid,
			const char *name)
{
	struct scheduled_thread *thread;

	time_ns = advance(states, cpu, time_ns);
	if (tid > 0) {
		thread = thread_tids_begin(&states->tids, tid, time_ns, THREAD_FORKED);
		scheduled_thread_set_name(thread, name);
	}
}

void thread_states_begin_thread(struct thread_states *states, struct scheduled_cpu *cpu, int64_t time_ns, int32_t tid,
				const char *name)
{
	struct scheduled_thread *thread;

	time_ns = advance(states, cpu, time_ns);
	states->has_wakings = true;
	if (tid <= 0) {
		return;
	}
	thread = thread_tids_begin(&states->tids, tid, time_ns, THREAD_BEGUN);
	scheduled_thread_set_name(thread, name);
	if (thread->state == THREAD_UNKNOWN && !is_dark(states)) {
		thread->blocked_since_ns = INT64_MAX;
		wake(thread, cpu, time_ns);
	}
}

void thread_states_exec(struct thread_states *states, struct scheduled_cpu *cpu, int64_t time_ns, int32_t tid,
			int32_t old_tid)
{
	advance(states, cpu, time_ns);
	thread_tids_exec(&states->tids, tid, old_tid);
}

void thread_states_end_thread(struct thread_states *states, struct scheduled_cpu *cpu, int64_t time_ns, int32_t tid)
{
	struct scheduled_thread *thread;

	advance(states, cpu, time_ns);
	thread = living_thread(states, tid);
	if (thread) {
		thread->is_exiting = true;
	}
}

/* --- interrupts and system calls --- */

void thread_states_enter_irq(struct thread_states *states, struct scheduled_cpu *cpu, int64_t time_ns)
{
	time_ns = advance(states, cpu, time_ns);
	if (cpu->irq_depth++ == 0) {
		cpu->irq_since_ns = time_ns;
	}
}

void thread_states_leave_irq(struct thread_states *states, struct scheduled_cpu *cpu, int64_t time_ns)
{
	time_ns = advance(states, cpu, time_ns);
	if (cpu->irq_depth == 1) {
		count_irq(cpu, time_ns);
	} else if (cpu->irq_depth > 1) {
		cpu->irq_depth--;
	}
}

/* Nobody asks what a thread without open spans did in its calls: only the last one counts, which it may be in. */
void thread_states_pass_calls(struct thread_states *states, struct scheduled_cpu *cpu, const struct kernel_call *calls,
			      size_t count)
{
	const struct kernel_call *call, *end = calls + count;
	struct scheduled_thread *thread = cpu->current;
	int64_t before_ns = states->now_ns;

	(void)advance(states, cpu, end[-1].time_ns);
	if (!thread) {
		return;
	}
	call = thread->innermost ? calls : end - 1;
	do {
		int64_t time_ns = MAX(call->time_ns, before_ns);

		if (thread->call && !call->name) {
			scheduled_thread_count_call(thread, time_ns);
		}
		thread->call = call->name;
		thread->call_since_ns = time_ns;
	} while (++call < end);
}

/* --- the end --- */

void thread_states_end(struct thread_states *states)
{
	for (guint i = 0; i < states->tids.threads->len; i++) {
		struct scheduled_thread *thread = states->tids.threads->pdata[i];

		if (thread->state != THREAD_GONE) {
			scheduled_thread_forget(thread, states->now_ns);
		}
		scheduled_thread_resolve(thread);
	}
	states->is_over = true;
}

/* --- questions --- */

/* The thread runs, but no event of the kernel has put it on a CPU. */
static void see_elsewhere(struct thread_states *states, struct scheduled_thread *thread, struct scheduled_cpu *cpu,
			  int64_t time_ns)
{
	/* a CPU without a stream so far may be the one whose events are missing */
	bool is_covered = cpu && cpu->dark == 0 && cpu->doubtful == 0 && !states->is_off &&
			  (cpu->has_stream || !has_doubt(states));
	bool is_on_cpu = is_covered && !cpu->current;

	if (is_on_cpu && !((cpu->is_idle || cpu->is_vacated) && has_doubt(states))) {
		put_on_late(states, thread, cpu, time_ns);
	} else if (has_doubt(states)) {
		/* it runs where events are missing: now, but nobody knows since when and how long */
		scheduled_thread_forget(thread, is_dark(states) ? time_ns : states->tids.doubt.since_ns);
	} else {
		/* the CPU where the event was recorded may not be that of the thread at that time */
		scheduled_thread_set_state(thread, THREAD_RUNNING, time_ns);
		thread->ran_on = NULL;
	}
}

void thread_states_see(struct thread_states *states, struct scheduled_thread *thread, struct scheduled_cpu *cpu,
		       int64_t time_ns)
{
	if (!states->has_begun || states->is_over || thread->state == THREAD_GONE) {
		return;
	}
	if (G_UNLIKELY(thread->state != THREAD_RUNNING)) {
		see_elsewhere(states, thread, cpu, time_ns);
	} else if (thread->cpu && thread->cpu->irq_depth > 0) {
		count_irq(thread->cpu, time_ns); /* the end of the interrupt was missed */
	}
	scheduled_thread_count(thread, time_ns);
}

void thread_states_begin_range(struct thread_states *states, int64_t time_ns)
{
	for (guint i = 0; i < states->tids.threads->len; i++) {
		struct scheduled_thread *thread = states->tids.threads->pdata[i];

		scheduled_thread_count(thread, time_ns);
		scheduled_thread_resolve(thread);
		thread->before = thread->account;
	}
	states->range = THREAD_RANGE_OPEN;
	states->range_begin_ns = time_ns;
}

void thread_states_end_range(struct thread_states *states, int64_t time_ns)
{
	for (guint i = 0; i < states->tids.threads->len; i++) {
		struct scheduled_thread *thread = states->tids.threads->pdata[i];

		if (states->range == THREAD_RANGE_OPEN) {
			scheduled_thread_count(thread, time_ns);
			scheduled_thread_resolve(thread);
			thread->in_range = thread_account_since(&thread->account, &thread->before);
		}
	}
	states->range = THREAD_RANGE_OVER;
	states->range_end_ns = time_ns;
}

struct thread_account thread_states_in_range(const struct thread_states *states, const struct scheduled_thread *thread)
{
	struct thread_account account;

	if (states->range != THREAD_RANGE_OPEN) {
		return thread->in_range;
	}
	account = scheduled_thread_account(thread, states->now_ns);
	return thread_account_since(&account, &thread->before);
}
