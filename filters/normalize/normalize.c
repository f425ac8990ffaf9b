/* SPDX-License-Identifier: MIT */
#include "filters/normalize/normalize.h"

#include <glib.h>
#include <inttypes.h>
#include <string.h>

#include "filters/normalize/context_ids.h"
#include "filters/normalize/event_maker.h"
#include "ros2bt/bt/message_decoder.h"
#include "ros2bt/bt/message_time.h"
#include "ros2bt/bt/mirror.h"
#include "ros2bt/bt/own.h"
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
	struct filter_iterator base;
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
	uint64_t how_counts[NORMALIZED_HOW_COUNT];
	uint64_t left_out_count;
};

static const struct param rows[] = { NORMALIZE_PARAMS(PARAM_ROW) };

static enum mode mode_of(const char *name)
{
	if (strcmp(name, "two-pass") == 0) {
		return MODE_TWO_PASS;
	}
	return strcmp(name, "window") == 0 ? MODE_WINDOW : MODE_AUTO;
}

static bool read_parameters(void *data, const struct params *params, GError **error)
{
	struct normalize *normalize = data;

	normalize->mode = mode_of(params_string(params, "mode"));
	normalize->window_ns = params_duration_ns(params, "window");
	normalize->options = (struct normalizer_options){
		.drops_empty_takes = params_bool(params, "drop-empty-takes"),
		.drops_rosout = params_bool(params, "drop-rosout"),
		.completes = params_bool(params, "complete"),
		.intra_as_inter = strcmp(params_string(params, "intra-process"), "keep") != 0,
	};
	return true;
}

/* The component's parameters. */
static const struct normalize *given(const struct normalize_iterator *iterator)
{
	return iterator->base.component;
}

static void put_messages(struct normalize_iterator *iterator)
{
	for (guint i = iterator->held_first; i < iterator->held->len; i++) {
		bt_message_put_ref(g_array_index(iterator->held, struct held, i).message);
	}
	g_array_set_size(iterator->held, 0);
	iterator->held_first = 0;
}

/* Before the first message, with what a completed first pass learned. */
static void rewind_to_start(void *data)
{
	struct normalize_iterator *iterator = data;

	put_messages(iterator);
	iterator->phase = PHASE_BEGIN;
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

static void clear(void *data)
{
	struct normalize_iterator *iterator = data;

	put_messages(iterator);
	g_array_free(iterator->held, TRUE);
	context_ids_destroy(iterator->ids);
	event_maker_destroy(iterator->maker);
	mirror_destroy(iterator->mirror);
	normalizer_destroy(iterator->normalizer);
	look_ahead_destroy(iterator->ahead);
	message_decoder_destroy(iterator->decoder);
	recording_destroy(iterator->recording);
	string_pool_destroy(iterator->pool);
}

static void add_events_of_ros(struct event_interest *interest)
{
	for (int kind = 0; kind < EVENT_KIND_COUNT; kind++) {
		interest->wants[kind] = event_kind_is_of_ros(kind);
	}
}

static void begin(void *data)
{
	struct normalize_iterator *iterator = data;
	bt_self_message_iterator *self = iterator->base.self;
	bt_self_component *component = bt_self_message_iterator_borrow_component(self);

	iterator->pool = string_pool_create();
	iterator->recording = recording_create(iterator->pool);
	add_events_of_ros(&iterator->interest);
	iterator->decoder = message_decoder_create(iterator->recording, &iterator->interest,
						   bt_self_component_get_graph_mip_version(component));
	iterator->mirror = mirror_create(self, NULL);
	iterator->maker = event_maker_create(self, iterator->mirror);
	iterator->held = g_array_new(FALSE, FALSE, sizeof(struct held));
	rewind_to_start(iterator);
}

/* One pass or two, and what both need. False with an error cause if it is not possible. */
static bool choose_phase(struct normalize_iterator *iterator)
{
	enum mode mode = given(iterator)->mode;
	bt_bool can_go_back = BT_FALSE;

	if (mode != MODE_WINDOW && bt_message_iterator_can_seek_beginning(iterator->base.upstream, &can_go_back) !=
					   BT_MESSAGE_ITERATOR_CAN_SEEK_BEGINNING_STATUS_OK) {
		can_go_back = BT_FALSE;
	}
	if (mode == MODE_TWO_PASS && !can_go_back) {
		iterator_error(iterator->base.self,
			       "mode=two-pass is not possible: the component before this one cannot "
			       "seek to its beginning; use mode=window");
		return false;
	}
	iterator->phase = can_go_back ? PHASE_LEARN : PHASE_WINDOW;
	if (iterator->is_learned) {
		iterator->phase = PHASE_REWRITE;
	} else {
		iterator->ahead = look_ahead_create(iterator->recording, can_go_back);
	}
	iterator->normalizer = normalizer_create(iterator->recording, iterator->ahead, &given(iterator)->options);
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
	return packet_gate_push(iterator->base.out, made);
}

static enum normalized_how how_of(struct normalize_iterator *iterator, const bt_message *message)
{
	return message_decoder_how(iterator->decoder,
				   bt_event_borrow_class_const(bt_message_event_borrow_event_const(message)));
}

/* What another normalize has shown as inter-process can no longer be distinguished from recorded messages. */
static bool is_shown_already(struct normalize_iterator *iterator, const bt_message *message)
{
	if (!given(iterator)->options.intra_as_inter || how_of(iterator, message) != NORMALIZED_AS_INTER_PROCESS) {
		return false;
	}
	iterator_error(iterator->base.self,
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
	return copy && packet_gate_push(iterator->base.out, copy);
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
		component_log(filter_component(&iterator->base), BT_LOGGING_LEVEL_WARNING,
			      "window: more than %d messages in %" PRId64
			      " ns; timestamps recorded later than that are not found",
			      NORMALIZE_HELD_MAX, given(iterator)->window_ns);
	}
}

static bool is_ripe(struct normalize_iterator *iterator, const struct held *held)
{
	if (iterator->base.has_ended) {
		return true;
	}
	if (iterator->held->len - iterator->held_first > NORMALIZE_HELD_MAX) {
		warn_of_crowd(iterator);
		return true;
	}
	/* unsigned, because the first messages may have no time (INT64_MIN) */
	return (uint64_t)iterator->last_ns - (uint64_t)held->time_ns > (uint64_t)given(iterator)->window_ns;
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
	bool has_record = message_decoder_decode(iterator->decoder, message, &record) > 0;

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

	component_log(filter_component(&iterator->base), BT_LOGGING_LEVEL_INFO,
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
static bool end_phase(void *data)
{
	struct normalize_iterator *iterator = data;

	if (iterator->phase != PHASE_REWRITE) {
		look_ahead_finish(iterator->ahead);
	}
	if (iterator->phase == PHASE_LEARN) {
		iterator->phase = PHASE_GO_BACK;
		return true;
	}
	iterator->base.has_ended = true;
	if (!release(iterator)) {
		return false;
	}
	report_end(iterator);
	return true;
}

static int go_back(struct normalize_iterator *iterator)
{
	int status = filter_go_back(&iterator->base);

	if (status == BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_OK) {
		iterator->is_learned = true;
		iterator->phase = PHASE_REWRITE;
	}
	return status;
}

static bool take(void *data, bt_message_array_const messages, uint64_t count)
{
	struct normalize_iterator *iterator = data;
	bool is_done = true;

	for (uint64_t i = 0; i < count; i++) {
		is_done = is_done && take_message(iterator, messages[i]);
		bt_message_put_ref(messages[i]);
	}
	return is_done;
}

static int step(void *data)
{
	struct normalize_iterator *iterator = data;

	switch (iterator->phase) {
	case PHASE_BEGIN:
		return choose_phase(iterator) ? BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_OK
					      : BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_ERROR;
	case PHASE_GO_BACK:
		return go_back(iterator);
	default:
		return filter_read(&iterator->base);
	}
}

const struct filter_class normalize_class = {
	.rows = rows,
	.row_count = G_N_ELEMENTS(rows),
	.mip_version_max = MIRROR_MIP_VERSION,
	.losses = PACKET_GATE_MERGES_LOSSES,
	.component_size = sizeof(struct normalize),
	.read_parameters = read_parameters,
	.iterator_size = sizeof(struct normalize_iterator),
	.begin = begin,
	.rewind = rewind_to_start,
	.clear = clear,
	.step = step,
	.purpose = "to normalize",
	.take = take,
	.end = end_phase,
};
