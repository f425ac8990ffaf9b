/* SPDX-License-Identifier: MIT */
/*
 * A comparison as tables, and limits on changes, for CI. The tables are a row each:
 *
 *   ROW(name, text)   the constant NAME_schema in comparison_tables.c, and what --help says
 *
 * From this list follow --table of the command, its help and its completion. BETWEEN separates two rows.
 */
#ifndef ROS2BT_COMPARISON_TABLES_H
#define ROS2BT_COMPARISON_TABLES_H

#include "core/compare/comparison.h"
#include "ros2bt/table.h"

/* clang-format off */
#define COMPARISON_TABLES(ROW, BETWEEN) \
	ROW(changes, "the figures that changed, the largest change first") \
	BETWEEN ROW(rows_of_one_side, "rows that only one side has") \
	BETWEEN ROW(figures, "all figures")
/* clang-format on */

#define COMPARISON_TABLE_NAME(name, text) #name
#define COMPARISON_TABLE_HELP(name, text) #name " (" text ")"

/* Ended by NULL. Each is selected by its name (table_schema.selection). */
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
