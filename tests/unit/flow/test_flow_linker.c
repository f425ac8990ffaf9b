/* SPDX-License-Identifier: MIT */
#include "core/flow/link_rules.h"
#include "flow_records.h"

/*
 * The calls of the listener, publications (P) numbered in order, callbacks of subscriptions (S), timers (T) and
 * services (V), and clients (C): "T1:P1>S2 " published in T1, reached the callback of S2; "P1-S2 " taken without a
 * callback; "P1=>S2 " within the process; "P1~>S2 " inferred; "T1+S3/P1:P2>S2 " with what S3 kept of P1; "P1xS2 " lost,
 * "P1?S2 " unknown.
 */
static GString *story;
static uint64_t finished_count, released_count, in_flight_count;
static struct link_rule rules[2]; /* the user's, if any */

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
		if (i > 0) {
			g_string_append_printf(story, "/P%d", (int)publication->parents[i]->flow_id);
		}
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
	} else if (delivery->publication->service) {
		g_string_append_printf(story, "C%d ", (int)(delivery->client->handle & 0xff));
	} else {
		g_string_append_printf(story, "V%d ", (int)(delivery->service->handle & 0xff));
	}
}

static void on_expected(void *data, const struct flow_publication *publication, struct model_subscription *subscription,
			bool is_intra_process, enum flow_outcome outcome)
{
	static const char *const marks[] = {
		[FLOW_LOST] = "x",
		[FLOW_UNKNOWN] = "?",
		[FLOW_IN_FLIGHT] = "?",
		[FLOW_CAME_LATE] = "late",
		[FLOW_CAME_LATE_UNKNOWN] = "late",
	};

	in_flight_count += outcome == FLOW_IN_FLIGHT;
	if (outcome != FLOW_RECEIVED && outcome != FLOW_NOT_EXPECTED) {
		g_string_append_printf(story, "P%d%sS%d ", (int)publication->id, marks[outcome],
				       (int)(subscription->rmw_handle & 0xff));
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

static void setup_analysis(void)
{
	flow_setup_analysis();
	flow_linker_add_listener(linker, &(struct flow_listener){
						 .delivered = on_delivered,
						 .expected = on_expected,
						 .resolved = on_resolved,
						 .finished = on_finished,
						 .released = on_released,
					 });
	story = g_string_new(NULL);
	finished_count = 0;
	in_flight_count = 0;
	released_count = 0;
}

static void teardown_analysis(void)
{
	flow_teardown_analysis();
	g_string_free(story, TRUE);
}

static void setup(void)
{
	flow_setup_recording();
	setup_analysis();
}

static void teardown(void)
{
	teardown_analysis();
	recording_teardown();
	link_rule_clear(&rules[0]);
	link_rule_clear(&rules[1]);
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

static uint64_t diagnosed(enum diagnostic what, const char *detail)
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
	cr_assert_eq(diagnosed(DIAGNOSTIC_TAKE_WITHOUT_PUBLICATION, "/a"), 1);
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
	cr_assert_eq(diagnosed(DIAGNOSTIC_TAKE_WITHOUT_PUBLICATION, "/b"), 1);
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
	cr_assert_eq(diagnosed(DIAGNOSTIC_AMBIGUOUS_LINK, "/a"), 1);
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

Test(flow_linker, a_publication_that_grew_too_old_between_its_events_is_not_continued)
{
	recording_packet_begins(recording, 0, now_ns);
	define_system();
	run(listener);
	start(talker, TIMER_CALLBACK + 1);
	NEXT(RCLCPP_PUBLISH, talker, MESSAGE);
	now_ns += FLOW_AGE_NS;
	NEXT(RCL_PUBLISH, talker, MESSAGE, PUBLISHER + 1);
	NEXT(RMW_PUBLISH, talker, MESSAGE, RMW_PUBLISHER + 1, 500);
	end(talker, TIMER_CALLBACK + 1);
	handle(listener, 1, 500);
	finish();
	expect("T1:P2>S1 ");
	flow_teardown_analysis();
	cr_assert_eq(released_count, 2);
}

Test(flow_linker, a_stamp_bound_to_a_forgotten_publication_is_of_no_use)
{
	define_system();
	run(listener);
	NEXT(DDS_WRITE, talker, MESSAGE, RMW_PUBLISHER + 1);
	now_ns += FLOW_AGE_NS;
	for (uint64_t i = 0; i < 32; i++) {
		publish(talker_2, 1, 600 + i);
		now_ns += FLOW_AGE_NS;
	}
	NEXT(DDS_BIND_ADDR_TO_STAMP, talker, MESSAGE, 500);
	take(listener, 1, 500);
	finish();
	expect_counts(1, 0);
}

Test(flow_linker, a_take_counts_as_what_its_subscription_is_known_to_be_when_it_is_linked)
{
	struct event_record definition = RECORD(RCL_SUBSCRIPTION_INIT, listener, now_ns += STEP_NS, SUBSCRIPTION + 1,
						NODE, RMW_SUBSCRIPTION + 1, text("/a"), 10);

	define_node(talker, "talker");
	define_publisher(talker, 1, "/a");
	run(listener);
	take(listener, 1, 500);
	/* recorded late, as CARET does */
	definition = by_caret(definition, definition.time_ns);
	definition.time_ns = now_ns;
	feed(definition);
	publish(talker, 1, 500);
	finish();
	expect_counts(1, 1);
}

/* --- within a process --- */

static bool is_overwriting;

static void intra_publish(uint64_t number, uint64_t subscription, uint64_t slot)
{
	NEXT(RCLCPP_INTRA_PUBLISH, talker, MESSAGE, PUBLISHER + number);
	NEXT(RCLCPP_RING_BUFFER_ENQUEUE, talker, BUFFER + subscription, slot, 1, is_overwriting);
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
	is_overwriting = true;
	intra_publish(1, 5, 0);
	intra_handle(5, 0);
	finish();
	expect("P1xS5 P2=>S5 ");
}

Test(flow_linker, a_slot_that_the_buffer_overwrites_as_free_had_been_read)
{
	define_intra_process_system();
	intra_publish(1, 5, 0);
	intra_publish(1, 5, 0);
	intra_handle(5, 0);
	finish();
	expect("P1?S5 P2=>S5 ");
}

Test(flow_linker, a_message_in_a_ring_buffer_at_the_end_is_in_flight)
{
	define_intra_process_system();
	intra_publish(1, 5, 0);
	finish();
	expect("P1?S5 ");
	cr_assert_eq(in_flight_count, 1);
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
	cr_assert_eq(diagnosed(DIAGNOSTIC_TAKE_WITHOUT_PUBLICATION, "/a"), 1);
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

Test(flow_linker, executions_that_wait_for_one_another_in_a_circle_are_told_all_the_same)
{
	const struct {
		uint32_t thread;
		uint64_t subscription, publisher, taken, bound;
	} halves[] = { { listener, 2, 3, 501, 500 }, { listener_2, 1, 4, 500, 501 } };

	define_system();
	define_publisher(listener, 3, "/a");
	define_publisher(listener, 4, "/b");
	for (size_t i = 0; i < G_N_ELEMENTS(halves); i++) {
		take(halves[i].thread, halves[i].subscription, halves[i].taken);
		start(halves[i].thread, SUBSCRIPTION_CALLBACK + halves[i].subscription);
		NEXT(RCLCPP_PUBLISH, halves[i].thread, MESSAGE);
		NEXT(RCL_PUBLISH, halves[i].thread, MESSAGE, PUBLISHER + halves[i].publisher);
		NEXT(DDS_WRITE, halves[i].thread, MESSAGE, RMW_PUBLISHER + halves[i].publisher);
	}
	for (size_t i = 0; i < G_N_ELEMENTS(halves); i++) {
		NEXT(DDS_BIND_ADDR_TO_STAMP, halves[i].thread, MESSAGE, halves[i].bound);
		end(halves[i].thread, SUBSCRIPTION_CALLBACK + halves[i].subscription);
	}
	finish();
	cr_assert_eq(finished_count, 2);
	flow_teardown_analysis();
	cr_assert_eq(released_count, 2);
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
	cr_assert_eq(diagnosed(DIAGNOSTIC_TAKE_WITHOUT_PUBLICATION, "/a"), 1);
}

/* --- stamps that are not recorded --- */

/* Humble's layout. The stamp is that of the middleware's clock shortly after. */
static uint64_t publish_stampless_by(uint32_t thread, uint64_t number, int64_t stamp_after_ns)
{
	NEXT(RCLCPP_PUBLISH, thread, MESSAGE);
	NEXT(RCL_PUBLISH, thread, MESSAGE, PUBLISHER + number);
	NEXT(RMW_PUBLISH, thread, MESSAGE);
	return (uint64_t)(now_ns + stamp_after_ns);
}

static uint64_t publish_stampless(uint64_t number, int64_t stamp_after_ns)
{
	return publish_stampless_by(talker, number, stamp_after_ns);
}

static void learn_stamps(void)
{
	for (int i = 0; i < 20; i++) {
		uint64_t stamp = publish_stampless(1, 5000);

		now_ns += MS;
		handle(listener, 1, stamp);
		now_ns += 10 * MS;
	}
	/* Whatever waited is decided. */
	now_ns += FLOW_BIND_WAIT_NS;
	run(listener);
	g_string_truncate(story, 0);
}

Test(flow_linker, a_publication_without_stamp_is_found_by_its_write)
{
	struct flow_counts counts;
	uint64_t first, second;

	define_system();
	learn_stamps();
	first = publish_stampless(1, 5500);
	now_ns += MS;
	second = publish_stampless(1, 4500);
	now_ns += MS;
	handle(listener, 1, first);
	handle(listener, 1, second);
	finish();
	expect("P21~>S1 P22~>S1 ");
	flow_linker_counts(linker, &counts);
	cr_assert_eq(counts.inferred_takes, 22);
}

Test(flow_linker, a_publisher_that_is_preempted_in_its_write_is_found)
{
	uint64_t stamp;

	define_system();
	define_timer(talker, 2);
	learn_stamps();
	start(talker, TIMER_CALLBACK + 2);
	stamp = publish_stampless(1, 40 * MS);
	now_ns += 40 * MS + 10000;
	end(talker, TIMER_CALLBACK + 2);
	now_ns += MS;
	handle(listener, 1, stamp);
	finish();
	cr_assert_not_null(strstr(story->str, "P21~>S1"), "%s", story->str);
}

Test(flow_linker, a_stamp_within_the_writes_of_two_publishers_is_never_guessed)
{
	uint64_t stamp;

	define_system();
	define_timer(talker, 2);
	define_timer(talker_2, 3);
	learn_stamps();
	start(talker, TIMER_CALLBACK + 2);
	stamp = publish_stampless(1, 20 * MS);
	now_ns += 19 * MS;
	start(talker_2, TIMER_CALLBACK + 3);
	publish_stampless_by(talker_2, 1, 5000);
	now_ns += 3 * MS;
	end(talker, TIMER_CALLBACK + 2);
	end(talker_2, TIMER_CALLBACK + 3);
	handle(listener, 1, stamp);
	finish();
	cr_assert_null(strstr(story->str, ">S1"), "%s", story->str);
	cr_assert_eq(diagnosed(DIAGNOSTIC_AMBIGUOUS_LINK, "/a"), 1);
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
	flow_teardown_analysis();
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
	NEXT(RMW_SEND_REQUEST, talker, RMW_CLIENT + 1, 8);
	end(talker, TIMER_CALLBACK + 1);
	handle_request(gid("fedcba9876543210"), 7);
	handle_request(gid("0123456789abcdef"), 8);
	handle_request(gid("0123456789abcdef"), 7);
	handle_request(gid("0123456789abcdef"), 9);
	finish();
	expect("T1:P2>V1 T1:P3>V1 T1:P1>V1 ");
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

Test(flow_linker, a_response_reaches_the_client_that_asked)
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
	finish();
	expect("P2>V1 V1:P3-C2 ");
}

Test(flow_linker, a_response_may_be_taken_before_its_sending_is_recorded)
{
	define_service_system();
	NEXT(RMW_TAKE_RESPONSE, talker, RMW_CLIENT + 1, 7, 0, 1);
	NEXT(RMW_SEND_RESPONSE, listener, RMW_SERVICE + 1, 7, gid("0123456789abcdef"));
	finish();
	expect("P1-C1 ");
}

/* --- indirect links --- */

/* Keeps /a and /b, publishes /c, which subscription 6 of the first process takes. */
static void define_planner(void)
{
	define_system();
	define_publisher(listener, 3, "/c");
	define_timer(listener, 2);
	define_subscription(talker, 6, "/c");
}

static void add_rules(const char *first, const char *second)
{
	cr_assert(link_rule_parse(&rules[0], first, NULL));
	cr_assert(link_rule_parse(&rules[1], second, NULL));
	flow_linker_add_rules(linker, rules, 2);
}

static void annotate(enum event_kind kind)
{
	const uint64_t words[] = { addresses(SUBSCRIPTION + 1, SUBSCRIPTION + 2), addresses(PUBLISHER + 3, 0) };

	feed(record_of(kind, listener, now_ns += STEP_NS, words, 2));
}

static void plan_with_timer(uint64_t stamp)
{
	start(listener_2, TIMER_CALLBACK + 2);
	publish(listener_2, 3, stamp);
	end(listener_2, TIMER_CALLBACK + 2);
	handle(talker, 6, stamp);
}

static void plan_periodically(void)
{
	plan_with_timer(600);
	publish(talker, 1, 500);
	handle(listener, 1, 500);
	plan_with_timer(601);
	plan_with_timer(602);
	publish(talker, 1, 501);
	publish(talker, 2, 502);
	handle(listener, 1, 501);
	handle(listener, 2, 502);
	plan_with_timer(603);
}

static const char *const periodic_story = "T2:P1>S6 P2>S1 T2+S1/P2:P3>S6 T2+S1/P2:P4>S6 "
					  "P5>S1 P6>S2 T2+S1/P5+S2/P6:P7>S6 ";

Test(flow_linker, periodic_async_by_annotation_uses_the_last_message_until_the_next)
{
	define_planner();
	annotate(EVENT_MESSAGE_LINK_PERIODIC_ASYNC);
	plan_periodically();
	finish();
	expect(periodic_story);
}

Test(flow_linker, periodic_async_by_rule_links_the_same)
{
	add_rules("/listener: /a -> /c: periodic_async", "/listener: /b -> /c: periodic_async");
	define_planner();
	plan_periodically();
	finish();
	expect(periodic_story);
	cr_assert_eq(diagnosed(DIAGNOSTIC_LINK_NOT_FOUND, NULL), 0);
}

static void plan_with_message(uint64_t stamp)
{
	publish(talker, 2, stamp);
	take(listener, 2, stamp);
	start(listener, SUBSCRIPTION_CALLBACK + 2);
	publish(listener, 3, stamp + 100);
	end(listener, SUBSCRIPTION_CALLBACK + 2);
	handle(talker, 6, stamp + 100);
}

static void plan_with_all(void)
{
	publish(talker, 1, 500);
	handle(listener, 1, 500);
	plan_with_message(501);
	plan_with_message(502);
	publish(talker, 1, 503);
	handle(listener, 1, 503);
	publish(talker, 1, 504);
	handle(listener, 1, 504);
	plan_with_message(505);
}

static const char *const sync_story = "P1>S1 P2>S2 S2+S1/P1:P3>S6 P4>S2 S2:P5>S6 "
				      "P6>S1 P7>S1 P8>S2 S2+S1/P7:P9>S6 ";

Test(flow_linker, partial_sync_by_annotation_uses_each_message_once)
{
	define_planner();
	annotate(EVENT_MESSAGE_LINK_PARTIAL_SYNC);
	plan_with_all();
	finish();
	expect(sync_story);
}

Test(flow_linker, partial_sync_by_rule_links_the_same)
{
	add_rules("/listener: /a -> /c: partial_sync", "/listener: /b -> /c: partial_sync");
	define_planner();
	plan_with_all();
	finish();
	expect(sync_story);
}

Test(flow_linker, a_rule_that_fits_nothing_is_told)
{
	add_rules("/listener: /a -> /d: partial_sync", "/nobody: /b -> /c: partial_sync");
	define_planner();
	plan_with_all();
	finish();
	cr_assert_eq(diagnosed(DIAGNOSTIC_LINK_NOT_FOUND, "/listener: /a -> /d: partial_sync"), 1);
	cr_assert_eq(diagnosed(DIAGNOSTIC_LINK_NOT_FOUND, "/nobody: /b -> /c: partial_sync"), 1);
}

Test(flow_linker, a_message_that_is_kept_at_the_end_of_the_trace_is_finished)
{
	define_planner();
	annotate(EVENT_MESSAGE_LINK_PERIODIC_ASYNC);
	publish(talker, 1, 500);
	handle(listener, 1, 500);
	publish(talker, 2, 501);
	handle(listener, 2, 501);
	cr_assert_eq(finished_count, 0);
	finish();
	expect("P1>S1 P2>S2 ");
	cr_assert_eq(finished_count, 2);
}

/* --- memory --- */

static void expect_live_at_most(uint64_t limit)
{
	struct flow_counts counts;

	flow_linker_counts(linker, &counts);
	cr_assert_leq(counts.live_publications, limit);
	cr_assert_leq(counts.live_executions, limit);
	g_string_truncate(story, 0);
}

/* One leg of ping-pong: the subscription's callback publishes the next message. */
static void hit(uint32_t thread, uint64_t subscription, uint64_t publisher, uint64_t stamp)
{
	take(thread, subscription, stamp);
	start(thread, SUBSCRIPTION_CALLBACK + subscription);
	publish(thread, publisher, stamp + 1);
	end(thread, SUBSCRIPTION_CALLBACK + subscription);
}

Test(flow_linker, ping_pong_needs_no_more_memory_with_each_round)
{
	define_publisher(talker, 1, "/ping");
	define_subscription(talker, 2, "/pong");
	define_publisher(listener, 2, "/pong");
	define_subscription(listener, 1, "/ping");
	run(talker);
	run(listener);
	publish(talker, 1, 1000);
	for (uint64_t stamp = 1000; stamp < 201000; stamp += 2) {
		hit(listener, 1, 2, stamp);
		hit(talker, 2, 1, stamp + 1);
		expect_live_at_most(64);
	}
	finish();
	cr_assert_eq(finished_count, 200000);
}

#define REPETITIONS 200000

Test(flow_linker, publications_that_never_leave_their_process_need_no_memory)
{
	define_system();
	run(listener);
	for (int i = 0; i < REPETITIONS; i++) {
		NEXT(RCLCPP_PUBLISH, talker, MESSAGE + (uint64_t)i);
		expect_live_at_most(4);
	}
}

Test(flow_linker, takes_that_are_never_dispatched_need_no_memory)
{
	define_system();
	run(listener);
	for (uint64_t i = 0; i < REPETITIONS; i++) {
		publish(talker, 1, 500 + i);
		take(listener, 1, 500 + i);
		expect_live_at_most(32);
	}
}

Test(flow_linker, callbacks_that_never_end_need_bounded_memory)
{
	define_system();
	run(listener);
	for (uint64_t i = 0; i < REPETITIONS; i++) {
		start(talker, 0x100000 + i * 16);
		publish(talker, 1, 500 + i);
		handle(listener, 1, 500 + i);
		expect_live_at_most(2 * EXECUTION_DEPTH_MAX);
	}
}

Test(flow_linker, a_subscription_that_never_takes_needs_memory_for_its_queue_only)
{
	define_system();
	run(listener);
	for (uint64_t i = 0; i < REPETITIONS; i++) {
		now_ns += MS;
		publish(talker, 1, 500 + i);
		expect_live_at_most(256);
	}
}

Test(flow_linker, writes_whose_stamp_is_never_bound_are_let_go)
{
	define_system();
	run(listener);
	for (uint64_t i = 0; i < REPETITIONS; i++) {
		now_ns += MS;
		write_without_stamp(1);
		NEXT(RMW_TAKE, listener, MESSAGE, RMW_SUBSCRIPTION + 1, 500 + i, 1);
		expect_live_at_most(2000);
	}
}

/* --- any system --- */

#define TOPICS 3
#define PUBLISHERS 4
#define SUBSCRIPTIONS 6
#define THREADS 4

/* A system that does things at random, in two processes of two threads. */
struct random_system {
	GRand *random;
	uint32_t threads[THREADS];
	GArray *to_do[THREADS];	     /* struct event_record: what the thread does next */
	GQueue inbox[SUBSCRIPTIONS]; /* stamps */
	uint64_t next_stamp;
};

static bool happens(struct random_system *system, double probability)
{
	return g_rand_double(system->random) < probability;
}

#define PLAN(kind, ...)                                                                                                \
	do {                                                                                                           \
		struct event_record planned = RECORD(kind, system->threads[thread], 0, __VA_ARGS__);                   \
                                                                                                                       \
		g_array_append_val(system->to_do[thread], planned);                                                    \
	} while (0)

/* Objects of even numbers live in the process of threads 0 and 1. */
static void plan_publication(struct random_system *system, int thread)
{
	uint64_t number = (uint64_t)g_rand_int_range(system->random, 0, PUBLISHERS / 2) * 2 + (uint64_t)thread / 2;

	PLAN(RCLCPP_PUBLISH, MESSAGE);
	if (happens(system, 0.9)) {
		PLAN(RCL_PUBLISH, MESSAGE, PUBLISHER + number);
		PLAN(RMW_PUBLISH, MESSAGE, RMW_PUBLISHER + number, system->next_stamp++);
	}
}

static void plan_take(struct random_system *system, int thread)
{
	int number = g_rand_int_range(system->random, 0, SUBSCRIPTIONS / 2) * 2 + thread / 2;
	uint64_t stamp;

	if (happens(system, 0.1)) {
		g_queue_pop_head(&system->inbox[number]);
	}
	stamp = (uint64_t)GPOINTER_TO_SIZE(g_queue_pop_head(&system->inbox[number]));
	PLAN(RMW_TAKE, MESSAGE, RMW_SUBSCRIPTION + (uint64_t)number, stamp, stamp != 0);
	if (stamp != 0 && happens(system, 0.9)) {
		PLAN(CALLBACK_START, SUBSCRIPTION_CALLBACK + (uint64_t)number, 0);
		if (happens(system, 0.3)) {
			plan_publication(system, thread);
		}
		PLAN(CALLBACK_END, SUBSCRIPTION_CALLBACK + (uint64_t)number);
	}
}

static void plan_timer(struct random_system *system, int thread)
{
	PLAN(CALLBACK_START, TIMER_CALLBACK + (uint64_t)thread, 0);
	plan_publication(system, thread);
	PLAN(CALLBACK_END, TIMER_CALLBACK + (uint64_t)thread);
}

static void write_into_inboxes(struct random_system *system, const struct event_record *record)
{
	uint64_t topic = (record->word[RMW_PUBLISH__rmw_publisher_handle] - RMW_PUBLISHER) % TOPICS;

	for (uint64_t i = topic; i < SUBSCRIPTIONS; i += TOPICS) {
		g_queue_push_tail(&system->inbox[i], GSIZE_TO_POINTER(record->word[RMW_PUBLISH__timestamp]));
	}
}

static void step(struct random_system *system, GArray *records)
{
	int thread = g_rand_int_range(system->random, 0, THREADS);
	struct event_record record;

	if (system->to_do[thread]->len == 0) {
		if (happens(system, 0.5)) {
			plan_take(system, thread);
		} else if (happens(system, 0.8)) {
			plan_timer(system, thread);
		} else {
			plan_publication(system, thread);
		}
	}
	record = g_array_index(system->to_do[thread], struct event_record, 0);
	g_array_remove_index(system->to_do[thread], 0);
	record.time_ns = now_ns += g_rand_int_range(system->random, 1, 100000);
	g_array_append_val(records, record);
	if (record.kind == EVENT_RMW_PUBLISH) {
		write_into_inboxes(system, &record);
	}
}

static void run_random_system(uint32_t seed, GArray *records, size_t count)
{
	struct random_system system = {
		.random = g_rand_new_with_seed(seed),
		.threads = { talker, talker_2, listener, listener_2 },
		.next_stamp = 1000,
	};

	for (int i = 0; i < THREADS; i++) {
		system.to_do[i] = g_array_new(FALSE, FALSE, sizeof(struct event_record));
	}
	while (records->len < count) {
		step(&system, records);
	}
	for (int i = 0; i < THREADS; i++) {
		g_array_free(system.to_do[i], TRUE);
	}
	for (int i = 0; i < SUBSCRIPTIONS; i++) {
		g_queue_clear(&system.inbox[i]);
	}
	g_rand_free(system.random);
}

static void define_random_system(void)
{
	static const char *const topics[TOPICS] = { "/a", "/b", "/c" };

	for (uint64_t i = 0; i < PUBLISHERS; i++) {
		define_publisher(i % 2 ? listener : talker, i, topics[i % TOPICS]);
	}
	for (uint64_t i = 0; i < SUBSCRIPTIONS; i++) {
		define_subscription(i % 2 ? listener : talker, i, topics[i % TOPICS]);
	}
	for (uint64_t i = 0; i < THREADS; i++) {
		define_timer(i / 2 ? listener : talker, i);
	}
}

/* As CARET records them again, when a process begins to run. */
static void feed_late_definitions(const GArray *definitions, uint32_t process, int64_t time_ns)
{
	for (guint i = 0; i < definitions->len; i++) {
		struct event_record record = g_array_index(definitions, struct event_record, i);

		if (process_of(record.thread) == process) {
			record = by_caret(record, record.time_ns);
			record.time_ns = time_ns;
			feed(record);
		}
	}
}

struct variation {
	bool is_first, is_late; /* when definitions are recorded */
	GRand *streams;		/* NULL: all in one stream */
};

static char *feed_story(const GArray *definitions, const GArray *records, struct variation variation)
{
	bool has_run[8] = { false };

	teardown_analysis();
	setup_analysis();
	for (guint i = 0; variation.is_first && i < definitions->len; i++) {
		feed(g_array_index(definitions, struct event_record, i));
	}
	for (guint i = 0; i < records->len; i++) {
		struct event_record record = g_array_index(records, struct event_record, i);
		uint32_t process = process_of(record.thread);

		if (variation.is_late && !has_run[process]) {
			feed_late_definitions(definitions, process, record.time_ns);
		}
		has_run[process] = true;
		feed(in_stream(record, variation.streams ? (uint16_t)g_rand_int_range(variation.streams, 0, 4) : 0));
	}
	finish();
	return g_strdup(story->str);
}

Test(flow_linker, links_depend_neither_on_streams_nor_on_when_definitions_are_recorded)
{
	for (uint32_t seed = 1; seed <= 5; seed++) {
		g_autoptr(GArray) definitions = g_array_new(FALSE, FALSE, sizeof(struct event_record));
		g_autoptr(GArray) records = g_array_new(FALSE, FALSE, sizeof(struct event_record));
		g_autoptr(GRand) streams = g_rand_new_with_seed(seed);
		g_autofree char *expected = NULL;

		script = definitions;
		define_random_system();
		script = NULL;
		run_random_system(seed, records, 3000);
		expected = feed_story(definitions, records, (struct variation){ .is_first = true });
		cr_assert_gt(strlen(expected), 2000);
		cr_assert_not_null(strstr(expected, "x"), "something is lost");
		for (int variant = 0; variant < 5; variant++) {
			g_autofree char *other = feed_story(definitions, records,
							    (struct variation){
								    .is_first = variant != 1 && variant != 2,
								    .is_late = variant >= 1 && variant <= 3,
								    .streams = variant != 1 ? streams : NULL,
							    });

			cr_assert_str_eq(other, expected, "seed %u, variant %d", seed, variant);
		}
	}
}
