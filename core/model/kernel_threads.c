/* SPDX-License-Identifier: MIT */
#include "core/model/kernel_threads.h"

#include <glib.h>

#include "core/base/slots.h"
#include "core/model/namespace_ids.h"
#include "ros2bt/base/u64_map.h"

_Static_assert(KERNEL_THREAD_NONE == NAMESPACE_IDS_NONE, "one index of no thread");

#define CPUS_MAX 8192 /* more than Linux has; others are not followed */

struct host {
	struct u64_map by_tid; /* → index */
	struct namespace_ids by_ids;
	GArray *running; /* struct kernel_running by CPU */
};

struct kernel_threads {
	struct recording *recording; /* borrowed */
	GArray *hosts;		     /* struct host */
	GArray *threads;	     /* struct kernel_thread */
	GArray *has_switches;	     /* bool by stream: it records switches, so a loss may be of switches */
};

/* --- life --- */

static void host_clear(gpointer data)
{
	struct host *host = data;

	u64_map_clear(&host->by_tid);
	namespace_ids_clear(&host->by_ids);
	g_array_unref(host->running);
}

struct kernel_threads *kernel_threads_create(struct recording *recording)
{
	struct kernel_threads *threads = g_new0(struct kernel_threads, 1);

	threads->recording = recording;
	threads->hosts = g_array_new(FALSE, FALSE, sizeof(struct host));
	g_array_set_clear_func(threads->hosts, host_clear);
	threads->threads = g_array_new(FALSE, FALSE, sizeof(struct kernel_thread));
	threads->has_switches = g_array_new(FALSE, TRUE, sizeof(bool));
	return threads;
}

void kernel_threads_destroy(struct kernel_threads *threads)
{
	if (threads) {
		g_array_unref(threads->hosts);
		g_array_unref(threads->threads);
		g_array_unref(threads->has_switches);
		g_free(threads);
	}
}

/* --- look-up --- */

static struct kernel_thread *thread_at(const struct kernel_threads *threads, uint32_t index)
{
	return &g_array_index(threads->threads, struct kernel_thread, index);
}

static const struct host *known_host(const struct kernel_threads *threads, uint32_t index)
{
	return index < threads->hosts->len ? &g_array_index(threads->hosts, struct host, index) : NULL;
}

static struct host *host_at(struct kernel_threads *threads, uint32_t index)
{
	while (threads->hosts->len <= index) {
		struct host host = {
			.running = g_array_new(FALSE, TRUE, sizeof(struct kernel_running)),
		};

		u64_map_init(&host.by_tid);
		namespace_ids_init(&host.by_ids);
		g_array_append_val(threads->hosts, host);
	}
	return &g_array_index(threads->hosts, struct host, index);
}

static uint32_t find(const struct host *host, int32_t tid)
{
	uint64_t found = u64_map_get(&host->by_tid, (uint32_t)tid);

	return found == U64_MAP_NONE ? KERNEL_THREAD_NONE : (uint32_t)found;
}

uint32_t kernel_threads_find(const struct kernel_threads *threads, uint32_t host, int32_t tid)
{
	const struct host *known = known_host(threads, host);

	return known ? find(known, tid) : KERNEL_THREAD_NONE;
}

const struct kernel_thread *kernel_thread_at(const struct kernel_threads *threads, uint32_t index)
{
	return thread_at(threads, index);
}

/* The thread whose tid is the vtid, unless the trace contradicts that. */
static uint32_t find_by_tid(const struct kernel_threads *threads, const struct host *host, int32_t vpid, int32_t vtid)
{
	uint32_t index = vtid > 0 ? find(host, vtid) : KERNEL_THREAD_NONE;
	const struct kernel_thread *thread = index == KERNEL_THREAD_NONE ? NULL : thread_at(threads, index);
	bool is_other = thread && (thread->vtid >= 0 || (thread->pid >= 0 && thread->pid != vpid));

	return is_other ? KERNEL_THREAD_NONE : index;
}

uint32_t kernel_threads_of_user(const struct kernel_threads *threads, uint32_t thread)
{
	const struct recording_thread *user = recording_thread(threads->recording, thread);
	const struct recording_process *process = recording_process(threads->recording, user->process);
	const struct host *host = known_host(threads, process->host);
	struct thread_ids ids = { .vpid = process->vpid, .vtid = user->vtid, .ns_inum = process->pid_ns };
	uint32_t found = KERNEL_THREAD_NONE;

	if (!host || !user->has_vtid || !process->has_vpid) {
		return KERNEL_THREAD_NONE;
	}
	if (process->pid_ns == 0) {
		if (!namespace_ids_find_anywhere(&host->by_ids, ids.vpid, ids.vtid, &found)) {
			return KERNEL_THREAD_NONE;
		}
	} else {
		found = namespace_ids_find(&host->by_ids, &ids);
		ids.ns_inum = 0;
		found = found == KERNEL_THREAD_NONE ? namespace_ids_find(&host->by_ids, &ids) : found;
	}
	return found == KERNEL_THREAD_NONE ? find_by_tid(threads, host, process->vpid, user->vtid) : found;
}

struct kernel_running kernel_threads_running(const struct kernel_threads *threads, uint32_t host, uint32_t cpu)
{
	const struct host *known = known_host(threads, host);
	struct kernel_running nothing = { .is_known = false, .thread = KERNEL_THREAD_NONE };

	if (!known || cpu >= known->running->len ||
	    !g_array_index(known->running, struct kernel_running, cpu).is_known) {
		return nothing;
	}
	return g_array_index(known->running, struct kernel_running, cpu);
}

/* --- feeding --- */

static uint32_t add_thread(struct kernel_threads *threads, struct host *host, uint32_t host_index, int32_t tid)
{
	struct kernel_thread thread = { .host = host_index, .tid = tid, .pid = -1, .vpid = -1, .vtid = -1 };

	u64_map_set(&host->by_tid, (uint32_t)tid, threads->threads->len);
	g_array_append_val(threads->threads, thread);
	return threads->threads->len - 1;
}

/* The thread of a tid, added if it is new; KERNEL_THREAD_NONE for idle threads and invalid tids. */
static uint32_t thread_of(struct kernel_threads *threads, uint32_t host_index, int32_t tid)
{
	struct host *host = host_at(threads, host_index);
	uint32_t index = tid > 0 ? find(host, tid) : KERNEL_THREAD_NONE;

	return index == KERNEL_THREAD_NONE && tid > 0 ? add_thread(threads, host, host_index, tid) : index;
}

static struct thread_ids ids_of(const struct kernel_thread *thread)
{
	return (struct thread_ids){ .vpid = thread->vpid, .vtid = thread->vtid, .ns_inum = thread->ns_inum };
}

/* Takes the ids away from a thread that has others now, or whose tid is another thread's. */
static void forget_ids(struct kernel_threads *threads, uint32_t index)
{
	const struct kernel_thread *thread = thread_at(threads, index);
	const struct thread_ids ids = ids_of(thread);

	if (thread->vtid >= 0) {
		namespace_ids_remove(&host_at(threads, thread->host)->by_ids, &ids, index);
	}
}

/* Ids of 0 are those of a dying thread, which no longer has any. */
static void identify(struct kernel_threads *threads, uint32_t index, const struct thread_ids *ids)
{
	struct kernel_thread *thread = thread_at(threads, index);

	if (ids->vpid <= 0 || ids->vtid <= 0 ||
	    (thread->vpid == ids->vpid && thread->vtid == ids->vtid &&
	     (thread->ns_inum == ids->ns_inum || ids->ns_inum == 0))) {
		return;
	}
	forget_ids(threads, index);
	thread->vpid = ids->vpid;
	thread->vtid = ids->vtid;
	thread->ns_inum = ids->ns_inum;
	namespace_ids_set(&host_at(threads, thread->host)->by_ids, ids, index);
}

static void set_name(struct kernel_threads *threads, uint32_t index, const struct event_record *record,
		     unsigned int slot)
{
	if (index != KERNEL_THREAD_NONE && record_has(record, slot)) {
		thread_at(threads, index)->name = record_string(record, slot);
	}
}

static int32_t number(const struct event_record *record, unsigned int slot)
{
	return record_has(record, slot) ? (int32_t)record->word[slot] : -1;
}

static struct kernel_running *running_on(struct kernel_threads *threads, uint32_t host_index, uint32_t cpu)
{
	GArray *running = host_at(threads, host_index)->running;

	if (cpu >= CPUS_MAX) {
		return NULL;
	}
	return array_at(running, struct kernel_running, cpu);
}

/* Learns the ids of the running thread from the contexts of an event. */
static void learn_ids(struct kernel_threads *threads, const struct event_record *record, uint32_t running)
{
	const struct recording_context *ids;

	if (record->thread == RECORDING_NONE || running == KERNEL_THREAD_NONE) {
		return;
	}
	ids = recording_ids(threads->recording, record->thread);
	identify(threads, running,
		 &(struct thread_ids){ .vpid = ids->vpid, .vtid = ids->vtid, .ns_inum = ids->pid_ns });
}

static void note_switches(struct kernel_threads *threads, uint16_t stream)
{
	*array_at(threads->has_switches, bool, stream) = true;
}

static void feed_switch(struct kernel_threads *threads, const struct event_record *record, uint32_t host)
{
	struct kernel_running *running =
		running_on(threads, host, recording_stream_cpu(threads->recording, record->stream));
	int32_t previous_tid = number(record, SCHED_SWITCH__prev_tid),
		next_tid = number(record, SCHED_SWITCH__next_tid);
	/* the index of a tid never changes */
	bool is_running = running && running->is_known && running->tid == previous_tid;
	uint32_t previous = is_running ? running->thread : thread_of(threads, host, previous_tid);
	uint32_t next = thread_of(threads, host, next_tid);

	note_switches(threads, record->stream);
	learn_ids(threads, record, previous);
	set_name(threads, previous, record, SCHED_SWITCH__prev_comm);
	set_name(threads, next, record, SCHED_SWITCH__next_comm);
	if (running) {
		*running = (struct kernel_running){ .is_known = next_tid >= 0, .tid = next_tid, .thread = next };
	}
}

_Static_assert((int)SCHED_WAKING__tid == (int)SCHED_WAKEUP__tid && (int)SCHED_WAKING__comm == (int)SCHED_WAKEUP__comm &&
		       (int)SCHED_WAKEUP_NEW__tid == (int)SCHED_WAKEUP__tid &&
		       (int)SCHED_WAKEUP_NEW__comm == (int)SCHED_WAKEUP__comm,
	       "one function reads them");

static void feed_wakeup(struct kernel_threads *threads, const struct event_record *record, uint32_t host)
{
	set_name(threads, thread_of(threads, host, number(record, SCHED_WAKEUP__tid)), record, SCHED_WAKEUP__comm);
}

/* A thread begins, possibly with the tid of one that has ended. */
static uint32_t begin_thread(struct kernel_threads *threads, uint32_t host, int32_t tid)
{
	bool is_new = kernel_threads_find(threads, host, tid) == KERNEL_THREAD_NONE;
	uint32_t index = thread_of(threads, host, tid);
	struct kernel_thread *thread;

	if (is_new || index == KERNEL_THREAD_NONE) {
		return index;
	}
	forget_ids(threads, index);
	thread = thread_at(threads, index);
	*thread = (struct kernel_thread){
		.host = host,
		.tid = tid,
		.pid = -1,
		.vpid = -1,
		.vtid = -1,
	};
	return index;
}

void kernel_threads_begin(struct kernel_threads *threads, uint32_t host, int32_t tid)
{
	(void)begin_thread(threads, host, tid);
}

void kernel_threads_meet(struct kernel_threads *threads, uint32_t host, int32_t tid)
{
	(void)thread_of(threads, host, tid);
}

void kernel_threads_learn(struct kernel_threads *threads, uint32_t host, int32_t tid, const struct event_record *record)
{
	if (record->thread != RECORDING_NONE) {
		learn_ids(threads, record, thread_of(threads, host, tid));
	}
}

/* The last of its vtids is the one that a child sees of itself. Its vpid is the vtid of its process's main thread. */
static void identify_child(struct kernel_threads *threads, const struct event_record *record, uint32_t child)
{
	const struct address_list *vtids;
	struct thread_ids ids = { .vpid = -1 };
	int32_t pid = thread_at(threads, child)->pid;
	uint32_t leader;

	if (!record_has(record, SCHED_PROCESS_FORK__vtids)) {
		return;
	}
	vtids = (const struct address_list *)(uintptr_t)record->word[SCHED_PROCESS_FORK__vtids];
	if (vtids->count == 0) {
		return;
	}
	ids.vtid = (int32_t)vtids->address[vtids->count - 1];
	if (record_has(record, SCHED_PROCESS_FORK__child_ns_inum)) {
		ids.ns_inum = record->word[SCHED_PROCESS_FORK__child_ns_inum];
	}
	leader = kernel_threads_find(threads, thread_at(threads, child)->host, pid);
	if (pid == thread_at(threads, child)->tid) {
		ids.vpid = ids.vtid;
	} else if (leader != KERNEL_THREAD_NONE && thread_at(threads, leader)->vtid > 0) {
		ids.vpid = thread_at(threads, leader)->vtid;
	} else if (vtids->count == 1) {
		ids.vpid = pid; /* in the initial namespace */
	}
	identify(threads, child, &ids);
}

static void feed_fork(struct kernel_threads *threads, const struct event_record *record, uint32_t host)
{
	uint32_t child = begin_thread(threads, host, number(record, SCHED_PROCESS_FORK__child_tid));

	if (child == KERNEL_THREAD_NONE) {
		return;
	}
	thread_at(threads, child)->pid = number(record, SCHED_PROCESS_FORK__child_pid);
	set_name(threads, child, record, SCHED_PROCESS_FORK__child_comm);
	identify_child(threads, record, child);
}

/* A thread other than the main thread takes the tid of that one, which is gone. */
static void feed_exec(struct kernel_threads *threads, const struct event_record *record, uint32_t host)
{
	int32_t tid = number(record, SCHED_PROCESS_EXEC__tid), old_tid = number(record, SCHED_PROCESS_EXEC__old_tid);
	struct kernel_running *running =
		running_on(threads, host, recording_stream_cpu(threads->recording, record->stream));
	uint32_t index, old;

	if (tid == old_tid || tid <= 0 || old_tid <= 0) {
		return;
	}
	index = thread_of(threads, host, tid);
	old = thread_of(threads, host, old_tid);
	thread_at(threads, index)->name = thread_at(threads, old)->name;
	if (running && running->is_known && running->tid == old_tid) {
		running->tid = tid;
		running->thread = index;
	}
}

static void feed_exit(struct kernel_threads *threads, const struct event_record *record, uint32_t host)
{
	set_name(threads, thread_of(threads, host, number(record, SCHED_PROCESS_EXIT__tid)), record,
		 SCHED_PROCESS_EXIT__comm);
}

/* Both events of the state dump have these words. The innermost namespace comes first, so later ones are ignored. */
static void identify_dumped(struct kernel_threads *threads, const struct event_record *record, uint32_t index)
{
	const struct thread_ids ids = {
		.vpid = number(record, STATEDUMP_PROCESS_STATE__vpid),
		.vtid = number(record, STATEDUMP_PROCESS_STATE__vtid),
		.ns_inum = record_has(record, STATEDUMP_PROCESS_STATE__ns_inum)
				   ? record->word[STATEDUMP_PROCESS_STATE__ns_inum]
				   : 0,
	};

	if (thread_at(threads, index)->vtid < 0) {
		identify(threads, index, &ids);
	}
}

_Static_assert((int)STATEDUMP_PROCESS_STATE__vpid == (int)STATEDUMP_PROCESS_PID_NS__vpid &&
		       (int)STATEDUMP_PROCESS_STATE__vtid == (int)STATEDUMP_PROCESS_PID_NS__vtid &&
		       (int)STATEDUMP_PROCESS_STATE__ns_inum == (int)STATEDUMP_PROCESS_PID_NS__ns_inum,
	       "one function reads them");

static void feed_process_state(struct kernel_threads *threads, const struct event_record *record, uint32_t host)
{
	uint32_t index = thread_of(threads, host, number(record, STATEDUMP_PROCESS_STATE__tid));

	if (index == KERNEL_THREAD_NONE) {
		return;
	}
	thread_at(threads, index)->pid = number(record, STATEDUMP_PROCESS_STATE__pid);
	set_name(threads, index, record, STATEDUMP_PROCESS_STATE__name);
	identify_dumped(threads, record, index);
}

static void feed_process_namespace(struct kernel_threads *threads, const struct event_record *record, uint32_t host)
{
	uint32_t index = thread_of(threads, host, number(record, STATEDUMP_PROCESS_PID_NS__tid));

	if (index != KERNEL_THREAD_NONE) {
		identify_dumped(threads, record, index);
	}
}

static void forget_running(struct kernel_threads *threads, const struct event_record *record, uint32_t host)
{
	struct kernel_running *running;

	if (record->stream >= threads->has_switches->len ||
	    !g_array_index(threads->has_switches, bool, record->stream)) {
		return;
	}
	running = running_on(threads, host, recording_stream_cpu(threads->recording, record->stream));
	if (running) {
		running->is_known = false;
	}
}

static void feed_kind(struct kernel_threads *threads, const struct event_record *record, uint32_t host)
{
	switch ((int)record->kind) {
	case EVENT_SCHED_SWITCH:
		feed_switch(threads, record, host);
		break;
	case EVENT_SCHED_WAKING:
	case EVENT_SCHED_WAKEUP:
	case EVENT_SCHED_WAKEUP_NEW:
		feed_wakeup(threads, record, host);
		break;
	case EVENT_SCHED_PROCESS_FORK:
		feed_fork(threads, record, host);
		break;
	case EVENT_SCHED_PROCESS_EXEC:
		feed_exec(threads, record, host);
		break;
	case EVENT_SCHED_PROCESS_EXIT:
		feed_exit(threads, record, host);
		break;
	case EVENT_STATEDUMP_PROCESS_STATE:
		feed_process_state(threads, record, host);
		break;
	case EVENT_STATEDUMP_PROCESS_PID_NS:
		feed_process_namespace(threads, record, host);
		break;
	case RECORD_DISCARDED_EVENTS:
	case RECORD_DISCARDED_PACKETS:
	case RECORD_GAP:
		forget_running(threads, record, host);
		break;
	default:
		break;
	}
}

void kernel_threads_feed(struct kernel_threads *threads, const struct event_record *record)
{
	uint32_t trace = recording_stream_trace(threads->recording, record->stream);

	feed_kind(threads, record, recording_trace(threads->recording, trace)->host);
}
