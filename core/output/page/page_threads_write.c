/* SPDX-License-Identifier: MIT */
#include "core/output/json_writer.h"
#include "core/output/page/page_threads.h"
#include "core/output/page/page_threads_parts.h"

/* Numbers of the tracks or labels that are written, in order of use; by index, 0: not used. */
struct used_entries {
	uint32_t *numbers; /* owned */
	GArray *order;	   /* uint32_t: indexes */
};

static void used_init(struct used_entries *used, guint count)
{
	used->numbers = g_new0(uint32_t, count);
	used->order = g_array_new(FALSE, FALSE, sizeof(uint32_t));
}

static void used_clear(struct used_entries *used)
{
	g_free(used->numbers);
	g_array_unref(used->order);
}

static uint32_t number_of(struct used_entries *used, uint32_t index)
{
	if (used->numbers[index] == 0) {
		g_array_append_val(used->order, index);
		used->numbers[index] = used->order->len;
	}
	return used->numbers[index] - 1;
}

static gint compare_begins(gconstpointer a, gconstpointer b)
{
	const struct thread_part *one = a, *other = b;

	return one->begin_ns != other->begin_ns ? (one->begin_ns > other->begin_ns) - (one->begin_ns < other->begin_ns)
						: (one->end_ns < other->end_ns) - (one->end_ns > other->end_ns);
}

static const struct thread_track *track_at(const struct page_threads *threads, uint32_t index)
{
	return &g_array_index(threads->tracks, struct thread_track, index);
}

/* Five numbers: its thread, what it did, its begin in the window, its length, and the thread that caused it, -1: none.
 */
static void write_part(const struct page_threads *threads, struct json_writer *json, const struct thread_part *part,
		       int64_t from_ns, struct used_entries *tracks, struct used_entries *labels)
{
	json_writer_unsigned(json, number_of(tracks, track_at(threads, part->track)->thread));
	json_writer_unsigned(json, number_of(labels, part->label));
	json_writer_integer(json, part->begin_ns - from_ns);
	json_writer_integer(json, part->end_ns - part->begin_ns);
	json_writer_integer(json, part->by ? (int64_t)number_of(tracks, track_at(threads, part->by - 1)->thread) : -1);
}

static void write_window(const struct page_threads *threads, struct json_writer *json,
			 const struct thread_window *window, int64_t begin_ns, struct used_entries *tracks,
			 struct used_entries *labels)
{
	json_writer_line_break(json);
	json_writer_begin_object(json);
	json_writer_member_integer(json, "at", window->at_ns - begin_ns);
	json_writer_member_integer(json, "end", window->end_ns - begin_ns);
	json_writer_member_integer(json, "from", window->from_ns - begin_ns);
	json_writer_member_integer(json, "to", window->to_ns - begin_ns);
	json_writer_member_unsigned(json, "left", window->left);
	json_writer_member_array(json, "parts");
	g_array_sort(window->parts, compare_begins);
	for (guint i = 0; i < window->parts->len; i++) {
		write_part(threads, json, &g_array_index(window->parts, struct thread_part, i), window->from_ns, tracks,
			   labels);
	}
	json_writer_end_array(json);
	json_writer_end_object(json);
}

static void write_text(struct json_writer *json, const char *key, const char *text)
{
	if (text) {
		json_writer_member_text(json, key, text);
	}
}

static void write_track(const struct page_threads *threads, struct json_writer *json, uint32_t index)
{
	const struct thread_track *track = track_at(threads, index);
	uint64_t parent = track->parent ? u64_map_get(&threads->track_indexes, track->parent) : U64_MAP_NONE;

	json_writer_line_break(json);
	json_writer_begin_object(json);
	json_writer_member_text(json, "name", track->name ? track->name : "?");
	write_text(json, "process", parent == U64_MAP_NONE ? NULL : track_at(threads, (uint32_t)parent)->name);
	json_writer_member_integer(json, "tid", track->tid);
	json_writer_end_object(json);
}

static void write_label(const struct page_threads *threads, struct json_writer *json, uint32_t index)
{
	const struct thread_label *label = &g_array_index(threads->labels, struct thread_label, index);

	json_writer_line_break(json);
	json_writer_begin_object(json);
	write_text(json, "name", label->name);
	write_text(json, "state", label->state);
	write_text(json, "call", label->call);
	json_writer_end_object(json);
}

static void write_used(const struct page_threads *threads, struct json_writer *json, const char *key,
		       const struct used_entries *used,
		       void (*write)(const struct page_threads *threads, struct json_writer *json, uint32_t index))
{
	json_writer_member_array(json, key);
	for (guint i = 0; i < used->order->len; i++) {
		write(threads, json, g_array_index(used->order, uint32_t, i));
	}
	json_writer_end_array(json);
}

void page_threads_write(const struct page_threads *threads, struct json_writer *json, int64_t begin_ns)
{
	struct used_entries tracks, labels;

	used_init(&tracks, threads->tracks->len);
	used_init(&labels, threads->labels->len);
	json_writer_begin_object(json);
	json_writer_member_array(json, "windows");
	for (guint i = 0; i < threads->windows->len; i++) {
		write_window(threads, json, &g_array_index(threads->windows, struct thread_window, i), begin_ns,
			     &tracks, &labels);
	}
	json_writer_end_array(json);
	write_used(threads, json, "tracks", &tracks, write_track);
	write_used(threads, json, "labels", &labels, write_label);
	json_writer_end_object(json);
	used_clear(&tracks);
	used_clear(&labels);
}
