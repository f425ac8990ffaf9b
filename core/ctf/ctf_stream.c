/* SPDX-License-Identifier: MIT */
#include "core/ctf/ctf_stream.h"

#include "core/ctf/ctf_read.h"
#include "ros2bt/base/time_units.h"
#include "ros2bt/base/unique_ids.h"

/* The window moves on when less is left in it: more than an event header and most events take. */
#define WINDOW_LEFT_MIN 512
#define EVENT_SIZE_MAX ((size_t)64 * 1024 * 1024)

/* Bytes: what is viewed without a copy is fetched that far ahead, for the processor itself stops at the end of a page.
 */
#define FETCHED_AHEAD 1024

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
	}
}

struct ctf_stream *ctf_stream_create(const struct ctf_trace_class *trace_class, GPtrArray *plans,
				     const struct ctf_stream_plan *plan, uint64_t instance_id)
{
	struct ctf_stream *stream = g_new0(struct ctf_stream, 1);

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
	stream->ids = RECORDING_NONE;
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
	g_free(stream);
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

	if (stream->plan->packet_seq_num && ctf_stream_time_ns(stream, stream->packet.begin, &begin_ns)) {
		recording_set_stream_lost_before(stream->recording, stream->index, stream->packet.sequence_number,
						 begin_ns);
	}
}

static bool has_discarded_packets(const struct ctf_stream *stream)
{
	return stream->plan->packet_seq_num && stream->previous.sequence_number != CTF_COUNTER_NONE &&
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
	if (!stream->plan->events_discarded) {
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
		if (G_UNLIKELY(!stream->event)) {
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
			if (find_event(stream)) {
				return set_head(stream,
						stream->event->class.action == CLASS_DECODE ? CTF_HEAD_EVENT
											    : CTF_HEAD_UNKNOWN,
						stream->clock);
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

static void find_thread(struct ctf_stream *stream, struct recording *recording, const struct recording_context *context,
			const char *procname, size_t procname_length)
{
	stream->last_context = *context;
	stream->thread = recording_find_thread(recording, stream->trace, context);
	if (stream->thread == RECORDING_NONE) {
		g_autofree char *name = procname ? g_strndup(procname, procname_length) : NULL;

		stream->thread = recording_add_thread(recording, stream->trace, context, name);
	}
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

static uint32_t thread_of(struct ctf_stream *stream, struct recording *recording,
			  const struct recording_context *context, const char *procname, size_t procname_length)
{
	if (G_UNLIKELY(stream->thread == RECORDING_NONE || !is_same_context(context, &stream->last_context))) {
		find_thread(stream, recording, context, procname, procname_length);
	}
	return stream->thread;
}

/* What events of a kernel have in place of the thread (event_record.h). */
static uint32_t ids_of(struct ctf_stream *stream, struct recording *recording, const struct recording_context *context)
{
	if (!context->has_vpid || !context->has_vtid) {
		return RECORDING_NONE;
	}
	if (G_UNLIKELY(stream->ids == RECORDING_NONE || !is_same_context(context, &stream->last_ids))) {
		stream->last_ids = *context;
		stream->ids = recording_add_ids(recording, context);
	}
	return stream->ids;
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
	record->thread = stream->event->class.is_system
				 ? ids_of(stream, recording, &context)
				 : thread_of(stream, recording, &context, procname, procname_length);
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

/* The thread of an event whose context is all copies. */
static inline __attribute__((always_inline)) uint32_t copied_thread(struct ctf_stream *stream,
								    struct recording *recording, const uint8_t *bytes)
{
	const struct ctf_context_plan *plan = &stream->plan->context;
	struct recording_context context = { .has_vpid = true, .has_vtid = true };

	context.vpid = (int32_t)ctf_load32(bytes + plan->vpid_copy.offset, false);
	context.vtid = (int32_t)ctf_load32(bytes + plan->vtid_copy.offset, false);
	/* one without pid_ns, as all others of the stream: it is the same if these are */
	if (G_UNLIKELY(context.vtid != stream->last_context.vtid || context.vpid != stream->last_context.vpid ||
		       stream->thread == RECORDING_NONE)) {
		const struct ctf_member *procname = &plan->procname;

		find_thread(stream, recording, &context, procname->load ? (const char *)bytes + procname->offset : NULL,
			    procname->load ? procname->type->length : 0);
	}
	return stream->thread;
}

/* The same for an event of a kernel: its ids. */
static inline __attribute__((always_inline)) uint32_t copied_ids(struct ctf_stream *stream, struct recording *recording,
								 const uint8_t *bytes)
{
	const struct ctf_context_plan *plan = &stream->plan->context;
	struct recording_context context = { .has_vpid = true, .has_vtid = true };

	if (!plan->has_ids) {
		return RECORDING_NONE;
	}
	context.vpid = (int32_t)ctf_copy_load(&plan->vpid_copy, bytes);
	context.vtid = (int32_t)ctf_copy_load(&plan->vtid_copy, bytes);
	if (plan->pid_ns.load) {
		context.has_pid_ns = true;
		context.pid_ns = ctf_copy_load(&plan->pid_ns_copy, bytes);
		context.vpid = unique_id_recorded(context.vpid);
		context.vtid = unique_id_recorded(context.vtid);
	}
	return ids_of(stream, recording, &context);
}

static inline __attribute__((always_inline)) void copy_texts(struct ctf_stream *stream,
							     const struct ctf_event_plan *event,
							     struct recording *recording, const uint8_t *payload,
							     struct event_record *record)
{
	const struct ctf_comm_copy *comm = event->comms;

	for (const struct ctf_comm_copy *end = comm + event->comm_count; comm < end; comm++) {
		record->word[comm->slot] = (uint64_t)(uintptr_t)comm_cache_get(stream->comms, recording_pool(recording),
									       payload + comm->offset);
	}
	if (event->class.text) {
		record->word[event->class.text_slot] = (uint64_t)(uintptr_t)event->class.text;
	}
}

/* The form of the headers, which is a constant in each of the loops that read them. */
struct usual_header {
	unsigned int id_bits, time_bits;
	bool is_aligned; /* CTF_HEADER_ALIGNED_… */
};

/* In which half of 8 bytes `at` is, where that matters. */
static inline unsigned int phase_at(struct usual_header form, uint64_t at)
{
	return form.is_aligned ? at / CTF_PHASE_BITS % CTF_PHASES : 0;
}

/* The context of an event whose header ends at `bytes`. */
static inline const uint8_t *usual_context(const struct ctf_stream *stream, struct usual_header form,
					   const uint8_t *bytes, unsigned int phase)
{
	return form.is_aligned ? bytes + stream->plan->context.begins[phase] : bytes;
}

/* Reads an event that is all copies, but for its time; `bytes` are those behind its header. */
static inline __attribute__((always_inline)) void copy_event(struct ctf_stream *stream,
							     const struct ctf_event_plan *event,
							     struct recording *recording, const uint8_t *bytes,
							     struct usual_header form, unsigned int phase,
							     bool is_system, struct event_record *record)
{
	const struct ctf_copy *copy = event->copies;
	const uint8_t *context = usual_context(stream, form, bytes, phase);

	record->thread = is_system ? copied_ids(stream, recording, context) : copied_thread(stream, recording, context);
	record->stream = stream->index;
	record->kind = (uint8_t)event->class.kind;
	record->flags = event->class.flags & 3;
	record->present = event->present & 0x3f;
	bytes += event->layouts[phase].payload;
	if (is_system) {
		copy_texts(stream, event, recording, bytes, record);
	}
	for (const struct ctf_copy *end = copy + event->whole_count; copy < end; copy++) {
		record->word[copy->slot] = ctf_load64(bytes + copy->offset, false);
	}
	for (const struct ctf_copy *end = event->copies + event->copy_count; copy < end; copy++) {
		record->word[copy->slot] = ctf_copy_load(copy, bytes);
	}
}

/* Whether an event at `at` is all copies, with the bytes that the last of them may read. */
static inline bool is_usual(const struct ctf_event_plan *event, uint64_t end, uint64_t at, unsigned int phase)
{
	return event->is_copied && at + event->layouts[phase].size + 64 <= end;
}

/* Where an event or its header begins, and the clock there. */
struct usual_place {
	uint64_t at; /* bits */
	uint64_t clock;
};

/*
 * The id in the long header at `place`, of which the id and the time begin at these bits; `place` is behind it then.
 * UINT64_MAX: it is unusual, as is a time that no record can have.
 */
static inline __attribute__((always_inline)) uint64_t
load_long_header(const struct ctf_stream *stream, struct usual_place *place, uint64_t id_at, uint64_t time_at)
{
	uint64_t clock;

	if (!stream->plan->header.has_long_form || time_at + 64 > stream->cursor.end) {
		return UINT64_MAX;
	}
	clock = ctf_load64(stream->cursor.packet + time_at / 8, false);
	if (clock < place->clock || clock > stream->ticks_max) {
		return UINT64_MAX;
	}
	*place = (struct usual_place){ time_at + 64, clock };
	return ctf_load32(stream->cursor.packet + id_at / 8, false);
}

/* Behind a tag of whole bytes. */
static G_GNUC_NO_INLINE uint64_t find_long_header(const struct ctf_stream *stream, struct usual_place *place,
						  unsigned int tag_bytes)
{
	uint64_t id_at = place->at + (uint64_t)8 * tag_bytes;

	return load_long_header(stream, place, id_at, id_at + 32);
}

static G_GNUC_NO_INLINE uint64_t find_aligned_long_header(const struct ctf_stream *stream, struct usual_place *place,
							  unsigned int tag_bytes)
{
	uint64_t id_at = ctf_align_up(place->at + (uint64_t)8 * tag_bytes, 64);

	return load_long_header(stream, place, id_at, id_at + 64);
}

/* Bits that are loaded for a header. */
#define HEADER_LOADED 64
#define HEADER_LOADED_ALIGNED 128

/*
 * The id in the short header at *at, which is then behind it, and the clock there. A long one gives the largest id of
 * the form, and leaves *at in front of it.
 */
static inline __attribute__((always_inline)) uint64_t load_header(const uint8_t *packet, uint64_t *at, uint64_t *clock,
								  struct usual_header form)
{
	const uint64_t id_long = (UINT64_C(1) << form.id_bits) - 1, time_mask = (UINT64_C(1) << form.time_bits) - 1;
	const bool is_whole = form.id_bits % 8 == 0;
	uint64_t bits, id, time_at;

	if (form.is_aligned) {
		*at = ctf_align_up(*at, is_whole ? form.id_bits : form.id_bits + form.time_bits);
	}
	bits = ctf_load64(packet + *at / 8, false);
	id = bits & id_long;
	if (G_UNLIKELY(id == id_long)) {
		return id;
	}
	time_at = *at + form.id_bits;
	bits >>= form.id_bits;
	if (form.is_aligned && is_whole) {
		time_at = ctf_align_up(time_at, form.time_bits);
		bits = ctf_load32(packet + time_at / 8, false);
	}
	*clock += (bits - *clock) & time_mask;
	*at = time_at + form.time_bits;
	return id;
}

/*
 * Skips ignored events, from the end of an event at `place` to behind the header of the next wanted one; *header is in
 * front of that header. NULL: something unusual comes first, and `place` is undefined.
 */
static inline __attribute__((always_inline)) const struct ctf_event_plan *find_usual(const struct ctf_stream *stream,
										     struct usual_place *place,
										     struct usual_place *header,
										     struct usual_header form)
{
	const uint64_t id_long = (UINT64_C(1) << form.id_bits) - 1;
	const uint32_t *skips = (const uint32_t *)(const void *)stream->plan->skips->data;
	const uint64_t id_end = stream->plan->events->len;
	const uint8_t *packet = stream->cursor.packet;
	const uint64_t end = stream->cursor.end;

	for (;;) {
		uint64_t id;
		uint32_t skip;

		*header = *place;
		if (G_UNLIKELY(place->at + (form.is_aligned ? HEADER_LOADED_ALIGNED : HEADER_LOADED) > end)) {
			return NULL;
		}
		id = load_header(packet, &place->at, &place->clock, form);
		if (G_UNLIKELY(id == id_long)) {
			const unsigned int tag_bytes = (form.id_bits + 7) / 8;

			id = form.is_aligned ? find_aligned_long_header(stream, place, tag_bytes)
					     : find_long_header(stream, place, tag_bytes);
		}
		if (G_UNLIKELY(id >= id_end)) {
			return NULL;
		}
		__builtin_prefetch(packet + place->at / 8 + FETCHED_AHEAD);
		skip = skips[CTF_PHASES * id + phase_at(form, place->at)];
		if (skip == 0) {
			return stream->plan->events->pdata[id];
		}
		place->at += skip;
		if (G_UNLIKELY(place->at > end)) {
			return NULL;
		}
	}
}

static inline int64_t usual_time_ns(const struct ctf_stream *stream, uint64_t clock)
{
	return (int64_t)(clock + (uint64_t)stream->offset_ns);
}

/* Whether what find_usual() has found can be read at `place`. */
static inline bool is_usual_at(const struct ctf_stream *stream, const struct ctf_event_plan *event,
			       const struct usual_place *place, const struct usual_place *header,
			       struct usual_header form)
{
	return event && is_usual(event, stream->cursor.end, place->at, phase_at(form, place->at)) &&
	       place->clock <= stream->ticks_max && place->clock >= header->clock;
}

static inline bool has_room(const struct ctf_polls *polls)
{
	return polls->next < polls->end;
}

static inline bool has_room_for_calls(const struct ctf_calls *calls)
{
	return calls->next < calls->end;
}

/* Whether the times of that many events can all be converted, so that they need not be checked one by one. */
static inline bool has_time_for(const struct ctf_stream *stream, const struct usual_place *place, size_t events,
				unsigned int time_bits)
{
	return place->clock < stream->ticks_max && stream->ticks_max - place->clock > (uint64_t)events << time_bits;
}

/*
 * The polls from `place`, which is in front of a header, as long as nothing else comes and they are of the thread whose
 * context is at `thread`. Gives the end of what it has written to `poll`.
 */
static inline __attribute__((always_inline)) struct poll *copy_polls(const struct ctf_stream *stream,
								     struct usual_place *place, const uint8_t *thread,
								     struct poll *poll, struct usual_header form)
{
	const uint64_t id_long = (UINT64_C(1) << form.id_bits) - 1;
	const struct ctf_poll_form *forms = (const struct ctf_poll_form *)(const void *)stream->plan->polls->data;
	const uint64_t id_end = MIN(stream->plan->polls->len, id_long);
	const size_t vpid_offset = stream->plan->context.vpid_copy.offset;
	const size_t vtid_offset = stream->plan->context.vtid_copy.offset;
	const uint32_t vpid = ctf_load32(thread + vpid_offset, false), vtid = ctf_load32(thread + vtid_offset, false);
	const uint8_t *packet = stream->cursor.packet, *at = packet + place->at / 8;
	const uint8_t *end = packet + stream->cursor.end / 8 - MIN(stream->cursor.end / 8, CTF_POLL_SIZE_MAX);
	const struct poll *poll_end = stream->polls->end;
	uint64_t clock = place->clock;

	while (at < end && poll < poll_end) {
		uint64_t next_clock = clock, body_at = 8 * (uint64_t)(at - packet);
		uint64_t id = load_header(packet, &body_at, &next_clock, form);
		const unsigned int phase = phase_at(form, body_at);
		const uint8_t *body = form.is_aligned ? packet + body_at / 8 : at + (form.id_bits + form.time_bits) / 8;
		const uint8_t *context = usual_context(stream, form, body, phase);
		const struct ctf_poll_form *poll_form;

		if (id >= id_end || ctf_load32(context + vtid_offset, false) != vtid ||
		    ctf_load32(context + vpid_offset, false) != vpid) {
			break;
		}
		poll_form = &forms[id];
		if (poll_form->kind == POLL_NONE) {
			break;
		}
		clock = next_clock;
		__builtin_prefetch(at + FETCHED_AHEAD);
		poll->time_ns = usual_time_ns(stream, clock);
		poll->kind = poll_form->kind == POLL_FIND ? POLL_FIND : ctf_poll_form_kind(poll_form, body, phase);
		poll++;
		at = body + poll_form->size[phase];
	}
	*place = (struct usual_place){ 8 * (uint64_t)(at - packet), clock };
	return poll;
}

/* Joins the polls of one thread, from the one at `place` on, to one record; `place` is behind the last one then. */
static inline __attribute__((always_inline)) void read_polls(struct ctf_stream *stream, struct recording *recording,
							     const struct ctf_event_plan *event,
							     struct usual_place *place, struct event_record *record,
							     struct usual_header form)
{
	const unsigned int phase = phase_at(form, place->at);
	const uint8_t *bytes = stream->cursor.packet + place->at / 8;
	const uint8_t *context = usual_context(stream, form, bytes, phase);
	const struct ctf_poll_form *poll_form = &g_array_index(stream->plan->polls, struct ctf_poll_form, event->id);
	struct poll *first = stream->polls->next, *next = first + 1;

	*record = (struct event_record){
		.time_ns = usual_time_ns(stream, place->clock),
		.thread = copied_thread(stream, recording, context),
		.stream = stream->index,
		.kind = RECORD_POLLS,
		.present = 1u << RECORD__count | 1u << RECORD__polls,
	};
	*first = (struct poll){ .time_ns = record->time_ns, .kind = ctf_poll_form_kind(poll_form, bytes, phase) };
	place->at += event->layouts[phase].size;
	if (G_LIKELY(has_time_for(stream, place, (size_t)(stream->polls->end - first), form.time_bits))) {
		next = copy_polls(stream, place, context, next, form);
	}
	record->word[RECORD__polls] = (uintptr_t)first;
	record->word[RECORD__count] = (uint64_t)(next - first);
	stream->polls->next = next;
}

/*
 * The system calls from `place`, which is in front of a header, as long as nothing else comes and they are before
 * limit_ns. Gives the end of what it has written to `call`.
 */
static inline __attribute__((always_inline)) struct kernel_call *copy_calls(const struct ctf_stream *stream,
									    struct usual_place *place, int64_t limit_ns,
									    struct kernel_call *call,
									    struct usual_header form)
{
	const uint64_t id_long = (UINT64_C(1) << form.id_bits) - 1;
	const struct ctf_call_form *forms = (const struct ctf_call_form *)(const void *)stream->plan->calls->data;
	const uint64_t id_end = MIN(stream->plan->calls->len, id_long);
	const uint8_t *packet = stream->cursor.packet, *at = packet + place->at / 8;
	const uint8_t *end = packet + stream->cursor.end / 8 - MIN(stream->cursor.end / 8, CTF_POLL_SIZE_MAX);
	const struct kernel_call *call_end = stream->calls->end;
	uint64_t clock = place->clock;

	while (at < end && call < call_end) {
		uint64_t next_clock = clock, body_at = 8 * (uint64_t)(at - packet);
		uint64_t id = load_header(packet, &body_at, &next_clock, form);
		const unsigned int phase = phase_at(form, body_at);

		if (id >= id_end || forms[id].size[phase] == 0 || usual_time_ns(stream, next_clock) >= limit_ns) {
			break;
		}
		clock = next_clock;
		__builtin_prefetch(at + FETCHED_AHEAD);
		call->time_ns = usual_time_ns(stream, clock);
		call->name = forms[id].name;
		call++;
		at = packet + body_at / 8 + forms[id].size[phase];
	}
	*place = (struct usual_place){ 8 * (uint64_t)(at - packet), clock };
	return call;
}

/*
 * Joins the system calls from the one at `place` on, to those that `joined` has, or to the record `next` if that is
 * NULL; gives the record that has them. `place` is behind the last one then.
 */
static inline __attribute__((always_inline)) struct event_record *
read_calls(struct ctf_stream *stream, const struct ctf_event_plan *event, struct usual_place *place, int64_t limit_ns,
	   struct event_record *joined, struct event_record *next, struct usual_header form)
{
	const struct ctf_call_form *call_form = &g_array_index(stream->plan->calls, struct ctf_call_form, event->id);
	struct kernel_call *first = stream->calls->next, *call = first + 1;

	*first = (struct kernel_call){ usual_time_ns(stream, place->clock), call_form->name };
	if (!joined) {
		joined = next;
		*joined = (struct event_record){
			.time_ns = first->time_ns,
			.thread = RECORDING_NONE,
			.stream = stream->index,
			.kind = RECORD_CALLS,
			.present = 1u << RECORD__count | 1u << RECORD__calls,
		};
		joined->word[RECORD__calls] = (uintptr_t)first;
	}
	place->at += event->layouts[phase_at(form, place->at)].size;
	if (G_LIKELY(has_time_for(stream, place, (size_t)(stream->calls->end - first), form.time_bits))) {
		call = copy_calls(stream, place, limit_ns, call, form);
	}
	joined->word[RECORD__count] += (uint64_t)(call - first);
	stream->calls->next = call;
	return joined;
}

enum usual_loop {
	LOOP_EVENTS,
	LOOP_JOINS_POLLS,
	LOOP_SYSTEM, /* of a stream of a kernel */
};

/*
 * A separate loop for each form of headers, with and without polls to be joined, and for streams of a kernel: event
 * after event while they have the usual form.
 */
static inline __attribute__((always_inline)) size_t read_usual(struct ctf_stream *stream, struct recording *recording,
							       int64_t limit_ns, struct event_record *records,
							       size_t max, struct usual_header form,
							       enum usual_loop loop)
{
	const struct ctf_event_plan *event = stream->event;
	const uint8_t *packet = stream->cursor.packet;
	struct usual_place place = { stream->cursor.at, stream->clock }, header;
	int64_t time_ns = stream->head_ns;
	struct event_record *joined = NULL; /* the last record, if it has calls */
	size_t count = 0;

	do {
		if (loop == LOOP_JOINS_POLLS && event->is_poll) {
			read_polls(stream, recording, event, &place, &records[count++], form);
		} else if (loop == LOOP_SYSTEM && event->is_call) {
			count += joined == NULL;
			joined = read_calls(stream, event, &place, limit_ns, joined, &records[count - 1], form);
		} else {
			const unsigned int phase = phase_at(form, place.at);

			records[count].time_ns = time_ns;
			copy_event(stream, event, recording, packet + place.at / 8, form, phase, loop == LOOP_SYSTEM,
				   &records[count++]);
			joined = NULL;
			place.at += event->layouts[phase].size;
		}
		event = find_usual(stream, &place, &header, form);
		if (G_UNLIKELY(!is_usual_at(stream, event, &place, &header, form))) {
			/* leaves the stream in front of it */
			stream->cursor.at = header.at;
			stream->clock = stream->last_ticks = header.clock;
			ctf_stream_advance(stream);
			return count;
		}
		time_ns = usual_time_ns(stream, place.clock);
	} while (time_ns < limit_ns && count < max && (loop != LOOP_JOINS_POLLS || has_room(stream->polls)) &&
		 (loop != LOOP_SYSTEM || has_room_for_calls(stream->calls)));
	/* other streams come next, many of them in a large system */
	__builtin_prefetch(packet + place.at / 8 + 64);
	__builtin_prefetch(packet + place.at / 8 + 128);
	__builtin_prefetch(packet + place.at / 8 + 192);
	stream->event = event;
	stream->head_ns = time_ns;
	stream->cursor.at = place.at;
	stream->clock = stream->last_ticks = place.clock;
	return count;
}

static inline __attribute__((always_inline)) size_t read_form(struct ctf_stream *stream, struct recording *recording,
							      int64_t limit_ns, struct event_record *records,
							      size_t max, struct usual_header form)
{
	if (!is_usual(stream->event, stream->cursor.end, stream->cursor.at, phase_at(form, stream->cursor.at))) {
		return 0;
	}
	if (stream->plan->is_system) {
		return read_usual(stream, recording, limit_ns, records, max, form, LOOP_SYSTEM);
	}
	return stream->plan->has_polls && has_room(stream->polls)
		       ? read_usual(stream, recording, limit_ns, records, max, form, LOOP_JOINS_POLLS)
		       : read_usual(stream, recording, limit_ns, records, max, form, LOOP_EVENTS);
}

size_t ctf_stream_read_usual(struct ctf_stream *stream, struct recording *recording, int64_t limit_ns,
			     struct event_record *records, size_t max)
{
	const struct usual_header compact = { 5, 27, false }, large = { 16, 32, false };
	const struct usual_header aligned_compact = { 5, 27, true }, aligned_large = { 16, 32, true };

	if (!stream->plan->is_usual || !stream->is_clock_in_ns || stream->head != CTF_HEAD_EVENT || max == 0) {
		return 0;
	}
	switch (stream->plan->header.shape) {
	case CTF_HEADER_COMPACT:
		return read_form(stream, recording, limit_ns, records, max, compact);
	case CTF_HEADER_LARGE:
		return read_form(stream, recording, limit_ns, records, max, large);
	case CTF_HEADER_ALIGNED_COMPACT:
		return read_form(stream, recording, limit_ns, records, max, aligned_compact);
	case CTF_HEADER_ALIGNED_LARGE:
		return read_form(stream, recording, limit_ns, records, max, aligned_large);
	case CTF_HEADER_ANY:
		break;
	}
	return 0;
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
