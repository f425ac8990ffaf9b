/* SPDX-License-Identifier: MIT */
/*
 * A first file of budgets from a recording that is as it should be: of each path, topic and callback that ran often
 * enough, what it showed and a margin, for a person to go over. It is a table_output, as budget_check.h.
 */
#ifndef ROS2BT_BUDGET_PROPOSAL_H
#define ROS2BT_BUDGET_PROPOSAL_H

#include "ros2bt/table.h"

struct output_stream;
struct budget_proposal;

/* `recording`: its name, borrowed. */
struct budget_proposal *budget_proposal_create(const char *recording);
void budget_proposal_destroy(struct budget_proposal *proposal); /* NULL is allowed */

struct table_output *budget_proposal_tables(struct budget_proposal *proposal);

/* After all rows were written. */
void budget_proposal_write(const struct budget_proposal *proposal, struct output_stream *stream);

#endif
