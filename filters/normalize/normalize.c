/* SPDX-License-Identifier: MIT */
#include "filters/normalize/normalize.h"

#include <glib.h>
#include <inttypes.h>
#include <string.h>

#include "filters/normalize/context_ids.h"
#include "filters/normalize/event_maker.h"
#include "ros2bt/bt/message_decoder.h"
#include "ros2bt/bt/filter.h"
#include "ros2bt/bt/given_params.h"
#include "ros2bt/bt/message_time.h"
#include "ros2bt/bt/mirror.h"
#include "ros2bt/bt/own.h"
#include "ros2bt/bt/packet_gate.h"
#include "ros2bt/bt/component_log.h"
#include "ros2bt/normalize/normalizer.h"

enum mode {
	MODE_AUTO,
	MODE_TWO_PASS,
	MODE_WINDOW,
};

struct normalize {
	enum mode mode;
	int64_t window_ns;
	struct normalizer_options options;
};

enum phase {
	PHASE_BEGIN,   /* nothing has been read */
	PHASE_LEARN,   /* the first of two passes */
	PHASE_GO_BACK, /* upstream is asked to seek to its beginning */
	PHASE_REWRITE, /* the second of two passes: all is learned */
	PHASE_WINDOW,  /* the only pass: learning goes ahead of rewriting */
	PHASE_END,
};

/* Messages taken from the held ones are cleared away in chunks of at least this many. */
#define HELD_CHUNK 1024

/* A message that waits until enough of what follows it is known. */
struct held {
	const bt_message *message; /* owned */
	bool has_record;
	int64_t time_ns;
	struct event_record record;
};

struct normalize_iterator {
	bt_self_message_iterator *self;
	const struct normalize *normalize;
	bt_message_iterator *upstream; /* owned */
	enum phase phase;
	bool is_learned; /* a first pass was completed */

	struct string_pool *pool;
	struct recording *recording;
	struct event_interest interest; /* events of ROS 2: all others pass as they are */
	struct message_decoder *decoder;
	struct look_ahead *ahead;
	struct normalizer *normalizer;
	struct mirror *mirror;
	struct event_maker *maker;
	struct context_ids *ids;

	GArray *held;	  /* of struct held */
	guint held_first; /* those before it are taken */
	int64_t last_ns;  /* the latest time seen */
	bool is_crowded;  /* the window was too large */
	struct packet_gate *out;
	uint64_t how_counts[NORMALIZED_HOW_COUNT];
	uint64_t left_out_count;
};

static const struct param rows[] = { NORMALIZE_PARAMS(PARAM_ROW) };

bt_component_class_get_supported_mip_versions_method_status
normalize_get_supported_mip_versions(bt_self_component_class_filter *self, const bt_value *params, void *data,
				     bt_logging_level logging_level, bt_integer_range_set_unsigned *versions)
{
	return filter_supported_mip_versions(versions, MIRROR_MIP_VERSION);
}

bt_component_class_query_method_status normalize_query(bt_self_component_class_filter *self,
						       bt_private_query_executor *executor, const char *object,
						       const bt_value *params, void *data, const bt_value **result)
{
	return filter_query(rows, G_N_ELEMENTS(rows), object, result);
}

static enum mode mode_of(const char *name)
{
	if (strcmp(name, "two-pass") == 0) {
		return MODE_TWO_PASS;
	}
	return strcmp(name, "window") == 0 ? MODE_WINDOW : MODE_AUTO;
}

static bool read_parameters(struct normalize *normalize, bt_self_component *self, const bt_value *values)
{
	g_autoptr(param_values) in_map = given_params(values);
	const struct params given = { rows, G_N_ELEMENTS(rows), in_map, false };
	g_autofree char *problem = params_check(&given);

	if (problem) {
		component_error(self, "%s", problem);
		return false;
	}
	normalize->mode = mode_of(params_string(&given, "mode"));
	normalize->window_ns = params_duration_ns(&given, "window");
	normalize->options = (struct normalizer_options){
		.drops_empty_takes = params_bool(&given, "drop-empty-takes"),
		.drops_rosout = params_bool(&given, "drop-rosout"),
		.completes = params_bool(&given, "complete"),
		.intra_as_inter = strcmp(params_string(&given, "intra-process"), "keep") != 0,
	};
	return true;
}

bt_component_class_initialize_method_status normalize_initialize(bt_self_component_filter *self,
								 bt_self_component_filter_configuration *configuration,
								 const bt_value *params, void *data)
{
	struct normalize *normalize = g_new0(struct normalize, 1);
	bt_component_class_initialize_method_status status = BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_ERROR;

	if (read_parameters(normalize, bt_self_component_filter_as_self_component(self), params)) {
		status = filter_initialize(self, normalize);
	}
	if (status != BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_OK) {
		g_free(normalize);
	}
	return status;
}

void normalize_finalize(bt_self_component_filter *self)
{
	g_free(bt_self_component_get_data(bt_self_component_filter_as_self_component(self)));
}

static void put_messages(struct normalize_iterator *iterator)
{
	for (guint i = iterator->held_first; i < iterator->held->len; i++) {
		bt_message_put_ref(g_array_index(iterator->held, struct held, i).message);
	}
	g_array_set_size(iterator->held, 0);
	iterator->held_first = 0;
	packet_gate_rewind(iterator->out);
}

/* Before the first message, with what a completed first pass learned. */
static void iterator_begin(struct normalize_iterator *iterator)
{
	put_messages(iterator);
	if (iterator->is_learned) {
		look_ahead_rewind(iterator->ahead);
	} else {
		g_clear_pointer(&iterator->ahead, look_ahead_destroy);
	}
	g_clear_pointer(&iterator->normalizer, normalizer_destroy);
	context_ids_destroy(iterator->ids);
	iterator->ids = context_ids_create();
	mirror_rewind(iterator->mirror);
	iterator->last_ns = INT64_MIN;
	memset(iterator->how_counts, 0, sizeof(iterator->how_counts));
	iterator->left_out_count = 0;
}

static void iterator_destroy(struct normalize_iterator *iterator)
{
	put_messages(iterator);
	g_array_free(iterator->held, TRUE);
	packet_gate_destroy(iterator->out);
	context_ids_destroy(iterator->ids);
	event_maker_destroy(iterator->maker);
	mirror_destroy(iterator->mirror);
	normalizer_destroy(iterator->normalizer);
	look_ahead_destroy(iterator->ahead);
	message_decoder_destroy(iterator->decoder);
	recording_destroy(iterator->recording);
	string_pool_destroy(iterator->pool);
	bt_message_iterator_put_ref(iterator->upstream);
	g_free(iterator);
}

static void add_events_of_ros(struct event_interest *interest)
{
	for (int kind = 0; kind < EVENT_KIND_COUNT; kind++) {
		interest->wants[kind] = event_kind_is_of_ros(kind);
	}
}

bt_message_iterator_class_initialize_method_status
normalize_iterator_initialize(bt_self_message_iterator *self, bt_self_message_iterator_configuration *configuration,
			      bt_self_component_port_output *port)
{
	bt_self_component *component = bt_self_message_iterator_borrow_component(self);
	struct normalize_iterator *iterator;
	bt_message_iterator *upstream;
	bt_message_iterator_class_initialize_method_status status =
		filter_create_upstream(self, configuration, &upstream);

	if (status != BT_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD_STATUS_OK) {
		return status;
	}
	iterator = g_new0(struct normalize_iterator, 1);
	iterator->self = self;
	iterator->normalize = filter_data(self);
	iterator->upstream = upstream;
	iterator->pool = string_pool_create();
	iterator->recording = recording_create(iterator->pool);
	add_events_of_ros(&iterator->interest);
	iterator->decoder = message_decoder_create(iterator->recording, &iterator->interest,
						   bt_self_component_get_graph_mip_version(component));
	iterator->mirror = mirror_create(self, NULL);
	iterator->maker = event_maker_create(self, iterator->mirror);
	iterator->held = g_array_new(FALSE, FALSE, sizeof(struct held));
	iterator->out = packet_gate_create(self, PACKET_GATE_MERGES_LOSSES);
	iterator_begin(iterator);
	bt_self_message_iterator_set_data(self, iterator);
	return status;
}

void normalize_iterator_finalize(bt_self_message_iterator *self)
{
	iterator_destroy(bt_self_message_iterator_get_data(self));
}

static const bt_component *component_of(const struct normalize_iterator *iterator)
{
	return bt_self_component_as_component(bt_self_message_iterator_borrow_component(iterator->self));
}

/* One pass or two, and what both need. False with an error cause if it is not possible. */
static bool choose_phase(struct normalize_iterator *iterator)
{
	enum mode mode = iterator->normalize->mode;
	bt_bool can_go_back = BT_FALSE;

	if (mode != MODE_WINDOW && bt_message_iterator_can_seek_beginning(iterator->upstream, &can_go_back) !=
					   BT_MESSAGE_ITERATOR_CAN_SEEK_BEGINNING_STATUS_OK) {
		can_go_back = BT_FALSE;
	}
	if (mode == MODE_TWO_PASS && !can_go_back) {
		iterator_error(iterator->self, "mode=two-pass is not possible: the component before this one cannot "
					       "seek to its beginning; use mode=window");
		return false;
	}
	iterator->phase = can_go_back ? PHASE_LEARN : PHASE_WINDOW;
	if (iterator->is_learned) {
		iterator->phase = PHASE_REWRITE;
	} else {
		iterator->ahead = look_ahead_create(iterator->recording, can_go_back);
	}
	iterator->normalizer = normalizer_create(iterator->recording, iterator->ahead, &iterator->normalize->options);
	return true;
}

static const bt_stream_class *class_of_event(const bt_message *message)
{
	return bt_event_class_borrow_stream_class_const(
		bt_event_borrow_class_const(bt_message_event_borrow_event_const(message)));
}

/* A copy or an event of our own is ready; false if it could not be made. */
static bool deliver_event(struct normalize_iterator *iterator, const bt_message *original, bt_message *made)
{
	if (!made) {
		return false;
	}
	context_ids_make_unique(iterator->ids, class_of_event(original), bt_message_event_borrow_event(made));
	return packet_gate_push(iterator->out, made);
}

static enum normalized_how how_of(struct normalize_iterator *iterator, const bt_message *message)
{
	return message_decoder_how(iterator->decoder,
				   bt_event_borrow_class_const(bt_message_event_borrow_event_const(message)));
}

/* What another normalize has shown as inter-process can no longer be distinguished from recorded messages. */
static bool is_shown_already(struct normalize_iterator *iterator, const bt_message *message)
{
	if (!iterator->normalize->options.intra_as_inter || how_of(iterator, message) != NORMALIZED_AS_INTER_PROCESS) {
		return false;
	}
	iterator_error(iterator->self,
		       "parameter \"intra-process\": a filter.ros2.normalize upstream shows intra-process "
		       "messages as inter-process already; use as-inter-process in one of them only");
	return true;
}

static bool rewrite_event(struct normalize_iterator *iterator, const bt_message *message,
			  const struct event_record *record)
{
	struct normalized_events events;

	if (is_shown_already(iterator, message)) {
		return false;
	}

	normalizer_rewrite(iterator->normalizer, record, &events);
	iterator->left_out_count += events.count == 0;
	for (size_t i = 0; i < events.count; i++) {
		const struct normalized_event *event = &events.event[i];

		iterator->how_counts[event->how]++;
		if (!deliver_event(iterator, message,
				   event->how == NORMALIZED_KEPT ? mirror_event(iterator->mirror, message)
								 : event_maker_make(iterator->maker, event, message))) {
			return false;
		}
	}
	return true;
}

/* An event without a record. What another normalize supplied is supplied again. */
static bool pass_event(struct normalize_iterator *iterator, const bt_message *message)
{
	return normalized_is_skipped(how_of(iterator, message)) ||
	       deliver_event(iterator, message, mirror_event(iterator->mirror, message));
}

/* `record` is NULL if the message gives none. */
static bool rewrite_message(struct normalize_iterator *iterator, const bt_message *message,
			    const struct event_record *record)
{
	const bt_message *copy;

	if (bt_message_get_type(message) == BT_MESSAGE_TYPE_EVENT) {
		return record ? rewrite_event(iterator, message, record) : pass_event(iterator, message);
	}
	if (record) {
		struct normalized_events events;

		normalizer_rewrite(iterator->normalizer, record, &events);
	}
	copy = mirror_message(iterator->mirror, message);
	return copy && packet_gate_push(iterator->out, copy);
}

/* The time of a message without a record: it may be the only one for a long time. */
static void notice_inactivity(struct normalize_iterator *iterator, const bt_message *message)
{
	int64_t time_ns;

	if (bt_message_get_type(message) == BT_MESSAGE_TYPE_MESSAGE_ITERATOR_INACTIVITY &&
	    message_time(message, &time_ns) == MESSAGE_TIME_KNOWN) {
		iterator->last_ns = MAX(iterator->last_ns, time_ns);
	}
}

static void hold(struct normalize_iterator *iterator, const bt_message *message, const struct event_record *record)
{
	struct held held = { .message = message, .has_record = record != NULL };

	bt_message_get_ref(message);
	if (record) {
		held.record = *record;
		iterator->last_ns = MAX(iterator->last_ns, record->time_ns);
	} else {
		notice_inactivity(iterator, message);
	}
	held.time_ns = iterator->last_ns;
	g_array_append_val(iterator->held, held);
}

static void warn_of_crowd(struct normalize_iterator *iterator)
{
	if (!iterator->is_crowded) {
		iterator->is_crowded = true;
		component_log(component_of(iterator), BT_LOGGING_LEVEL_WARNING,
			      "window: more than %d messages in %" PRId64
			      " ns; timestamps recorded later than that are not found",
			      NORMALIZE_HELD_MAX, iterator->normalize->window_ns);
	}
}

static bool is_ripe(struct normalize_iterator *iterator, const struct held *held)
{
	if (iterator->phase == PHASE_END) {
		return true;
	}
	if (iterator->held->len - iterator->held_first > NORMALIZE_HELD_MAX) {
		warn_of_crowd(iterator);
		return true;
	}
	/* unsigned, because the first messages may have no time (INT64_MIN) */
	return (uint64_t)iterator->last_ns - (uint64_t)held->time_ns > (uint64_t)iterator->normalize->window_ns;
}

static void clear_taken(struct normalize_iterator *iterator)
{
	if (iterator->held_first >= HELD_CHUNK && iterator->held_first >= iterator->held->len / 2) {
		g_array_remove_range(iterator->held, 0, iterator->held_first);
		iterator->held_first = 0;
	}
}

/* Rewrites the held messages that have left the window; at the end all. */
static bool release(struct normalize_iterator *iterator)
{
	bool is_done = true;

	while (is_done && iterator->held_first < iterator->held->len) {
		const struct held *held = &g_array_index(iterator->held, struct held, iterator->held_first);

		if (!is_ripe(iterator, held)) {
			break;
		}
		is_done = rewrite_message(iterator, held->message, held->has_record ? &held->record : NULL);
		bt_message_put_ref(held->message);
		iterator->held_first++;
	}
	clear_taken(iterator);
	return is_done;
}

static bool take_message(struct normalize_iterator *iterator, const bt_message *message)
{
	struct event_record record;
	bool has_record = message_decoder_decode(iterator->decoder, message, &record);

	if (has_record && iterator->phase != PHASE_REWRITE) {
		look_ahead_learn(iterator->ahead, &record);
	}
	if (iterator->phase == PHASE_REWRITE) {
		return rewrite_message(iterator, message, has_record ? &record : NULL);
	}
	if (iterator->phase == PHASE_WINDOW) {
		hold(iterator, message, has_record ? &record : NULL);
		return release(iterator);
	}
	return true;
}

static void report_end(const struct normalize_iterator *iterator)
{
	const uint64_t *counts = iterator->how_counts;

	component_log(component_of(iterator), BT_LOGGING_LEVEL_INFO,
		      "%" PRIu64 " events kept, %" PRIu64 " changed, %" PRIu64
		      " of them with an inferred timestamp and %" PRIu64 " without one, %" PRIu64 " supplied, %" PRIu64
		      " left out",
		      counts[NORMALIZED_KEPT],
		      counts[NORMALIZED_CHANGED] + counts[NORMALIZED_COMPLETED] + counts[NORMALIZED_BOUND] +
			      counts[NORMALIZED_INFERRED] + counts[NORMALIZED_UNSTAMPED],
		      counts[NORMALIZED_INFERRED], counts[NORMALIZED_UNSTAMPED],
		      counts[NORMALIZED_SUPPLIED] + counts[NORMALIZED_INFERRED_TAKE] +
			      counts[NORMALIZED_AS_INTER_PROCESS],
		      iterator->left_out_count);
}

/* Upstream has no more messages in this phase. */
static bool end_phase(struct normalize_iterator *iterator)
{
	if (iterator->phase != PHASE_REWRITE) {
		look_ahead_finish(iterator->ahead);
	}
	if (iterator->phase == PHASE_LEARN) {
		iterator->phase = PHASE_GO_BACK;
		return true;
	}
	iterator->phase = PHASE_END;
	if (!release(iterator)) {
		return false;
	}
	report_end(iterator);
	return true;
}

static int go_back(struct normalize_iterator *iterator)
{
	int status = filter_seek_beginning(iterator->upstream);

	if (status == BT_MESSAGE_ITERATOR_CLASS_SEEK_BEGINNING_METHOD_STATUS_OK) {
		iterator->is_learned = true;
		iterator->phase = PHASE_REWRITE;
	} else if (status < 0) {
		iterator_error(iterator->self, "cannot seek to the beginning for the second pass");
	}
	return status;
}

/* Takes one batch from upstream; a status of the next method. */
static int advance(struct normalize_iterator *iterator)
{
	bt_message_array_const batch;
	uint64_t count;
	bool is_done = true;
	int status = bt_message_iterator_next(iterator->upstream, &batch, &count);

	if (status == BT_MESSAGE_ITERATOR_NEXT_STATUS_END) {
		return end_phase(iterator) ? BT_MESSAGE_ITERATOR_NEXT_STATUS_OK : BT_MESSAGE_ITERATOR_NEXT_STATUS_ERROR;
	}
	if (status != BT_MESSAGE_ITERATOR_NEXT_STATUS_OK) {
		if (status < 0) {
			iterator_error(iterator->self, "cannot get the next messages to normalize");
		}
		return status;
	}
	for (uint64_t i = 0; i < count; i++) {
		is_done = is_done && take_message(iterator, batch[i]);
		bt_message_put_ref(batch[i]);
	}
	return is_done ? BT_MESSAGE_ITERATOR_NEXT_STATUS_OK : BT_MESSAGE_ITERATOR_NEXT_STATUS_ERROR;
}

static int step(struct normalize_iterator *iterator)
{
	switch (iterator->phase) {
	case PHASE_BEGIN:
		return choose_phase(iterator) ? BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_OK
					      : BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_ERROR;
	case PHASE_GO_BACK:
		return go_back(iterator);
	case PHASE_END:
		return BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_END;
	default:
		return advance(iterator);
	}
}

bt_message_iterator_class_next_method_status normalize_iterator_next(bt_self_message_iterator *self,
								     bt_message_array_const messages, uint64_t capacity,
								     uint64_t *count)
{
	struct normalize_iterator *iterator = bt_self_message_iterator_get_data(self);

	while (packet_gate_is_empty(iterator->out)) {
		int status;

		if (bt_self_message_iterator_is_interrupted(self)) {
			return BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_AGAIN;
		}
		status = step(iterator);
		if (status != BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_OK) {
			return filter_same_status(status);
		}
	}
	*count = packet_gate_pop(iterator->out, messages, capacity);
	return BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_OK;
}

bt_message_iterator_class_can_seek_beginning_method_status
normalize_iterator_can_seek_beginning(bt_self_message_iterator *self, bt_bool *can_seek)
{
	struct normalize_iterator *iterator = bt_self_message_iterator_get_data(self);

	return filter_can_seek_beginning(iterator->upstream, can_seek);
}

bt_message_iterator_class_seek_beginning_method_status normalize_iterator_seek_beginning(bt_self_message_iterator *self)
{
	struct normalize_iterator *iterator = bt_self_message_iterator_get_data(self);

	iterator_begin(iterator);
	iterator->phase = PHASE_BEGIN;
	return filter_seek_beginning(iterator->upstream);
}
