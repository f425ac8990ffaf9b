/* SPDX-License-Identifier: MIT */
#include "core/model/execution_schedules.h"

#include <glib.h>

#include "core/base/object_pool.h"
#include "core/base/slots.h"

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
	uint32_t depth;		 /* of open executions, those that are over included */
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
	struct host_schedules hosts;
	GArray *executing; /* struct executing_thread by thread index */
	struct object_pool frames;
	bool has_last;
	struct execution_schedule last;
	struct frame *last_frame; /* of the execution that ended last, until another one ends; NULL: it has none */
	GPtrArray *kept; /* struct kept_schedules *, in the arena, by the model's index of the callback; NULL: off */
};

/* --- executions --- */

static struct executing_thread *executing_at(struct execution_schedules *schedules, uint32_t thread)
{
	return array_at(schedules->executing, struct executing_thread, thread);
}

static uint32_t host_of(const struct execution_schedules *schedules, uint32_t thread)
{
	uint32_t process = recording_thread(schedules->recording, thread)->process;

	return recording_process(schedules->recording, process)->host;
}

/* A thread recorded an event in a stream of its program. */
static void see(struct execution_schedules *schedules, struct thread_states *states, struct scheduled_thread *thread,
		uint16_t stream, int64_t time_ns)
{
	thread_states_see(states, thread, host_schedules_see(&schedules->hosts, states->tids.host, stream, time_ns),
			  time_ns);
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
	uint32_t index = kernel_threads_of_user(schedules->hosts.threads, execution->thread);
	struct frame *frame;

	if (index == KERNEL_THREAD_NONE) {
		return;
	}
	frame = object_pool_take_unset(&schedules->frames);
	frame->execution = execution;
	frame->thread = thread_states_thread(states, kernel_thread_at(schedules->hosts.threads, index)->tid);
	frame->outer = executing->innermost;
	executing->innermost = frame;
	see(schedules, states, frame->thread, execution->stream, execution->start_ns);
	if (!execution->is_inner) {
		note_wakeup(executing, frame->thread);
	}
	scheduled_thread_open_span(frame->thread, &frame->span, execution->start_ns);
}

static void started(void *data, struct execution *execution)
{
	struct execution_schedules *schedules = data;
	struct thread_states *states;
	struct executing_thread *executing;

	if (G_LIKELY(!host_schedules_has_any(&schedules->hosts))) {
		return;
	}
	states = host_schedules_states(&schedules->hosts, host_of(schedules, execution->thread));
	executing = executing_at(schedules, execution->thread);
	if (states && states->has_begun) {
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
	gpointer *slot = slot_at(schedules->kept, callback->index);
	struct kept_schedules *kept =
		*slot ? *slot : (*slot = arena_take(recording_arena(schedules->recording), sizeof(*kept)));

	kept->list[kept->count++ % EXECUTION_SCHEDULES_KEPT] = schedules->last;
}

/* `frame`: NULL if the thread is not known. */
static void complete(struct execution_schedules *schedules, const struct executing_thread *executing,
		     struct thread_states *states, struct frame *frame, const struct execution *execution)
{
	struct execution_schedule *last = &schedules->last;

	*last = (struct execution_schedule){
		.start_ns = execution->start_ns,
		.end_ns = execution->end_ns,
		.is_before_kernel = !states->has_begun || execution->start_ns < states->begin_ns,
	};
	if (frame) {
		see(schedules, states, frame->thread, execution->end_stream, execution->end_ns);
		scheduled_thread_close_span(frame->thread, &frame->span, execution->end_ns);
		last->account = frame->span.account;
		last->preempted_by = longest(&frame->span.preempted_by);
		last->blocked_in = longest(&frame->span.blocked_in);
		last->call = longest(&frame->span.calls);
		last->call_count = frame->span.call_count;
		last->call_ns = frame->span.call_ns;
		last->wakeup = executing->wakeup;
		last->wakeup.is_fresh &= !execution->is_inner;
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
	if (schedules->last_frame) {
		object_pool_give(&schedules->frames, schedules->last_frame);
		schedules->last_frame = NULL;
	}
	if (G_LIKELY(!host_schedules_has_any(&schedules->hosts))) {
		return;
	}
	states = host_schedules_states(&schedules->hosts, host_of(schedules, execution->thread));
	executing = executing_at(schedules, execution->thread);
	frame = outcome == EXECUTION_WITHOUT_START ? NULL : take_frame(executing, execution);
	if (states && (outcome == EXECUTION_COMPLETE || outcome == EXECUTION_DOUBTFUL)) {
		complete(schedules, executing, states, frame, execution);
	} else if (frame) {
		scheduled_thread_close_span(frame->thread, &frame->span, frame->span.start_ns);
	}
	schedules->last_frame = frame;
	executing->depth -= outcome != EXECUTION_WITHOUT_START && executing->depth > 0;
	if ((executing->depth == 0 || (frame && !execution->is_inner)) && outcome != EXECUTION_WITHOUT_END) {
		executing->has_end = true;
		executing->last_end_ns = execution->end_ns;
	}
}

/* --- feeding --- */

void execution_schedules_add_interest(struct event_interest *interest)
{
	host_schedules_add_interest(interest);
}

void execution_schedules_set_range(struct execution_schedules *schedules, const struct time_range *limits,
				   bool is_known)
{
	host_schedules_set_range(&schedules->hosts, limits, is_known);
}

void execution_schedules_watch(struct execution_schedules *schedules, const struct thread_watch *watch)
{
	host_schedules_watch(&schedules->hosts, watch);
}

void execution_schedules_feed(struct execution_schedules *schedules, const struct event_record *record)
{
	host_schedules_feed(&schedules->hosts, record);
}

/* --- life --- */

struct execution_schedules *execution_schedules_create(struct recording *recording, struct executions *executions)
{
	struct execution_schedules *schedules = g_new0(struct execution_schedules, 1);

	schedules->recording = recording;
	host_schedules_init(&schedules->hosts, recording);
	schedules->executing = g_array_new(FALSE, TRUE, sizeof(struct executing_thread));
	object_pool_init(&schedules->frames, sizeof(struct frame));
	executions_add_listener(executions, &(struct executions_listener){
						    .data = schedules,
						    .only_with = host_schedules_kinds,
						    .started = started,
						    .ended = ended,
					    });
	return schedules;
}

void execution_schedules_destroy(struct execution_schedules *schedules)
{
	if (schedules) {
		host_schedules_clear(&schedules->hosts);
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
	static const struct thread_span nothing;

	if (span) {
		*span = schedules->last_frame ? &schedules->last_frame->span : &nothing;
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
	return host_schedules_states(&schedules->hosts, host);
}

void execution_schedules_diagnose(const struct execution_schedules *schedules, struct diagnostics *findings)
{
	host_schedules_diagnose(&schedules->hosts, findings);
}

const struct kernel_threads *execution_schedules_threads(const struct execution_schedules *schedules)
{
	return schedules->hosts.threads;
}
