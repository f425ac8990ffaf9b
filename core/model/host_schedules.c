/* SPDX-License-Identifier: MIT */
#include "core/model/host_schedules.h"

#include "core/base/slots.h"
#include "core/model/thread_losses.h"

const enum event_kind host_schedules_kinds[] = {
	KERNEL_THREADS_KINDS,	EVENT_IRQ_HANDLER_ENTRY, EVENT_IRQ_HANDLER_EXIT, EVENT_IRQ_SOFTIRQ_ENTRY,
	EVENT_IRQ_SOFTIRQ_EXIT, EVENT_SYSCALL_ENTRY,	 EVENT_SYSCALL_EXIT,	 EVENT_KIND_COUNT,
};

void host_schedules_add_interest(struct event_interest *interest)
{
	for (size_t i = 0; host_schedules_kinds[i] != EVENT_KIND_COUNT; i++) {
		interest->wants[host_schedules_kinds[i]] = true;
	}
	interest->joins_calls = true;
}

/* --- life --- */

static void host_free(gpointer data)
{
	struct schedule_host *host = data;

	if (host) {
		thread_states_clear(&host->states);
		g_ptr_array_unref(host->streams);
		g_free(host);
	}
}

void host_schedules_init(struct host_schedules *schedules, struct recording *recording)
{
	*schedules = (struct host_schedules){ .recording = recording, .next_limit_ns = INT64_MAX };
	schedules->threads = kernel_threads_create(recording);
	schedules->hosts = g_ptr_array_new_with_free_func(host_free);
	schedules->streams = g_ptr_array_new();
}

void host_schedules_clear(struct host_schedules *schedules)
{
	kernel_threads_destroy(schedules->threads);
	g_ptr_array_unref(schedules->hosts);
	g_ptr_array_unref(schedules->streams);
}

void host_schedules_watch(struct host_schedules *schedules, const struct thread_watch *watch)
{
	schedules->watch = *watch;
}

/* --- hosts and streams --- */

static struct schedule_host *find_or_add_host(struct host_schedules *schedules, uint32_t index)
{
	gpointer *slot = slot_at(schedules->hosts, index);

	if (!*slot) {
		struct schedule_host *host = *slot = g_new0(struct schedule_host, 1);

		host->recording = schedules->recording;
		host->streams = g_ptr_array_new();
		thread_states_init(&host->states, recording_arena(schedules->recording));
		thread_tids_set_identities(&host->states.tids, schedules->threads, index);
		host->states.tids.watch = schedules->watch;
		host->states.tids.watch.host = index;
		host->states.range = schedules->range;
		if (schedules->limits && schedules->limits->has_begin && schedules->range == THREAD_RANGE_OPEN) {
			host->states.range_begin_ns = schedules->limits->begin_ns;
		}
	}
	return *slot;
}

/* NULL: no event of a kernel so far, and none that may come. */
static struct schedule_stream *find_stream(const struct host_schedules *schedules, uint16_t index)
{
	return slot_get(schedules->streams, index);
}

static struct schedule_stream *add_stream(struct host_schedules *schedules, uint16_t index)
{
	struct schedule_stream *stream = arena_take(recording_arena(schedules->recording), sizeof(*stream));
	uint32_t trace = recording_stream_trace(schedules->recording, index);

	*slot_at(schedules->streams, index) = stream;
	stream->host = find_or_add_host(schedules, recording_trace(schedules->recording, trace)->host);
	stream->index = index;
	return stream;
}

bool host_schedules_look(struct host_schedules *schedules)
{
	size_t count = recording_stream_count(schedules->recording);

	schedules->has_expected = true;
	for (size_t i = 0; i < count && i < RECORDING_STREAM_MAX; i++) {
		if (recording_stream_packets(schedules->recording, (uint16_t)i)->has_switches &&
		    !find_stream(schedules, (uint16_t)i)) {
			schedule_stream_expect(add_stream(schedules, (uint16_t)i));
		}
	}
	return schedules->hosts->len > 0;
}

/* --- the range --- */

static void set_end(struct host_schedules *schedules)
{
	schedules->range = THREAD_RANGE_OPEN;
	schedules->next_limit_ns = schedules->limits->has_end ? schedules->limits->end_ns + 1 : INT64_MAX;
}

void host_schedules_set_range(struct host_schedules *schedules, const struct time_range *limits, bool is_known)
{
	schedules->limits = limits;
	if (limits->has_begin) {
		schedules->range = THREAD_RANGE_AWAITED;
		schedules->next_limit_ns = limits->begin_ns;
	} else {
		set_end(schedules);
	}
	schedules->next_limit_ns = is_known ? schedules->next_limit_ns : INT64_MAX;
}

static void begin_range(const struct host_schedules *schedules)
{
	for (guint i = 0; i < schedules->hosts->len; i++) {
		struct schedule_host *host = schedules->hosts->pdata[i];

		if (host) {
			thread_states_begin_range(&host->states, schedules->limits->begin_ns);
		}
	}
}

static void end_range(const struct host_schedules *schedules)
{
	for (guint i = 0; i < schedules->hosts->len; i++) {
		struct schedule_host *host = schedules->hosts->pdata[i];

		if (host) {
			thread_states_end_range(&host->states, schedules->limits->end_ns);
		}
	}
}

/* Begins or ends the range at an event that has reached the next limit. */
static void pass_limits(struct host_schedules *schedules, int64_t time_ns)
{
	if (schedules->range == THREAD_RANGE_AWAITED) {
		begin_range(schedules);
		set_end(schedules);
	}
	if (time_ns >= schedules->next_limit_ns) {
		end_range(schedules);
		schedules->range = THREAD_RANGE_OVER;
		schedules->next_limit_ns = INT64_MAX;
	}
}

/* --- events --- */

static int32_t tid_of(const struct event_record *record, unsigned int slot)
{
	return (int32_t)record->word[slot];
}

static void feed_switch(struct schedule_stream *stream, const struct event_record *record)
{
	schedule_stream_note_moves(stream);
	if (G_UNLIKELY(stream->is_doubtful)) {
		thread_losses_be_certain(&stream->host->states, stream->cpu,
					 MAX(record->time_ns, stream->host->states.now_ns));
	}
	thread_states_switch(&stream->host->states, stream->cpu, record->time_ns,
			     &(struct thread_switch){
				     .prev_tid = tid_of(record, SCHED_SWITCH__prev_tid),
				     .next_tid = tid_of(record, SCHED_SWITCH__next_tid),
				     .prev_name = record_string(record, SCHED_SWITCH__prev_comm),
				     .next_name = record_string(record, SCHED_SWITCH__next_comm),
				     .prev_state = (int64_t)record->word[SCHED_SWITCH__prev_state],
			     });
}

_Static_assert((int)SCHED_WAKING__tid == (int)SCHED_WAKEUP__tid &&
		       (int)SCHED_WAKING__tid == (int)SCHED_WAKEUP_NEW__tid &&
		       (int)SCHED_WAKING__comm == (int)SCHED_WAKEUP__comm &&
		       (int)SCHED_WAKING__comm == (int)SCHED_WAKEUP_NEW__comm,
	       "one function reads them");

static void feed_wakeup(struct schedule_stream *stream, const struct event_record *record)
{
	bool is_in_vain = record->kind == EVENT_SCHED_WAKEUP && record_has(record, SCHED_WAKEUP__success) &&
			  record->word[SCHED_WAKEUP__success] == 0;
	int32_t tid = tid_of(record, SCHED_WAKEUP__tid);
	const char *name = record_string(record, SCHED_WAKEUP__comm);

	schedule_stream_note_moves(stream);
	if (record->kind == EVENT_SCHED_WAKEUP_NEW) {
		thread_states_begin_thread(&stream->host->states, stream->cpu, record->time_ns, tid, name);
	} else if (!is_in_vain) {
		thread_states_wake(&stream->host->states, stream->cpu, record->time_ns, tid, name);
	} else {
		thread_tids_meet(&stream->host->states.tids, tid);
	}
}

/* Whether it is the sched_wakeup of the sched_waking before it, which has done all that it could do. */
static bool is_of_waking(const struct host_schedules *schedules, const struct event_record *record)
{
	const struct last_waking *waking = &schedules->waking;

	return record->kind == EVENT_SCHED_WAKEUP && !record_has(record, SCHED_WAKEUP__success) &&
	       record->stream == waking->stream && tid_of(record, SCHED_WAKEUP__tid) == waking->tid &&
	       record_string(record, SCHED_WAKEUP__comm) == waking->name;
}

static void note_waking(struct host_schedules *schedules, const struct event_record *record)
{
	schedules->waking.name = NULL;
	if (record->kind == EVENT_SCHED_WAKING && record_has(record, SCHED_WAKING__tid)) {
		schedules->waking = (struct last_waking){
			.name = record_string(record, SCHED_WAKING__comm),
			.tid = tid_of(record, SCHED_WAKING__tid),
			.stream = record->stream,
		};
	}
}

static void feed_call(struct schedule_stream *stream, const struct event_record *record)
{
	const struct kernel_call call = {
		.time_ns = record->time_ns,
		.name = record->kind == EVENT_SYSCALL_ENTRY ? record_string(record, SYSCALL_ENTRY__call) : NULL,
	};

	thread_states_pass_calls(&stream->host->states, stream->cpu, &call, 1);
}

/* The stream of the first event of a kernel in it. */
static struct schedule_stream *begin_stream(struct host_schedules *schedules, uint16_t index)
{
	struct schedule_stream *stream;

	(void)host_schedules_has_any(schedules);
	stream = find_stream(schedules, index);
	stream = stream ? stream : add_stream(schedules, index);
	schedule_stream_begin(stream);
	return stream;
}

static void feed_kernel(struct host_schedules *schedules, const struct event_record *record)
{
	struct schedule_stream *stream = find_stream(schedules, record->stream);

	if (G_UNLIKELY(record->time_ns >= schedules->next_limit_ns)) {
		pass_limits(schedules, record->time_ns);
	}
	if (G_UNLIKELY(!stream || !stream->has_begun)) {
		stream = begin_stream(schedules, record->stream);
	}
	schedule_host_advance(stream->host, record->time_ns);
	if (G_UNLIKELY(stream->is_dark || stream->host->states.is_off)) {
		schedule_stream_go_on(stream, record->time_ns);
	}
	if (schedules->waking.name && is_of_waking(schedules, record)) {
		thread_states_pass(&stream->host->states, stream->cpu, record->time_ns);
		schedules->waking.name = NULL;
		return;
	}
	note_waking(schedules, record);
	switch ((int)record->kind) {
	case EVENT_SCHED_SWITCH:
		feed_switch(stream, record);
		kernel_threads_learn(schedules->threads, stream->host->states.tids.host,
				     tid_of(record, SCHED_SWITCH__prev_tid), record);
		return;
	case EVENT_SCHED_WAKING:
	case EVENT_SCHED_WAKEUP:
	case EVENT_SCHED_WAKEUP_NEW:
		feed_wakeup(stream, record);
		return;
	case EVENT_SCHED_PROCESS_FORK:
		thread_states_fork(&stream->host->states, stream->cpu, record->time_ns,
				   tid_of(record, SCHED_PROCESS_FORK__child_tid),
				   record_string(record, SCHED_PROCESS_FORK__child_comm));
		break;
	case EVENT_SCHED_PROCESS_EXEC:
		thread_states_exec(&stream->host->states, stream->cpu, record->time_ns,
				   tid_of(record, SCHED_PROCESS_EXEC__tid),
				   tid_of(record, SCHED_PROCESS_EXEC__old_tid));
		break;
	case EVENT_SCHED_PROCESS_EXIT:
		thread_states_end_thread(&stream->host->states, stream->cpu, record->time_ns,
					 tid_of(record, SCHED_PROCESS_EXIT__tid));
		break;
	case EVENT_IRQ_HANDLER_ENTRY:
	case EVENT_IRQ_SOFTIRQ_ENTRY:
		thread_states_enter_irq(&stream->host->states, stream->cpu, record->time_ns);
		return;
	case EVENT_IRQ_HANDLER_EXIT:
	case EVENT_IRQ_SOFTIRQ_EXIT:
		thread_states_leave_irq(&stream->host->states, stream->cpu, record->time_ns);
		return;
	case EVENT_SYSCALL_ENTRY:
	case EVENT_SYSCALL_EXIT:
		feed_call(stream, record);
		return;
	default:
		break;
	}
	kernel_threads_feed(schedules->threads, record);
}

/* Whether none of those events begins or ends something else: a stream, a loss, the range. */
static bool are_plain(const struct host_schedules *schedules, const struct schedule_stream *stream, int64_t last_ns)
{
	return stream && stream->has_begun && !stream->is_dark && !stream->host->states.is_off &&
	       last_ns < schedules->next_limit_ns && last_ns <= stream->host->states.now_ns + HOST_STREAMS_SILENCE_NS;
}

static G_GNUC_NO_INLINE void feed_each_call(struct host_schedules *schedules, const struct event_record *record)
{
	for (size_t i = 0; i < record->word[RECORD__count]; i++) {
		struct event_record call = record_call(record, &record_calls(record)[i]);

		feed_kernel(schedules, &call);
	}
}

static void feed_calls(struct host_schedules *schedules, const struct event_record *record)
{
	struct schedule_stream *stream = find_stream(schedules, record->stream);
	const struct kernel_call *calls = record_calls(record);
	size_t count = record->word[RECORD__count];

	if (G_LIKELY(are_plain(schedules, stream, calls[count - 1].time_ns))) {
		thread_states_pass_calls(&stream->host->states, stream->cpu, calls, count);
	} else {
		feed_each_call(schedules, record);
	}
}

/* A loss, a gap, or the end of a stream. */
static void feed_loss(struct host_schedules *schedules, const struct event_record *record)
{
	struct schedule_stream *stream;

	schedules->waking.name = NULL;
	stream = host_schedules_has_any(schedules) ? find_stream(schedules, record->stream) : NULL;
	if (stream) {
		schedule_stream_feed_loss(stream, record);
	}
}

void host_schedules_feed(struct host_schedules *schedules, const struct event_record *record)
{
	if (record->kind < EVENT_KIND_COUNT) {
		feed_kernel(schedules, record);
	} else if (record->kind == RECORD_CALLS) {
		feed_calls(schedules, record);
	} else if (record->kind != RECORD_POLLS) {
		feed_loss(schedules, record);
	}
}

/* --- questions --- */

struct thread_states *host_schedules_states(const struct host_schedules *schedules, uint32_t host)
{
	struct schedule_host *found = slot_get(schedules->hosts, host);

	return found ? &found->states : NULL;
}

struct scheduled_cpu *host_schedules_see(struct host_schedules *schedules, uint32_t host, uint16_t stream,
					 int64_t time_ns)
{
	struct schedule_host *owner = schedules->hosts->pdata[host];
	uint32_t number = recording_stream_cpu(schedules->recording, stream);
	struct scheduled_cpu *cpu = number == RECORDING_NONE ? NULL : thread_states_cpu(&owner->states, number);

	schedules->waking.name = NULL;
	schedule_host_advance(owner, time_ns);
	if (cpu) {
		schedule_host_note_program(owner, cpu, number);
	}
	return cpu;
}

void host_schedules_diagnose(const struct host_schedules *schedules, struct diagnostics *findings)
{
	for (guint i = 0; i < schedules->hosts->len; i++) {
		if (schedules->hosts->pdata[i]) {
			schedule_host_diagnose(schedules->hosts->pdata[i], findings);
		}
	}
}
