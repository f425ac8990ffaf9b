/* SPDX-License-Identifier: MIT */
/*
 * A comparison as tables: `changes` (the figures that changed, the largest change first), `rows_of_one_side`, and
 * `figures` (all of them, for programs). Also limits on changes, for CI.
 */
#ifndef ROS2BT_COMPARISON_TABLES_H
#define ROS2BT_COMPARISON_TABLES_H

#include "core/compare/comparison.h"
#include "ros2bt/table.h"

/* Ended by NULL. */
extern const struct table_schema *const comparison_tables[];

void comparison_write(const struct comparison *comparison, struct table_output *tables);

/* "TABLE.STATISTIC_FIGURE > +10 %": any row changed beyond chance, and by more than that. */
struct change_limit {
	char *table, *figure; /* "paths", "latency p99" */
	bool is_decrease;     /* changes below the percentage exceed it, else those above */
	double percent;
};

/* Whether the text is a limit; clear it with change_limit_clear(). */
bool change_limit_parse(const char *text, struct change_limit *limit);
void change_limit_clear(struct change_limit *limit);

/* The number of figures that exceed the limit; *matched: the number that it applies to. */
guint change_limit_count(const struct change_limit *limit, const struct comparison *comparison, guint *matched);

#endif
