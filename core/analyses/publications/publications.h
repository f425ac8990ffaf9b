/* SPDX-License-Identifier: MIT */
/* The state of the analysis publications (publications.c), and its tables. */
#ifndef ROS2BT_PUBLICATIONS_H
#define ROS2BT_PUBLICATIONS_H

#include "core/analyses/shared/analysis.h"
#include "core/tables/row_list.h"
#include "core/tables/timeline_tables.h"

/* The sizes of messages, as far as recorded. */
struct publication_sizes {
	uint64_t count;
	uint64_t sum_bytes, min_bytes, max_bytes; /* meaningless without any */
	bool is_too_large;			  /* the sum does not fit, as in a broken trace */
};

#define PUBLICATIONS_HELD 32 /* a power of two */

/* A publisher that published. */
struct publication_row {
	const struct model_publisher *publisher;
	uint64_t id;	   /* from 1, in the order in which their first publications settled; 0: none has yet */
	uint64_t count;	   /* publications in the range */
	uint64_t unknown;  /* periods across uncovered time or out of order, which are none */
	uint32_t trace;	   /* that has the last publication */
	bool has_last;	   /* the last publication was in the range; it was at last_ns */
	bool is_undecided; /* the time from before_ns to last_ns may turn out to be covered yet */
	bool has_last_period;
	unsigned int held_first, held_count;
	int64_t held_ns[PUBLICATIONS_HELD]; /* of publications that others may precede, in order; a ring */
	int64_t before_ns, last_ns, last_period_ns;
	struct duration_statistics period, jitter;
	struct duration_statistics stamp_age;
	uint64_t stamp_unknown; /* messages whose stamp is of another clock */
	struct publication_sizes sizes;
};

struct publications {
	struct analysis analysis;
	uint64_t last_id;
};

/*
 * Whether events of the publisher's process may be missing between the times of two publications, or right before
 * either, so that it began earlier.
 */
static inline bool publication_may_miss(const struct publications *publications, const struct publication_row *row,
					int64_t from_ns, int64_t to_ns)
{
	return flow_linker_may_miss(publications->analysis.context.flows, row->publisher->process, from_ns - 1,
				    to_ns + 1);
}

/* The longest period in mean periods; 0 without periods. */
static inline double publication_gap_periods(const struct publication_row *row)
{
	double period_ns = duration_statistics_mean(&row->period);

	return period_ns > 0 ? (double)row->period.longest_ns / period_ns : 0;
}

enum {
	TABLE_PUBLICATIONS,
	TABLE_PUBLICATION_TRACKS,
	TABLE_PUBLICATION_LABELS,
	TABLE_PUBLICATION_EVENTS,
};

extern const struct table_schema *const publication_tables[];
extern const struct table_schema publication_track_schema, publication_label_schema, publication_event_schema;

/* For struct analysis_class: writes the rows. */
void publication_tables_write(const void *data, struct table_writer *const *writers);

/*
 * Draws the longest gap of each publisher below its process, if it is longer than GAP_PERIODS mean periods and its
 * topic is not hidden. Memory: while it writes, the gaps.
 */
void publication_timeline_write(const struct publications *publications, struct table_writer *const *writers);

#endif
