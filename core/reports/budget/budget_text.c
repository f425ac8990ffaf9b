/* SPDX-License-Identifier: MIT */
#include "ros2bt/reports/budget_text.h"

#include <math.h>
#include <stdarg.h>

#include "core/base/text/human_text.h"
#include "core/base/text/markdown_text.h"
#include "core/output/text/text_line.h"
#include "core/reports/budget/budget_json.h"
#include "core/reports/budget/budget_page.h"
#include "ros2bt/output/output_stream.h"

#define VERDICTS 3

/* How many rows of a budget the text lists; the others are only counted. */
#define ROWS_SHOWN 5

static const struct budget_result *result_at(const struct budget_check *check, guint index)
{
	return &g_array_index(budget_check_results(check), struct budget_result, index);
}

static const struct budget_outcome *outcome_at(const struct budget_row *row, guint index)
{
	return &g_array_index(row->outcomes, struct budget_outcome, index);
}

static void write_format(struct output_stream *stream, const char *format, ...) G_GNUC_PRINTF(2, 3);

static void write_format(struct output_stream *stream, const char *format, ...)
{
	g_autofree char *text = NULL;
	va_list arguments;

	va_start(arguments, format);
	text = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	output_stream_text(stream, text);
}

/* --- for people --- */

#define INDENT_OF_NAME 13 /* behind the verdict */
#define INDENT_OF_ROW 4
#define INDENT_OF_FIGURE 6

/* Writes a line, and more where it is too long, these behind the indent and two columns more. */
static void write_line(struct output_stream *stream, size_t indent, const char *format, ...) G_GNUC_PRINTF(3, 4);

static void write_line(struct output_stream *stream, size_t indent, const char *format, ...)
{
	g_autoptr(GString) line = g_string_new(NULL);
	va_list arguments;

	va_start(arguments, format);
	g_string_append_vprintf(line, format, arguments);
	va_end(arguments);
	text_line_write_wrapped(stream, line, TEXT_WIDTH_MAX, indent + TEXT_INDENT_WRAPPED);
}

static char *value_text(const struct budget *budget, const struct budget_outcome *outcome)
{
	const struct table_column *column = &budget->schema->columns[outcome->limit->column];
	char buffer[HUMAN_TEXT_SIZE];

	if (!outcome->has_value) {
		return g_strdup("no value");
	}
	if (column_is_in_ns(column)) {
		return g_strdup(human_text_real_duration(buffer, outcome->value));
	}
	return g_strdup_printf("%.6g%s", outcome->value,
			       column->format == COLUMN_RATE	  ? " Hz"
			       : column->format == COLUMN_PERCENT ? " %"
								  : "");
}

/* "latency p99 31.2 ms, at most 20 ms; the longest, 44.3 ms, at +5.249 s" */
static char *outcome_text(const struct budget *budget, const struct budget_outcome *outcome,
			  const struct budget_subject *subject)
{
	g_autofree char *value = value_text(budget, outcome);
	g_autofree char *moment = NULL;

	if (outcome->verdict == BUDGET_BROKEN && outcome->has_moment && !outcome->limit->is_least) {
		char buffer[HUMAN_TEXT_SIZE];

		moment = g_strdup_printf(", the longest at %s",
					 human_text_moment(buffer, outcome->at_ns - subject->begin_ns));
	}
	return g_strdup_printf("%s %s%s, %s %s%s", outcome->limit->name, value,
			       outcome->has_fallen_silent ? " with the silence at the end" : "",
			       outcome->limit->is_least ? "at least" : "at most", outcome->limit->allowed_text,
			       moment ? moment : "");
}

static void write_row(const struct budget_result *result, const struct budget_row *row,
		      const struct budget_subject *subject, struct output_stream *stream)
{
	enum budget_verdict verdict = budget_row_verdict(row);
	g_autofree char *what = human_text_clean(row->what);

	write_line(stream, INDENT_OF_ROW, "    %s", what);
	for (guint i = 0; i < row->outcomes->len; i++) {
		const struct budget_outcome *outcome = outcome_at(row, i);

		if (outcome->verdict == verdict) {
			g_autofree char *text = outcome_text(result->budget, outcome, subject);

			write_line(stream, INDENT_OF_FIGURE, "      %s", text);
		}
	}
}

/* The rows with the verdict of the budget, unless it is kept. */
static void write_rows(const struct budget_result *result, const struct budget_subject *subject,
		       struct output_stream *stream)
{
	guint shown = 0, count = 0;

	if (result->reason) {
		g_autofree char *reason = human_text_clean(result->reason);

		write_line(stream, INDENT_OF_ROW, "    %s", reason);
	}
	for (guint i = 0; i < result->rows->len && result->verdict != BUDGET_KEPT; i++) {
		const struct budget_row *row = g_ptr_array_index(result->rows, i);

		if (budget_row_verdict(row) == result->verdict) {
			count++;
			if (count <= ROWS_SHOWN) {
				write_row(result, row, subject, stream);
				shown++;
			}
		}
	}
	if (count > shown) {
		write_format(stream, "    and %u more\n", count - shown);
	}
}

static guint count_verdicts(const struct budget_check *check, enum budget_verdict verdict)
{
	guint count = 0;

	for (guint i = 0; i < budget_check_results(check)->len; i++) {
		count += result_at(check, i)->verdict == verdict;
	}
	return count;
}

/* The worst first. */
static void write_text(const struct budget_check *check, const struct budget_subject *subject,
		       struct output_stream *stream)
{
	write_line(stream, 0, "Budgets of %s on %s: %u broken, %u undecided, %u kept", subject->file,
		   subject->recording, count_verdicts(check, BUDGET_BROKEN), count_verdicts(check, BUDGET_UNDECIDED),
		   count_verdicts(check, BUDGET_KEPT));
	if (budget_check_losses(check)) {
		g_autofree char *losses = human_text_clean(budget_check_losses(check));

		write_line(stream, 0, "The recording is incomplete: %s", losses);
	}
	for (int verdict = VERDICTS - 1; verdict >= 0; verdict--) {
		for (guint i = 0; i < budget_check_results(check)->len; i++) {
			const struct budget_result *result = result_at(check, i);

			if ((int)result->verdict == verdict) {
				g_autofree char *name = human_text_clean(result->budget->name);

				write_line(stream, INDENT_OF_NAME, "  %-9s  %s",
					   budget_verdict_name((enum budget_verdict)verdict), name);
				write_rows(result, subject, stream);
			}
		}
	}
}

/* --- of windows --- */

/* The first limit that a row breaks; NULL: none. */
static const struct budget_outcome *broken_outcome(const struct budget_row *row)
{
	for (guint i = 0; i < row->outcomes->len; i++) {
		if (outcome_at(row, i)->verdict == BUDGET_BROKEN) {
			return outcome_at(row, i);
		}
	}
	return NULL;
}

/* The first row that breaks the budget, and how many others do. */
static void append_broken(GString *lines, const struct budget_result *result, int64_t as_of_ns)
{
	g_autofree char *name = human_text_clean(result->budget->name);
	const struct budget_outcome *first = NULL;
	const char *what = NULL;
	g_autofree char *value = NULL, *clean = NULL;
	char time[HUMAN_TEXT_SIZE];
	guint others = 0;

	for (guint i = 0; i < result->rows->len; i++) {
		const struct budget_row *row = g_ptr_array_index(result->rows, i);
		const struct budget_outcome *outcome = broken_outcome(row);

		others += first && outcome;
		if (!first && outcome) {
			first = outcome;
			what = row->what;
		}
	}
	if (!first) {
		return;
	}
	clean = human_text_clean(what);
	value = value_text(result->budget, first);
	g_string_append_printf(lines, "%s UTC: broken: %s: %s %s, %s %s: %s", human_text_time(time, as_of_ns), name,
			       first->limit->name, value, first->limit->is_least ? "at least" : "at most",
			       first->limit->allowed_text, clean);
	if (others > 0) {
		g_string_append_printf(lines, ", and %u more", others);
	}
	g_string_append_c(lines, '\n');
}

char *budget_text_broken(const struct budget_check *check, int64_t as_of_ns)
{
	GString *lines = g_string_new(NULL);

	for (guint i = 0; i < budget_check_results(check)->len; i++) {
		append_broken(lines, result_at(check, i), as_of_ns);
	}
	return g_string_free(lines, FALSE);
}

/* --- for programs --- */

static void write_json(const struct budget_check *check, const struct budget_subject *subject,
		       struct output_stream *stream)
{
	struct json_writer json;

	json_writer_init(&json, stream);
	budget_json_write(&json, check, subject, false);
	output_stream_byte(stream, '\n');
}

/* --- for what runs tests --- */

/* An attribute or text of XML 1.0: valid UTF-8 without control characters, of which XML allows few. */
static char *xml_text(const char *text)
{
	g_autofree char *clean = human_text_clean(text);

	return g_markup_escape_text(clean, -1);
}

static void write_case(const struct budget_result *result, const struct budget_subject *subject,
		       struct output_stream *stream)
{
	static const char *const elements[VERDICTS] = { [BUDGET_BROKEN] = "failure", [BUDGET_UNDECIDED] = "error" };
	g_autofree char *name = xml_text(result->budget->name);
	g_autofree char *message = xml_text(result->reason ? result->reason : budget_verdict_name(result->verdict));
	const char *element = elements[result->verdict];

	write_format(stream, "    <testcase classname=\"%s\" name=\"%s (line %zu)\"", result->budget->schema->name,
		     name, result->budget->line);
	if (!element) {
		output_stream_text(stream, "/>\n");
		return;
	}
	write_format(stream, ">\n      <%s message=\"%s\" type=\"budget\">\n", element, message);
	for (guint r = 0; r < result->rows->len; r++) {
		const struct budget_row *row = g_ptr_array_index(result->rows, r);

		for (guint i = 0; i < row->outcomes->len; i++) {
			const struct budget_outcome *outcome = outcome_at(row, i);

			if (outcome->verdict == result->verdict) {
				g_autofree char *line = outcome_text(result->budget, outcome, subject);
				g_autofree char *what = xml_text(row->what);
				g_autofree char *text = xml_text(line);

				write_format(stream, "%s: %s\n", what, text);
			}
		}
	}
	write_format(stream, "</%s>\n    </testcase>\n", element);
}

static void write_junit(const struct budget_check *check, const struct budget_subject *subject,
			struct output_stream *stream)
{
	g_autofree char *recording = xml_text(subject->recording);
	guint failures = count_verdicts(check, BUDGET_BROKEN), errors = count_verdicts(check, BUDGET_UNDECIDED);
	guint tests = budget_check_results(check)->len;

	write_format(stream,
		     "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		     "<testsuites tests=\"%u\" failures=\"%u\" errors=\"%u\">\n"
		     "  <testsuite name=\"budgets of %s\" tests=\"%u\" failures=\"%u\" errors=\"%u\" skipped=\"0\">\n",
		     tests, failures, errors, recording, tests, failures, errors);
	for (guint i = 0; i < tests; i++) {
		write_case(result_at(check, i), subject, stream);
	}
	if (budget_check_losses(check)) {
		g_autofree char *losses = xml_text(budget_check_losses(check));

		write_format(stream, "    <system-err>The recording is incomplete: %s</system-err>\n", losses);
	}
	output_stream_text(stream, "  </testsuite>\n</testsuites>\n");
}

/* --- for a pull request --- */

static void append_markdown_row(GString *text, const struct budget_result *result, const struct budget_row *row,
				const struct budget_subject *subject)
{
	for (guint i = 0; i < row->outcomes->len; i++) {
		const struct budget_outcome *outcome = outcome_at(row, i);

		if (outcome->verdict == result->verdict) {
			g_autofree char *figure = outcome_text(result->budget, outcome, subject);

			g_string_append(text, "| | | ");
			markdown_text_append_name(text, row->what);
			g_string_append(text, " | ");
			markdown_text_append(text, figure);
			g_string_append(text, " |\n");
		}
	}
}

/* A row for the budget, and one for each figure that is the reason for its verdict. */
static void append_markdown_result(GString *text, const struct budget_result *result,
				   const struct budget_subject *subject)
{
	const char *strong = result->verdict == BUDGET_KEPT ? "" : "**";
	guint count = 0;

	g_string_append_printf(text, "| %s%s%s | ", strong, budget_verdict_name(result->verdict), strong);
	markdown_text_append(text, result->budget->name);
	g_string_append(text, " | ");
	markdown_text_append(text, result->reason ? result->reason : "");
	g_string_append(text, " | |\n");
	for (guint i = 0; i < result->rows->len && result->verdict != BUDGET_KEPT; i++) {
		const struct budget_row *row = g_ptr_array_index(result->rows, i);

		if (budget_row_verdict(row) == result->verdict && ++count <= ROWS_SHOWN) {
			append_markdown_row(text, result, row, subject);
		}
	}
	if (count > ROWS_SHOWN) {
		g_string_append_printf(text, "| | | and %u more | |\n", count - ROWS_SHOWN);
	}
}

static void write_markdown(const struct budget_check *check, const struct budget_subject *subject,
			   struct output_stream *stream)
{
	g_autoptr(GString) text = g_string_new("### Budgets of ");

	markdown_text_append_name(text, subject->file);
	g_string_append(text, " on ");
	markdown_text_append_name(text, subject->recording);
	g_string_append_printf(text, ": %u broken, %u undecided, %u kept\n\n", count_verdicts(check, BUDGET_BROKEN),
			       count_verdicts(check, BUDGET_UNDECIDED), count_verdicts(check, BUDGET_KEPT));
	if (budget_check_losses(check)) {
		g_string_append(text, "> The recording is incomplete: ");
		markdown_text_append(text, budget_check_losses(check));
		g_string_append(text, "\n\n");
	}
	g_string_append(text, "| verdict | budget | of | figure |\n| --- | --- | --- | --- |\n");
	for (int verdict = VERDICTS - 1; verdict >= 0; verdict--) {
		for (guint i = 0; i < budget_check_results(check)->len; i++) {
			if ((int)result_at(check, i)->verdict == verdict) {
				append_markdown_result(text, result_at(check, i), subject);
			}
		}
	}
	output_stream_text(stream, text->str);
}

void budget_text_write(const struct budget_check *check, const struct budget_subject *subject,
		       enum budget_format format, struct output_stream *stream)
{
	switch (format) {
	case BUDGET_FORMAT_TEXT:
		write_text(check, subject, stream);
		break;
	case BUDGET_FORMAT_JSON:
		write_json(check, subject, stream);
		break;
	case BUDGET_FORMAT_JUNIT:
		write_junit(check, subject, stream);
		break;
	case BUDGET_FORMAT_MARKDOWN:
		write_markdown(check, subject, stream);
		break;
	case BUDGET_FORMAT_HTML:
		budget_page_write(check, subject, stream);
		break;
	}
}
