/* SPDX-License-Identifier: MIT */
/*
 * Compares two sides, base and new, each of one or more recordings (block_series.h), row by row (row_pairs.h). Of each
 * row, the mean, median and p99 of every statistic are compared, how often it happened, and what share was lost.
 *
 * A figure has changed if the change is at least `least_percent` and beyond chance (estimate.h, quantile_estimate.h),
 * with a probability of at most ALPHA for any error among all figures that have enough samples (Bonferroni). Chance is
 * the variation from block to block; with RECORDINGS_AS_BLOCKS recordings or more on each side, that from recording to
 * recording. Two runs of one system may differ by more than their blocks: only several recordings on each side can show
 * that.
 *
 * All figures of a statistic vary together. If one of them varies so slowly that a side has fewer than INDEPENDENT_MIN
 * independent blocks, none of them is decided.
 */
#ifndef ROS2BT_COMPARISON_H
#define ROS2BT_COMPARISON_H

#include "core/reports/compare/block_series.h"
#include "core/reports/compare/estimate.h"

#define COMPARISON_ALPHA 0.05
#define RECORDINGS_AS_BLOCKS 6
#define COMPARISON_SAMPLES_MIN 20      /* of a figure, on each side */
#define COMPARISON_SAMPLES_MIN_P99 300 /* of a p99 */
#define COMPARISON_PARTS_MIN 6
#define COMPARISON_INDEPENDENT_MIN 14

enum comparison_side {
	COMPARISON_BASE,
	COMPARISON_NEW,
	COMPARISON_SIDES,
};

enum comparison_verdict {
	COMPARISON_TOO_FEW,   /* samples */
	COMPARISON_DEPENDENT, /* too few samples that are independent */
	COMPARISON_UNCHANGED,
	COMPARISON_CHANGED,
};
#define COMPARISON_VERDICTS 4

struct compared_figure {
	const struct table_schema *schema;
	char *row;			 /* its names, for people; those of both sides if they differ in a period */
	char *name;			 /* "latency p99" */
	const char *unit;		 /* "ns", "Hz" or "%" */
	double values[COMPARISON_SIDES]; /* NAN: there is none */
	double samples[COMPARISON_SIDES];
	double samples_min;			     /* of each side */
	struct interval intervals[COMPARISON_SIDES]; /* with distributions; of figures that are decided; else NAN */
	struct change change;
	enum comparison_verdict verdict;
	/* Of a rate, with several recordings after: the changes, in percent, to the single ones that are furthest from
	 * the base, if another recording like those of the base would hardly be that far; else NAN. */
	struct interval furthest;
};

/* The samples of a statistic of a row on both sides. */
struct compared_distribution {
	const struct table_schema *schema;
	char *row;			   /* as that of its figures */
	const char *statistic;		   /* "latency" */
	GArray *buckets[COMPARISON_SIDES]; /* struct duration_bucket, the smallest first */
};

/* A row that only one side has, or that more of the recordings of one side have. */
struct compared_row {
	const struct block_row *row;
	enum comparison_side side; /* that has it */
	double count;
	guint recordings[COMPARISON_SIDES], of[COMPARISON_SIDES]; /* how many recordings have it, of how many */
};

bool compared_row_is_on_both(const struct compared_row *row);
/* Where it is: "before", "after", "before in 6 of 6, after in 5 of 6"; to be freed. */
char *compared_row_where(const struct compared_row *row);

struct comparison {
	GArray *figures; /* struct compared_figure: changed ones first, the largest change first, then by verdict */
	GArray *alone;	 /* struct compared_row */
	GArray *distributions;		     /* struct compared_distribution, by table and row; NULL: not kept */
	guint verdicts[COMPARISON_VERDICTS]; /* the number of figures */
};

/*
 * `sides`: struct block_series *, one or more a side; borrowed for the life of the comparison. `has_distributions`: for
 * who draws them; then the figures have intervals, too.
 */
struct comparison *comparison_create(GPtrArray *const sides[COMPARISON_SIDES], double least_percent,
				     bool has_distributions);
void comparison_destroy(struct comparison *comparison);

/* A figure by its name, such as "rate" or "latency p99", and the format of the column that it is. */
struct comparison_figure {
	char *name;
	enum column_format format;
};

/* The figures of a table that are compared: struct comparison_figure; to be freed. */
GArray *comparison_figures(const struct table_schema *schema);

#endif
