/* SPDX-License-Identifier: MIT */
/* Columns that tables of several analyses have. */
#ifndef ROS2BT_COLUMNS_H
#define ROS2BT_COLUMNS_H

#include "core/tables/row.h"

/* A distribution in three numbers; empty without samples. */
struct row_quantiles {
	struct cell p50, p99, max;
};

static inline struct row_quantiles row_quantiles_of(const struct duration_statistics *statistics)
{
	if (duration_statistics_count(statistics) == 0) {
		return (struct row_quantiles){ .p50 = CELL_NONE };
	}
	return (struct row_quantiles){
		.p50 = cell_integer(duration_statistics_quantile(statistics, 0.5)),
		.p99 = cell_integer(duration_statistics_quantile(statistics, 0.99)),
		.max = cell_integer(statistics->longest_ns),
	};
}

/* clang-format off */

/* The process whose rows make a group of the text output: that of a struct row_process, the member `process_`. */
#define COLUMNS_OF_PROCESS(process_) \
	{ .name = "hostname", .means = MEANS_HOST, .label = "on", .role = COLUMN_ROLE_GROUP, \
	  .hints = HINT_TELLS_APART(HOST), CELL_OF(process_.hostname) }, \
	{ .name = "vpid", .means = MEANS_PROCESS, .label = "pid", .role = COLUMN_ROLE_GROUP, \
	  .hints = HINT_TELLS_APART(PROCESS), CELL_OF(process_.vpid) }, \
	{ .name = "procname", .means = MEANS_PROCESS_NAME, .label = "process", .role = COLUMN_ROLE_GROUP, \
	  CELL_OF(process_.procname) }

/* Which of several things that have the same names in a process (object_numbers.h). */
#define COLUMN_IS_WHICH(name_, label_) \
	.name = (name_), .label = (label_), .role = COLUMN_ROLE_HIDDEN, .hints = HINT_TELLS_APART(WHICH)

/* rate_to_end_cell() beside `rate_hz`: what lower limits of budgets on that are about. */
#define COLUMN_IS_RATE_TO_END \
	.name = "rate_to_end_hz", .means = MEANS_RATE_TO_END, .label = "rate to end", .format = COLUMN_RATE, \
	.role = COLUMN_ROLE_HIDDEN

/* The name of a host, in text only where rows look the same without it. */
#define COLUMN_IS_HOST(name_, label_) \
	.name = (name_), .means = MEANS_HOST, .label = (label_), .role = COLUMN_ROLE_HIDDEN, \
	.hints = HINT_TELLS_APART(HOST)

/* The process id, in text only where rows look the same without it. */
#define COLUMN_IS_PROCESS(name_) \
	.name = (name_), .means = MEANS_PROCESS, .label = "pid", .role = COLUMN_ROLE_HIDDEN, \
	.hints = HINT_TELLS_APART(PROCESS)

/* The struct row_quantiles of a row in a summary. */
#define COLUMNS_OF_QUANTILES(of) \
	{ .name = "p50_ns", .label = "p50", .format = COLUMN_DURATION, CELL_OF(of.p50) }, \
	{ .name = "p99_ns", .label = "p99", .format = COLUMN_DURATION, CELL_OF(of.p99) }, \
	{ .name = "max_ns", .label = "max", .format = COLUMN_DURATION, CELL_OF(of.max) }

/* Members of a column: a time that adds up over the rows of several recordings. */
#define SUM_OF_TIME(name_, label_) \
	.name = (name_), .label = (label_), .merge = COLUMN_MERGE_SUM, .format = COLUMN_DURATION

/* clang-format on */

#endif
