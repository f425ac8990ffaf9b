/* SPDX-License-Identifier: MIT */
/*
 * Budgets against the tables of a recording. It is a table_output: a session writes to it, and it keeps of each row
 * that a budget selects what became of the limits.
 *
 * Rows of hidden names are left out unless a selector names one, and so are rows without any value beside others with
 * one.
 *
 * A limit is broken where the value is beyond it: whatever else was lost, that happened. It is kept where the value is
 * within it and the recording is whole. It is undecided where there is no value, and where events were lost or not
 * read, since what would have broken it may be among them. A budget that selects no row is undecided.
 *
 * Memory: the rows that are selected.
 */
#ifndef ROS2BT_BUDGET_CHECK_H
#define ROS2BT_BUDGET_CHECK_H

#include "core/budget/budget_file.h"

enum budget_verdict {
	BUDGET_KEPT,
	BUDGET_UNDECIDED,
	BUDGET_BROKEN, /* the worst of several is that of all */
};

/* What became of a limit in a row. */
struct budget_outcome {
	const struct budget_limit *limit; /* of the file */
	enum budget_verdict verdict;
	bool has_value;
	double value;
	bool has_moment; /* of the longest sample */
	int64_t at_ns;
};

struct budget_row {
	char *what;	  /* its names */
	GArray *outcomes; /* struct budget_outcome, a limit each */
};

struct budget_result {
	const struct budget *budget; /* of the file */
	enum budget_verdict verdict;
	GPtrArray *rows; /* struct budget_row; none: nothing matched */
};

struct budget_check;

/* The file is borrowed. */
struct budget_check *budget_check_create(const struct budget_file *file);
void budget_check_destroy(struct budget_check *check); /* NULL is allowed */

/* The tables to be written to it are those that are opened. */
struct table_output *budget_check_tables(struct budget_check *check);

/* After all rows were written: decides. */
void budget_check_finish(struct budget_check *check);

/* After that. struct budget_result, a budget each, as in the file. */
const GArray *budget_check_results(const struct budget_check *check);
enum budget_verdict budget_check_verdict(const struct budget_check *check);
/* Why what seems kept is undecided: events that were lost or not read, as text; NULL: none. */
const char *budget_check_losses(const struct budget_check *check);

#endif
