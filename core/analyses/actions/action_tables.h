/* SPDX-License-Identifier: MIT */
/* The tables of the analysis actions: a row for each client and server, and one for each goal (see actions.c). */
#ifndef ROS2BT_ACTION_TABLES_H
#define ROS2BT_ACTION_TABLES_H

#include "core/analyses/actions/action_counts.h"

enum { TABLE_ACTIONS, TABLE_ACTION_INSTANCES };

extern const struct table_schema *const action_tables[]; /* ended by NULL */

/* A goal that has ended. */
void action_tables_write_instance(const struct actions *actions, const struct action_row *row,
				  const struct action_goal *goal);

/* The table `actions`, as of now. */
void action_tables_write(const struct actions *actions, struct table_writer *writer);

#endif
