/* SPDX-License-Identifier: MIT */
#include "core/analyses/points/point_series.h"

#include "core/base/arena_parts.h"

#include <math.h>

#include "core/base/int128.h"

void point_series_open(struct points *points)
{
	g_array_set_size(points->series, points->file->series->len);
	for (guint i = 0; i < points->series->len; i++) {
		struct point_series_state *state = &g_array_index(points->series, struct point_series_state, i);

		state->series = point_file_series(points->file, i);
		point_names_init(&state->labels, points->analysis.context.recording);
		state->rows = arena_pointers(analysis_arena(&points->analysis));
		state->by_label = arena_pointers(analysis_arena(&points->analysis));
	}
}

static struct point_series_row *add_row(const struct points *points, struct point_series_state *state,
					const char *label)
{
	struct point_series_row *row = arena_take(recording_arena(points->analysis.context.recording), sizeof(*row));

	row->label = label;
	g_ptr_array_add(state->rows, row);
	return row;
}

/* The row of a label of the state; NULL if the value has no name. */
static struct point_series_row *row_of_value(const struct points *points, struct point_series_state *state,
					     const struct point_values *values, const struct point_value *value)
{
	uint32_t label = point_names_find(&state->labels, values, value);
	gpointer *row;

	if (label == POINT_NAME_NONE) {
		return NULL;
	}
	row = slot_at(state->by_label, label);
	if (!*row) {
		*row = add_row(points, state, point_names_at(&state->labels, label));
	}
	return *row;
}

static void add_integer(struct point_series_row *row, int128 integer)
{
	row->min = row->count == 0 ? integer : MIN(row->min, integer);
	row->max = row->count == 0 ? integer : MAX(row->max, integer);
	row->sum += integer;
}

static void add_real(struct point_series_row *row, double real)
{
	row->real_min = row->count == 0 ? real : fmin(row->real_min, real);
	row->real_max = row->count == 0 ? real : fmax(row->real_max, real);
	row->real_sum += real;
}

/* Field classes of one name may differ between processes: after the first real number, all are real. */
static void become_real(struct point_series_row *row)
{
	if (row->number == POINT_NUMBER_INTEGER) {
		row->real_min = int128_to_double(row->min);
		row->real_max = int128_to_double(row->max);
		row->real_sum = int128_to_double(row->sum);
	}
	row->number = POINT_NUMBER_REAL;
}

static void add_number(struct point_series_row *row, const struct point_value *value)
{
	bool is_integer = point_value_is_integer(value);

	if (!is_integer && !isfinite(value->real)) {
		row->not_finite++;
		return;
	}
	if (is_integer && row->number != POINT_NUMBER_REAL) {
		row->number = POINT_NUMBER_INTEGER;
		add_integer(row,
			    value->type == POINT_VALUE_SIGNED ? (int128)(int64_t)value->number : (int128)value->number);
	} else {
		become_real(row);
		add_real(row, point_value_real(value));
	}
	row->count++;
}

static void add_list(const struct points *points, struct point_series_state *state, const struct point_values *values,
		     const struct point_value *list)
{
	struct point_value length = { .type = POINT_VALUE_UNSIGNED, .number = list->count };

	if (!state->elements) {
		state->elements = add_row(points, state, NULL);
		state->lengths = add_row(points, state, NULL);
		state->lengths->is_length = true;
	}
	for (size_t i = 0; list->element != POINT_VALUE_NONE && i < list->count; i++) {
		struct point_value element = point_value_element(values, list, i);

		add_number(state->elements, &element);
	}
	add_number(state->lengths, &length);
}

/* The row of numbers without labels. */
static struct point_series_row *only_row(const struct points *points, struct point_series_state *state)
{
	if (!state->numbers) {
		state->numbers = add_row(points, state, NULL);
	}
	return state->numbers;
}

static void add_value(const struct points *points, struct point_series_state *state, const struct point_values *values)
{
	const struct point_value *value = &values->at[state->series->value];
	struct point_series_row *row;

	if (value->type == POINT_VALUE_LIST) {
		add_list(points, state, values, value);
		return;
	}
	if (state->series->by != POINT_NO_VALUE) {
		row = row_of_value(points, state, values, &values->at[state->series->by]);
	} else if (point_value_text(values, value)) {
		row = row_of_value(points, state, values, value);
	} else {
		row = only_row(points, state);
	}
	if (!row) {
		return;
	}
	if (value->type == POINT_VALUE_REAL || (point_value_is_integer(value) && !point_value_text(values, value))) {
		add_number(row, value);
	} else {
		row->count++;
	}
}

void point_series_add(const struct points *points, struct point_series_state *state, const struct event_record *record)
{
	const struct point_values *values = record_point_values(record);

	if (values->at[state->series->value].type != POINT_VALUE_NONE &&
	    analysis_options_include(points->analysis.context.options, record->time_ns) &&
	    point_match_holds(&state->series->match, values)) {
		add_value(points, state, values);
	}
}
