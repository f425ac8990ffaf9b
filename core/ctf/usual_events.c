/* SPDX-License-Identifier: MIT */
#include "core/ctf/usual_events.h"

#include "core/ctf/ctf_read.h"
#include "ros2bt/base/unique_ids.h"

/* Bytes: what is viewed without a copy is fetched that far ahead, for the processor itself stops at the end of a page.
 */
#define FETCHED_AHEAD 1024

/* Bytes before usual_end in which polls are read in their turn: a packet must not end before it is due. */
#define POLLS_LEFT 112

/* Two words, which most processors compute at once. */
typedef uint64_t two_words __attribute__((vector_size(16)));

/* The form of the headers, which is a constant in each of the loops that read them. */
struct usual_form {
	unsigned int id_bits, time_bits;
	bool is_aligned; /* CTF_HEADER_ALIGNED_… */
};

/* What follows the header of an event, and its time. */
struct usual_place {
	uint64_t begin, end; /* bytes, in the window */
	uint64_t clock;
};

/* In which half of 8 bytes `at` is, where that matters. */
static inline unsigned int phase_at(struct usual_form form, uint64_t at)
{
	return form.is_aligned ? at / (CTF_PHASE_BITS / 8) % CTF_PHASES : 0;
}

/* load_header() for a long one. Unusual is also a time that goes backwards or is too late. */
static inline __attribute__((always_inline)) const struct ctf_event_plan *
load_long_header(const struct ctf_stream *stream, const uint8_t *packet, struct usual_place *place,
		 struct usual_form form)
{
	const uint64_t tag_bytes = (form.id_bits + 7) / 8;
	uint64_t id_at = form.is_aligned ? ctf_align_up(place->end + tag_bytes, 8) : place->end + tag_bytes;
	uint64_t clock_at = id_at + (form.is_aligned ? 8 : 4), clock, id;

	/* only then it may be longer than CTF_USUAL_MARGIN */
	if (form.is_aligned && clock_at + 8 > stream->cursor.end / 8) {
		return &ctf_event_undeclared;
	}
	id = ctf_load32(packet + id_at, false);
	clock = ctf_load64(packet + clock_at, false);
	if (id >= stream->plan->usual_long || clock < place->clock || clock >= stream->usual_ticks_end) {
		return &ctf_event_undeclared;
	}
	place->begin = clock_at + 8;
	place->clock = clock;
	return stream->plan->usual[id];
}

/*
 * The event of the header at place->end, of which CTF_USUAL_MARGIN bytes are in the window; place->begin is behind it
 * then. An unusual event, wherever `place` is then: its class or the header itself is unusual.
 */
static inline __attribute__((always_inline)) const struct ctf_event_plan *
load_header(const struct ctf_stream *stream, const uint8_t *packet, struct usual_place *place, struct usual_form form)
{
	const uint64_t id_long = (UINT64_C(1) << form.id_bits) - 1, time_mask = (UINT64_C(1) << form.time_bits) - 1;
	const bool is_whole = form.id_bits % 8 == 0;
	uint64_t at = place->end, bits, id;

	if (form.is_aligned) {
		at = ctf_align_up(at, (is_whole ? form.id_bits : form.id_bits + form.time_bits) / 8);
	}
	bits = ctf_load64(packet + at, false);
	id = bits & id_long;
	if (G_UNLIKELY(id >= stream->plan->usual_short)) {
		return id == id_long ? load_long_header(stream, packet, place, form) : &ctf_event_undeclared;
	}
	bits >>= form.id_bits;
	if (form.is_aligned && is_whole) {
		at = ctf_align_up(at + form.id_bits / 8, form.time_bits / 8);
		bits = ctf_load32(packet + at, false);
		place->begin = at + form.time_bits / 8;
	} else {
		place->begin = at + (form.id_bits + form.time_bits) / 8;
	}
	place->clock += (bits - place->clock) & time_mask;
	return stream->plan->usual[id];
}

/*
 * Moves from an event that was read to the next one that is wanted, which can be read then. NULL: something unusual
 * comes first, and `place` ends in front of it. Of each event that it passes, also of the one that it gives,
 * CTF_USUAL_MARGIN bytes behind the end are in the window: a header, and what a copy of the last field loads. Times
 * need no check: usual_ticks_end leaves room for the short ones of a whole window.
 */
static inline __attribute__((always_inline)) const struct ctf_event_plan *
find_usual(const struct ctf_stream *stream, const uint8_t *packet, struct usual_place *place, struct usual_form form)
{
	for (;;) {
		struct usual_place next = *place;
		const struct ctf_event_plan *event = load_header(stream, packet, &next, form);

		next.end = next.begin + event->sizes[phase_at(form, next.begin)];
		__builtin_prefetch(packet + next.begin + FETCHED_AHEAD);
		if (G_UNLIKELY(next.end > stream->usual_end)) {
			return NULL;
		}
		*place = next;
		if (G_LIKELY(event->usual != CTF_SKIPPED)) {
			return event;
		}
	}
}

static inline int64_t time_at(const struct ctf_stream *stream, const struct usual_place *place)
{
	return (int64_t)(place->clock + (uint64_t)stream->offset_ns);
}

/* The context of the event at `place`. */
static inline const uint8_t *context_at(const struct ctf_stream *stream, const uint8_t *packet,
					const struct usual_place *place, struct usual_form form)
{
	const uint8_t *bytes = packet + place->begin;

	return form.is_aligned ? bytes + stream->plan->context.begins[phase_at(form, place->begin)] : bytes;
}

/* Whether it is a context of the thread of the stream's last event. */
static inline bool is_of_thread(const struct ctf_stream *stream, const uint8_t *context)
{
	const struct ctf_context_plan *plan = &stream->plan->context;

	/* without pid_ns, as all others of the stream */
	return ((ctf_load32(context + plan->vtid_copy.offset, false) ^ (uint32_t)stream->last_context.vtid) |
		(ctf_load32(context + plan->vpid_copy.offset, false) ^ (uint32_t)stream->last_context.vpid)) == 0;
}

static inline bool is_known(const struct known_thread *known, uint32_t source, int32_t vpid, int32_t vtid,
			    uint64_t pid_ns)
{
	return known->is_known && known->vpid == vpid && known->vtid == vtid && known->pid_ns == pid_ns &&
	       known->source == source;
}

/* Far from that of the kernel's ids of the same thread. */
static inline struct known_thread *known_place(const struct ctf_stream *stream, uint32_t source, int32_t vtid)
{
	return &stream->threads->threads[((uint32_t)vtid + (source >> 23)) % THREAD_CACHE_SIZE];
}

/* Of the stream's last context only the ids change: it has a thread, of the same plan. */
static inline void set_thread(struct ctf_stream *stream, const struct known_thread *known)
{
	stream->last_context.vpid = known->vpid;
	stream->last_context.vtid = known->vtid;
	ctf_stream_set_thread(stream, known->thread);
}

static G_GNUC_NO_INLINE void find_thread(struct ctf_stream *stream, const uint8_t *bytes, struct known_thread *known,
					 int32_t vpid, int32_t vtid)
{
	const struct ctf_member *procname = &stream->plan->context.procname;
	const struct recording_context context = { .has_vpid = true, .has_vtid = true, .vpid = vpid, .vtid = vtid };
	uint32_t thread =
		ctf_stream_find_thread(stream, &context, procname->load ? (const char *)bytes + procname->offset : NULL,
				       procname->load ? procname->type->length : 0);

	*known = (struct known_thread){ vpid, vtid, 0, stream->trace, thread, true };
	set_thread(stream, known);
}

static G_GNUC_NO_INLINE void change_thread(struct ctf_stream *stream, const uint8_t *bytes)
{
	const struct ctf_context_plan *plan = &stream->plan->context;
	int32_t vpid = (int32_t)ctf_load32(bytes + plan->vpid_copy.offset, false);
	int32_t vtid = (int32_t)ctf_load32(bytes + plan->vtid_copy.offset, false);
	struct known_thread *known = known_place(stream, stream->trace, vtid);

	if (G_LIKELY(is_known(known, stream->trace, vpid, vtid, 0))) {
		set_thread(stream, known);
	} else {
		find_thread(stream, bytes, known, vpid, vtid);
	}
}

/* All but the words, for an event of a program. */
static inline __attribute__((always_inline)) void start_record(struct ctf_stream *stream,
							       const struct ctf_event_plan *event,
							       const uint8_t *context, int64_t time_ns,
							       struct event_record *record)
{
	if (G_UNLIKELY(!is_of_thread(stream, context))) {
		change_thread(stream, context);
	}
	record->time_ns = time_ns;
	event_record_set_head(record, event->record_head | stream->record_head);
}

static inline void copy_pair(const struct ctf_copy_pair *pair, const uint8_t *end, uint64_t *words)
{
	two_words both = { ctf_load64(end + pair->offsets[0], false), ctf_load64(end + pair->offsets[1], false) };
	two_words masks, signs;

	memcpy(&masks, pair->masks, sizeof(masks));
	memcpy(&signs, pair->signs, sizeof(signs));
	both = ((both & masks) ^ signs) - signs;
	memcpy(words, &both, sizeof(both));
}

/* Most events have at most two words: these are copied without a look at how many they are. */
static inline __attribute__((always_inline)) void copy_words(const struct ctf_event_plan *event, const uint8_t *end,
							     struct event_record *record)
{
	copy_pair(&event->pairs[0], end, &record->word[0]);
	for (size_t i = 1; G_UNLIKELY(i < event->pair_count); i++) {
		copy_pair(&event->pairs[i], end, &record->word[2 * i]);
	}
}

static G_GNUC_NO_INLINE uint32_t find_ids(const struct ctf_stream *stream, int32_t vpid, int32_t vtid, uint64_t pid_ns)
{
	bool has_pid_ns = stream->plan->context.pid_ns.load != CTF_LOAD_NONE;
	const struct recording_context context = {
		.has_vpid = true,
		.has_vtid = true,
		.has_pid_ns = has_pid_ns,
		.vpid = has_pid_ns ? unique_id_recorded(vpid) : vpid,
		.vtid = has_pid_ns ? unique_id_recorded(vtid) : vtid,
		.pid_ns = pid_ns,
	};

	return ctf_stream_ids(stream, &context);
}

/* The ids of an event of a kernel, whose context is all copies. */
static inline __attribute__((always_inline)) uint32_t ids_at(const struct ctf_stream *stream, const uint8_t *bytes)
{
	const struct ctf_context_plan *plan = &stream->plan->context;
	uint32_t source = plan->pid_ns.load ? KNOWN_IDS_OF_PID_NS : KNOWN_IDS;
	struct known_thread *known;
	int32_t vpid, vtid;
	uint64_t pid_ns;

	if (!plan->has_ids) {
		return RECORDING_NONE;
	}
	vpid = (int32_t)ctf_copy_load(&plan->vpid_copy, bytes);
	vtid = (int32_t)ctf_copy_load(&plan->vtid_copy, bytes);
	pid_ns = plan->pid_ns.load ? ctf_copy_load(&plan->pid_ns_copy, bytes) : 0;
	known = known_place(stream, source, vtid);
	if (G_UNLIKELY(!is_known(known, source, vpid, vtid, pid_ns))) {
		*known =
			(struct known_thread){ vpid, vtid, pid_ns, source, find_ids(stream, vpid, vtid, pid_ns), true };
	}
	return known->thread;
}

static inline __attribute__((always_inline)) void copy_system_event(struct ctf_stream *stream,
								    const struct ctf_event_plan *event,
								    const uint8_t *context, const uint8_t *end,
								    int64_t time_ns, struct event_record *record)
{
	record->time_ns = time_ns;
	event_record_set_head(record, event->record_head | stream->record_head);
	record->thread = ids_at(stream, context);
	copy_words(event, end, record);
	for (size_t i = 0; i < event->comm_count; i++) {
		record->word[event->comms[i].slot] = (uint64_t)(uintptr_t)comm_cache_get(
			stream->comms, recording_pool(stream->recording), end + event->comms[i].offset);
	}
	if (event->class.text) {
		record->word[event->class.text_slot] = (uint64_t)(uintptr_t)event->class.text;
	}
}

/* Its timeout is the only word of a poll, if it has one. No branch: which kind comes next is hard to predict. */
static inline enum poll_kind poll_kind_at(const struct ctf_event_plan *event, const uint8_t *end)
{
	const struct ctf_copy_pair *pair = &event->pairs[0];
	bool is_timeout_0 = (ctf_load64(end + pair->offsets[0], false) & pair->masks[0]) == 0;

	return (enum poll_kind)event->polls[is_timeout_0];
}

/*
 * Joins the polls of one thread, from the one at `place` on, to one record, as long as nothing else comes. Gives the
 * event that comes then, as find_usual(). They are read ahead of other streams: core/flow/poll_queue.h tells them in
 * their turn.
 */
static inline __attribute__((always_inline)) const struct ctf_event_plan *
read_polls(struct ctf_stream *stream, const uint8_t *packet, const struct ctf_event_plan *event,
	   struct usual_place *place, int64_t time_ns, struct ctf_batch *batch, struct event_record *record,
	   struct usual_form form)
{
	struct poll *poll = batch->next_poll;

	start_record(stream, event, context_at(stream, packet, place, form), time_ns, record);
	record->word[RECORD__polls] = (uintptr_t)poll;
	do {
		poll->time_ns = time_at(stream, place);
		poll->kind = poll_kind_at(event, packet + place->end);
		poll++;
		event = find_usual(stream, packet, place, form);
	} while (event && event->usual == CTF_JOINED_POLL && place->begin + POLLS_LEFT <= stream->usual_end &&
		 is_of_thread(stream, context_at(stream, packet, place, form)) && poll < batch->polls_end);
	record->word[RECORD__count] = (uint64_t)(poll - batch->next_poll);
	batch->next_poll = poll;
	batch->end = poll < batch->polls_end ? batch->end : record + 1;
	return event;
}

/* The same for system calls, of whatever thread, that are before limit_ns. */
static inline __attribute__((always_inline)) const struct ctf_event_plan *
read_calls(const struct ctf_stream *stream, const uint8_t *packet, const struct ctf_event_plan *event,
	   struct usual_place *place, int64_t limit_ns, struct ctf_batch *batch, struct event_record *record,
	   struct usual_form form)
{
	struct kernel_call *call = batch->next_call;
	int64_t time_ns = time_at(stream, place);

	record->time_ns = time_ns;
	event_record_set_head(record, event->record_head | stream->record_head);
	record->word[RECORD__calls] = (uintptr_t)call;
	do {
		call->time_ns = time_ns;
		call->name = event->call;
		call++;
		event = find_usual(stream, packet, place, form);
		time_ns = time_at(stream, place);
	} while (event && event->usual == CTF_JOINED_CALL && time_ns < limit_ns && call < batch->calls_end);
	record->word[RECORD__count] = (uint64_t)(call - batch->next_call);
	batch->next_call = call;
	batch->end = call < batch->calls_end ? batch->end : record + 1;
	return event;
}

/* Leaves the stream in front of something unusual, or of its end. */
static G_GNUC_NO_INLINE void leave_at(struct stream_heap *heap, struct ctf_stream *stream, struct usual_place place)
{
	stream->cursor.at = 8 * place.end;
	stream->clock = place.clock;
	if (ctf_stream_advance(stream)) {
		stream_heap_settle(heap);
	}
}

/*
 * Reads from the head of the first stream on while events are before limit_ns and the head of the second one. False:
 * something unusual came, or the stream failed.
 */
static inline __attribute__((always_inline)) bool read_stream(struct stream_heap *heap, int64_t limit_ns,
							      struct ctf_batch *batch, struct usual_form form)
{
	struct ctf_stream *stream = heap->streams[1];
	const struct ctf_event_plan *event = stream->event;
	const uint8_t *packet = stream->cursor.packet;
	struct usual_place place = { .begin = stream->cursor.at / 8, .clock = stream->clock };
	struct event_record *record = batch->next;
	int64_t time_ns = heap->times[1];

	place.end = place.begin + event->sizes[phase_at(form, place.begin)];
	limit_ns = MIN(stream_heap_second_ns(heap), limit_ns);
	do {
		const uint8_t *context = context_at(stream, packet, &place, form);
		const uint8_t *end = packet + place.end;

		if (G_LIKELY(event->usual == CTF_COPIED)) {
			start_record(stream, event, context, time_ns, record++);
			copy_words(event, end, record - 1);
			event = find_usual(stream, packet, &place, form);
		} else if (event->usual == CTF_JOINED_POLL) {
			event = read_polls(stream, packet, event, &place, time_ns, batch, record++, form);
		} else if (event->usual == CTF_JOINED_CALL) {
			event = read_calls(stream, packet, event, &place, limit_ns, batch, record++, form);
		} else {
			copy_system_event(stream, event, context, end, time_ns, record++);
			event = find_usual(stream, packet, &place, form);
		}
		if (G_UNLIKELY(!event)) {
			batch->next = record;
			leave_at(heap, stream, place);
			return false;
		}
		time_ns = time_at(stream, &place);
	} while (time_ns < limit_ns && record < batch->end);
	batch->next = record;
	/* other streams come next, many of them in a large system */
	__builtin_prefetch(packet + place.begin + 64);
	__builtin_prefetch(packet + place.begin + 128);
	__builtin_prefetch(packet + place.begin + 192);
	stream->event = event;
	stream->head_ns = time_ns;
	stream->cursor.at = 8 * place.begin;
	stream->clock = place.clock;
	stream_heap_sink(heap, stream, time_ns);
	return true;
}

/* A separate loop for each shape of headers. */
static inline __attribute__((always_inline)) void read_streams(struct stream_heap *heap, int64_t limit_ns,
							       struct ctf_batch *batch, enum ctf_header_shape shape,
							       struct usual_form form)
{
	while (read_stream(heap, limit_ns, batch, form) && heap->times[1] < limit_ns && batch->next < batch->end &&
	       heap->streams[1]->usual == shape) {}
}

void usual_events_read(struct stream_heap *heap, int64_t limit_ns, struct ctf_batch *batch)
{
	const struct usual_form compact = { 5, 27, false }, large = { 16, 32, false };
	const struct usual_form aligned_compact = { 5, 27, true }, aligned_large = { 16, 32, true };
	struct ctf_batch filled = *batch;

	switch (heap->streams[1]->usual) {
	case CTF_HEADER_COMPACT:
		read_streams(heap, limit_ns, &filled, CTF_HEADER_COMPACT, compact);
		break;
	case CTF_HEADER_LARGE:
		read_streams(heap, limit_ns, &filled, CTF_HEADER_LARGE, large);
		break;
	case CTF_HEADER_ALIGNED_COMPACT:
		read_streams(heap, limit_ns, &filled, CTF_HEADER_ALIGNED_COMPACT, aligned_compact);
		break;
	case CTF_HEADER_ALIGNED_LARGE:
		read_streams(heap, limit_ns, &filled, CTF_HEADER_ALIGNED_LARGE, aligned_large);
		break;
	case CTF_HEADER_ANY:
		break;
	}
	*batch = filled;
}
