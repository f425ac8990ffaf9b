/* SPDX-License-Identifier: MIT */
/*
 * The tables of points, which are events of the application itself: `points` (a row for each stage), `point_instances`
 * (a row each time a stage was passed), `point_callbacks` (stages by the callback in which they start), `point_paths`
 * and `point_path_instances` (from the start of one stage to the end of another, by key), `point_series` (numbers and
 * labels of fields), and the summary `slowest_points`. A file defines the events of stages, paths and series
 * (core/events/points/point_file.h); without a file the analysis receives no events.
 *
 * An event takes this way:
 *
 *   feed_point()      what the event means: it ends and starts stages, and is a sample of series
 *   point_match.h     whether its fields have the required values
 *   point_names.h     the row of the stage, if a field holds its name
 *   point_keys.h      the key, and what is open with it
 *   point_pairs.h     a start and an end become a pair, of a stage and of the paths that it begins or ends
 *   point_losses.h    whether the recording may lack the other half
 *   point_series.h    the numbers and labels of fields
 *   point_tables.c    instances at once, all other rows at the end
 *
 * An event may end one stage and start the next: ends come first.
 *
 * Memory: names of stages (point_names.h), what is open (point_keys.h), pairs of stage and callback. Cost: O(1) per
 * event, plus its conditions.
 */
#include <string.h>

#include "core/analyses/points/points_state.h"
#include "core/analyses/points/point_pairs.h"
#include "core/analyses/points/point_series.h"
#include "core/base/arena_parts.h"

/* --- rows --- */

static guint add_row(struct points *points, const char *name, enum point_scope scope)
{
	struct row_store *rows = &points->analysis.rows;
	struct point_row *row = row_store_add(rows);

	row->name = name;
	row->scope = scope;
	duration_statistics_init(&row->duration, rows->arena);
	arena_map(analysis_arena(&points->analysis), &row->places);
	return rows->rows->len - 1;
}

static bool is_stage(const GPtrArray *stages, guint index, const char *name)
{
	return strcmp(g_ptr_array_index(stages, index), name) == 0;
}

static guint add_stage_row(struct points *points, const char *name, enum point_scope scope)
{
	guint index = add_row(points, name, scope);
	struct point_row *row = points_row_at(points, index);

	row->beginning = arena_array(analysis_arena(&points->analysis), sizeof(guint));
	row->ending = arena_array(analysis_arena(&points->analysis), sizeof(guint));
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

/* The row of an event's stage; false if the event lacks the stage's name. */
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

/* --- events --- */

static void note_missing(struct point_event_state *event, const struct point_values *values)
{
	for (uint32_t i = 0; i < values->count; i++) {
		if (G_UNLIKELY(values->at[i].type == POINT_VALUE_NONE)) {
			g_array_index(event->missing, uint64_t, i)++;
		}
	}
}

/* Whether the event belongs to the stage. Sets its row, and its key in points->key. */
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
		execution = executions_current(points->analysis.context.executions, record->thread, record->time_ns);
	}
	point_pairs_begin(points, row, record)->callback = execution ? execution->callback : NULL;
	stage = points_row_at(points, row);
	for (guint i = 0; i < stage->beginning->len; i++) {
		point_pairs_begin(points, g_array_index(stage->beginning, guint, i), record);
	}
}

/* The first event of a stage whose start and end are the same event ends nothing. */
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
	if (!point_pairs_end(points, row, record) && !is_start_too(state->stage, record)) {
		point_pairs_count_end(points, row, record);
	}
	stage = points_row_at(points, row);
	for (guint i = 0; i < stage->ending->len; i++) {
		guint path_row = g_array_index(stage->ending, guint, i);

		if (!point_pairs_end(points, path_row, record)) {
			point_pairs_count_end(points, path_row, record);
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

		event->uses = arena_array(analysis_arena(&points->analysis), sizeof(struct point_use));
		event->missing = arena_array(analysis_arena(&points->analysis), sizeof(uint64_t));
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

		points_row_at(points, add_row(points, path->name, path->scope))->path = path;
	}
	g_array_set_size(points->stages, points->file->stages->len);
	for (guint i = 0; i < points->stages->len; i++) {
		struct point_stage_state *state = &g_array_index(points->stages, struct point_stage_state, i);
		guint row;

		state->stage = point_file_stage(points->file, i);
		point_names_init(&state->names, points->analysis.context.recording);
		state->rows = arena_array(analysis_arena(&points->analysis), sizeof(guint));
		if (state->stage->name) {
			row = add_stage_row(points, state->stage->name, state->stage->scope);
			g_array_append_val(state->rows, row);
		}
	}
}

static void begin(void *analysis)
{
	struct points *points = analysis;

	points->file = points->analysis.context.options->points;
	points->stages = arena_array(analysis_arena(analysis), sizeof(struct point_stage_state));
	points->series = arena_array(analysis_arena(analysis), sizeof(struct point_series_state));
	points->events = arena_array(analysis_arena(analysis), sizeof(struct point_event_state));
	points->key = arena_own(analysis_arena(analysis), g_byte_array_new(), (GDestroyNotify)g_byte_array_unref);
	point_keys_init(&points->keys, analysis_arena(analysis));
	row_store_init_of_size(&points->callbacks, sizeof(struct point_callback), points->analysis.rows.arena);
	points->begin_ns = INT64_MAX;
	points->end_ns = INT64_MIN;
	if (points->file) {
		callback_ids_listen(points->analysis.context.callback_ids);
		add_events(points);
		add_stages(points);
		point_series_open(points);
	}
}

/* A stage that is still open has an instance, too. */
static void finish(void *analysis)
{
	struct points *points = analysis;

	for (struct open_point *open = points->keys.oldest; open; open = open->newer) {
		if (analysis_options_include(points->analysis.context.options, open->start_ns)) {
			point_tables_write_instance(points, points_row_at(points, open->owner.row), open, NULL);
		}
	}
}

/* --- diagnostics: what no row shows --- */

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

const struct analysis_class points_analysis = {
	.name = "points",
	.tables = point_tables,
	.needs = ANALYSIS_NEEDS_EXECUTIONS,
	.size = sizeof(struct points),
	.row_size = sizeof(struct point_row),
	.begin = begin,
	.feed_point = feed_point,
	.finish = finish,
	.diagnose = diagnose,
	.write = point_tables_write,
};
