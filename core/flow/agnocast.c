/* SPDX-License-Identifier: MIT */
#include "core/flow/agnocast.h"

#include "core/flow/breaks.h"
#include "core/flow/notes.h"
#include "core/flow/polled_takes.h"
#include "core/flow/publish.h"
#include "core/flow/settle.h"
#include "core/flow/take.h"
#include "core/flow/take_links.h"
#include "core/model/agnocast_callables.h"

static void begin_take(struct flow_linker *linker, struct flow_thread *thread, struct flow_take *take, int64_t entry_id)
{
	polled_takes_mark(take->delivery.subscription);
	take->client_gid = FLOW_AGNOCAST;
	take->sequence_number = entry_id;
	take->key = flow_agnocast_key(take->delivery.subscription->topic, entry_id);
	flow_take_begin(linker, thread);
}

/* on_started() of linker.c follows. */
static void start(struct flow_linker *linker, struct flow_thread *thread, const struct event_record *record)
{
	const struct agnocast_callable *callable =
		executions_callable(linker->executions, thread->process_index,
				    record->word[AGNOCAST_CALLABLE_START__callable], record->time_ns);
	struct model_callback *callback;
	struct flow_take *take = flow_take_next(linker, thread);

	flow_breaks_callback_seen(thread);
	if (!callable || !callable->has_message) {
		return;
	}
	callback = object_model_callback(linker->model, thread->process_index, callable->callback, record->time_ns);
	take->delivery.subscription = object_model_callback_info(linker->model, callback)->subscription;
	take->delivery.take_ns = callable->created_ns;
	if (take->delivery.subscription && take->delivery.subscription->topic) {
		begin_take(linker, thread, take, callable->entry_id);
		thread->pending.is_announced = true;
		thread->pending.has_no_callback = false;
	}
}

static void end(struct flow_linker *linker, struct flow_thread *thread)
{
	flow_breaks_callback_seen(thread);
	flow_take_drop(linker, thread);
	thread->is_cut = false;
}

static void take_by_hand(struct flow_linker *linker, struct flow_thread *thread, const struct event_record *record)
{
	bool is_taken = record->word[AGNOCAST_TAKE__message] != 0;
	struct flow_take *take = flow_take_next(linker, thread);

	take->delivery.take_ns = record->time_ns;
	take->delivery.subscription =
		object_model_find_subscription(linker->model, thread->process_index,
					       record->word[AGNOCAST_TAKE__subscription_handle], record->time_ns);
	if (!take->delivery.subscription || !take->delivery.subscription->topic) {
		return;
	}
	take->delivery.polled_since_ns = polled_takes_note(take->delivery.subscription, record->time_ns, is_taken);
	if (is_taken) {
		begin_take(linker, thread, take, (int64_t)record->word[AGNOCAST_TAKE__entry_id]);
	}
}

static void publish(struct flow_linker *linker, struct flow_thread *thread, const struct event_record *record)
{
	struct model_publisher *publisher =
		object_model_publisher(linker->model, thread->process_index,
				       record->word[AGNOCAST_PUBLISH__publisher_handle], record->time_ns);
	struct linked_publication *publication = flow_publish_begin(linker, thread, record->time_ns);

	linker->has_writes = true;
	publication->is_agnocast = true;
	publication->steps = STEP_RMW;
	publication->public.has_inter_leg = true;
	publication->sequence_number = (int64_t)record->word[AGNOCAST_PUBLISH__entry_id];
	flow_publish_set_publisher(linker, publication, publisher);
	if (linker->keeps_notes) {
		flow_note_offer(linker, flow_note_create(linker, publication));
	}
	if (publisher->topic) {
		publication->queue->topic = flow_topic(linker, publisher->topic);
		take_links_key_is_known(linker, publication,
					flow_agnocast_key(publisher->topic, publication->sequence_number));
	}
	thread->open = publication;
	flow_settle_close(linker, thread);
}

G_GNUC_NO_INLINE void flow_agnocast_feed(struct flow_linker *linker, struct flow_thread *thread,
					 const struct event_record *record)
{
	switch (record->kind) {
	case EVENT_AGNOCAST_PUBLISH:
		publish(linker, thread, record);
		break;
	case EVENT_AGNOCAST_CREATE_CALLABLE:
		flow_take_recorded(linker);
		flow_settle_close_open(linker, thread);
		break;
	case EVENT_AGNOCAST_CALLABLE_START:
		flow_settle_close_open(linker, thread);
		start(linker, thread, record);
		break;
	case EVENT_AGNOCAST_CALLABLE_END:
		flow_settle_close_open(linker, thread);
		end(linker, thread);
		break;
	case EVENT_AGNOCAST_TAKE:
		flow_take_recorded(linker);
		flow_settle_close_open(linker, thread);
		take_by_hand(linker, thread, record);
		break;
	default:
		break;
	}
}
