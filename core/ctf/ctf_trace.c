/* SPDX-License-Identifier: MIT */
#include "core/ctf/ctf_trace.h"

#include <string.h>

#include "core/base/compare_numbers.h"
#include "core/ctf/ctf_chunk.h"
#include "core/events/trace_files/trace_path.h"
#include "core/base/text/path_list.h"
#include "ros2bt/base/duration_text.h"

static void trace_free(gpointer data)
{
	struct ctf_trace *trace = data;

	g_ptr_array_free(trace->streams, TRUE);
	g_ptr_array_free(trace->outgrown, TRUE);
	g_ptr_array_free(trace->files, TRUE);
	g_ptr_array_free(trace->plans, TRUE);
	g_free(trace->name);
	ctf_trace_class_destroy(trace->class);
	g_free(trace);
}

GPtrArray *ctf_traces_create(void)
{
	return g_ptr_array_new_with_free_func(trace_free);
}

size_t ctf_traces_stream_count(const GPtrArray *traces)
{
	size_t count = 0;

	for (guint i = 0; i < traces->len; i++) {
		count += ((const struct ctf_trace *)g_ptr_array_index(traces, i))->streams->len;
	}
	return count;
}

/* The trace of a chunk, whose class it takes over. */
static struct ctf_trace *trace_create(struct ctf_chunk *chunk)
{
	struct ctf_trace *trace = g_new0(struct ctf_trace, 1);

	trace->class = g_steal_pointer(&chunk->class);
	trace->plans = g_ptr_array_new_with_free_func((GDestroyNotify)ctf_stream_plan_destroy);
	trace->files = g_ptr_array_new_with_free_func((GDestroyNotify)trace_file_close);
	trace->streams = g_ptr_array_new_with_free_func((GDestroyNotify)ctf_stream_destroy);
	trace->outgrown = ctf_traces_create();
	return trace;
}

static bool plan_trace(struct ctf_trace *trace, const struct event_interest *interest, struct string_pool *pool,
		       char **reason)
{
	for (guint i = 0; i < trace->class->streams->len; i++) {
		const struct ctf_stream_class *stream_class =
			&g_array_index(trace->class->streams, struct ctf_stream_class, i);
		struct ctf_stream_plan *plan =
			ctf_stream_plan_create(trace->class, stream_class, interest, pool, reason);

		if (!plan) {
			return false;
		}
		g_ptr_array_add(trace->plans, plan);
	}
	return true;
}

/* The streams of one chunk join those of the trace. */
static void merge_streams(struct ctf_trace *trace, GPtrArray *streams)
{
	for (guint i = 0; i < streams->len; i++) {
		const struct ctf_stream *from = g_ptr_array_index(streams, i);
		struct ctf_stream *to = ctf_places_stream(trace, trace->streams, from->plan, from->instance_id);

		for (guint j = 0; j < from->places->len; j++) {
			ctf_places_insert(to->places, &g_array_index(from->places, struct ctf_packet_place, j));
		}
	}
}

static bool add_chunk_files(struct ctf_trace *trace, const char *directory, bool is_first, char **reason)
{
	g_autoptr(GPtrArray) streams = NULL;

	if (is_first) {
		return ctf_places_add(trace, trace->streams, directory, reason);
	}
	streams = g_ptr_array_new_with_free_func((GDestroyNotify)ctf_stream_destroy);
	if (!ctf_places_add(trace, streams, directory, reason)) {
		return false;
	}
	merge_streams(trace, streams);
	return true;
}

static gint compare_streams(gconstpointer a, gconstpointer b)
{
	const struct ctf_stream *left = *(const struct ctf_stream *const *)a;
	const struct ctf_stream *right = *(const struct ctf_stream *const *)b;

	if (left->plan->class->id != right->plan->class->id) {
		return left->plan->class->id > right->plan->class->id ? 1 : -1;
	}
	return compare_unsigned(left->instance_id, right->instance_id);
}

/* The name that the command line of babeltrace2 gives a trace: its host and, if it is a single directory, the path
 * to it. */
static char *trace_name(const struct ctf_trace *trace, const char *relative_path)
{
	const char *hostname = trace->class->hostname ? trace->class->hostname : "";

	return g_strconcat(hostname, trace->class->hostname && relative_path[0] != '\0' ? "/" : "", relative_path,
			   NULL);
}

/* The trace of chunks[first] and of all that follow with its UUID; *next is the first one of another trace. */
static struct ctf_trace *open_trace(GPtrArray *chunks, guint first, guint *next, const struct event_interest *interest,
				    struct string_pool *pool, char **reason)
{
	struct ctf_chunk *fullest = g_ptr_array_index(chunks, first);
	struct ctf_trace *trace = trace_create(fullest);
	bool is_open = plan_trace(trace, interest, pool, reason);

	for (*next = first; is_open && *next < chunks->len; (*next)++) {
		const struct ctf_chunk *chunk = g_ptr_array_index(chunks, *next);

		if (chunk->class && memcmp(chunk->class->uuid, trace->class->uuid, sizeof(trace->class->uuid)) != 0) {
			break;
		}
		is_open = add_chunk_files(trace, chunk->path, *next == first, reason);
	}
	if (!is_open) {
		trace_free(trace);
		return NULL;
	}
	trace->name = trace_name(trace, *next == first + 1 ? fullest->relative_path : "");
	g_ptr_array_sort(trace->streams, compare_streams);
	return trace;
}

GPtrArray *ctf_traces_open(const char *const *paths, size_t path_count, const struct event_interest *interest,
			   struct string_pool *pool, GPtrArray *left_out, char **reason)
{
	g_autoptr(GPtrArray) chunks = ctf_chunks_create();
	g_autoptr(GPtrArray) traces = ctf_traces_create();

	for (size_t i = 0; i < path_count; i++) {
		*reason = trace_path_problem(paths[i]);
		if (*reason || !ctf_chunks_find(chunks, paths[i], left_out, reason)) {
			return NULL;
		}
	}
	if (chunks->len == 0) {
		g_autofree char *list = path_list_text(paths, path_count);

		*reason = g_strdup_printf("no trace found in %s: no directory there has a file `metadata`", list);
		return NULL;
	}
	if (!ctf_chunks_load(chunks, reason)) {
		return NULL;
	}
	for (guint i = 0; i < chunks->len;) {
		struct ctf_trace *trace = open_trace(chunks, i, &i, interest, pool, reason);

		if (!trace) {
			return NULL;
		}
		g_ptr_array_add(traces, trace);
	}
	return g_steal_pointer(&traces);
}

/* --- traces that grow --- */

struct ctf_trace *ctf_trace_create(struct ctf_chunk *chunk, const struct event_interest *interest,
				   struct string_pool *pool, char **reason)
{
	struct ctf_trace *trace = trace_create(chunk);

	if (!plan_trace(trace, interest, pool, reason)) {
		trace_free(trace);
		return NULL;
	}
	trace->name = trace_name(trace, "");
	return trace;
}

static bool has_all_plans(const struct ctf_trace *trace, const GPtrArray *plans)
{
	for (guint i = 0; i < trace->streams->len; i++) {
		const struct ctf_stream *stream = g_ptr_array_index(trace->streams, i);

		if (!ctf_stream_plan_of(plans, stream->plan->class->id)) {
			return false;
		}
	}
	return true;
}

/* The other one's time minus this one's; false: they do not run equally fast, or are too far apart. */
static bool clock_difference(const struct ctf_clock *clock, const struct ctf_clock *other, int64_t *difference_ns)
{
	int64_t zero_ns, other_zero_ns;

	return clock->frequency == other->frequency && ctf_clock_to_ns(clock, 0, &zero_ns) &&
	       ctf_clock_to_ns(other, 0, &other_zero_ns) &&
	       !__builtin_sub_overflow(other_zero_ns, zero_ns, difference_ns) && *difference_ns != INT64_MIN;
}

/*
 * Of a session whose metadata was made anew when the clock of the machine had been set. What was read has its times, so
 * that the clock cannot change any more: in the middle of a recording it would be a pause that never was.
 */
static bool note_clock(struct ctf_trace *trace, const struct ctf_chunk *chunk, char **note, char **reason)
{
	int64_t difference_ns;

	if (!clock_difference(&trace->class->clock, &chunk->class->clock, &difference_ns)) {
		*reason = g_strdup_printf("%s: its clock is not that of the chunks before", chunk->path);
		return false;
	}
	if (difference_ns != 0 && difference_ns != trace->clock_set_ns) {
		g_autofree char *text = duration_text(ABS(difference_ns));

		*note = g_strdup_printf("%s: its metadata sets the clock %s %s, which is left out", chunk->path, text,
					difference_ns > 0 ? "ahead" : "back");
		trace->clock_set_ns = difference_ns;
	}
	return true;
}

/* The metadata of a session only grows, so what was recorded before can be read by it, too. */
static bool outgrow(struct ctf_trace *trace, struct ctf_chunk *chunk, const struct event_interest *interest,
		    struct string_pool *pool, char **reason)
{
	struct ctf_trace *grown = ctf_trace_create(chunk, interest, pool, reason);

	if (!grown) {
		return false;
	}
	grown->class->clock = trace->class->clock;
	if (!has_all_plans(trace, grown->plans)) {
		*reason = g_strdup_printf("%s: its metadata lacks a stream of the chunks before", chunk->path);
		trace_free(grown);
		return false;
	}
	for (guint i = 0; i < trace->streams->len; i++) {
		struct ctf_stream *stream = g_ptr_array_index(trace->streams, i);

		ctf_stream_replan(stream, grown->class, grown->plans,
				  ctf_stream_plan_of(grown->plans, stream->plan->class->id));
	}
	/* the contents change places: pointers to the trace stay good */
	{
		struct ctf_trace_class *class = trace->class;
		GPtrArray *plans = trace->plans;

		trace->class = grown->class;
		trace->plans = grown->plans;
		grown->class = class;
		grown->plans = plans;
	}
	g_ptr_array_add(trace->outgrown, grown);
	return true;
}

/* Whether a packet is not after the one that is being read, or was read last. */
static bool was_read(const struct ctf_stream *stream, const struct ctf_packet_place *place)
{
	int64_t begin_ns;

	if (!stream->has_begun) {
		return false;
	}
	if (ctf_places_is_broken(place)) {
		return ctf_stream_time_ns(stream, stream->packet.begin, &begin_ns) && place->begin_ns <= begin_ns;
	}
	if (place->sequence_number != CTF_COUNTER_NONE && stream->packet.sequence_number != CTF_COUNTER_NONE) {
		return place->sequence_number <= stream->packet.sequence_number;
	}
	return place->begin <= stream->packet.begin;
}

/* Whether a packet is before all that were read, or where some were missing when the next one was read. */
static bool was_missing(const struct ctf_stream *stream, const struct ctf_packet_place *place)
{
	if (ctf_places_is_broken(place)) {
		return false;
	}
	for (guint i = 0; place->sequence_number != CTF_COUNTER_NONE && i < stream->gaps->len; i++) {
		const struct ctf_stream_gap *gap = &g_array_index(stream->gaps, struct ctf_stream_gap, i);

		if (place->sequence_number > gap->before && place->sequence_number < gap->after) {
			return true;
		}
	}
	return place->begin < stream->first_begin;
}

/* The number of packets that were not read, and are left out as later ones were. */
static guint grow_stream(struct ctf_stream *to, const struct ctf_stream *from, int64_t *end_ns)
{
	guint older = 0;

	for (guint i = 0; i < from->places->len; i++) {
		const struct ctf_packet_place *place = &g_array_index(from->places, struct ctf_packet_place, i);
		int64_t place_end_ns;

		if (!was_read(to, place)) {
			ctf_places_insert(to->places, place);
			if (ctf_stream_time_ns(to, place->end, &place_end_ns)) {
				*end_ns = MAX(*end_ns, place_end_ns);
			}
		} else if (was_missing(to, place)) {
			older++;
		}
	}
	return older;
}

bool ctf_trace_grow(struct ctf_trace *trace, struct ctf_chunk *chunk, const struct event_interest *interest,
		    struct string_pool *pool, int64_t *end_ns, char **reason)
{
	g_autoptr(GPtrArray) streams = g_ptr_array_new_with_free_func((GDestroyNotify)ctf_stream_destroy);
	g_autofree char *note = NULL;
	guint older = 0;

	if (chunk->class && !note_clock(trace, chunk, &note, reason)) {
		return false;
	}
	if (chunk->class && ctf_chunk_class_count(chunk->class) > ctf_chunk_class_count(trace->class) &&
	    !outgrow(trace, chunk, interest, pool, reason)) {
		return false;
	}
	if (!ctf_places_add(trace, streams, chunk->path, reason)) {
		return false;
	}
	for (guint i = 0; i < streams->len; i++) {
		const struct ctf_stream *from = g_ptr_array_index(streams, i);

		older += grow_stream(ctf_places_stream(trace, trace->streams, from->plan, from->instance_id), from,
				     end_ns);
	}
	g_ptr_array_sort(trace->streams, compare_streams);
	if (older > 0) {
		*reason = g_strdup_printf("%s: %u packets are older than what was read before", chunk->path, older);
		return false;
	}
	*reason = g_steal_pointer(&note);
	return *reason == NULL;
}

bool ctf_trace_forget(struct ctf_trace *trace, char **path)
{
	g_autoptr(GHashTable) used = g_hash_table_new(NULL, NULL);
	bool are_whole = true;

	for (guint i = 0; i < trace->streams->len; i++) {
		struct ctf_stream *stream = g_ptr_array_index(trace->streams, i);

		g_array_remove_range(stream->places, 0, stream->next_place);
		stream->next_place = 0;
		if (stream->head == CTF_HEAD_NONE) {
			stream->window.file = NULL;
		}
		g_hash_table_add(used, stream->window.file);
		for (guint j = 0; j < stream->places->len; j++) {
			g_hash_table_add(used, g_array_index(stream->places, struct ctf_packet_place, j).file);
		}
	}
	for (guint i = trace->files->len; i-- > 0;) {
		struct trace_file *file = g_ptr_array_index(trace->files, i);

		if (!g_hash_table_contains(used, file)) {
			if (are_whole && !trace_file_is_whole(file)) {
				are_whole = false;
				*path = g_strdup(trace_file_path(file));
			}
			g_ptr_array_remove_index_fast(trace->files, i);
		}
	}
	return are_whole;
}
