/* SPDX-License-Identifier: MIT */
/*
 * A first file of budgets, from a recording of a system that behaves as it should: for each path, topic and callback
 * that ran BUDGET_SAMPLES_MIN times, the observed values and a margin, for a person to review. It is a table_output, as
 * budget_check.h, and the same recording keeps its budgets: a budget has the limits that hold for each row that it
 * applies to. Hidden names are left out.
 *
 * Memory: the rows. Time: budgets × rows of a table.
 */
#ifndef ROS2BT_BUDGET_PROPOSAL_H
#define ROS2BT_BUDGET_PROPOSAL_H

#include "ros2bt/table.h"

#define BUDGET_SAMPLES_MIN 20

struct output_stream;
struct budget_proposal;

/* `recording`: the name of the recording, borrowed. */
struct budget_proposal *budget_proposal_create(const char *recording);
void budget_proposal_destroy(struct budget_proposal *proposal); /* NULL is allowed */

struct table_output *budget_proposal_tables(struct budget_proposal *proposal);

/* After all rows have been written. False, and nothing is written, if nothing ran often enough. */
bool budget_proposal_write(const struct budget_proposal *proposal, struct output_stream *stream);

#endif
