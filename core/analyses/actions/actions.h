/* SPDX-License-Identifier: MIT */
/* The state of the analysis actions (actions.c), its counts for each client and server, and its tables. */
#ifndef ROS2BT_ACTIONS_H
#define ROS2BT_ACTIONS_H

#include <glib.h>

#include "core/calls/action_goals.h"
#include "core/analyses/shared/analysis.h"
#include "core/model/object_numbers.h"
#include "core/statistics/duration_statistics.h"

struct action_row {
	uint64_t id; /* from 1; 0: neither a goal ended nor a message arrived */
	uint64_t goals, accepted, rejected, results, ambiguous;
	uint64_t feedback_received;
	struct duration_statistics goal_to_result, goal_response;
};

static inline void action_row_count(struct action_row *row, const struct action_goal *goal)
{
	row->goals++;
	row->accepted += goal->answer == GOAL_ACCEPTED;
	row->rejected += goal->answer == GOAL_REJECTED;
	row->results += goal->has_result;
	row->ambiguous += goal->is_ambiguous;
}

/* Messages that the server of an action published. */
struct action_messages {
	uint64_t feedback, status;
};

struct actions {
	struct analysis analysis; /* its rows are struct action_row, by index of the pair */
	struct action_goals *goals;
	struct action_sides *sides;	    /* of the goals */
	GArray *publishers, *subscriptions; /* struct topic_role (actions.c), by index */
	GArray *messages;		    /* struct action_messages, by index of the server's side */
	uint64_t next_id;
	uint64_t message_count;
};

enum { TABLE_ACTIONS, TABLE_ACTION_INSTANCES };

/* --- tables --- */

extern const struct table_schema *const action_tables[]; /* ended by NULL */

/* A goal that has ended. Does nothing if not wanted. */
void action_tables_write_instance(const struct actions *actions, const struct action_row *row,
				  const struct action_goal *goal);

/* For analysis_class. */
void action_tables_write(const void *data, struct table_writer *const *writers);

#endif
