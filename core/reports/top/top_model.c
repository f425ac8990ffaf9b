/* SPDX-License-Identifier: MIT */
#include "ros2bt/reports/top_model.h"

#include <math.h>
#include <string.h>

#include "core/base/text/hidden_names.h"
#include "core/base/text/human_text.h"
#include "core/base/text/number_text.h"
#include "core/statistics/duration_statistics.h"
#include "core/tables/row_name.h"

#define DIGITS_15 1000000000000000

/* Takes the rows of one table. */
struct top_writer {
	struct table_writer writer;
	struct top_model *model;
	const struct table_schema *schema;
	enum top_table table;
	int duration, lost, rank;
	int rate; /* -1: there is none, as above */
};

struct top_model {
	struct table_output tables;
	GPtrArray *writers;		/* struct top_writer */
	GPtrArray *written[TOP_TABLES]; /* struct top_row; since the last publication */
	GPtrArray *shown[TOP_TABLES];
	GHashTable *worst[TOP_TABLES]; /* uint64_t * → char *; of what was written */
	struct top_span span;
	uint64_t generation;
};

static void row_destroy(gpointer data)
{
	struct top_row *row = data;

	g_free(row->name);
	g_free(row->worst);
	g_free(row);
}

/* --- rows --- */

static bool has_hidden_name(const struct table_schema *schema, const struct cell *cells)
{
	for (size_t i = 0; i < schema->column_count; i++) {
		if (schema->columns[i].merge == COLUMN_MERGE_KEY && cells[i].type == CELL_TEXT &&
		    name_is_hidden(cells[i].text)) {
			return true;
		}
	}
	return false;
}

static double number_of(const struct cell *cell)
{
	switch (cell->type) {
	case CELL_REAL:
		return cell->real;
	case CELL_INTEGER:
		return (double)cell->integer;
	case CELL_UNSIGNED:
		return (double)cell->unsigned_integer;
	default:
		return -1;
	}
}

static void take_durations(struct top_row *row, const struct duration_statistics *statistic)
{
	struct duration_totals totals = duration_statistics_totals(statistic);

	row->has_durations = totals.count > 0;
	row->p50_ns = duration_statistics_quantile_of(statistic, &totals, 0.5);
	row->p99_ns = duration_statistics_quantile_of(statistic, &totals, 0.99);
	row->max_ns = totals.max_ns;
	row->share = int128_to_double(totals.sum_ns); /* the length of the window is not known yet */
}

static void take_row(struct table_writer *writer, const struct cell *cells)
{
	const struct top_writer *top = (const struct top_writer *)writer;
	g_autofree char *name = NULL;
	struct top_row *row;

	if (has_hidden_name(top->schema, cells)) {
		return;
	}
	name = row_name(top->schema, cells);
	row = g_new0(struct top_row, 1);
	row->name = human_text_clean(name);
	row->id = cells[0].type == CELL_UNSIGNED ? cells[0].unsigned_integer : 0;
	row->rate_hz = top->rate >= 0 ? number_of(&cells[top->rate]) : -1;
	row->lost = top->lost >= 0 ? (int64_t)number_of(&cells[top->lost]) : -1;
	row->share = -1;
	if (cells[top->duration].type == CELL_STATISTIC) {
		take_durations(row, cells[top->duration].statistic);
	}
	if (top->table != TOP_CALLBACKS) {
		row->share = -1; /* only callbacks take a core */
	}
	g_ptr_array_add(top->model->written[top->table], row);
}

static void append_number(GString *text, const struct cell *cell)
{
	char number[NUMBER_TEXT_SIZE];

	/* the same text as below, in a fraction of the time */
	if (cell->type == CELL_UNSIGNED && cell->unsigned_integer < DIGITS_15) {
		g_string_append(text, number_text_unsigned(number, cell->unsigned_integer));
	} else {
		g_string_append_printf(text, "%.15g", number_of(cell));
	}
}

static void append_cell(GString *text, const struct table_column *column, const struct cell *cell)
{
	char buffer[HUMAN_TEXT_SIZE];

	if (cell->type == CELL_EMPTY) {
		return;
	}
	g_string_append(text, text->len > 0 ? "  " : "");
	g_string_append(text, column->label ? column->label : column->name);
	g_string_append_c(text, ' ');
	if (column->format == COLUMN_MOMENT || column->format == COLUMN_TIME) {
		g_string_append(text, human_text_time(buffer, cell->integer));
		g_string_append(text, " UTC");
	} else if (column->format == COLUMN_DURATION) {
		g_string_append(text, human_text_real_duration(buffer, number_of(cell)));
	} else if (cell->type == CELL_TEXT) {
		g_autofree char *clean = human_text_clean(cell->text);

		g_string_append(text, clean);
	} else {
		append_number(text, cell);
	}
}

/* The worst instance of a row. */
static void take_worst(struct table_writer *writer, const struct cell *cells)
{
	const struct top_writer *top = (const struct top_writer *)writer;
	GString *text;

	if (cells[0].type != CELL_UNSIGNED || number_of(&cells[top->rank]) != 1) {
		return;
	}
	text = g_string_new(NULL);
	for (size_t i = 1; i < top->schema->column_count; i++) {
		if ((int)i != top->rank) {
			append_cell(text, &top->schema->columns[i], &cells[i]);
		}
	}
	g_hash_table_insert(top->model->worst[top->table],
			    g_memdup2(&cells[0].unsigned_integer, sizeof(cells[0].unsigned_integer)),
			    g_string_free(text, FALSE));
}

/* --- tables --- */

static int table_of_subject(enum table_subject subject)
{
	switch (subject) {
	case SUBJECT_CALLBACKS:
		return TOP_CALLBACKS;
	case SUBJECT_MESSAGES:
		return TOP_MESSAGES;
	case SUBJECT_PATHS:
		return TOP_PATHS;
	case SUBJECT_CALLS:
		return TOP_CALLS;
	default:
		return -1;
	}
}

static int find_rate(const struct table_schema *schema)
{
	for (size_t i = 0; i < schema->column_count; i++) {
		if (schema->columns[i].format == COLUMN_RATE) {
			return (int)i;
		}
	}
	return -1;
}

static int find_duration(const struct table_schema *schema)
{
	for (size_t i = 0; i < schema->column_count; i++) {
		if (schema->columns[i].format == COLUMN_STATISTIC && schema->columns[i].means == MEANS_DURATION) {
			return (int)i;
		}
	}
	return -1;
}

static bool needs(const struct table_writer *writer, size_t column)
{
	return (int)column == ((const struct top_writer *)writer)->duration;
}

static struct top_writer *add_writer(struct top_model *model, const struct table_schema *schema, int table)
{
	struct top_writer *writer = g_new0(struct top_writer, 1);

	writer->writer.needs = needs;
	writer->model = model;
	writer->schema = schema;
	writer->table = (enum top_table)table;
	writer->duration = find_duration(schema);
	writer->rate = find_rate(schema);
	writer->lost = table_find_meaning(schema, MEANS_LOST, SIDE_NONE);
	writer->rank = table_find_meaning(schema, MEANS_RANK, SIDE_NONE);
	g_ptr_array_add(model->writers, writer);
	return writer;
}

/* The table whose rows the rows of this one are the worst instances of; -1: none that is shown. */
static int table_of_parent(const struct top_model *model, const char *parent)
{
	for (guint i = 0; i < model->writers->len; i++) {
		const struct top_writer *writer = model->writers->pdata[i];

		if (strcmp(writer->schema->name, parent) == 0) {
			return (int)writer->table;
		}
	}
	return -1;
}

static struct table_writer *open_table(struct table_output *tables, const struct table_schema *schema)
{
	struct top_model *model = (struct top_model *)tables;
	int table = -1;
	struct top_writer *writer;

	if (schema->kind == KIND_MAIN && find_duration(schema) >= 0) {
		table = table_of_subject(schema->subject);
	} else if (schema->kind == KIND_WORST && table_find_meaning(schema, MEANS_RANK, SIDE_NONE) > 0) {
		table = table_of_parent(model, schema->parent);
	}
	if (table < 0) {
		return NULL;
	}
	writer = add_writer(model, schema, table);
	writer->writer.row = schema->kind == KIND_MAIN ? take_row : take_worst;
	return &writer->writer;
}

struct top_model *top_model_create(void)
{
	struct top_model *model = g_new0(struct top_model, 1);

	model->tables.open = open_table;
	model->writers = g_ptr_array_new_with_free_func(g_free);
	for (int i = 0; i < TOP_TABLES; i++) {
		model->written[i] = g_ptr_array_new_with_free_func(row_destroy);
		model->shown[i] = g_ptr_array_new_with_free_func(row_destroy);
		model->worst[i] = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
	}
	return model;
}

void top_model_destroy(struct top_model *model)
{
	if (model) {
		g_ptr_array_unref(model->writers);
		for (int i = 0; i < TOP_TABLES; i++) {
			g_ptr_array_unref(model->written[i]);
			g_ptr_array_unref(model->shown[i]);
			g_hash_table_unref(model->worst[i]);
		}
		g_free(model);
	}
}

struct table_output *top_model_tables(struct top_model *model)
{
	return &model->tables;
}

/* --- publication --- */

/* What follows from the length of the window, and from other tables. */
static void complete(struct top_row *row, GHashTable *worst, int64_t length_ns)
{
	if (row->share >= 0) {
		row->share = 100 * row->share / (double)length_ns;
	}
	row->worst = g_strdup(g_hash_table_lookup(worst, &row->id));
}

void top_model_publish(struct top_model *model, const struct top_span *span)
{
	for (int i = 0; i < TOP_TABLES; i++) {
		GPtrArray *before = model->shown[i];

		model->shown[i] = model->written[i];
		model->written[i] = before;
		g_ptr_array_set_size(before, 0);
		for (guint row = 0; row < model->shown[i]->len; row++) {
			complete(model->shown[i]->pdata[row], model->worst[i], span->length_ns);
		}
		g_hash_table_remove_all(model->worst[i]);
	}
	model->span = *span;
	model->generation++;
}

void top_model_drop(struct top_model *model)
{
	for (int i = 0; i < TOP_TABLES; i++) {
		g_ptr_array_set_size(model->written[i], 0);
		g_hash_table_remove_all(model->worst[i]);
	}
}

void top_model_update(struct top_model *model, const struct top_span *span)
{
	model->span = *span;
	model->generation++;
}

const GPtrArray *top_model_rows(const struct top_model *model, enum top_table table)
{
	return model->shown[table];
}

const struct top_span *top_model_span(const struct top_model *model)
{
	return &model->span;
}

uint64_t top_model_generation(const struct top_model *model)
{
	return model->generation;
}
