/* SPDX-License-Identifier: MIT */
/*
 * The timeline (core/tables/timeline_tables.h) as a trace for Perfetto: ui.perfetto.dev shows it, and its trace
 * processor answers SQL.
 *
 * Names are known last but must be written first, so events wait in a spool, in the order of arrival; states of threads
 * wait in memory, to be sorted (perfetto_sched.h). Only tracks and labels that events use are written, and the tracks
 * above them. More than EVENTS_MAX events are refused before anything is written.
 */
#include <string.h>

#include "core/output/outputs.h"
#include "core/output/perfetto/perfetto_packets.h"
#include "core/output/perfetto/perfetto_sched.h"
#include "core/tables/timeline_tables.h"
#include "ros2bt/base/u64_map.h"
#include "ros2bt/output/output_stream.h"

/* A row of events, in the spool. */
struct waiting_event {
	int64_t begin_ns, end_ns, value;
	uint64_t arrows[2]; /* 0: none */
	uint32_t track;	    /* index in `tracks` */
	uint32_t label;	    /* index in `labels` */
	char kind;	    /* its first letter */
	bool has_value;
};

#define NO_LABEL UINT32_MAX

/* Of slices, instants and states: a browser needs about 700 MB for each million, and has 2 GB. */
#define EVENTS_MAX 3000000

struct track_entry {
	uint64_t id, parent; /* 0: none */
	char *kind, *name;   /* owned; NULL: no row has described the track */
	uint64_t rank;
	int64_t pid, tid;
	bool is_used;
};

struct perfetto_table {
	struct table_writer writer;
	struct perfetto_output *perfetto; /* borrowed */
};

struct perfetto_output {
	const struct output_place *place; /* borrowed */
	GPtrArray *tables;		  /* struct perfetto_table, owned */
	struct output_stream *events;	  /* owned; struct waiting_event */
	struct u64_map track_indexes, label_indexes;
	GArray *tracks; /* struct track_entry, by index; their uuid is one more */
	GArray *labels; /* struct perfetto_label, by index */
	struct perfetto_packets packets;
	struct perfetto_sched sched;
	uint64_t event_count; /* slices, instants and states */
};

/* --- rows --- */

static struct track_entry *track_at(const struct perfetto_output *perfetto, size_t index)
{
	return &g_array_index(perfetto->tracks, struct track_entry, index);
}

static uint32_t track_index(struct perfetto_output *perfetto, uint64_t id)
{
	uint64_t index = u64_map_get(&perfetto->track_indexes, id);

	if (index == U64_MAP_NONE) {
		struct track_entry entry = { .id = id };

		index = perfetto->tracks->len;
		g_array_append_val(perfetto->tracks, entry);
		u64_map_set(&perfetto->track_indexes, id, index);
	}
	return (uint32_t)index;
}

static uint32_t label_index(struct perfetto_output *perfetto, uint64_t id)
{
	uint64_t index = u64_map_get(&perfetto->label_indexes, id);

	if (index == U64_MAP_NONE) {
		struct perfetto_label label = { 0 };

		index = perfetto->labels->len;
		g_array_append_val(perfetto->labels, label);
		u64_map_set(&perfetto->label_indexes, id, index);
	}
	return (uint32_t)index;
}

/* Its letter and reason follow when the labels are known. */
static void add_state(struct perfetto_output *perfetto, const struct cell *cells)
{
	const struct cell *cpu = &cells[TIMELINE_EVENT_VALUE], *by = &cells[TIMELINE_EVENT_ARROW];
	bool has_cpu = cpu->type != CELL_EMPTY && cpu->integer < PERFETTO_CPU_UNKNOWN;

	perfetto_sched_add(
		&perfetto->sched,
		&(struct perfetto_state){
			.begin_ns = cells[TIMELINE_EVENT_BEGIN].integer,
			.end_ns = cells[TIMELINE_EVENT_END].integer,
			.thread = track_index(perfetto, cells[TIMELINE_EVENT_TRACK].unsigned_integer),
			.by = by->type == CELL_EMPTY ? PERFETTO_NOBODY : track_index(perfetto, by->unsigned_integer),
			.reason = label_index(perfetto, cells[TIMELINE_EVENT_LABEL].unsigned_integer),
			.cpu = has_cpu ? (int32_t)cpu->integer : -1,
		});
}

static void write_event_row(struct table_writer *writer, const struct cell *cells)
{
	struct perfetto_output *perfetto = ((struct perfetto_table *)writer)->perfetto;
	const struct cell *value = &cells[TIMELINE_EVENT_VALUE];
	struct waiting_event event;

	memset(&event, 0, sizeof(event)); /* the padding as well, since it is written */
	event.kind = cells[TIMELINE_EVENT_KIND].text[0];
	perfetto->event_count += event.kind != TIMELINE_COUNTER[0] && event.kind != TIMELINE_ARROWS[0];
	if (G_UNLIKELY(perfetto->event_count > EVENTS_MAX)) {
		return; /* none of them will be written */
	}
	if (event.kind == TIMELINE_THREAD[0]) {
		add_state(perfetto, cells);
		return;
	}
	event.begin_ns = cells[TIMELINE_EVENT_BEGIN].integer;
	event.end_ns = cells[TIMELINE_EVENT_END].integer;
	event.value = value->integer;
	event.has_value = value->type != CELL_EMPTY;
	event.arrows[0] = cells[TIMELINE_EVENT_ARROW].unsigned_integer;
	event.arrows[1] = cells[TIMELINE_EVENT_SECOND_ARROW].unsigned_integer;
	event.label = NO_LABEL;
	if (cells[TIMELINE_EVENT_LABEL].type != CELL_EMPTY) {
		event.label = label_index(perfetto, cells[TIMELINE_EVENT_LABEL].unsigned_integer);
	}
	if (cells[TIMELINE_EVENT_TRACK].type != CELL_EMPTY) {
		event.track = track_index(perfetto, cells[TIMELINE_EVENT_TRACK].unsigned_integer);
		track_at(perfetto, event.track)->is_used = true;
	}
	output_stream_bytes(perfetto->events, (const char *)&event, sizeof(event));
}

/* All events have arrived: a label without an event is not needed. */
static void write_label_row(struct table_writer *writer, const struct cell *cells)
{
	struct perfetto_output *perfetto = ((struct perfetto_table *)writer)->perfetto;
	uint64_t index = u64_map_get(&perfetto->label_indexes, cells[TIMELINE_LABEL_ID].unsigned_integer);

	if (index != U64_MAP_NONE) {
		perfetto_label_add(&perfetto->packets, &g_array_index(perfetto->labels, struct perfetto_label, index),
				   cells[TIMELINE_LABEL_KEY].text, &cells[TIMELINE_LABEL_VALUE]);
	}
}

static void write_track_row(struct table_writer *writer, const struct cell *cells)
{
	struct perfetto_output *perfetto = ((struct perfetto_table *)writer)->perfetto;
	struct track_entry *track =
		track_at(perfetto, track_index(perfetto, cells[TIMELINE_TRACK_ID].unsigned_integer));

	if (!track->kind) {
		track->kind = g_strdup(cells[TIMELINE_TRACK_KIND].text);
		track->name = g_strdup(cells[TIMELINE_TRACK_NAME].text);
		track->parent = cells[TIMELINE_TRACK_PARENT].unsigned_integer;
		track->rank = cells[TIMELINE_TRACK_RANK].unsigned_integer;
		track->pid = cells[TIMELINE_TRACK_PID].integer;
		track->tid = cells[TIMELINE_TRACK_TID].integer;
	}
}

/* --- the file --- */

static void mark_tracks_above(struct perfetto_output *perfetto)
{
	for (guint i = 0; i < perfetto->tracks->len; i++) {
		const struct track_entry *track = track_at(perfetto, i);

		while (track->is_used && track->parent) {
			struct track_entry *parent = track_at(perfetto, track_index(perfetto, track->parent));

			if (parent->is_used) {
				break;
			}
			parent->is_used = true;
			track = parent;
		}
	}
}

/* Writes a track after the one above it. */
static void write_track(struct perfetto_output *perfetto, guint index)
{
	struct track_entry *track = track_at(perfetto, index);
	uint32_t parent;

	if (!track->is_used) {
		return;
	}
	track->is_used = false;
	parent = track->parent ? track_index(perfetto, track->parent) : 0;
	if (track->parent) {
		write_track(perfetto, parent);
	}
	perfetto_write_track(&perfetto->packets, &(struct perfetto_track){
							 .uuid = index + 1,
							 .parent_uuid = track->parent ? parent + 1 : 0,
							 .kind = track->kind ? track->kind : "row",
							 .name = track->name ? track->name : "?",
							 .rank = track->rank,
							 .pid = track->pid,
							 .tid = track->tid,
						 });
}

static void add_arrows(struct perfetto_output *perfetto, const struct waiting_event *event)
{
	for (size_t i = 0; i < G_N_ELEMENTS(event->arrows); i++) {
		if (event->arrows[i]) {
			perfetto_add_arrow(&perfetto->packets, event->arrows[i]);
		}
	}
}

static void begin_event(struct perfetto_output *perfetto, const struct waiting_event *event)
{
	const struct perfetto_label *label =
		event->label == NO_LABEL ? NULL : &g_array_index(perfetto->labels, struct perfetto_label, event->label);
	enum perfetto_event_type type = event->kind == TIMELINE_SLICE[0]     ? PERFETTO_SLICE_BEGIN
					: event->kind == TIMELINE_COUNTER[0] ? PERFETTO_COUNTER
									     : PERFETTO_INSTANT;

	perfetto_begin_event(&perfetto->packets, type, (uint64_t)event->track + 1, label);
	if (type == PERFETTO_COUNTER) {
		perfetto_add_counter_value(&perfetto->packets, event->value);
	} else if (event->has_value && label) {
		perfetto_add_value(&perfetto->packets, label, event->value);
	}
	add_arrows(perfetto, event);
}

static void end_event(struct perfetto_output *perfetto, const struct waiting_event *event)
{
	perfetto_write_event(&perfetto->packets, event->begin_ns);
	if (event->kind == TIMELINE_SLICE[0]) {
		perfetto_begin_event(&perfetto->packets, PERFETTO_SLICE_END, (uint64_t)event->track + 1, NULL);
		perfetto_write_event(&perfetto->packets, MAX(event->begin_ns, event->end_ns));
	}
}

static void write_events(struct perfetto_output *perfetto)
{
	struct waiting_event open, event;
	bool has_open = false;

	output_stream_rewind(perfetto->events);
	while (output_stream_read(perfetto->events, &event, sizeof(event))) {
		if (event.kind == TIMELINE_ARROWS[0]) {
			add_arrows(perfetto, &event);
			continue;
		}
		if (has_open) {
			end_event(perfetto, &open);
		}
		begin_event(perfetto, &event);
		open = event;
		has_open = true;
	}
	if (has_open) {
		end_event(perfetto, &open);
	}
}

/* --- threads --- */

static uint64_t thread_key(const struct track_entry *track)
{
	return (uint64_t)track->pid << 32 | (uint32_t)track->tid;
}

/* A thread with states has a track, unless it has one already, of what it executed. */
static void mark_threads(const struct perfetto_output *perfetto)
{
	struct u64_map drawn;

	u64_map_init(&drawn);
	for (guint i = 0; i < perfetto->tracks->len; i++) {
		const struct track_entry *track = track_at(perfetto, i);

		if (track->is_used && track->tid) {
			u64_map_set(&drawn, thread_key(track), i);
		}
	}
	for (guint i = 0; i < perfetto->sched.states->len; i++) {
		uint32_t thread = g_array_index(perfetto->sched.states, struct perfetto_state, i).thread;
		struct track_entry *track = track_at(perfetto, thread);

		if (!track->is_used && u64_map_get(&drawn, thread_key(track)) == U64_MAP_NONE) {
			track->is_used = true;
			u64_map_set(&drawn, thread_key(track), thread);
		}
	}
	u64_map_clear(&drawn);
}

/* What the states need to know of their threads, by index of the track. */
static struct perfetto_thread *prepare_states(struct perfetto_output *perfetto)
{
	struct perfetto_thread *threads = g_new(struct perfetto_thread, perfetto->tracks->len);

	for (guint i = 0; i < perfetto->tracks->len; i++) {
		const struct track_entry *track = track_at(perfetto, i);

		threads[i] =
			(struct perfetto_thread){ track->tid, track->name ? track->name : "thread", track->pid > 0 };
	}
	for (guint i = 0; i < perfetto->sched.states->len; i++) {
		struct perfetto_state *state = &g_array_index(perfetto->sched.states, struct perfetto_state, i);
		const struct perfetto_label *label =
			&g_array_index(perfetto->labels, struct perfetto_label, state->reason);

		state->letter = label->state;
		state->reason = label->reason;
	}
	perfetto_sched_prepare(&perfetto->sched, &perfetto->packets, threads);
	return threads;
}

static bool finish(struct output *output, const struct report_trace *trace, GError **error)
{
	struct perfetto_output *perfetto = (struct perfetto_output *)output;
	g_autofree struct perfetto_thread *threads = prepare_states(perfetto);

	perfetto_write_head(&perfetto->packets, trace->has_runtime_events ? trace->begin_ns : 0);
	perfetto_write_strings(&perfetto->packets);
	mark_threads(perfetto);
	mark_tracks_above(perfetto);
	for (guint i = 0; i < perfetto->tracks->len; i++) {
		write_track(perfetto, i);
	}
	write_events(perfetto);
	perfetto_sched_write(&perfetto->sched, &perfetto->packets, threads);
	return true;
}

/* --- life --- */

static void clear_track(gpointer data)
{
	struct track_entry *track = data;

	g_free(track->kind);
	g_free(track->name);
}

static struct output *create(const struct output_place *place)
{
	struct perfetto_output *perfetto = g_new0(struct perfetto_output, 1);

	perfetto->place = place;
	perfetto->tables = g_ptr_array_new_with_free_func(g_free);
	perfetto->events = output_stream_create_spool(place->spool_directory);
	perfetto->tracks = g_array_new(FALSE, FALSE, sizeof(struct track_entry));
	g_array_set_clear_func(perfetto->tracks, clear_track);
	perfetto->labels = g_array_new(FALSE, FALSE, sizeof(struct perfetto_label));
	g_array_set_clear_func(perfetto->labels, (GDestroyNotify)perfetto_label_clear);
	perfetto_sched_init(&perfetto->sched);
	perfetto_packets_init(&perfetto->packets, place->stream);
	return (struct output *)perfetto;
}

static struct table_writer *open_table(struct output *output, const struct table_schema *schema,
				       struct output_stream *stream)
{
	static void (*const rows[])(struct table_writer * writer, const struct cell *cells) = {
		[KIND_TIMELINE_TRACKS] = write_track_row,
		[KIND_TIMELINE_LABELS] = write_label_row,
		[KIND_TIMELINE_EVENTS] = write_event_row,
	};
	struct perfetto_output *perfetto = (struct perfetto_output *)output;
	struct perfetto_table *table = g_new0(struct perfetto_table, 1);

	table->writer.row = rows[schema->kind];
	table->writer.only_counts_hidden = !perfetto->place->choice.shows_hidden;
	table->perfetto = perfetto;
	g_ptr_array_add(perfetto->tables, table);
	return &table->writer;
}

static bool check(const struct output *output, GError **error)
{
	const struct perfetto_output *perfetto = (const struct perfetto_output *)output;
	bool has_options = !perfetto->place->choice.are_parameters;

	if (perfetto->event_count > EVENTS_MAX) {
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_NOSPC,
			    "the timeline would have %" G_GUINT64_FORMAT
			    " slices, instants and states; browsers can show "
			    "about %d million: select a part of the recording by %s, or %s",
			    perfetto->event_count, EVENTS_MAX / 1000000,
			    has_options ? "--begin and --end" : "begin and end",
			    has_options ? "some of its nodes by --node" : "some of its nodes by nodes");
		return false;
	}
	return output_stream_check(perfetto->events, error);
}

static void destroy(struct output *output)
{
	struct perfetto_output *perfetto = (struct perfetto_output *)output;

	g_ptr_array_unref(perfetto->tables);
	output_stream_destroy(perfetto->events);
	u64_map_clear(&perfetto->track_indexes);
	u64_map_clear(&perfetto->label_indexes);
	g_array_unref(perfetto->tracks);
	g_array_unref(perfetto->labels);
	perfetto_sched_clear(&perfetto->sched);
	perfetto_packets_clear(&perfetto->packets);
	g_free(perfetto);
}

const struct output_class perfetto_output = {
	.name = "perfetto",
	.file = "timeline.pftrace",
	.is_binary = true,
	.is_of_one_recording = true,
	.draws_timeline = true,
	.takes_instances = true,
	.create = create,
	.open = open_table,
	.check = check,
	.finish = finish,
	.destroy = destroy,
};
