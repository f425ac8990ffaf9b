/* SPDX-License-Identifier: MIT */
/*
 * A first file of budgets, from a recording of a system that behaves as it should: for each path, topic and callback
 * that ran BUDGET_SAMPLES_MIN times, the observed values and a margin, for a person to review. It is a table_output, as
 * budget_check.h, and the same recording keeps its budgets: a budget has the limits that hold for each row that it
 * applies to. Hidden names are left out.
 *
 * The margins are those of chance (budget_margins.h), or fixed ones where these are larger: with a probability of at
 * most BUDGET_ALPHA, another recording of the unchanged system, of the same length, breaks any of the limits. Where
 * chance is not known, no limit is proposed, and the file says so. What the recording does not contain is not part of
 * that: where it lost no message, none may be lost.
 *
 * Memory: the rows, and those of a block_series. Time: budgets × rows of a table.
 */
#ifndef ROS2BT_BUDGET_PROPOSAL_H
#define ROS2BT_BUDGET_PROPOSAL_H

#include "core/reports/compare/block_series.h"
#include "core/tables/table.h"

#define BUDGET_SAMPLES_MIN 20
#define BUDGET_ALPHA 0.05

struct output_stream;
struct budget_proposal;

/* `recording`: the name of the recording, borrowed. */
struct budget_proposal *budget_proposal_create(const char *recording);
void budget_proposal_destroy(struct budget_proposal *proposal); /* NULL is allowed */

struct table_output *budget_proposal_tables(struct budget_proposal *proposal);

/* The blocks of time of the recording: the caller has the tables written at the end of each. */
struct block_series *budget_proposal_series(struct budget_proposal *proposal);
/* Before the tables are written for the last time. */
void budget_proposal_finish(struct budget_proposal *proposal, int64_t end_ns);

/* After all rows have been written. False, and nothing is written, if nothing ran often enough. */
bool budget_proposal_write(const struct budget_proposal *proposal, struct output_stream *stream);

#endif
