/* SPDX-License-Identifier: MIT */
/* Random durations of executions, relative to the usual one, for tests of what chance does, and a table that has them.
 */
#ifndef ROS2BT_TESTS_RANDOM_DURATIONS_H
#define ROS2BT_TESTS_RANDOM_DURATIONS_H

#include <glib.h>
#include <math.h>

#include "core/statistics/duration_statistics.h"
#include "core/tables/table.h"

static const struct table_column callback_columns[] = {
	{ .name = "callback_id" },
	{ .name = "node", .merge = COLUMN_MERGE_KEY },
	{ .name = "count", .merge = COLUMN_MERGE_SUM },
	{ .name = "duration", .format = COLUMN_STATISTIC },
};
static const struct table_schema callbacks_schema = {
	.name = "callbacks",
	.selection = "callbacks",
	.columns = callback_columns,
	.column_count = G_N_ELEMENTS(callback_columns),
};

/* A row of it. */
static inline void write_callback(struct table_writer *writer, uint64_t id, const char *node,
				  const struct duration_statistics *statistics)
{
	table_row(writer, (struct cell[]){
				  cell_unsigned(id),
				  cell_text(node),
				  cell_unsigned(duration_statistics_totals(statistics).count),
				  cell_statistic(statistics),
			  });
}

/* Of the standard normal distribution, by the method of Box and Muller. */
static inline double random_normal(GRand *random)
{
	return sqrt(-2 * log(1 - g_rand_double(random))) * cos(2 * M_PI * g_rand_double(random));
}

/* The next of standard normal numbers in a row, of which each depends on the one before. */
static inline double random_step(GRand *random, double *level, double correlation)
{
	return *level = correlation * *level + sqrt(1 - correlation * correlation) * random_normal(random);
}

/* One of 100 takes eight times as long. */
static inline double random_rarely_slow(GRand *random)
{
	return (g_rand_double(random) < 0.01 ? 8 : 1) * (1 + 0.02 * random_normal(random));
}

#endif
