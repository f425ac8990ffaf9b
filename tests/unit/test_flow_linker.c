/* SPDX-License-Identifier: MIT */
#include "flow_records.h"

/*
 * What the listener was told, publications (P) numbered in order, callbacks of subscriptions (S), timers (T) and
 * services (V): "T1:P1>S2 " published in T1, reached the callback of S2; "P1-S2 " taken without a callback; "P1=>S2 "
 * within the process; "P1~>S2 " inferred; "T1+S3:P1>S2 " with a kept message; "P1xS2 " lost.
 */
static GString *story;
static uint64_t finished_count, released_count;

static void append_callback(const struct model_callback *callback)
{
	switch (callback->address & ~UINT64_C(0xff)) {
	case TIMER_CALLBACK:
		g_string_append_c(story, 'T');
		break;
	case SERVICE_CALLBACK:
		g_string_append_c(story, 'V');
		break;
	default:
		g_string_append_c(story, 'S');
		break;
	}
	g_string_append_printf(story, "%d", (int)(callback->address & 0xff));
}

static void append_publication(const struct flow_publication *publication)
{
	for (size_t i = 0; i < publication->parent_count; i++) {
		append_callback(publication->parents[i]->callback);
		g_string_append_c(story, i + 1 < publication->parent_count ? '+' : ':');
	}
	g_string_append_printf(story, "P%d", (int)publication->id);
}

static void on_delivered(void *data, const struct flow_delivery *delivery)
{
	append_publication(delivery->publication);
	g_string_append(story, delivery->is_inferred ? "~" : delivery->is_intra_process ? "=" : "");
	g_string_append_c(story, delivery->execution ? '>' : '-');
	if (delivery->subscription) {
		g_string_append_printf(story, "S%d ", (int)(delivery->subscription->rmw_handle & 0xff));
	} else {
		g_string_append_printf(story, "V%d ", (int)(delivery->service->handle & 0xff));
	}
}

static void on_expected(void *data, const struct flow_publication *publication, struct model_subscription *subscription,
			bool is_intra_process, bool is_received, bool is_end_of_trace)
{
	if (!is_received) {
		g_string_append_printf(story, "P%dxS%d ", (int)publication->id, (int)(subscription->rmw_handle & 0xff));
	}
}

static void on_resolved(void *data, struct flow_execution *execution)
{
	cr_assert_null(execution->path_data, "resolved once");
	execution->path_data = execution;
}

static void on_finished(void *data, struct flow_execution *execution, bool is_continued)
{
	cr_assert_eq(execution->path_data, execution, "resolved before, not finished yet");
	execution->path_data = story;
	finished_count++;
}

static void on_released(void *data, struct flow_execution *execution)
{
	released_count++;
}

static void setup(void)
{
	flow_setup();
	flow_linker_add_listener(linker, &(struct flow_listener){
						 .delivered = on_delivered,
						 .expected = on_expected,
						 .resolved = on_resolved,
						 .finished = on_finished,
						 .released = on_released,
					 });
	story = g_string_new(NULL);
	finished_count = 0;
	released_count = 0;
}

static void teardown(void)
{
	flow_teardown();
	g_string_free(story, TRUE);
}

TestSuite(flow_linker, .init = setup, .fini = teardown);

static void expect(const char *expected)
{
	cr_assert_str_eq(story->str, expected);
}

static void expect_counts(uint64_t takes, uint64_t linked)
{
	struct flow_counts counts;

	flow_linker_counts(linker, &counts);
	cr_assert_eq(counts.takes, takes);
	cr_assert_eq(counts.linked_takes, linked);
}

static uint64_t told(enum diagnostic what, const char *detail)
{
	return diagnostics_count(diagnostics, what, detail);
}

/* Publisher 1 of /a in one process, subscriptions 1 of it and 2 of /b in the other, timer 1 in the first. */
static void define_system(void)
{
	define_node(talker, "talker");
	define_publisher(talker, 1, "/a");
	define_publisher(talker, 2, "/b");
	define_timer(talker, 1);
	define_node(listener, "listener");
	define_subscription(listener, 1, "/a");
	define_subscription(listener, 2, "/b");
}

/* --- the publish events of a thread --- */

Test(flow_linker, all_publish_events_are_one_publication)
{
	define_system();
	start(talker, TIMER_CALLBACK + 1);
	publish(talker, 1, 500);
	end(talker, TIMER_CALLBACK + 1);
	handle(listener, 1, 500);
	finish();
	expect("T1:P1>S1 ");
	expect_counts(1, 1);
}

Test(flow_linker, without_rclcpp_publish_the_rest_is_one_publication)
{
	define_system();
	NEXT(RCL_PUBLISH, talker, MESSAGE, PUBLISHER + 1);
	NEXT(RMW_PUBLISH, talker, MESSAGE, RMW_PUBLISHER + 1, 500);
	handle(listener, 1, 500);
	finish();
	expect("P1>S1 ");
}

Test(flow_linker, rmw_publish_of_a_known_publisher_is_enough)
{
	define_system();
	NEXT(RMW_PUBLISH, talker, MESSAGE, RMW_PUBLISHER + 1, 500);
	handle(listener, 1, 500);
	finish();
	expect("P1>S1 ");
}

Test(flow_linker, rclcpp_publish_alone_links_nothing)
{
	define_system();
	NEXT(RCLCPP_PUBLISH, talker, MESSAGE);
	handle(listener, 1, 500);
	finish();
	expect("");
	expect_counts(1, 0);
	cr_assert_eq(told(DIAGNOSTIC_TAKE_WITHOUT_PUBLICATION, "/a"), 1);
}

Test(flow_linker, a_message_address_is_used_again)
{
	define_system();
	publish(talker, 1, 500);
	publish(talker, 2, 501);
	publish(talker, 1, 502);
	handle(listener, 1, 502);
	handle(listener, 2, 501);
	handle(listener, 1, 500);
	finish();
	expect("P3>S1 P2>S2 P1>S1 ");
}

Test(flow_linker, publish_events_of_two_threads_do_not_mix)
{
	define_system();
	NEXT(RCLCPP_PUBLISH, talker, MESSAGE);
	NEXT(RCLCPP_PUBLISH, talker_2, MESSAGE);
	NEXT(RCL_PUBLISH, talker, MESSAGE, PUBLISHER + 1);
	NEXT(RCL_PUBLISH, talker_2, MESSAGE, PUBLISHER + 2);
	NEXT(RMW_PUBLISH, talker_2, MESSAGE, RMW_PUBLISHER + 2, 502);
	NEXT(RMW_PUBLISH, talker, MESSAGE, RMW_PUBLISHER + 1, 501);
	handle(listener, 1, 501);
	handle(listener, 2, 502);
	finish();
	expect("P1>S1 P2>S2 ");
}

Test(flow_linker, a_publication_of_the_middleware_itself_is_ignored)
{
	define_system();
	NEXT(RMW_PUBLISH, talker, MESSAGE, RMW_PUBLISHER + 9, 500);
	handle(listener, 1, 500);
	publish(talker, 1, 501);
	handle(listener, 1, 501);
	finish();
	expect("P1>S1 ");
}

/* --- takes --- */

Test(flow_linker, an_empty_take_and_one_without_stamp_are_none)
{
	define_system();
	publish(talker, 1, 500);
	NEXT(RMW_TAKE, listener, MESSAGE, RMW_SUBSCRIPTION + 1, 500, 0);
	NEXT(RMW_TAKE, listener, MESSAGE, RMW_SUBSCRIPTION + 1, 0, 1);
	start(listener, SUBSCRIPTION_CALLBACK + 1);
	end(listener, SUBSCRIPTION_CALLBACK + 1);
	expect("");
	expect_counts(0, 0);
	handle(listener, 1, 500);
	finish();
	expect("P1>S1 ");
	expect_counts(1, 1);
}

Test(flow_linker, one_publication_reaches_many_subscriptions)
{
	define_system();
	define_subscription(listener, 3, "/a");
	define_subscription(talker, 4, "/a");
	publish(talker, 1, 500);
	handle(listener, 3, 500);
	handle(talker, 4, 500);
	handle(listener, 1, 500);
	finish();
	expect("P1>S3 P1>S4 P1>S1 ");
}

Test(flow_linker, a_take_of_another_topic_with_the_same_stamp_is_not_linked)
{
	define_system();
	publish(talker, 1, 500);
	handle(listener, 2, 500);
	handle(listener, 1, 500);
	finish();
	expect("P1>S1 ");
	expect_counts(2, 1);
	cr_assert_eq(told(DIAGNOSTIC_TAKE_WITHOUT_PUBLICATION, "/b"), 1);
}

Test(flow_linker, equal_stamps_on_two_topics_are_told_apart)
{
	define_system();
	publish(talker, 1, 500);
	publish(talker_2, 2, 500);
	handle(listener, 1, 500);
	handle(listener, 2, 500);
	finish();
	expect("P1>S1 P2>S2 ");
}

Test(flow_linker, two_publications_with_one_stamp_and_topic_are_ambiguous)
{
	define_system();
	define_publisher(talker, 3, "/a");
	publish(talker, 1, 500);
	publish(talker_2, 3, 500);
	handle(listener, 1, 500);
	finish();
	expect("");
	expect_counts(1, 0);
	cr_assert_eq(told(DIAGNOSTIC_AMBIGUOUS_LINK, "/a"), 1);
}

Test(flow_linker, a_message_taken_by_hand_reaches_no_callback)
{
	define_system();
	publish(talker, 1, 500);
	take(listener, 1, 500);
	start(listener, SUBSCRIPTION_CALLBACK + 2);
	end(listener, SUBSCRIPTION_CALLBACK + 2);
	finish();
	expect("P1-S1 ");
}

Test(flow_linker, a_message_overtaken_by_a_later_one_is_lost)
{
	define_system();
	run(listener);
	publish(talker, 1, 500);
	publish(talker, 1, 501);
	handle(listener, 1, 501);
	now_ns += 200 * MS;
	publish(talker, 1, 502);
	handle(listener, 1, 502);
	expect("P2>S1 P1xS1 P3>S1 ");
	finish();
	expect("P2>S1 P1xS1 P3>S1 ");
}

/* --- within a process --- */

static void intra_publish(uint64_t number, uint64_t subscription, uint64_t slot)
{
	NEXT(RCLCPP_INTRA_PUBLISH, talker, MESSAGE, PUBLISHER + number);
	NEXT(RCLCPP_RING_BUFFER_ENQUEUE, talker, BUFFER + subscription, slot, 1, 0);
}

static void intra_handle(uint64_t subscription, uint64_t slot)
{
	NEXT(RCLCPP_RING_BUFFER_DEQUEUE, talker_2, BUFFER + subscription, slot, 0);
	start(talker_2, INTRA_CALLBACK + subscription);
	end(talker_2, INTRA_CALLBACK + subscription);
}

static void define_intra_process_system(void)
{
	define_system();
	define_subscription(talker, 5, "/a");
	define_intra_process(talker, 5);
}

Test(flow_linker, a_slot_of_a_ring_buffer_links_its_message)
{
	define_intra_process_system();
	intra_publish(1, 5, 0);
	intra_publish(1, 5, 1);
	intra_handle(5, 0);
	intra_handle(5, 1);
	finish();
	expect("P1=>S5 P2=>S5 ");
}

Test(flow_linker, an_overwritten_slot_is_lost)
{
	define_intra_process_system();
	intra_publish(1, 5, 0);
	intra_publish(1, 5, 0);
	intra_handle(5, 0);
	finish();
	expect("P1xS5 P2=>S5 ");
}

Test(flow_linker, a_cleared_ring_buffer_loses_what_it_holds)
{
	define_intra_process_system();
	intra_publish(1, 5, 0);
	intra_publish(1, 5, 1);
	NEXT(RCLCPP_RING_BUFFER_CLEAR, talker, BUFFER + 5);
	intra_handle(5, 0);
	finish();
	expect("P1xS5 P2xS5 ");
	cr_assert_eq(told(DIAGNOSTIC_TAKE_WITHOUT_PUBLICATION, "/a"), 1);
}

Test(flow_linker, a_message_that_goes_both_ways_is_one_publication_and_its_copy_is_dropped)
{
	define_intra_process_system();
	intra_publish(1, 5, 0);
	publish(talker, 1, 500);
	handle(listener, 1, 500);
	take(talker_2, 5, 500);
	intra_handle(5, 0);
	finish();
	expect("P1>S1 P1=>S5 ");
}

/* --- CARET --- */

static void write_without_stamp(uint64_t number)
{
	NEXT(RCLCPP_PUBLISH, talker, MESSAGE);
	NEXT(RCL_PUBLISH, talker, MESSAGE, PUBLISHER + number);
	NEXT(DDS_WRITE, talker, MESSAGE, RMW_PUBLISHER + number);
}

Test(flow_linker, a_stamp_may_be_bound_after_the_callback_has_started)
{
	define_system();
	write_without_stamp(1);
	take(listener, 1, 500);
	start(listener, SUBSCRIPTION_CALLBACK + 1);
	expect("");
	NEXT(DDS_BIND_ADDR_TO_STAMP, talker, MESSAGE, 500);
	expect("P1>S1 ");
	end(listener, SUBSCRIPTION_CALLBACK + 1);
	finish();
	expect("P1>S1 ");
	expect_counts(1, 1);
}

Test(flow_linker, a_stamp_may_be_bound_after_the_callback_has_published_and_ended)
{
	define_system();
	define_publisher(listener, 3, "/b");
	start(talker, TIMER_CALLBACK + 1);
	write_without_stamp(1);
	take(listener, 1, 500);
	start(listener, SUBSCRIPTION_CALLBACK + 1);
	publish(listener, 3, 501);
	end(listener, SUBSCRIPTION_CALLBACK + 1);
	handle(listener_2, 2, 501);
	NEXT(DDS_BIND_ADDR_TO_STAMP, talker, 0, 500);
	end(talker, TIMER_CALLBACK + 1);
	finish();
	expect("S1:P2>S2 T1:P1>S1 ");
	cr_assert_eq(finished_count, 3);
}

Test(flow_linker, a_stamp_is_bound_to_the_last_write_of_its_thread)
{
	define_system();
	write_without_stamp(1);
	NEXT(DDS_BIND_ADDR_TO_STAMP, talker_2, 0, 500);
	NEXT(DDS_BIND_ADDR_TO_STAMP, talker, MESSAGE + 8, 501);
	NEXT(DDS_BIND_ADDR_TO_STAMP, talker, MESSAGE, 502);
	NEXT(DDS_BIND_ADDR_TO_STAMP, talker, MESSAGE, 503);
	for (uint64_t stamp = 500; stamp <= 503; stamp++) {
		handle(listener, 1, stamp);
	}
	finish();
	expect("P1>S1 ");
	expect_counts(4, 1);
}

Test(flow_linker, a_take_does_not_wait_for_ever)
{
	define_system();
	write_without_stamp(1);
	handle(listener, 1, 500);
	now_ns += FLOW_BIND_WAIT_NS;
	run(listener);
	NEXT(DDS_BIND_ADDR_TO_STAMP, talker, MESSAGE, 500);
	finish();
	expect("");
	cr_assert_eq(told(DIAGNOSTIC_TAKE_WITHOUT_PUBLICATION, "/a"), 1);
}

/* --- stamps that are not recorded --- */

/* Humble's layout. The stamp is that of the middleware's clock shortly after. */
static uint64_t publish_stampless(uint64_t number, int64_t stamp_after_ns)
{
	NEXT(RCLCPP_PUBLISH, talker, MESSAGE);
	NEXT(RCL_PUBLISH, talker, MESSAGE, PUBLISHER + number);
	NEXT(RMW_PUBLISH, talker, MESSAGE);
	return (uint64_t)(now_ns + stamp_after_ns);
}

static void learn_stamps(void)
{
	for (int i = 0; i < 20; i++) {
		handle(listener, 1, publish_stampless(1, 5000));
		now_ns += 10 * MS;
	}
}

Test(flow_linker, the_nearest_publication_without_stamp_is_taken)
{
	struct flow_counts counts;
	uint64_t first, second;

	define_system();
	learn_stamps();
	g_string_truncate(story, 0);
	first = publish_stampless(1, 5500);
	now_ns += MS;
	second = publish_stampless(1, 4500);
	handle(listener, 1, first);
	handle(listener, 1, second);
	finish();
	expect("P21~>S1 P22~>S1 ");
	flow_linker_counts(linker, &counts);
	cr_assert_eq(counts.inferred_takes, 22);
}

Test(flow_linker, two_publications_without_stamp_that_are_too_near_are_never_guessed)
{
	uint64_t stamp;

	define_system();
	learn_stamps();
	g_string_truncate(story, 0);
	stamp = publish_stampless(1, 6500);
	publish_stampless(1, 5000);
	handle(listener, 1, stamp);
	cr_assert_null(strstr(story->str, ">S1"));
	finish();
	cr_assert_null(strstr(story->str, ">S1"));
	cr_assert_eq(told(DIAGNOSTIC_AMBIGUOUS_LINK, "/a"), 1);
}

/* --- callbacks --- */

Test(flow_linker, a_publication_belongs_to_the_innermost_callback)
{
	define_system();
	define_timer(talker, 2);
	start(talker, TIMER_CALLBACK + 1);
	start(talker, TIMER_CALLBACK + 2);
	publish(talker, 1, 500);
	end(talker, TIMER_CALLBACK + 2);
	publish(talker, 1, 501);
	end(talker, TIMER_CALLBACK + 1);
	publish(talker, 1, 502);
	for (uint64_t stamp = 500; stamp <= 502; stamp++) {
		handle(listener, 1, stamp);
	}
	finish();
	expect("T2:P1>S1 T1:P2>S1 P3>S1 ");
}

Test(flow_linker, every_execution_is_told_finished_and_released_once)
{
	define_system();
	for (uint64_t i = 0; i < 10; i++) {
		start(talker, TIMER_CALLBACK + 1);
		publish(talker, 1, 500 + i);
		end(talker, TIMER_CALLBACK + 1);
		handle(listener, 1, 500 + i);
	}
	start(talker, TIMER_CALLBACK + 1);
	finish();
	cr_assert_eq(finished_count, 21);
	flow_linker_destroy(linker);
	linker = NULL;
	cr_assert_eq(released_count, 21);
}

/* --- services --- */

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
	start(listener, SERVICE_CALLBACK + 1);
	end(listener, SERVICE_CALLBACK + 1);
}

Test(flow_linker, a_request_reaches_its_service_by_client_and_sequence_number)
{
	define_service_system();
	start(talker, TIMER_CALLBACK + 1);
	NEXT(RMW_SEND_REQUEST, talker, RMW_CLIENT + 1, 7);
	NEXT(RMW_SEND_REQUEST, talker, RMW_CLIENT + 2, 7);
	end(talker, TIMER_CALLBACK + 1);
	handle_request(gid("fedcba9876543210"), 7);
	handle_request(gid("0123456789abcdef"), 8);
	handle_request(gid("0123456789abcdef"), 7);
	finish();
	expect("T1:P2>V1 T1:P1>V1 ");
}

Test(flow_linker, a_request_may_be_taken_before_its_sending_is_recorded)
{
	define_service_system();
	handle_request(gid("0123456789abcdef"), 7);
	expect("");
	NEXT(RMW_SEND_REQUEST, talker, RMW_CLIENT + 1, 7);
	finish();
	expect("P1>V1 ");
}
