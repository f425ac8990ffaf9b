/* SPDX-License-Identifier: MIT */
#include "core/model/execution_schedules.h"

#include <glib.h>

#include "core/base/object_pool.h"

/* The kernel's events of one host. */
struct schedule_host {
	struct thread_states states;
	uint32_t open_streams; /* that have events which move threads */
};

struct schedule_stream {
	struct schedule_host *host; /* NULL: no event of the kernel so far */
	struct scheduled_cpu *cpu;
	bool moves_threads;
};

/* An open execution. */
struct frame {
	struct thread_span span;
	const struct execution *execution; /* borrowed until it ends */
	struct scheduled_thread *thread;
	struct frame *outer;
};

/* A thread of user space. */
struct executing_thread {
	struct frame *innermost; /* NULL: no execution is open, or its thread is not known */
	uint32_t depth;		 /* of open executions */
	bool has_end;
	int64_t last_end_ns; /* of an outermost execution */
	struct thread_wakeup wakeup;
};

struct kept_schedules {
	uint64_t count;
	struct execution_schedule list[EXECUTION_SCHEDULES_KEPT]; /* a ring */
};

struct execution_schedules {
	struct recording *recording; /* borrowed */
	struct kernel_threads *threads;
	const struct time_range *limits; /* borrowed; NULL: none */
	enum thread_range range;
	int64_t next_limit_ns; /* at which the range begins or is over; INT64_MAX: there is none, or it is not known */
	GPtrArray *hosts;      /* struct schedule_host *, owned, by index of the host; NULL: no event of its kernel */
	GArray *streams;       /* struct schedule_stream by index */
	GArray *executing;     /* struct executing_thread by thread index */
	struct object_pool frames;
	bool has_last;
	struct execution_schedule last;
	struct thread_span last_span;
	GPtrArray *kept; /* struct kept_schedules *, in the arena, by the model's index of the callback; NULL: off */
};

static const enum event_kind kinds[] = {
	EVENT_SCHED_SWITCH,
	EVENT_SCHED_WAKING,
	EVENT_SCHED_WAKEUP,
	EVENT_SCHED_WAKEUP_NEW,
	EVENT_SCHED_PROCESS_FORK,
	EVENT_SCHED_PROCESS_EXEC,
	EVENT_SCHED_PROCESS_EXIT,
	EVENT_STATEDUMP_PROCESS_STATE,
	EVENT_STATEDUMP_PROCESS_PID_NS,
	EVENT_IRQ_HANDLER_ENTRY,
	EVENT_IRQ_HANDLER_EXIT,
	EVENT_IRQ_SOFTIRQ_ENTRY,
	EVENT_IRQ_SOFTIRQ_EXIT,
	EVENT_SYSCALL_ENTRY,
	EVENT_SYSCALL_EXIT,
};

void execution_schedules_add_interest(struct event_interest *interest)
{
	for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++) {
		interest->wants[kinds[i]] = true;
	}
}

/* --- the kernel's events --- */

static struct schedule_host *host_at(const struct execution_schedules *schedules, uint32_t index)
{
	return index < schedules->hosts->len ? schedules->hosts->pdata[index] : NULL;
}

static struct schedule_host *find_or_add_host(struct execution_schedules *schedules, uint32_t index)
{
	if (index >= schedules->hosts->len) {
		g_ptr_array_set_size(schedules->hosts, (gint)index + 1);
	}
	if (!schedules->hosts->pdata[index]) {
		struct schedule_host *host = g_new0(struct schedule_host, 1);

		thread_states_init(&host->states, recording_arena(schedules->recording));
		host->states.range = schedules->range;
		if (schedules->limits && schedules->limits->has_begin && schedules->range == THREAD_RANGE_OPEN) {
			host->states.range_begin_ns = schedules->limits->begin_ns;
		}
		schedules->hosts->pdata[index] = host;
	}
	return schedules->hosts->pdata[index];
}

static struct schedule_stream *stream_at(struct execution_schedules *schedules, uint16_t index)
{
	if (G_UNLIKELY(index >= schedules->streams->len)) {
		g_array_set_size(schedules->streams, index + 1U);
	}
	return &g_array_index(schedules->streams, struct schedule_stream, index);
}

/* Streams whose packets do not name a CPU are of one each. */
#define CPU_OF_STREAM (UINT64_C(1) << 32)

static void begin_stream(struct execution_schedules *schedules, struct schedule_stream *stream, uint16_t index)
{
	uint32_t trace = recording_stream_trace(schedules->recording, index);
	uint32_t cpu = recording_stream_cpu(schedules->recording, index);

	stream->host = find_or_add_host(schedules, recording_trace(schedules->recording, trace)->host);
	stream->cpu = thread_states_cpu(&stream->host->states, cpu == RECORDING_NONE ? CPU_OF_STREAM | index : cpu);
}

static void note_moves(struct schedule_stream *stream)
{
	if (G_UNLIKELY(!stream->moves_threads)) {
		stream->moves_threads = true;
		stream->host->open_streams++;
	}
}

/* --- the range --- */

static void set_end(struct execution_schedules *schedules)
{
	schedules->range = THREAD_RANGE_OPEN;
	schedules->next_limit_ns = schedules->limits->has_end ? schedules->limits->end_ns + 1 : INT64_MAX;
}

void execution_schedules_set_range(struct execution_schedules *schedules, const struct time_range *limits,
				   bool is_known)
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

static void begin_range(const struct execution_schedules *schedules)
{
	for (guint i = 0; i < schedules->hosts->len; i++) {
		struct schedule_host *host = schedules->hosts->pdata[i];

		if (host) {
			thread_states_begin_range(&host->states, schedules->limits->begin_ns);
		}
	}
}

static void end_range(const struct execution_schedules *schedules)
{
	for (guint i = 0; i < schedules->hosts->len; i++) {
		struct schedule_host *host = schedules->hosts->pdata[i];

		if (host) {
			thread_states_end_range(&host->states, schedules->limits->end_ns);
		}
	}
}

/* An event of this time is not before the next limit. */
static void pass_limits(struct execution_schedules *schedules, int64_t time_ns)
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

/* --- feeding --- */

static int32_t tid_of(const struct event_record *record, unsigned int slot)
{
	return (int32_t)record->word[slot];
}

static void feed_switch(struct schedule_stream *stream, const struct event_record *record)
{
	note_moves(stream);
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

	note_moves(stream);
	if (record->kind == EVENT_SCHED_WAKEUP_NEW) {
		thread_states_begin_thread(&stream->host->states, stream->cpu, record->time_ns, tid, name);
	} else if (!is_in_vain) {
		thread_states_wake(&stream->host->states, stream->cpu, record->time_ns, tid, name);
	}
}

static void feed_kernel(struct execution_schedules *schedules, const struct event_record *record)
{
	struct schedule_stream *stream = stream_at(schedules, record->stream);

	if (G_UNLIKELY(record->time_ns >= schedules->next_limit_ns)) {
		pass_limits(schedules, record->time_ns);
	}
	if (G_UNLIKELY(!stream->host)) {
		begin_stream(schedules, stream, record->stream);
	}
	switch ((int)record->kind) {
	case EVENT_SCHED_SWITCH:
		feed_switch(stream, record);
		break;
	case EVENT_SCHED_WAKING:
	case EVENT_SCHED_WAKEUP:
	case EVENT_SCHED_WAKEUP_NEW:
		feed_wakeup(stream, record);
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
		thread_states_enter_call(&stream->host->states, stream->cpu, record->time_ns,
					 record_string(record, SYSCALL_ENTRY__call));
		return;
	case EVENT_SYSCALL_EXIT:
		thread_states_leave_call(&stream->host->states, stream->cpu, record->time_ns);
		return;
	default:
		break;
	}
	kernel_threads_feed(schedules->threads, record);
}

/* What was lost of a stream, and its end. Without packets a loss is not followed by a RECORD_GAP. */
static void feed_loss(struct execution_schedules *schedules, const struct event_record *record)
{
	struct schedule_stream *stream = stream_at(schedules, record->stream);

	kernel_threads_feed(schedules->threads, record);
	if (!stream->host || !stream->moves_threads) {
		return;
	}
	if (record->kind == RECORD_STREAM_END) {
		stream->moves_threads = false;
		if (--stream->host->open_streams == 0) {
			thread_states_end(&stream->host->states);
		}
	} else if (record->kind == RECORD_GAP || !recording_has_packets(schedules->recording)) {
		thread_states_lose(&stream->host->states, stream->cpu, record->time_ns);
	}
}

void execution_schedules_feed(struct execution_schedules *schedules, const struct event_record *record)
{
	if (record->kind < EVENT_KIND_COUNT) {
		feed_kernel(schedules, record);
	} else if (record->kind != RECORD_POLLS) {
		feed_loss(schedules, record);
	}
}

/* --- executions --- */

static struct executing_thread *executing_at(struct execution_schedules *schedules, uint32_t thread)
{
	if (G_UNLIKELY(thread >= schedules->executing->len)) {
		g_array_set_size(schedules->executing, thread + 1);
	}
	return &g_array_index(schedules->executing, struct executing_thread, thread);
}

/* NULL: no events of the kernel of its host so far. */
static struct thread_states *states_of(const struct execution_schedules *schedules, uint32_t thread)
{
	uint32_t process = recording_thread(schedules->recording, thread)->process;
	struct schedule_host *host = host_at(schedules, recording_process(schedules->recording, process)->host);

	return host && host->states.has_begun ? &host->states : NULL;
}

static struct scheduled_cpu *cpu_of(const struct execution_schedules *schedules, struct thread_states *states,
				    uint16_t stream)
{
	uint32_t cpu = recording_stream_cpu(schedules->recording, stream);

	return cpu == RECORDING_NONE ? NULL : thread_states_cpu(states, cpu);
}

static void note_wakeup(struct executing_thread *executing, const struct scheduled_thread *thread)
{
	executing->wakeup.is_fresh =
		thread->has_wakeup && (!executing->has_end || thread->switch_in_ns > executing->last_end_ns);
	if (executing->wakeup.is_fresh) {
		executing->wakeup.is_known = true;
		executing->wakeup.blocked_since_ns = thread->blocked_since_ns;
		executing->wakeup.waking_ns = thread->waking_ns;
		executing->wakeup.switch_in_ns = thread->switch_in_ns;
	}
}

static void open_frame(struct execution_schedules *schedules, struct executing_thread *executing,
		       struct thread_states *states, const struct execution *execution)
{
	uint32_t index = kernel_threads_of_user(schedules->threads, execution->thread);
	struct frame *frame;

	if (index == KERNEL_THREAD_NONE) {
		return;
	}
	frame = object_pool_take(&schedules->frames);
	frame->execution = execution;
	frame->thread = thread_states_thread(states, kernel_thread_at(schedules->threads, index)->tid);
	frame->outer = executing->innermost;
	executing->innermost = frame;
	thread_states_see(states, frame->thread, cpu_of(schedules, states, execution->stream), execution->start_ns);
	if (executing->depth == 0) {
		note_wakeup(executing, frame->thread);
	}
	thread_states_open_span(frame->thread, &frame->span, execution->start_ns);
}

static void started(void *data, struct execution *execution)
{
	struct execution_schedules *schedules = data;
	struct thread_states *states;
	struct executing_thread *executing;

	if (G_LIKELY(schedules->hosts->len == 0)) {
		return;
	}
	states = states_of(schedules, execution->thread);
	executing = executing_at(schedules, execution->thread);
	if (states) {
		open_frame(schedules, executing, states, execution);
	}
	executing->depth++;
}

/* Takes the frame of an execution off its thread; NULL if it has none. */
static struct frame *take_frame(struct executing_thread *executing, const struct execution *execution)
{
	struct frame **place = &executing->innermost;
	struct frame *frame;

	while (*place && (*place)->execution != execution) {
		place = &(*place)->outer;
	}
	frame = *place;
	if (frame) {
		*place = frame->outer;
	}
	return frame;
}

static struct thread_cause longest(const struct thread_causes *causes)
{
	const struct thread_cause *cause = thread_causes_longest(causes);

	return cause ? *cause : (struct thread_cause){ 0 };
}

static void keep(struct execution_schedules *schedules, const struct model_callback *callback)
{
	struct kept_schedules *kept;

	if (callback->index >= schedules->kept->len) {
		g_ptr_array_set_size(schedules->kept, (gint)callback->index + 1);
	}
	kept = schedules->kept->pdata[callback->index];
	if (!kept) {
		kept = schedules->kept->pdata[callback->index] =
			arena_take(recording_arena(schedules->recording), sizeof(*kept));
	}
	kept->list[kept->count++ % EXECUTION_SCHEDULES_KEPT] = schedules->last;
}

/* `frame`: NULL if the thread is not known. */
static void complete(struct execution_schedules *schedules, const struct executing_thread *executing,
		     struct thread_states *states, struct frame *frame, const struct execution *execution)
{
	struct execution_schedule *last = &schedules->last;

	*last = (struct execution_schedule){ .start_ns = execution->start_ns, .end_ns = execution->end_ns };
	schedules->last_span = (struct thread_span){ .start_ns = execution->start_ns };
	if (frame) {
		thread_states_see(states, frame->thread, cpu_of(schedules, states, execution->end_stream),
				  execution->end_ns);
		thread_states_close_span(frame->thread, &frame->span, execution->end_ns);
		schedules->last_span = frame->span;
		last->account = frame->span.account;
		last->preempted_by = longest(&frame->span.preempted_by);
		last->blocked_in = longest(&frame->span.blocked_in);
		last->call = longest(&frame->span.calls);
		last->call_count = frame->span.call_count;
		last->call_ns = frame->span.call_ns;
		last->wakeup = executing->wakeup;
		last->wakeup.is_fresh &= executing->depth == 1;
	} else {
		last->account.time_ns[THREAD_UNKNOWN] = execution->end_ns - execution->start_ns;
	}
	schedules->has_last = true;
	if (schedules->kept) {
		keep(schedules, execution->callback);
	}
}

static void ended(void *data, struct execution *execution, enum execution_outcome outcome)
{
	struct execution_schedules *schedules = data;
	struct thread_states *states;
	struct executing_thread *executing;
	struct frame *frame;

	schedules->has_last = false;
	if (G_LIKELY(schedules->hosts->len == 0)) {
		return;
	}
	states = states_of(schedules, execution->thread);
	executing = executing_at(schedules, execution->thread);
	frame = outcome == EXECUTION_WITHOUT_START ? NULL : take_frame(executing, execution);
	if (states && (outcome == EXECUTION_COMPLETE || outcome == EXECUTION_DOUBTFUL)) {
		complete(schedules, executing, states, frame, execution);
	} else if (frame) {
		thread_states_close_span(frame->thread, &frame->span, frame->span.start_ns);
	}
	if (frame) {
		object_pool_give(&schedules->frames, frame);
	}
	executing->depth -= outcome != EXECUTION_WITHOUT_START && executing->depth > 0;
	if (executing->depth == 0 && outcome != EXECUTION_WITHOUT_END) {
		executing->has_end = true;
		executing->last_end_ns = execution->end_ns;
	}
}

/* --- life --- */

static void host_free(gpointer data)
{
	struct schedule_host *host = data;

	if (host) {
		thread_states_clear(&host->states);
		g_free(host);
	}
}

struct execution_schedules *execution_schedules_create(struct recording *recording, struct executions *executions)
{
	struct execution_schedules *schedules = g_new0(struct execution_schedules, 1);

	schedules->recording = recording;
	schedules->threads = kernel_threads_create(recording);
	schedules->next_limit_ns = INT64_MAX;
	schedules->hosts = g_ptr_array_new_with_free_func(host_free);
	schedules->streams = g_array_new(FALSE, TRUE, sizeof(struct schedule_stream));
	schedules->executing = g_array_new(FALSE, TRUE, sizeof(struct executing_thread));
	object_pool_init(&schedules->frames, sizeof(struct frame));
	executions_add_listener(executions, &(struct executions_listener){
						    .data = schedules,
						    .started = started,
						    .ended = ended,
					    });
	return schedules;
}

void execution_schedules_destroy(struct execution_schedules *schedules)
{
	if (schedules) {
		kernel_threads_destroy(schedules->threads);
		g_ptr_array_unref(schedules->hosts);
		g_array_unref(schedules->streams);
		g_array_unref(schedules->executing);
		object_pool_clear(&schedules->frames);
		if (schedules->kept) {
			g_ptr_array_unref(schedules->kept);
		}
		g_free(schedules);
	}
}

/* --- questions --- */

const struct execution_schedule *execution_schedules_ended(const struct execution_schedules *schedules,
							   const struct thread_span **span)
{
	if (span) {
		*span = &schedules->last_span;
	}
	return schedules->has_last ? &schedules->last : NULL;
}

void execution_schedules_keep(struct execution_schedules *schedules)
{
	if (!schedules->kept) {
		schedules->kept = g_ptr_array_new();
	}
}

const struct execution_schedule *execution_schedules_find(const struct execution_schedules *schedules,
							  const struct model_callback *callback, int64_t start_ns)
{
	const struct kept_schedules *kept = schedules->kept && callback->index < schedules->kept->len
						    ? schedules->kept->pdata[callback->index]
						    : NULL;

	for (uint64_t i = 0; kept && i < MIN(kept->count, EXECUTION_SCHEDULES_KEPT); i++) {
		const struct execution_schedule *schedule =
			&kept->list[(kept->count - 1 - i) % EXECUTION_SCHEDULES_KEPT];

		if (schedule->start_ns == start_ns) {
			return schedule;
		}
	}
	return NULL;
}

const struct thread_states *execution_schedules_host(const struct execution_schedules *schedules, uint32_t host)
{
	const struct schedule_host *found = host_at(schedules, host);

	return found ? &found->states : NULL;
}

const struct kernel_threads *execution_schedules_threads(const struct execution_schedules *schedules)
{
	return schedules->threads;
}
