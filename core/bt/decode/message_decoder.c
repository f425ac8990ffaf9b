/* SPDX-License-Identifier: MIT */
#include "ros2bt/bt/message_decoder.h"

#include "core/bt/decode/event_plan.h"
#include "ros2bt/bt/message_time.h"
#include "core/bt/decode/stream_states.h"
#include "core/events/stream_packets.h"
#include "ros2bt/base/u64_map.h"
#include "ros2bt/events/poll.h"

/* Polls of a batch, of which each record of polls has room for a few. */
#define BATCH_POLLS 65536
#define RECORD_POLLS_MAX 8
/* Packets of a batch: the gaps between them are remembered until its last record is fed, and as many from before. */
#define BATCH_PACKETS (APARTS_KEPT / 2)

struct message_decoder {
	struct recording *recording;	       /* borrowed */
	const struct event_interest *interest; /* borrowed */
	struct u64_map plans;		       /* const bt_event_class * → struct event_plan * */
	struct stream_states streams;
	bool is_live;
	int64_t last_ns;    /* the latest known time, for messages without a time */
	int64_t reached_ns; /* message_decoder_reached_ns() */
	GByteArray *scratch;
	struct point_builder points; /* values of the records of a batch */
	unsigned int packet_count;   /* begun in the batch */
	size_t poll_count;	     /* taken of polls */
	struct poll polls[BATCH_POLLS];
};

struct message_decoder *message_decoder_create(struct recording *recording, const struct event_interest *interest,
					       uint64_t mip_version)
{
	struct message_decoder *decoder = g_new0(struct message_decoder, 1);

	decoder->recording = recording;
	decoder->interest = interest;
	u64_map_init(&decoder->plans);
	stream_states_init(&decoder->streams, recording, mip_version);
	decoder->scratch = g_byte_array_new();
	point_builder_init(&decoder->points);
	return decoder;
}

void message_decoder_destroy(struct message_decoder *decoder)
{
	uint64_t key, value;

	if (!decoder) {
		return;
	}
	for (size_t position = 0; u64_map_next(&decoder->plans, &position, &key, &value);) {
		event_plan_destroy((struct event_plan *)(uintptr_t)value);
	}
	u64_map_clear(&decoder->plans);
	stream_states_clear(&decoder->streams);
	g_byte_array_free(decoder->scratch, TRUE);
	point_builder_clear(&decoder->points);
	g_free(decoder);
}

static G_GNUC_NO_INLINE struct event_plan *add_plan(struct message_decoder *decoder, const bt_event_class *event_class)
{
	struct event_plan *plan = event_plan_create(event_class, decoder->interest, recording_pool(decoder->recording));

	u64_map_set_pointer(&decoder->plans, (uintptr_t)event_class, plan);
	return plan;
}

static inline struct event_plan *find_plan(struct message_decoder *decoder, const bt_event_class *event_class)
{
	struct event_plan *plan = u64_map_get_pointer(&decoder->plans, (uintptr_t)event_class);

	return G_LIKELY(plan) ? plan : add_plan(decoder, event_class);
}

/* Rare: an event that is unusable as a whole or in part. */
static G_GNUC_NO_INLINE void count_unknown(struct message_decoder *decoder, const struct event_plan *plan,
					   const char *reason)
{
	recording_count_unknown(decoder->recording,
				recording_add_unknown_class(decoder->recording, plan->class.name, reason));
}

static bool read_time(const bt_clock_snapshot *snapshot, int64_t *time_ns)
{
	return snapshot_time(snapshot, time_ns) && record_time_fits(*time_ns);
}

/* CARET records some events late, with the time they belong to in ticks of the trace's clock. */
static G_GNUC_NO_INLINE void read_init_time(struct message_decoder *decoder, const struct event_plan *plan,
					    const bt_field *payload, const bt_clock_snapshot *snapshot,
					    struct event_record *record)
{
	uint64_t ticks = event_plan_init_ticks(plan, payload);
	int64_t init_ns;

	if (ticks == 0 || ticks > bt_clock_snapshot_get_value(snapshot) ||
	    bt_clock_class_cycles_to_ns_from_origin(bt_clock_snapshot_borrow_clock_class_const(snapshot), ticks,
						    &init_ns) != BT_CLOCK_CLASS_CYCLES_TO_NS_FROM_ORIGIN_STATUS_OK ||
	    !record_time_fits(init_ns)) {
		bt_current_thread_clear_error();
		count_unknown(decoder, plan, "init_timestamp is not a time before the event");
		return;
	}
	record->word[EVENT_SLOT_INIT_TIME] = (uint64_t)init_ns;
	record->present |= 1u << EVENT_SLOT_INIT_TIME;
	record->flags |= RECORD_HAS_INIT_TIME;
}

/* Filters add the classes of events with the events: so far, the stream seemed to have definitions only. */
static G_GNUC_NO_INLINE void note_more(struct message_decoder *decoder, const struct event_plan *plan,
				       const bt_event *event)
{
	if (!plan->class.schema || plan->class.schema->class != EVENT_CLASS_INIT) {
		stream_states_note_more(&decoder->streams,
					stream_states_find(&decoder->streams, bt_event_borrow_stream_const(event)));
	}
}

/* Makes a record of polls of a single one. */
static void begin_polls(struct message_decoder *decoder, struct event_record *record)
{
	struct poll *polls = &decoder->polls[decoder->poll_count];

	polls[0] = poll_of(record);
	decoder->poll_count += RECORD_POLLS_MAX;
	record->kind = RECORD_POLLS;
	record->present = 1u << RECORD__count | 1u << RECORD__polls;
	record->word[RECORD__count] = 1;
	record->word[RECORD__polls] = (uintptr_t)polls;
}

/* Adds a poll to those that its stream has just recorded of its thread. Returns the number of new records. */
static size_t join_poll(struct message_decoder *decoder, struct stream_state *state, struct event_record *record)
{
	struct event_record *joined = state->polls;

	if (!joined || joined->thread != record->thread ||
	    (joined->kind == RECORD_POLLS && joined->word[RECORD__count] == RECORD_POLLS_MAX)) {
		state->polls = record;
		return 1;
	}
	if (joined->kind != RECORD_POLLS) {
		begin_polls(decoder, joined);
	}
	((struct poll *)(uintptr_t)joined->word[RECORD__polls])[joined->word[RECORD__count]++] = poll_of(record);
	return 0;
}

/* Inserts the counters of an event before its record; returns their number. */
static size_t insert_counters(const struct stream_state *state, const bt_event *event, struct event_record *records)
{
	const struct event_record record = records[0];
	const GArray *counters = state->context.counters;
	const bt_field *fields = bt_event_borrow_common_context_field_const(event);

	for (guint i = 0; i < counters->len; i++) {
		const struct counter_plan *counter = &g_array_index(counters, struct counter_plan, i);

		records[i] = (struct event_record){
			.time_ns = record.time_ns,
			.thread = record.thread,
			.stream = record.stream,
			.kind = RECORD_COUNTER,
			.present = 1u << RECORD__counter_name | 1u << RECORD__counter_value,
		};
		records[i].word[RECORD__counter_name] = (uint64_t)(uintptr_t)counter->name;
		records[i].word[RECORD__counter_value] = context_plan_counter(counter, fields);
	}
	records[counters->len] = record;
	return counters->len;
}

/* Of a plan that has_more: completes the record of an event and adds others. Returns their number. */
static G_GNUC_NO_INLINE size_t read_more(struct message_decoder *decoder, const struct event_plan *plan,
					 const struct stream_state *state, const bt_message *message,
					 struct event_record *records)
{
	const bt_event *event = bt_message_event_borrow_event_const(message);
	const bt_field *payload = bt_event_borrow_payload_field_const(event);
	struct event_record point = records[0];
	size_t count = 1;

	if (plan->point) {
		point_plan_read(plan->point, payload, &decoder->points, &point);
		if (!plan->class.has_kind) {
			records[0] = point;
			return 1;
		}
	}
	event_plan_read_others(plan, payload, recording_pool(decoder->recording), decoder->scratch, records);
	if (records->kind == EVENT_RCL_NODE_INIT) {
		stream_state_name_process(state, decoder->recording, event, records->thread);
	}
	if (plan->has_init_time) {
		read_init_time(decoder, plan, payload, bt_message_event_borrow_default_clock_snapshot_const(message),
			       records);
	}
	if (plan->class.wants_counters) {
		count += insert_counters(state, event, records);
	}
	if (plan->point) {
		records[count++] = point;
	}
	return count;
}

static inline size_t decode_event(struct message_decoder *decoder, const bt_message *message,
				  struct event_record *record)
{
	const bt_event *event = bt_message_event_borrow_event_const(message);
	const struct event_plan *plan = find_plan(decoder, bt_event_borrow_class_const(event));
	struct stream_state *state;
	int64_t time_ns;
	uint32_t thread;

	if (G_UNLIKELY(decoder->streams.definitions_only > 0)) {
		note_more(decoder, plan, event);
	}
	if (plan->class.action != CLASS_DECODE) {
		if (plan->class.action == CLASS_UNKNOWN) {
			count_unknown(decoder, plan, plan->class.reason);
		}
		return 0;
	}
	state = stream_states_find(&decoder->streams, bt_event_borrow_stream_const(event));
	if (G_UNLIKELY(!state->has_clock)) {
		count_unknown(decoder, plan, "its stream has no clock");
		return 0;
	}
	if (!read_time(bt_message_event_borrow_default_clock_snapshot_const(message), &time_ns)) {
		count_unknown(decoder, plan, "its time is not within the years 1824 to 2115");
		return 0;
	}
	thread = plan->class.is_system ? stream_state_ids(state, decoder->recording, event)
				       : stream_state_thread(state, decoder->recording, event);
	decoder->last_ns = record->time_ns = time_ns;
	event_record_set_head(record, plan->record_head | state->record_head | event_record_thread_head(thread));
	event_plan_read_integers(plan, bt_event_borrow_payload_field_const(event), record);
	if (plan->joins_polls) {
		return join_poll(decoder, state, record);
	}
	state->polls = NULL;
	return G_LIKELY(!plan->has_more) ? 1 : read_more(decoder, plan, state, message, record);
}

/* The time of a snapshot; the latest known time if there is none, or if it does not fit. */
static int64_t time_of(const struct message_decoder *decoder, const bt_clock_snapshot *snapshot)
{
	int64_t time_ns;

	return snapshot && read_time(snapshot, &time_ns) ? time_ns : decoder->last_ns;
}

static void start_record(struct message_decoder *decoder, struct event_record *record, enum record_kind kind,
			 struct stream_state *state, int64_t time_ns)
{
	decoder->last_ns = time_ns;
	state->polls = NULL;
	*record = (struct event_record){
		.time_ns = time_ns,
		.thread = RECORDING_NONE,
		.stream = state->index,
		.kind = (uint8_t)kind,
	};
}

/* Events or packets were lost, from a time to another one, which may be unknown (NULL). */
static void lose(struct message_decoder *decoder, struct event_record *record, enum record_kind kind,
		 struct stream_state *state, const bt_clock_snapshot *begin, const bt_clock_snapshot *end,
		 uint64_t count)
{
	start_record(decoder, record, kind, state, time_of(decoder, begin));
	record->word[RECORD__count] = count <= RECORD_COUNT_MAX ? count : RECORD_COUNT_UNKNOWN;
	record->word[RECORD__end_ns] = (uint64_t)(end ? time_of(decoder, end) : record->time_ns);
	record->present = 1u << RECORD__count | 1u << RECORD__end_ns;
	recording_packets_are_lost(decoder->recording, state->index);
}

static bool decode_discarded_events(struct message_decoder *decoder, const bt_message *message,
				    struct event_record *record)
{
	const bt_stream *stream = bt_message_discarded_events_borrow_stream_const(message);
	const bt_stream_class *stream_class = bt_stream_borrow_class_const(stream);
	struct stream_state *state = stream_states_find(&decoder->streams, stream);
	const bt_clock_snapshot *begin = NULL, *end = NULL;
	uint64_t count;

	if (bt_stream_class_discarded_events_have_default_clock_snapshots(stream_class)) {
		begin = bt_message_discarded_events_borrow_beginning_default_clock_snapshot_const(message);
		end = bt_message_discarded_events_borrow_end_default_clock_snapshot_const(message);
	}
	if (bt_message_discarded_events_get_count(message, &count) != BT_PROPERTY_AVAILABILITY_AVAILABLE) {
		count = RECORD_COUNT_UNKNOWN;
	}
	lose(decoder, record, RECORD_DISCARDED_EVENTS, state, begin, end, count);
	state->has_loss = true;
	state->loss_begin_ns = record->time_ns;
	return true;
}

static bool decode_discarded_packets(struct message_decoder *decoder, const bt_message *message,
				     struct event_record *record)
{
	const bt_stream *stream = bt_message_discarded_packets_borrow_stream_const(message);
	const bt_stream_class *stream_class = bt_stream_borrow_class_const(stream);
	struct stream_state *state = stream_states_find(&decoder->streams, stream);
	const bt_clock_snapshot *begin = NULL, *end = NULL;
	uint64_t count;

	if (bt_stream_class_discarded_packets_have_default_clock_snapshots(stream_class)) {
		begin = bt_message_discarded_packets_borrow_beginning_default_clock_snapshot_const(message);
		end = bt_message_discarded_packets_borrow_end_default_clock_snapshot_const(message);
	}
	if (bt_message_discarded_packets_get_count(message, &count) != BT_PROPERTY_AVAILABILITY_AVAILABLE) {
		count = RECORD_COUNT_UNKNOWN;
	}
	lose(decoder, record, RECORD_DISCARDED_PACKETS, state, begin, end, count);
	return true;
}

/* LTTng has a buffer for each CPU, and names it in the context of every packet. */
static void read_cpu(struct message_decoder *decoder, const struct stream_state *state, const bt_packet *packet)
{
	const bt_field *context = bt_packet_borrow_context_field_const(packet);
	const bt_field *cpu = context ? bt_field_structure_borrow_member_field_by_name_const(context, "cpu_id") : NULL;

	recording_set_stream_cpu(
		decoder->recording, state->index,
		cpu && bt_field_class_type_is(bt_field_get_class_type(cpu), BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER)
			? bt_field_integer_unsigned_get_value(cpu)
			: UINT64_MAX);
}

static void begin_stream(struct message_decoder *decoder, const bt_message *message)
{
	const struct stream_state *state =
		stream_states_find(&decoder->streams, bt_message_stream_beginning_borrow_stream_const(message));

	recording_set_stream_has_more(decoder->recording, state->index, !decoder->is_live);
}

/* A live session, which has come to the time of the message: a stream that has not ended need not have more packets. */
static void be_live(struct message_decoder *decoder, const bt_message *message)
{
	(void)message_time(message, &decoder->reached_ns);
	for (size_t i = 0; !decoder->is_live && i < recording_stream_count(decoder->recording); i++) {
		recording_set_stream_has_more(decoder->recording, (uint16_t)i, false);
	}
	decoder->is_live = true;
}

static bool decode_packet_begin(struct message_decoder *decoder, const bt_message *message, struct event_record *record)
{
	const bt_packet *packet = bt_message_packet_beginning_borrow_packet_const(message);
	const bt_stream *stream = bt_packet_borrow_stream_const(packet);
	struct stream_state *state = stream_states_find(&decoder->streams, stream);
	int64_t time_ns;

	state->polls = NULL;
	decoder->packet_count++;
	read_cpu(decoder, state, packet);
	if (!bt_stream_class_packets_have_beginning_default_clock_snapshot(bt_stream_borrow_class_const(stream))) {
		return false;
	}
	time_ns = time_of(decoder, bt_message_packet_beginning_borrow_default_clock_snapshot_const(message));
	recording_packet_begins(decoder->recording, state->index, time_ns);
	if (!state->has_loss || time_ns <= state->loss_begin_ns) {
		return false;
	}
	start_record(decoder, record, RECORD_GAP, state, time_ns);
	return true;
}

static bool decode_packet_end(struct message_decoder *decoder, const bt_message *message, struct event_record *record)
{
	const bt_stream *stream = bt_packet_borrow_stream_const(bt_message_packet_end_borrow_packet_const(message));
	struct stream_state *state = stream_states_find(&decoder->streams, stream);
	const bt_clock_snapshot *snapshot = NULL;

	if (bt_stream_class_packets_have_end_default_clock_snapshot(bt_stream_borrow_class_const(stream))) {
		snapshot = bt_message_packet_end_borrow_default_clock_snapshot_const(message);
		recording_packet_ends(decoder->recording, state->index, time_of(decoder, snapshot));
	}
	if (!state->has_loss) {
		return false;
	}
	state->has_loss = false;
	start_record(decoder, record, RECORD_GAP, state, time_of(decoder, snapshot));
	return true;
}

static bool decode_stream_end(struct message_decoder *decoder, const bt_message *message, struct event_record *record)
{
	struct stream_state *state =
		stream_states_find(&decoder->streams, bt_message_stream_end_borrow_stream_const(message));
	const bt_clock_snapshot *snapshot = NULL;

	if (state->has_clock && bt_message_stream_end_borrow_default_clock_snapshot_const(message, &snapshot) !=
					BT_MESSAGE_STREAM_CLOCK_SNAPSHOT_STATE_KNOWN) {
		snapshot = NULL;
	}
	recording_set_stream_has_more(decoder->recording, state->index, false);
	start_record(decoder, record, RECORD_STREAM_END, state, time_of(decoder, snapshot));
	stream_states_remove(&decoder->streams, state);
	return true;
}

void message_decoder_begin_batch(struct message_decoder *decoder)
{
	point_builder_begin_batch(&decoder->points);
	stream_states_begin_batch(&decoder->streams);
	decoder->packet_count = 0;
	decoder->poll_count = 0;
	decoder->reached_ns = INT64_MIN;
}

int64_t message_decoder_reached_ns(const struct message_decoder *decoder)
{
	return decoder->reached_ns;
}

bool message_decoder_is_full(const struct message_decoder *decoder)
{
	return point_builder_is_full(&decoder->points) || decoder->poll_count == BATCH_POLLS ||
	       decoder->packet_count == BATCH_PACKETS;
}

enum normalized_how message_decoder_how(struct message_decoder *decoder, const bt_event_class *event_class)
{
	return find_plan(decoder, event_class)->class.mark.how;
}

/* Rare: whatever is no event. */
static G_GNUC_NO_INLINE bool decode_other(struct message_decoder *decoder, const bt_message *message,
					  struct event_record *record)
{
	switch (bt_message_get_type(message)) {
	case BT_MESSAGE_TYPE_STREAM_BEGINNING:
		begin_stream(decoder, message);
		return false;
	case BT_MESSAGE_TYPE_MESSAGE_ITERATOR_INACTIVITY:
		be_live(decoder, message);
		return false;
	case BT_MESSAGE_TYPE_PACKET_BEGINNING:
		return decode_packet_begin(decoder, message, record);
	case BT_MESSAGE_TYPE_PACKET_END:
		return decode_packet_end(decoder, message, record);
	case BT_MESSAGE_TYPE_DISCARDED_EVENTS:
		return decode_discarded_events(decoder, message, record);
	case BT_MESSAGE_TYPE_DISCARDED_PACKETS:
		return decode_discarded_packets(decoder, message, record);
	case BT_MESSAGE_TYPE_STREAM_END:
		return decode_stream_end(decoder, message, record);
	default:
		return false;
	}
}

size_t message_decoder_decode(struct message_decoder *decoder, const bt_message *message, struct event_record *records)
{
	return G_LIKELY(bt_message_get_type(message) == BT_MESSAGE_TYPE_EVENT)
		       ? decode_event(decoder, message, records)
		       : decode_other(decoder, message, records);
}
