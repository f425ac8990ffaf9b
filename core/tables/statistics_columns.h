/* SPDX-License-Identifier: MIT */
/*
 * Statistics as columns of numbers, for outputs that write numbers. A column X of the format COLUMN_STATISTIC becomes
 * X_sum_ns, X_min_ns, X_mean_ns, X_stddev_ns, a column for each quantile (X_p50_ns …), X_max_ns and X_max_at_ns.
 *
 * Without samples, all cells are empty; so are the standard deviation of a single sample and a sum of more than 64
 * bits, and a moment that is unknown (DURATION_TIME_UNKNOWN). The text output shows the mean, the lowest quantile, the
 * highest up to 0.99, and the maximum; more if there is room.
 */
#ifndef ROS2BT_STATISTICS_COLUMNS_H
#define ROS2BT_STATISTICS_COLUMNS_H

#include "core/tables/table.h"

struct statistics_columns;

/* The schema and the quantiles are borrowed. */
struct statistics_columns *statistics_columns_create(const struct table_schema *schema, const double *quantiles,
						     size_t quantile_count);
void statistics_columns_destroy(struct statistics_columns *columns); /* NULL is allowed */

/* The schema to write: the given one if it has no statistics. Lives as long as the columns. */
const struct table_schema *statistics_columns_schema(const struct statistics_columns *columns);

/* The cells of a row of that schema; valid until the next call. */
const struct cell *statistics_columns_cells(struct statistics_columns *columns, const struct cell *cells);
/*
 * The same of one cell, of a column of the given schema; those of the other columns stay, and are empty at first.
 * `wanted`: of a statistic, only some columns are needed: indexes in the other schema, ended by SIZE_MAX. The others
 * may hold anything. NULL: all are.
 */
const struct cell *statistics_columns_put(struct statistics_columns *columns, size_t column, const struct cell *cell,
					  const size_t *wanted);
/* Whether a column of the given schema is no statistic, or one of which something is wanted. */
bool statistics_columns_needs(const struct statistics_columns *columns, size_t column, const size_t *wanted);

/*
 * The name of a quantile in column names: "p" and its percentage. A percentage with a fraction has two digits before
 * the decimal point, which is left out: 0.5 is p50, 0.05 p5, 1 p100, 0.999 p999, 0.005 p005. Up to 12 decimals of the
 * quantile. To be freed.
 */
char *statistics_quantile_name(double quantile);

#endif
