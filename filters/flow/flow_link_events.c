/* SPDX-License-Identifier: MIT */
#include "filters/flow/flow_link_events.h"

#include <glib.h>

#include "ros2bt/base/time_units.h"
#include "ros2bt/bt/own.h"
#include "ros2bt/bt/component_log.h"

enum member {
	FLOW_ID,
	FLOW_PARENT_ID,
	TOPIC,
	FROM_NODE,
	FROM_VPID,
	FROM_VTID,
	TO_NODE,
	TO_VPID,
	INTRA_PROCESS,
	INFERRED,
	SOURCE_TIMESTAMP,
	PUBLISH_NS,
	TAKE_NS,
	CALLBACK_START_NS,
	LATENCY_NS,
	MEMBER_COUNT,
};

static const struct {
	const char *name;
	bt_field_class_type type;
} members[MEMBER_COUNT] = {
	[FLOW_ID] = { "flow_id", BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER },
	[FLOW_PARENT_ID] = { "flow_parent_id", BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER },
	[TOPIC] = { "topic", BT_FIELD_CLASS_TYPE_STRING },
	[FROM_NODE] = { "from_node", BT_FIELD_CLASS_TYPE_STRING },
	[FROM_VPID] = { "from_vpid", BT_FIELD_CLASS_TYPE_SIGNED_INTEGER },
	[FROM_VTID] = { "from_vtid", BT_FIELD_CLASS_TYPE_SIGNED_INTEGER },
	[TO_NODE] = { "to_node", BT_FIELD_CLASS_TYPE_STRING },
	[TO_VPID] = { "to_vpid", BT_FIELD_CLASS_TYPE_SIGNED_INTEGER },
	[INTRA_PROCESS] = { "intra_process", BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER },
	[INFERRED] = { "inferred", BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER },
	[SOURCE_TIMESTAMP] = { "source_timestamp", BT_FIELD_CLASS_TYPE_SIGNED_INTEGER },
	[PUBLISH_NS] = { "publish_ns", BT_FIELD_CLASS_TYPE_SIGNED_INTEGER },
	[TAKE_NS] = { "take_ns", BT_FIELD_CLASS_TYPE_SIGNED_INTEGER },
	[CALLBACK_START_NS] = { "callback_start_ns", BT_FIELD_CLASS_TYPE_SIGNED_INTEGER },
	[LATENCY_NS] = { "latency_ns", BT_FIELD_CLASS_TYPE_SIGNED_INTEGER },
};

struct flow_link_events {
	bt_self_message_iterator *self;
	struct recording *recording;
	struct object_model *model;
	struct packet_gate *out;
	bt_event_class *event_class; /* owned */
	bt_stream *stream;	     /* owned */
	bt_packet *packet;	     /* owned; holds them all */
	bool has_begun;
	int64_t origin_s; /* of the clock */
	int64_t last_ns;
};

/* The value of the clock at last_ns. */
static uint64_t clock_value(const struct flow_link_events *events)
{
	return (uint64_t)events->last_ns - (uint64_t)events->origin_s * NS_PER_S;
}

static bt_clock_class *make_clock_class(const struct flow_link_events *events, bt_self_component *component)
{
	bt_clock_class *clock_class = bt_clock_class_create(component);

	if (clock_class) {
		bt_clock_class_set_frequency(clock_class, NS_PER_S);
		bt_clock_class_set_offset(clock_class, events->origin_s, 0);
		bt_clock_class_set_origin_is_unix_epoch(clock_class, BT_TRUE);
	}
	return clock_class;
}

static bt_field_class *make_member(bt_trace_class *trace_class, bt_field_class_type type)
{
	if (type == BT_FIELD_CLASS_TYPE_STRING) {
		return bt_field_class_string_create(trace_class);
	}
	return type == BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER ? bt_field_class_integer_unsigned_create(trace_class)
							    : bt_field_class_integer_signed_create(trace_class);
}

static bt_field_class *make_payload(bt_trace_class *trace_class)
{
	g_autoptr(bt_field_class) payload = bt_field_class_structure_create(trace_class);

	for (size_t i = 0; payload && i < MEMBER_COUNT; i++) {
		g_autoptr(bt_field_class) member = make_member(trace_class, members[i].type);

		if (!member || bt_field_class_structure_append_member(payload, members[i].name, member) !=
				       BT_FIELD_CLASS_STRUCTURE_APPEND_MEMBER_STATUS_OK) {
			return NULL;
		}
	}
	return g_steal_pointer(&payload);
}

/*
 * The trace with its one event class and one stream of one packet: babeltrace2 2.1.1 aborts when it reads what its
 * sink.ctf.fs made of a stream without packets.
 */
static bool make_trace(struct flow_link_events *events, bt_self_component *component)
{
	g_autoptr(bt_trace_class) trace_class = bt_trace_class_create(component);
	g_autoptr(bt_clock_class) clock_class = make_clock_class(events, component);
	g_autoptr(bt_stream_class) stream_class = trace_class ? bt_stream_class_create(trace_class) : NULL;
	g_autoptr(bt_trace) trace = trace_class ? bt_trace_create(trace_class) : NULL;
	g_autoptr(bt_field_class) payload = trace_class ? make_payload(trace_class) : NULL;

	if (!clock_class || !stream_class || !trace || !payload ||
	    bt_stream_class_set_default_clock_class(stream_class, clock_class) !=
		    BT_STREAM_CLASS_SET_DEFAULT_CLOCK_CLASS_STATUS_OK ||
	    bt_trace_set_name(trace, "ros2_flow") != BT_TRACE_SET_NAME_STATUS_OK) {
		return false;
	}
	bt_stream_class_set_supports_packets(stream_class, BT_TRUE, BT_TRUE, BT_TRUE);
	events->event_class = bt_event_class_create(stream_class);
	events->stream = bt_stream_create(stream_class, trace);
	events->packet = events->stream ? bt_packet_create(events->stream) : NULL;
	return events->event_class && events->packet &&
	       bt_event_class_set_name(events->event_class, "ros2_flow:link") == BT_EVENT_CLASS_SET_NAME_STATUS_OK &&
	       bt_event_class_set_payload_field_class(events->event_class, payload) ==
		       BT_EVENT_CLASS_SET_FIELD_CLASS_STATUS_OK;
}

struct flow_link_events *flow_link_events_create(bt_self_message_iterator *self, struct recording *recording,
						 struct object_model *model, struct packet_gate *out)
{
	struct flow_link_events *events = g_new0(struct flow_link_events, 1);

	events->self = self;
	events->recording = recording;
	events->model = model;
	events->out = out;
	events->last_ns = -RECORD_TIME_MAX_NS;
	return events;
}

void flow_link_events_destroy(struct flow_link_events *events)
{
	if (events) {
		bt_event_class_put_ref(events->event_class);
		bt_packet_put_ref(events->packet);
		bt_stream_put_ref(events->stream);
		g_free(events);
	}
}

/* Takes over the reference. */
static bool push(struct flow_link_events *events, const bt_message *message)
{
	if (!message) {
		iterator_error(events->self, "cannot make an event ros2_flow:link");
		return false;
	}
	return packet_gate_push(events->out, message);
}

static bool begin(struct flow_link_events *events)
{
	if (events->has_begun) {
		return true;
	}
	/* A clock cannot count backwards from its origin. */
	events->origin_s = events->last_ns < 0 ? events->last_ns / NS_PER_S - 1 : 0;
	if (!make_trace(events, bt_self_message_iterator_borrow_component(events->self))) {
		iterator_error(events->self, "cannot make the trace of the events ros2_flow:link");
		return false;
	}
	events->has_begun = true;
	return push(events, bt_message_stream_beginning_create(events->self, events->stream)) &&
	       push(events, bt_message_packet_beginning_create_with_default_clock_snapshot(events->self, events->packet,
											   clock_value(events)));
}

static void set_text(bt_field *payload, enum member member, const char *text)
{
	/* An empty string has to be set too, or it shows what the field held before. */
	(void)bt_field_string_set_value(bt_field_structure_borrow_member_field_by_index(payload, member),
					text ? text : "");
}

static void set_unsigned(bt_field *payload, enum member member, uint64_t value)
{
	bt_field_integer_unsigned_set_value(bt_field_structure_borrow_member_field_by_index(payload, member), value);
}

static void set_signed(bt_field *payload, enum member member, int64_t value)
{
	bt_field_integer_signed_set_value(bt_field_structure_borrow_member_field_by_index(payload, member), value);
}

static const char *publishing_node(const struct flow_link_events *events, const struct flow_publication *publication)
{
	if (publication->publisher) {
		return object_model_publisher_node(events->model, publication->publisher);
	}
	if (publication->client) {
		return object_model_endpoint_node(events->model, &publication->client->endpoint);
	}
	return publication->service ? object_model_endpoint_node(events->model, &publication->service->endpoint) : NULL;
}

/* One end of a link. */
struct side {
	const char *node; /* NULL: unknown */
	uint32_t process;
};

static struct side receiving_side(const struct flow_link_events *events, const struct flow_delivery *delivery)
{
	const struct flow_publication *publication = delivery->publication;
	const struct model_client *client = publication->service ? delivery->client : NULL;
	const struct model_service *service = publication->client ? delivery->service : NULL;
	const struct object_model *model = events->model;

	if (delivery->subscription) {
		return (struct side){ object_model_subscription_node(model, delivery->subscription),
				      delivery->subscription->process };
	}
	if (client) {
		return (struct side){ object_model_endpoint_node(model, &client->endpoint), client->process };
	}
	if (service) {
		return (struct side){ object_model_endpoint_node(model, &service->endpoint), service->process };
	}
	/* a ring buffer whose subscription is unknown: it is in the same process */
	return (struct side){ NULL, publication->process };
}

static const char *topic_of(const struct flow_delivery *delivery)
{
	const struct flow_publication *publication = delivery->publication;

	if (delivery->subscription) {
		return delivery->subscription->topic;
	}
	if (publication->service) {
		return publication->service->name;
	}
	return publication->client && delivery->service ? delivery->service->name : NULL;
}

static void set_sides(const struct flow_link_events *events, bt_field *payload, const struct flow_delivery *delivery)
{
	const struct flow_publication *publication = delivery->publication;
	const struct recording_thread *thread = recording_thread(events->recording, publication->thread);
	struct side receiver = receiving_side(events, delivery);

	set_text(payload, TOPIC, topic_of(delivery));
	set_text(payload, FROM_NODE, publishing_node(events, publication));
	set_signed(payload, FROM_VPID, recording_process(events->recording, publication->process)->vpid);
	set_signed(payload, FROM_VTID, thread->vtid);
	set_text(payload, TO_NODE, receiver.node);
	set_signed(payload, TO_VPID, recording_process(events->recording, receiver.process)->vpid);
}

/* -1 where a time is unknown. */
static void set_times(bt_field *payload, const struct flow_delivery *delivery)
{
	const struct flow_publication *publication = delivery->publication;
	bool has_stamp = publication->publisher && publication->has_stamp && !delivery->is_intra_process;

	set_signed(payload, SOURCE_TIMESTAMP, has_stamp ? publication->source_timestamp : -1);
	set_signed(payload, PUBLISH_NS, publication->first_ns);
	set_signed(payload, TAKE_NS, delivery->has_take ? delivery->take_ns : -1);
	set_signed(payload, CALLBACK_START_NS, delivery->has_start ? delivery->callback_start_ns : -1);
	set_signed(payload, LATENCY_NS, delivery->has_start ? delivery->callback_start_ns - publication->first_ns : -1);
}

bool flow_link_events_add(struct flow_link_events *events, const struct flow_delivery *delivery, int64_t time_ns)
{
	const struct flow_publication *publication = delivery->publication;
	uint64_t parent = publication->has_direct_parent ? publication->parents[0]->flow_id : 0;
	bt_message *message;
	bt_field *payload;

	events->last_ns = MAX(events->last_ns, time_ns);
	if (!begin(events)) {
		return false;
	}
	message = bt_message_event_create_with_packet_and_default_clock_snapshot(events->self, events->event_class,
										 events->packet, clock_value(events));
	if (message) {
		payload = bt_event_borrow_payload_field(bt_message_event_borrow_event(message));
		set_unsigned(payload, FLOW_ID, publication->id);
		set_unsigned(payload, FLOW_PARENT_ID, parent);
		set_sides(events, payload, delivery);
		set_unsigned(payload, INTRA_PROCESS, delivery->is_intra_process);
		set_unsigned(payload, INFERRED, delivery->is_inferred);
		set_times(payload, delivery);
	}
	return push(events, message);
}

bool flow_link_events_end(struct flow_link_events *events, int64_t time_ns)
{
	if (!events->has_begun) {
		return true;
	}
	events->has_begun = false;
	events->last_ns = MAX(events->last_ns, time_ns);
	return push(events, bt_message_packet_end_create_with_default_clock_snapshot(events->self, events->packet,
										     clock_value(events))) &&
	       push(events, bt_message_stream_end_create(events->self, events->stream));
}
