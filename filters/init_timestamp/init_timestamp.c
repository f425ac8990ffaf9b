/* SPDX-License-Identifier: MIT */
#include "filters/init_timestamp/init_timestamp.h"

#include <glib.h>
#include <inttypes.h>
#include <stdbool.h>

#include "filters/init_timestamp/init_time.h"
#include "filters/init_timestamp/moved_streams.h"
#include "ros2bt/bt/message_time.h"
#include "ros2bt/bt/mirror.h"
#include "ros2bt/bt/own.h"
#include "ros2bt/bt/component_log.h"
#include "ros2bt/base/reorder.h"

/* A held message keeps its packet and fields, about 1 KiB. */
#define HELD_MESSAGES_MAX ((size_t)128 * 1024)

enum mode {
	MODE_AUTO,
	MODE_TWO_PASS,
	MODE_WINDOW,
};

struct init_timestamp {
	enum mode mode;
	int64_t window_ns;
};

enum phase {
	PHASE_START,
	PHASE_COLLECT, /* first of two passes */
	PHASE_REWIND,
	PHASE_DELIVER, /* the second, or the only one */
	PHASE_PASS,    /* the second when nothing moves */
};

/* An event on its way to another time. */
struct moved_event {
	const bt_message *message; /* owned; the original */
	struct init_time time;
};

struct init_timestamp_iterator {
	struct filter_iterator base;
	enum phase phase;
	int64_t window_ns; /* how long messages are held when delivering */
	struct init_times *times;
	struct reorder *reorder;
	struct mirror *mirror;
	struct moved_streams *moved_streams;
	GArray *collected; /* struct init_time, in the order of the first pass */
	guint met_count;   /* of them met in the second pass */
	uint64_t moved_count, nonsense_count, late_count, worst_lateness_ns;
	bool is_reported;
};

static const struct param rows[] = { INIT_TIMESTAMP_PARAMS(PARAM_ROW) };

static bool read_parameters(void *data, const struct params *params, GError **error)
{
	struct init_timestamp *component = data;
	const char *mode = params_string(params, "mode");

	component->mode = g_str_equal(mode, "window")	  ? MODE_WINDOW
			  : g_str_equal(mode, "two-pass") ? MODE_TWO_PASS
							  : MODE_AUTO;
	component->window_ns = params_duration_ns(params, "window");
	return true;
}

static void moved_event_destroy(struct moved_event *moved)
{
	bt_message_put_ref(moved->message);
	g_free(moved);
}

static void put_held(struct init_timestamp_iterator *iterator)
{
	struct reorder_item item;

	while (reorder_take(iterator->reorder, INT64_MAX, &item)) {
		if (item.is_moved) {
			moved_event_destroy((struct moved_event *)item.content);
		} else {
			bt_message_put_ref(item.content);
		}
	}
}

/* State that is built while messages pass. */
static void start_over(struct init_timestamp_iterator *iterator)
{
	iterator->phase = PHASE_START;
	iterator->window_ns = 0;
	iterator->times = init_times_create();
	iterator->reorder = reorder_create();
	iterator->collected = g_array_new(FALSE, FALSE, sizeof(struct init_time));
	iterator->met_count = 0;
	iterator->moved_count = 0;
	iterator->nonsense_count = 0;
	iterator->late_count = 0;
	iterator->worst_lateness_ns = 0;
	iterator->is_reported = false;
}

static void put_state(struct init_timestamp_iterator *iterator)
{
	put_held(iterator);
	reorder_destroy(iterator->reorder);
	init_times_destroy(iterator->times);
	g_array_free(iterator->collected, TRUE);
}

static void begin(void *data)
{
	struct init_timestamp_iterator *iterator = data;

	iterator->mirror = mirror_create(iterator->base.self, NULL);
	iterator->moved_streams = moved_streams_create(iterator->base.self, iterator->mirror, iterator->base.out);
	start_over(iterator);
}

static void rewind_to_start(void *data)
{
	struct init_timestamp_iterator *iterator = data;

	put_state(iterator);
	moved_streams_rewind(iterator->moved_streams);
	mirror_rewind(iterator->mirror);
	start_over(iterator);
}

static void report(struct init_timestamp_iterator *iterator)
{
	const bt_component *component = filter_component(&iterator->base);

	if (iterator->is_reported) {
		return;
	}
	iterator->is_reported = true;
	component_log(component, BT_LOGGING_LEVEL_INFO,
		      "%" PRIu64 " initialization events moved to their init_timestamp", iterator->moved_count);
	if (iterator->late_count > 0) {
		component_log(component, BT_LOGGING_LEVEL_WARNING,
			      "%" PRIu64 " initialization events came too late to be moved all the way to their "
			      "init_timestamp; the largest remaining delay is %" PRIu64
			      " ns after it (two passes or a larger `window` "
			      "move them farther)",
			      iterator->late_count, iterator->worst_lateness_ns);
	}
	if (iterator->nonsense_count > 0) {
		component_log(component, BT_LOGGING_LEVEL_WARNING,
			      "%" PRIu64
			      " initialization events stay where they are: their init_timestamp is not a time "
			      "before their own",
			      iterator->nonsense_count);
	}
}

static void clear(void *data)
{
	struct init_timestamp_iterator *iterator = data;

	report(iterator);
	put_state(iterator);
	moved_streams_destroy(iterator->moved_streams);
	mirror_destroy(iterator->mirror);
}

static void move(struct init_timestamp_iterator *iterator, const bt_message *message, const struct init_time *time)
{
	struct moved_event *moved = g_new(struct moved_event, 1);
	uint64_t lateness_ns;

	*moved = (struct moved_event){ message, *time };
	lateness_ns = reorder_move(iterator->reorder, time->time_ns, moved);
	iterator->moved_count++;
	if (lateness_ns > 0) {
		iterator->late_count++;
		iterator->worst_lateness_ns = MAX(iterator->worst_lateness_ns, lateness_ns);
	}
}

/* The first pass collects the events to be moved and drops the rest. */
static void collect(struct init_timestamp_iterator *iterator, const bt_message *message)
{
	struct init_time time;

	switch (init_times_judge(iterator->times, message, &time)) {
	case INIT_TIME_EARLIER:
		g_array_append_val(iterator->collected, time);
		move(iterator, message, &time);
		return;
	case INIT_TIME_NONSENSE:
		iterator->nonsense_count++;
		break;
	case INIT_TIME_IN_PLACE:
		break;
	}
	bt_message_put_ref(message);
}

/* Whether an event is the next one that the first pass has taken; false if upstream delivers something else this time.
 */
static bool is_collected(struct init_timestamp_iterator *iterator, const struct init_time *time)
{
	const struct init_time *next;

	if (iterator->met_count == iterator->collected->len) {
		return false;
	}
	next = &g_array_index(iterator->collected, struct init_time, iterator->met_count);
	if (next->clock_value != time->clock_value || next->event_ns != time->event_ns) {
		return false;
	}
	iterator->met_count++;
	return true;
}

static void keep(struct init_timestamp_iterator *iterator, const bt_message *message)
{
	int64_t time_ns;

	if (message_time(message, &time_ns) == MESSAGE_TIME_KNOWN) {
		reorder_keep(iterator->reorder, time_ns, message);
	} else {
		reorder_keep_timeless(iterator->reorder, message);
	}
}

/* A message of the delivering pass: held, moved, or in place already. */
static void hold(struct init_timestamp_iterator *iterator, const bt_message *message)
{
	struct init_time time;

	switch (init_times_judge(iterator->times, message, &time)) {
	case INIT_TIME_EARLIER:
		if (is_collected(iterator, &time)) {
			bt_message_put_ref(message);
		} else {
			move(iterator, message, &time);
		}
		return;
	case INIT_TIME_NONSENSE:
		iterator->nonsense_count += iterator->collected->len == 0;
		break;
	case INIT_TIME_IN_PLACE:
		break;
	}
	keep(iterator, message);
}

/* The first clock value whose time is not before time_ns, between the value for init_timestamp and that of the event.
 */
static uint64_t clock_value_at(const struct moved_event *moved, int64_t time_ns)
{
	const bt_clock_class *clock_class =
		bt_message_event_borrow_stream_class_default_clock_class_const(moved->message);
	uint64_t low = moved->time.clock_value;
	uint64_t high =
		bt_clock_snapshot_get_value(bt_message_event_borrow_default_clock_snapshot_const(moved->message));

	if (time_ns == moved->time.time_ns) {
		return low;
	}
	while (low < high) {
		uint64_t middle = low + (high - low) / 2;
		int64_t middle_ns = time_ns;

		if (bt_clock_class_cycles_to_ns_from_origin(clock_class, middle, &middle_ns) !=
		    BT_CLOCK_CLASS_CYCLES_TO_NS_FROM_ORIGIN_STATUS_OK) {
			bt_current_thread_clear_error();
		}
		if (middle_ns < time_ns) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low;
}

static bool emit_moved(struct init_timestamp_iterator *iterator, struct moved_event *moved, int64_t time_ns)
{
	bool is_emitted = moved_streams_emit(iterator->moved_streams, moved->message, clock_value_at(moved, time_ns));

	moved_event_destroy(moved);
	return is_emitted;
}

static bool emit_kept(struct init_timestamp_iterator *iterator, const bt_message *message)
{
	bool is_emitted = moved_streams_pause(iterator->moved_streams);
	const bt_message *copy = is_emitted ? mirror_message(iterator->mirror, message) : NULL;

	bt_message_put_ref(message);
	return copy && packet_gate_push(iterator->base.out, copy);
}

/* False: failed. */
static bool emit(struct init_timestamp_iterator *iterator, const struct reorder_item *item)
{
	return item->is_moved ? emit_moved(iterator, (struct moved_event *)item->content, item->time_ns)
			      : emit_kept(iterator, item->content);
}

static bool emit_until(struct init_timestamp_iterator *iterator, int64_t limit_ns)
{
	struct reorder_item item;

	while (reorder_take(iterator->reorder, limit_ns, &item)) {
		if (!emit(iterator, &item)) {
			return false;
		}
	}
	return true;
}

/* Emits what has been held long enough, and the oldest messages if too many are held. */
static bool emit_due(struct init_timestamp_iterator *iterator)
{
	int64_t now_ns = reorder_now(iterator->reorder);
	int64_t limit_ns = now_ns < INT64_MIN + iterator->window_ns ? INT64_MIN : now_ns - iterator->window_ns;
	struct reorder_item item;

	if (!emit_until(iterator, limit_ns)) {
		return false;
	}
	while (reorder_kept_count(iterator->reorder) > HELD_MESSAGES_MAX &&
	       reorder_take(iterator->reorder, INT64_MAX, &item)) {
		if (!emit(iterator, &item)) {
			return false;
		}
	}
	return true;
}

static int start(struct init_timestamp_iterator *iterator)
{
	const struct init_timestamp *component = iterator->base.component;
	bt_bool can_rewind = BT_FALSE;

	if (component->mode != MODE_WINDOW) {
		bt_message_iterator_can_seek_beginning_status status =
			bt_message_iterator_can_seek_beginning(iterator->base.upstream, &can_rewind);

		if (status != BT_MESSAGE_ITERATOR_CAN_SEEK_BEGINNING_STATUS_OK) {
			return (int)status;
		}
	}
	if (!can_rewind && component->mode == MODE_TWO_PASS) {
		iterator_error(iterator->base.self, "mode=two-pass is not possible: the component upstream cannot seek "
						    "to its beginning; use mode=window");
		return BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_ERROR;
	}
	iterator->phase = can_rewind ? PHASE_COLLECT : PHASE_DELIVER;
	iterator->window_ns = can_rewind ? 0 : component->window_ns;
	return BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_OK;
}

static int rewind_upstream(struct init_timestamp_iterator *iterator)
{
	int status = filter_go_back(&iterator->base);

	if (status == BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_OK) {
		iterator->phase = iterator->collected->len > 0 ? PHASE_DELIVER : PHASE_PASS;
	}
	return status;
}

static int step(void *data)
{
	struct init_timestamp_iterator *iterator = data;

	switch (iterator->phase) {
	case PHASE_START:
		return start(iterator);
	case PHASE_REWIND:
		return rewind_upstream(iterator);
	default:
		return filter_read(&iterator->base);
	}
}

static bool take(void *data, bt_message_array_const messages, uint64_t count)
{
	struct init_timestamp_iterator *iterator = data;
	bool is_done = true;

	for (uint64_t i = 0; i < count; i++) {
		if (iterator->phase == PHASE_COLLECT) {
			collect(iterator, messages[i]);
		} else if (iterator->phase == PHASE_DELIVER) {
			hold(iterator, messages[i]);
		} else {
			is_done = packet_gate_push(iterator->base.out, messages[i]) && is_done;
		}
	}
	return is_done && (iterator->phase != PHASE_DELIVER || emit_due(iterator));
}

/* Upstream has no more messages in this phase. */
static bool end_phase(void *data)
{
	struct init_timestamp_iterator *iterator = data;

	if (iterator->phase == PHASE_COLLECT) {
		iterator->phase = PHASE_REWIND;
		return true;
	}
	iterator->base.has_ended = true;
	report(iterator);
	return emit_until(iterator, INT64_MAX) && moved_streams_end(iterator->moved_streams);
}

const struct filter_class init_timestamp_class = {
	.rows = rows,
	.row_count = G_N_ELEMENTS(rows),
	.mip_version_max = MIRROR_MIP_VERSION,
	.losses = PACKET_GATE_KEEPS_LOSSES,
	.component_size = sizeof(struct init_timestamp),
	.read_parameters = read_parameters,
	.iterator_size = sizeof(struct init_timestamp_iterator),
	.begin = begin,
	.rewind = rewind_to_start,
	.clear = clear,
	.step = step,
	.purpose = "to look for an init_timestamp in",
	.take = take,
	.end = end_phase,
};
