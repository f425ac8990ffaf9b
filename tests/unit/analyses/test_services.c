/* SPDX-License-Identifier: MIT */
#include "scripted_session.h"

static uint64_t client_1, client_2; /* gids */

/* Two clients of the process of `talker`, two servers in that of `listener`, of the service /add. */
static void setup(void)
{
	scripted_setup();
	client_1 = gid("client 1........");
	client_2 = gid("client 2........");
	define_node(talker, "caller");
	define_client(talker, 1, "/add", client_1);
	define_client(talker, 2, "/add", client_2);
	define_node(listener, "adder");
	define_service(listener, 1, "/add");
	define_service(listener, 2, "/add");
}

TestSuite(services, .init = setup, .fini = scripted_teardown);

static void send_request(uint64_t client, uint64_t number)
{
	NEXT(RMW_SEND_REQUEST, talker, RMW_CLIENT + client, number);
}

static uint64_t gid_of(uint64_t client)
{
	return client == 1 ? client_1 : client_2;
}

static void take_request(uint64_t server, uint64_t client, uint64_t number)
{
	NEXT(RMW_TAKE_REQUEST, listener, RMW_SERVICE + server, number, gid_of(client), 1);
}

/* The stamp says which response it is. */
static void send_response(uint64_t server, uint64_t client, uint64_t number, uint64_t stamp)
{
	NEXT(RMW_SEND_RESPONSE, listener_2, RMW_SERVICE + server, number, gid_of(client), stamp);
}

static void take_response(uint64_t client, uint64_t number, uint64_t stamp)
{
	NEXT(RMW_TAKE_RESPONSE, talker_2, RMW_CLIENT + client, number, stamp, 1);
}

/* All steps, STEP_NS apart. */
static void call(uint64_t server, uint64_t client, uint64_t number)
{
	send_request(client, number);
	take_request(server, client, number);
	send_response(server, client, number, number + 500);
	take_response(client, number, number + 500);
}

Test(services, a_call_has_four_times_and_three_legs)
{
	call(1, 1, 7);
	report();
	cr_assert_eq(row_count("services"), 1);
	expect_cells("services", 0, "service_id", "1", "service", "/add", "client_node", "/caller", "client_vpid", "1",
		     "server_node", "/adder", "server_vpid", "3", "sent", "1", "taken", "1", "answered", "1",
		     "received", "1", "round_trip_sum_ns", "3000", "request_sum_ns", "1000", "service_sum_ns", "1000",
		     "response_sum_ns", "1000", "unanswered", "0");
	cr_assert_eq(row_count("service_instances"), 1);
	expect_cells("service_instances", 0, "service_id", "1", "sequence_number", "7", "outcome", "received");
}

Test(services, clients_that_number_alike_are_kept_apart)
{
	send_request(1, 1);
	send_request(2, 1);
	take_request(1, 2, 1);
	take_request(1, 1, 1);
	send_response(1, 1, 1, 10);
	send_response(1, 2, 1, 20);
	take_response(2, 1, 20);
	take_response(1, 1, 10);
	report();
	cr_assert_eq(row_count("services"), 2);
	expect("services", 0, "round_trip_sum_ns", "5000");
	expect("services", 1, "round_trip_sum_ns", "7000");
}

Test(services, a_response_taken_by_its_own_client_only)
{
	call(1, 1, 1);
	NEXT(RMW_TAKE_RESPONSE, talker_2, RMW_CLIENT + 2, 1, 501, 0);
	report();
	cr_assert_eq(row_count("services"), 1);
	expect("services", 0, "received", "1");
}

Test(services, what_two_servers_take_are_two_calls)
{
	send_request(1, 1);
	take_request(1, 1, 1);
	take_request(2, 1, 1);
	send_response(2, 1, 1, 20);
	send_response(1, 1, 1, 10);
	take_response(1, 1, 20);
	take_response(1, 1, 10);
	report();
	cr_assert_eq(row_count("services"), 2);
	for (guint i = 0; i < 2; i++) {
		expect_cells("services", i, "sent", "1", "taken", "1", "answered", "1", "received", "1");
	}
	/* the call that ends first has the first id */
	expect_cells("services", 0, "service_sum_ns", "1000", "round_trip_sum_ns", "5000");
	expect_cells("services", 1, "service_sum_ns", "3000", "round_trip_sum_ns", "6000");
}

Test(services, a_server_that_takes_a_request_after_it_was_answered_has_a_call_of_its_own)
{
	call(1, 1, 1);
	take_request(2, 1, 1);
	send_response(2, 1, 1, 20);
	report();
	cr_assert_eq(row_count("services"), 2);
	expect_cells("services", 1, "sent", "1", "taken", "1", "request_sum_ns", "4000", "unanswered", "1");
}

/* The recording does, for as long as another thread may record an earlier take. */
static void go_on(void)
{
	now_ns += 100 * NS_PER_MS; /* CALLS_OUT_OF_ORDER_NS */
	start(listener, SERVICE_CALLBACK + 1);
}

Test(services, a_request_that_the_server_skips_is_lost)
{
	call(1, 1, 1);
	send_request(1, 2);
	call(1, 1, 3);
	go_on();
	report();
	expect_cells("services", 0, "sent", "3", "taken", "2", "lost", "1", "unanswered", "1");
	expect_cells("service_instances", 2, "sequence_number", "2", "outcome", "lost");
}

Test(services, if_the_recording_ends_before_that_is_certain_it_is_unknown)
{
	call(1, 1, 1);
	send_request(1, 2);
	call(1, 1, 3);
	report();
	expect_cells("services", 0, "sent", "3", "taken", "2", "lost", "0");
	expect_cells("service_instances", 2, "sequence_number", "2", "outcome", "unknown");
}

/* Events are lost until the next one. */
static void lose_events(void)
{
	int64_t end_ns = now_ns + STEP_NS / 2;

	feed(record_of(RECORD_DISCARDED_EVENTS, RECORDING_NONE, now_ns, (const uint64_t[]){ 1, (uint64_t)end_ns }, 2));
	feed(record_of(RECORD_GAP, RECORDING_NONE, end_ns, NULL, 0));
}

Test(services, one_whose_take_may_be_missing_is_unknown)
{
	call(1, 1, 1);
	send_request(1, 2);
	lose_events();
	call(1, 1, 3);
	send_request(1, 4);
	call(1, 1, 5);
	go_on();
	report();
	expect_cells("services", 0, "service_id", "1", "sent", "5", "taken", "3", "lost", "1", "unanswered", "2");
	expect_cells("service_instances", 3, "sequence_number", "2", "outcome", "unknown");
	expect_cells("service_instances", 4, "sequence_number", "4", "outcome", "lost");
}

/* The definition of another one at its address may be lost, which counts from 1 again. */
Test(services, after_a_loss_a_response_belongs_to_the_answer_of_its_time_or_to_none)
{
	send_request(1, 1);
	send_request(1, 2);
	send_request(1, 3);
	take_request(1, 1, 2);
	send_response(1, 1, 2, 20);
	take_request(1, 1, 3);
	send_response(1, 1, 3, 30);
	lose_events();
	take_response(1, 1, 10);
	take_response(1, 2, 20);
	take_response(1, 3, 31);
	report();
	cr_assert_eq(row_count("services"), 1);
	expect_cells("services", 0, "sent", "3", "received", "3", "unanswered", "2");
	cr_assert_eq(row_count("service_instances"), 5);
}

Test(services, unless_another_client_would_have_had_no_time_for_as_many_requests)
{
	send_request(1, 8);
	send_request(1, 9);
	lose_events();
	take_response(1, 9, 10);
	take_response(1, 8, 20);
	take_response(1, 10, 30);
	lose_events();
	send_request(1, 10);
	report();
	expect_cells("services", 0, "sent", "3", "received", "3", "unanswered", "0");
	cr_assert_eq(row_count("service_instances"), 3);
}

Test(services, one_whose_response_was_received_is_not)
{
	call(1, 1, 1);
	send_request(1, 2);
	call(1, 1, 3);
	take_response(1, 2, 20);
	report();
	expect_cells("services", 0, "sent", "3", "taken", "2", "lost", "0", "unanswered", "0");
}

Test(services, one_that_it_takes_after_a_later_one_is_not)
{
	call(1, 1, 1);
	send_request(1, 2);
	call(1, 1, 3);
	take_request(1, 1, 2);
	report();
	expect_cells("services", 0, "lost", "0", "taken", "3", "unanswered", "1");
	expect("service_instances", 2, "outcome", "not_answered");
}

Test(services, requests_before_the_first_and_after_the_last_take_are_not_lost)
{
	send_request(1, 1);
	call(1, 1, 2);
	send_request(1, 3);
	report();
	cr_assert_eq(row_count("services"), 1);
	expect_cells("services", 0, "sent", "3", "taken", "1", "lost", "0", "unanswered", "2");
}

Test(services, a_service_without_server_has_a_row)
{
	send_request(1, 1);
	send_request(1, 2);
	report();
	cr_assert_eq(row_count("services"), 1);
	expect_cells("services", 0, "client_node", "/caller", "server_node", "", "sent", "2", "taken", "0",
		     "unanswered", "2", "round_trip_count", "0");
	expect_cells("slowest_services", 0, "service", "/add", "unanswered", "2");
}

Test(services, each_step_may_be_the_last)
{
	send_request(1, 1);
	take_request(1, 1, 1);
	send_request(1, 2);
	take_request(1, 1, 2);
	send_response(1, 1, 2, 20);
	report();
	expect_cells("services", 0, "sent", "2", "taken", "2", "answered", "1", "received", "0", "unanswered", "2");
	expect("service_instances", 0, "outcome", "not_answered");
	expect("service_instances", 1, "outcome", "not_received");
}

Test(services, steps_come_in_any_order_where_clocks_differ)
{
	take_request(1, 1, 1);
	send_response(1, 1, 1, 10);
	send_request(1, 1);
	take_response(1, 1, 10);
	report();
	cr_assert_eq(row_count("services"), 1);
	expect_cells("services", 0, "sent", "1", "request_sum_ns", "-2000", "round_trip_sum_ns", "1000", "lost", "0");
	cr_assert_eq(row_count("service_instances"), 1);
}

Test(services, a_number_used_again_is_another_call)
{
	send_request(1, 1);
	take_request(1, 1, 1);
	call(1, 1, 1);
	report();
	expect_cells("services", 0, "sent", "2", "taken", "2", "received", "1", "round_trip_sum_ns", "3000");
	expect("service_instances", 0, "outcome", "not_answered");
}

Test(services, copies_of_events_are_none)
{
	call(1, 1, 1);
	send_request(1, 2);
	repeat();
	take_request(1, 1, 2);
	repeat();
	send_response(1, 1, 2, 20);
	repeat();
	take_response(1, 2, 20);
	report();
	expect_cells("services", 0, "sent", "2", "taken", "2", "answered", "2", "received", "2", "round_trip_sum_ns",
		     "6000");
	cr_assert_eq(row_count("service_instances"), 2);
}

Test(services, a_gid_that_another_client_gets_is_of_that_one)
{
	send_request(1, 1);
	take_request(1, 1, 1);
	define_client(talker_2, 3, "/other", client_1);
	NEXT(RMW_SEND_REQUEST, talker_2, RMW_CLIENT + 3, 1);
	report();
	cr_assert_eq(row_count("services"), 2);
	expect_cells("services", 0, "sent", "1", "taken", "1");
	expect_cells("services", 1, "service", "/other", "taken", "0");
}

Test(services, the_server_alone_is_reported)
{
	NEXT(RMW_TAKE_REQUEST, listener, RMW_SERVICE + 1, 1, gid("unknown client.."), 1);
	NEXT(RMW_SEND_RESPONSE, listener, RMW_SERVICE + 1, 1, gid("unknown client.."), 5);
	report();
	expect_cells("services", 0, "service", "/add", "client_node", "", "sent", "0", "taken", "1", "service_sum_ns",
		     "1000", "unanswered", "0");
}

/* Their definitions may be lost, and the handles be equal. */
Test(services, what_was_answered_before_it_was_taken_was_another_service_at_its_address)
{
	NEXT(RMW_SEND_RESPONSE, listener, RMW_SERVICE + 1, 1, gid("unknown client.."), 5);
	NEXT(RMW_TAKE_REQUEST, listener, RMW_SERVICE + 1, 1, gid("unknown client.."), 1);
	NEXT(RMW_SEND_RESPONSE, listener, RMW_SERVICE + 1, 1, gid("unknown client.."), 6);
	report();
	cr_assert_eq(row_count("services"), 1);
	expect_cells("services", 0, "taken", "1", "answered", "2", "service_sum_ns", "1000");
	cr_assert_eq(row_count("service_instances"), 2);
}

Test(services, the_client_alone_is_reported)
{
	send_request(1, 1);
	take_response(1, 1, 10);
	report();
	expect_cells("services", 0, "client_node", "/caller", "server_node", "", "received", "1", "unanswered", "0",
		     "round_trip_sum_ns", "1000");
}

Test(services, a_client_whose_gid_was_not_recorded_has_no_server_and_says_so)
{
	NEXT(RCL_CLIENT_INIT, talker, CLIENT + 4, NODE, RMW_CLIENT + 4, text("/sub"));
	NEXT(RMW_SEND_REQUEST, talker, RMW_CLIENT + 4, 1);
	NEXT(RMW_TAKE_RESPONSE, talker, RMW_CLIENT + 4, 1, 5, 1);
	report();
	expect_cells("services", 0, "service", "/sub", "round_trip_sum_ns", "1000");
	cr_assert_eq(count_of("events not recorded"), 2);
}

Test(services, memory_is_bounded_and_nothing_is_left_uncounted)
{
	for (uint64_t i = 1; i <= 10000; i++) {
		send_request(1, i);
	}
	feed_script();
	cr_assert_eq(row_count("service_instances"), 10000 - 8192);
	report();
	expect_cells("services", 0, "sent", "10000", "unanswered", "10000");
	cr_assert_eq(row_count("service_instances"), 10000);
}

/* A minute later, those of before are given up, but for a thousand. */
Test(services, of_old_calls_fewer_stay_open)
{
	for (uint64_t i = 1; i <= 5000; i++) {
		send_request(1, i);
	}
	feed_script();
	cr_assert_eq(row_count("service_instances"), 0);
	now_ns += 60 * NS_PER_S;
	send_request(1, 5001);
	feed_script();
	cr_assert_eq(row_count("service_instances"), 5001 - 1024);
}

Test(services, a_server_that_was_busy_answers_thousands_of_calls)
{
	for (uint64_t i = 1; i <= 5000; i++) {
		send_request(1, i);
	}
	for (uint64_t i = 1; i <= 5000; i++) {
		take_request(1, 1, i);
		send_response(1, 1, i, i + 500);
		take_response(1, i, i + 500);
	}
	report();
	expect_cells("services", 0, "sent", "5000", "received", "5000", "unanswered", "0", "round_trip_count", "5000");
}

Test(services, open_calls_count_before_the_end)
{
	call(1, 1, 1);
	send_request(1, 2);
	feed_script();
	session_write(session);
	expect_cells("services", 0, "sent", "2", "unanswered", "1");
	report();
	expect_cells("services", 1, "sent", "2", "unanswered", "1");
}

/* --- executions of the callback --- */

Test(services, an_execution_is_that_of_the_request_its_thread_took)
{
	send_request(1, 1);
	send_request(2, 1);
	take_request(1, 2, 1);
	run_callback(listener, SERVICE_CALLBACK + 1);
	take_request(1, 1, 1);
	start(listener, SERVICE_CALLBACK + 1);
	run(listener);
	end(listener, SERVICE_CALLBACK + 1);
	report();
	cr_assert_eq(row_count("services"), 2);
	expect_cells("services", 0, "executions", "1", "callback_sum_ns", "1000");
	expect("services", 1, "callback_sum_ns", "2000");
}

Test(services, without_requests_and_responses_only_the_executions_are_known)
{
	run_callback(listener, SERVICE_CALLBACK + 1);
	report();
	cr_assert_eq(row_count("services"), 1);
	expect_cells("services", 0, "service", "/add", "server_node", "/adder", "client_node", "", "sent", "", "taken",
		     "", "received", "", "executions", "1", "callback_sum_ns", "1000");
	cr_assert_eq(count_of("events not recorded"), 1);
	cr_assert_eq(row_count("slowest_services"), 0);
}

Test(services, a_callback_that_answers_later_is_deferred)
{
	for (uint64_t i = 1; i <= 2; i++) {
		send_request(1, i);
		take_request(1, 1, i);
		start(listener, SERVICE_CALLBACK + 1);
		send_response(1, 1, i, i);
		take_response(1, i, i);
	}
	report();
	expect_cells("services", 0, "executions", "2", "deferred", "2", "callback_count", "0", "service_sum_ns",
		     "4000");
}

Test(services, services_that_nobody_calls_have_no_row)
{
	report();
	cr_assert_eq(row_count("services"), 0);
}

Test(services, a_range_counts_calls_by_their_first_event)
{
	int64_t begin_ns;

	call(1, 1, 1);
	send_request(1, 2);
	begin_ns = now_ns + 1;
	take_request(1, 1, 2);
	send_response(1, 1, 2, 5);
	take_response(1, 2, 5);
	call(1, 1, 3);
	kept_options.range = (struct time_range){ .has_begin = true,
						  .begin = { MOMENT_FROM_EPOCH, begin_ns },
						  .begin_ns = begin_ns };
	destroy_session();
	begin_session();
	report();
	expect_cells("services", 0, "sent", "1", "round_trip_count", "1");
	cr_assert_eq(row_count("service_instances"), 1);
}

Test(services, the_slowest_come_first_with_the_leg_that_takes_most)
{
	define_client(talker, 5, "/quick", gid("client 5........"));
	define_service(listener, 5, "/quick");
	send_request(1, 1);
	take_request(1, 1, 1);
	now_ns += 10 * MS;
	send_response(1, 1, 1, 5);
	take_response(1, 1, 5);
	NEXT(RMW_SEND_REQUEST, talker, RMW_CLIENT + 5, 1);
	NEXT(RMW_TAKE_REQUEST, listener, RMW_SERVICE + 5, 1, gid("client 5........"), 1);
	NEXT(RMW_SEND_RESPONSE, listener, RMW_SERVICE + 5, 1, gid("client 5........"), 6);
	NEXT(RMW_TAKE_RESPONSE, talker, RMW_CLIENT + 5, 1, 6, 1);
	report();
	cr_assert_eq(row_count("slowest_services"), 2);
	expect_cells("slowest_services", 0, "service", "/add", "most", "100 % service");
	expect("slowest_services", 1, "service", "/quick");
}
