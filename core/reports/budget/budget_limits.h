/* SPDX-License-Identifier: MIT */
/*
 * The limits of a budget as its file writes them: `latency: {p99: 20 ms, max: 50 ms}`, `lost: 0`, `rate: {min: 16 Hz}`.
 * A value alone is the upper limit; of a statistic, that of its maximum. The schema of the table defines which columns
 * can be limited.
 */
#ifndef ROS2BT_BUDGET_LIMITS_H
#define ROS2BT_BUDGET_LIMITS_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

#include "core/base/yaml/yaml_tree.h"
#include "core/tables/table.h"

/* The limited figure: one of the numbers of a statistic, else the cell itself. */
enum budget_figure {
	BUDGET_CELL,
	BUDGET_SUM,
	BUDGET_MIN,
	BUDGET_MEAN,
	BUDGET_STDDEV,
	BUDGET_QUANTILE,
	BUDGET_MAX,
};

struct budget_limit {
	size_t column; /* of the schema */
	enum budget_figure figure;
	double quantile;    /* of BUDGET_QUANTILE */
	bool is_least;	    /* `allowed` is the lower limit, else the upper one */
	double allowed;	    /* in the unit of the column: ns, Hz, … */
	char *name;	    /* "latency p99" */
	char *allowed_text; /* as written in the file */
};

/* An empty array of struct budget_limit, which owns their members. */
GArray *budget_limits_create(void);

/*
 * The index of a column by its name, or else by its short name (column_short_name()). -1 if there is none.
 */
int budget_limits_find_column(const struct table_schema *schema, const char *key);

/*
 * The rate of a row with the silence at its end (rate_to_end_cell()), if the column is its rate; else, and where it is
 * not known, infinite.
 */
double budget_limits_rate_to_end(const struct table_schema *schema, size_t column, const struct cell *cells);

/* The names of the columns that can be limited, for messages; to be freed. */
char *budget_limits_columns(const struct table_schema *schema);

/* All keys that a budget of the table may have, separated by ", ": names of columns, and their short names. */
char *budget_limits_keys(const struct table_schema *schema);

/*
 * Adds the limits in the node, of a column of the schema, to `limits`. False with an error that names the line, also
 * for limits that no value keeps: contradictions, negative counts and rates, shares beyond 100 %.
 */
bool budget_limits_read(const struct yaml_tree *tree, GArray *limits, const struct table_schema *schema, size_t column,
			const struct yaml_node *node, GError **error);

#endif
