/* SPDX-License-Identifier: MIT */
/* Requests and responses. */
#include "story.h"

TestSuite(service, .init = story_setup, .fini = story_teardown);

static void define_service_system(void)
{
	define_system();
	define_client(talker, 1, "/add", gid("0123456789abcdef"));
	define_client(talker, 2, "/add", gid("fedcba9876543210"));
	define_service(listener, 1, "/add");
}

static void handle_request(uint64_t client_gid, uint64_t sequence_number)
{
	NEXT(RMW_TAKE_REQUEST, listener, RMW_SERVICE + 1, sequence_number, client_gid, 1);
	run_callback(listener, SERVICE_CALLBACK + 1);
}

Test(service, a_request_reaches_its_service_by_client_and_sequence_number)
{
	define_service_system();
	start(talker, TIMER_CALLBACK + 1);
	NEXT(RMW_SEND_REQUEST, talker, RMW_CLIENT + 1, 7);
	NEXT(RMW_SEND_REQUEST, talker, RMW_CLIENT + 2, 7);
	NEXT(RMW_SEND_REQUEST, talker, RMW_CLIENT + 1, 8);
	end(talker, TIMER_CALLBACK + 1);
	handle_request(gid("fedcba9876543210"), 7);
	handle_request(gid("0123456789abcdef"), 8);
	handle_request(gid("0123456789abcdef"), 7);
	handle_request(gid("0123456789abcdef"), 9);
	expect_at_end("T1:P2>V1 T1:P3>V1 T1:P1>V1 ");
}

Test(service, a_request_reaches_the_callback_of_a_service_without_definition)
{
	define_system();
	define_client(talker, 1, "/add", gid("0123456789abcdef"));
	for (uint64_t request = 7; request < 9; request++) {
		start(talker, TIMER_CALLBACK + 1);
		NEXT(RMW_SEND_REQUEST, talker, RMW_CLIENT + 1, request);
		end(talker, TIMER_CALLBACK + 1);
		handle_request(gid("0123456789abcdef"), request);
	}
	expect_at_end("T1:P1>V? T1:P2>V? ");
}

static void take_with(uint32_t thread, uint64_t server, uint64_t sequence_number)
{
	NEXT(RMW_TAKE_REQUEST, thread, RMW_SERVICE + server, sequence_number, gid("0123456789abcdef"), 1);
	run_callback(thread, SERVICE_CALLBACK + server);
}

Test(service, each_server_of_a_service_takes_a_request)
{
	define_service_system();
	define_service(listener_2, 2, "/add");
	define_service(listener_2, 3, "/other");
	start(talker, TIMER_CALLBACK + 1);
	NEXT(RMW_SEND_REQUEST, talker, RMW_CLIENT + 1, 7);
	end(talker, TIMER_CALLBACK + 1);
	take_with(listener, 1, 7);
	NEXT(RMW_SEND_RESPONSE, listener, RMW_SERVICE + 1, 7, gid("0123456789abcdef"));
	NEXT(RMW_TAKE_RESPONSE, talker, RMW_CLIENT + 1, 7, 0, 1);
	cr_assert_eq(finished_count, 1); /* the first server */
	take_with(listener_2, 2, 7);
	cr_assert_eq(finished_count, 3);
	expect("T1:P1>V1 P2-C1 T1:P1>V2 ");
}

Test(service, a_request_may_be_taken_before_its_sending_is_recorded)
{
	define_service_system();
	handle_request(gid("0123456789abcdef"), 7);
	expect("");
	NEXT(RMW_SEND_REQUEST, talker, RMW_CLIENT + 1, 7);
	expect_at_end("P1>V1 ");
}

Test(service, a_response_reaches_the_client_that_asked)
{
	define_service_system();
	NEXT(RMW_SEND_REQUEST, talker, RMW_CLIENT + 1, 7);
	NEXT(RMW_SEND_REQUEST, talker, RMW_CLIENT + 2, 7);
	NEXT(RMW_TAKE_REQUEST, listener, RMW_SERVICE + 1, 7, gid("fedcba9876543210"), 1);
	start(listener, SERVICE_CALLBACK + 1);
	NEXT(RMW_SEND_RESPONSE, listener, RMW_SERVICE + 1, 7, gid("fedcba9876543210"));
	end(listener, SERVICE_CALLBACK + 1);
	NEXT(RMW_TAKE_RESPONSE, talker, RMW_CLIENT + 1, 7, 0, 1);
	NEXT(RMW_TAKE_RESPONSE, talker, RMW_CLIENT + 2, 7, 0, 1);
	expect_at_end("P2>V1 V1:P3-C2 ");
}

Test(service, a_response_may_be_taken_before_its_sending_is_recorded)
{
	define_service_system();
	NEXT(RMW_TAKE_RESPONSE, talker, RMW_CLIENT + 1, 7, 0, 1);
	NEXT(RMW_SEND_RESPONSE, listener, RMW_SERVICE + 1, 7, gid("0123456789abcdef"));
	expect_at_end("P1-C1 ");
}
