/* SPDX-License-Identifier: MIT */
/*
 * Goals of actions, one by one, from the calls of the services send_goal, get_result and cancel_goal (service_calls.h)
 * and from the publications on the topic `status`. No event names the goal. These rules follow from what rclcpp and
 * rcl_action do:
 *
 *  - A get_result belongs to the goal whose response its thread took last, if the thread has done nothing else since:
 *    rclcpp requests the result right there. Otherwise it belongs to the only goal of the client that may have been
 *    accepted and has no get_result yet. If several qualify, the oldest one gets it, marked as ambiguous.
 *  - A goal is accepted if the server's thread, after sending the response, publishes a status before any other
 *    recorded action (rcl_action_accept_new_goal is followed by that), or if the client requests its result. It is
 *    rejected if the thread does anything else first. If the server is not recorded, a goal is rejected if the client
 *    took the response and did not request a result, although it does so for other goals.
 *  - A request to cancel is accepted if the server's thread publishes a status between taking and answering it.
 *
 * Cost: that of service_calls.h; for an execution or a publication one look-up in an array, unless its thread has just
 * answered a goal. Memory: clients and servers of actions, and open goals, at most GOALS_OPEN_MAX of each client.
 */
#ifndef ROS2BT_ACTION_GOALS_H
#define ROS2BT_ACTION_GOALS_H

#include "core/calls/action_sides.h"
#include "core/calls/service_calls.h"

#define GOALS_OPEN_MAX 1024

struct action_goals;

enum goal_answer {
	GOAL_UNDECIDED,
	GOAL_ACCEPTED,
	GOAL_REJECTED,
};

struct action_goal {
	struct action_pair *pair; /* as far as known now */
	int64_t sequence_number;  /* of the request to send_goal */
	int64_t send_ns, response_ns, result_request_ns, result_ns;
	bool has_send, has_response, has_result_request, has_result;
	bool is_ambiguous; /* whether the result is this goal's */
	bool is_counted;   /* its first event lies within the options' range */
	bool is_answered;  /* by a server that is recorded */
	enum goal_answer answer;

	/* for action_goals.c */
	struct action_client *client;
	bool has_call; /* to send_goal, that has not ended */
	bool is_held;  /* by the thread that took the response, which may ask for the result now */
	bool is_open;
	unsigned int references;
	GList link; /* of the client's open goals */
};

struct action_goals_listener {
	void *data;
	/* The goal is final. */
	void (*ended)(void *data, const struct action_goal *goal);
};

/* The kinds of events to feed, ended by EVENT_KIND_COUNT. Executions are needed as well. */
extern const enum event_kind action_goal_kinds[];

/* In the recording's arena. The pipeline and the range are borrowed, the listener during the call only. */
struct action_goals *action_goals_create(const struct pipeline *pipeline, const struct time_range *range,
					 const struct action_goals_listener *listener);
void action_goals_feed(struct action_goals *goals, const struct event_record *record);
/* Ends all open goals, client by client. */
void action_goals_finish(struct action_goals *goals);

/* Visits each open goal, client by client. */
void action_goals_foreach(const struct action_goals *goals, void (*visit)(void *data, const struct action_goal *goal),
			  void *data);

struct action_sides *action_goals_sides(struct action_goals *goals);

/* Whether requests, takes or responses of services were recorded. */
bool action_goals_has_calls(const struct action_goals *goals);

#endif
