/* SPDX-License-Identifier: MIT */
#include "ros2bt/reports/budget_proposal.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "ros2bt/base/duration_text.h"
#include "core/base/text/human_text.h"
#include "core/base/yaml/yaml_text.h"
#include "core/reports/budget/budget_file.h"
#include "core/reports/budget/budget_limits.h"
#include "core/reports/budget/budget_margins.h"
#include "core/reports/budget/budget_pattern.h"
#include "core/statistics/duration_statistics.h"
#include "ros2bt/base/time_units.h"
#include "ros2bt/output/output_stream.h"

/* The least margin beyond the observed values: of a quantile, of the maximum, of a rate. */
#define MARGIN_QUANTILE 1.2
#define MARGIN_MAX 1.5
#define MARGIN_RATE 0.8

#define KEYS_MAX 4
#define LONGEST_NS 9e18 /* a limit that a file of budgets can hold */

/* A row of the recording, for which the proposal has to hold. */
struct kept_row {
	struct cell *cells; /* owned; names and numbers only */
	char *key;	    /* of the series, owned; NULL: a name is hidden */
	uint64_t count;	    /* of the statistic */
	double p99, max;
};

/* Keeps the rows of one table. */
struct proposed_table {
	struct table_writer writer;
	struct budget_proposal *proposal;
	struct table_writer *blocks; /* of the series */
	const struct table_schema *schema;
	size_t keys[KEYS_MAX]; /* the columns that a budget names; the first one is needed */
	size_t key_count;
	const struct table_column *statistic, *lost, *rate; /* the columns that get limits; NULL: none */
	GArray *rows;					    /* struct kept_row */
};

struct budget_proposal {
	struct table_output tables;
	const char *recording;
	struct block_series *series;
	bool is_last;	     /* the tables are written for the last time */
	GPtrArray *opened;   /* struct proposed_table */
	GStringChunk *names; /* the texts of cells */
};

/* --- rows --- */

static void row_clear(gpointer row)
{
	g_free(((struct kept_row *)row)->cells);
	g_free(((struct kept_row *)row)->key);
}

static void table_destroy(gpointer data)
{
	struct proposed_table *table = data;

	g_array_unref(table->rows);
	g_free(table);
}

/* An empty cell without a column. */
static const struct cell *cell_in(const struct proposed_table *table, const struct cell *cells,
				  const struct table_column *column)
{
	static const struct cell none;

	return column ? &cells[column - table->schema->columns] : &none;
}

static void keep_row(const struct proposed_table *table, const struct cell *cells)
{
	const struct cell *statistic = cell_in(table, cells, table->statistic);
	struct kept_row row = { .cells = g_new(struct cell, table->schema->column_count),
				.key = g_strdup(block_series_key(table->proposal->series, table->schema, cells)) };

	for (size_t i = 0; i < table->schema->column_count; i++) {
		row.cells[i] = cells[i].type == CELL_TEXT
				       ? cell_text(g_string_chunk_insert_const(table->proposal->names, cells[i].text))
			       : cells[i].type == CELL_STATISTIC ? CELL_NONE
								 : cells[i];
	}
	if (statistic->type == CELL_STATISTIC) {
		struct duration_totals totals = duration_statistics_totals(statistic->statistic);

		row.count = totals.count;
		row.p99 = (double)duration_statistics_quantile_of(statistic->statistic, &totals, 0.99);
		row.max = (double)totals.max_ns;
	}
	g_array_append_val(table->rows, row);
}

static void take_row(struct table_writer *writer, const struct cell *cells)
{
	const struct proposed_table *table = (const struct proposed_table *)writer;

	table_row(table->blocks, cells);
	if (table->proposal->is_last) {
		keep_row(table, cells);
	}
}

/* --- what a budget applies to --- */

/* The key of the table, and the names of other columns. */
static char *key_of(const struct proposed_table *table, size_t number)
{
	const struct table_column *column = &table->schema->columns[table->keys[number]];

	return number == 0 ? g_strdup(column->budget) : column_short_name(column);
}

static void add_key(const struct proposed_table *table, size_t number, const struct cell *cells, GArray *selection,
		    GString *text)
{
	g_autofree char *pattern = budget_pattern_of(&cells[table->keys[number]]);
	g_autofree char *key = key_of(table, number);

	if (pattern) {
		budget_selection_add(selection, budget_key_columns(table->schema, key),
				     (const char *const[]){ pattern, NULL });
		g_string_append_printf(text, "%s%s: ", text->len == 0 ? "- " : "  ", key);
		yaml_text_append_quoted(text, pattern);
		g_string_append_c(text, '\n');
	}
}

/* Whether rows that the selection takes differ in a column of names. */
static bool rows_differ(const struct proposed_table *table, const GArray *selection, size_t column)
{
	const char *first = NULL;

	for (guint i = 0; i < table->rows->len; i++) {
		const struct cell *cells = g_array_index(table->rows, struct kept_row, i).cells;
		const struct cell *cell = &cells[column];

		if (cell->type == CELL_TEXT && budget_selection_takes(selection, table->schema, cells)) {
			if (first && strcmp(first, cell->text) != 0) {
				return true;
			}
			first = cell->text;
		}
	}
	return false;
}

/* The keys of a budget for a row, as a selection and as the text of a file. */
static void add_keys(const struct proposed_table *table, const struct kept_row *row, GArray *selection, GString *text)
{
	for (size_t i = 0; i < table->key_count; i++) {
		size_t column = table->keys[i];
		bool is_always = table->schema->columns[column].proposed == PROPOSED_ALWAYS;

		if (is_always || rows_differ(table, selection, column)) {
			add_key(table, i, row->cells, selection, text);
		}
	}
}

/* --- limits --- */

/* What all rows that a budget applies to showed; as budget_check.h has it, a limit without a value is not kept. */
struct observed {
	bool has_rows, has_statistic, has_lost, has_rate;
	double p99, max, rate_hz;
	uint64_t lost;
	struct budget_margins margins; /* the widest */
};

static double wider(double margin, double other, bool is_least)
{
	return isnan(margin) || isnan(other) ? NAN : is_least ? MIN(margin, other) : MAX(margin, other);
}

static void widen(struct budget_margins *margins, const struct budget_margins *other)
{
	margins->p99 = wider(margins->p99, other->p99, false);
	margins->max = wider(margins->max, other->max, false);
	margins->rate = wider(margins->rate, other->rate, true);
	margins->lost = wider(margins->lost, other->lost, false);
}

static void observe(struct observed *observed, const struct proposed_table *table, const struct kept_row *row,
		    double alpha)
{
	struct budget_margins margins;
	const struct cell *lost = cell_in(table, row->cells, table->lost);
	const struct cell *rate = cell_in(table, row->cells, table->rate);
	bool has_lost = lost->type == CELL_UNSIGNED;
	bool has_rate = rate->type == CELL_REAL;
	bool is_first = !observed->has_rows;

	if (row->count == 0 && !has_lost && !has_rate) {
		return; /* it never happened, and is not checked */
	}
	margins = budget_margins_of(table->proposal->series, row->key, table->schema, table->statistic->name, alpha);
	if (is_first) {
		observed->margins = margins;
	} else {
		widen(&observed->margins, &margins);
	}
	observed->has_rows = true;
	observed->has_statistic = (is_first || observed->has_statistic) && row->count > 0;
	observed->has_lost = (is_first || observed->has_lost) && has_lost;
	observed->has_rate = (is_first || observed->has_rate) && has_rate;
	observed->p99 = is_first ? row->p99 : MAX(observed->p99, row->p99);
	observed->max = is_first ? row->max : MAX(observed->max, row->max);
	if (observed->has_lost) {
		observed->lost = MAX(observed->lost, lost->unsigned_integer);
	}
	if (observed->has_rate) {
		double rate_hz = fmin(
			rate->real, budget_limits_rate_to_end(
					    table->schema, (size_t)(table->rate - table->schema->columns), row->cells));

		observed->rate_hz = is_first ? rate_hz : MIN(observed->rate_hz, rate_hz);
	}
}

/* The unit of the second digit. */
static double unit_of(double value)
{
	return value > 0 ? pow(10, floor(log10(value)) - 1) : 1;
}

/* Two digits, rounded up, 1 us or more. */
static void append_duration(GString *text, double duration_ns)
{
	double bounded_ns = CLAMP(duration_ns, (double)NS_PER_US, LONGEST_NS), unit = unit_of(bounded_ns);
	g_autofree char *rounded = duration_text(llround(ceil(bounded_ns / unit - 1e-9) * unit));

	g_string_append(text, rounded);
}

/* Two digits, rounded down. */
static void append_rate(GString *text, double rate_hz)
{
	double unit = unit_of(rate_hz);

	g_string_append_printf(text, "%.10g Hz", floor(rate_hz / unit + 1e-9) * unit);
}

/* Appends "NAME: DURATION" to the limits of a statistic unless the margin is not known. */
static void append_limit(GString *limits, const char *name, double value, double margin, double margin_min)
{
	if (!isnan(margin)) {
		g_string_append_printf(limits, "%s%s: ", limits->len > 0 ? ", " : "", name);
		append_duration(limits, MAX(margin, margin_min) * value);
	}
}

/* A comment on what has no limit. */
static void append_unknown(GString *text, bool is_unknown, const char *name, const char *figure)
{
	if (is_unknown) {
		g_string_append_printf(text, "  # no limit on %s%s: too few independent samples\n", name, figure);
	}
}

static void append_statistic(GString *text, const char *name, const struct observed *observed)
{
	g_autoptr(GString) limits = g_string_new(NULL);

	append_limit(limits, "p99", observed->p99, observed->margins.p99, MARGIN_QUANTILE);
	append_limit(limits, "max", observed->max, observed->margins.max, MARGIN_MAX);
	if (limits->len > 0) {
		g_string_append_printf(text, "  %s: {%s}\n", name, limits->str);
	}
}

/* Returns whether there is a limit. */
static bool append_limits(GString *text, const struct proposed_table *table, const struct observed *observed)
{
	const char *statistic = table->statistic->name;
	g_autofree char *lost = table->lost ? column_short_name(table->lost) : NULL;
	g_autofree char *rate = table->rate ? column_short_name(table->rate) : NULL;
	const struct budget_margins *margins = &observed->margins;
	bool limits_lost = observed->has_lost && !(observed->lost > 0 && isnan(margins->lost));
	bool limits_rate = observed->has_rate && observed->rate_hz >= 1 && margins->rate > 0;
	bool limits_statistic = observed->has_statistic && !(isnan(margins->p99) && isnan(margins->max));

	if (observed->has_statistic) {
		append_statistic(text, statistic, observed);
	}
	if (limits_lost) {
		g_string_append_printf(text, "  %s: %" PRIu64 "\n", lost,
				       observed->lost + (observed->lost > 0 ? (uint64_t)ceil(margins->lost) : 0));
	}
	if (limits_rate) {
		g_string_append_printf(text, "  %s: {min: ", rate);
		append_rate(text, MIN(MARGIN_RATE, margins->rate) * observed->rate_hz);
		g_string_append(text, "}\n");
	}
	append_unknown(text, observed->has_statistic && isnan(margins->p99), statistic, " p99");
	append_unknown(text, observed->has_statistic && isnan(margins->max), statistic, " max");
	append_unknown(text, observed->has_lost && !limits_lost, lost, "");
	append_unknown(text, observed->has_rate && observed->rate_hz >= 1 && !limits_rate, rate, "");
	return limits_lost || limits_rate || limits_statistic;
}

/* --- budgets --- */

/* `keys`: the text of the keys of the budget, `selection`: the same. */
static void append_budget(GString *text, const struct proposed_table *table, const char *keys, const GArray *selection,
			  double alpha)
{
	struct observed observed = { .has_rows = false };
	g_autoptr(GString) limits = g_string_new(NULL);

	for (guint i = 0; i < table->rows->len; i++) {
		const struct kept_row *row = &g_array_index(table->rows, struct kept_row, i);

		if (budget_selection_takes(selection, table->schema, row->cells)) {
			observe(&observed, table, row, alpha);
		}
	}
	if (append_limits(limits, table, &observed)) {
		g_string_append_printf(text, "%s%s", keys, limits->str);
	}
}

static bool is_proposed(const struct proposed_table *table, const struct kept_row *row)
{
	const struct cell *name = &row->cells[table->keys[0]];

	return name->type == CELL_TEXT && name->text[0] != '\0' && row->count >= BUDGET_SAMPLES_MIN &&
	       !budget_selection_is_hidden(table->schema, row->cells);
}

/* The number of limits that may be proposed. */
static guint count_limits(const struct budget_proposal *proposal)
{
	guint count = 0;

	for (guint i = 0; i < proposal->opened->len; i++) {
		const struct proposed_table *table = g_ptr_array_index(proposal->opened, i);

		for (guint r = 0; r < table->rows->len; r++) {
			if (is_proposed(table, &g_array_index(table->rows, struct kept_row, r))) {
				count += 2U + (table->lost != NULL) + (table->rate != NULL);
			}
		}
	}
	return count;
}

/* Rows with the same keys get one budget, which each of them keeps. `alpha`: of a limit. */
static void propose_table(GString *text, const struct proposed_table *table, double alpha)
{
	g_autoptr(GHashTable) proposed = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (guint i = 0; i < table->rows->len; i++) {
		const struct kept_row *row = &g_array_index(table->rows, struct kept_row, i);
		g_autoptr(GArray) selection = budget_selection_create();
		g_autoptr(GString) keys = g_string_new(NULL);

		if (!is_proposed(table, row)) {
			continue;
		}
		add_keys(table, row, selection, keys);
		if (g_hash_table_add(proposed, g_strdup(keys->str))) {
			append_budget(text, table, keys->str, selection, alpha);
		}
	}
}

static const struct table_column *find_limited(const struct table_schema *schema, enum column_meaning means)
{
	int column = table_find_meaning(schema, means, SIDE_NONE);

	return column >= 0 ? &schema->columns[column] : NULL;
}

static struct proposed_table *table_create(struct budget_proposal *proposal, const struct table_schema *schema)
{
	struct table_output *blocks = block_series_tables(proposal->series, NULL);
	struct proposed_table *table = g_new0(struct proposed_table, 1);

	table->writer.row = take_row;
	table->blocks = blocks->open(blocks, schema);
	table->proposal = proposal;
	table->schema = schema;
	table->statistic = find_limited(schema, MEANS_DURATION);
	table->lost = find_limited(schema, MEANS_LOST);
	table->rate = find_limited(schema, MEANS_RATE);
	table->rows = g_array_new(FALSE, FALSE, sizeof(struct kept_row));
	g_array_set_clear_func(table->rows, row_clear);
	for (size_t i = 0; i < schema->column_count && table->key_count < KEYS_MAX; i++) {
		if (schema->columns[i].proposed != PROPOSED_NOT) {
			table->keys[table->key_count++] = i;
		}
	}
	g_ptr_array_add(proposal->opened, table);
	return table;
}

static bool is_for_budgets(const struct table_schema *schema)
{
	for (size_t i = 0; i < schema->column_count; i++) {
		if (schema->columns[i].proposed != PROPOSED_NOT) {
			return true;
		}
	}
	return false;
}

static struct table_writer *open_table(struct table_output *tables, const struct table_schema *schema)
{
	struct budget_proposal *proposal = (struct budget_proposal *)tables;

	return is_for_budgets(schema) ? &table_create(proposal, schema)->writer : NULL;
}

struct budget_proposal *budget_proposal_create(const char *recording)
{
	struct budget_proposal *proposal = g_new0(struct budget_proposal, 1);

	proposal->tables.open = open_table;
	proposal->recording = recording;
	proposal->series = block_series_create();
	proposal->opened = g_ptr_array_new_with_free_func(table_destroy);
	proposal->names = g_string_chunk_new(0);
	return proposal;
}

void budget_proposal_destroy(struct budget_proposal *proposal)
{
	if (proposal) {
		g_ptr_array_unref(proposal->opened);
		block_series_destroy(proposal->series);
		g_string_chunk_free(proposal->names);
		g_free(proposal);
	}
}

struct table_output *budget_proposal_tables(struct budget_proposal *proposal)
{
	return &proposal->tables;
}

struct block_series *budget_proposal_series(struct budget_proposal *proposal)
{
	return proposal->series;
}

void budget_proposal_finish(struct budget_proposal *proposal, int64_t end_ns)
{
	block_series_finish(proposal->series, end_ns);
	proposal->is_last = true;
}

bool budget_proposal_write(const struct budget_proposal *proposal, struct output_stream *stream)
{
	g_autofree char *recording = human_text_clean(proposal->recording);
	g_autoptr(GString) text = g_string_new(NULL);
	double alpha = BUDGET_ALPHA / MAX(count_limits(proposal), 1);

	for (guint i = 0; i < proposal->opened->len; i++) {
		propose_table(text, g_ptr_array_index(proposal->opened, i), alpha);
	}
	if (text->len == 0) {
		return false;
	}
	output_stream_text(stream, "# Proposed from ");
	output_stream_text(stream, recording);
	output_stream_text(
		stream,
		": what it showed, and a margin for what varies by chance: at least p99 +20 %,\n"
		"# max +50 %, rate -20 %. At most one of 20 recordings of the same length, of the same system,\n"
		"# breaks any of these budgets by chance.\n"
		"# Go over it: a budget says what the system needs, not what it happened to do.\n"
		"budgets:\n");
	output_stream_text(stream, text->str);
	return true;
}
