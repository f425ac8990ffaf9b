/* SPDX-License-Identifier: MIT */
#include "ros2bt/reports/change_limit.h"

#include <math.h>
#include <string.h>

#include "ros2bt/base/nearest_name.h"

/* --- reading --- */

static const struct table_schema *find_schema(const struct table_schema *const *schemas, const char *name)
{
	for (size_t i = 0; schemas[i]; i++) {
		if (block_series_takes(schemas[i]) && strcmp(schemas[i]->name, name) == 0) {
			return schemas[i];
		}
	}
	return NULL;
}

/* The tables that can be compared, separated by `|`; to be freed. */
static char *table_names(const struct table_schema *const *schemas)
{
	GString *names = g_string_new(NULL);

	for (size_t i = 0; schemas[i]; i++) {
		if (block_series_takes(schemas[i])) {
			g_string_append_printf(names, "%s%s", names->len > 0 ? "|" : "", schemas[i]->name);
		}
	}
	return g_string_free(names, FALSE);
}

/* A column as limits name it: "latency_p99" of "latency p99"; to be freed. */
static char *column_of(const char *figure)
{
	char *column = g_strdup(figure);

	return g_strdelimit(column, " ", '_');
}

/* `column`: the figure's, without a unit, which the text may have. */
static bool is_column(const char *text, const char *column, enum column_format format)
{
	g_autofree char *with_unit = g_strconcat(column, column_format_ending(format), NULL);

	return strcmp(text, column) == 0 || strcmp(text, with_unit) == 0;
}

/* The figure that a column is; NULL with *expected. */
static char *find_figure(const struct table_schema *schema, const char *column, char **expected)
{
	g_autoptr(GArray) figures = comparison_figures(schema);
	g_autoptr(GString) columns = g_string_new(NULL);
	g_autofree char *hint = NULL;

	for (guint i = 0; i < figures->len; i++) {
		const struct comparison_figure *figure = &g_array_index(figures, struct comparison_figure, i);
		g_autofree char *name = column_of(figure->name);

		if (is_column(column, name, figure->format)) {
			return g_strdup(figure->name);
		}
		g_string_append_printf(columns, "%s%s", i > 0 ? "|" : "", name);
	}
	hint = nearest_choice_hint(column, columns->str, "|");
	*expected =
		g_strdup_printf("one of the figures of %s that are compared, %s%s", schema->name, columns->str, hint);
	return NULL;
}

bool change_limit_parse(const char *text, const struct table_schema *const *schemas, struct change_limit *limit,
			char **expected)
{
	g_autoptr(GRegex) form = g_regex_new("^\\s*([A-Za-z0-9_]+)\\.([A-Za-z0-9_.]+)\\s*([<>])\\s*"
					     "([+-]?[0-9]+(?:\\.[0-9]*)?)\\s*%\\s*$",
					     0, 0, NULL);
	g_autoptr(GMatchInfo) match = NULL;
	g_autofree char *table = NULL, *column = NULL, *sign = NULL, *number = NULL;
	const struct table_schema *schema;

	*limit = (struct change_limit){ .table = NULL };
	if (!g_regex_match(form, text, 0, &match)) {
		*expected = g_strdup("TABLE.COLUMN > +PERCENT %, such as 'paths.latency_p99 > +10 %'");
		return false;
	}
	table = g_match_info_fetch(match, 1);
	column = g_match_info_fetch(match, 2);
	sign = g_match_info_fetch(match, 3);
	number = g_match_info_fetch(match, 4);
	schema = find_schema(schemas, table);
	if (!schema) {
		g_autofree char *names = table_names(schemas);
		g_autofree char *hint = nearest_choice_hint(table, names, "|");

		*expected = g_strconcat(names, hint, NULL);
		return false;
	}
	limit->figure = find_figure(schema, column, expected);
	if (!limit->figure) {
		return false;
	}
	limit->table = g_steal_pointer(&table);
	limit->is_decrease = sign[0] == '<';
	limit->percent = g_ascii_strtod(number, NULL);
	if (limit->is_decrease ? limit->percent > 0 : limit->percent < 0) {
		*expected = g_strdup("a rise, > +PERCENT %, or a fall, < -PERCENT %: what is beyond the limit fails");
		change_limit_clear(limit);
		return false;
	}
	return true;
}

void change_limit_clear(struct change_limit *limit)
{
	g_free(limit->table);
	g_free(limit->figure);
}

/* --- checking --- */

static bool is_beyond(const struct change_limit *limit, const struct change *change)
{
	/* from nothing to something, or back */
	double percent = isnan(change->percent) ? (change->is_increase ? INFINITY : -INFINITY) : change->percent;

	return limit->is_decrease ? percent < limit->percent : percent > limit->percent;
}

/* Whether the change to a single recording is. */
static bool has_one_beyond(const struct change_limit *limit, const struct interval *furthest)
{
	return limit->is_decrease ? furthest->low < limit->percent : furthest->high > limit->percent;
}

static bool has_enough(const struct compared_figure *figure)
{
	return MAX(figure->samples[COMPARISON_BASE], figure->samples[COMPARISON_NEW]) >= figure->samples_min;
}

static void check_figure(const struct change_limit *limit, const struct compared_figure *figure,
			 struct change_outcome *outcome)
{
	if (figure->verdict >= COMPARISON_UNCHANGED) {
		outcome->decided++;
		if (figure->verdict == COMPARISON_CHANGED && is_beyond(limit, &figure->change)) {
			outcome->exceeded++;
		} else if (has_one_beyond(limit, &figure->furthest)) {
			outcome->in_one++;
			outcome->in_one_row = outcome->in_one_row ? outcome->in_one_row : figure->row;
		}
	} else if (has_enough(figure) && (!figure->change.is_known || is_beyond(limit, &figure->change))) {
		outcome->undecided++;
		outcome->figure_row = outcome->figure_row ? outcome->figure_row : figure->row;
	}
}

struct change_outcome change_limit_check(const struct change_limit *limit, const struct comparison *comparison)
{
	struct change_outcome outcome = { .exceeded = 0 };

	for (guint i = 0; i < comparison->figures->len; i++) {
		const struct compared_figure *figure = &g_array_index(comparison->figures, struct compared_figure, i);

		if (strcmp(figure->schema->name, limit->table) == 0 && strcmp(figure->name, limit->figure) == 0) {
			check_figure(limit, figure, &outcome);
		}
	}
	for (guint i = 0; i < comparison->alone->len; i++) {
		const struct compared_row *row = &g_array_index(comparison->alone, struct compared_row, i);

		if (strcmp(row->row->schema->name, limit->table) == 0) {
			outcome.alone_row = outcome.alone == 0 ? row : outcome.alone_row;
			outcome.alone++;
		}
	}
	return outcome;
}

char *change_limit_text(const struct change_limit *limit)
{
	return g_strdup_printf("%s.%s %c %+g %%", limit->table, limit->figure, limit->is_decrease ? '<' : '>',
			       limit->percent);
}

enum change_verdict change_outcome_verdict(const struct change_outcome *outcome)
{
	if (outcome->exceeded > 0) {
		return CHANGE_EXCEEDED;
	}
	return outcome->alone > 0 || outcome->undecided > 0 || outcome->in_one > 0 || outcome->decided == 0
		       ? CHANGE_UNDECIDED
		       : CHANGE_KEPT;
}

char *change_outcome_reason(const struct change_outcome *outcome, const struct change_limit *limit)
{
	g_autofree char *what = change_limit_text(limit);

	if (outcome->exceeded > 0) {
		return g_strdup_printf("%u of %u figures changed by more than %s", outcome->exceeded, outcome->decided,
				       what);
	}
	if (outcome->alone > 0) {
		g_autofree char *where = compared_row_where(outcome->alone_row);

		return g_strdup_printf("%s cannot be decided: %u of the rows %s missing on one side, such as %s (%s)",
				       what, outcome->alone, outcome->alone == 1 ? "is" : "are",
				       outcome->alone_row->row->name, where);
	}
	if (outcome->undecided > 0) {
		return g_strdup_printf(
			"%s cannot be decided: %u of the figures %s too few independent samples, such as that of %s",
			what, outcome->undecided, outcome->undecided == 1 ? "has" : "have", outcome->figure_row);
	}
	if (outcome->in_one > 0) {
		return g_strdup_printf("%s cannot be decided: %u of %u figures changed by more in one of the "
				       "recordings after, such as that of %s",
				       what, outcome->in_one, outcome->decided, outcome->in_one_row);
	}
	return outcome->decided == 0
		       ? g_strdup_printf("no figure with enough samples for %s.%s", limit->table, limit->figure)
		       : NULL;
}
