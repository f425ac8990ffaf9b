/* SPDX-License-Identifier: MIT */
/*
 * Checks budgets against the tables of a recording. It is a table_output that a session writes to, and it keeps the
 * outcome of the limits for each row that a budget selects.
 *
 * Rows of hidden names are left out unless a selector names one; so are rows without any value if other rows have one.
 *
 * A limit is broken if the value is beyond it: that happened, whatever else was lost; only a count or a sum below its
 * lower limit may lack what was lost. A limit is kept if the value is within it and nothing is missing that the row
 * follows from. It is undecided if there is no value, or if something is missing that may have broken it: a part that
 * was not read, any row; events of the kernel, rows of tables that follow from them (table_schema.is_of_kernel); events
 * of user space, rows of the processes that may lack them (table_schema.is_of_processes), and rows of all other tables.
 * A budget that selects no row, or one of whose patterns matches nothing, is undecided. A rate is at least that much
 * until the end of the recording: what has stopped does not keep a lower limit because it was often enough before.
 *
 * Memory: the selected rows, and the different names in the columns that selectors are matched against; with
 * distributions, some hundred bytes more for each limit.
 */
#ifndef ROS2BT_BUDGET_CHECK_H
#define ROS2BT_BUDGET_CHECK_H

#include "core/reports/budget/budget_file.h"

enum budget_verdict {
	BUDGET_KEPT,
	BUDGET_UNDECIDED,
	BUDGET_BROKEN, /* the worst verdict of several is that of all */
};

/* The outcome of a limit in a row. */
struct budget_outcome {
	const struct budget_limit *limit; /* of the file */
	enum budget_verdict verdict;
	bool has_value;
	double value;
	bool may_grow;		/* a lower limit of what events add to */
	bool has_fallen_silent; /* the value is of a rate, which includes the silence at the end */
	bool has_moment;	/* the moment of the longest sample */
	int64_t at_ns;
};

struct budget_row {
	char *what;	  /* its names */
	GArray *outcomes; /* struct budget_outcome, a limit each */
	bool may_lack;	  /* lost events of user space, if any, may have changed it */
	/* If distributions are kept: of each limit, GArray of struct duration_bucket, 16 an octave; NULL if it limits
	 * no figure of a distribution. Else NULL. */
	GPtrArray *distributions;
};

struct budget_result {
	const struct budget *budget; /* of the file */
	enum budget_verdict verdict;
	GPtrArray *rows; /* struct budget_row */
	char *reason;	 /* what no row matches, with the nearest name: it is not kept; NULL: nothing */
};

/* What is written in addition to the outcome. */
struct budget_subject {
	const char *recording; /* its name */
	const char *file;      /* the file of the budgets */
	int64_t begin_ns;      /* moments count from here */
};

struct budget_check;

/* The file is borrowed. */
struct budget_check *budget_check_create(const struct budget_file *file);
void budget_check_destroy(struct budget_check *check); /* NULL is allowed */

/* Whether events of a process were lost, as far as is known when the rows are written. */
typedef bool (*budget_may_lack)(const void *data, const char *hostname, int64_t vpid);

/* Whom to ask, before the first row; `data` is borrowed. Else the lost events may be of any process. */
void budget_check_ask(struct budget_check *check, budget_may_lack may_lack, const void *data);

/* The recording goes on until it is interrupted: that is its end, and not a part that was not read. */
void budget_check_end_at_interruption(struct budget_check *check);

/* Keeps what the limited figures are figures of, for a page. Before the first row. */
void budget_check_keep_distributions(struct budget_check *check);

/* Opens the tables that the budgets need. */
struct table_output *budget_check_tables(struct budget_check *check);

/* Decides, after all rows have been written. */
void budget_check_finish(struct budget_check *check);

/* Forgets the rows, for those of another window of time or of the whole recording. */
void budget_check_reset(struct budget_check *check);

/* After budget_check_finish(): struct budget_result, one for each budget, in the order of the file. */
const GArray *budget_check_results(const struct budget_check *check);
enum budget_verdict budget_check_verdict(const struct budget_check *check);
/* Why limits that seem kept are undecided: the events that were lost or not read, as text; NULL: none. */
const char *budget_check_losses(const struct budget_check *check);

#endif
