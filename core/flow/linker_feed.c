/* SPDX-License-Identifier: MIT */
#include "core/base/slots.h"
#include "core/flow/agnocast.h"
#include "core/flow/breaks.h"
#include "core/flow/doubtful_origins.h"
#include "core/flow/endpoints.h"
#include "core/flow/inferred_stamps.h"
#include "core/flow/intra.h"
#include "core/flow/kept_messages.h"
#include "core/flow/latched.h"
#include "core/flow/polled_takes.h"
#include "core/flow/provenance.h"
#include "core/flow/publish.h"
#include "core/flow/service.h"
#include "core/flow/settle.h"
#include "core/flow/take.h"
#include "core/flow/take_links.h"
#include "core/untaken/untaken_matcher.h"

/* --- what each event means to its thread and process --- */

static void note_runtime(struct flow_linker *linker, struct flow_process *process)
{
	if (G_UNLIKELY(!process->recorded.is_recorded)) {
		flow_breaks_begin_runtime(linker, process);
	}
	process->recorded.last_ns = linker->now_ns;
}

static void forget_thread(struct flow_linker *linker, struct flow_thread *thread)
{
	thread->is_cut = true;
	flow_breaks_cut(linker, thread);
	flow_publish_forget(linker, thread);
	flow_take_drop(linker, thread);
}

void flow_linker_pause(struct flow_linker *linker)
{
	untaken_matcher_forget(linker->untaken, linker->now_ns);
	for (guint i = 0; i < linker->threads->len; i++) {
		if (linker->threads->pdata[i]) {
			forget_thread(linker, linker->threads->pdata[i]);
		}
	}
	for (guint i = 0; i < linker->processes->len; i++) {
		struct flow_process *process = g_ptr_array_index(linker->processes, i);

		if (process && process->recorded.has_run) {
			flow_breaks_pause(process);
			flow_intra_forget(linker, process);
		}
	}
}

/* Events of the trace may be missing: no thread of it continues what it had begun. */
static G_GNUC_NO_INLINE void forget_threads(struct flow_linker *linker, uint16_t stream)
{
	uint32_t trace = recording_stream_trace(linker->recording, stream);

	untaken_matcher_forget(linker->untaken, linker->now_ns);
	for (guint i = 0; i < linker->threads->len; i++) {
		struct flow_thread *thread = g_ptr_array_index(linker->threads, i);

		if (thread && recording_thread(linker->recording, thread->index)->trace == trace) {
			forget_thread(linker, thread);
		}
	}
}

static inline void end_callback(struct flow_linker *linker, struct flow_thread *thread)
{
	flow_breaks_callback_seen(thread);
	thread->is_executing = false;
	thread->is_cut = false;
	/* A message taken in this callback is not for the next one. */
	flow_take_drop(linker, thread);
}

/* on_started() follows. */
static inline void start_callback(struct flow_thread *thread)
{
	flow_breaks_callback_seen(thread);
	thread->is_executing = false;
	if (thread->pending.publication) {
		latched_prefetch_at_start(thread->pending.publication);
	}
}

static G_GNUC_NO_INLINE void feed_other(struct flow_linker *linker, struct flow_thread *thread,
					const struct event_record *record)
{
	switch (record->kind) {
	case EVENT_RCLCPP_PUBLISH:
	case EVENT_RCL_PUBLISH:
	case EVENT_RMW_PUBLISH:
	case EVENT_RCLCPP_INTRA_PUBLISH:
	case EVENT_DDS_WRITE:
	case EVENT_DDS_BIND_ADDR_TO_STAMP:
	case EVENT_DDS_BIND_ADDR_TO_ADDR:
		flow_publish_feed(linker, thread, record);
		break;
	case EVENT_RMW_TAKE:
	case EVENT_RMW_PAYLOAD:
	case EVENT_RCL_TAKE:
	case EVENT_RCLCPP_TAKE:
	case EVENT_DISPATCH_SUBSCRIPTION_CALLBACK:
		flow_take_feed(linker, thread, record);
		break;
	case EVENT_RCLCPP_RING_BUFFER_ENQUEUE:
	case EVENT_RCLCPP_RING_BUFFER_DEQUEUE:
	case EVENT_RCLCPP_RING_BUFFER_CLEAR:
	case EVENT_MESSAGE_CONSTRUCT:
	case EVENT_DISPATCH_INTRA_PROCESS_SUBSCRIPTION_CALLBACK:
		flow_intra_feed(linker, thread, record);
		break;
	case EVENT_RMW_SEND_REQUEST:
	case EVENT_RMW_TAKE_REQUEST:
	case EVENT_RMW_SEND_RESPONSE:
	case EVENT_RMW_TAKE_RESPONSE:
		flow_service_feed(linker, thread, record);
		break;
	case EVENT_RCLCPP_EXECUTOR_EXECUTE:
		flow_settle_close_open(linker, thread);
		flow_take_drop(linker, thread);
		thread->has_executed = true;
		thread->is_executing = true;
		break;
	default:
		flow_agnocast_feed(linker, thread, record);
		break;
	}
}

/* Most events are starts and ends of callbacks, to which little is to be done. */
static inline void feed_event(struct flow_linker *linker, struct flow_thread *thread, const struct event_record *record)
{
	if (record->kind == EVENT_CALLBACK_START) {
		start_callback(thread);
	} else if (record->kind == EVENT_CALLBACK_END) {
		end_callback(linker, thread);
	} else {
		feed_other(linker, thread, record);
	}
}

/* A definition, or the restart of CARET. */
static G_GNUC_NO_INLINE void feed_definition(struct flow_linker *linker, const struct event_record *record)
{
	switch (record->kind) {
	case EVENT_RCL_INIT:
	case EVENT_RCL_NODE_INIT:
	case EVENT_RCL_PUBLISHER_INIT:
	case EVENT_AGNOCAST_NODE_INIT:
		flow_thread(linker, record->thread)->process->has_rcl = true;
		break;
	case EVENT_RCL_SUBSCRIPTION_INIT:
	case EVENT_AGNOCAST_SUBSCRIPTION_INIT:
		flow_subscriptions_changed(linker);
		break;
	case EVENT_RCL_TIMER_INIT:
		if (linker->provenance) {
			provenance_add_timer(linker->provenance, flow_thread(linker, record->thread)->process_index,
					     record_since_ns(record), (int64_t)record->word[RCL_TIMER_INIT__period]);
		}
		break;
	case EVENT_MESSAGE_LINK_PERIODIC_ASYNC:
	case EVENT_MESSAGE_LINK_PARTIAL_SYNC:
		kept_messages_feed(linker, record);
		break;
	case EVENT_CARET_INIT:
		flow_breaks_begin_phase(linker, flow_thread(linker, record->thread)->process);
		break;
	default:
		break;
	}
}

static G_GNUC_NO_INLINE void end_waits(struct flow_linker *linker)
{
	doubtful_origins_expire(linker);
	flow_settle_decided(linker);
	untaken_matcher_expire(linker->untaken, linker->now_ns);
	flow_settle_aged(linker);
	linker->aged_due_ns = MIN(linker->aged_due_ns, doubtful_origins_due_ns(linker));
	linker->aged_due_ns = MIN(linker->aged_due_ns, untaken_matcher_due_ns(linker->untaken));
}

static inline void feed_runtime(struct flow_linker *linker, const struct event_record *record)
{
	struct flow_thread *thread;

	linker->now_ns = record->time_ns;
	thread = flow_thread(linker, record->thread);
	note_runtime(linker, thread->process);
	if (G_UNLIKELY(executions_is_after_loss(linker->executions))) {
		forget_thread(linker, thread);
	}
	if (thread->is_writing) {
		inferred_stamps_end_write(linker, thread, record->time_ns);
	}
	if (linker->now_ns >= linker->infer_due_ns) {
		take_links_infer_due(linker);
	}
	if (linker->waiting_first) {
		take_links_expire(linker);
	}
	if (linker->now_ns >= linker->aged_due_ns) {
		end_waits(linker);
	}
	feed_event(linker, thread, record);
}

static G_GNUC_NO_INLINE void feed_any(struct flow_linker *linker, const struct event_record *record)
{
	if (linker->note) {
		flow_note_release(linker, linker->note);
		linker->note = NULL;
	}
	if (G_UNLIKELY(record->kind >= EVENT_KIND_COUNT)) {
		if (record->kind != RECORD_STREAM_END) {
			linker->now_ns = record->time_ns;
			forget_threads(linker, record->stream);
		}
	} else if (G_LIKELY(event_class_of(record->kind) == EVENT_CLASS_RUNTIME)) {
		feed_runtime(linker, record);
	} else {
		feed_definition(linker, record);
	}
	linker->calm_until_ns =
		linker->waiting_first || linker->note ? INT64_MIN : MIN(linker->infer_due_ns, linker->aged_due_ns);
}

/* Unless events may be missing: whether a runtime event of the thread does nothing but what its kind is about. */
static inline bool is_calm(const struct flow_linker *linker, const struct flow_thread *thread, int64_t now_ns)
{
	return now_ns < linker->calm_until_ns && thread->process->recorded.is_recorded && !thread->is_writing;
}

bool flow_linker_feed_callback(struct flow_linker *linker, const struct event_record *record)
{
	struct flow_thread *thread = slot_get(linker->threads, record->thread);

	if (!thread || thread->pending.is_set || !is_calm(linker, thread, record->time_ns)) {
		return false;
	}
	linker->now_ns = thread->process->recorded.last_ns = record->time_ns;
	flow_breaks_callback_seen(thread);
	thread->is_executing = false;
	thread->is_cut &= record->kind == EVENT_CALLBACK_START;
	return true;
}

void flow_linker_feed(struct flow_linker *linker, const struct event_record *record)
{
	if (G_LIKELY(record->kind < EVENT_KIND_COUNT && event_class_of(record->kind) == EVENT_CLASS_RUNTIME)) {
		struct flow_thread *thread = slot_get(linker->threads, record->thread);

		if (G_LIKELY(thread && is_calm(linker, thread, record->time_ns) &&
			     !executions_is_after_loss(linker->executions))) {
			linker->now_ns = thread->process->recorded.last_ns = record->time_ns;
			feed_event(linker, thread, record);
			return;
		}
	}
	feed_any(linker, record);
}
