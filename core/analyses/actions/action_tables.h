/* SPDX-License-Identifier: MIT */
/* The tables of the analysis actions: a row for each client and server, and one for each goal (see actions.c). */
#ifndef ROS2BT_ACTION_TABLES_H
#define ROS2BT_ACTION_TABLES_H

#include "core/analyses/actions/action_counts.h"

extern const struct table_schema *const action_tables[]; /* ended by NULL */

/* A goal that has ended. Does nothing if not wanted. */
void action_tables_write_instance(const struct actions *actions, const struct action_row *row,
				  const struct action_goal *goal);

/* For analysis_class. */
void action_tables_write(const void *data, struct table_writer *const *writers);

#endif
