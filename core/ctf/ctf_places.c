/* SPDX-License-Identifier: MIT */
#include "core/ctf/ctf_places.h"

#include <string.h>

#include "ros2bt/events/directory_walk.h"

#define INDEX_HEADER_SIZE 24
#define USUAL_HEAD_SIZE 128 /* bytes: more than the head of a packet of LTTng takes, which are read of each packet */

struct ctf_stream *ctf_places_stream(const struct ctf_trace *trace, GPtrArray *streams,
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

void ctf_places_insert(GArray *places, const struct ctf_packet_place *place)
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
	g_autofree char *path = g_strdup_printf("%s/index/%s.idx", directory, name);
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
		ctf_places_insert(stream->places, place);
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

/* No packet is empty. */
bool ctf_places_is_broken(const struct ctf_packet_place *place)
{
	return place->packet_size == 0;
}

static bool read_head(const struct ctf_trace *trace, const struct stream_file *file, size_t size,
		      struct ctf_packet *packet, const struct ctf_stream_plan **plan, const char **why)
{
	uint64_t left = trace_file_size(file->file) - file->at;
	uint8_t head[CTF_PACKET_HEAD_MAX];

	size = (size_t)MIN(left, size);
	trace_file_read(file->file, file->at, head, size);
	return ctf_packet_read(trace->class, trace->plans, head, size, left, packet, plan, why);
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

	while (file.at < trace_file_size(file.file)) {
		struct ctf_packet packet;
		const struct ctf_stream_plan *plan;
		const char *why;

		if (!read_head(trace, &file, USUAL_HEAD_SIZE, &packet, &plan, &why) &&
		    !read_head(trace, &file, CTF_PACKET_HEAD_MAX, &packet, &plan, &why)) {
			if (!stream) {
				return refuse_packet(reason, &file, why);
			}
			add_broken_place(stream, &file, &place, is_first_file);
			break;
		}
		if (!stream) {
			stream = ctf_places_stream(trace, streams, plan, packet.instance_id);
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

static bool add_file(struct ctf_trace *trace, GPtrArray *streams, const char *directory, bool has_index,
		     const char *name, char **reason)
{
	g_autofree char *path = g_build_filename(directory, name, NULL);
	g_autoptr(GError) error = NULL;
	struct stream_file file = { 0 };

	if (name[0] == '.' || strcmp(name, "metadata") == 0) {
		return true;
	}
	file.file = trace_file_open(path, &error);
	if (!file.file) {
		if (!g_file_test(path, G_FILE_TEST_IS_REGULAR)) {
			return true;
		}
		*reason = g_strdup(error->message);
		return false;
	}
	g_ptr_array_add(trace->files, file.file);
	file.has_sequence_numbers = has_index && has_numbered_index(directory, name);
	return add_packets(trace, streams, file, reason);
}

bool ctf_places_add(struct ctf_trace *trace, GPtrArray *streams, const char *directory, char **reason)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(GPtrArray) names = directory_entries(directory, &error);
	bool has_index;

	if (!names) {
		*reason = g_strdup(error->message);
		return false;
	}
	has_index = g_ptr_array_find_with_equal_func(names, "index", g_str_equal, NULL);
	for (guint i = 0; i < names->len; i++) {
		if (!add_file(trace, streams, directory, has_index, g_ptr_array_index(names, i), reason)) {
			return false;
		}
	}
	return true;
}
