/* SPDX-License-Identifier: MIT */
#include "core/output/page/page_threads.h"

#include "core/output/page/page_threads_parts.h"
#include "core/tables/timeline_tables.h"
#include "ros2bt/output/output_stream.h"

struct threads_table {
	struct table_writer writer;
	struct page_threads *threads; /* borrowed */
};

static void clear_track(gpointer data)
{
	struct thread_track *track = data;

	g_free(track->name);
	g_clear_pointer(&track->windows, g_array_unref);
}

static void clear_label(gpointer data)
{
	struct thread_label *label = data;

	g_free(label->name);
	g_free(label->state);
	g_free(label->call);
}

static void clear_window(gpointer data)
{
	struct thread_window *window = data;

	g_array_unref(window->parts);
}

struct page_threads *page_threads_create(const char *spool_directory)
{
	struct page_threads *threads = g_new0(struct page_threads, 1);

	threads->writers = g_ptr_array_new_with_free_func(g_free);
	threads->spool = output_stream_create_spool(spool_directory);
	u64_map_init(&threads->track_indexes);
	u64_map_init(&threads->label_indexes);
	threads->tracks = g_array_new(FALSE, TRUE, sizeof(struct thread_track));
	g_array_set_clear_func(threads->tracks, clear_track);
	threads->labels = g_array_new(FALSE, TRUE, sizeof(struct thread_label));
	g_array_set_clear_func(threads->labels, clear_label);
	threads->wanted = g_array_new(FALSE, FALSE, sizeof(struct wanted_window));
	threads->windows = g_array_new(FALSE, FALSE, sizeof(struct thread_window));
	g_array_set_clear_func(threads->windows, clear_window);
	return threads;
}

void page_threads_destroy(struct page_threads *threads)
{
	g_ptr_array_unref(threads->writers);
	output_stream_destroy(threads->spool);
	u64_map_clear(&threads->track_indexes);
	u64_map_clear(&threads->label_indexes);
	g_array_unref(threads->tracks);
	g_array_unref(threads->labels);
	g_array_unref(threads->wanted);
	g_array_unref(threads->windows);
	g_free(threads);
}

/* --- rows --- */

/* The index of an id, which gets a new entry in the array. */
static uint32_t index_of(struct u64_map *indexes, GArray *entries, uint64_t id)
{
	uint64_t index = u64_map_get(indexes, id);

	if (G_UNLIKELY(index == U64_MAP_NONE)) {
		index = entries->len;
		g_array_set_size(entries, entries->len + 1);
		u64_map_set(indexes, id, index);
	}
	return (uint32_t)index;
}

static struct thread_track *track_at(const struct page_threads *threads, uint32_t index)
{
	return &g_array_index(threads->tracks, struct thread_track, index);
}

static void add_event(struct table_writer *writer, const struct cell *cells)
{
	struct page_threads *threads = ((struct threads_table *)writer)->threads;
	const struct cell *by = &cells[TIMELINE_EVENT_ARROW];
	char kind = cells[TIMELINE_EVENT_KIND].text[0];
	struct thread_part part = { .is_state = kind == TIMELINE_THREAD[0] };

	if (!part.is_state && kind != TIMELINE_SLICE[0]) {
		return;
	}
	part.begin_ns = cells[TIMELINE_EVENT_BEGIN].integer;
	part.end_ns = cells[TIMELINE_EVENT_END].integer;
	part.track = index_of(&threads->track_indexes, threads->tracks, cells[TIMELINE_EVENT_TRACK].unsigned_integer);
	part.label = index_of(&threads->label_indexes, threads->labels, cells[TIMELINE_EVENT_LABEL].unsigned_integer);
	if (part.is_state && by->type != CELL_EMPTY) {
		part.by = index_of(&threads->track_indexes, threads->tracks, by->unsigned_integer) + 1;
	}
	track_at(threads, part.track)->has_executed |= !part.is_state;
	threads->part_count++;
	output_stream_bytes(threads->spool, (const char *)&part, sizeof(part));
}

/* Tracks of processes have the names that threads need, and come with threads of which nothing was drawn. */
static void add_track(struct table_writer *writer, const struct cell *cells)
{
	struct page_threads *threads = ((struct threads_table *)writer)->threads;
	uint64_t id = cells[TIMELINE_TRACK_ID].unsigned_integer;
	struct thread_track *track = track_at(threads, index_of(&threads->track_indexes, threads->tracks, id));

	if (!track->name) {
		track->name = g_strdup(cells[TIMELINE_TRACK_NAME].text ? cells[TIMELINE_TRACK_NAME].text : "?");
		track->parent = cells[TIMELINE_TRACK_PARENT].unsigned_integer;
		track->pid = cells[TIMELINE_TRACK_PID].integer;
		track->tid = cells[TIMELINE_TRACK_TID].integer;
	}
}

static void add_label(struct table_writer *writer, const struct cell *cells)
{
	struct page_threads *threads = ((struct threads_table *)writer)->threads;
	uint64_t index = u64_map_get(&threads->label_indexes, cells[TIMELINE_LABEL_ID].unsigned_integer);
	const char *key = cells[TIMELINE_LABEL_KEY].text;
	struct thread_label *label;
	char **text;

	if (index == U64_MAP_NONE || cells[TIMELINE_LABEL_VALUE].type != CELL_TEXT) {
		return;
	}
	label = &g_array_index(threads->labels, struct thread_label, index);
	text = g_str_equal(key, "name")		      ? &label->name
	       : g_str_equal(key, TIMELINE_KEY_STATE) ? &label->state
	       : g_str_equal(key, TIMELINE_KEY_CALL)  ? &label->call
						      : NULL;
	if (text && !*text) {
		*text = g_strdup(cells[TIMELINE_LABEL_VALUE].text);
	}
}

struct table_writer *page_threads_open(struct page_threads *threads, const struct table_schema *schema)
{
	static void (*const rows[])(struct table_writer * writer, const struct cell *cells) = {
		[KIND_TIMELINE_TRACKS] = add_track,
		[KIND_TIMELINE_LABELS] = add_label,
		[KIND_TIMELINE_EVENTS] = add_event,
	};
	struct threads_table *table;

	if (!schema->is_of_threads) {
		return NULL;
	}
	table = g_new0(struct threads_table, 1);
	table->writer.row = rows[schema->kind];
	table->threads = threads;
	g_ptr_array_add(threads->writers, table);
	return &table->writer;
}

bool page_threads_have_any(const struct page_threads *threads)
{
	return threads->part_count > 0;
}

bool page_threads_check(const struct page_threads *threads, GError **error)
{
	return output_stream_check(threads->spool, error);
}

/* --- threads --- */

/* One track stands for each thread: one with executions, if there is one. */
static void join_tracks(const struct page_threads *threads)
{
	struct u64_map by_ids;

	u64_map_init(&by_ids);
	for (int has_executed = 1; has_executed >= 0; has_executed--) {
		for (guint i = 0; i < threads->tracks->len; i++) {
			struct thread_track *track = track_at(threads, i);
			uint64_t key = (uint64_t)track->pid << 32 | (uint32_t)track->tid, first;

			if (track->has_executed != (has_executed == 1)) {
				continue;
			}
			first = track->tid ? u64_map_get(&by_ids, key) : U64_MAP_NONE;
			track->thread = first == U64_MAP_NONE ? i : (uint32_t)first;
			if (track->tid && first == U64_MAP_NONE) {
				u64_map_set(&by_ids, key, i);
			}
		}
	}
	u64_map_clear(&by_ids);
}

static struct thread_track *thread_of(const struct page_threads *threads, const struct thread_part *part)
{
	return track_at(threads, track_at(threads, part->track)->thread);
}

static void add_window(struct thread_track *thread, uint32_t window)
{
	if (!thread->windows) {
		thread->windows = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	}
	for (guint i = 0; i < thread->windows->len; i++) {
		if (g_array_index(thread->windows, uint32_t, i) == window) {
			return;
		}
	}
	g_array_append_val(thread->windows, window);
}

/* The threads of the windows: those with an execution that begins at one of their moments. */
static void find_threads(struct page_threads *threads, const struct u64_map *moments, const GArray *links)
{
	struct thread_part part;

	output_stream_rewind(threads->spool);
	while (output_stream_read(threads->spool, &part, sizeof(part))) {
		uint64_t link = part.is_state ? U64_MAP_NONE : u64_map_get(moments, (uint64_t)part.begin_ns);

		for (uint32_t next = link == U64_MAP_NONE ? 0 : (uint32_t)link; next != 0;) {
			const struct window_link *at = &g_array_index(links, struct window_link, next - 1);
			struct thread_window *window =
				&g_array_index(threads->windows, struct thread_window, at->window);

			if (!window->is_of_hops && part.begin_ns == window->at_ns) {
				window->end_ns = MAX(window->end_ns, part.end_ns);
			}
			add_window(thread_of(threads, &part), at->window);
			next = at->next;
		}
	}
}

static gint compare_windows(gconstpointer a, gconstpointer b, gpointer data)
{
	const GArray *windows = data;
	const struct thread_window *one = &g_array_index(windows, struct thread_window, *(const uint32_t *)a);
	const struct thread_window *other = &g_array_index(windows, struct thread_window, *(const uint32_t *)b);

	return (one->from_ns > other->from_ns) - (one->from_ns < other->from_ns);
}

static void set_range(struct thread_window *window)
{
	int64_t around_ns = (window->end_ns - window->at_ns) / 4 + 1000;

	window->from_ns = window->at_ns - around_ns;
	window->to_ns = window->end_ns + around_ns;
}

static void sort_windows(const struct page_threads *threads, struct thread_track *track)
{
	g_array_sort_with_data(track->windows, compare_windows, threads->windows);
	for (guint i = 0; i < track->windows->len; i++) {
		const struct thread_window *window = &g_array_index(threads->windows, struct thread_window,
								    g_array_index(track->windows, uint32_t, i));

		track->longest_ns = MAX(track->longest_ns, window->to_ns - window->from_ns);
	}
}

static void set_ranges(const struct page_threads *threads)
{
	for (guint i = 0; i < threads->windows->len; i++) {
		set_range(&g_array_index(threads->windows, struct thread_window, i));
	}
	for (guint i = 0; i < threads->tracks->len; i++) {
		if (track_at(threads, i)->windows) {
			sort_windows(threads, track_at(threads, i));
		}
	}
}

/* --- parts --- */

/* The longest first, executions before states. */
static gint compare_parts(gconstpointer a, gconstpointer b)
{
	const struct thread_part *one = a, *other = b;
	int64_t length_ns = one->end_ns - one->begin_ns, other_ns = other->end_ns - other->begin_ns;

	return length_ns != other_ns ? (length_ns < other_ns) - (length_ns > other_ns)
				     : (one->begin_ns > other->begin_ns) - (one->begin_ns < other->begin_ns);
}

static void keep_longest(struct thread_window *window)
{
	if (window->parts->len > PAGE_WINDOW_PARTS) {
		g_array_sort(window->parts, compare_parts);
		window->left += window->parts->len - PAGE_WINDOW_PARTS;
		g_array_set_size(window->parts, PAGE_WINDOW_PARTS);
	}
}

static void add_part(struct thread_window *window, const struct thread_part *part)
{
	if (part->begin_ns < window->to_ns && part->end_ns > window->from_ns) {
		g_array_append_vals(window->parts, part, 1);
		if (window->parts->len == 2 * PAGE_WINDOW_PARTS) {
			keep_longest(window);
		}
	}
}

static struct thread_window *window_at(const struct page_threads *threads, const struct thread_track *thread, guint i)
{
	return &g_array_index(threads->windows, struct thread_window, g_array_index(thread->windows, uint32_t, i));
}

/* The first window of a thread that may reach to a moment: none before it does. */
static guint first_window(const struct page_threads *threads, const struct thread_track *thread, int64_t at_ns)
{
	guint low = 0, high = thread->windows->len;

	while (low < high) {
		guint middle = low + (high - low) / 2;

		if (window_at(threads, thread, middle)->from_ns < at_ns - thread->longest_ns) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low;
}

static void add_part_to_windows(const struct page_threads *threads, const struct thread_part *part)
{
	const struct thread_track *thread = thread_of(threads, part);

	if (!thread->windows) {
		return;
	}
	for (guint i = first_window(threads, thread, part->begin_ns); i < thread->windows->len; i++) {
		struct thread_window *window = window_at(threads, thread, i);

		if (window->from_ns >= part->end_ns) {
			break;
		}
		add_part(window, part);
	}
}

static void find_parts(const struct page_threads *threads)
{
	struct thread_part part;

	output_stream_rewind(threads->spool);
	while (output_stream_read(threads->spool, &part, sizeof(part))) {
		add_part_to_windows(threads, &part);
	}
	for (guint i = 0; i < threads->windows->len; i++) {
		keep_longest(&g_array_index(threads->windows, struct thread_window, i));
	}
}

void page_threads_collect(struct page_threads *threads)
{
	struct u64_map moments;
	g_autoptr(GArray) links = g_array_new(FALSE, FALSE, sizeof(struct window_link));

	u64_map_init(&moments);
	page_threads_choose(threads, &moments, links);
	join_tracks(threads);
	find_threads(threads, &moments, links);
	set_ranges(threads);
	find_parts(threads);
	u64_map_clear(&moments);
}
