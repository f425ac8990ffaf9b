/* SPDX-License-Identifier: MIT */
#include "core/base/slots.h"
#include "core/flow/agnocast.h"
#include "core/flow/breaks.h"
#include "core/flow/doubtful_origins.h"
#include "core/flow/endpoints.h"
#include "core/flow/inferred_stamps.h"
#include "core/flow/intra.h"
#include "core/flow/kept_messages.h"
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

static G_GNUC_NO_INLINE void end_waits(struct flow_linker *linker)
{
	doubtful_origins_expire(linker);
	flow_settle_decided(linker);
	untaken_matcher_expire(linker->untaken, linker->now_ns);
	flow_settle_aged(linker);
	linker->aged_due_ns = MIN(linker->aged_due_ns, doubtful_origins_due_ns(linker));
	linker->aged_due_ns = MIN(linker->aged_due_ns, untaken_matcher_due_ns(linker->untaken));
}

static void release_note(struct flow_linker *linker)
{
	if (linker->note) {
		flow_note_release(linker, linker->note);
		linker->note = NULL;
	}
}

/* What comes next may make something wait, and then calls flow_linker_wake(). */
static void note_waits(struct flow_linker *linker)
{
	linker->calm_until_ns =
		linker->waiting_first || linker->note ? INT64_MIN : MIN(linker->infer_due_ns, linker->aged_due_ns);
}

/* Before a runtime event that may concern more than what its kind is about. */
static G_GNUC_NO_INLINE struct flow_thread *end_what_waits(struct flow_linker *linker,
							   const struct event_record *record)
{
	struct flow_thread *thread;

	release_note(linker);
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
	note_waits(linker);
	return thread;
}

/* Whether a runtime event of the thread does nothing but what its kind is about. */
static inline bool is_calm(const struct flow_linker *linker, const struct flow_thread *thread, int64_t now_ns)
{
	return now_ns < linker->calm_until_ns && thread->process->recorded.is_recorded && !thread->is_writing;
}

/* Before what the kind of a runtime event is about; returns its thread. */
static inline struct flow_thread *begin_event(struct flow_linker *linker, const struct event_record *record)
{
	struct flow_thread *thread = slot_get(linker->threads, record->thread);

	if (G_UNLIKELY(!thread || !is_calm(linker, thread, record->time_ns))) {
		return end_what_waits(linker, record);
	}
	linker->now_ns = thread->process->recorded.last_ns = record->time_ns;
	return thread;
}

/* --- what each kind is about --- */

/* A taker of records (flow_linker_taker()) that calls `feed` with their thread. */
#define TAKER(name, feed)                                                                                              \
	static void name(void *data, const struct event_record *record)                                                \
	{                                                                                                              \
		feed(data, begin_event(data, record), record);                                                         \
	}

TAKER(publish_rclcpp, flow_publish_rclcpp)
TAKER(publish_rcl, flow_publish_rcl)
TAKER(publish_rmw, flow_publish_rmw)
TAKER(publish_intra, flow_publish_intra)
TAKER(write_dds, flow_publish_dds_write)
TAKER(bind_stamp, flow_publish_bind_stamp)
TAKER(bind_address, flow_publish_bind_address)
TAKER(take, flow_take_feed)
TAKER(pass_within_process, flow_intra_feed)
TAKER(serve, flow_service_feed)
TAKER(feed_other, flow_agnocast_feed)

/* on_started() follows. */
static void start_callback(void *data, const struct event_record *record)
{
	flow_breaks_callback_seen(begin_event(data, record));
}

static void end_callback(void *data, const struct event_record *record)
{
	struct flow_thread *thread = begin_event(data, record);

	flow_breaks_callback_seen(thread);
	thread->is_cut = false;
	/* A message taken in this callback is not for the next one. */
	flow_take_drop(data, thread);
}

static void execute(void *data, const struct event_record *record)
{
	struct flow_thread *thread = begin_event(data, record);

	flow_settle_close_open(data, thread);
	flow_take_drop(data, thread);
	thread->has_executed = true;
	thread->is_executing = true;
}

/* A definition, or the restart of CARET. */
static void define(void *data, const struct event_record *record)
{
	struct flow_linker *linker = data;

	release_note(linker);
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
	note_waits(linker);
}

static void lose(void *data, const struct event_record *record)
{
	struct flow_linker *linker = data;

	release_note(linker);
	linker->now_ns = record->time_ns;
	forget_threads(linker, record->stream);
	note_waits(linker);
}

record_taker flow_linker_taker(unsigned int kind)
{
	switch (kind) {
	case EVENT_RCLCPP_PUBLISH:
		return publish_rclcpp;
	case EVENT_RCL_PUBLISH:
		return publish_rcl;
	case EVENT_RMW_PUBLISH:
		return publish_rmw;
	case EVENT_RCLCPP_INTRA_PUBLISH:
		return publish_intra;
	case EVENT_DDS_WRITE:
		return write_dds;
	case EVENT_DDS_BIND_ADDR_TO_STAMP:
		return bind_stamp;
	case EVENT_DDS_BIND_ADDR_TO_ADDR:
		return bind_address;
	case EVENT_RMW_TAKE:
	case EVENT_RMW_PAYLOAD:
	case EVENT_RCL_TAKE:
	case EVENT_RCLCPP_TAKE:
	case EVENT_DISPATCH_SUBSCRIPTION_CALLBACK:
		return take;
	case EVENT_RCLCPP_RING_BUFFER_ENQUEUE:
	case EVENT_RCLCPP_RING_BUFFER_DEQUEUE:
	case EVENT_RCLCPP_RING_BUFFER_CLEAR:
	case EVENT_MESSAGE_CONSTRUCT:
	case EVENT_DISPATCH_INTRA_PROCESS_SUBSCRIPTION_CALLBACK:
		return pass_within_process;
	case EVENT_RMW_SEND_REQUEST:
	case EVENT_RMW_TAKE_REQUEST:
	case EVENT_RMW_SEND_RESPONSE:
	case EVENT_RMW_TAKE_RESPONSE:
		return serve;
	case EVENT_CALLBACK_START:
		return start_callback;
	case EVENT_CALLBACK_END:
		return end_callback;
	case EVENT_RCLCPP_EXECUTOR_EXECUTE:
		return execute;
	case RECORD_DISCARDED_EVENTS:
	case RECORD_DISCARDED_PACKETS:
	case RECORD_GAP:
		return lose;
	default:
		break;
	}
	if (kind >= EVENT_KIND_COUNT) {
		return NULL;
	}
	return event_class_of((enum event_kind)kind) == EVENT_CLASS_RUNTIME ? feed_other : define;
}
