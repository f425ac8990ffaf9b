/* SPDX-License-Identifier: MIT */
#include "core/model/coverage.h"

#include "core/base/slots.h"

struct stream_state {
	uint32_t next;		 /* silent or lossy stream of the trace, or SILENCE_OF_NO_STREAM */
	int64_t lossy_since_ns;	 /* the begin of the lossy packet, or of the gap */
	int64_t lossy_until_ns;	 /* the end of the lossy packet */
	int64_t silent_since_ns; /* its last event; only kept while it is lossy */
	int64_t gap_until_ns;	 /* while it is in a gap: where its packets go on */
	bool has_lossy_packet;	 /* the current packet lost events after its last event */
	bool is_in_gap;		 /* something is missing since its last event */
	bool has_ended;
};

struct trace_state {
	uint32_t lossy; /* the first of its streams with a lossy packet or in a gap, or SILENCE_OF_NO_STREAM */
	GArray *late;	/* struct silence: before the first packets of streams; NULL: none */
	struct silences past;
};

struct process_state {
	GArray *traces; /* uint32_t: those in which it has threads; NULL: none yet */
	struct silences breaks;
	struct silences around_pauses; /* the breaks that are only because of one */
};

struct coverage {
	bool has_any;			   /* first, see coverage_has_any() */
	const struct recording *recording; /* borrowed */
	size_t late_seen;		   /* of recording_late_streams() */
	GArray *streams;		   /* struct stream_state by stream index */
	GPtrArray *traces;		   /* struct trace_state * by trace index; NULL: it lost nothing */
	GArray *processes;		   /* struct process_state by process index */
	struct silences pauses;
	size_t threads_seen; /* whose traces their processes have */
	GArray *asked;	     /* struct silence; those of one question, kept for the memory */
};

static void trace_state_free(gpointer data)
{
	struct trace_state *trace = data;

	if (trace) {
		silences_clear(&trace->past);
		g_clear_pointer(&trace->late, g_array_unref);
		g_free(trace);
	}
}

static void process_state_clear(gpointer data)
{
	struct process_state *process = data;

	silences_clear(&process->breaks);
	silences_clear(&process->around_pauses);
	g_clear_pointer(&process->traces, g_array_unref);
}

struct coverage *coverage_create(const struct recording *recording)
{
	struct coverage *coverage = g_new0(struct coverage, 1);

	coverage->recording = recording;
	coverage->streams = g_array_new(FALSE, TRUE, sizeof(struct stream_state));
	coverage->traces = g_ptr_array_new_with_free_func(trace_state_free);
	coverage->processes = g_array_new(FALSE, TRUE, sizeof(struct process_state));
	coverage->asked = g_array_new(FALSE, FALSE, sizeof(struct silence));
	g_array_set_clear_func(coverage->processes, process_state_clear);
	return coverage;
}

void coverage_destroy(struct coverage *coverage)
{
	if (!coverage) {
		return;
	}
	g_array_free(coverage->streams, TRUE);
	g_ptr_array_free(coverage->traces, TRUE);
	g_array_free(coverage->processes, TRUE);
	g_array_free(coverage->asked, TRUE);
	silences_clear(&coverage->pauses);
	g_free(coverage);
}

/* --- what is known --- */

static struct stream_state *stream_state_of(struct coverage *coverage, uint16_t stream)
{
	return array_at(coverage->streams, struct stream_state, stream);
}

static struct trace_state *trace_state_at(const struct coverage *coverage, uint32_t trace)
{
	return slot_get(coverage->traces, trace);
}

static struct trace_state *trace_state_of(struct coverage *coverage, uint16_t stream)
{
	gpointer *slot = slot_at(coverage->traces, recording_stream_trace(coverage->recording, stream));

	coverage->has_any = true;
	if (!*slot) {
		struct trace_state *trace = *slot = g_new0(struct trace_state, 1);

		trace->lossy = SILENCE_OF_NO_STREAM;
	}
	return *slot;
}

static struct process_state *process_state_of(struct coverage *coverage, uint32_t process)
{
	return array_at(coverage->processes, struct process_state, process);
}

/* Where the first packet of a trace begins; INT64_MIN if that is not known. */
static int64_t trace_begin_ns(const struct coverage *coverage, uint32_t trace)
{
	int64_t begin_ns = INT64_MAX;

	for (size_t i = 0; i < recording_stream_count(coverage->recording); i++) {
		if (recording_stream_trace(coverage->recording, (uint16_t)i) == trace) {
			begin_ns = MIN(begin_ns,
				       recording_stream_packets(coverage->recording, (uint16_t)i)->first_begin_ns);
		}
	}
	return begin_ns;
}

/*
 * Streams whose first packets turned out to have had predecessors. What lies before the first packet of the trace is
 * not of its time: an earlier process with the same id may have been recorded in another trace.
 */
static void see_late_streams(struct coverage *coverage)
{
	for (guint i = 0; i < recording_stream_count(coverage->recording); i++) {
		struct silence silence = { .stream = i };
		const struct stream_packets *packets = recording_stream_packets(coverage->recording, (uint16_t)i);
		struct trace_state *trace;

		if (packets->lost_before == 0) {
			continue;
		}
		silence.begin_ns = silence.doubt_ns =
			trace_begin_ns(coverage, recording_stream_trace(coverage->recording, (uint16_t)i));
		silence.end_ns = packets->first_begin_ns;
		trace = trace_state_of(coverage, (uint16_t)i);
		if (!trace->late) {
			trace->late = g_array_new(FALSE, FALSE, sizeof(struct silence));
		}
		for (guint k = 0; k < trace->late->len; k++) {
			if (g_array_index(trace->late, struct silence, k).stream == i) {
				g_array_remove_index(trace->late, k--);
			}
		}
		g_array_append_val(trace->late, silence);
	}
}

bool coverage_see_late_streams(struct coverage *coverage)
{
	size_t count = *recording_late_streams(coverage->recording);

	if (G_UNLIKELY(coverage->late_seen != count)) {
		coverage->late_seen = count;
		see_late_streams(coverage);
	}
	return count > 0;
}

bool coverage_trace_has_any(const struct coverage *coverage, uint32_t trace)
{
	return trace_state_at(coverage, trace) != NULL;
}

static bool is_lossy(const struct stream_state *state)
{
	return state->has_lossy_packet || state->is_in_gap;
}

/* A silence of the stream begins, unless it is silent already. */
static struct stream_state *begin_loss(struct coverage *coverage, const struct event_record *record)
{
	struct trace_state *trace = trace_state_of(coverage, record->stream);
	struct stream_state *state = stream_state_of(coverage, record->stream);

	if (!is_lossy(state)) {
		state->lossy_since_ns = state->silent_since_ns = record->time_ns;
		state->next = trace->lossy;
		trace->lossy = record->stream;
	}
	return state;
}

static void end_loss(struct coverage *coverage, uint16_t stream)
{
	struct trace_state *trace = trace_state_of(coverage, stream);
	uint32_t *link = &trace->lossy;

	while (*link != stream) {
		link = &stream_state_of(coverage, (uint16_t)*link)->next;
	}
	*link = stream_state_of(coverage, stream)->next;
}

static void begin_lossy_packet(struct coverage *coverage, const struct event_record *record)
{
	struct stream_state *state = begin_loss(coverage, record);

	state->has_lossy_packet = true;
	state->lossy_until_ns = (int64_t)record->word[RECORD__end_ns];
}

static void begin_gap(struct coverage *coverage, const struct event_record *record)
{
	struct stream_state *state = begin_loss(coverage, record);
	int64_t until_ns =
		record->kind == RECORD_DISCARDED_PACKETS ? (int64_t)record->word[RECORD__end_ns] : record->time_ns;

	if (until_ns <= state->lossy_since_ns) {
		until_ns = INT64_MAX; /* without times: the next event ends it */
	}
	state->gap_until_ns = state->is_in_gap ? MAX(state->gap_until_ns, until_ns) : until_ns;
	/* the gap may be the one before the lossy packet */
	state->has_lossy_packet = state->has_lossy_packet && record->time_ns < state->lossy_until_ns;
	state->is_in_gap = true;
}

static void end_gap(struct coverage *coverage, uint16_t stream, int64_t time_ns)
{
	struct stream_state *state = stream_state_of(coverage, stream);

	if (!state->is_in_gap) {
		return;
	}
	silences_add(&trace_state_of(coverage, stream)->past,
		     (struct silence){
			     .begin_ns = state->silent_since_ns,
			     .end_ns = MIN(state->gap_until_ns, time_ns),
			     .doubt_ns = MIN(state->lossy_since_ns, state->silent_since_ns),
			     .stream = stream,
		     });
	state->is_in_gap = false;
	if (!is_lossy(state)) {
		end_loss(coverage, stream);
	}
}

void coverage_follow(struct coverage *coverage, const struct event_record *record)
{
	struct stream_state *state;

	if (!coverage->has_any || !coverage_is_sign_of_life(record)) {
		return;
	}
	state = stream_state_of(coverage, record->stream);
	if (!is_lossy(state)) {
		return;
	}
	/* Streams without packets have no RECORD_GAP. */
	if (state->has_lossy_packet && record->time_ns > state->lossy_until_ns) {
		begin_gap(coverage, record);
	}
	end_gap(coverage, record->stream, record->time_ns);
	state->silent_since_ns = record->time_ns;
}

static void end_stream(struct coverage *coverage, const struct event_record *record)
{
	struct stream_state *state = stream_state_of(coverage, record->stream);

	end_gap(coverage, record->stream, record->time_ns);
	if (state->has_lossy_packet) {
		state->has_lossy_packet = false;
		end_loss(coverage, record->stream);
	}
	state->has_ended = true;
}

void coverage_feed(struct coverage *coverage, const struct event_record *record)
{
	switch (record->kind) {
	case RECORD_DISCARDED_EVENTS:
		begin_lossy_packet(coverage, record);
		break;
	case RECORD_GAP:
	case RECORD_DISCARDED_PACKETS:
		begin_gap(coverage, record);
		break;
	case RECORD_STREAM_END:
		end_stream(coverage, record);
		break;
	default:
		break;
	}
}

void coverage_add_break(struct coverage *coverage, uint32_t process, int64_t begin_ns, int64_t end_ns,
			bool is_around_pause)
{
	struct process_state *state = process_state_of(coverage, process);

	coverage->has_any = true;
	silences_add(is_around_pause ? &state->around_pauses : &state->breaks,
		     (struct silence){ begin_ns, end_ns, begin_ns, SILENCE_OF_NO_STREAM });
}

void coverage_add_pause(struct coverage *coverage, int64_t begin_ns, int64_t end_ns)
{
	coverage->has_any = true;
	silences_add(&coverage->pauses, (struct silence){ begin_ns, end_ns, begin_ns, SILENCE_OF_NO_STREAM });
}

/* --- questions --- */

static bool visit_trace(const struct coverage *coverage, const struct trace_state *trace,
			const struct silence_question *question)
{
	uint32_t stream = trace->lossy;

	while (stream != SILENCE_OF_NO_STREAM) {
		const struct stream_state *state = &g_array_index(coverage->streams, struct stream_state, stream);

		if (!silence_ask(&(struct silence){ state->silent_since_ns,
						    state->has_lossy_packet ? INT64_MAX : state->gap_until_ns,
						    MIN(state->lossy_since_ns, state->silent_since_ns), stream },
				 question)) {
			return false;
		}
		stream = state->next;
	}
	for (guint i = 0; trace->late && i < trace->late->len; i++) {
		if (!silence_ask(&g_array_index(trace->late, struct silence, i), question)) {
			return false;
		}
	}
	return silences_ask(&trace->past, question);
}

bool coverage_visit_trace(const struct coverage *coverage, uint32_t trace, int64_t from_ns, int64_t to_ns,
			  silence_visit function, void *data)
{
	const struct trace_state *state = trace_state_at(coverage, trace);

	return !state || visit_trace(coverage, state,
				     &(struct silence_question){ from_ns, to_ns, SILENCE_OF_NO_STREAM, SILENCE_TIMES,
								 function, data });
}

/* Since the last question, threads may have begun in further traces. */
static void see_threads(struct coverage *coverage)
{
	size_t count = recording_thread_count(coverage->recording);

	for (; coverage->threads_seen < count; coverage->threads_seen++) {
		const struct recording_thread *thread =
			recording_thread(coverage->recording, (uint32_t)coverage->threads_seen);
		struct process_state *process = process_state_of(coverage, thread->process);
		guint i = 0;

		if (!process->traces) {
			process->traces = g_array_new(FALSE, FALSE, sizeof(uint32_t));
		}
		while (i < process->traces->len && g_array_index(process->traces, uint32_t, i) != thread->trace) {
			i++;
		}
		if (i == process->traces->len) {
			g_array_append_val(process->traces, thread->trace);
		}
	}
}

static bool visit_process(struct coverage *coverage, uint32_t index, const struct silence_question *question)
{
	const struct process_state *process;

	see_threads(coverage);
	process = process_state_of(coverage, index);
	for (guint i = 0; process->traces && i < process->traces->len; i++) {
		const struct trace_state *trace = trace_state_at(coverage, g_array_index(process->traces, uint32_t, i));

		if (trace && !visit_trace(coverage, trace, question)) {
			return false;
		}
	}
	return silences_ask(&process->breaks, question) && silences_ask(&coverage->pauses, question) &&
	       (question->aspect == SILENCE_LENGTH || silences_ask(&process->around_pauses, question));
}

/* A stream is covered from its first packet to its end only. */
static bool visit_stream(struct coverage *coverage, uint16_t stream, const struct silence_question *question)
{
	const struct trace_state *trace = trace_state_at(coverage, recording_stream_trace(coverage->recording, stream));
	const struct stream_packets *packets = recording_stream_packets(coverage->recording, stream);
	/* otherwise it has no packets: nothing is known of its begin and end */
	bool has_packets = packets->apart_count > 0 || recording_has_packets(coverage->recording);

	if (has_packets &&
	    !silence_ask(&(struct silence){ INT64_MIN, packets->begin_ns, INT64_MIN, stream }, question)) {
		return false;
	}
	if (has_packets && stream_state_of(coverage, stream)->has_ended &&
	    !silence_ask(&(struct silence){ packets->end_ns, INT64_MAX, packets->end_ns, stream }, question)) {
		return false;
	}
	return (!trace || visit_trace(coverage, trace, question)) && silences_ask(&coverage->pauses, question);
}

static bool is_none(void *data, const struct silence *silence)
{
	(void)data;
	(void)silence;
	return false;
}

bool coverage_trace_is_whole(const struct coverage *coverage, uint32_t trace, int64_t from_ns, int64_t to_ns)
{
	return coverage_visit_trace(coverage, trace, from_ns, to_ns, is_none, NULL);
}

static bool is_process_whole(struct coverage *coverage, uint32_t process, int64_t from_ns, int64_t to_ns,
			     enum silence_aspect aspect)
{
	return !coverage_has_any(coverage) ||
	       visit_process(coverage, process,
			     &(struct silence_question){ from_ns, to_ns, SILENCE_OF_NO_STREAM, aspect, is_none, NULL });
}

bool coverage_process_is_whole(struct coverage *coverage, uint32_t process, int64_t from_ns, int64_t to_ns)
{
	return is_process_whole(coverage, process, from_ns, to_ns, SILENCE_TIMES);
}

bool coverage_was_off(const struct coverage *coverage, int64_t from_ns, int64_t to_ns)
{
	return !silences_ask(&coverage->pauses, &(struct silence_question){ from_ns, to_ns, SILENCE_OF_NO_STREAM,
									    SILENCE_TIMES, is_none, NULL });
}

bool coverage_process_misses_nothing(struct coverage *coverage, uint32_t process, int64_t from_ns, int64_t to_ns)
{
	return is_process_whole(coverage, process, from_ns, to_ns, SILENCE_EVENTS);
}

/* Of a host, all that streams recorded before their first packets is missing, whatever trace or process it was of. */
static bool visit_before_late(const struct trace_state *trace, const struct silence_question *question)
{
	bool goes_on = true;

	for (guint i = 0; goes_on && trace->late && i < trace->late->len; i++) {
		const struct silence *late = &g_array_index(trace->late, struct silence, i);

		goes_on = silence_ask(&(struct silence){ INT64_MIN, late->end_ns, INT64_MIN, late->stream }, question);
	}
	return goes_on;
}

static bool visit_host(struct coverage *coverage, uint32_t host, const struct silence_question *question)
{
	bool goes_on = silences_ask(&coverage->pauses, question);

	for (guint i = 0; goes_on && i < coverage->traces->len; i++) {
		const struct recording_trace *trace = recording_trace(coverage->recording, i);

		goes_on = !coverage->traces->pdata[i] || trace->host != host || trace->is_kernel ||
			  (visit_trace(coverage, coverage->traces->pdata[i], question) &&
			   visit_before_late(coverage->traces->pdata[i], question));
	}
	return goes_on;
}

bool coverage_host_misses_nothing(struct coverage *coverage, uint32_t host, int64_t from_ns, int64_t to_ns)
{
	return !coverage_has_any(coverage) ||
	       visit_host(coverage, host,
			  &(struct silence_question){ from_ns, to_ns, SILENCE_OF_NO_STREAM, SILENCE_EVENTS, is_none,
						      NULL });
}

bool coverage_stream_misses_nothing(struct coverage *coverage, uint16_t stream, int64_t from_ns, int64_t to_ns)
{
	return visit_stream(coverage, stream,
			    &(struct silence_question){ from_ns, to_ns, stream, SILENCE_EVENTS, is_none, NULL });
}

/* --- the length of what is uncovered --- */

int64_t coverage_process_lost_ns(struct coverage *coverage, uint32_t process, int64_t from_ns, int64_t to_ns)
{
	if (!coverage_has_any(coverage)) {
		return 0;
	}
	g_array_set_size(coverage->asked, 0);
	visit_process(coverage, process,
		      &(struct silence_question){ from_ns, to_ns, SILENCE_OF_NO_STREAM, SILENCE_LENGTH, silence_collect,
						  coverage->asked });
	return silences_union_ns(coverage->asked, from_ns, to_ns);
}
