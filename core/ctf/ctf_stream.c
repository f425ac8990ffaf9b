/* SPDX-License-Identifier: MIT */
#include "core/ctf/ctf_stream.h"

#include "core/base/memory_layout.h"
#include "core/ctf/ctf_read.h"
#include "ros2bt/base/time_units.h"

/* The window moves on when less is left in it: more than an event header and most events take. */
#define WINDOW_LEFT_MIN 512
#define EVENT_SIZE_MAX ((size_t)64 * 1024 * 1024)

/* More than the short times of the events in EVENT_SIZE_MAX bytes can add up to. */
#define WINDOW_TICKS_MAX (UINT64_C(1) << 56)

/* In a truncated packet any fault is reported as the truncation. */
static bool fail(struct ctf_stream *stream, const char *error)
{
	stream->error = stream->packet.is_cut ? "its file ends within a packet" : error;
	return false;
}

static void plan_clock(struct ctf_stream *stream)
{
	int64_t offset_ns = 0;

	stream->is_clock_in_ns = stream->trace_class->clock.frequency == (uint64_t)NS_PER_S &&
				 ctf_clock_to_ns(&stream->trace_class->clock, 0, &offset_ns);
	stream->offset_ns = offset_ns;
	stream->ticks_max = UINT64_MAX;
	if (stream->is_clock_in_ns) {
		stream->ticks_max = MIN((uint64_t)RECORD_TIME_MAX_NS - (uint64_t)offset_ns, INT64_MAX - 1);
		stream->usual_ticks_end = stream->ticks_max - MIN(stream->ticks_max, WINDOW_TICKS_MAX);
	}
}

struct ctf_stream *ctf_stream_create(const struct ctf_trace_class *trace_class, GPtrArray *plans,
				     const struct ctf_stream_plan *plan, uint64_t instance_id)
{
	struct ctf_stream *stream = g_aligned_alloc0(1, sizeof(*stream), CACHE_LINE);

	stream->trace_class = trace_class;
	stream->plans = plans;
	stream->plan = plan;
	stream->instance_id = instance_id;
	stream->places = g_array_new(FALSE, FALSE, sizeof(struct ctf_packet_place));
	stream->gaps = g_array_new(FALSE, FALSE, sizeof(struct ctf_stream_gap));
	stream->ends_packets_early = ctf_tracer_ends_packets_early(&trace_class->tracer);
	stream->leaves_packets_open = ctf_tracer_leaves_packets_open(&trace_class->tracer);
	stream->cursor.values = g_new0(uint64_t, trace_class->value_count);
	stream->packet.sequence_number = CTF_COUNTER_NONE;
	stream->packet.discarded = CTF_COUNTER_NONE;
	stream->thread = RECORDING_NONE;
	plan_clock(stream);
	return stream;
}

void ctf_stream_replan(struct ctf_stream *stream, const struct ctf_trace_class *trace_class, GPtrArray *plans,
		       const struct ctf_stream_plan *plan)
{
	guint before = stream->trace_class->value_count;

	if (trace_class->value_count > before) {
		stream->cursor.values = g_renew(uint64_t, stream->cursor.values, trace_class->value_count);
		memset(stream->cursor.values + before, 0, (trace_class->value_count - before) * sizeof(uint64_t));
	}
	stream->trace_class = trace_class;
	stream->plans = plans;
	stream->plan = plan;
	stream->usual = CTF_HEADER_ANY; /* the head has been found by the plan before */
}

void ctf_stream_destroy(struct ctf_stream *stream)
{
	if (!stream) {
		return;
	}
	g_array_free(stream->places, TRUE);
	g_array_free(stream->gaps, TRUE);
	ctf_window_close(&stream->window);
	g_free(stream->cursor.values);
	g_aligned_free(stream);
}

bool ctf_stream_time_ns(const struct ctf_stream *stream, uint64_t ticks, int64_t *time_ns)
{
	if (G_LIKELY(stream->is_clock_in_ns)) {
		if (ticks > stream->ticks_max) {
			return false;
		}
		*time_ns = (int64_t)(ticks + (uint64_t)stream->offset_ns);
		return true;
	}
	return ctf_clock_to_ns(&stream->trace_class->clock, ticks, time_ns);
}

/* With a clock of another frequency, times are compared in ns. */
static bool is_backwards_in_ns(struct ctf_stream *stream, uint64_t ticks)
{
	int64_t time_ns = 0, last_ns = 0;

	return !ctf_stream_time_ns(stream, ticks, &time_ns) ||
	       !ctf_stream_time_ns(stream, stream->last_ticks, &last_ns) || time_ns < last_ns;
}

/* Advances the stream to this time. As in babeltrace2, it must not be earlier than the time before. */
static inline bool move_to(struct ctf_stream *stream, uint64_t ticks)
{
	if (G_UNLIKELY(ticks > stream->ticks_max)) {
		return fail(stream, "a time is not within the years 1824 to 2115");
	}
	if (G_UNLIKELY(ticks < stream->last_ticks && (stream->is_clock_in_ns || is_backwards_in_ns(stream, ticks)))) {
		return fail(stream, "its time goes backwards");
	}
	stream->last_ticks = ticks;
	return true;
}

static inline bool set_head(struct ctf_stream *stream, enum ctf_head head, uint64_t ticks)
{
	stream->head = head;
	stream->usual = CTF_HEADER_ANY;
	if (!move_to(stream, ticks)) {
		return false;
	}
	return ctf_stream_time_ns(stream, ticks, &stream->head_ns) ||
	       fail(stream, "a time is not within the years 1824 to 2115");
}

/* Puts the cursor at `at` bits of the packet, which are in the window. */
static void place_cursor(struct ctf_stream *stream, uint64_t at)
{
	const struct ctf_window *window = &stream->window;

	stream->cursor.packet = window->bytes;
	stream->cursor.at = at - 8 * window->begin;
	stream->cursor.end = MIN(stream->packet.content - 8 * window->begin, 8 * (uint64_t)window->size);
}

/* The window moves on to the cursor, with at most `size` bytes. */
static void move_window(struct ctf_stream *stream, size_t size)
{
	uint64_t at = 8 * stream->window.begin + stream->cursor.at;

	ctf_window_move(&stream->window, at / 8, size);
	place_cursor(stream, at);
}

/* Enlarges the window so that the event at `at` can be read again with more bytes. False: there are no more. */
static bool load_more(struct ctf_stream *stream, uint64_t at)
{
	size_t size = MIN(2 * stream->window.capacity, EVENT_SIZE_MAX);

	if (ctf_window_is_last(&stream->window) || size == stream->window.capacity) {
		return false;
	}
	stream->cursor.at = at;
	move_window(stream, size);
	return true;
}

/* The first packet need not be the first that the tracer made. */
static void note_first_packet(struct ctf_stream *stream)
{
	int64_t begin_ns;

	if (stream->plan->packet.packet_seq_num.type && ctf_stream_time_ns(stream, stream->packet.begin, &begin_ns)) {
		recording_set_stream_lost_before(stream->recording, stream->index, stream->packet.sequence_number,
						 begin_ns);
	}
}

static bool has_discarded_packets(const struct ctf_stream *stream)
{
	return stream->plan->packet.packet_seq_num.type && stream->previous.sequence_number != CTF_COUNTER_NONE &&
	       stream->packet.sequence_number - stream->previous.sequence_number > 1;
}

/* What is missing may appear later, in a directory that is followed. */
static void note_gap(struct ctf_stream *stream)
{
	struct ctf_stream_gap gap = { .before = stream->previous.sequence_number,
				      .after = stream->packet.sequence_number };

	g_array_append_val(stream->gaps, gap);
}

static bool open_packet(struct ctf_stream *stream)
{
	const struct ctf_packet_place *place =
		&g_array_index(stream->places, struct ctf_packet_place, stream->next_place);
	const struct ctf_stream_plan *plan;
	struct ctf_window *window = &stream->window;

	stream->next_place++;
	stream->previous = stream->packet;
	ctf_window_open(window, place->file, place->offset, place->content);
	ctf_window_move(window, 0, stream->plan->is_ignored ? CTF_PACKET_HEAD_MAX : stream->window_size);
	stream->cursor.at = 0;
	if (!ctf_packet_read(stream->trace_class, stream->plans, window->bytes, window->size,
			     trace_file_size(place->file) - place->offset, &stream->packet, &plan, &stream->error)) {
		return false;
	}
	if (plan != stream->plan || stream->packet.instance_id != stream->instance_id) {
		return fail(stream, "the packet belongs to another stream");
	}
	recording_set_stream_cpu(stream->recording, stream->index, stream->packet.cpu);
	if (!stream->has_begun) {
		stream->has_begun = true;
		stream->first_begin = stream->packet.begin;
		note_first_packet(stream);
	} else if (stream->is_followed && has_discarded_packets(stream)) {
		note_gap(stream);
	}
	stream->bytes_read += stream->packet.size / 8;
	place_cursor(stream, stream->packet.events);
	stream->clock = stream->packet.begin;
	stream->step = CTF_STEP_DISCARDED_EVENTS;
	return true;
}

/* The first packet has no predecessor to compare with: what its counter counts may have been lost before the recording.
 */
static bool has_discarded_events(const struct ctf_stream *stream)
{
	if (!stream->plan->packet.events_discarded.type) {
		return false;
	}
	return stream->previous.discarded == CTF_COUNTER_NONE
		       ? stream->packet.discarded != 0 && stream->packet.discarded != CTF_COUNTER_NONE
		       : stream->packet.discarded != stream->previous.discarded;
}

static uint64_t loss_begin(const struct ctf_stream *stream)
{
	return stream->previous.discarded == CTF_COUNTER_NONE ? stream->packet.begin : stream->previous.end;
}

/* The packet does not follow directly on its predecessor. */
static bool begins_after_loss(const struct ctf_stream *stream)
{
	int64_t begin_ns, loss_begin_ns;

	return ctf_stream_time_ns(stream, stream->packet.begin, &begin_ns) &&
	       ctf_stream_time_ns(stream, loss_begin(stream), &loss_begin_ns) && begin_ns > loss_begin_ns;
}

/* Sets the clock to the end of the packet, unless a known tracer bug has recorded it wrong. */
static void end_packet(struct ctf_stream *stream)
{
	bool was_not_closed = stream->leaves_packets_open && stream->packet.begin != 0 && stream->packet.end == 0;
	bool is_before_events = stream->ends_packets_early && stream->packet.end < stream->clock;

	if (!was_not_closed && !is_before_events && stream->packet.end != UINT64_MAX) {
		stream->clock = stream->packet.end;
	}
}

/* Rare: an event that is unusable as a whole or in part. */
static void count_unknown(struct recording *recording, const struct ctf_event_plan *event, const char *reason)
{
	recording_count_unknown(recording, recording_add_unknown_class(recording, event->class.name, reason));
}

/* Skips the event whose header has been read. */
static bool skip_event(struct ctf_stream *stream)
{
	uint64_t at = stream->cursor.at;

	while (G_UNLIKELY(!ctf_event_skip(stream->event, stream->plan, &stream->cursor))) {
		if (!load_more(stream, at)) {
			return fail(stream, "an event is cut");
		}
		at = stream->cursor.at;
	}
	return true;
}

static inline void have_enough_left(struct ctf_stream *stream)
{
	if (G_UNLIKELY(stream->cursor.end - stream->cursor.at < (size_t)8 * WINDOW_LEFT_MIN) &&
	    !ctf_window_is_last(&stream->window)) {
		move_window(stream, stream->window_size);
	}
}

/*
 * Whether nothing in the packet is of interest, so that its events need not be read: its context records when it ends.
 * Not for tracers with a known bug, where only the last event does.
 */
static bool is_ignored(const struct ctf_stream *stream)
{
	return stream->plan->is_ignored && !stream->ends_packets_early && stream->packet.end >= stream->packet.begin &&
	       stream->packet.end <= stream->ticks_max;
}

/* The next event of interest. False: none in this packet, or stream->error. */
static bool find_event(struct ctf_stream *stream)
{
	struct ctf_cursor *cursor = &stream->cursor;

	if (is_ignored(stream)) {
		return false;
	}
	for (;;) {
		uint64_t id;

		have_enough_left(stream);
		if (cursor->at == cursor->end) {
			return false;
		}
		if (G_UNLIKELY(!ctf_header_read(&stream->plan->header, cursor, &id, &stream->clock))) {
			return fail(stream, "an event header is truncated or of an unknown form");
		}
		stream->event = ctf_stream_plan_event(stream->plan, id);
		if (G_UNLIKELY(stream->event == &ctf_event_undeclared)) {
			return fail(stream, "an event has an id that the metadata does not declare");
		}
		if (stream->event->class.action != CLASS_IGNORE) {
			return true;
		}
		if (!move_to(stream, stream->clock) || !skip_event(stream)) {
			return false;
		}
	}
}

/* The shape of the headers if usual_events_read() can read the event that was found, else ANY. */
static enum ctf_header_shape usual_shape(const struct ctf_stream *stream)
{
	const struct ctf_event_plan *event = stream->event;
	uint64_t size = (uint64_t)MAX(event->sizes[0], event->sizes[1]) + CTF_USUAL_MARGIN;
	bool is_usual = stream->plan->usual && event->usual > CTF_SKIPPED && stream->clock < stream->usual_ticks_end &&
			8 * size <= stream->cursor.end - stream->cursor.at &&
			(stream->thread != RECORDING_NONE || stream->plan->is_system);

	return is_usual ? stream->plan->header.shape : CTF_HEADER_ANY;
}

static bool set_event_head(struct ctf_stream *stream)
{
	enum ctf_head head = stream->event->class.action == CLASS_DECODE ? CTF_HEAD_EVENT : CTF_HEAD_UNKNOWN;
	bool is_set = set_head(stream, head, stream->clock);

	stream->usual = usual_shape(stream);
	stream->usual_end = stream->cursor.end / 8 - CTF_USUAL_MARGIN;
	return is_set;
}

static void note_packet(struct ctf_stream *stream,
			void (*note)(struct recording *recording, uint16_t index, int64_t time_ns))
{
	int64_t time_ns;

	if (ctf_stream_time_ns(stream, stream->last_ticks, &time_ns)) {
		note(stream->recording, stream->index, time_ns);
	}
}

/* There are no more packets, for now or at all. */
static bool end_places(struct ctf_stream *stream)
{
	ctf_window_close(&stream->window);
	if (stream->is_followed) {
		stream->head = CTF_HEAD_NONE;
		return true;
	}
	stream->step = CTF_STEP_END;
	return set_head(stream, CTF_HEAD_STREAM_END, stream->last_ticks);
}

bool ctf_stream_advance(struct ctf_stream *stream)
{
	for (;;) {
		switch (stream->step) {
		case CTF_STEP_EVENTS:
			stream->last_ticks = stream->clock; /* of the last event, which may have been a usual one */
			if (find_event(stream)) {
				return set_event_head(stream);
			}
			if (stream->error || stream->packet.is_cut) {
				return fail(stream, stream->error);
			}
			end_packet(stream);
			stream->step = CTF_STEP_PACKET;
			if (!move_to(stream, stream->clock)) {
				return false;
			}
			note_packet(stream, recording_packet_ends);
			if (stream->has_loss) {
				stream->has_loss = false;
				return set_head(stream, CTF_HEAD_GAP, stream->clock);
			}
			break;
		case CTF_STEP_PACKET:
			if (stream->next_place == stream->places->len) {
				return end_places(stream);
			}
			if (!open_packet(stream)) {
				return false;
			}
			break;
		case CTF_STEP_DISCARDED_EVENTS:
			stream->step = CTF_STEP_DISCARDED_PACKETS;
			if (has_discarded_events(stream)) {
				stream->has_loss = true;
				recording_packets_are_lost(stream->recording, stream->index);
				return set_head(stream, CTF_HEAD_DISCARDED_EVENTS, loss_begin(stream));
			}
			break;
		case CTF_STEP_DISCARDED_PACKETS:
			stream->step = CTF_STEP_EVENTS_BEGIN;
			if (has_discarded_packets(stream)) {
				recording_packets_are_lost(stream->recording, stream->index);
				return set_head(stream, CTF_HEAD_DISCARDED_PACKETS, stream->previous.end);
			}
			break;
		case CTF_STEP_EVENTS_BEGIN:
			stream->step = CTF_STEP_EVENTS;
			if (!move_to(stream, stream->packet.begin)) {
				return false;
			}
			note_packet(stream, recording_packet_begins);
			if (stream->has_loss && begins_after_loss(stream)) {
				return set_head(stream, CTF_HEAD_GAP, stream->packet.begin);
			}
			break;
		case CTF_STEP_END:
			stream->head = CTF_HEAD_NONE;
			return true;
		}
	}
}

uint64_t ctf_stream_offset(const struct ctf_stream *stream)
{
	return stream->window.packet + stream->window.begin + stream->cursor.at / 8;
}

static bool is_same_context(const struct recording_context *one, const struct recording_context *other)
{
	return one->vpid == other->vpid && one->vtid == other->vtid && one->pid_ns == other->pid_ns;
}

void ctf_stream_set_recording(struct ctf_stream *stream, struct recording *recording, uint32_t trace)
{
	stream->recording = recording;
	stream->trace = trace;
	stream->index = recording_add_stream(recording, trace);
	stream->index_head = event_record_head(&(struct event_record){ .stream = stream->index });
	ctf_stream_set_thread(stream, RECORDING_NONE);
}

uint32_t ctf_stream_find_thread(struct ctf_stream *stream, const struct recording_context *context,
				const char *procname, size_t procname_length)
{
	uint32_t thread = recording_find_thread(stream->recording, stream->trace, context);

	if (thread == RECORDING_NONE) {
		g_autofree char *name = procname ? g_strndup(procname, procname_length) : NULL;

		thread = recording_add_thread(stream->recording, stream->trace, context, name);
	}
	return thread;
}

/* CARET records some events late, with the time they belong to in ticks of the trace's clock. */
static void set_init_time(struct ctf_stream *stream, struct recording *recording, uint64_t ticks,
			  struct event_record *record)
{
	int64_t init_ns;

	if (ticks == 0 || ticks > stream->clock || !ctf_stream_time_ns(stream, ticks, &init_ns)) {
		count_unknown(recording, stream->event, "init_timestamp is not a time before the event");
		return;
	}
	record->word[EVENT_SLOT_INIT_TIME] = (uint64_t)init_ns;
	record->present |= 1u << EVENT_SLOT_INIT_TIME;
	record->flags |= RECORD_HAS_INIT_TIME;
}

static uint32_t thread_of(struct ctf_stream *stream, const struct recording_context *context, const char *procname,
			  size_t procname_length)
{
	if (G_UNLIKELY(stream->thread == RECORDING_NONE || !is_same_context(context, &stream->last_context))) {
		stream->last_context = *context;
		ctf_stream_set_thread(stream, ctf_stream_find_thread(stream, context, procname, procname_length));
	}
	return stream->thread;
}

uint32_t ctf_stream_ids(const struct ctf_stream *stream, const struct recording_context *context)
{
	return context->has_vpid && context->has_vtid ? recording_add_ids(stream->recording, context) : RECORDING_NONE;
}

/* False: the loaded bytes end before the event. */
static bool read_loaded_event(struct ctf_stream *stream, struct recording *recording, GByteArray *scratch,
			      int64_t *last_ns, struct event_record *record)
{
	struct recording_context context;
	struct ctf_cursor after_context;
	const char *procname;
	size_t procname_length;
	uint64_t init_ticks;

	if (!ctf_context_read(&stream->plan->context, &stream->cursor, &context, &procname, &procname_length)) {
		return false;
	}
	record->time_ns = stream->head_ns;
	record->thread = stream->event->class.is_system ? ctf_stream_ids(stream, &context)
							: thread_of(stream, &context, procname, procname_length);
	record->stream = stream->index;
	record->kind = (uint8_t)stream->event->class.kind;
	record->flags = stream->event->class.flags & 3;
	record->present = 0;
	if (G_UNLIKELY(stream->event->class.has_kind && record->kind == EVENT_RCL_NODE_INIT)) {
		recording_name_process(recording, record->thread, procname, procname_length);
	}
	if (G_UNLIKELY(!stream->event->class.has_kind)) {
		*last_ns = stream->head_ns;
		return ctf_event_read_point(stream->event, &stream->cursor, stream->points, record);
	}
	after_context = stream->cursor;
	if (!ctf_event_read(stream->event, &stream->cursor, recording_pool(recording), scratch, record, &init_ticks)) {
		return false;
	}
	if (G_UNLIKELY(stream->event->point)) {
		stream->point = *record;
		stream->has_point = ctf_event_read_point(stream->event, &after_context, stream->points, &stream->point);
	}
	*last_ns = stream->head_ns;
	if (stream->event->has_init_time) {
		set_init_time(stream, recording, init_ticks <= INT64_MAX ? init_ticks : 0, record);
	}
	return true;
}

static bool read_event(struct ctf_stream *stream, struct recording *recording, GByteArray *scratch, int64_t *last_ns,
		       struct event_record *record)
{
	uint64_t at = stream->cursor.at;

	while (G_UNLIKELY(!read_loaded_event(stream, recording, scratch, last_ns, record))) {
		if (!load_more(stream, at)) {
			return fail(stream, "an event is cut");
		}
		at = stream->cursor.at;
	}
	return true;
}

bool ctf_stream_read_counters(struct ctf_stream *stream, struct event_record *records, size_t *count)
{
	const struct ctf_context_plan *plan = &stream->plan->context;
	uint64_t values[RECORD_COUNTERS_MAX];

	*count = 0;
	if (G_LIKELY(stream->head != CTF_HEAD_EVENT || !stream->event->has_counters)) {
		return true;
	}
	while (G_UNLIKELY(!ctf_context_read_counters(plan, &stream->cursor, values))) {
		if (!load_more(stream, stream->cursor.at)) {
			return fail(stream, "an event is cut");
		}
	}
	*count = plan->counters->len;
	for (guint i = 0; i < plan->counters->len; i++) {
		records[i] = (struct event_record){
			.time_ns = stream->head_ns,
			.stream = stream->index,
			.kind = RECORD_COUNTER,
			.present = 1u << RECORD__counter_name | 1u << RECORD__counter_value,
		};
		records[i].word[RECORD__counter_name] =
			(uint64_t)(uintptr_t)g_array_index(plan->counters, struct ctf_counter, i).name;
		records[i].word[RECORD__counter_value] = values[i];
	}
	return true;
}

static void start_record(const struct ctf_stream *stream, enum record_kind kind, int64_t *last_ns,
			 struct event_record *record)
{
	*last_ns = stream->head_ns;
	*record = (struct event_record){
		.time_ns = stream->head_ns,
		.thread = RECORDING_NONE,
		.stream = stream->index,
		.kind = (uint8_t)kind,
	};
}

static void read_loss(const struct ctf_stream *stream, enum record_kind kind, bool has_count, uint64_t count,
		      uint64_t end, int64_t *last_ns, struct event_record *record)
{
	int64_t end_ns;

	start_record(stream, kind, last_ns, record);
	if (!ctf_stream_time_ns(stream, end, &end_ns)) {
		end_ns = *last_ns;
	}
	record->word[RECORD__count] = has_count && count <= RECORD_COUNT_MAX ? count : RECORD_COUNT_UNKNOWN;
	record->word[RECORD__end_ns] = (uint64_t)end_ns;
	record->present = 1u << RECORD__count | 1u << RECORD__end_ns;
}

bool ctf_stream_read(struct ctf_stream *stream, struct recording *recording, GByteArray *scratch, int64_t *last_ns,
		     struct event_record *record)
{
	int64_t last_known_ns;

	switch (stream->head) {
	case CTF_HEAD_EVENT:
		return read_event(stream, recording, scratch, last_ns, record);
	case CTF_HEAD_DISCARDED_EVENTS:
		read_loss(stream, RECORD_DISCARDED_EVENTS, stream->previous.discarded != CTF_COUNTER_NONE,
			  stream->packet.discarded - stream->previous.discarded, stream->packet.end, last_ns, record);
		return true;
	case CTF_HEAD_DISCARDED_PACKETS:
		read_loss(stream, RECORD_DISCARDED_PACKETS, true,
			  stream->packet.sequence_number - stream->previous.sequence_number - 1, stream->packet.begin,
			  last_ns, record);
		return true;
	case CTF_HEAD_GAP:
		start_record(stream, RECORD_GAP, last_ns, record);
		return true;
	case CTF_HEAD_STREAM_END:
		/* It has no time of its own. */
		last_known_ns = *last_ns;
		start_record(stream, RECORD_STREAM_END, last_ns, record);
		record->time_ns = *last_ns = last_known_ns;
		return true;
	case CTF_HEAD_UNKNOWN:
	case CTF_HEAD_NONE:
		break;
	}
	return fail(stream, "read after its end");
}

bool ctf_stream_take_point(struct ctf_stream *stream, struct event_record *record)
{
	bool has_point = stream->has_point;

	if (G_UNLIKELY(has_point)) {
		*record = stream->point;
		stream->has_point = false;
	}
	return has_point;
}

bool ctf_stream_pass(struct ctf_stream *stream, struct recording *recording)
{
	count_unknown(recording, stream->event, stream->event->class.reason);
	return skip_event(stream);
}
