/* SPDX-License-Identifier: MIT */
/* The state of the analysis callbacks (callbacks.c), its counts for each callback, and its tables. Times in ns. */
#ifndef ROS2BT_CALLBACKS_H
#define ROS2BT_CALLBACKS_H

#include <glib.h>

#include "core/analyses/shared/analysis.h"
#include "core/analyses/shared/covered_time.h"
#include "core/analyses/shared/worst.h"
#include "core/base/memory_layout.h"
#include "core/model/callback_ids.h"
#include "core/statistics/duration_statistics.h"

/* The time between an execution of a callback and the next one. */
struct interval {
	uint32_t thread;
	int64_t last_start_ns, last_end_ns, start_ns;
};

#define NO_PHASE UINT32_MAX
/* What each start touches comes first, in two cache lines; each end, in the first and the third. */
struct callback_row {
	uint64_t count;
	int64_t last_start_ns, last_end_ns; /* of the end INT64_MAX: something has started since then, or is open */
	uint32_t open;			    /* executions that have not ended */
	uint32_t last_phase;  /* of the last start; NO_PHASE: it does not lie in the range, or there was none */
	bool has_undecided;   /* events may be missing in `undecided`, as far as is known so far */
	uint32_t usual_phase; /* last_phase, or NO_PHASE if the next start has to do more than to add up */
	struct duration_statistics period, gap, duration;
	struct worst *worst; /* the worst executions, with a struct worst_execution each; NULL unless asked for */
	struct interval undecided;
	struct covered_time time; /* of the durations */
	uint64_t id;		  /* callback_ids.h */
	uint64_t without_start, without_end, doubtful;
};

ASSERT_OFFSET(struct callback_row, gap.longest_at_ns, 2 * CACHE_LINE);
ASSERT_OFFSET(struct callback_row, undecided, 3 * CACHE_LINE);

struct worst_execution {
	uint32_t thread;
};

struct callbacks {
	struct analysis analysis; /* its rows are struct callback_row by index of the model's callback */
	struct coverage *coverage;
	bool notes_more; /* the worst executions, or instances; or a range, so that not all executions count */
};

/* Whether both its start and its end were recorded. */
static inline bool execution_is_whole(enum execution_outcome outcome)
{
	return outcome == EXECUTION_COMPLETE || outcome == EXECUTION_DOUBTFUL;
}

/* --- tables --- */

enum { TABLE_CALLBACKS, TABLE_INSTANCES, TABLE_BUSIEST, TABLE_LONGEST, TABLE_WORST };

extern const struct table_schema *const callback_tables[]; /* by the enumerators; ended by NULL */

/* A row of callback_instances, if the report is about the callback and somebody asked for them. */
void callback_tables_write_instance(const struct callbacks *callbacks, const struct callback_row *row,
				    const struct execution *execution, enum execution_outcome outcome);

/* The same for an inferred execution, whose end is not known. */
void callback_tables_write_inferred(const struct callbacks *callbacks, const struct callback_row *row,
				    const struct inferred_execution *execution);

/* For analysis_class. It changes nothing, so that executions may be under way. */
void callback_tables_write(const void *data, struct table_writer *const *writers);

#endif
