/* SPDX-License-Identifier: MIT */
#include "core/model/thread_tids.h"

void thread_tids_init(struct thread_tids *tids, struct arena *arena)
{
	*tids = (struct thread_tids){ .arena = arena, .threads = g_ptr_array_new() };
	u64_map_init(&tids->by_tid);
}

void thread_tids_clear(struct thread_tids *tids)
{
	u64_map_clear(&tids->by_tid);
	g_ptr_array_unref(tids->threads);
}

void thread_tids_set_identities(struct thread_tids *tids, struct kernel_threads *identities, uint32_t host)
{
	tids->identities = identities;
	tids->host = host;
}

/* The thread loses its tid to another one. */
static void pass_tid(const struct thread_tids *tids, struct scheduled_thread *thread)
{
	uint32_t index =
		tids->identities ? kernel_threads_find(tids->identities, tids->host, thread->tid) : KERNEL_THREAD_NONE;

	thread->has_passed_tid = true;
	if (index != KERNEL_THREAD_NONE) {
		const struct kernel_thread *known = kernel_thread_at(tids->identities, index);

		thread->identity = (struct thread_identity){ known->pid, known->vpid, known->vtid, known->ns_inum };
	}
}

void thread_tids_meet(const struct thread_tids *tids, int32_t tid)
{
	if (tids->identities) {
		kernel_threads_meet(tids->identities, tids->host, tid);
	}
}

struct scheduled_thread *thread_tids_add(struct thread_tids *tids, int32_t tid, int64_t since_ns, int64_t now_ns)
{
	struct scheduled_thread *previous = thread_tids_find(tids, tid);
	struct scheduled_thread *thread = scheduled_thread_create(tids->arena, &tids->doubt, tid, since_ns);

	if (previous) {
		pass_tid(tids, previous);
	}
	if (tids->identities && previous) {
		kernel_threads_begin(tids->identities, tids->host, tid);
	}
	thread_tids_meet(tids, tid);
	thread->watch = tids->watch.passed ? &tids->watch : NULL;
	thread->first_ns = now_ns;
	u64_map_set_pointer(&tids->by_tid, (uint32_t)tid, thread);
	g_ptr_array_add(tids->threads, thread);
	return thread;
}

static bool has_done_nothing(const struct scheduled_thread *thread)
{
	return !thread->innermost && thread->state == THREAD_UNKNOWN && thread->pending_until_ns == INT64_MIN &&
	       thread_account_total(&thread->account) == thread->account.time_ns[THREAD_UNKNOWN];
}

/* Whether a living thread is the one that begins now. */
static bool begins_now(const struct scheduled_thread *thread, enum thread_beginning what)
{
	return (what == THREAD_BEGUN && thread->beginning == THREAD_FORKED) ||
	       (thread->beginning == THREAD_FOUND && has_done_nothing(thread));
}

/* Ends a thread whose end is not recorded. */
static void end(struct scheduled_thread *thread)
{
	scheduled_thread_forget(thread, thread->counted_ns);
	scheduled_thread_set_state(thread, THREAD_GONE, thread->counted_ns);
}

static struct scheduled_thread *find_beginning(const struct thread_tids *tids, int32_t tid, int64_t time_ns,
					       enum thread_beginning what)
{
	struct scheduled_thread *thread = thread_tids_find(tids, tid);

	if (thread && thread->state != THREAD_GONE && begins_now(thread, what)) {
		if (has_done_nothing(thread)) {
			thread->account = thread->before = (struct thread_account){ 0 };
			thread->counted_ns = time_ns;
		}
		return thread;
	}
	/* its first events may come before those that say that it begins */
	return thread && thread->beginning == THREAD_FOUND && time_ns - thread->first_ns < TID_REUSE_MIN_NS ? thread
													    : NULL;
}

struct scheduled_thread *thread_tids_begin(struct thread_tids *tids, int32_t tid, int64_t time_ns,
					   enum thread_beginning what)
{
	struct scheduled_thread *thread = find_beginning(tids, tid, time_ns, what);
	struct scheduled_thread *previous = thread_tids_find(tids, tid);

	if (!thread) {
		if (previous && previous->state != THREAD_GONE) {
			end(previous);
		}
		thread = thread_tids_add(tids, tid, time_ns, time_ns);
	}
	thread->beginning = what;
	return thread;
}

void thread_tids_exec(struct thread_tids *tids, int32_t tid, int32_t old_tid)
{
	struct scheduled_thread *thread = thread_tids_find(tids, old_tid), *leader = thread_tids_find(tids, tid);

	if (tid == old_tid || tid <= 0 || old_tid <= 0 || !thread || thread->state == THREAD_GONE) {
		return;
	}
	if (leader) {
		end(leader);
		pass_tid(tids, leader);
	}
	(void)u64_map_remove(&tids->by_tid, (uint32_t)old_tid);
	thread->tid = tid;
	thread->beginning = THREAD_BEGUN;
	u64_map_set_pointer(&tids->by_tid, (uint32_t)tid, thread);
}
