/* SPDX-License-Identifier: MIT */
/*
 * Limits on changes, for CI: "TABLE.STATISTIC_FIGURE > +10 %".
 *
 * A limit is exceeded if a row changed beyond chance, and by more than that. It is undecided, and never kept, if
 *
 *   - a row of the table is on one side only, or missing in some recordings of one side: a node, topic or timer that is
 *     gone or new, of which nothing can be said;
 *   - of several recordings after, a rate is beyond it in one of them, and their mean does not show it;
 *   - a figure with enough samples on a side at least has no value on the other, or seems to exceed the limit, but
 *     whether by chance cannot be decided;
 *   - no figure has enough samples.
 *
 * Figures with too few samples on both sides are not considered.
 */
#ifndef ROS2BT_CHANGE_LIMIT_H
#define ROS2BT_CHANGE_LIMIT_H

#include "core/reports/compare/comparison.h"

struct change_limit {
	char *table, *figure; /* "paths", "latency p99" */
	bool is_decrease;     /* changes below the percentage exceed it, else those above */
	double percent;
};

/*
 * `schemas`: the tables that can be compared, and others, ended by NULL. False with an error, what was expected
 * instead; otherwise clear it with change_limit_clear().
 */
bool change_limit_parse(const char *text, const struct table_schema *const *schemas, struct change_limit *limit,
			char **expected);
void change_limit_clear(struct change_limit *limit);

/* "paths.latency p99 > +10 %"; to be freed. */
char *change_limit_text(const struct change_limit *limit);

struct change_outcome {
	guint exceeded, decided;	     /* figures */
	guint undecided;		     /* figures that keep the limit from being kept */
	guint in_one;			     /* figures that are beyond it in one of several recordings */
	guint alone;			     /* rows that are missing on one side */
	const char *figure_row, *in_one_row; /* the first of each; borrowed from the comparison */
	const struct compared_row *alone_row;
};

struct change_outcome change_limit_check(const struct change_limit *limit, const struct comparison *comparison);

enum change_verdict {
	CHANGE_KEPT,
	CHANGE_UNDECIDED,
	CHANGE_EXCEEDED, /* the worst */
};

enum change_verdict change_outcome_verdict(const struct change_outcome *outcome);
/* Why, as a sentence about the limit; NULL: it is kept. To be freed. */
char *change_outcome_reason(const struct change_outcome *outcome, const struct change_limit *limit);

#endif
