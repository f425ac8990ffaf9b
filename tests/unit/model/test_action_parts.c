/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "model_records.h"

enum {
	NODE = 0x1000,
	RMW = 0x2000,
	HANDLE = 0x3000,
};

TestSuite(actions, .init = model_setup, .fini = model_teardown);

static void define_endpoint(unsigned int kind, uint64_t handle, uint64_t node, const char *name, int64_t time_ns)
{
	struct event_record record =
		record_of(kind, thread, time_ns, (const uint64_t[]){ handle, node, RMW + handle, text(name) }, 4);

	object_model_feed(model, &record);
}

static struct model_action *action_of_client(uint64_t handle)
{
	return object_model_action_of(model, MODEL_CLIENT,
				      &object_model_find_client(model, process, handle, 1000)->endpoint);
}

Test(actions, names_have_their_part_and_the_name_of_the_action)
{
	static const struct {
		const char *name;
		enum action_part part;
		size_t length;
	} cases[] = {
		{ "/fibonacci/_action/send_goal", ACTION_PART_SEND_GOAL, 10 },
		{ "/a/b/_action/cancel_goal", ACTION_PART_CANCEL_GOAL, 4 },
		{ "/a/_action/get_result", ACTION_PART_GET_RESULT, 2 },
		{ "/a/_action/feedback", ACTION_PART_FEEDBACK, 2 },
		{ "/a/_action/status", ACTION_PART_STATUS, 2 },
		{ "/a/_action/_action/status", ACTION_PART_STATUS, 10 },
		{ "/a/_action/other", ACTION_PART_NONE, 0 },
		{ "/a/send_goal", ACTION_PART_NONE, 0 },
		{ "/_action/send_goal", ACTION_PART_NONE, 0 },
		{ "_action/send_goal", ACTION_PART_NONE, 0 },
		{ "/a/_action/", ACTION_PART_NONE, 0 },
		{ "send_goal", ACTION_PART_NONE, 0 },
		{ "", ACTION_PART_NONE, 0 },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		size_t length = 99;

		cr_expect_eq(action_part_of(cases[i].name, &length), cases[i].part, "%s", cases[i].name);
		cr_expect_eq(length, cases[i].length, "%s", cases[i].name);
	}
}

Test(actions, send_goal_makes_an_action_of_its_side)
{
	struct model_action *server, *client;

	define_endpoint(EVENT_RCL_SERVICE_INIT, HANDLE, NODE, "/fibonacci/_action/send_goal", 10);
	define_endpoint(EVENT_RCL_CLIENT_INIT, HANDLE + 1, NODE, "/fibonacci/_action/send_goal", 20);
	define_endpoint(EVENT_RCL_CLIENT_INIT, HANDLE + 2, NODE, "/plain", 30);
	cr_assert_eq(object_model_action_count(model), 2);
	server = object_model_find_action(model, process, HANDLE, 100);
	client = object_model_find_action(model, process, HANDLE + 1, 100);
	cr_assert_str_eq(server->name, "/fibonacci");
	cr_assert(server->is_server);
	cr_assert_eq(server->node_handle, NODE);
	cr_assert_str_eq(client->name, "/fibonacci");
	cr_assert_not(client->is_server);
	cr_assert_eq(action_of_client(HANDLE + 1), client);
	cr_assert_null(action_of_client(HANDLE + 2));
}

Test(actions, endpoints_belong_to_the_action_of_their_node_that_began_last)
{
	static const char *const parts[] = { "send_goal", "cancel_goal", "get_result" };

	for (uint64_t i = 0; i < 9; i++) {
		g_autofree char *name = g_strdup_printf("/a/_action/%s", parts[i % 3]);

		define_endpoint(EVENT_RCL_CLIENT_INIT, HANDLE + i, NODE + (i == 8), name, (int64_t)i * 10);
	}
	cr_assert_eq(object_model_action_count(model), 3);
	for (uint64_t i = 0; i < 8; i++) {
		cr_assert_eq(action_of_client(HANDLE + i), object_model_action_at(model, i / 3));
	}
	cr_assert_null(action_of_client(HANDLE + 8), "nothing of this node");
}

Test(actions, topics_belong_to_the_side_that_has_them)
{
	struct model_publisher *feedback;
	struct model_subscription *status;

	define_endpoint(EVENT_RCL_SERVICE_INIT, HANDLE, NODE, "/a/_action/send_goal", 10);
	define_endpoint(EVENT_RCL_PUBLISHER_INIT, HANDLE + 1, NODE, "/a/_action/feedback", 20);
	define_endpoint(EVENT_RCL_SUBSCRIPTION_INIT, HANDLE + 2, NODE, "/a/_action/status", 30);
	feedback = object_model_find_publisher(model, process, HANDLE + 1, 100);
	status = object_model_find_subscription(model, process, HANDLE + 2, 100);
	cr_assert_eq(object_model_action_of(model, MODEL_PUBLISHER, &feedback->endpoint),
		     object_model_action_at(model, 0));
	cr_assert_null(object_model_action_of(model, MODEL_SUBSCRIPTION, &status->endpoint), "no client is known");
}
