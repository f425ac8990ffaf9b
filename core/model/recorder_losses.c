/* SPDX-License-Identifier: MIT */
#include "core/model/recorder_losses.h"

/*
 * The shortest time in which a thread is moved to another CPU, ends a callback and starts it again there, and is moved
 * back. Measured 1500 times on two busy cores: at least 57 us there and back, at least 94 us with an end and a start.
 */
#define SHORTEST_DETOUR_NS 30000

#define NO_STREAM UINT32_MAX
#define GAPS_KEPT 64 /* of each trace */

struct stream_state {
	uint32_t next;		 /* lossy stream of the trace, or NO_STREAM */
	int64_t lossy_until_ns;	 /* the end of the lossy packet */
	int64_t silent_since_ns; /* its last event; only kept while it is lossy */
	bool has_lossy_packet;	 /* the current packet lost events after its last event */
	bool is_in_gap;		 /* the packet has ended, and no sign of life has followed */
};

/* A silence of a stream. */
struct gap {
	int64_t begin_ns, end_ns;
	uint32_t stream;
};

/* The losses of a trace. */
struct trace_losses {
	uint32_t lossy; /* the first of its streams with a lossy packet or in a gap, or NO_STREAM */
	uint32_t gap_count;
	struct gap gaps[GAPS_KEPT]; /* the last ones, in the order of their ends: a ring */
};

void recorder_losses_init(struct recorder_losses *losses, struct recording *recording)
{
	losses->recording = recording;
	losses->streams = g_array_new(FALSE, TRUE, sizeof(struct stream_state));
	losses->traces = g_ptr_array_new();
	losses->has_any = false;
}

void recorder_losses_clear(struct recorder_losses *losses)
{
	g_array_free(losses->streams, TRUE);
	g_ptr_array_free(losses->traces, TRUE);
}

static struct stream_state *stream_state_of(struct recorder_losses *losses, uint16_t stream)
{
	if (G_UNLIKELY(stream >= losses->streams->len)) {
		g_array_set_size(losses->streams, stream + 1u);
	}
	return &g_array_index(losses->streams, struct stream_state, stream);
}

static struct trace_losses *losses_of_stream(struct recorder_losses *losses, uint16_t stream)
{
	uint32_t index = recording_stream_trace(losses->recording, stream);
	struct trace_losses *trace;

	losses->has_any = true;
	if (index >= losses->traces->len) {
		g_ptr_array_set_size(losses->traces, (gint)index + 1);
	}
	trace = losses->traces->pdata[index];
	if (!trace) {
		trace = arena_take(recording_arena(losses->recording), sizeof(*trace));
		trace->lossy = NO_STREAM;
		losses->traces->pdata[index] = trace;
	}
	return trace;
}

static bool is_lossy(const struct stream_state *state)
{
	return state->has_lossy_packet || state->is_in_gap;
}

/* A silence of the stream begins, unless it is silent already. */
static struct stream_state *begin_loss(struct recorder_losses *losses, const struct event_record *record)
{
	struct trace_losses *trace = losses_of_stream(losses, record->stream);
	struct stream_state *state = stream_state_of(losses, record->stream);

	if (!is_lossy(state)) {
		state->silent_since_ns = record->time_ns;
		state->next = trace->lossy;
		trace->lossy = record->stream;
	}
	return state;
}

static void end_loss(struct recorder_losses *losses, uint16_t stream)
{
	struct trace_losses *trace = losses_of_stream(losses, stream);
	uint32_t *link = &trace->lossy;

	while (*link != stream) {
		link = &stream_state_of(losses, (uint16_t)*link)->next;
	}
	*link = stream_state_of(losses, stream)->next;
}

static void begin_lossy_packet(struct recorder_losses *losses, const struct event_record *record)
{
	struct stream_state *state = begin_loss(losses, record);

	state->has_lossy_packet = true;
	state->lossy_until_ns = (int64_t)record->word[RECORD__end_ns];
}

static void begin_gap(struct recorder_losses *losses, const struct event_record *record)
{
	struct stream_state *state = begin_loss(losses, record);

	/* the gap may be the one before the lossy packet */
	state->has_lossy_packet = state->has_lossy_packet && record->time_ns < state->lossy_until_ns;
	state->is_in_gap = true;
}

static void end_gap(struct recorder_losses *losses, uint16_t stream, int64_t time_ns)
{
	struct stream_state *state = stream_state_of(losses, stream);
	struct trace_losses *trace;

	if (!state->is_in_gap) {
		return;
	}
	trace = losses_of_stream(losses, stream);
	trace->gaps[trace->gap_count++ % GAPS_KEPT] = (struct gap){ state->silent_since_ns, time_ns, stream };
	state->is_in_gap = false;
	if (!is_lossy(state)) {
		end_loss(losses, stream);
	}
}

void recorder_losses_follow_stream(struct recorder_losses *losses, const struct event_record *record)
{
	struct stream_state *state = stream_state_of(losses, record->stream);

	if (!is_lossy(state)) {
		return;
	}
	/* Streams without packets have no RECORD_GAP. */
	if (state->has_lossy_packet && record->time_ns > state->lossy_until_ns) {
		begin_gap(losses, record);
	}
	end_gap(losses, record->stream, record->time_ns);
	state->silent_since_ns = record->time_ns;
}

static void end_stream(struct recorder_losses *losses, const struct event_record *record)
{
	struct stream_state *state = stream_state_of(losses, record->stream);

	end_gap(losses, record->stream, record->time_ns);
	if (state->has_lossy_packet) {
		state->has_lossy_packet = false;
		end_loss(losses, record->stream);
	}
}

void recorder_losses_feed(struct recorder_losses *losses, const struct event_record *record)
{
	switch (record->kind) {
	case RECORD_DISCARDED_EVENTS:
		begin_lossy_packet(losses, record);
		break;
	case RECORD_GAP:
	case RECORD_DISCARDED_PACKETS:
		begin_gap(losses, record);
		break;
	case RECORD_STREAM_END:
		end_stream(losses, record);
		break;
	default:
		break;
	}
}

/*
 * Whether events of a thread that was seen at these places may be missing in a silence of a stream. If the places have
 * no streams: events of any thread of the trace.
 */
static bool is_lost_in(uint32_t stream, int64_t begin_ns, int64_t end_ns, struct event_place from,
		       struct event_place to)
{
	int64_t silence_ns = MIN(end_ns, to.time_ns) - MAX(begin_ns, from.time_ns);
	bool is_detour = from.stream != NO_STREAM && stream != from.stream && stream != to.stream;

	return is_detour ? silence_ns >= SHORTEST_DETOUR_NS : silence_ns > 0;
}

static bool lie_between(const struct recorder_losses *losses, uint32_t trace_index, struct event_place from,
			struct event_place to)
{
	const struct trace_losses *trace = losses->traces->pdata[trace_index];
	uint32_t stream = trace->lossy;
	uint32_t kept = MIN(trace->gap_count, GAPS_KEPT);

	while (stream != NO_STREAM) {
		const struct stream_state *state = &g_array_index(losses->streams, struct stream_state, stream);

		if (is_lost_in(stream, state->silent_since_ns, INT64_MAX, from, to)) {
			return true;
		}
		stream = state->next;
	}
	for (uint32_t i = 1; i <= kept; i++) {
		const struct gap *gap = &trace->gaps[(trace->gap_count - i) % GAPS_KEPT];

		if (gap->end_ns <= from.time_ns) {
			return false;
		}
		if (is_lost_in(gap->stream, gap->begin_ns, gap->end_ns, from, to)) {
			return true;
		}
	}
	return trace->gap_count > GAPS_KEPT;
}

bool recorder_losses_follow_thread(const struct recorder_losses *losses, uint32_t trace, struct thread_trail *trail,
				   const struct event_record *record)
{
	struct event_place here = { record->time_ns, record->stream };
	bool is_missing = trail->has_run && lie_between(losses, trace, trail->seen, here);

	trail->is_uncertain |= is_missing;
	trail->seen = here;
	return is_missing;
}

bool recorder_losses_lie_between(const struct recorder_losses *losses, uint32_t trace, int64_t from_ns, int64_t to_ns)
{
	return recorder_losses_has_trace(losses, trace) &&
	       lie_between(losses, trace, (struct event_place){ from_ns, NO_STREAM },
			   (struct event_place){ to_ns, NO_STREAM });
}
