/* SPDX-License-Identifier: MIT */
/*
 * Compares two sides, base and new, each of one or more recordings (block_series.h), row by row. Rows with the same
 * names in the same table are the same row. Of each row, the mean, median and p99 of every statistic are compared, how
 * often it happened, and what share was lost.
 *
 * A figure has changed if the change is at least `least_percent` and beyond chance (estimate.h), with a probability of
 * at most ALPHA for any error among all figures (Bonferroni). Chance is the variation from block to block; with
 * RECORDINGS_AS_BLOCKS recordings or more on each side, that from recording to recording. Two runs of one system may
 * differ by more than their blocks: only several recordings on each side can show that.
 */
#ifndef ROS2BT_COMPARISON_H
#define ROS2BT_COMPARISON_H

#include "core/compare/block_series.h"
#include "core/compare/estimate.h"

#define COMPARISON_ALPHA 0.05
#define RECORDINGS_AS_BLOCKS 6
#define COMPARISON_SAMPLES_MIN 20      /* of a figure, on each side */
#define COMPARISON_SAMPLES_MIN_P99 300 /* of a p99 */
#define COMPARISON_PARTS_MIN 6

enum comparison_side {
	COMPARISON_BASE,
	COMPARISON_NEW,
	COMPARISON_SIDES,
};

enum comparison_verdict {
	COMPARISON_UNKNOWN, /* too few samples */
	COMPARISON_UNCHANGED,
	COMPARISON_CHANGED,
};

struct compared_figure {
	const struct block_row *row; /* of a recording that has the row */
	char *name;		     /* "latency p99" */
	const char *unit;	     /* "ns", "Hz" or "%" */
	struct estimate estimates[COMPARISON_SIDES];
	double samples[COMPARISON_SIDES];
	struct change change;
	enum comparison_verdict verdict;
};

/* A row that only one side has. */
struct compared_row {
	const struct block_row *row;
	enum comparison_side side;
	double count;
};

struct comparison {
	GArray *figures; /* struct compared_figure: changed ones first, then by their distance from chance */
	GArray *alone;	 /* struct compared_row */
	guint changed, unchanged, unknown;
};

/* `sides`: struct block_series *, one or more a side; borrowed for the life of the comparison. */
struct comparison *comparison_create(GPtrArray *const sides[COMPARISON_SIDES], double least_percent);
void comparison_destroy(struct comparison *comparison);

#endif
