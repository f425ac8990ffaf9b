/* SPDX-License-Identifier: MIT */
#include "ros2bt/reports/budget_check.h"

#include <inttypes.h>

#include "core/reports/budget/budget_names.h"
#include "core/statistics/duration_statistics.h"
#include "core/tables/row_name.h"
#include "ros2bt/events/diagnostics.h"

/* Of a distribution, an octave. */
#define DISTRIBUTION_BUCKETS 16

/* Takes the rows of one table. */
struct checked_table {
	struct table_writer writer;
	struct budget_check *check;
	const struct table_schema *schema;
	GArray *noted; /* budget_names_columns() */
};

struct budget_check {
	struct table_output tables;
	const struct budget_file *file; /* borrowed */
	GArray *results;		/* struct budget_result */
	GPtrArray *opened;		/* struct checked_table */
	struct budget_names names;	/* for what is misspelt */
	GString *losses;		/* all that is missing, as text */
	bool ends_at_interruption;	/* nothing is missing before it */
	bool has_unread;		/* a part of the recording was not read */
	bool has_lost, has_lost_kernel; /* events of user space, of the kernel were lost */
	budget_may_lack may_lack;	/* NULL: any process may lack events that were lost */
	const void *may_lack_data;
	bool keeps_distributions;
};

static void row_destroy(gpointer data)
{
	struct budget_row *row = data;

	if (row->distributions) {
		g_ptr_array_unref(row->distributions);
	}
	g_free(row->what);
	g_array_unref(row->outcomes);
	g_free(row);
}

static void result_clear(gpointer data)
{
	struct budget_result *result = data;

	g_ptr_array_unref(result->rows);
	g_free(result->reason);
}

/* --- a row --- */

static bool statistic_value(const struct budget_limit *limit, const struct duration_statistics *statistic,
			    double *value)
{
	struct duration_totals totals = duration_statistics_totals(statistic);

	if (totals.count == 0) {
		return false;
	}
	switch (limit->figure) {
	case BUDGET_SUM:
		*value = int128_to_double(totals.sum_ns);
		break;
	case BUDGET_MIN:
		*value = (double)totals.min_ns;
		break;
	case BUDGET_MEAN:
		*value = duration_totals_mean(&totals);
		break;
	case BUDGET_STDDEV:
		*value = duration_statistics_standard_deviation_of(statistic, &totals);
		break;
	case BUDGET_QUANTILE:
		*value = (double)duration_statistics_quantile_of(statistic, &totals, limit->quantile);
		break;
	default:
		*value = (double)totals.max_ns;
		break;
	}
	return true;
}

static bool cell_value(const struct budget_limit *limit, const struct cell *cell, double *value)
{
	switch (cell->type) {
	case CELL_INTEGER:
		*value = (double)cell->integer;
		return true;
	case CELL_UNSIGNED:
		*value = (double)cell->unsigned_integer;
		return true;
	case CELL_REAL:
		*value = cell->real;
		return true;
	case CELL_STATISTIC:
		return statistic_value(limit, cell->statistic, value);
	default:
		return false;
	}
}

/* Of a lower limit on a rate: what has fallen silent is less frequent than it was. */
static void include_silence(struct budget_outcome *outcome, const struct table_schema *schema, const struct cell *cells)
{
	double rate_to_end = budget_limits_rate_to_end(schema, outcome->limit->column, cells);

	if (outcome->has_value && outcome->limit->is_least && rate_to_end < outcome->value) {
		outcome->value = rate_to_end;
		outcome->has_fallen_silent = rate_to_end < outcome->limit->allowed;
	}
}

static struct budget_outcome outcome_of(const struct budget_limit *limit, const struct table_schema *schema,
					const struct cell *cells)
{
	const struct cell *cell = &cells[limit->column];
	struct budget_outcome outcome = { .limit = limit, .verdict = BUDGET_UNDECIDED };

	outcome.has_value = cell_value(limit, cell, &outcome.value);
	include_silence(&outcome, schema, cells);
	outcome.may_grow = limit->is_least &&
			   (limit->figure == BUDGET_SUM || cell->type == CELL_UNSIGNED || cell->type == CELL_INTEGER);
	if (outcome.has_value) {
		bool is_kept = limit->is_least ? outcome.value >= limit->allowed : outcome.value <= limit->allowed;

		outcome.verdict = is_kept ? BUDGET_KEPT : BUDGET_BROKEN;
	}
	if (outcome.has_value && cell->type == CELL_STATISTIC) {
		outcome.has_moment = cell->statistic->longest_at_ns != DURATION_TIME_UNKNOWN;
		outcome.at_ns = cell->statistic->longest_at_ns;
	}
	return outcome;
}

static void buckets_destroy(gpointer buckets)
{
	if (buckets) {
		g_array_unref(buckets);
	}
}

/* What each limit limits a figure of. */
static GPtrArray *distributions_of(const GArray *limits, const struct cell *cells)
{
	GPtrArray *distributions = g_ptr_array_new_with_free_func(buckets_destroy);

	for (guint i = 0; i < limits->len; i++) {
		const struct cell *cell = &cells[g_array_index(limits, struct budget_limit, i).column];
		GArray *buckets = NULL;

		if (cell->type == CELL_STATISTIC) {
			buckets = g_array_new(FALSE, FALSE, sizeof(struct duration_bucket));
			duration_statistics_buckets(cell->statistic, DISTRIBUTION_BUCKETS, buckets);
		}
		g_ptr_array_add(distributions, buckets);
	}
	return distributions;
}

/* Whether the process that a column names may lack events. */
static bool process_may_lack(const struct budget_check *check, const struct table_schema *schema,
			     const struct cell *cells, size_t column)
{
	const struct cell *host = table_find_meant(schema, cells, MEANS_HOST, schema->columns[column].side);

	return cells[column].type != CELL_INTEGER || host->type != CELL_TEXT ||
	       check->may_lack(check->may_lack_data, host->text, cells[column].integer);
}

/* Whether lost events of user space may have changed the row. */
static bool row_may_lack(const struct budget_check *check, const struct table_schema *schema, const struct cell *cells)
{
	const struct cell *inferred = table_find_meant(schema, cells, MEANS_INFERRED, SIDE_NONE);

	if (!check->may_lack || !schema->is_of_processes ||
	    (inferred->type == CELL_UNSIGNED && inferred->unsigned_integer > 0)) {
		return true;
	}
	for (size_t i = 0; i < schema->column_count; i++) {
		if (schema->columns[i].means == MEANS_PROCESS && process_may_lack(check, schema, cells, i)) {
			return true;
		}
	}
	return false;
}

static void add_row(const struct budget_check *check, struct budget_result *result, const struct cell *cells)
{
	struct budget_row *row = g_new0(struct budget_row, 1);

	row->what = row_name(result->budget->schema, cells);
	row->may_lack = row_may_lack(check, result->budget->schema, cells);
	row->outcomes = g_array_new(FALSE, FALSE, sizeof(struct budget_outcome));
	for (guint i = 0; i < result->budget->limits->len; i++) {
		struct budget_outcome outcome = outcome_of(
			&g_array_index(result->budget->limits, struct budget_limit, i), result->budget->schema, cells);

		g_array_append_val(row->outcomes, outcome);
	}
	if (check->keeps_distributions) {
		row->distributions = distributions_of(result->budget->limits, cells);
	}
	g_ptr_array_add(result->rows, row);
}

static void check_row(struct table_writer *writer, const struct cell *cells)
{
	const struct checked_table *table = (const struct checked_table *)writer;

	budget_names_note(table->noted, table->schema, cells);
	for (guint i = 0; i < table->check->results->len; i++) {
		struct budget_result *result = &g_array_index(table->check->results, struct budget_result, i);

		if (result->budget->schema == table->schema &&
		    budget_selection_takes(result->budget->selectors, table->schema, cells)) {
			add_row(table->check, result, cells);
		}
	}
}

/* --- what the recording lost --- */

/* A row about a gap: what, count, detail. */
static void note_loss(struct table_writer *writer, const struct cell *cells)
{
	struct budget_check *check = ((struct checked_table *)writer)->check;
	const struct diagnostic_kind *kind = diagnostic_kind_of_name(cells[0].text);
	bool is_end = check->ends_at_interruption && kind == diagnostic_kind(DIAGNOSTIC_INTERRUPTED);
	bool is_unread = kind && kind->severity == SEVERITY_PART && !is_end;
	bool is_loss = kind && kind->severity == SEVERITY_LOST;
	bool is_kernel_loss = kind && kind->severity == SEVERITY_KERNEL_LOST;

	check->has_unread |= is_unread;
	check->has_lost |= is_loss;
	check->has_lost_kernel |= is_kernel_loss;
	if (is_unread || is_loss || is_kernel_loss) {
		g_string_append_printf(check->losses, "%s%s (%" PRIu64 ")%s%s", check->losses->len > 0 ? "; " : "",
				       cells[0].text, cells[1].unsigned_integer, cells[2].type == CELL_TEXT ? ": " : "",
				       cells[2].type == CELL_TEXT ? cells[2].text : "");
	}
}

/* --- the tables --- */

static bool is_needed(const struct budget_check *check, const struct table_schema *schema)
{
	for (guint i = 0; i < check->results->len; i++) {
		if (g_array_index(check->results, struct budget_result, i).budget->schema == schema) {
			return true;
		}
	}
	return false;
}

static void checked_table_destroy(gpointer data)
{
	struct checked_table *table = data;

	g_array_unref(table->noted);
	g_free(table);
}

static struct table_writer *open_table(struct table_output *tables, const struct table_schema *schema)
{
	struct budget_check *check = (struct budget_check *)tables;
	bool is_of_gaps = schema->subject == SUBJECT_GAPS && schema->kind != KIND_SUMMARY;
	struct checked_table *table;

	if (!is_of_gaps && !is_needed(check, schema)) {
		return NULL;
	}
	table = g_new0(struct checked_table, 1);
	table->writer.row = is_of_gaps ? note_loss : check_row;
	table->check = check;
	table->schema = schema;
	table->noted = budget_names_columns(&check->names, schema);
	g_ptr_array_add(check->opened, table);
	return &table->writer;
}

struct budget_check *budget_check_create(const struct budget_file *file)
{
	struct budget_check *check = g_new0(struct budget_check, 1);

	check->tables.open = open_table;
	check->file = file;
	check->opened = g_ptr_array_new_with_free_func(checked_table_destroy);
	budget_names_init(&check->names);
	check->losses = g_string_new(NULL);
	check->results = g_array_new(FALSE, FALSE, sizeof(struct budget_result));
	g_array_set_clear_func(check->results, result_clear);
	for (guint i = 0; i < file->budgets->len; i++) {
		struct budget_result result = { .budget = g_ptr_array_index(file->budgets, i),
						.rows = g_ptr_array_new_with_free_func(row_destroy) };

		g_array_append_val(check->results, result);
		budget_names_add(&check->names, result.budget);
	}
	return check;
}

void budget_check_destroy(struct budget_check *check)
{
	if (check) {
		g_array_unref(check->results);
		g_ptr_array_unref(check->opened);
		budget_names_clear(&check->names);
		g_string_free(check->losses, TRUE);
		g_free(check);
	}
}

void budget_check_ask(struct budget_check *check, budget_may_lack may_lack, const void *data)
{
	check->may_lack = may_lack;
	check->may_lack_data = data;
}

void budget_check_end_at_interruption(struct budget_check *check)
{
	check->ends_at_interruption = true;
}

void budget_check_reset(struct budget_check *check)
{
	for (guint i = 0; i < check->results->len; i++) {
		struct budget_result *result = &g_array_index(check->results, struct budget_result, i);

		g_ptr_array_set_size(result->rows, 0);
		g_clear_pointer(&result->reason, g_free);
		result->verdict = BUDGET_KEPT;
	}
	g_string_truncate(check->losses, 0);
	check->has_unread = check->has_lost = check->has_lost_kernel = false;
}

void budget_check_keep_distributions(struct budget_check *check)
{
	check->keeps_distributions = true;
}

struct table_output *budget_check_tables(struct budget_check *check)
{
	return &check->tables;
}

/* --- verdicts --- */

/* Whether what is missing may have changed a row. */
static bool can_be_touched(const struct budget_check *check, const struct table_schema *schema,
			   const struct budget_row *row)
{
	return !check->file->ignores_lost_events && (check->has_unread || (check->has_lost && row->may_lack) ||
						     (check->has_lost_kernel && schema->is_of_kernel));
}

static void decide_row(const struct budget_check *check, struct budget_result *result, struct budget_row *row)
{
	bool is_touched = can_be_touched(check, result->budget->schema, row);

	for (guint i = 0; i < row->outcomes->len; i++) {
		struct budget_outcome *outcome = &g_array_index(row->outcomes, struct budget_outcome, i);

		if (is_touched && (outcome->verdict == BUDGET_KEPT || outcome->may_grow)) {
			outcome->verdict = BUDGET_UNDECIDED;
		}
		result->verdict = MAX(result->verdict, outcome->verdict);
	}
}

static bool has_value(const struct budget_row *row)
{
	for (guint i = 0; i < row->outcomes->len; i++) {
		if (g_array_index(row->outcomes, struct budget_outcome, i).has_value) {
			return true;
		}
	}
	return false;
}

/* Leaves out rows that never happened if others did: such as callbacks of services that nobody has called. */
static void drop_idle_rows(struct budget_result *result)
{
	guint active = 0;

	for (guint i = 0; i < result->rows->len; i++) {
		active += has_value(g_ptr_array_index(result->rows, i));
	}
	for (guint i = active > 0 ? result->rows->len : 0; i-- > 0;) {
		if (!has_value(g_ptr_array_index(result->rows, i))) {
			g_ptr_array_remove_index(result->rows, i);
		}
	}
}

struct noted_names {
	const struct budget_check *check;
	const struct table_schema *schema;
};

static GPtrArray *names_of(const void *data, size_t column)
{
	const struct noted_names *noted = data;

	return budget_names_list(&noted->check->names, &noted->schema->columns[column]);
}

/* To be freed; NULL: every pattern has matched something. */
static char *reason_of(const struct budget_check *check, const struct budget_result *result)
{
	const struct noted_names noted = { check, result->budget->schema };
	char *unmatched = budget_selection_unmatched(result->budget->selectors, names_of, &noted);

	return unmatched || result->rows->len > 0 ? unmatched : g_strdup("nothing in the recording matches it");
}

void budget_check_finish(struct budget_check *check)
{
	for (guint i = 0; i < check->results->len; i++) {
		struct budget_result *result = &g_array_index(check->results, struct budget_result, i);

		drop_idle_rows(result);
		g_free(result->reason);
		result->reason = reason_of(check, result);
		result->verdict = result->reason ? BUDGET_UNDECIDED : BUDGET_KEPT;
		for (guint r = 0; r < result->rows->len; r++) {
			decide_row(check, result, g_ptr_array_index(result->rows, r));
		}
	}
}

const GArray *budget_check_results(const struct budget_check *check)
{
	return check->results;
}

enum budget_verdict budget_check_verdict(const struct budget_check *check)
{
	enum budget_verdict worst = BUDGET_KEPT;

	for (guint i = 0; i < check->results->len; i++) {
		worst = MAX(worst, g_array_index(check->results, struct budget_result, i).verdict);
	}
	return worst;
}

const char *budget_check_losses(const struct budget_check *check)
{
	return check->losses->len > 0 ? check->losses->str : NULL;
}
