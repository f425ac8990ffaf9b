/* SPDX-License-Identifier: MIT */
#include "filters/flow/flow.h"

#include <glib.h>
#include <string.h>

#include "filters/flow/flow_context.h"
#include "filters/flow/flow_link_events.h"
#include "ros2bt/bt/message_decoder.h"
#include "ros2bt/bt/message_time.h"
#include "ros2bt/bt/mirror.h"
#include "ros2bt/bt/component_log.h"
#include "ros2bt/flow/link_rules.h"
#include "ros2bt/flow/pipeline.h"

struct flow {
	bool adds_events; /* mode `events` */
	int64_t window_ns;
	GArray *links; /* struct link_rule, owned */
};

/* A message that waits until its note, or that of one before it, is final. */
struct held {
	const bt_message *message; /* owned */
	struct flow_note *note;	   /* a reference, NULL if the event belongs to no flow */
	int64_t time_ns;
};

/* From messages to flows: recreated, except the mirror, when the iterator seeks to its beginning. */
struct linking {
	struct string_pool *pool;
	struct recording *recording;
	struct event_interest interest;
	struct message_decoder *decoder;
	struct pipeline *pipeline;
	struct flow_link_events *events; /* `events` */
};

struct flow_iterator {
	struct filter_iterator base;
	const struct flow *flow; /* the component */
	struct linking linking;
	struct mirror *mirror; /* `annotate` */
	struct flow_context context;
	struct mirror_hooks hooks;
	GQueue held;	 /* struct held * */
	int64_t last_ns; /* latest time seen, if times were needed */
	/* in mode `events`: the messages taken from the batch so far, in `out` */
	bt_message_array_const unnoted;
	uint64_t unnoted_count;
	bool has_failed; /* a listener could not make its event */
	bool is_crowded;
};

static const struct param rows[] = { FLOW_PARAMS(PARAM_ROW) };

/* --- the component --- */

static bool read_parameters(void *data, const struct params *params, GError **error)
{
	struct flow *flow = data;
	g_auto(GStrv) texts = params_strings(params, "links");

	flow->adds_events = strcmp(params_string(params, "mode"), "events") == 0;
	flow->window_ns = params_duration_ns(params, "window");
	flow->links = link_rules_parse((const char *const *)texts, error);
	if (!flow->links) {
		g_prefix_error(error, "parameter \"links\": ");
	}
	return flow->links != NULL;
}

static void clear_component(void *data)
{
	struct flow *flow = data;

	g_clear_pointer(&flow->links, g_array_unref);
}

/* --- linking --- */

/* False if the message has no time. */
static bool note_time(struct flow_iterator *iterator, const bt_message *message)
{
	int64_t time_ns;

	if (message_time(message, &time_ns) != MESSAGE_TIME_KNOWN) {
		return false;
	}
	iterator->last_ns = MAX(iterator->last_ns, time_ns);
	return true;
}

/* Messages arrive in order of time, so the last one that has a time counts. */
static void note_taken(struct flow_iterator *iterator)
{
	bt_message_array_const messages = iterator->unnoted;
	uint64_t count = iterator->unnoted_count;

	iterator->unnoted += count;
	iterator->unnoted_count = 0;
	while (count > 0 && !note_time(iterator, messages[count - 1])) {
		count--;
	}
}

static void on_delivered(void *data, const struct flow_delivery *delivery)
{
	struct flow_iterator *iterator = data;

	note_taken(iterator);
	if (!flow_link_events_add(iterator->linking.events, delivery, iterator->last_ns)) {
		iterator->has_failed = true;
	}
}

/* What can be annotated besides: all steps of a take, including those without new information. */
static void add_annotated(struct event_interest *interest)
{
	for (int kind = 0; kind < EVENT_KIND_COUNT; kind++) {
		interest->wants[kind] |= event_kind_is_of_ros(kind) && event_class_of(kind) != EVENT_CLASS_POLL;
	}
}

static void linking_begin(struct flow_iterator *iterator)
{
	struct linking *linking = &iterator->linking;
	const struct flow *flow = iterator->flow;
	bt_self_component *component = bt_self_message_iterator_borrow_component(iterator->base.self);
	struct flow_linker *flows;

	linking->pool = string_pool_create();
	linking->recording = recording_create(linking->pool);
	pipeline_add_interest(&linking->interest, PIPELINE_FLOWS);
	pipeline_add_polls(&linking->interest);
	if (!flow->adds_events) {
		add_annotated(&linking->interest);
	}
	linking->decoder = message_decoder_create(linking->recording, &linking->interest,
						  bt_self_component_get_graph_mip_version(component));
	linking->pipeline = pipeline_create(linking->recording, PIPELINE_FLOWS);
	flows = linking->pipeline->flows;
	flow_linker_add_rules(flows, (const struct link_rule *)(void *)flow->links->data, flow->links->len);
	if (flow->adds_events) {
		linking->events = flow_link_events_create(iterator->base.self, linking->recording,
							  linking->pipeline->model, iterator->base.out);
		flow_linker_add_listener(flows, &(struct flow_listener){
							.data = iterator,
							.delivered = on_delivered,
						});
		return;
	}
	flow_linker_keep_notes(flows);
}

static void held_clear(struct flow_iterator *iterator, struct held *held)
{
	if (held->note) {
		flow_note_release(iterator->linking.pipeline->flows, held->note);
	}
	bt_message_put_ref(held->message);
}

static void held_free(struct flow_iterator *iterator, struct held *held)
{
	held_clear(iterator, held);
	g_slice_free(struct held, held);
}

static void linking_end(struct flow_iterator *iterator)
{
	struct linking *linking = &iterator->linking;
	struct held *held;

	while ((held = g_queue_pop_head(&iterator->held))) {
		held_free(iterator, held);
	}
	pipeline_destroy(linking->pipeline);
	flow_link_events_destroy(linking->events);
	message_decoder_destroy(linking->decoder);
	recording_destroy(linking->recording);
	string_pool_destroy(linking->pool);
	*linking = (struct linking){ 0 };
}

/* --- the iterator --- */

static void begin(void *data)
{
	struct flow_iterator *iterator = data;

	iterator->flow = iterator->base.component;
	iterator->last_ns = INT64_MIN;
	g_queue_init(&iterator->held);
	flow_context_init(&iterator->context);
	iterator->hooks = (struct mirror_hooks){ flow_context_extend, &iterator->context };
	iterator->mirror = mirror_create(iterator->base.self, &iterator->hooks);
	linking_begin(iterator);
}

static void rewind_to_start(void *data)
{
	struct flow_iterator *iterator = data;

	linking_end(iterator);
	mirror_rewind(iterator->mirror);
	iterator->last_ns = INT64_MIN;
	iterator->has_failed = false;
	linking_begin(iterator);
}

static void clear(void *data)
{
	struct flow_iterator *iterator = data;

	linking_end(iterator);
	mirror_destroy(iterator->mirror);
	flow_context_clear(&iterator->context);
}

static struct flow_values values_of(const struct held *held)
{
	const struct flow_note *note = held->note;

	if (!note || note->flow_id == 0) {
		return FLOW_VALUES_NONE;
	}
	return (struct flow_values){ note->flow_id, note->parent_flow_id, held->time_ns - note->first_publish_ns };
}

/* Emits the copy of a held message; false if it could not be made. */
static bool annotate(struct flow_iterator *iterator, const struct held *held)
{
	const bt_message *copy;

	if (bt_message_get_type(held->message) == BT_MESSAGE_TYPE_EVENT) {
		const bt_event_class *class =
			bt_event_borrow_class_const(bt_message_event_borrow_event_const(held->message));
		bt_message *event = mirror_event(iterator->mirror, held->message);

		if (event && flow_context_is_extended(&iterator->context, class)) {
			const struct flow_values values = values_of(held);

			flow_context_set(&iterator->context, class, bt_message_event_borrow_event(event), &values);
		}
		copy = event;
	} else {
		copy = mirror_message(iterator->mirror, held->message);
	}
	return copy && packet_gate_push(iterator->base.out, copy);
}

static bool is_crowded(struct flow_iterator *iterator)
{
	if (iterator->held.length <= FLOW_HELD_MAX) {
		return false;
	}
	if (!iterator->is_crowded) {
		iterator->is_crowded = true;
		component_log(filter_component(&iterator->base), BT_LOGGING_LEVEL_WARNING,
			      "more than %d messages in the window: timestamps that are recorded later are not seen; a "
			      "shorter `window` gives the same result with less memory",
			      FLOW_HELD_MAX);
	}
	return true;
}

static bool is_ripe(struct flow_iterator *iterator, const struct held *held)
{
	return iterator->base.has_ended || !held->note ||
	       flow_note_is_final(iterator->linking.pipeline->flows, held->note) ||
	       (uint64_t)iterator->last_ns - (uint64_t)held->time_ns > (uint64_t)iterator->flow->window_ns ||
	       is_crowded(iterator);
}

static bool release(struct flow_iterator *iterator)
{
	bool is_done = true;

	while (is_done && !g_queue_is_empty(&iterator->held)) {
		struct held *held = g_queue_peek_head(&iterator->held);

		if (!is_ripe(iterator, held)) {
			break;
		}
		is_done = annotate(iterator, held);
		held_free(iterator, g_queue_pop_head(&iterator->held));
	}
	return is_done;
}

/* Emits the message after those that are held, or holds it too. Takes ownership of the contents of `held`. */
static bool hold(struct flow_iterator *iterator, struct held *held)
{
	bool is_done;

	if (!g_queue_is_empty(&iterator->held) || !is_ripe(iterator, held)) {
		g_queue_push_tail(&iterator->held, g_slice_dup(struct held, held));
		return release(iterator);
	}
	is_done = annotate(iterator, held);
	held_clear(iterator, held);
	return is_done;
}

/* Of mode `events`. The gate keeps events until they are taken out, other messages it may put at once. */
static bool push_unnoted(struct flow_iterator *iterator, const bt_message *message)
{
	if (bt_message_get_type(message) == BT_MESSAGE_TYPE_EVENT) {
		iterator->unnoted_count++;
	} else {
		note_taken(iterator);
		note_time(iterator, message);
		iterator->unnoted++;
	}
	return packet_gate_push(iterator->base.out, message);
}

/* Takes over the reference. */
static bool take_message(struct flow_iterator *iterator, const bt_message *message)
{
	struct linking *linking = &iterator->linking;
	struct event_record record;
	bool has_record = message_decoder_decode(linking->decoder, message, &record) > 0;
	struct held held = { .message = message };
	bool is_done;

	if (iterator->flow->adds_events) {
		is_done = push_unnoted(iterator, message);
		if (has_record) {
			pipeline_feed(linking->pipeline, &record);
		}
		return is_done && !iterator->has_failed;
	}
	if (has_record) {
		iterator->last_ns = MAX(iterator->last_ns, record.time_ns);
		pipeline_feed(linking->pipeline, &record);
		held.time_ns = record.time_ns;
		held.note = flow_linker_take_note(linking->pipeline->flows);
	} else if (!g_queue_is_empty(&iterator->held)) {
		/* the held messages wait for time to pass */
		note_time(iterator, message);
	}
	return hold(iterator, &held);
}

/* Upstream has ended: emits the held messages and the waiting links. */
static bool end(void *data)
{
	struct flow_iterator *iterator = data;
	struct linking *linking = &iterator->linking;

	iterator->base.has_ended = true;
	pipeline_finish(linking->pipeline);
	if (iterator->flow->adds_events) {
		return !iterator->has_failed && flow_link_events_end(linking->events, iterator->last_ns);
	}
	return release(iterator);
}

static bool take(void *data, bt_message_array_const messages, uint64_t count)
{
	struct flow_iterator *iterator = data;
	bool is_done = true;

	iterator->unnoted = messages;
	for (uint64_t i = 0; i < count; i++) {
		if (is_done) {
			is_done = take_message(iterator, messages[i]);
		} else {
			bt_message_put_ref(messages[i]);
		}
	}
	note_taken(iterator);
	return is_done;
}

const struct filter_class flow_class = {
	.rows = rows,
	.row_count = G_N_ELEMENTS(rows),
	.mip_version_max = MIRROR_MIP_VERSION,
	.losses = PACKET_GATE_KEEPS_LOSSES,
	.component_size = sizeof(struct flow),
	.read_parameters = read_parameters,
	.clear_component = clear_component,
	.iterator_size = sizeof(struct flow_iterator),
	.begin = begin,
	.rewind = rewind_to_start,
	.clear = clear,
	.purpose = "to link",
	.take = take,
	.end = end,
};
