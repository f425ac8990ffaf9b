/* SPDX-License-Identifier: MIT */
#include "ros2bt/ctf/record_reader.h"

#include <string.h>

#include "core/ctf/ctf_follower.h"
#include "core/ctf/ctf_trace.h"
#include "core/ctf/usual_events.h"
#include "ros2bt/base/time_units.h"
#include "ros2bt/clocks/record_alignment.h"

#define FOLLOWED_MARGIN_NS (2 * NS_PER_S) /* LTTng flushes the streams of a session one after the other */
#define BATCH_SIZE 512
#define BATCH_POLLS 1024 /* joined to some of these records */
#define BATCH_CALLS 1024 /* the same */

struct record_reader {
	struct recording *recording; /* borrowed */
	GPtrArray *traces;	     /* struct ctf_trace * */
	GPtrArray *left_out;	     /* char * */
	struct stream_heap heap;
	GByteArray *scratch;
	const struct clock_alignment *clocks; /* borrowed; NULL: times are as recorded */
	int64_t last_ns;		      /* of the last record */
	struct ctf_follower *follower;	      /* owned; NULL: all was there at the beginning */
	int64_t limit_ns;		      /* up to which records are given for now */
	uint64_t late_count;		      /* events that came after later ones */
	GArray *late_losses;		      /* struct event_record: to be given next; NULL as the follower */
	char *error;
	struct ctf_batch batch;
	struct comm_cache comms;
	struct thread_cache threads;
	struct point_builder points; /* values of these records */
	/* the last event may give one that the user chose, and its counters, besides */
	struct event_record records[BATCH_SIZE + 1 + RECORD_COUNTERS_MAX];
	struct poll polls[BATCH_POLLS];
	struct kernel_call calls[BATCH_CALLS];
};

/* --- aligned clocks --- */

static uint32_t host_of(const struct record_reader *reader, const struct ctf_stream *stream)
{
	return recording_trace(reader->recording, stream->trace)->host;
}

/* Moves the head to the reference's time, but not before its predecessor: the order of a stream is kept. */
static void align_head(const struct record_reader *reader, struct ctf_stream *stream, int64_t last_ns)
{
	stream->head_ns =
		MAX(clock_alignment_to_reference(reader->clocks, host_of(reader, stream), stream->head_ns), last_ns);
}

static void set_error(struct record_reader *reader, const struct ctf_stream *stream)
{
	const struct trace_file *file = stream->window.file;

	g_free(reader->error);
	reader->error = file ? g_strdup_printf("%s, byte %" G_GUINT64_FORMAT ": %s", trace_file_path(file),
					       ctf_stream_offset(stream), stream->error)
			     : g_strdup(stream->error);
}

static uint32_t add_trace(struct recording *recording, const struct ctf_trace *trace)
{
	const struct ctf_trace_class *class = trace->class;
	struct recording_trace_info info = {
		.name = trace->name,
		.hostname = class->hostname,
		.clock_uuid = class->clock.has_uuid ? class->clock.uuid : NULL,
		.procname = class->procname,
		.is_kernel = class->is_kernel,
	};

	if (class->has_vpid && class->vpid >= INT32_MIN && class->vpid <= INT32_MAX) {
		info.has_vpid = true;
		info.vpid = (int32_t) class->vpid;
	}
	return recording_add_trace(recording, &info);
}

static void set_lacks(const struct record_reader *reader)
{
	bool lacks[EVENT_KIND_COUNT];

	memset(lacks, true, sizeof(lacks));
	for (guint t = 0; t < reader->traces->len; t++) {
		const struct ctf_trace *trace = g_ptr_array_index(reader->traces, t);

		for (guint p = 0; p < trace->plans->len; p++) {
			ctf_stream_plan_note_kinds(g_ptr_array_index(trace->plans, p), lacks);
		}
	}
	recording_set_lacks(reader->recording, lacks);
}

static void add_stream(struct record_reader *reader, struct ctf_stream *stream, uint32_t trace)
{
	ctf_stream_set_recording(stream, reader->recording, trace);
	stream->comms = &reader->comms;
	stream->threads = &reader->threads;
	stream->points = &reader->points;
	stream->window.arena = recording_arena(reader->recording);
	if (stream->plan->has_switches) {
		recording_set_stream_has_switches(reader->recording, stream->index);
	}
	recording_set_stream_has_definitions_only(reader->recording, stream->index, stream->plan->has_definitions_only);
	stream->is_followed = reader->follower != NULL;
}

/* All streams begin before anything else happens, in their order. */
static void add_streams(struct record_reader *reader)
{
	for (guint t = 0; t < reader->traces->len; t++) {
		const struct ctf_trace *trace = g_ptr_array_index(reader->traces, t);
		uint32_t index = trace->streams->len > 0 ? add_trace(reader->recording, trace) : RECORDING_NONE;

		for (guint s = 0; s < trace->streams->len; s++) {
			struct ctf_stream *stream = g_ptr_array_index(trace->streams, s);

			add_stream(reader, stream, index);
			stream->rank = (uint32_t)reader->heap.count;
			stream_heap_add(&reader->heap, stream);
		}
	}
}

static void find_first_heads(struct record_reader *reader)
{
	for (size_t i = 1; i <= reader->heap.count; i++) {
		struct ctf_stream *stream = reader->heap.streams[i];

		stream->window_size = ctf_window_size(reader->heap.count);
		if (!ctf_stream_advance(stream)) {
			set_error(reader, stream);
			return;
		}
	}
	stream_heap_sort(&reader->heap);
}

struct record_reader *record_reader_open(const char *const *paths, size_t path_count, struct recording *recording,
					 const struct event_interest *interest, char **reason)
{
	struct record_reader *reader;
	GPtrArray *left_out = g_ptr_array_new_with_free_func(g_free);
	GPtrArray *traces = ctf_traces_open(paths, path_count, interest, recording_pool(recording), left_out, reason);

	if (!traces) {
		g_ptr_array_unref(left_out);
		return NULL;
	}
	reader = g_new0(struct record_reader, 1);
	reader->recording = recording;
	reader->traces = traces;
	reader->left_out = left_out;
	reader->scratch = g_byte_array_new();
	reader->limit_ns = INT64_MAX;
	point_builder_init(&reader->points);
	set_lacks(reader);
	add_streams(reader);
	find_first_heads(reader);
	return reader;
}

void record_reader_close(struct record_reader *reader)
{
	if (!reader) {
		return;
	}
	ctf_follower_destroy(reader->follower);
	g_clear_pointer(&reader->late_losses, g_array_unref);
	g_free(reader->heap.times);
	g_free(reader->heap.streams);
	g_ptr_array_free(reader->traces, TRUE);
	g_ptr_array_unref(reader->left_out);
	g_byte_array_free(reader->scratch, TRUE);
	point_builder_clear(&reader->points);
	g_free(reader->error);
	g_free(reader);
}

static bool read_head(struct record_reader *reader, struct ctf_stream *stream)
{
	struct event_record *records = reader->batch.next;
	size_t counters;

	if (!ctf_stream_read_counters(stream, records, &counters) ||
	    !ctf_stream_read(stream, reader->recording, reader->scratch, &reader->last_ns, &records[counters])) {
		return false;
	}
	for (size_t i = 0; i < counters; i++) {
		records[i].thread = records[counters].thread;
	}
	reader->batch.next += counters + 1;
	return true;
}

/* Reads the head of a stream of whatever form and looks for the next one. */
static void take_head(struct record_reader *reader, struct ctf_stream *stream)
{
	bool is_read = G_LIKELY(stream->head != CTF_HEAD_UNKNOWN) ? read_head(reader, stream)
								  : ctf_stream_pass(stream, reader->recording);

	reader->batch.next += ctf_stream_take_point(stream, reader->batch.next);
	if (point_builder_is_full(&reader->points)) {
		reader->batch.end = reader->batch.next;
	}
	if (!is_read || !ctf_stream_advance(stream)) {
		set_error(reader, stream);
	}
}

static void take_usual(struct record_reader *reader, struct stream_heap *heap, int64_t limit_ns)
{
	usual_events_read(heap, limit_ns, &reader->batch);
	reader->last_ns = reader->batch.next[-1].time_ns;
	if (G_UNLIKELY(heap->count > 0 && heap->streams[1]->error)) {
		set_error(reader, heap->streams[1]);
	}
}

static void take(struct record_reader *reader)
{
	struct ctf_stream *stream = reader->heap.streams[1];

	if (G_LIKELY(stream->usual != CTF_HEADER_ANY)) {
		take_usual(reader, &reader->heap, reader->limit_ns);
	} else {
		take_head(reader, stream);
		stream_heap_settle(&reader->heap);
	}
}

/* One event, for the heads of other streams are in ticks of other clocks than what follows it. */
static void take_aligned(struct record_reader *reader)
{
	struct ctf_stream *stream = reader->heap.streams[1];
	int64_t head_ns = stream->head_ns;
	int64_t times[] = { 0, head_ns, stream_heap_end(2), stream_heap_end(3) };
	struct stream_heap alone = { times, (struct ctf_stream *[]){ NULL, stream }, 1 };
	struct event_record *record = reader->batch.next;

	if (stream->usual != CTF_HEADER_ANY) {
		take_usual(reader, &alone, INT64_MIN);
	} else {
		take_head(reader, stream);
	}
	for (; record < reader->batch.next; record++) {
		record_align_words(reader->clocks, host_of(reader, stream), record);
	}
	align_head(reader, stream, head_ns);
	stream_heap_settle(&reader->heap);
}

void record_reader_align(struct record_reader *reader, const struct clock_alignment *clocks)
{
	reader->clocks = clocks;
	for (size_t i = 1; i <= reader->heap.count; i++) {
		align_head(reader, reader->heap.streams[i], INT64_MIN);
	}
	stream_heap_sort(&reader->heap);
}

static bool has_next(const struct record_reader *reader)
{
	return reader->heap.count > 0 && reader->heap.times[1] < reader->limit_ns && !reader->error;
}

static void begin_batch(struct record_reader *reader)
{
	reader->batch = (struct ctf_batch){ reader->records, reader->records + BATCH_SIZE,
					    reader->polls,   reader->polls + BATCH_POLLS,
					    reader->calls,   reader->calls + BATCH_CALLS };
	point_builder_begin_batch(&reader->points);
	if (G_UNLIKELY(reader->late_losses && reader->late_losses->len > 0)) {
		guint count = MIN(reader->late_losses->len, BATCH_SIZE);

		memcpy(reader->records, reader->late_losses->data, count * sizeof(*reader->records));
		g_array_remove_range(reader->late_losses, 0, count);
		reader->batch.next += count;
	}
}

enum record_reader_status record_reader_next(struct record_reader *reader, const struct event_record **records,
					     size_t *count)
{
	begin_batch(reader);
	while (has_next(reader) && reader->batch.next < reader->batch.end) {
		if (G_LIKELY(!reader->clocks)) {
			take(reader);
		} else {
			take_aligned(reader);
		}
	}
	*records = reader->records;
	*count = (size_t)(reader->batch.next - reader->records);
	if (*count > 0) {
		return RECORD_READER_OK;
	}
	return reader->error					  ? RECORD_READER_ERROR
	       : reader->follower && reader->limit_ns < INT64_MAX ? RECORD_READER_WAIT
								  : RECORD_READER_END;
}

const char *record_reader_error(const struct record_reader *reader)
{
	return reader->error;
}

const GPtrArray *record_reader_left_out(const struct record_reader *reader)
{
	return reader->left_out;
}

/* --- a directory that is followed --- */

struct record_reader *record_reader_follow(const char *directory, struct recording *recording,
					   const struct event_interest *interest)
{
	struct record_reader *reader = g_new0(struct record_reader, 1);

	reader->recording = recording;
	reader->traces = ctf_traces_create();
	reader->left_out = g_ptr_array_new_with_free_func(g_free);
	reader->scratch = g_byte_array_new();
	reader->follower = ctf_follower_create(directory, interest, recording_pool(recording));
	reader->late_losses = g_array_new(FALSE, FALSE, sizeof(struct event_record));
	reader->last_ns = reader->limit_ns = INT64_MIN;
	point_builder_init(&reader->points);
	return reader;
}

/*
 * Events that should have been given before those that were. The end of a stream has no time of its own. Losses are
 * kept: those of a stream that pauses begin where other streams have been read beyond.
 */
static bool drop_late(struct record_reader *reader, struct ctf_stream *stream)
{
	struct event_record records[1 + RECORD_COUNTERS_MAX];
	size_t counters;
	int64_t last_ns = reader->last_ns;

	while (stream->head != CTF_HEAD_NONE && stream->head != CTF_HEAD_STREAM_END &&
	       stream->head_ns < reader->last_ns) {
		bool is_read = stream->head == CTF_HEAD_UNKNOWN
				       ? ctf_stream_pass(stream, reader->recording)
				       : ctf_stream_read_counters(stream, records, &counters) &&
						 ctf_stream_read(stream, reader->recording, reader->scratch, &last_ns,
								 &records[counters]);

		if (stream->head == CTF_HEAD_EVENT) {
			reader->late_count++;
		} else if (is_read && stream->head != CTF_HEAD_UNKNOWN) {
			records[0].time_ns = reader->last_ns;
			g_array_append_val(reader->late_losses, records[0]);
		}
		if (!is_read || !ctf_stream_advance(stream)) {
			return false;
		}
	}
	return true;
}

/* Streams that have a head again take part; those that are new begin. */
static void take_grown(struct record_reader *reader, struct ctf_stream *stream)
{
	stream->is_followed = reader->limit_ns < INT64_MAX;
	if (stream->head != CTF_HEAD_NONE && stream->has_begun) {
		return;
	}
	if (!ctf_stream_advance(stream) || !drop_late(reader, stream)) {
		set_error(reader, stream);
	} else if (stream->head != CTF_HEAD_NONE) {
		stream_heap_add(&reader->heap, stream);
	}
}

static void take_all_grown(struct record_reader *reader)
{
	uint32_t rank = 0;
	size_t window_size = ctf_window_size(ctf_traces_stream_count(reader->traces));

	for (guint t = 0; t < reader->traces->len; t++) {
		const struct ctf_trace *trace = g_ptr_array_index(reader->traces, t);
		uint32_t index = RECORDING_NONE;

		for (guint s = 0; s < trace->streams->len; s++) {
			const struct ctf_stream *stream = g_ptr_array_index(trace->streams, s);

			index = stream->recording ? stream->trace : index;
		}
		for (guint s = 0; s < trace->streams->len; s++) {
			struct ctf_stream *stream = g_ptr_array_index(trace->streams, s);

			if (!stream->recording) {
				index = index == RECORDING_NONE ? add_trace(reader->recording, trace) : index;
				add_stream(reader, stream, index);
			}
			stream->rank = rank++;
			stream->window_size = window_size;
			if (!reader->error) {
				take_grown(reader, stream);
			}
		}
	}
	stream_heap_sort(&reader->heap);
}

static void forget_read(struct record_reader *reader)
{
	for (guint t = 0; t < reader->traces->len; t++) {
		g_autofree char *path = NULL;

		if (!ctf_trace_forget(g_ptr_array_index(reader->traces, t), &path) && !reader->error) {
			reader->error = g_strdup_printf(
				"%s became shorter while it was read, or the disk cannot read it", path);
		}
	}
}

void record_reader_look(struct record_reader *reader, bool is_last)
{
	int64_t end_ns;

	g_ptr_array_set_size(reader->left_out, 0);
	forget_read(reader);
	end_ns = ctf_follower_look(reader->follower, reader->traces, reader->left_out, is_last);
	if (is_last) {
		reader->limit_ns = INT64_MAX;
	} else if (end_ns > INT64_MIN + FOLLOWED_MARGIN_NS) {
		reader->limit_ns = MAX(reader->limit_ns, end_ns - FOLLOWED_MARGIN_NS);
	}
	if (is_last || end_ns > INT64_MIN) {
		take_all_grown(reader);
	}
	if (reader->late_count > 0) {
		g_ptr_array_add(reader->left_out,
				g_strdup_printf("%s: %" G_GUINT64_FORMAT " events came after later ones were read",
						ctf_follower_directory(reader->follower), reader->late_count));
		reader->late_count = 0;
	}
}

int64_t record_reader_reached(const struct record_reader *reader)
{
	return reader->limit_ns == INT64_MAX ? reader->last_ns : reader->limit_ns;
}

bool record_reader_is_reliable(struct record_reader *reader)
{
	for (guint t = 0; t < reader->traces->len; t++) {
		const struct ctf_trace *trace = g_ptr_array_index(reader->traces, t);

		for (guint f = 0; f < trace->files->len; f++) {
			const struct trace_file *file = g_ptr_array_index(trace->files, f);

			if (!trace_file_is_whole(file)) {
				g_free(reader->error);
				reader->error = g_strdup_printf(
					"%s became shorter while it was read, or the disk cannot read it",
					trace_file_path(file));
				return false;
			}
		}
	}
	return true;
}

uint64_t record_reader_bytes_total(const struct record_reader *reader)
{
	uint64_t total = 0;

	for (guint t = 0; t < reader->traces->len; t++) {
		const struct ctf_trace *trace = g_ptr_array_index(reader->traces, t);

		for (guint f = 0; f < trace->files->len; f++) {
			total += trace_file_size(g_ptr_array_index(trace->files, f));
		}
	}
	return total;
}

uint64_t record_reader_bytes_read(const struct record_reader *reader)
{
	uint64_t bytes = 0;

	for (guint t = 0; t < reader->traces->len; t++) {
		const struct ctf_trace *trace = g_ptr_array_index(reader->traces, t);

		for (guint s = 0; s < trace->streams->len; s++) {
			bytes += ((const struct ctf_stream *)g_ptr_array_index(trace->streams, s))->bytes_read;
		}
	}
	return bytes;
}
