/* SPDX-License-Identifier: MIT */
#include "scripted_session.h"

/* Numbers of the services, clients and topics of the action. */
enum { SEND_GOAL = 1, CANCEL_GOAL, GET_RESULT, FEEDBACK, STATUS };

static int64_t sequence_number;
static uint64_t gids[GET_RESULT + 1];

/* The action /drive: its client in the process of `talker`, its server in that of `listener`. */
static void setup(void)
{
	scripted_setup();
	sequence_number = 0;
	gids[SEND_GOAL] = gid("send goal.......");
	gids[CANCEL_GOAL] = gid("cancel goal.....");
	gids[GET_RESULT] = gid("get result......");
	define_node(talker, "driver");
	define_client(talker, SEND_GOAL, "/drive/_action/send_goal", gids[SEND_GOAL]);
	define_client(talker, CANCEL_GOAL, "/drive/_action/cancel_goal", gids[CANCEL_GOAL]);
	define_client(talker, GET_RESULT, "/drive/_action/get_result", gids[GET_RESULT]);
	define_subscription(talker, FEEDBACK, "/drive/_action/feedback");
	define_node(listener, "car");
	define_service(listener, SEND_GOAL, "/drive/_action/send_goal");
	define_service(listener, CANCEL_GOAL, "/drive/_action/cancel_goal");
	define_service(listener, GET_RESULT, "/drive/_action/get_result");
	define_publisher(listener, FEEDBACK, "/drive/_action/feedback");
	define_publisher(listener, STATUS, "/drive/_action/status");
}

TestSuite(actions, .init = setup, .fini = scripted_teardown);

static int64_t request(uint64_t service)
{
	NEXT(RMW_SEND_REQUEST, talker, RMW_CLIENT + service, (uint64_t)++sequence_number);
	return sequence_number;
}

static void take_request(uint64_t service, int64_t number)
{
	NEXT(RMW_TAKE_REQUEST, listener, RMW_SERVICE + service, (uint64_t)number, gids[service], 1);
}

static void respond(uint64_t service, int64_t number)
{
	NEXT(RMW_SEND_RESPONSE, listener, RMW_SERVICE + service, (uint64_t)number, gids[service], (uint64_t)number);
}

static void take_response(uint64_t service, int64_t number)
{
	NEXT(RMW_TAKE_RESPONSE, talker, RMW_CLIENT + service, (uint64_t)number, (uint64_t)number, 1);
}

static void publish_status(void)
{
	NEXT(RCL_PUBLISH, listener, MESSAGE, PUBLISHER + STATUS);
}

/* The server's part: accepted goals are followed by a status. */
static int64_t send_goal(bool is_accepted)
{
	int64_t number = request(SEND_GOAL);

	take_request(SEND_GOAL, number);
	respond(SEND_GOAL, number);
	if (is_accepted) {
		publish_status();
	}
	return number;
}

static void give_result(int64_t number)
{
	take_request(GET_RESULT, number);
	respond(GET_RESULT, number);
	take_response(GET_RESULT, number);
}

Test(actions, a_goal_lasts_from_its_request_to_its_result)
{
	int64_t goal = send_goal(true);

	take_response(SEND_GOAL, goal);
	give_result(request(GET_RESULT));
	report();
	cr_assert_eq(row_count("actions"), 1);
	expect_cells("actions", 0, "action", "/drive", "client_node", "/driver", "server_node", "/car", "goals", "1",
		     "accepted", "1", "rejected", "0", "results", "1", "goal_response_sum_ns", "4000",
		     "goal_to_result_sum_ns", "8000");
	cr_assert_eq(row_count("action_instances"), 1);
	expect_cells("action_instances", 0, "accepted", "1", "ambiguous", "0");
}

Test(actions, a_goal_without_status_is_rejected)
{
	take_response(SEND_GOAL, send_goal(false));
	take_response(SEND_GOAL, send_goal(true));
	give_result(request(GET_RESULT));
	report();
	expect_cells("actions", 0, "goals", "2", "accepted", "1", "rejected", "1", "goal_to_result_count", "1");
}

Test(actions, an_accepted_goal_whose_result_nobody_wants_is_not_rejected)
{
	take_response(SEND_GOAL, send_goal(true));
	take_response(SEND_GOAL, send_goal(true));
	report();
	expect_cells("actions", 0, "accepted", "2", "rejected", "0", "results", "0");
}

Test(actions, results_belong_to_the_goal_whose_response_the_thread_took)
{
	int64_t first = send_goal(true), second = send_goal(true);
	int64_t first_result, second_result;

	take_response(SEND_GOAL, first);
	first_result = request(GET_RESULT);
	take_response(SEND_GOAL, second);
	second_result = request(GET_RESULT);
	give_result(second_result);
	now_ns += MS;
	give_result(first_result);
	report();
	expect_cells("actions", 0, "results", "2", "ambiguous", "0");
	expect("action_instances", 0, "sequence_number", "2");
	expect("action_instances", 1, "sequence_number", "1");
	expect("actions", 0, "goal_to_result_max_ns", "1017000");
}

Test(actions, a_result_that_may_be_of_several_goals_is_marked_and_no_sample)
{
	take_response(SEND_GOAL, send_goal(true));
	take_response(SEND_GOAL, send_goal(true));
	start(talker, TIMER_CALLBACK);
	give_result(request(GET_RESULT));
	end(talker, TIMER_CALLBACK);
	report();
	expect_cells("actions", 0, "results", "1", "ambiguous", "1", "goal_to_result_count", "0");
	expect_cells("action_instances", 0, "sequence_number", "1", "ambiguous", "1");
}

Test(actions, a_result_asked_for_later_is_of_the_only_goal)
{
	take_response(SEND_GOAL, send_goal(true));
	start(talker, TIMER_CALLBACK);
	give_result(request(GET_RESULT));
	end(talker, TIMER_CALLBACK);
	report();
	expect_cells("actions", 0, "goal_to_result_count", "1", "ambiguous", "0");
}

Test(actions, without_the_server_a_client_that_asks_for_results_shows_what_was_rejected)
{
	int64_t first = request(SEND_GOAL), second;

	take_response(SEND_GOAL, first);
	second = request(SEND_GOAL);
	take_response(SEND_GOAL, second);
	take_response(GET_RESULT, request(GET_RESULT));
	report();
	expect_cells("actions", 0, "server_node", "", "goals", "2", "accepted", "1", "rejected", "1", "canceled", "");
}

Test(actions, without_the_server_goals_of_a_client_that_asks_for_none_are_unknown)
{
	take_response(SEND_GOAL, request(SEND_GOAL));
	report();
	expect_cells("actions", 0, "goals", "1", "accepted", "0", "rejected", "0");
	expect("action_instances", 0, "accepted", "");
}

Test(actions, a_cancelation_is_accepted_if_the_status_changes)
{
	int64_t cancel;

	take_response(SEND_GOAL, send_goal(true));
	cancel = request(CANCEL_GOAL);
	take_request(CANCEL_GOAL, cancel);
	publish_status();
	respond(CANCEL_GOAL, cancel);
	take_response(CANCEL_GOAL, cancel);
	cancel = request(CANCEL_GOAL);
	take_request(CANCEL_GOAL, cancel);
	respond(CANCEL_GOAL, cancel);
	report();
	cr_assert_eq(row_count("actions"), 1);
	expect_cells("actions", 0, "cancel_requests", "2", "canceled", "1");
}

Test(actions, a_goal_that_nobody_takes_counts)
{
	request(SEND_GOAL);
	report();
	cr_assert_eq(row_count("actions"), 1);
	expect_cells("actions", 0, "action", "/drive", "goals", "1", "accepted", "0", "rejected", "0", "server_node",
		     "");
}

Test(actions, feedback_is_counted_in_every_release)
{
	NEXT(RCL_PUBLISH, listener, MESSAGE, PUBLISHER + FEEDBACK);
	NEXT(RMW_PUBLISH, listener, MESSAGE, RMW_PUBLISHER + FEEDBACK, 100);
	take(talker, FEEDBACK, 100);
	publish_status();
	report();
	cr_assert_eq(row_count("actions"), 1);
	expect_cells("actions", 0, "client_node", "/driver", "server_node", "/car", "feedback", "1",
		     "feedback_received", "1", "status", "1", "goals", "", "goal_to_result_count", "0");
	cr_assert_eq(count_of("events not recorded"), 2);
}

Test(actions, goals_under_way_count_before_the_end)
{
	take_response(SEND_GOAL, send_goal(true));
	session_feed(session, (const struct event_record *)(void *)script->data, script->len);
	g_array_set_size(script, 0);
	session_write(session);
	expect_cells("actions", 0, "goals", "1", "accepted", "1");
	give_result(request(GET_RESULT));
	report();
	expect_cells("actions", 1, "goals", "1", "results", "1");
}

Test(actions, memory_is_bounded)
{
	for (int i = 0; i < 3000; i++) {
		take_response(SEND_GOAL, send_goal(true));
	}
	report();
	expect_cells("actions", 0, "goals", "3000", "accepted", "3000");
	cr_assert_eq(row_count("action_instances"), 3000);
}

Test(actions, services_that_are_not_of_actions_are_none)
{
	define_client(talker, 9, "/add", gid("add............."));
	NEXT(RMW_SEND_REQUEST, talker, RMW_CLIENT + 9, 1);
	report();
	cr_assert_eq(row_count("actions"), 0);
}
