/* SPDX-License-Identifier: MIT */
#include "core/reports/budget/budget_json.h"

#include "core/output/page/page_histogram.h"

struct budget_json {
	struct json_writer *json;
	bool is_for_page;
	guint distributions; /* written so far */
};

const char *budget_verdict_name(enum budget_verdict verdict)
{
	static const char *const names[] = {
		[BUDGET_KEPT] = "kept",
		[BUDGET_UNDECIDED] = "undecided",
		[BUDGET_BROKEN] = "broken",
	};

	return names[verdict];
}

enum budget_verdict budget_row_verdict(const struct budget_row *row)
{
	enum budget_verdict worst = BUDGET_KEPT;

	for (guint i = 0; i < row->outcomes->len; i++) {
		worst = MAX(worst, g_array_index(row->outcomes, struct budget_outcome, i).verdict);
	}
	return worst;
}

/* --- for a page --- */

static const char *format_of(const struct table_column *column)
{
	if (column_is_in_ns(column)) {
		return "duration";
	}
	return column->format == COLUMN_RATE ? "rate" : column->format == COLUMN_PERCENT ? "percent" : "plain";
}

static void write_for_page(struct budget_json *to, const struct budget_result *result, const struct budget_row *row,
			   guint index)
{
	const struct budget_outcome *outcome = &g_array_index(row->outcomes, struct budget_outcome, index);
	const struct budget_limit *limit = outcome->limit;
	const GArray *distribution = row->distributions ? g_ptr_array_index(row->distributions, index) : NULL;

	json_writer_member_text(to->json, "allowed", limit->allowed_text);
	json_writer_member_text(to->json, "format", format_of(&result->budget->schema->columns[limit->column]));
	json_writer_member_bool(to->json, "has_fallen_silent", outcome->has_fallen_silent);
	json_writer_key(to->json, "distribution");
	if (distribution && distribution->len > 0 && to->distributions < BUDGET_PAGE_DISTRIBUTIONS) {
		page_histogram_write(to->json, distribution);
		to->distributions++;
	} else {
		json_writer_null(to->json);
	}
}

/* --- for all --- */

static void write_outcome(struct budget_json *to, const struct budget_result *result, const struct budget_row *row,
			  guint index)
{
	const struct budget_outcome *outcome = &g_array_index(row->outcomes, struct budget_outcome, index);
	struct json_writer *json = to->json;

	json_writer_begin_object(json);
	json_writer_member_text(json, "limit", outcome->limit->name);
	json_writer_member_real(json, outcome->limit->is_least ? "at_least" : "at_most", outcome->limit->allowed);
	json_writer_member_cell(json, "value", outcome->has_value ? cell_real(outcome->value) : CELL_NONE);
	json_writer_member_cell(json, "longest_at_ns", outcome->has_moment ? cell_integer(outcome->at_ns) : CELL_NONE);
	json_writer_member_text(json, "verdict", budget_verdict_name(outcome->verdict));
	if (to->is_for_page) {
		write_for_page(to, result, row, index);
	}
	json_writer_end_object(json);
}

static void write_row(struct budget_json *to, const struct budget_result *result, const struct budget_row *row)
{
	json_writer_begin_object(to->json);
	json_writer_member_text(to->json, "row", row->what);
	json_writer_member_array(to->json, "limits");
	for (guint i = 0; i < row->outcomes->len; i++) {
		write_outcome(to, result, row, i);
	}
	json_writer_end_array(to->json);
	json_writer_end_object(to->json);
}

/* Returns how many of the rows of a verdict were written, at most `most`. */
static guint write_rows_of(struct budget_json *to, const struct budget_result *result, enum budget_verdict verdict,
			   guint most)
{
	guint written = 0;

	for (guint i = 0; i < result->rows->len && written < most; i++) {
		const struct budget_row *row = g_ptr_array_index(result->rows, i);

		if (budget_row_verdict(row) == verdict) {
			write_row(to, result, row);
			written++;
		}
	}
	return written;
}

/* Returns how many. */
static guint write_worst_rows(struct budget_json *to, const struct budget_result *result)
{
	guint written = 0;

	for (int verdict = BUDGET_BROKEN; verdict >= BUDGET_KEPT; verdict--) {
		written += write_rows_of(to, result, (enum budget_verdict)verdict, BUDGET_PAGE_ROWS - written);
	}
	return written;
}

static void write_rows(struct budget_json *to, const struct budget_result *result)
{
	guint written = result->rows->len;

	json_writer_member_array(to->json, "rows");
	if (to->is_for_page) {
		written = write_worst_rows(to, result);
	} else {
		for (guint i = 0; i < result->rows->len; i++) {
			write_row(to, result, g_ptr_array_index(result->rows, i));
		}
	}
	json_writer_end_array(to->json);
	if (to->is_for_page) {
		json_writer_member_unsigned(to->json, "left_out", result->rows->len - written);
	}
}

static void write_result(struct budget_json *to, const struct budget_result *result)
{
	json_writer_line_break(to->json);
	json_writer_begin_object(to->json);
	json_writer_member_text(to->json, "budget", result->budget->name);
	json_writer_member_unsigned(to->json, "line", result->budget->line);
	json_writer_member_text(to->json, "table", result->budget->schema->name);
	json_writer_member_text(to->json, "verdict", budget_verdict_name(result->verdict));
	json_writer_member_text_or_null(to->json, "reason", result->reason);
	write_rows(to, result);
	json_writer_end_object(to->json);
}

void budget_json_write(struct json_writer *json, const struct budget_check *check, const struct budget_subject *subject,
		       bool is_for_page)
{
	const GArray *results = budget_check_results(check);
	struct budget_json to = { .json = json, .is_for_page = is_for_page };

	json_writer_begin_object(json);
	json_writer_member_unsigned(json, "schema_version", 1);
	json_writer_member_text(json, "recording", subject->recording);
	json_writer_member_text(json, "verdict", budget_verdict_name(budget_check_verdict(check)));
	json_writer_member_text_or_null(json, "losses", budget_check_losses(check));
	if (is_for_page) {
		json_writer_member_text(json, "file", subject->file);
		json_writer_member_integer(json, "begin_ns", subject->begin_ns);
	}
	json_writer_member_array(json, "budgets");
	for (guint i = 0; i < results->len; i++) {
		write_result(&to, &g_array_index(results, struct budget_result, i));
	}
	json_writer_end_array(json);
	json_writer_end_object(json);
}
