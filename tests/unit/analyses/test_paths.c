/* SPDX-License-Identifier: MIT */
#include "scripted_session.h"

static int64_t begin_ns; /* of the times of slices */

static void setup(void)
{
	scripted_setup();
	begin_ns = now_ns;
}

TestSuite(paths, .init = setup, .fini = scripted_teardown);

static void expect_paths(const char *expected)
{
	report();
	expect_rows("paths", "path count lost", expected);
}

static void expect_latencies(const char *expected)
{
	expect_column("path_instances", "latency_ns", expected);
}

#define HOP_COLUMNS "path_id hop transport_mean_ns wait_mean_ns callback_mean_ns kept_mean_ns"
#define WORST_HOP_COLUMNS "path_id rank hop topic node transport_ns wait_ns callback_ns kept_ns"

static void expect_worst(const char *expected)
{
	expect_rows("worst_paths", "path_id rank latency_ns", expected);
}

static void expect_holds(const char *expected)
{
	expect_rows("path_hops", "hop held_mean_ns held_by", expected);
}

static void list_worst(unsigned int count)
{
	kept_options.worst = count;
	begin_session_anew();
}

/* Timer 1 and publisher 1 of /a → subscription 1, publisher 2 of /b → subscription 2, publisher 3 of /c. */
static void define_chain(void)
{
	define_node(talker, "first");
	define_publisher(talker, 1, "/a");
	define_timer(talker, 1);
	define_subscription(talker, 2, "/b");
	define_publisher(talker, 3, "/c");
	define_node(listener, "second");
	define_subscription(listener, 1, "/a");
	define_publisher(listener, 2, "/b");
	define_subscription(listener, 3, "/c");
	define_timer(listener, 2);
	run(talker);
	run(listener);
}

static void publish_in_timer(uint64_t stamp)
{
	publish_in(talker, TIMER_CALLBACK + 1, 1, stamp);
}

Test(paths, latency_is_from_the_first_callbacks_start_to_the_last_callbacks_end)
{
	define_chain();
	publish_in_timer(500);
	pass_on(listener, 1, 500, 2, 501);
	handle(talker, 2, 501);
	expect_paths("/first > /a > /second > /b > /first|1|0\n");
	expect_latencies("17000");
}

static const char *label_name(const char *label)
{
	for (guint i = 0; i < row_count("timeline_path_labels"); i++) {
		if (strcmp(cell_of("timeline_path_labels", i, "label"), label) == 0 &&
		    strcmp(cell_of("timeline_path_labels", i, "key"), "name") == 0) {
			return cell_of("timeline_path_labels", i, "value");
		}
	}
	return NULL;
}

static int64_t slice_number(guint slice, const char *column)
{
	return g_ascii_strtoll(cell_of("timeline_path_events", slice, column), NULL, 10);
}

/* "begin end lane name\n", of the timeline */
static void expect_slices(const char *expected)
{
	g_autoptr(GString) text = g_string_new(NULL);

	for (guint i = 0; i < row_count("timeline_path_events"); i++) {
		g_string_append_printf(text, "%d %d %d %s\n", (int)(slice_number(i, "begin_ns") - begin_ns),
				       (int)(slice_number(i, "end_ns") - begin_ns),
				       (int)(slice_number(i, "track") & 0xffff),
				       label_name(cell_of("timeline_path_events", i, "label")));
	}
	cr_assert_str_eq(text->str, expected);
}

Test(paths, the_timeline_shows_what_a_traversal_consists_of)
{
	define_chain();
	begin_ns = now_ns;
	publish_in_timer(500);
	publish_in_timer(600);
	pass_on(listener, 1, 500, 2, 501);
	handle(talker, 2, 501);
	handle(listener, 1, 600);
	expect_paths("/first > /a > /second|1|0\n/first > /a > /second > /b > /first|1|0\n");
	expect_slices("1000 23000 0 /first > /a > /second > /b > /first\n"
		      "1000 2000 0 /first\n2000 14000 0 /a\n14000 15000 0 /second\n15000 22000 0 /b\n"
		      "22000 23000 0 /first\n"
		      "6000 28000 0 /first > /a > /second\n"
		      "6000 7000 0 /first\n7000 27000 0 /a\n27000 28000 0 /second\n");
}

Test(paths, traversals_that_overlap_are_on_different_lanes)
{
	define_chain();
	begin_ns = now_ns;
	publish_in_timer(500);
	publish_in_timer(600);
	handle(listener, 1, 500);
	handle(listener, 1, 600);
	expect_paths("/first > /a > /second|2|0\n");
	expect_slices("1000 15000 0 /first > /a > /second\n"
		      "1000 2000 0 /first\n2000 14000 0 /a\n14000 15000 0 /second\n"
		      "6000 20000 1 /first > /a > /second\n"
		      "6000 7000 1 /first\n7000 19000 1 /a\n19000 20000 1 /second\n");
}

Test(paths, a_publication_outside_any_callback_starts_a_path)
{
	define_chain();
	publish(talker, 1, 500);
	handle(listener, 1, 500);
	expect_paths("/first > /a > /second|1|0\n");
	expect_latencies("7000");
}

/* Of a callback that CARET began to record in its midst only the end is recorded. */
Test(paths, a_publication_may_be_of_a_callback_that_was_cut)
{
	define_chain();
	NEXT(CARET_INIT, talker, 0);
	publish(talker, 1, 500);
	end(talker, TIMER_CALLBACK + 1);
	pass_on(listener, 1, 500, 2, 501);
	handle(talker, 2, 501);
	expect_paths("/a > /second > /b > /first|1|0\n");
}

Test(paths, a_thread_that_only_publishes_is_in_no_callback_that_was_cut)
{
	define_chain();
	NEXT(CARET_INIT, talker, 0);
	run(talker);
	now_ns += 2 * NS_PER_S;
	publish(talker, 1, 500);
	handle(listener, 1, 500);
	expect_paths("/first > /a > /second|1|0\n");
}

Test(paths, a_thread_whose_callback_has_ended_is_in_no_callback_that_was_cut)
{
	define_chain();
	NEXT(CARET_INIT, talker, 0);
	end(talker, TIMER_CALLBACK + 1);
	publish(talker, 1, 500);
	handle(listener, 1, 500);
	expect_paths("/first > /a > /second|1|0\n");
}

Test(paths, a_process_without_definitions_ran_before_the_recording)
{
	define_node(listener, "second");
	define_subscription(listener, 1, "/a");
	define_publisher(listener, 2, "/b");
	define_subscription(listener, 3, "/b");
	publish(talker, 1, 500);
	end(talker, TIMER_CALLBACK + 1);
	pass_on(listener, 1, 500, 2, 501);
	handle(listener, 3, 501);
	expect_paths("/a > /second > /b > /second|1|0\n");
}

Test(paths, a_message_from_outside_the_trace_starts_a_path)
{
	define_chain();
	pass_on(listener, 1, 499, 2, 501);
	handle(talker, 2, 501);
	expect_paths("/a > /second > /b > /first|1|0\n");
	expect_latencies("9000");
}

Test(paths, a_timer_that_publishes_nothing_is_no_path)
{
	define_chain();
	run_callback(talker, TIMER_CALLBACK + 1);
	expect_paths("");
}

Test(paths, a_flow_branches_where_several_callbacks_follow)
{
	define_chain();
	define_subscription(talker, 4, "/a");
	publish_in_timer(500);
	handle(listener, 1, 500);
	handle(talker, 4, 500);
	expect_paths("/first > /a > /first|1|0\n/first > /a > /second|1|0\n");
	expect_latencies("9000 14000");
}

/* flow_linker_way() is never that of the message. */
Test(paths, of_two_callbacks_that_use_one_publisher_in_turn)
{
	define_chain();
	define_timer(talker, 5);
	for (uint64_t stamp = 500; stamp < 504; stamp++) {
		publish_in(talker, TIMER_CALLBACK + (stamp % 2 ? 5 : 1), 1, stamp);
		handle(listener, 1, stamp);
	}
	expect_paths("/first > /a > /second|2|0\n/first > /a > /second|2|0\n");
}

/* … nor here: it is that of the message before, and of the other subscription. */
Test(paths, of_messages_that_waited_for_the_one_before_them)
{
	define_chain();
	define_subscription(listener, 4, "/b");
	for (uint64_t stamp = 500; stamp < 504; stamp += 2) {
		start(talker, TIMER_CALLBACK + 1);
		NEXT(DDS_WRITE, talker, MESSAGE, RMW_PUBLISHER + 1);
		take(listener, 1, stamp);
		start(listener, SUBSCRIPTION_CALLBACK + 1);
		NEXT(DDS_WRITE, listener, MESSAGE, RMW_PUBLISHER + 2);
		end(listener, SUBSCRIPTION_CALLBACK + 1);
		handle(talker_2, 2, stamp + 1);
		handle(listener_2, 4, stamp + 1);
		NEXT(DDS_BIND_ADDR_TO_STAMP, listener, 0, stamp + 1);
		NEXT(DDS_BIND_ADDR_TO_STAMP, talker, 0, stamp);
		end(talker, TIMER_CALLBACK + 1);
	}
	expect_paths("/first > /a > /second > /b > /first|2|0\n/first > /a > /second > /b > /second|2|0\n");
}

Test(paths, a_path_is_complete_although_its_stamps_are_bound_late)
{
	define_chain();
	start(talker, TIMER_CALLBACK + 1);
	NEXT(DDS_WRITE, talker, MESSAGE, RMW_PUBLISHER + 1);
	take(listener, 1, 500);
	start(listener, SUBSCRIPTION_CALLBACK + 1);
	NEXT(DDS_WRITE, listener, MESSAGE, RMW_PUBLISHER + 2);
	end(listener, SUBSCRIPTION_CALLBACK + 1);
	handle(talker_2, 2, 501);
	NEXT(DDS_BIND_ADDR_TO_STAMP, listener, 0, 501);
	NEXT(DDS_BIND_ADDR_TO_STAMP, talker, 0, 500);
	end(talker, TIMER_CALLBACK + 1);
	expect_paths("/first > /a > /second > /b > /first|1|0\n");
	expect_latencies("12000");
}

Test(paths, a_lost_message_is_lost_for_the_path_that_it_would_have_gone_on)
{
	define_chain();
	publish_in_timer(500);
	handle(listener, 1, 500);
	now_ns += 200 * MS;
	publish_in_timer(501);
	publish_in_timer(502);
	handle(listener, 1, 502);
	now_ns += 200 * MS;
	publish_in_timer(503);
	handle(listener, 1, 503);
	expect_paths("/first > /a > /second|3|1\n");
}

Test(paths, a_message_that_comes_late_is_not_lost)
{
	define_chain();
	publish_in_timer(500);
	handle(listener, 1, 500);
	now_ns += 200 * MS;
	publish_in_timer(501);
	publish_in_timer(502);
	handle(listener, 1, 502);
	now_ns += 200 * MS;
	publish_in_timer(503);
	handle(listener, 1, 503);
	handle(listener_2, 1, 501);
	expect_paths("/first > /a > /second|4|0\n");
}

Test(paths, an_execution_without_end_has_no_latency)
{
	define_chain();
	publish_in_timer(500);
	take(listener, 1, 500);
	start(listener, SUBSCRIPTION_CALLBACK + 1);
	report();
	expect_latencies("");
}

/* Timer 1 and publisher 1 of /a → subscription 1, publisher 2 of /b → subscription 2, publisher 4 of /a → … */
static void play_ping_pong(unsigned int rounds)
{
	define_chain();
	define_publisher(talker, 4, "/a");
	publish_in_timer(1000);
	for (uint64_t stamp = 1000; stamp < 1000 + 2 * (uint64_t)rounds; stamp += 2) {
		pass_on(listener, 1, stamp, 2, stamp + 1);
		pass_on(talker, 2, stamp + 1, 4, stamp + 2);
	}
}

Test(paths, each_round_of_a_loop_is_a_traversal)
{
	choose_tables("paths");
	play_ping_pong(50000);
	/* the last message of the last round is under way */
	expect_paths("/a > /second > /b > /first > /a > /second|49998|0\n"
		     "/first > /a > /second > /b > /first > /a > /second|1|0\n");
}

/* What handles the message, publishes it again and again. */
static void play_echo(unsigned int echoes)
{
	define_chain();
	define_publisher(listener, 4, "/a");
	publish_in_timer(1000);
	for (uint64_t stamp = 1000; stamp < 1000 + (uint64_t)echoes; stamp++) {
		pass_on(listener, 1, stamp, 4, stamp + 1);
	}
	handle(listener, 1, 1000 + echoes);
}

Test(paths, a_callback_that_calls_itself_makes_rounds_too)
{
	play_echo(4);
	/* of 5 executions the first is not passed yet, the second ends the flow of the timer */
	expect_paths("/a > /second > /a > /second|3|0\n"
		     "/first > /a > /second > /a > /second|1|0\n");
}

Test(paths, a_round_begins_where_the_one_before_ends)
{
	play_echo(3);
	report();
	/* from the start of the timer, then from that of the execution at which the flow before ended; the last one
	 * publishes nothing, which takes 3 steps */
	expect_latencies("20000 12000 9000");
}

static void link_periodically(void)
{
	NEXT(MESSAGE_LINK_PERIODIC_ASYNC, listener, addresses(SUBSCRIPTION + 1, 0), addresses(PUBLISHER + 2, 0));
}

Test(paths, a_kept_message_goes_on_with_each_publication_that_uses_it)
{
	define_chain();
	link_periodically();
	publish_in_timer(500);
	handle(listener, 1, 500);
	for (uint64_t stamp = 600; stamp < 602; stamp++) {
		publish_in(listener, TIMER_CALLBACK + 2, 2, stamp);
		handle(talker, 2, stamp);
	}
	expect_paths("/first > /a > /second >> /b > /first|2|0\n/second > /b > /first|2|0\n");
	expect_latencies("9000 19000 9000 29000");
}

Test(paths, a_kept_message_goes_on_with_a_publication_outside_callbacks)
{
	define_chain();
	link_periodically();
	for (uint64_t stamp = 500; stamp < 700; stamp += 100) {
		publish_in_timer(stamp);
		handle(listener, 1, stamp);
		publish(listener, 2, stamp + 1);
		handle(talker, 2, stamp + 1);
	}
	expect_paths("/first > /a > /second >> /b > /first|2|0\n");
}

Test(paths, a_message_that_is_published_at_once_and_again_goes_both_ways)
{
	define_chain();
	link_periodically();
	for (uint64_t stamp = 500; stamp < 800; stamp += 100) {
		publish_in_timer(stamp);
		pass_on(listener, 1, stamp, 2, stamp + 1);
		handle(talker, 2, stamp + 1);
		publish_in(listener, TIMER_CALLBACK + 2, 2, stamp + 2);
		handle(talker, 2, stamp + 2);
	}
	expect_paths("/first > /a > /second > /b > /first|3|0\n"
		     "/first > /a > /second >> /b > /first|5|0\n"
		     "/second > /b > /first|3|0\n");
}

Test(paths, the_path_of_a_message_that_is_kept_at_the_end_of_the_trace_is_told)
{
	define_chain();
	link_periodically();
	publish_in_timer(500);
	handle(listener, 1, 500);
	expect_paths("/first > /a > /second|1|0\n");
	expect_latencies("9000");
}

Test(paths, hops_are_those_of_the_flows_that_ended_on_the_path)
{
	define_chain();
	publish_in_timer(500);
	now_ns += 50000;
	handle(listener, 1, 500);
	publish_in_timer(600);
	pass_on(listener, 1, 600, 2, 601);
	handle(talker, 2, 601);
	expect_paths("/first > /a > /second|1|0\n/first > /a > /second > /b > /first|1|0\n");
	expect_latencies("59000 17000");
	expect_rows("path_hops", HOP_COLUMNS,
		    "1|0|||1000|\n"
		    "1|1|54000|3000|1000|\n"
		    "2|0|||1000|\n"
		    "2|1|4000|3000|1000|\n"
		    "2|2|4000|3000|1000|\n");
}

Test(paths, a_kept_message_counts_as_kept_until_it_is_used)
{
	g_autofree char *hops = NULL;

	define_chain();
	link_periodically();
	publish_in_timer(500);
	handle(listener, 1, 500);
	publish_in(listener, TIMER_CALLBACK + 2, 2, 600);
	handle(talker, 2, 600);
	report();
	hops = rows_of("path_hops", HOP_COLUMNS);
	cr_assert(strstr(hops, "2|1|4000|3000|1000|2000\n") != NULL, "%s", hops);
}

static void hold_up(uint32_t thread, unsigned int steps)
{
	start(thread, TIMER_CALLBACK + 2);
	for (unsigned int i = 0; i < steps; i++) {
		NEXT(CARET_INIT, talker, 0);
	}
	end(thread, TIMER_CALLBACK + 2);
}

Test(paths, a_hop_names_the_callback_that_held_its_messages)
{
	define_chain();
	publish_in_timer(500);
	hold_up(listener, 5);
	pass_on(listener, 1, 500, 2, 501);
	handle(talker, 2, 501);
	publish_in_timer(600);
	pass_on(listener, 1, 600, 2, 601);
	handle(talker, 2, 601);
	expect_paths("/first > /a > /second > /b > /first|2|0\n");
	expect_holds("0||\n1|3000|/second 10.0 ms\n2|0|\n");
}

Test(paths, a_message_that_another_thread_takes_is_not_held)
{
	define_chain();
	publish_in_timer(500);
	hold_up(talker, 5);
	handle(listener, 1, 500);
	expect_paths("/first > /a > /second|1|0\n");
	expect_holds("0||\n1|0|\n");
}

Test(paths, a_worst_traversal_names_what_held_its_own_messages)
{
	list_worst(1);
	define_chain();
	publish_in_timer(500);
	hold_up(listener, 1);
	handle(listener, 1, 500);
	publish_in_timer(600);
	hold_up(listener, 9);
	handle(listener, 1, 600);
	expect_paths("/first > /a > /second|2|0\n");
	expect_holds("0||\n1|6000|/second 10.0 ms\n");
	expect_rows("worst_path_hops", "hop held_ns held_by", "0||\n1|10000|/second 10.0 ms\n");
}

Test(paths, the_worst_traversals_are_listed_with_their_own_hops)
{
	list_worst(2);
	define_chain();
	publish_in_timer(500);
	handle(listener, 1, 500);
	publish_in_timer(501);
	now_ns += 50000;
	handle(listener, 1, 501);
	publish_in_timer(502);
	now_ns += 20000;
	handle(listener, 1, 502);
	publish_in_timer(600);
	pass_on(listener, 1, 600, 2, 601);
	handle(talker, 2, 601);
	expect_paths("/first > /a > /second|3|0\n/first > /a > /second > /b > /first|1|0\n");
	expect_latencies("9000 59000 29000 17000");
	expect_worst("1|1|59000\n1|2|29000\n2|1|17000\n");
	expect_rows("worst_path_hops", WORST_HOP_COLUMNS,
		    "1|1|0||/first|||1000|\n"
		    "1|1|1|/a|/second|54000|3000|1000|\n"
		    "1|2|0||/first|||1000|\n"
		    "1|2|1|/a|/second|24000|3000|1000|\n"
		    "2|1|0||/first|||1000|\n"
		    "2|1|1|/a|/second|4000|3000|1000|\n"
		    "2|1|2|/b|/first|4000|3000|1000|\n");
}

Test(paths, the_hops_of_a_worst_traversal_say_how_long_a_message_was_kept)
{
	g_autofree char *worst = NULL, *hops = NULL;

	list_worst(1);
	define_chain();
	link_periodically();
	publish_in_timer(500);
	handle(listener, 1, 500);
	for (uint64_t stamp = 600; stamp < 602; stamp++) {
		publish_in(listener, TIMER_CALLBACK + 2, 2, stamp);
		handle(talker, 2, stamp);
	}
	report();
	expect_latencies("9000 19000 9000 29000");
	worst = rows_of("worst_paths", "rank latency_ns");
	cr_assert(strstr(worst, "1|29000\n"), "%s", worst);
	hops = rows_of("worst_path_hops", WORST_HOP_COLUMNS);
	cr_assert(strstr(hops, "/a|/second|4000|3000|1000|12000\n"), "%s", hops);
}

Test(paths, a_worst_traversal_from_outside_any_callback_has_no_callback_at_its_start)
{
	list_worst(1);
	define_chain();
	publish(talker, 1, 500);
	handle(listener, 1, 500);
	expect_paths("/first > /a > /second|1|0\n");
	expect_worst("1|1|7000\n");
	expect_rows("worst_path_hops", WORST_HOP_COLUMNS, "1|1|0||/first||||\n1|1|1|/a|/second|3000|3000|1000|\n");
}

Test(paths, no_traversal_is_one_of_the_worst_unless_it_was_asked_for)
{
	define_chain();
	publish_in_timer(500);
	handle(listener, 1, 500);
	expect_paths("/first > /a > /second|1|0\n");
	expect_worst("");
	expect_rows("worst_path_hops", WORST_HOP_COLUMNS, "");
}

/* --- many paths --- */

/* With as many publishers and subscriptions of a topic there are more paths than PATH_NODES_MAX. */
#define MANY 230
/* The other tables would have as many rows. */
#define MANY_TABLES "paths slowest_paths"

static void define_many(const char *topic)
{
	define_node(talker, "all");
	for (uint64_t i = 10; i < 10 + MANY; i++) {
		define_publisher(talker, i, topic);
	}
	define_node(listener, "everyone");
	for (uint64_t i = 10; i < 10 + MANY; i++) {
		define_subscription(listener, i, topic);
	}
	run(listener);
}

/* All of them receive one message of each publisher. */
static void publish_many(uint64_t stamp)
{
	for (uint64_t i = 10; i < 10 + MANY; i++) {
		publish(talker, i, stamp + i);
		for (uint64_t j = 10; j < 10 + MANY; j++) {
			handle(listener, j, stamp + i);
		}
	}
}

static void publish_in_chain(void)
{
	publish_in_timer(500);
	pass_on(listener, 1, 500, 2, 501);
	handle(talker, 2, 501);
}

static unsigned int count_rows(const char *end)
{
	g_autofree char *rows = rows_of("paths", "path count lost");
	g_auto(GStrv) lines = g_strsplit(rows, "\n", -1);
	unsigned int count = 0;

	for (size_t i = 0; lines[i]; i++) {
		count += g_str_has_suffix(lines[i], end);
	}
	return count;
}

Test(paths, of_hidden_names_do_not_use_up_what_others_need)
{
	choose_tables(MANY_TABLES);
	define_chain();
	define_many("/parameter_events");
	publish_many(10000);
	publish_in_chain();
	report();
	cr_expect_eq(count_rows("/first > /a > /second > /b > /first|1|0"), 1);
	cr_expect_eq(count_rows("/all > /parameter_events > /everyone|1|0"), MANY * MANY);
	cr_expect_null(kept_table("paths")->writer.note);
}

Test(paths, of_excluded_topics_do_not_use_up_what_others_need)
{
	const char *const globs[] = { "!/ma*", NULL };
	struct name_filter *topics = name_filter_create(globs);

	kept_options.names.topics = topics;
	choose_tables(MANY_TABLES);
	define_chain();
	define_many("/many");
	publish_many(10000);
	publish_in_chain();
	report();
	cr_expect_eq(count_rows("|0"), 1);
	cr_expect_eq(count_rows("/first > /a > /second > /b > /first|1|0"), 1);
	cr_expect_null(kept_table("paths")->writer.note);
	destroy_session();
	name_filter_destroy(topics);
}

/* Whatever follows is within the time range, the many paths so far are not. */
static void begin_range_after_many(void)
{
	int64_t range_begin_ns = now_ns + 1000 * MS;

	kept_names = MANY_TABLES;
	limit_range(range_begin_ns, INT64_MAX);
	define_chain();
	define_many("/many");
	publish_many(10000);
	now_ns = range_begin_ns;
}

Test(paths, outside_the_time_range_do_not_use_up_what_others_need)
{
	begin_range_after_many();
	publish_in_chain();
	report();
	cr_expect_eq(count_rows("|0"), 1);
	cr_expect_eq(count_rows("/first > /a > /second > /b > /first|1|0"), 1);
	cr_expect_null(kept_table("paths")->writer.note);
}

Test(paths, that_go_on_within_the_time_range_use_up_what_others_need)
{
	begin_range_after_many();
	publish_many(20000);
	publish_in_chain();
	report();
	cr_expect_eq(count_rows("/first > /a > /second > /b > /first|1|0"), 0);
	cr_expect_not_null(kept_table("paths")->writer.note);
}

/* Each timer begins a path; more than PATH_NODES_MAX do so before the time range, and again within it. */
Test(paths, that_begin_anew_within_the_time_range_use_up_what_others_need)
{
	const uint64_t first = 0x10000, last = first + 50000;
	int64_t range_begin_ns = now_ns + 5000 * MS;

	kept_names = MANY_TABLES;
	limit_range(range_begin_ns, INT64_MAX);
	define_chain();
	for (int round = 0; round < 2; round++) {
		for (uint64_t i = first; i <= last; i++) {
			run_callback(talker, i);
		}
		now_ns = MAX(now_ns, range_begin_ns);
	}
	publish_in_chain();
	report();
	cr_expect_eq(count_rows("/first > /a > /second > /b > /first|1|0"), 0);
}

Test(paths, that_are_too_many_are_counted_by_topic)
{
	uint64_t left_out;

	choose_tables(MANY_TABLES);
	define_chain();
	define_many("/many");
	publish_many(10000);
	publish_in_chain();
	report();
	left_out = diagnostics_count(session_pipeline(session)->diagnostics, DIAGNOSTIC_PATHS_CAPPED, "/many");
	cr_expect_gt(left_out, 0);
	cr_expect_eq(count_rows("/all > /many > /everyone|1|0"), MANY * MANY - left_out);
	cr_assert_not_null(kept_table("paths")->writer.note);
	cr_expect(g_str_has_prefix(kept_table("paths")->writer.note,
				   "too many different paths: traversals left out by /many ("));
	cr_expect_str_eq(kept_table("slowest_paths")->writer.note, kept_table("paths")->writer.note);
}

/* As for text: no table lists hidden names. */
Test(paths, of_hidden_names_are_only_counted_where_no_table_lists_them)
{
	kept_only_counts_hidden = true;
	choose_tables("paths");
	define_chain();
	define_publisher(talker, 10, "/rosout");
	define_subscription(listener, 10, "/rosout");
	define_subscription(listener, 11, "/rosout");
	publish(talker, 10, 600);
	handle(listener, 10, 600);
	handle(listener, 11, 600);
	publish(talker, 10, 601);
	handle(listener, 10, 601);
	publish_in_chain();
	expect_paths("/first > /a > /second > /b > /first|1|0\n");
	cr_expect_eq(kept_table("paths")->writer.hidden, 2);
}

/* The same of nodes: they are on the way, or at its end. */
Test(paths, through_hidden_nodes_are_only_counted_where_no_table_lists_them)
{
	kept_only_counts_hidden = true;
	choose_tables("paths");
	define_chain();
	define_hidden_subscription(listener, 4, "/a");
	define_publisher(listener, 5, "/c");
	define_subscription(talker, 5, "/c");
	publish_in_timer(500);
	pass_on(listener, 4, 500, 5, 501);
	handle(talker, 5, 501);
	publish_in_timer(600);
	handle(listener, 4, 600);
	publish_in_timer(700);
	pass_on(listener, 1, 700, 2, 701);
	handle(talker, 2, 701);
	expect_paths("/first > /a > /second > /b > /first|1|0\n");
	cr_expect_eq(kept_table("paths")->writer.hidden, 2);
}

/* /first > /a > /second > /b is followed by three callbacks; /a, by two. */
Test(paths, that_end_differently_are_one_of_the_slowest)
{
	define_chain();
	define_subscription(listener, 4, "/b");
	define_subscription(listener, 5, "/b");
	define_subscription(listener, 6, "/a");
	publish_in_timer(500);
	handle(listener, 6, 500);
	pass_on(listener, 1, 500, 2, 501);
	handle(listener, 4, 501);
	handle(listener, 5, 501);
	handle(talker, 2, 501);
	publish_in(listener, TIMER_CALLBACK + 2, 2, 502);
	handle(talker, 2, 502);
	report();
	expect_rows("slowest_paths", "path other_ends",
		    "/first > /a > /second > /b > /first|3\n/second > /b > /first|0\n");
}

/* Whether paths of hidden names are kept depends on what the report is for. */
Test(paths, of_hidden_names_are_no_other_ends)
{
	g_autofree char *all = NULL;

	define_chain();
	define_publisher(talker, 8, "/c");
	define_subscription(listener, 8, "/c");
	define_publisher(listener, 9, "/rosout");
	define_subscription(talker, 9, "/rosout");
	publish_in_timer(500);
	take(listener, 1, 500);
	start(listener, SUBSCRIPTION_CALLBACK + 1);
	publish(listener, 9, 900);
	publish(listener, 2, 501);
	end(listener, SUBSCRIPTION_CALLBACK + 1);
	handle(talker, 9, 900);
	pass_on(talker, 2, 501, 8, 502);
	handle(listener, 8, 502);
	report();
	expect_rows("slowest_paths", "path other_ends", "/first > /a > /second > /b > /first > /c > /second|0\n");
	all = rows_of("paths", "path");
	cr_expect_not_null(strstr(all, "/rosout"), "%s", all);
}

Test(paths, a_chain_of_a_thousand_callbacks_is_one_path)
{
	enum { LENGTH = 999 };
	g_autofree char *rows = NULL;

	define_node(talker, "node");
	define_timer(talker, 1);
	for (uint64_t i = 1; i <= LENGTH; i++) {
		g_autofree char *topic = g_strdup_printf("/t%d", (int)i);

		define_publisher(talker, 1000 + i, topic);
		define_subscription(talker, 1000 + i, topic);
	}
	run(talker);
	publish_in(talker, TIMER_CALLBACK + 1, 1001, 1);
	for (uint64_t i = 1; i < LENGTH; i++) {
		pass_on(talker, 1000 + i, i, 1001 + i, i + 1);
	}
	handle(talker, 1000 + LENGTH, LENGTH);
	report();
	rows = rows_of("paths", "path count lost");
	cr_assert(g_str_has_prefix(rows, "/node > /t1 > /node"));
	cr_assert(g_str_has_suffix(rows, " > /t999 > /node|1|0\n"));
}

/* --- nodes without rclcpp --- */

/* Timer 1 and publisher 1 of /a → subscription 1 of a node without rclcpp, publisher 2 of /b → subscription 2. */
static void define_plain_chain(void)
{
	define_node(talker, "first");
	define_publisher(talker, 1, "/a");
	define_timer(talker, 1);
	define_subscription(talker, 2, "/b");
	define_node(listener, "python");
	define_plain_subscription(listener, 1, "/a");
	define_plain_subscription(listener, 3, "/x");
	define_publisher(listener, 2, "/b");
	run(talker);
}

Test(paths, go_through_a_node_without_rclcpp)
{
	define_plain_chain();
	for (uint64_t i = 1; i <= 6; i++) {
		publish_in_timer(100 * i);
		take_plain(listener, 1, 100 * i);
		publish_plain(listener, 2, 100 * i + 1);
		now_ns += 10 * MS;
		handle(talker, 2, 100 * i + 1);
	}
	expect_paths("/first > /a ~> /python > /b > /first|6|0\n");
	/* timer, 3 steps of publish, take, 2 steps of publish, 3 of take, start, end: the take is the start */
	expect_rows("path_hops", HOP_COLUMNS,
		    "1|0|||1000|\n"
		    "1|1|4000||2000|\n"
		    "1|2|10002000|3000|1000|\n");
	expect_latencies("10013000 10013000 10013000 10013000 10013000 10013000");
}

Test(paths, end_with_the_take_of_a_node_without_rclcpp)
{
	define_plain_chain();
	publish_in_timer(100);
	take_plain(listener, 1, 100);
	expect_paths("/first > /a ~> /python|1|0\n");
	expect_latencies("5000");
}

/* The second thread records no event after the take until long after later messages were taken. */
Test(paths, a_message_in_the_hand_of_an_idle_thread_is_not_lost)
{
	define_plain_chain();
	publish_in_timer(100);
	take_plain(listener, 1, 100);
	publish_in_timer(200);
	take_plain(listener_2, 1, 200);
	for (uint64_t i = 3; i <= 30; i++) {
		now_ns += 200 * MS;
		publish_in_timer(100 * i);
		take_plain(listener, 1, 100 * i);
	}
	take_plain(listener_2, 1, 0);
	expect_paths("/first > /a ~> /python|30|0\n");
}

Test(paths, begin_at_publications_of_undecided_origin)
{
	define_plain_chain();
	/* Too few to tell. */
	publish_in_timer(100);
	take_plain(listener, 1, 100);
	publish_plain(listener, 2, 101);
	handle(talker, 2, 101);
	expect_paths("/first > /a ~> /python|1|0\n"
		     "/python > /b > /first|1|0\n");
}

Test(paths, of_publications_with_different_candidates_are_one_path)
{
	define_plain_chain();
	define_publisher(talker, 4, "/x");
	/* After takes of both, at no constant distance. */
	for (uint64_t i = 1; i <= 8; i++) {
		uint64_t publisher = i % 2 ? 1 : 4;

		publish(talker, publisher, 100 * i);
		take_plain(listener, publisher == 1 ? 1 : 3, 100 * i);
		now_ns += (int64_t)(i * i) * MS;
		publish_plain(listener, 2, 100 * i + 1);
		handle(talker, 2, 100 * i + 1);
	}
	expect_paths("/first > /a ~> /python|4|0\n"
		     "/first > /x ~> /python|4|0\n"
		     "/python > /b > /first|8|0\n");
}

Test(paths, lose_messages_of_a_node_without_rclcpp)
{
	define_plain_chain();
	for (uint64_t i = 1; i <= 7; i++) {
		publish_in_timer(100 * i);
		take_plain(listener, 1, 100 * i);
		publish_plain(listener, 2, 100 * i + 1);
		if (i != 4) {
			handle(talker, 2, 100 * i + 1);
		}
		now_ns += 200 * MS;
	}
	run(talker);
	expect_paths("/first > /a ~> /python > /b > /first|6|1\n");
}

/* A flow on a condition needs two nodes at its beginning, with and without it, and there is room for one of them only.
 */
Test(paths, a_beginning_on_a_condition_may_fit_in_part)
{
	int left =
		49995; /* PATH_NODES_MAX without five: the timer, the take, what follows both, and the first of two */

	choose_tables("paths");
	define_plain_chain();
	define_node(talker_2, "all");
	define_node(listener_2, "everyone");
	for (uint64_t i = 10; i < 10 + MANY; i++) {
		define_publisher(talker_2, i, "/many");
		define_subscription(listener_2, i, "/many");
	}
	run(listener_2);
	publish_in_timer(100);
	take_plain(listener, 1, 100);
	for (uint64_t i = 10; left > 0; i++) {
		publish(talker_2, i, 10000 + i);
		left--;
		for (uint64_t j = 10; j < 10 + MANY && left > 0; j++, left--) {
			handle(listener_2, j, 10000 + i);
		}
	}
	publish_plain(listener, 2, 101);
	handle(talker, 2, 101);
	report();
	cr_assert_eq(diagnostics_count(session_pipeline(session)->diagnostics, DIAGNOSTIC_PATHS_CAPPED, "/b"), 1);
	cr_assert_eq(count_rows("/python|1|0"), 1);
}

/* --- where no takes are recorded --- */

static void publish_untaken(uint32_t thread, uint64_t number)
{
	NEXT(RCLCPP_PUBLISH, thread, MESSAGE);
	NEXT(RCL_PUBLISH, thread, MESSAGE, PUBLISHER + number);
}

static void publish_untaken_in(uint32_t thread, uint64_t callback, uint64_t number)
{
	start(thread, callback);
	publish_untaken(thread, number);
	end(thread, callback);
}

/* The chain, long after the middleware has matched everybody; executors have rested once. */
static void define_untaken_chain(void)
{
	define_chain();
	now_ns += 2000 * MS;
	run_callback(listener, TIMER_CALLBACK + 2);
	run_callback(talker, TIMER_CALLBACK + 1);
	now_ns += 20 * MS;
}

/* Callbacks are linked when they have ended, those that published what others received as well as the last one. */
Test(paths, a_path_goes_on_by_what_a_callback_without_take_published)
{
	define_untaken_chain();
	define_subscription(listener, 5, "/c");
	now_ns += 20 * MS;
	for (int i = 0; i < 2; i++) {
		publish_untaken_in(talker, TIMER_CALLBACK + 1, 1);
		publish_untaken_in(listener, SUBSCRIPTION_CALLBACK + 1, 2);
		publish_untaken_in(talker, SUBSCRIPTION_CALLBACK + 2, 3);
		run_callback(listener, SUBSCRIPTION_CALLBACK + 5);
		now_ns += 20 * MS;
	}
	run(talker);
	expect_paths("/first > /a > /second > /b > /first > /c > /second|2|0\n");
	expect_latencies("13000 13000");
}

static void rest(void)
{
	now_ns += 20 * MS;
}

Test(paths, end_with_executions_that_were_over_before_their_messages_were_known)
{
	define_untaken_chain();
	for (int i = 0; i < 3; i++) {
		publish_untaken_in(talker, TIMER_CALLBACK + 1, 1);
		publish_untaken_in(listener, SUBSCRIPTION_CALLBACK + 1, 2);
		run_callback(talker, SUBSCRIPTION_CALLBACK + 2);
		rest();
	}
	rest();
	run(talker);
	run(listener);
	expect_paths("/first > /a > /second > /b > /first|3|0\n");
}

/* Of most of these traversals, only the times are added up: not of the first ones, and not of the longest. */
Test(paths, times_add_up_where_no_takes_are_recorded)
{
	choose_tables("paths path_hops");
	define_untaken_chain();
	for (int i = 0; i < 80; i++) {
		publish_untaken_in(talker, TIMER_CALLBACK + 1, 1);
		now_ns += i == 50 || i == 51 ? 40000 : 0;
		if (i % 2 == 0) {
			run_callback(listener, SUBSCRIPTION_CALLBACK + 1);
		} else {
			publish_untaken_in(listener, SUBSCRIPTION_CALLBACK + 1, 2);
			run_callback(talker, SUBSCRIPTION_CALLBACK + 2);
		}
		rest();
	}
	rest();
	run(talker);
	run(listener);
	expect_paths("/first > /a > /second|40|0\n/first > /a > /second > /b > /first|40|0\n");
	expect_rows("paths", "latency_sum_ns latency_max_ns rate_hz latched",
		    "240000|45000|24.98872304|0\n400000|49000|24.98872304|0\n");
	expect_rows("path_hops", HOP_COLUMNS " held_mean_ns",
		    "1|0|||1000||\n"
		    "1|1|4000|0|1000||\n"
		    "2|0|||1000||\n"
		    "2|1|4000|0|1000||\n"
		    "2|2|3000|0|1000||\n");
}

/* Which ends when the callbacks have run 21 times. */
Test(paths, a_time_range_limits_what_adds_up_where_no_takes_are_recorded)
{
	choose_tables("paths communications");
	limit_range(0, now_ns + 2430 * MS);
	define_untaken_chain();
	define_subscription(talker, 5, "/a");
	run(talker);
	for (int i = 0; i < 40; i++) {
		publish_untaken_in(talker, TIMER_CALLBACK + 1, 1);
		run_callback(listener, SUBSCRIPTION_CALLBACK + 1);
		run_callback(talker, SUBSCRIPTION_CALLBACK + 5);
		rest();
	}
	rest();
	run(talker);
	run(listener);
	expect_paths("/first > /a > /first|21|0\n/first > /a > /second|21|0\n");
	expect_rows("communications", "topic received latency_count", "/a|21|21\n/a|21|21\n");
}

Test(paths, each_round_is_a_traversal_where_no_takes_are_recorded)
{
	define_untaken_chain();
	define_publisher(listener, 4, "/a");
	now_ns += 2000 * MS;
	publish_untaken_in(talker, TIMER_CALLBACK + 1, 1);
	for (int i = 0; i < 4; i++) {
		publish_untaken_in(listener, SUBSCRIPTION_CALLBACK + 1, 4);
	}
	run_callback(listener, SUBSCRIPTION_CALLBACK + 1);
	rest();
	run(talker);
	run(listener);
	/* as of play_echo() */
	expect_paths("/a > /second > /a > /second|3|0\n"
		     "/first > /a > /second > /a > /second|1|0\n");
}

Test(paths, a_kept_message_goes_on_where_no_takes_are_recorded)
{
	define_untaken_chain();
	link_periodically();
	for (int i = 0; i < 2; i++) {
		publish_untaken_in(talker, TIMER_CALLBACK + 1, 1);
		run_callback(listener, SUBSCRIPTION_CALLBACK + 1);
		rest();
		publish_untaken(listener, 2);
		run_callback(talker, SUBSCRIPTION_CALLBACK + 2);
		rest();
	}
	rest();
	run(talker);
	run(listener);
	expect_paths("/first > /a > /second >> /b > /first|2|0\n");
}
