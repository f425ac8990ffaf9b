/* SPDX-License-Identifier: MIT */
/*
 * What each block of time contributes to a figure of a row, on one side of a comparison (estimate.h), and the samples
 * of all blocks together.
 */
#ifndef ROS2BT_FIGURE_PARTS_H
#define ROS2BT_FIGURE_PARTS_H

#include "core/reports/compare/block_series.h"
#include "core/reports/compare/estimate.h"

/* The rows of one name on one side: by recording, NULL if a recording has none. */
struct side_row {
	GPtrArray *const *recordings; /* struct block_series, of the side */
	GPtrArray *rows;	      /* const struct block_row * */
	bool as_blocks;		      /* each recording is a block */
};

/* The rows of a key; NULL: none. Clear it with side_row_clear(). */
struct side_row side_row_find(GPtrArray *const *recordings, const char *key, bool as_blocks);
void side_row_clear(struct side_row *side);

/* The row in the first recording that has it; NULL: none has. */
const struct block_row *side_row_first(const struct side_row *side);

struct figure_kind {
	enum { FIGURE_MEAN, FIGURE_SHARE_UP_TO, FIGURE_RATE, FIGURE_LOST } kind;
	size_t column;
	size_t of_column; /* of FIGURE_LOST: the column of what could have been lost, */
	bool adds_lost;	  /* and whether the lost are to be added to it */
	int64_t value_ns; /* of FIGURE_SHARE_UP_TO */
	/* Of FIGURE_RATE: the part of a recording, at its end, in which it is no surprise that nothing happened. A row
	 * that is silent for longer has stopped, and is less frequent for that. */
	double usual_silence;
};

/*
 * How often a row happened, by the first count of the table, whatever the silence at the end; and the share lost.
 * False: the table does not have it.
 */
bool figure_kind_of_rate(const struct table_schema *schema, struct figure_kind *kind);
bool figure_kind_of_losses(const struct table_schema *schema, struct figure_kind *kind);

/* The part of a recording for which the row is silent at the end; of several recordings, the shortest. */
double figure_parts_silence(const struct figure_kind *kind, const struct side_row *side);

struct estimate figure_parts_estimate(const struct figure_kind *kind, const struct side_row *side);

/* The least and the largest figure of a single recording, of those in which the row happened; NAN: there is none. */
struct interval figure_parts_range(const struct figure_kind *kind, const struct side_row *side);

/* The number of recordings in which something of the row happened. */
guint figure_parts_recordings(const struct side_row *side);

/* The samples of a column in all recordings, or its count. */
double figure_parts_samples(const struct side_row *side, size_t column);
/* struct duration_bucket, the smallest first; to be freed. */
GArray *figure_parts_buckets(const struct side_row *side, size_t column);

#endif
