/* SPDX-License-Identifier: MIT */
/*
 * The tables `points` (a row per stage of an application), `point_instances` (a row per stage that was gone through),
 * `point_callbacks` (stages by the callback that they start in), `point_paths` and `point_path_instances` (from the
 * start of one stage to the end of another, by key) and `point_series` (numbers and labels of fields). Which events
 * mean what, a file says (core/points/point_file.h); without it the analysis takes nothing.
 *
 * Never a wrong pair:
 *   - A start and an end belong together if stage and key are the same, in the same place: a thread, a process, a host,
 *     or anywhere, as the file says.
 *   - A start of what is open already: the end of the one before was lost. It ends without end, the new one is open.
 *   - An end without a start is counted; what is open at the end of the recording is without end.
 *   - Where events may have been lost between the two (executions.h), or recording was off, they may be of two turns
 *     with one key: the pair is doubtful. It counts and has an instance, but its duration is no sample. Keys that only
 *     ever rise do not come twice, and pairs of such a stage are not doubtful.
 *   - unknown: those of without_start and without_end whose other half may lie before or after the recording, or where
 *     events were lost, given the longest duration so far.
 * A path is a pair as well: the start of its first stage and the end of its last one.
 * out_of_order: ended after one that started later, in the same place.
 * A pair counts when its start lies within the options' [begin, end]; an end without start, when it does itself.
 *
 * Memory: names of stages (point_names.h), what is open (point_keys.h), pairs of stage and callback. O(1) per event.
 */
#include <string.h>

#include "core/analyses/analyses.h"
#include "core/analyses/points/point_counts.h"
#include "core/analyses/points/point_losses.h"
#include "core/analyses/points/point_series.h"
#include "core/analyses/points/point_tables.h"

#define OUTSIDE UINT32_MAX

/* --- rows --- */

static struct point_row *row_at(const struct points *points, guint index)
{
	return g_ptr_array_index(points->rows, index);
}

static guint add_row(struct points *points, const char *name, enum point_scope scope)
{
	struct arena *arena = recording_arena(points->recording);
	struct point_row *row = arena_take(arena, sizeof(*row));

	row->name = name;
	row->scope = scope;
	duration_statistics_init(&row->duration, arena);
	u64_map_init(&row->places);
	g_ptr_array_add(points->rows, row);
	return points->rows->len - 1;
}

static bool is_stage(const GPtrArray *stages, guint index, const char *name)
{
	return strcmp(g_ptr_array_index(stages, index), name) == 0;
}

static guint add_stage_row(struct points *points, const char *name, enum point_scope scope)
{
	guint index = add_row(points, name, scope);
	struct point_row *row = row_at(points, index);

	row->beginning = g_array_new(FALSE, FALSE, sizeof(guint));
	row->ending = g_array_new(FALSE, FALSE, sizeof(guint));
	for (guint i = 0; i < points->file->paths->len; i++) {
		const GPtrArray *stages = point_file_path(points->file, i)->stages;

		if (is_stage(stages, 0, name)) {
			g_array_append_val(row->beginning, i); /* paths have the first rows */
		}
		if (is_stage(stages, stages->len - 1, name)) {
			g_array_append_val(row->ending, i);
		}
	}
	return index;
}

/* The row of the stage that an event is of; false if its name is not known. */
static bool find_stage_row(struct points *points, struct point_stage_state *state, const struct point_match *match,
			   const struct point_values *values, guint *row)
{
	uint32_t name = 0;

	if (!state->stage->name) {
		name = point_names_find(&state->names, values, &values->at[match->name]);
		if (name == POINT_NAME_NONE) {
			return false;
		}
	}
	while (state->rows->len <= name) {
		guint new_row =
			add_stage_row(points, point_names_at(&state->names, state->rows->len), state->stage->scope);

		g_array_append_val(state->rows, new_row);
	}
	*row = g_array_index(state->rows, guint, name);
	return true;
}

/* Bits that distinguish places of a kernel's threads and processes from those of programs, by their ids. */
#define OF_KERNEL_THREAD (UINT64_C(1) << 63)
#define OF_KERNEL_PROCESS (UINT64_C(1) << 62)

/* What a kernel recorded has ids of a thread where the recording has them as contexts, else that of a trace. */
static uint64_t place_in_kernel(const struct points *points, enum point_scope scope, const struct event_record *record)
{
	uint32_t trace = recording_stream_trace(points->recording, record->stream);
	bool has_ids = record_has(record, RECORD__ids);

	switch (scope) {
	case POINT_SCOPE_THREAD:
		return has_ids ? OF_KERNEL_THREAD | (uint64_t)trace << 32 | record->word[RECORD__ids]
			       : OF_KERNEL_THREAD | (uint64_t)trace << 32 | UINT32_MAX;
	case POINT_SCOPE_PROCESS:
		return OF_KERNEL_PROCESS | (uint64_t)trace << 32 |
		       (has_ids ? (uint32_t)recording_ids(points->recording, (uint32_t)record->word[RECORD__ids])->vpid
				: UINT32_MAX);
	case POINT_SCOPE_HOST:
		return recording_trace(points->recording, trace)->host;
	default:
		return 0;
	}
}

static uint64_t place_of(const struct points *points, enum point_scope scope, const struct event_record *record)
{
	const struct recording_thread *thread;

	if (record->thread == RECORDING_NONE) {
		return place_in_kernel(points, scope, record);
	}
	thread = recording_thread(points->recording, record->thread);
	switch (scope) {
	case POINT_SCOPE_THREAD:
		return (uint64_t)thread->process << 32 | (uint32_t)thread->vtid;
	case POINT_SCOPE_PROCESS:
		return thread->process;
	case POINT_SCOPE_HOST:
		return recording_process(points->recording, thread->process)->host;
	default:
		return 0;
	}
}

static struct point_place *find_place(const struct points *points, struct point_row *row, uint64_t place)
{
	struct point_place *found = u64_map_get_pointer(&row->places, place);

	if (!found) {
		found = arena_take(recording_arena(points->recording), sizeof(*found));
		found->latest_start_ns = INT64_MIN;
		u64_map_set_pointer(&row->places, place, found);
	}
	return found;
}

/* --- pairs --- */

/* The end of an open one has not come, and will not be waited for. */
static void lose_end(struct points *points, struct open_point *open, bool is_unknown)
{
	struct point_row *row = row_at(points, open->owner.row);

	if (analysis_options_include(points->options, open->start_ns)) {
		row->without_end++;
		row->unknown += is_unknown;
		point_tables_write_instance(points, row, open, NULL);
	}
	point_keys_remove(&points->keys, open);
}

static void make_room(struct points *points, int64_t now_ns)
{
	struct open_point *oldest = points->keys.oldest;

	if (G_UNLIKELY(point_keys_is_full(&points->keys))) {
		points->given_up++;
		lose_end(points, oldest,
			 point_losses_may_have_end(points, row_at(points, oldest->owner.row), oldest, now_ns));
	}
}

static void note_key(struct point_place *place, const GByteArray *key)
{
	__int128 integer;
	bool is_integer = point_key_integer(key, &integer);

	place->keys_rise = is_integer && (!place->has_key || (place->keys_rise && integer > place->last_key));
	place->has_key = true;
	place->last_key = is_integer ? integer : 0;
}

static struct open_point *begin(struct points *points, guint index, const struct event_record *record)
{
	struct point_row *row = row_at(points, index);
	struct point_owner owner = { place_of(points, row->scope, record), index };
	struct open_point *open = point_keys_find(&points->keys, &owner, points->key);

	if (open) {
		lose_end(points, open, point_losses_lie_between(points, open->thread, open->start_ns, record->time_ns));
	}
	make_room(points, record->time_ns);
	note_key(find_place(points, row, owner.place), points->key);
	open = point_keys_add(&points->keys, &owner, points->key, record->time_ns);
	open->thread = record->thread;
	return open;
}

static bool is_doubtful(const struct points *points, const struct point_place *place, const struct open_point *open,
			const struct event_record *record)
{
	return !place->keys_rise && (point_losses_lie_between(points, open->thread, open->start_ns, record->time_ns) ||
				     point_losses_lie_between(points, record->thread, open->start_ns, record->time_ns));
}

static struct point_callback *callback_row(struct points *points, const struct open_point *open)
{
	uint64_t key = (uint64_t)open->owner.row << 32 | (open->callback ? open->callback->index : OUTSIDE);
	uint64_t index = u64_map_get(&points->callbacks, key);
	struct arena *arena = recording_arena(points->recording);
	struct point_callback *row;

	if (G_LIKELY(index != U64_MAP_NONE)) {
		return g_ptr_array_index(points->callback_rows, index);
	}
	row = arena_take(arena, sizeof(*row));
	row->row = open->owner.row;
	row->callback = open->callback;
	duration_statistics_init(&row->duration, arena);
	u64_map_set(&points->callbacks, key, points->callback_rows->len);
	g_ptr_array_add(points->callback_rows, row);
	return row;
}

static void count_pair(struct points *points, struct point_row *row, const struct open_point *open,
		       const struct event_record *record)
{
	struct point_place *place = find_place(points, row, open->owner.place);
	int64_t duration_ns = record->time_ns - open->start_ns;
	bool doubtful = is_doubtful(points, place, open, record);

	row->count++;
	row->doubtful += doubtful;
	row->out_of_order += open->start_ns < place->latest_start_ns;
	place->latest_start_ns = MAX(place->latest_start_ns, open->start_ns);
	if (!doubtful) {
		duration_statistics_add(&row->duration, duration_ns, open->start_ns);
	}
	if (!row->path) {
		struct point_callback *within = callback_row(points, open);

		within->count++;
		if (!doubtful) {
			duration_statistics_add(&within->duration, duration_ns, open->start_ns);
		}
	}
	point_tables_write_instance(points, row, open, record);
}

/* False: nothing of the key is open. */
static bool end(struct points *points, guint index, const struct event_record *record)
{
	struct point_row *row = row_at(points, index);
	struct point_owner owner = { place_of(points, row->scope, record), index };
	struct open_point *open = point_keys_find(&points->keys, &owner, points->key);

	if (!open) {
		return false;
	}
	if (analysis_options_include(points->options, open->start_ns)) {
		count_pair(points, row, open, record);
	}
	point_keys_remove(&points->keys, open);
	return true;
}

static void count_end_without_start(struct points *points, guint index, const struct event_record *record)
{
	struct point_row *row = row_at(points, index);

	if (analysis_options_include(points->options, record->time_ns)) {
		row->without_start++;
		row->unknown += point_losses_may_have_start(points, row, record->thread, record->time_ns);
		point_tables_write_end(points, row, record);
	}
}

/* --- events --- */

static void note_missing(struct point_event_state *event, const struct point_values *values)
{
	for (uint32_t i = 0; i < values->count; i++) {
		if (G_UNLIKELY(values->at[i].type == POINT_VALUE_NONE)) {
			g_array_index(event->missing, uint64_t, i)++;
		}
	}
}

/* Whether the event starts or ends a stage; its row, and its key in points->key. */
static bool is_of_stage(struct points *points, struct point_stage_state *state, const struct point_match *match,
			const struct point_values *values, guint *row)
{
	return point_match_holds(match, values) && find_stage_row(points, state, match, values, row) &&
	       point_key_read(match, values, points->key);
}

static void start_stage(struct points *points, struct point_stage_state *state, const struct event_record *record)
{
	const struct execution *execution = NULL;
	const struct point_row *stage;
	guint row;

	if (!is_of_stage(points, state, &state->stage->start, record_point_values(record), &row)) {
		return;
	}
	if (record->thread != RECORDING_NONE) {
		execution = executions_current(points->executions, record->thread);
	}
	begin(points, row, record)->callback = execution ? execution->callback : NULL;
	stage = row_at(points, row);
	for (guint i = 0; i < stage->beginning->len; i++) {
		begin(points, g_array_index(stage->beginning, guint, i), record);
	}
}

/* An event that also starts the stage has nothing to end at first. */
static bool is_start_too(const struct point_stage *stage, const struct event_record *record)
{
	return stage->start.event == stage->end.event && point_match_holds(&stage->start, record_point_values(record));
}

static void end_stage(struct points *points, struct point_stage_state *state, const struct event_record *record)
{
	const struct point_row *stage;
	guint row;

	if (!is_of_stage(points, state, &state->stage->end, record_point_values(record), &row)) {
		return;
	}
	if (!end(points, row, record) && !is_start_too(state->stage, record)) {
		count_end_without_start(points, row, record);
	}
	stage = row_at(points, row);
	for (guint i = 0; i < stage->ending->len; i++) {
		guint path_row = g_array_index(stage->ending, guint, i);

		if (!end(points, path_row, record)) {
			count_end_without_start(points, path_row, record);
		}
	}
}

static void feed_point(void *analysis, const struct event_record *record)
{
	struct points *points = analysis;
	struct point_event_state *event =
		&g_array_index(points->events, struct point_event_state, record->word[RECORD__point]);

	event->count++;
	points->begin_ns = MIN(points->begin_ns, record->time_ns);
	points->end_ns = MAX(points->end_ns, record->time_ns);
	note_missing(event, record_point_values(record));
	for (guint i = 0; i < event->uses->len; i++) {
		const struct point_use *use = &g_array_index(event->uses, struct point_use, i);

		switch (use->kind) {
		case POINT_USE_END:
			end_stage(points, &g_array_index(points->stages, struct point_stage_state, use->index), record);
			break;
		case POINT_USE_START:
			start_stage(points, &g_array_index(points->stages, struct point_stage_state, use->index),
				    record);
			break;
		case POINT_USE_SERIES:
			point_series_add(points, &g_array_index(points->series, struct point_series_state, use->index),
					 record);
			break;
		}
	}
}

/* --- creation --- */

static void event_clear(gpointer data)
{
	struct point_event_state *event = data;

	g_array_unref(event->uses);
	g_array_unref(event->missing);
}

static void stage_clear(gpointer data)
{
	struct point_stage_state *state = data;

	point_names_clear(&state->names);
	g_array_unref(state->rows);
}

static void add_use(const struct points *points, size_t event, int kind, guint index)
{
	struct point_use use = { kind, index };

	g_array_append_val(g_array_index(points->events, struct point_event_state, event).uses, use);
}

static void add_events(struct points *points)
{
	const struct point_file *file = points->file;

	g_array_set_size(points->events, (guint)file->events.count);
	for (guint i = 0; i < points->events->len; i++) {
		struct point_event_state *event = &g_array_index(points->events, struct point_event_state, i);

		event->uses = g_array_new(FALSE, FALSE, sizeof(struct point_use));
		event->missing = g_array_new(FALSE, TRUE, sizeof(uint64_t));
		g_array_set_size(event->missing, (guint)file->events.events[i].field_count);
	}
	for (guint i = 0; i < file->stages->len; i++) {
		add_use(points, point_file_stage(file, i)->end.event, POINT_USE_END, i);
	}
	for (guint i = 0; i < file->stages->len; i++) {
		add_use(points, point_file_stage(file, i)->start.event, POINT_USE_START, i);
	}
	for (guint i = 0; i < file->series->len; i++) {
		add_use(points, point_file_series(file, i)->match.event, POINT_USE_SERIES, i);
	}
}

static void add_stages(struct points *points)
{
	for (guint i = 0; i < points->file->paths->len; i++) {
		const struct point_path *path = point_file_path(points->file, i);

		row_at(points, add_row(points, path->name, path->scope))->path = path;
	}
	g_array_set_size(points->stages, points->file->stages->len);
	for (guint i = 0; i < points->stages->len; i++) {
		struct point_stage_state *state = &g_array_index(points->stages, struct point_stage_state, i);
		guint row;

		state->stage = point_file_stage(points->file, i);
		point_names_init(&state->names, recording_pool(points->recording));
		state->rows = g_array_new(FALSE, FALSE, sizeof(guint));
		if (state->stage->name) {
			row = add_stage_row(points, state->stage->name, state->stage->scope);
			g_array_append_val(state->rows, row);
		}
	}
}

static void *create(const struct analysis_context *context, struct table_writer *const *writers)
{
	struct points *points = g_new0(struct points, 1);

	points->recording = context->recording;
	points->model = context->model;
	points->executions = context->executions;
	points->options = context->options;
	points->file = context->options->points;
	memcpy(points->writers, writers, sizeof(points->writers));
	points->rows = g_ptr_array_new();
	points->stages = g_array_new(FALSE, TRUE, sizeof(struct point_stage_state));
	g_array_set_clear_func(points->stages, stage_clear);
	points->series = point_series_create();
	points->events = g_array_new(FALSE, TRUE, sizeof(struct point_event_state));
	g_array_set_clear_func(points->events, event_clear);
	points->key = g_byte_array_new();
	point_keys_init(&points->keys);
	u64_map_init(&points->callbacks);
	points->callback_rows = g_ptr_array_new();
	points->begin_ns = INT64_MAX;
	points->end_ns = INT64_MIN;
	if (points->file) {
		points->ids = callback_ids_create(context->executions, context->inferred);
		add_events(points);
		add_stages(points);
		point_series_open(points);
	}
	return points;
}

/* What is still open has an instance, too. */
static void finish(void *analysis)
{
	struct points *points = analysis;

	for (struct open_point *open = points->keys.oldest; open; open = open->newer) {
		if (analysis_options_include(points->options, open->start_ns)) {
			point_tables_write_instance(points, row_at(points, open->owner.row), open, NULL);
		}
	}
}

static void destroy(void *analysis)
{
	struct points *points = analysis;

	for (guint i = 0; i < points->rows->len; i++) {
		struct point_row *row = row_at(points, i);

		u64_map_clear(&row->places);
		g_clear_pointer(&row->beginning, g_array_unref);
		g_clear_pointer(&row->ending, g_array_unref);
	}
	g_ptr_array_unref(points->rows);
	g_array_unref(points->stages);
	g_array_unref(points->series);
	g_array_unref(points->events);
	g_byte_array_unref(points->key);
	point_keys_clear(&points->keys);
	u64_map_clear(&points->callbacks);
	g_ptr_array_unref(points->callback_rows);
	callback_ids_destroy(points->ids);
	g_free(points);
}

/* --- what people cannot see in the rows --- */

static void diagnose_event(const struct points *points, guint index, struct diagnostics *findings)
{
	const struct point_event *event = &points->file->events.events[index];
	const struct point_event_state *state = &g_array_index(points->events, struct point_event_state, index);

	if (state->count == 0) {
		diagnostics_add(findings, DIAGNOSTIC_POINT_NOT_RECORDED, event->name, 1);
	}
	for (guint i = 0; i < state->missing->len; i++) {
		uint64_t count = g_array_index(state->missing, uint64_t, i);
		g_autofree char *detail = g_strdup_printf("%s: %s", event->name, event->fields[i]);

		if (count > 0) {
			diagnostics_add(findings, DIAGNOSTIC_POINT_WITHOUT_FIELD, detail, count);
		}
	}
}

static void diagnose(const void *analysis, struct diagnostics *findings)
{
	const struct points *points = analysis;

	for (guint i = 0; i < points->events->len; i++) {
		diagnose_event(points, i, findings);
	}
	if (points->given_up > 0) {
		g_autofree char *detail = g_strdup_printf("%d open at a time", POINT_KEYS_OPEN_MAX);

		diagnostics_add(findings, DIAGNOSTIC_POINTS_CAPPED, detail, points->given_up);
	}
}

static void write_tables(const void *analysis, struct table_writer *const *writers)
{
	point_tables_write(analysis, writers);
}

const struct analysis_class points_analysis = {
	.name = "points",
	.tables = point_tables,
	.needs = ANALYSIS_NEEDS_EXECUTIONS,
	.create = create,
	.feed_point = feed_point,
	.finish = finish,
	.diagnose = diagnose,
	.write = write_tables,
	.destroy = destroy,
};
