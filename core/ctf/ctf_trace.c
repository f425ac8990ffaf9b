/* SPDX-License-Identifier: MIT */
#include "core/ctf/ctf_trace.h"

#include <string.h>

#include "core/base/compare_numbers.h"
#include "core/ctf/ctf_metadata.h"
#include "core/base/compare_texts.h"
#include "core/events/trace_files/trace_path.h"
#include "core/base/text/path_list.h"

#define DIRECTORY_DEPTH_MAX 64
#define INDEX_HEADER_SIZE 24

/* A directory with metadata, before it is known which trace it belongs to. */
struct chunk {
	char *path;
	char *relative_path; /* relative to the path that the user gave; "" for that path itself */
	struct ctf_trace_class *class;
};

static void chunk_free(gpointer data)
{
	struct chunk *chunk = data;

	g_free(chunk->path);
	g_free(chunk->relative_path);
	ctf_trace_class_destroy(chunk->class);
	g_free(chunk);
}

static void trace_free(gpointer data)
{
	struct ctf_trace *trace = data;

	g_ptr_array_free(trace->streams, TRUE);
	g_ptr_array_free(trace->files, TRUE);
	g_ptr_array_free(trace->plans, TRUE);
	g_free(trace->name);
	ctf_trace_class_destroy(trace->class);
	g_free(trace);
}

/* The entries of a directory in order of their names; NULL if it cannot be read. */
static GPtrArray *directory_entries(const char *path, GError **error)
{
	g_autoptr(GDir) directory = g_dir_open(path, 0, error);
	GPtrArray *names;
	const char *name;

	if (!directory) {
		return NULL;
	}
	names = g_ptr_array_new_with_free_func(g_free);
	while ((name = g_dir_read_name(directory))) {
		g_ptr_array_add(names, g_strdup(name));
	}
	g_ptr_array_sort(names, compare_texts);
	return names;
}

static void add_chunk(GPtrArray *chunks, const char *path, const char *relative_path)
{
	struct chunk *chunk = g_new0(struct chunk, 1);

	chunk->path = g_strdup(path);
	chunk->relative_path = g_strdup(relative_path);
	g_ptr_array_add(chunks, chunk);
}

static char *join_relative(const char *relative_path, const char *name)
{
	return relative_path[0] == '\0' ? g_strdup(name) : g_build_filename(relative_path, name, NULL);
}

/* A directory with metadata is a trace and is not looked into further, as in babeltrace2. */
static bool find_chunks(GPtrArray *chunks, const char *path, const char *relative_path, unsigned int depth,
			GPtrArray *left_out, char **reason)
{
	g_autofree char *metadata = g_build_filename(path, "metadata", NULL);
	g_autoptr(GPtrArray) names = NULL;
	g_autoptr(GError) error = NULL;

	if (g_file_test(metadata, G_FILE_TEST_IS_REGULAR)) {
		add_chunk(chunks, path, relative_path);
		return true;
	}
	names = directory_entries(path, &error);
	if (!names && depth > 0 && g_error_matches(error, G_FILE_ERROR, G_FILE_ERROR_ACCES)) {
		g_ptr_array_add(left_out, g_strdup_printf("%s: permission denied", path));
		return true;
	}
	if (!names || depth == DIRECTORY_DEPTH_MAX) {
		*reason = names ? g_strdup_printf("%s: directories nested too deep to search; name the trace itself",
						  path)
				: g_strdup(error->message);
		return false;
	}
	for (guint i = 0; i < names->len; i++) {
		const char *name = g_ptr_array_index(names, i);
		g_autofree char *child = g_build_filename(path, name, NULL);
		g_autofree char *relative_child = join_relative(relative_path, name);

		if (g_file_test(child, G_FILE_TEST_IS_DIR) &&
		    !find_chunks(chunks, child, relative_child, depth + 1, left_out, reason)) {
			return false;
		}
	}
	return true;
}

static guint class_count(const struct chunk *chunk)
{
	return chunk->class->streams->len + chunk->class->events->len;
}

/* By UUID; within a trace the directory with the longest metadata first, then by path. */
static gint compare_chunks(gconstpointer a, gconstpointer b)
{
	const struct chunk *left = *(const struct chunk *const *)a;
	const struct chunk *right = *(const struct chunk *const *)b;
	int order = memcmp(left->class->uuid, right->class->uuid, sizeof(left->class->uuid));

	if (order != 0) {
		return order;
	}
	if (class_count(left) != class_count(right)) {
		return class_count(left) > class_count(right) ? -1 : 1;
	}
	return strcmp(left->path, right->path);
}

static bool load_chunks(GPtrArray *chunks, char **reason)
{
	for (guint i = 0; i < chunks->len; i++) {
		struct chunk *chunk = g_ptr_array_index(chunks, i);
		g_autofree char *metadata = g_build_filename(chunk->path, "metadata", NULL);
		g_autofree char *why = NULL;

		chunk->class = ctf_metadata_load(metadata, &why);
		if (!chunk->class) {
			*reason = g_strdup_printf("%s: %s", chunk->path, why);
			return false;
		}
	}
	g_ptr_array_sort(chunks, compare_chunks);
	return true;
}

/* The trace of a chunk, whose class it takes over. */
static struct ctf_trace *trace_create(struct chunk *chunk)
{
	struct ctf_trace *trace = g_new0(struct ctf_trace, 1);

	trace->class = g_steal_pointer(&chunk->class);
	trace->plans = g_ptr_array_new_with_free_func((GDestroyNotify)ctf_stream_plan_destroy);
	trace->files = g_ptr_array_new_with_free_func((GDestroyNotify)trace_file_close);
	trace->streams = g_ptr_array_new_with_free_func((GDestroyNotify)ctf_stream_destroy);
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

static struct ctf_stream *find_or_add_stream(const struct ctf_trace *trace, GPtrArray *streams,
					     const struct ctf_stream_plan *plan, uint64_t instance_id)
{
	struct ctf_stream *stream;

	for (guint i = 0; i < streams->len; i++) {
		stream = g_ptr_array_index(streams, i);
		if (stream->plan == plan && stream->instance_id == instance_id) {
			return stream;
		}
	}
	stream = ctf_stream_create(trace->class, trace->plans, plan, instance_id);
	g_ptr_array_add(streams, stream);
	return stream;
}

static bool is_same_packet(const struct ctf_packet_place *one, const struct ctf_packet_place *other)
{
	return one->begin == other->begin && one->end == other->end && one->packet_size == other->packet_size &&
	       one->sequence_number == other->sequence_number;
}

/*
 * Inserts before the first packet that begins at the same time or later, as babeltrace2 does. A duplicate packet is not
 * read twice.
 */
static void insert_place(GArray *places, const struct ctf_packet_place *place)
{
	guint low = 0, high = places->len;

	while (low < high) {
		guint middle = low + (high - low) / 2;

		if (g_array_index(places, struct ctf_packet_place, middle).begin_ns < place->begin_ns) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	if (low == places->len || !is_same_packet(&g_array_index(places, struct ctf_packet_place, low), place)) {
		g_array_insert_val(places, low, *place);
	}
}

/* Whether a stream file has an index that holds sequence numbers: babeltrace2 reads them from nowhere else. */
static bool has_numbered_index(const char *directory, const char *name)
{
	static const uint8_t magic_and_major[] = { 0xC1, 0xF1, 0xDC, 0xC1, 0, 0, 0, 1 };
	g_autofree char *index_name = g_strconcat(name, ".idx", NULL);
	g_autofree char *path = g_build_filename(directory, "index", index_name, NULL);
	struct trace_file *file = trace_file_open(path, NULL);
	uint8_t bytes[INDEX_HEADER_SIZE] = { 0 };

	if (file && trace_file_size(file) >= sizeof(bytes)) {
		trace_file_read(file, 0, bytes, sizeof(bytes));
	}
	trace_file_close(file);
	return memcmp(bytes, magic_and_major, sizeof(magic_and_major)) == 0 &&
	       ctf_load32(bytes + sizeof(magic_and_major), true) >= 1;
}

/* A stream file being indexed. */
struct stream_file {
	struct trace_file *file;
	uint64_t at; /* where the next packet begins */
	bool has_sequence_numbers;
};

static bool refuse_packet(char **reason, const struct stream_file *file, const char *why)
{
	*reason = g_strdup_printf("%s, packet at byte %" G_GUINT64_FORMAT ": %s", trace_file_path(file->file), file->at,
				  why);
	return false;
}

static bool find_place(const struct stream_file *file, const struct ctf_stream *stream, const struct ctf_packet *packet,
		       struct ctf_packet_place *place)
{
	*place = (struct ctf_packet_place){
		.file = file->file,
		.offset = file->at,
		.content = packet->content / 8 + (packet->content % 8 != 0),
		.begin = packet->begin,
		.end = packet->end,
		.sequence_number = file->has_sequence_numbers ? packet->sequence_number : CTF_COUNTER_NONE,
		.packet_size = packet->size,
	};
	return ctf_stream_time_ns(stream, packet->begin, &place->begin_ns);
}

static void add_place(struct ctf_stream *stream, const struct ctf_packet_place *place, bool is_first_file)
{
	if (is_first_file) {
		g_array_append_val(stream->places, *place);
	} else {
		insert_place(stream->places, place);
	}
}

/* The bytes behind the last packet that are not a packet: the stream is read up to there. */
static void add_broken_place(struct ctf_stream *stream, const struct stream_file *file,
			     const struct ctf_packet_place *last, bool is_first_file)
{
	struct ctf_packet_place place = {
		.file = file->file,
		.offset = file->at,
		.content = MIN(trace_file_size(file->file) - file->at, CTF_PACKET_HEAD_MAX),
		.begin_ns = last->begin_ns + 1,
	};

	add_place(stream, &place, is_first_file);
}

/*
 * All packets of a stream file, which belong to one stream and follow one another in time. A packet that is cut, or
 * other bytes behind the last one, are reported when reading gets there.
 */
static bool add_packets(const struct ctf_trace *trace, GPtrArray *streams, struct stream_file file, char **reason)
{
	struct ctf_stream *stream = NULL;
	bool is_first_file = false;
	uint64_t last_begin = 0;
	struct ctf_packet_place place;
	uint8_t head[CTF_PACKET_HEAD_MAX];

	while (file.at < trace_file_size(file.file)) {
		uint64_t left = trace_file_size(file.file) - file.at;
		size_t head_size = (size_t)MIN(left, sizeof(head));
		struct ctf_packet packet;
		const struct ctf_stream_plan *plan;
		const char *why;

		trace_file_read(file.file, file.at, head, head_size);
		if (!ctf_packet_read(trace->class, trace->plans, head, head_size, left, &packet, &plan, &why)) {
			if (!stream) {
				return refuse_packet(reason, &file, why);
			}
			add_broken_place(stream, &file, &place, is_first_file);
			break;
		}
		if (!stream) {
			stream = find_or_add_stream(trace, streams, plan, packet.instance_id);
			is_first_file = stream->places->len == 0;
		}
		if (stream->plan != plan || stream->instance_id != packet.instance_id) {
			return refuse_packet(reason, &file, "belongs to another stream than the packets before it");
		}
		if (packet.begin < last_begin || !find_place(&file, stream, &packet, &place)) {
			return refuse_packet(reason, &file,
					     "begins before the packet in front of it, or at an impossible time");
		}
		last_begin = packet.begin;
		add_place(stream, &place, is_first_file);
		if (packet.is_cut) {
			break;
		}
		file.at += packet.size / 8;
	}
	return true;
}

static bool add_file(struct ctf_trace *trace, GPtrArray *streams, const char *directory, const char *name,
		     char **reason)
{
	g_autofree char *path = g_build_filename(directory, name, NULL);
	g_autoptr(GError) error = NULL;
	struct stream_file file = { 0 };

	if (name[0] == '.' || strcmp(name, "metadata") == 0 || !g_file_test(path, G_FILE_TEST_IS_REGULAR)) {
		return true;
	}
	file.file = trace_file_open(path, &error);
	if (!file.file) {
		*reason = g_strdup(error->message);
		return false;
	}
	g_ptr_array_add(trace->files, file.file);
	file.has_sequence_numbers = has_numbered_index(directory, name);
	return add_packets(trace, streams, file, reason);
}

static bool add_files(struct ctf_trace *trace, GPtrArray *streams, const char *directory, char **reason)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(GPtrArray) names = directory_entries(directory, &error);

	if (!names) {
		*reason = g_strdup(error->message);
		return false;
	}
	for (guint i = 0; i < names->len; i++) {
		if (!add_file(trace, streams, directory, g_ptr_array_index(names, i), reason)) {
			return false;
		}
	}
	return true;
}

/* The streams of one chunk join those of the trace. */
static void merge_streams(struct ctf_trace *trace, GPtrArray *streams)
{
	for (guint i = 0; i < streams->len; i++) {
		const struct ctf_stream *from = g_ptr_array_index(streams, i);
		struct ctf_stream *to = find_or_add_stream(trace, trace->streams, from->plan, from->instance_id);

		for (guint j = 0; j < from->places->len; j++) {
			insert_place(to->places, &g_array_index(from->places, struct ctf_packet_place, j));
		}
	}
}

static bool add_chunk_files(struct ctf_trace *trace, const char *directory, bool is_first, char **reason)
{
	g_autoptr(GPtrArray) streams = NULL;

	if (is_first) {
		return add_files(trace, trace->streams, directory, reason);
	}
	streams = g_ptr_array_new_with_free_func((GDestroyNotify)ctf_stream_destroy);
	if (!add_files(trace, streams, directory, reason)) {
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
	struct chunk *fullest = g_ptr_array_index(chunks, first);
	struct ctf_trace *trace = trace_create(fullest);
	bool is_open = plan_trace(trace, interest, pool, reason);

	for (*next = first; is_open && *next < chunks->len; (*next)++) {
		const struct chunk *chunk = g_ptr_array_index(chunks, *next);

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
	g_autoptr(GPtrArray) chunks = g_ptr_array_new_with_free_func(chunk_free);
	g_autoptr(GPtrArray) traces = g_ptr_array_new_with_free_func(trace_free);

	for (size_t i = 0; i < path_count; i++) {
		*reason = trace_path_problem(paths[i]);
		if (*reason || !find_chunks(chunks, paths[i], "", 0, left_out, reason)) {
			return NULL;
		}
	}
	if (chunks->len == 0) {
		g_autofree char *list = path_list_text(paths, path_count);

		*reason = g_strdup_printf("no trace found in %s: no directory there has a file `metadata`", list);
		return NULL;
	}
	if (!load_chunks(chunks, reason)) {
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
