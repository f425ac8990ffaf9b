/* SPDX-License-Identifier: MIT */
/* What becomes of a message that a subscription did not get: lost only where that is certain. */
#include "flow_records.h"

/* The outcomes for one subscription by publication: "1+" received, "2x" lost, "3?" unknown, "4/" in flight, "5-" not
 * expected, "6o" overwritten. */
static GString *story;
static GString *missed; /* the same without "+", of a linker that nobody asks for all: it keeps fewer deliveries */
static uint64_t observed = 1;

static void tell(GString *of, const struct flow_publication *publication, const struct model_subscription *subscription,
		 enum flow_outcome outcome)
{
	static const char *const marks[] = {
		[FLOW_RECEIVED] = "+",	[FLOW_LOST] = "x",	   [FLOW_UNKNOWN] = "?",
		[FLOW_IN_FLIGHT] = "/", [FLOW_NOT_EXPECTED] = "-", [FLOW_OVERWRITTEN] = "o",
	};

	if ((subscription->rmw_handle & 0xff) == observed) {
		g_string_append_printf(of, "%d%s ", (int)publication->id, marks[outcome]);
	}
}

static void on_expected(void *data, const struct flow_publication *publication, struct model_subscription *subscription,
			enum flow_outcome outcome)
{
	tell(story, publication, subscription, outcome);
}

static void on_missed(void *data, const struct flow_publication *publication, struct model_subscription *subscription,
		      bool is_intra_process, enum flow_outcome outcome)
{
	tell(missed, publication, subscription, outcome);
}

static void listen(void)
{
	flow_linker_add_listener(linker, &(struct flow_listener){ .expected = on_expected });
	second_pipeline = pipeline_create(recording, PIPELINE_FLOWS | PIPELINE_INFERRED);
	flow_linker_add_listener(second_pipeline->flows, &(struct flow_listener){ .missed = on_missed });
}

static void setup(void)
{
	story = g_string_new(NULL);
	missed = g_string_new(NULL);
	flow_setup_recording();
	flow_setup_analysis();
	listen();
	define_node(talker, "talker");
	define_publisher(talker, 1, "/a");
	define_node(listener, "listener");
	define_subscription(listener, 1, "/a");
}

static void teardown(void)
{
	flow_teardown_analysis();
	recording_teardown();
	g_string_free(story, TRUE);
	g_string_free(missed, TRUE);
}

TestSuite(losses, .init = setup, .fini = teardown);

/* Publications 1, 2, … with stamps 501, 502, …; a message that is sent is received at once. */
static uint64_t sent;
static bool ends_at_once; /* not with the next one: deliveries of what is still published are all kept */

static void miss(void)
{
	publish(talker, 1, 500 + ++sent);
	if (ends_at_once) {
		run(talker);
	}
	now_ns += 10 * MS;
}

static void send(void)
{
	miss();
	handle(listener, 1, 500 + sent);
}

/* Both linkers say the same of what was not received. */
static void compare(void)
{
	g_auto(GStrv) all = g_strsplit(story->str, " ", -1);
	g_autoptr(GString) some = g_string_new(NULL);

	for (char **one = all; *one; one++) {
		if (**one && !strchr(*one, '+')) {
			g_string_append_printf(some, "%s ", *one);
		}
	}
	cr_assert_str_eq(missed->str, some->str);
}

static void expect(const char *expected)
{
	finish();
	cr_assert_str_eq(story->str, expected);
	compare();
}

static void lose_events(int64_t from_ns, int64_t to_ns)
{
	feed(loss_of(RECORD_DISCARDED_EVENTS, 0, from_ns, to_ns));
}

Test(losses, between_two_received_a_message_is_lost)
{
	ends_at_once = true;
	send();
	miss();
	miss();
	send();
	expect("1+ 2x 3x 4+ ");
}

Test(losses, what_one_subscription_received_another_one_may_lose)
{
	ends_at_once = true;
	define_subscription(listener, 2, "/a");
	send();
	handle(listener, 2, 501);
	send();
	miss();
	handle(listener, 2, 503);
	send();
	handle(listener, 2, 504);
	expect("1+ 2+ 3x 4+ ");
}

/* More than publications have bits for (FLOW_RECEIVED_BITS). */
Test(losses, of_many_subscriptions_the_last_one_may_lose_a_message)
{
	observed = 70;
	for (uint64_t number = 2; number <= observed; number++) {
		define_subscription(listener, number, "/a");
	}
	for (sent = 1; sent <= 3; sent++) {
		publish(talker, 1, 500 + sent);
		now_ns += 10 * MS;
		for (uint64_t number = 1; number < observed + (sent != 2); number++) {
			handle(listener, number, 500 + sent);
		}
	}
	expect("1+ 2x 3+ ");
}

/* The publisher of its stamp is known after the take: not the one that the take before it was of. */
Test(losses, a_take_whose_stamp_is_bound_late_meets_its_own_publisher)
{
	define_publisher(talker_2, 2, "/a");
	send();
	send();
	NEXT(RCL_PUBLISH, talker_2, MESSAGE, PUBLISHER + 2);
	NEXT(DDS_WRITE, talker_2, MESSAGE, RMW_PUBLISHER + 2);
	take(listener, 1, 600);
	NEXT(DDS_BIND_ADDR_TO_STAMP, talker_2, MESSAGE, 600);
	run_callback(listener, SUBSCRIPTION_CALLBACK + 1);
	publish(talker_2, 2, 601);
	publish(talker_2, 2, 602);
	handle(listener, 1, 602);
	expect("1+ 3+ 2+ 4x 5+ ");
}

Test(losses, before_the_first_match_nothing_is_expected)
{
	run(listener);
	miss();
	send();
	miss();
	send();
	expect("1- 2+ 3x 4+ ");
}

Test(losses, after_the_last_received_a_message_is_in_flight)
{
	send();
	miss();
	run(listener);
	expect("1+ 2/ ");
}

/* If the clocks of two hosts differ, more messages than the queues hold seem to be under way. */
Test(losses, the_first_message_that_is_taken_may_be_followed_by_many)
{
	for (int i = 0; i < 60; i++) {
		publish(talker, 1, 500 + ++sent);
	}
	handle(listener, 1, 501);
	handle(listener, 1, 502);
	finish();
	cr_assert(g_str_has_prefix(story->str, "1+ 2+ "), "%s", story->str);
}

Test(losses, a_process_without_further_events_is_no_receiver)
{
	send();
	miss();
	run(listener);
	miss();
	expect("1+ 2/ 3- ");
}

Test(losses, a_process_that_has_not_run_is_no_receiver)
{
	miss();
	run(listener);
	expect("");
}

Test(losses, a_pair_that_never_met_is_not_reported)
{
	run(listener);
	miss();
	run(listener);
	now_ns += 2 * FLOW_AGE_NS;
	run(listener);
	expect("");
}

Test(losses, what_a_busy_process_does_not_take_for_long_is_lost)
{
	send();
	for (int i = 0; i < 100; i++) {
		miss();
	}
	send();
	finish();
	cr_assert(g_str_has_prefix(story->str, "1+ 2x 3x 4x "));
	cr_assert(g_str_has_suffix(story->str, " 100x 101x 102+ "));
}

Test(losses, takes_that_are_logged_out_of_order_are_no_losses)
{
	send();
	miss();
	miss();
	handle(listener, 1, 503);
	handle(listener_2, 1, 502);
	expect("1+ 2+ 3+ ");
}

Test(losses, a_message_that_comes_long_after_later_ones_is_received)
{
	send();
	miss();
	miss();
	handle(listener, 1, 503);
	now_ns += 200 * MS;
	send();
	now_ns += 200 * MS;
	send();
	handle(listener_2, 1, 502);
	expect("1+ 3+ 4+ 2+ 5+ ");
}

/* The publisher's queue holds 10 messages. The last one is settled when its thread records its next event. */
Test(losses, a_loss_is_reported_when_no_take_finds_the_message_any_more)
{
	send();
	miss();
	for (int i = 0; i < 10; i++) {
		now_ns += 200 * MS;
		send();
	}
	run(talker);
	cr_assert_str_eq(story->str, "1+ 3+ 4+ 5+ 6+ 7+ 8+ 9+ 10+ 11+ 2x 12+ ");
	handle(listener_2, 1, 502);
	expect("1+ 3+ 4+ 5+ 6+ 7+ 8+ 9+ 10+ 11+ 2x 12+ ");
}

Test(losses, until_then_the_message_may_still_come)
{
	send();
	miss();
	for (int i = 0; i < 10; i++) {
		now_ns += 200 * MS;
		send();
	}
	cr_assert_str_eq(story->str, "1+ 3+ 4+ 5+ 6+ 7+ 8+ 9+ 10+ 11+ ");
	handle(listener_2, 1, 502);
	expect("1+ 3+ 4+ 5+ 6+ 7+ 8+ 9+ 10+ 11+ 2+ 12+ ");
}

/* The thread that took the message records nothing more, while another one takes all later messages. */
Test(losses, a_message_in_hand_is_received_however_long_that_lasts)
{
	send();
	miss();
	take(listener_2, 1, 502);
	for (int i = 0; i < 40; i++) {
		now_ns += 200 * MS;
		send();
	}
	finish();
	cr_assert_null(strchr(story->str, 'x'));
	cr_assert_null(strchr(story->str, '?'));
	cr_assert(g_str_has_suffix(story->str, " 42+ 2+ "));
}

Test(losses, a_message_in_hand_for_more_than_a_minute_is_received)
{
	send();
	miss();
	take(listener_2, 1, 502);
	for (int64_t i = 0; i < 61; i++) {
		now_ns += NS_PER_S;
		run(listener);
	}
	send();
	expect("1+ 3+ 2+ ");
}

/* One subscription has it in hand, the other one has lost it. */
Test(losses, a_message_may_be_in_hand_and_lost)
{
	define_subscription(listener, 2, "/a");
	send();
	handle(listener, 2, 501);
	miss();
	take(listener_2, 2, 502);
	for (int i = 0; i < 20; i++) {
		now_ns += 200 * MS;
		send();
		handle(listener, 2, 500 + sent);
	}
	finish();
	cr_assert(g_str_has_prefix(story->str, "1+ 3+ "));
	cr_assert_not_null(strstr(story->str, " 2x "));
}

Test(losses, a_message_that_comes_after_a_minute_is_received)
{
	send();
	miss();
	for (int64_t i = 0; i < 61; i++) {
		now_ns += NS_PER_S;
		run(listener);
	}
	handle(listener, 1, 502);
	expect("1+ 2+ ");
}

Test(losses, events_discarded_between_make_it_unknown)
{
	send();
	miss();
	lose_events(now_ns, now_ns + MS);
	now_ns += 2 * MS;
	send();
	miss();
	send();
	expect("1+ 2? 3+ 4x 5+ ");
}

Test(losses, a_loss_that_ends_after_the_next_take_makes_it_unknown)
{
	send();
	miss();
	lose_events(now_ns - MS, now_ns + 100 * MS);
	send();
	expect("1+ 2? 3+ ");
}

Test(losses, a_loss_of_another_trace_does_not)
{
	add_trace("other");
	send();
	miss();
	feed(in_stream((struct event_record){ .kind = RECORD_GAP, .thread = RECORDING_NONE, .time_ns = now_ns },
		       (uint16_t)(recording_stream_count(recording) - 1)));
	send();
	expect("1+ 2x 3+ ");
}

Test(losses, while_caret_did_not_record_the_process_it_is_unknown)
{
	send();
	miss();
	NEXT(CARET_INIT, listener, 0);
	miss();
	send();
	miss();
	send();
	expect("1+ 2? 3? 4+ 5x 6+ ");
}

Test(losses, caret_init_of_another_process_does_not_matter)
{
	send();
	miss();
	NEXT(CARET_INIT, talker, 0);
	send();
	expect("1+ 2x 3+ ");
}

Test(losses, while_nothing_was_recorded_it_is_unknown)
{
	send();
	miss();
	now_ns += 8 * NS_PER_S;
	send();
	expect("1+ 2? 3+ ");
}

/* `lttng stop` closes all packets, `lttng start` reaches one process after the other. */
Test(losses, while_tracing_was_off_it_is_unknown)
{
	recording_packet_begins(recording, 0, now_ns);
	recording_packet_begins(recording, 1, now_ns);
	send();
	miss();
	recording_packet_ends(recording, 0, now_ns);
	recording_packet_ends(recording, 1, now_ns);
	now_ns += 200 * MS;
	recording_packet_begins(recording, 0, now_ns);
	recording_packet_begins(recording, 1, now_ns);
	miss();
	miss();
	send();
	miss();
	send();
	expect("1+ 2? 3? 4? 5+ 6x 7+ ");
}

Test(losses, a_silence_in_which_a_stream_was_in_a_packet_is_no_pause)
{
	recording_packet_begins(recording, 0, now_ns);
	recording_packet_begins(recording, 1, now_ns);
	send();
	miss();
	recording_packet_ends(recording, 0, now_ns);
	now_ns += 8 * NS_PER_S;
	recording_packet_begins(recording, 0, now_ns);
	send();
	expect("1+ 2x 3+ ");
}

Test(losses, a_take_that_may_be_of_a_message_without_stamp_makes_it_unknown)
{
	send();
	NEXT(RCL_PUBLISH, talker, MESSAGE, PUBLISHER + 1);
	sent++;
	handle(listener, 1, 999);
	send();
	expect("1+ 2? 3+ ");
}

/* CARET stopped recording in its midst. */
Test(losses, a_message_whose_write_is_not_recorded_is_unknown)
{
	send();
	NEXT(RCLCPP_PUBLISH, talker, MESSAGE);
	NEXT(RCL_PUBLISH, talker, MESSAGE, PUBLISHER + 1);
	sent++;
	send();
	expect("1+ 2? 3+ ");
}

Test(losses, one_of_two_with_the_same_stamp_is_unknown)
{
	send();
	miss();
	publish(talker_2, 1, 502);
	sent++;
	handle(listener, 1, 502);
	send();
	expect("1+ 2? 3? 4+ ");
}

/* The same records with the subscription's definition first and last. */
Test(losses, late_definitions_change_nothing)
{
	g_autofree char *early = NULL;

	for (int is_late = 0; is_late < 2; is_late++) {
		uint64_t number = 7;

		flow_teardown_analysis();
		recording_teardown();
		flow_setup_recording();
		flow_setup_analysis();
		listen();
		g_string_truncate(story, 0);
		g_string_truncate(missed, 0);
		sent = 0;
		define_publisher(talker, 1, "/a");
		if (!is_late) {
			feed(by_caret(RECORD(RCL_SUBSCRIPTION_INIT, listener, now_ns, SUBSCRIPTION + 1, NODE,
					     RMW_SUBSCRIPTION + 1, text("/a"), number),
				      900 * MS));
		}
		now_ns += MS;
		run(listener);
		miss();
		send();
		miss();
		send();
		miss();
		run(listener);
		if (is_late) {
			feed(by_caret(RECORD(RCL_SUBSCRIPTION_INIT, listener, now_ns, SUBSCRIPTION + 1, NODE,
					     RMW_SUBSCRIPTION + 1, text("/a"), number),
				      900 * MS));
		}
		finish();
		if (!is_late) {
			early = g_strdup(story->str);
		}
	}
	cr_assert_str_eq(early, "1- 2+ 3x 4+ 5/ ");
	cr_assert_str_eq(story->str, early);
}

/* --- events that are not recorded --- */

Test(losses, without_takes_the_missing_event_is_named)
{
	run(listener);
	miss();
	run_callback(listener, SUBSCRIPTION_CALLBACK + 1);
	expect("");
	cr_assert_not(flow_linker_has_takes(linker));
	cr_assert_eq(diagnostics_count(diagnostics, DIAGNOSTIC_MISSING_EVENTS, "ros2:rmw_take"), 1);
}

/* Neither timers nor messages within a process are taken. */
Test(losses, without_takes_only_callbacks_that_may_take_lack_them)
{
	define_timer(listener, 1);
	run_callback(listener, TIMER_CALLBACK + 1);
	NEXT(CALLBACK_START, listener, SUBSCRIPTION_CALLBACK + 1, 1);
	end(listener, SUBSCRIPTION_CALLBACK + 1);
	finish();
	cr_assert_eq(diagnostics_count(diagnostics, DIAGNOSTIC_MISSING_EVENTS, "ros2:rmw_take"), 0);
}

Test(losses, a_callback_that_lacks_a_take_lacks_it_whatever_follows)
{
	run_callback(listener, SUBSCRIPTION_CALLBACK + 1);
	NEXT(CALLBACK_START, listener, SUBSCRIPTION_CALLBACK + 1, 1);
	end(listener, SUBSCRIPTION_CALLBACK + 1);
	finish();
	cr_assert_eq(diagnostics_count(diagnostics, DIAGNOSTIC_MISSING_EVENTS, "ros2:rmw_take"), 1);
}

Test(losses, with_takes_no_event_is_missing)
{
	send();
	expect("1+ ");
	cr_assert(flow_linker_has_takes(linker));
	cr_assert_eq(diagnostics_count(diagnostics, DIAGNOSTIC_MISSING_EVENTS, NULL), 0);
}

Test(losses, without_writes_the_missing_event_is_named)
{
	NEXT(RCL_PUBLISH, talker, MESSAGE, PUBLISHER + 1);
	handle(listener, 1, 501);
	expect("");
	cr_assert_eq(diagnostics_count(diagnostics, DIAGNOSTIC_MISSING_EVENTS, "ros2:rmw_publish"), 1);
}

Test(losses, with_events_of_rmw_only_messages_are_linked)
{
	flow_teardown_analysis();
	recording_teardown();
	flow_setup_recording();
	flow_setup_analysis();
	listen();
	for (uint64_t stamp = 501; stamp < 504; stamp++) {
		NEXT(RMW_PUBLISH, talker, MESSAGE, RMW_PUBLISHER + 1, stamp);
		if (stamp != 502) {
			NEXT(RMW_TAKE, listener, MESSAGE, RMW_SUBSCRIPTION + 1, stamp, 1);
		}
	}
	expect("1+ 2x 3+ ");
	cr_assert_eq(diagnostics_count(diagnostics, DIAGNOSTIC_MISSING_EVENTS, NULL), 0);
}

/* --- a publisher on a host with another clock --- */

static void define_robot(void)
{
	uint32_t trace =
		recording_add_trace(recording, &(struct recording_trace_info){ .name = "robot", .hostname = "robot" });

	recording_add_stream(recording, trace);
	talker = add_thread(trace, 9, 9);
	ends_at_once = true;
	define_publisher(talker, 1, "/a");
}

Test(losses, between_hosts_a_message_is_lost_as_well)
{
	define_robot();
	send();
	miss();
	send();
	expect("1+ 2x 3+ ");
}

Test(losses, between_hosts_the_break_may_come_before_the_publication)
{
	define_robot();
	send();
	now_ns += 10 * MS;
	lose_events(now_ns - 5 * MS, now_ns - 4 * MS);
	miss();
	send();
	expect("1+ 2? 3+ ");
}

Test(losses, between_hosts_a_break_before_the_previous_take_does_not_matter)
{
	define_robot();
	send();
	now_ns += 10 * MS;
	lose_events(now_ns - 5 * MS, now_ns - 4 * MS);
	send();
	miss();
	send();
	expect("1+ 2+ 3x 4+ ");
}

Test(losses, within_a_host_a_break_before_the_publication_does_not_matter)
{
	ends_at_once = true;
	send();
	now_ns += 10 * MS;
	lose_events(now_ns - 5 * MS, now_ns - 4 * MS);
	miss();
	send();
	expect("1+ 2x 3+ ");
}

/* Subscription 2 of /b keeps one message, which a timer takes itself. */
static void define_polled(void)
{
	define_publisher(talker, 2, "/b");
	NEXT(RCL_SUBSCRIPTION_INIT, listener, SUBSCRIPTION + 2, NODE, RMW_SUBSCRIPTION + 2, text("/b"), 1);
	define_timer(listener, 3);
}

/* 0: nothing was there. */
static void poll(uint64_t stamp)
{
	start(listener, TIMER_CALLBACK + 3);
	NEXT(RMW_TAKE, listener, MESSAGE, RMW_SUBSCRIPTION + 2, stamp, stamp != 0);
	end(listener, TIMER_CALLBACK + 3);
	now_ns += 30 * MS;
}

static void send_polled(void)
{
	publish(talker, 2, 500 + ++sent);
	now_ns += 5 * MS;
}

static void expect_polled(const char *expected)
{
	now_ns += 300 * MS;
	expect(expected);
}

Test(losses, what_a_later_message_replaced_before_it_was_taken_by_hand_is_overwritten)
{
	observed = 2;
	define_polled();
	send_polled();
	poll(501);
	send_polled();
	send_polled();
	send_polled();
	poll(504);
	send_polled();
	poll(505);
	expect_polled("1+ 2o 3o 4+ 5+ ");
}

/* Of another clock, it is unknown whether a take in vain came after the message. */
Test(losses, between_hosts_what_was_not_taken_by_hand_may_have_been_replaced)
{
	observed = 2;
	define_robot();
	define_polled();
	send_polled();
	poll(501);
	send_polled();
	send_polled();
	poll(503);
	expect_polled("1+ 2? 3+ ");
}

Test(losses, what_a_take_by_hand_has_not_found_is_lost)
{
	observed = 2;
	define_polled();
	send_polled();
	poll(501);
	send_polled();
	now_ns += 20 * MS;
	poll(0);
	send_polled();
	poll(503);
	expect_polled("1+ 2x 3+ ");
}

Test(losses, what_was_published_right_before_a_take_by_hand_may_have_arrived_after_it)
{
	observed = 2;
	define_polled();
	send_polled();
	poll(501);
	send_polled();
	poll(0);
	send_polled();
	poll(503);
	expect_polled("1+ 2o 3+ ");
}

static void send_polled_by(uint64_t publisher)
{
	publish(talker, publisher, 500 + ++sent);
	now_ns += 20 * MS;
}

Test(losses, a_take_by_hand_that_found_a_message_of_another_publisher_was_not_in_vain)
{
	observed = 2;
	define_polled();
	define_publisher(talker, 4, "/b");
	send_polled_by(2);
	poll(501);
	send_polled_by(4);
	poll(502);
	send_polled_by(2);
	send_polled_by(4);
	poll(504);
	send_polled_by(2);
	poll(505);
	expect_polled("1+ 2+ 4+ 3o 5+ ");
}

Test(losses, what_a_subscription_with_callbacks_did_not_receive_is_lost_whatever_its_depth)
{
	observed = 2;
	define_publisher(talker, 2, "/b");
	NEXT(RCL_SUBSCRIPTION_INIT, listener, SUBSCRIPTION + 2, NODE, RMW_SUBSCRIPTION + 2, text("/b"), 1);
	NEXT(RCLCPP_SUBSCRIPTION_INIT, listener, SUBSCRIPTION + 2, OBJECT + 2);
	NEXT(RCLCPP_SUBSCRIPTION_CALLBACK_ADDED, listener, OBJECT + 2, SUBSCRIPTION_CALLBACK + 2);
	send_polled();
	handle(listener, 2, 501);
	send_polled();
	send_polled();
	handle(listener, 2, 503);
	expect_polled("1+ 2x 3+ ");
}
