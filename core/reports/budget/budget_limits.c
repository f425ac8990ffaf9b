/* SPDX-License-Identifier: MIT */
#include "core/reports/budget/budget_limits.h"

#include <math.h>
#include <string.h>

#include "ros2bt/base/duration_text.h"
#include "ros2bt/base/nearest_name.h"

/* --- columns --- */

int budget_limits_find_column(const struct table_schema *schema, const char *key)
{
	int column = table_find_column(schema, key);

	for (size_t i = 0; column < 0 && i < schema->column_count; i++) {
		g_autofree char *name = column_short_name(&schema->columns[i]);

		column = strcmp(name, key) == 0 ? (int)i : -1;
	}
	return column;
}

char *budget_limits_columns(const struct table_schema *schema)
{
	GString *text = g_string_new(NULL);

	for (size_t i = 0; i < schema->column_count; i++) {
		const struct table_column *column = &schema->columns[i];

		if (column->merge == COLUMN_MERGE_SUM || column->merge == COLUMN_MERGE_MAX ||
		    column->format == COLUMN_STATISTIC || column->format == COLUMN_RATE ||
		    column->format == COLUMN_PERCENT) {
			g_string_append_printf(text, "%s%s", text->len > 0 ? ", " : "", column->name);
		}
	}
	return g_string_free(text, FALSE);
}

char *budget_limits_keys(const struct table_schema *schema)
{
	GString *text = g_string_new("name");

	for (size_t i = 0; i < schema->column_count; i++) {
		g_autofree char *short_name = column_short_name(&schema->columns[i]);

		g_string_append_printf(text, ", %s, %s", short_name, schema->columns[i].name);
	}
	return g_string_free(text, FALSE);
}

static void limit_clear(gpointer data)
{
	struct budget_limit *limit = data;

	g_free(limit->name);
	g_free(limit->allowed_text);
}

/* --- values --- */

static bool parse_number(const char *text, const char *unit, double *value)
{
	char *end;
	double number = g_ascii_strtod(text, &end);

	if (end == text || !isfinite(number)) {
		return false;
	}
	while (*end == ' ') {
		end++;
	}
	*value = number;
	return *end == '\0' || strcmp(end, unit) == 0;
}

/* Whether a column may have a value: neither counts nor rates are negative, and shares are at most 100 %. */
static bool is_possible(const struct table_column *column, double value)
{
	bool is_share = column->format == COLUMN_PERCENT && column->means != MEANS_DEVIATION;

	if (is_share || column->merge == COLUMN_MERGE_SUM || column->format == COLUMN_RATE) {
		return value >= 0 && (!is_share || value <= 100);
	}
	return true;
}

static bool parse_allowed(const struct yaml_tree *tree, const struct table_column *column, const struct yaml_node *node,
			  double *allowed, GError **error)
{
	const char *text = yaml_node_text(node);
	int64_t duration_ns;

	if (text && column_is_in_ns(column) && duration_text_parse(text, &duration_ns)) {
		*allowed = (double)duration_ns;
		return true;
	}
	if (column_is_in_ns(column)) {
		return yaml_refuse(tree, node, error, "`%s` is no duration: expected " DURATION_TEXT_ALLOWED,
				   text ? text : "…");
	}
	if (text && parse_number(text, column->format == COLUMN_RATE ? "Hz" : "%", allowed)) {
		return is_possible(column, *allowed) ||
		       yaml_refuse(tree, node, error, "`%s` is no possible value of %s", text, column->name);
	}
	return yaml_refuse(tree, node, error, "`%s` is no %s", text ? text : "…",
			   column->format == COLUMN_RATE ? "rate: expected a number of Hz, such as 18 Hz"
							 : "number: expected one such as 5 or 0.1");
}

static bool parse_figure(const char *text, struct budget_limit *limit)
{
	static const char *const names[] = { "sum", "min", "mean", "stddev", "max" };
	static const enum budget_figure figures[] = { BUDGET_SUM, BUDGET_MIN, BUDGET_MEAN, BUDGET_STDDEV, BUDGET_MAX };
	double percent;

	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		if (strcmp(text, names[i]) == 0) {
			limit->figure = figures[i];
			return true;
		}
	}
	if (text[0] != 'p' || !g_ascii_isdigit(text[1]) || !parse_number(text + 1, "", &percent)) {
		return false;
	}
	/* p999 is the name of the column of 99.9 % */
	while (percent > 100 && !strchr(text, '.')) {
		percent /= 10;
	}
	limit->figure = BUDGET_QUANTILE;
	limit->quantile = percent / 100;
	return percent <= 100;
}

/* --- limits --- */

GArray *budget_limits_create(void)
{
	GArray *limits = g_array_new(FALSE, FALSE, sizeof(struct budget_limit));

	g_array_set_clear_func(limits, limit_clear);
	return limits;
}

static bool add_limit(const struct yaml_tree *tree, GArray *limits, const struct table_schema *schema,
		      const struct budget_limit *kind, const char *name, const struct yaml_node *node, GError **error)
{
	struct budget_limit limit = *kind;
	struct budget_limit *added;

	if (!parse_allowed(tree, &schema->columns[limit.column], node, &limit.allowed, error)) {
		return false;
	}
	g_array_append_vals(limits, &limit, 1);
	added = &g_array_index(limits, struct budget_limit, limits->len - 1);
	added->name = g_strdup(name);
	added->allowed_text = g_strdup(yaml_node_text(node));
	return true;
}

/* A value alone is the upper limit; {min: …, max: …} sets both. */
static bool read_bounds(const struct yaml_tree *tree, GArray *limits, const struct table_schema *schema,
			struct budget_limit *kind, const char *name, const struct yaml_node *node, GError **error)
{
	if (yaml_node_kind(node) == YAML_SCALAR) {
		return add_limit(tree, limits, schema, kind, name, node, error);
	}
	if (yaml_node_kind(node) != YAML_MAPPING || yaml_node_count(node) == 0) {
		return yaml_refuse(tree, node, error, "%s: expected a limit, or {min: …, max: …}", name);
	}
	for (size_t i = 0; i < yaml_node_count(node); i++) {
		const char *bound = yaml_node_text(yaml_node_key(tree, node, i));

		kind->is_least = strcmp(bound, "min") == 0;
		if (!kind->is_least && strcmp(bound, "max") != 0) {
			return yaml_refuse(tree, yaml_node_key(tree, node, i), error,
					   "%s: `%s` is no bound: expected min or max", name, bound);
		}
		if (!add_limit(tree, limits, schema, kind, name, yaml_node_at(tree, node, i), error)) {
			return false;
		}
	}
	return true;
}

/* {p99: 20 ms, max: 50 ms}; a duration alone limits max. */
static bool read_statistic(const struct yaml_tree *tree, GArray *limits, const struct table_schema *schema,
			   size_t column, const struct yaml_node *node, GError **error)
{
	const char *column_name = schema->columns[column].name;
	struct budget_limit kind = { .column = column, .figure = BUDGET_MAX };

	if (yaml_node_kind(node) == YAML_SCALAR) {
		g_autofree char *name = g_strdup_printf("%s max", column_name);

		return add_limit(tree, limits, schema, &kind, name, node, error);
	}
	if (yaml_node_kind(node) != YAML_MAPPING || yaml_node_count(node) == 0) {
		return yaml_refuse(tree, node, error, "%s: expected limits such as {p99: 20 ms, max: 50 ms}",
				   column_name);
	}
	for (size_t i = 0; i < yaml_node_count(node); i++) {
		const char *figure = yaml_node_text(yaml_node_key(tree, node, i));
		g_autofree char *name = g_strdup_printf("%s %s", column_name, figure);

		kind = (struct budget_limit){ .column = column };
		if (!parse_figure(figure, &kind)) {
			g_autofree char *hint = nearest_choice_hint(figure, "min, mean, stddev, max, sum", ", ");

			return yaml_refuse(tree, yaml_node_key(tree, node, i), error,
					   "%s: `%s` is none of min, mean, stddev, max, sum, and quantiles such as p50 "
					   "and p99.9%s",
					   column_name, figure, hint);
		}
		if (!read_bounds(tree, limits, schema, &kind, name, yaml_node_at(tree, node, i), error)) {
			return false;
		}
	}
	return true;
}

/* Figures of one statistic in the order of their values; -1: it is not in this order. */
static double order_of(const struct budget_limit *limit)
{
	switch (limit->figure) {
	case BUDGET_MIN:
		return 0;
	case BUDGET_QUANTILE:
		return limit->quantile;
	case BUDGET_MAX:
		return 1;
	default:
		return -1;
	}
}

/* Whether no value keeps both: `least` is a lower limit, `most` an upper one. */
static bool contradict(const struct budget_limit *least, const struct budget_limit *most)
{
	bool is_same = least->figure == most->figure && least->quantile == most->quantile;
	bool is_ordered = order_of(least) >= 0 && order_of(least) <= order_of(most);
	bool is_of_mean = (least->figure == BUDGET_MIN && most->figure == BUDGET_MEAN) ||
			  (least->figure == BUDGET_MEAN && most->figure == BUDGET_MAX);

	return least->column == most->column && least->is_least && !most->is_least && least->allowed > most->allowed &&
	       (is_same || is_ordered || is_of_mean);
}

static bool refuse_contradictions(const struct yaml_tree *tree, const GArray *limits, const struct yaml_node *node,
				  GError **error)
{
	for (guint i = 0; i < limits->len; i++) {
		for (guint j = 0; j < limits->len; j++) {
			const struct budget_limit *least = &g_array_index(limits, struct budget_limit, i);
			const struct budget_limit *most = &g_array_index(limits, struct budget_limit, j);

			if (contradict(least, most)) {
				return yaml_refuse(tree, node, error,
						   "nothing can keep both limits: %s at least %s, %s at most %s",
						   least->name, least->allowed_text, most->name, most->allowed_text);
			}
		}
	}
	return true;
}

static bool read_limits(const struct yaml_tree *tree, GArray *limits, const struct table_schema *schema, size_t column,
			const struct yaml_node *node, GError **error)
{
	struct budget_limit kind = { .column = column, .figure = BUDGET_CELL };

	if (schema->columns[column].format == COLUMN_STATISTIC) {
		return read_statistic(tree, limits, schema, column, node, error);
	}
	return read_bounds(tree, limits, schema, &kind, schema->columns[column].name, node, error);
}

bool budget_limits_read(const struct yaml_tree *tree, GArray *limits, const struct table_schema *schema, size_t column,
			const struct yaml_node *node, GError **error)
{
	return read_limits(tree, limits, schema, column, node, error) &&
	       refuse_contradictions(tree, limits, node, error);
}

double budget_limits_rate_to_end(const struct table_schema *schema, size_t column, const struct cell *cells)
{
	const struct cell *cell = table_find_meant(schema, cells, MEANS_RATE_TO_END, SIDE_NONE);

	return schema->columns[column].format == COLUMN_RATE && cell->type == CELL_REAL ? cell->real : INFINITY;
}
