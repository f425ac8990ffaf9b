/* SPDX-License-Identifier: MIT */
#include <inttypes.h>

#include "flow_records.h"
#include "core/analyses/analyses.h"
#include "core/model/object_numbers.h"
#include "core/model/thread_history.h"
#include "core/base/name_filter.h"
#include "core/tables/timeline_tables.h"

/* Keeps the rows of `paths` as "path|count|lost\n" and those of `path_instances` as "latency_ns ". */
struct keeper {
	struct table_writer writer;
	GString *text;
};

static struct keeper path_rows, instance_rows, hop_rows, slow_rows, worst_rows, worst_hop_rows;
static struct analysis_options options;
static struct analysis *paths;
static struct thread_history *thread_history;
static struct object_numbers *numbers;
static int64_t begin_ns; /* of the times of slices */

static void keep_path(struct table_writer *writer, const struct cell *cells)
{
	g_string_append_printf(path_rows.text, "%s|%d|%d\n", cells[1].text, (int)cells[3].unsigned_integer,
			       (int)cells[4].unsigned_integer);
}

static void keep_instance(struct table_writer *writer, const struct cell *cells)
{
	g_string_append_printf(instance_rows.text, "%d ", (int)cells[5].integer);
}

/* "path|other ends\n" */
static void keep_slow(struct table_writer *writer, const struct cell *cells)
{
	g_string_append_printf(slow_rows.text, "%s|%d\n", cells[0].text, (int)cells[12].unsigned_integer);
}

static GString *holds;

/* "hop held held_by\n", of path_hops and worst_path_hops */
static void append_hold(uint64_t hop, int held_ns, const struct cell *held_by)
{
	g_string_append_printf(holds, "%d %d %s\n", (int)hop, held_ns,
			       held_by->type == CELL_TEXT ? held_by->text : "-");
}

/* "path hop transport wait callback kept\n", means in ns */
static void keep_hop(struct table_writer *writer, const struct cell *cells)
{
	g_string_append_printf(hop_rows.text, "%d %d", (int)cells[0].unsigned_integer, (int)cells[1].unsigned_integer);
	for (int i = 4; i < 8; i++) {
		g_string_append_printf(hop_rows.text, " %d", (int)cells[i].real);
	}
	g_string_append_c(hop_rows.text, '\n');
	append_hold(cells[1].unsigned_integer, cells[10].type == CELL_EMPTY ? -1 : (int)cells[10].real, &cells[9]);
}

/* "path rank latency\n" */
static void keep_worst(struct table_writer *writer, const struct cell *cells)
{
	g_string_append_printf(worst_rows.text, "%d %d %d\n", (int)cells[0].unsigned_integer,
			       (int)cells[1].unsigned_integer, (int)cells[3].integer);
}

/* "path rank hop topic>node transport wait callback kept\n", - for cells that are empty */
static void keep_worst_hop(struct table_writer *writer, const struct cell *cells)
{
	GString *text = worst_hop_rows.text;

	g_string_append_printf(text, "%d %d %d %s>%s", (int)cells[0].unsigned_integer, (int)cells[1].unsigned_integer,
			       (int)cells[2].unsigned_integer, cells[3].type == CELL_TEXT ? cells[3].text : "",
			       cells[4].text);
	for (int i = 5; i < 9; i++) {
		if (cells[i].type == CELL_EMPTY) {
			g_string_append(text, " -");
		} else {
			g_string_append_printf(text, " %d", (int)cells[i].integer);
		}
	}
	g_string_append_c(text, '\n');
	append_hold(cells[2].unsigned_integer, cells[10].type == CELL_EMPTY ? -1 : (int)cells[10].integer, &cells[9]);
}

/* "[begin end lane name\n", of the timeline; the names are there after expect() */
static GString *slices;
static GHashTable *label_names; /* id → owned name */

static void keep_slice(struct table_writer *writer, const struct cell *cells)
{
	g_string_append_printf(slices, "%d %d %d %" G_GUINT64_FORMAT "\n",
			       (int)(cells[TIMELINE_EVENT_BEGIN].integer - begin_ns),
			       (int)(cells[TIMELINE_EVENT_END].integer - begin_ns),
			       (int)(cells[TIMELINE_EVENT_TRACK].unsigned_integer & 0xffff),
			       cells[TIMELINE_EVENT_LABEL].unsigned_integer);
}

static void keep_label(struct table_writer *writer, const struct cell *cells)
{
	if (strcmp(cells[TIMELINE_LABEL_KEY].text, "name") == 0) {
		g_hash_table_insert(label_names, g_strdup_printf("%" PRIu64, cells[TIMELINE_LABEL_ID].unsigned_integer),
				    g_strdup(cells[TIMELINE_LABEL_VALUE].text));
	}
}

static void ignore_row(struct table_writer *writer, const struct cell *cells)
{
}

static struct table_writer slice_writer = { .row = keep_slice }, label_writer = { .row = keep_label },
			   track_writer = { .row = ignore_row };

static struct table_writer *const writers[] = {
	&path_rows.writer,
	&hop_rows.writer,
	&instance_rows.writer,
	NULL,
	&slow_rows.writer,
	&worst_rows.writer,
	&worst_hop_rows.writer,
	&track_writer,
	&label_writer,
	&slice_writer,
	NULL,
	NULL,
};

/* Begins with an empty model, after flow_setup_recording(). */
static void setup_analysis(struct table_writer *const *for_tables)
{
	static const struct analysis_span span; /* nothing has ended */
	struct analysis_context context;

	flow_setup_analysis();
	thread_history = thread_history_create(recording, executions);
	numbers = object_numbers_create(recording, model);
	context = (struct analysis_context){
		.recording = recording,
		.model = model,
		.diagnostics = diagnostics,
		.executions = executions,
		.flows = linker,
		.threads = thread_history,
		.numbers = numbers,
		.options = &options,
		.span = &span,
	};
	paths = analysis_create(&paths_analysis, &context, for_tables);
}

static void teardown_analysis(void)
{
	flow_teardown_analysis();
	thread_history_destroy(thread_history);
}

static void setup(void)
{
	options = (struct analysis_options){ 0 };
	path_rows = (struct keeper){ .writer.row = keep_path, .text = g_string_new(NULL) };
	instance_rows = (struct keeper){ .writer.row = keep_instance, .text = g_string_new(NULL) };
	hop_rows = (struct keeper){ .writer.row = keep_hop, .text = g_string_new(NULL) };
	slow_rows = (struct keeper){ .writer.row = keep_slow, .text = g_string_new(NULL) };
	worst_rows = (struct keeper){ .writer.row = keep_worst, .text = g_string_new(NULL) };
	worst_hop_rows = (struct keeper){ .writer.row = keep_worst_hop, .text = g_string_new(NULL) };
	holds = g_string_new(NULL);
	slices = g_string_new(NULL);
	label_names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	flow_setup_recording();
	begin_ns = now_ns;
	setup_analysis(writers);
}

static void teardown(void)
{
	teardown_analysis();
	recording_teardown();
	g_string_free(holds, TRUE);
	g_string_free(slices, TRUE);
	g_hash_table_unref(label_names);
	g_string_free(path_rows.text, TRUE);
	g_string_free(instance_rows.text, TRUE);
	g_string_free(hop_rows.text, TRUE);
	g_string_free(slow_rows.text, TRUE);
	g_string_free(worst_rows.text, TRUE);
	g_string_free(worst_hop_rows.text, TRUE);
}

TestSuite(paths, .init = setup, .fini = teardown);

static void expect(const char *expected)
{
	finish();
	paths_analysis.finish(paths);
	paths_analysis.write(paths, writers);
	cr_assert_str_eq(path_rows.text->str, expected);
}

static void expect_latencies(const char *expected)
{
	cr_assert_str_eq(instance_rows.text->str, expected);
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
	start(talker, TIMER_CALLBACK + 1);
	publish(talker, 1, stamp);
	end(talker, TIMER_CALLBACK + 1);
}

/* The callback of a subscription publishes. */
static void pass_on(uint32_t thread, uint64_t subscription, uint64_t stamp, uint64_t publisher, uint64_t next_stamp)
{
	take(thread, subscription, stamp);
	start(thread, SUBSCRIPTION_CALLBACK + subscription);
	publish(thread, publisher, next_stamp);
	end(thread, SUBSCRIPTION_CALLBACK + subscription);
}

Test(paths, latency_is_from_the_first_callbacks_start_to_the_last_callbacks_end)
{
	define_chain();
	publish_in_timer(500);
	pass_on(listener, 1, 500, 2, 501);
	handle(talker, 2, 501);
	expect("/first > /a > /second > /b > /first|1|0\n");
	expect_latencies("17000 ");
}

static void expect_slices(const char *expected)
{
	g_auto(GStrv) lines = g_strsplit(slices->str, "\n", -1);
	g_autoptr(GString) text = g_string_new(NULL);

	for (size_t i = 0; lines[i][0] != '\0'; i++) {
		char *id = strrchr(lines[i], ' ');

		g_string_append_printf(text, "%.*s %s\n", (int)(id - lines[i]), lines[i],
				       (const char *)g_hash_table_lookup(label_names, id + 1));
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
	expect("/first > /a > /second|1|0\n/first > /a > /second > /b > /first|1|0\n");
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
	expect("/first > /a > /second|2|0\n");
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
	expect("/first > /a > /second|1|0\n");
	expect_latencies("7000 ");
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
	expect("/a > /second > /b > /first|1|0\n");
}

Test(paths, a_thread_that_only_publishes_is_in_no_callback_that_was_cut)
{
	define_chain();
	NEXT(CARET_INIT, talker, 0);
	run(talker);
	now_ns += 2 * NS_PER_S;
	publish(talker, 1, 500);
	handle(listener, 1, 500);
	expect("/first > /a > /second|1|0\n");
}

Test(paths, a_thread_whose_callback_has_ended_is_in_no_callback_that_was_cut)
{
	define_chain();
	NEXT(CARET_INIT, talker, 0);
	end(talker, TIMER_CALLBACK + 1);
	publish(talker, 1, 500);
	handle(listener, 1, 500);
	expect("/first > /a > /second|1|0\n");
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
	expect("/a > /second > /b > /second|1|0\n");
}

Test(paths, a_message_from_outside_the_trace_starts_a_path)
{
	define_chain();
	pass_on(listener, 1, 499, 2, 501);
	handle(talker, 2, 501);
	expect("/a > /second > /b > /first|1|0\n");
	expect_latencies("9000 ");
}

Test(paths, a_timer_that_publishes_nothing_is_no_path)
{
	define_chain();
	start(talker, TIMER_CALLBACK + 1);
	end(talker, TIMER_CALLBACK + 1);
	expect("");
}

Test(paths, a_flow_branches_where_several_callbacks_follow)
{
	define_chain();
	define_subscription(talker, 4, "/a");
	publish_in_timer(500);
	handle(listener, 1, 500);
	handle(talker, 4, 500);
	expect("/first > /a > /first|1|0\n/first > /a > /second|1|0\n");
	expect_latencies("9000 14000 ");
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
	expect("/first > /a > /second > /b > /first|1|0\n");
	expect_latencies("12000 ");
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
	expect("/first > /a > /second|3|1\n");
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
	expect("/first > /a > /second|4|0\n");
}

Test(paths, an_execution_without_end_has_no_latency)
{
	define_chain();
	publish_in_timer(500);
	take(listener, 1, 500);
	start(listener, SUBSCRIPTION_CALLBACK + 1);
	finish();
	paths_analysis.write(paths, writers);
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
	play_ping_pong(50000);
	/* the last message of the last round is under way */
	expect("/a > /second > /b > /first > /a > /second|49998|0\n"
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
	expect("/a > /second > /a > /second|3|0\n"
	       "/first > /a > /second > /a > /second|1|0\n");
}

Test(paths, a_round_begins_where_the_one_before_ends)
{
	play_echo(3);
	finish();
	paths_analysis.write(paths, writers);
	/* from the start of the timer, then from that of the execution at which the flow before ended; the last one
	 * publishes nothing, which takes 3 steps */
	cr_assert_str_eq(instance_rows.text->str, "20000 12000 9000 ", "%s", instance_rows.text->str);
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
		start(listener, TIMER_CALLBACK + 2);
		publish(listener, 2, stamp);
		end(listener, TIMER_CALLBACK + 2);
		handle(talker, 2, stamp);
	}
	expect("/first > /a > /second >> /b > /first|2|0\n/second > /b > /first|2|0\n");
	expect_latencies("9000 19000 9000 29000 ");
}

Test(paths, the_path_of_a_message_that_is_kept_at_the_end_of_the_trace_is_told)
{
	define_chain();
	link_periodically();
	publish_in_timer(500);
	handle(listener, 1, 500);
	expect("/first > /a > /second|1|0\n");
	expect_latencies("9000 ");
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
	expect("/first > /a > /second|1|0\n/first > /a > /second > /b > /first|1|0\n");
	expect_latencies("59000 17000 ");
	cr_assert_str_eq(hop_rows.text->str, "1 0 0 0 1000 0\n"
					     "1 1 54000 3000 1000 0\n"
					     "2 0 0 0 1000 0\n"
					     "2 1 4000 3000 1000 0\n"
					     "2 2 4000 3000 1000 0\n");
}

Test(paths, a_kept_message_counts_as_kept_until_it_is_used)
{
	define_chain();
	link_periodically();
	publish_in_timer(500);
	handle(listener, 1, 500);
	start(listener, TIMER_CALLBACK + 2);
	publish(listener, 2, 600);
	end(listener, TIMER_CALLBACK + 2);
	handle(talker, 2, 600);
	finish();
	paths_analysis.write(paths, writers);
	cr_assert(strstr(hop_rows.text->str, "2 1 4000 3000 1000 2000\n") != NULL, "%s", hop_rows.text->str);
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
	expect("/first > /a > /second > /b > /first|2|0\n");
	cr_assert_str_eq(holds->str, "0 -1 -\n1 3000 /second 10.0 ms\n2 0 -\n");
}

Test(paths, a_message_that_another_thread_takes_is_not_held)
{
	define_chain();
	publish_in_timer(500);
	hold_up(talker, 5);
	handle(listener, 1, 500);
	expect("/first > /a > /second|1|0\n");
	cr_assert_str_eq(holds->str, "0 -1 -\n1 0 -\n");
}

Test(paths, a_worst_traversal_names_what_held_its_own_messages)
{
	options.worst = 1;
	define_chain();
	publish_in_timer(500);
	hold_up(listener, 1);
	handle(listener, 1, 500);
	publish_in_timer(600);
	hold_up(listener, 9);
	handle(listener, 1, 600);
	expect("/first > /a > /second|2|0\n");
	cr_assert_str_eq(holds->str, "0 -1 -\n1 6000 /second 10.0 ms\n0 -1 -\n1 10000 /second 10.0 ms\n");
}

Test(paths, the_worst_traversals_are_listed_with_their_own_hops)
{
	options.worst = 2;
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
	expect("/first > /a > /second|3|0\n/first > /a > /second > /b > /first|1|0\n");
	expect_latencies("9000 59000 29000 17000 ");
	cr_assert_str_eq(worst_rows.text->str, "1 1 59000\n1 2 29000\n2 1 17000\n");
	cr_assert_str_eq(worst_hop_rows.text->str, "1 1 0 >/first - - 1000 -\n"
						   "1 1 1 /a>/second 54000 3000 1000 -\n"
						   "1 2 0 >/first - - 1000 -\n"
						   "1 2 1 /a>/second 24000 3000 1000 -\n"
						   "2 1 0 >/first - - 1000 -\n"
						   "2 1 1 /a>/second 4000 3000 1000 -\n"
						   "2 1 2 /b>/first 4000 3000 1000 -\n");
}

Test(paths, the_hops_of_a_worst_traversal_say_how_long_a_message_was_kept)
{
	options.worst = 1;
	define_chain();
	link_periodically();
	publish_in_timer(500);
	handle(listener, 1, 500);
	for (uint64_t stamp = 600; stamp < 602; stamp++) {
		start(listener, TIMER_CALLBACK + 2);
		publish(listener, 2, stamp);
		end(listener, TIMER_CALLBACK + 2);
		handle(talker, 2, stamp);
	}
	finish();
	paths_analysis.write(paths, writers);
	expect_latencies("9000 19000 9000 29000 ");
	cr_assert(strstr(worst_rows.text->str, " 1 29000\n"), "%s", worst_rows.text->str);
	cr_assert(strstr(worst_hop_rows.text->str, "/a>/second 4000 3000 1000 12000\n"), "%s",
		  worst_hop_rows.text->str);
}

Test(paths, a_worst_traversal_from_outside_any_callback_has_no_callback_at_its_start)
{
	options.worst = 1;
	define_chain();
	publish(talker, 1, 500);
	handle(listener, 1, 500);
	expect("/first > /a > /second|1|0\n");
	cr_assert_str_eq(worst_rows.text->str, "1 1 7000\n");
	cr_assert_str_eq(worst_hop_rows.text->str, "1 1 0 >/first - - - -\n1 1 1 /a>/second 3000 3000 1000 -\n");
}

Test(paths, no_traversal_is_one_of_the_worst_unless_it_was_asked_for)
{
	define_chain();
	publish_in_timer(500);
	handle(listener, 1, 500);
	expect("/first > /a > /second|1|0\n");
	cr_assert_str_eq(worst_rows.text->str, "");
	cr_assert_str_eq(worst_hop_rows.text->str, "");
}

/* --- many paths --- */

/* With as many publishers and subscriptions of a topic there are more paths than PATH_NODES_MAX. */
#define MANY 230

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
static void publish_many(void)
{
	for (uint64_t i = 10; i < 10 + MANY; i++) {
		publish(talker, i, 10000 + i);
		for (uint64_t j = 10; j < 10 + MANY; j++) {
			handle(listener, j, 10000 + i);
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
	g_auto(GStrv) lines = g_strsplit(path_rows.text->str, "\n", -1);
	unsigned int count = 0;

	for (size_t i = 0; lines[i]; i++) {
		count += g_str_has_suffix(lines[i], end);
	}
	return count;
}

static void finish_and_write(void)
{
	finish();
	paths_analysis.finish(paths);
	paths_analysis.write(paths, writers);
}

Test(paths, of_hidden_names_do_not_use_up_what_others_need)
{
	define_chain();
	define_many("/parameter_events");
	publish_many();
	publish_in_chain();
	finish_and_write();
	cr_expect_eq(count_rows("/first > /a > /second > /b > /first|1|0"), 1);
	cr_expect_eq(count_rows("/all > /parameter_events > /everyone|1|0"), MANY * MANY);
	cr_expect_null(path_rows.writer.note);
}

Test(paths, of_excluded_topics_do_not_use_up_what_others_need)
{
	const char *const globs[] = { "!/ma*", NULL };
	struct name_filter *topics = name_filter_create(globs);

	options.names.topics = topics;
	define_chain();
	define_many("/many");
	publish_many();
	publish_in_chain();
	finish_and_write();
	cr_expect_eq(count_rows("|0"), 1);
	cr_expect_eq(count_rows("/first > /a > /second > /b > /first|1|0"), 1);
	cr_expect_null(path_rows.writer.note);
	options.names.topics = NULL;
	name_filter_destroy(topics);
}

Test(paths, outside_the_time_range_do_not_use_up_what_others_need)
{
	options.range = (struct time_range){ .has_begin = true, .begin_ns = now_ns + 1000 * MS };
	define_chain();
	define_many("/many");
	publish_many();
	now_ns = options.range.begin_ns;
	publish_in_chain();
	finish_and_write();
	cr_expect_eq(count_rows("|0"), 1);
	cr_expect_eq(count_rows("/first > /a > /second > /b > /first|1|0"), 1);
	cr_expect_null(path_rows.writer.note);
}

Test(paths, that_are_too_many_are_counted_by_topic)
{
	uint64_t left_out;

	define_chain();
	define_many("/many");
	publish_many();
	publish_in_chain();
	finish_and_write();
	left_out = diagnostics_count(diagnostics, DIAGNOSTIC_PATHS_CAPPED, "/many");
	cr_expect_gt(left_out, 0);
	cr_expect_eq(count_rows("/all > /many > /everyone|1|0"), MANY * MANY - left_out);
	cr_assert_not_null(path_rows.writer.note);
	cr_expect(g_str_has_prefix(path_rows.writer.note, "too many different paths: traversals left out by /many ("));
	cr_expect_str_eq(slow_rows.writer.note, path_rows.writer.note);
}

/* As for text: no table lists hidden names. */
Test(paths, of_hidden_names_are_only_counted_where_no_table_lists_them)
{
	static struct table_writer *const listing[] = {
		&path_rows.writer, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
	};

	teardown_analysis();
	path_rows.writer.only_counts_hidden = true;
	setup_analysis(listing);
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
	finish();
	paths_analysis.finish(paths);
	paths_analysis.write(paths, listing);
	cr_expect_str_eq(path_rows.text->str, "/first > /a > /second > /b > /first|1|0\n");
	cr_expect_eq(path_rows.writer.hidden, 2);
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
	start(listener, TIMER_CALLBACK + 2);
	publish(listener, 2, 502);
	end(listener, TIMER_CALLBACK + 2);
	handle(talker, 2, 502);
	finish_and_write();
	cr_assert_str_eq(slow_rows.text->str, "/first > /a > /second > /b > /first|3\n/second > /b > /first|0\n");
}

/* Whether paths of hidden names are kept depends on what the report is for. */
Test(paths, of_hidden_names_are_no_other_ends)
{
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
	finish_and_write();
	cr_expect_str_eq(slow_rows.text->str, "/first > /a > /second > /b > /first > /c > /second|0\n");
	cr_expect_not_null(strstr(path_rows.text->str, "/rosout"), "%s", path_rows.text->str);
}

Test(paths, a_chain_of_a_thousand_callbacks_is_one_path)
{
	enum { LENGTH = 999 };
	g_autofree char *first = NULL;

	define_node(talker, "node");
	define_timer(talker, 1);
	for (uint64_t i = 1; i <= LENGTH; i++) {
		g_autofree char *topic = g_strdup_printf("/t%d", (int)i);

		define_publisher(talker, 1000 + i, topic);
		define_subscription(talker, 1000 + i, topic);
	}
	run(talker);
	start(talker, TIMER_CALLBACK + 1);
	publish(talker, 1001, 1);
	end(talker, TIMER_CALLBACK + 1);
	for (uint64_t i = 1; i < LENGTH; i++) {
		pass_on(talker, 1000 + i, i, 1001 + i, i + 1);
	}
	handle(talker, 1000 + LENGTH, LENGTH);
	finish();
	paths_analysis.write(paths, writers);
	first = g_strndup(path_rows.text->str, strlen("/node > /t1 > /node"));
	cr_assert_str_eq(first, "/node > /t1 > /node");
	cr_assert(g_str_has_suffix(path_rows.text->str, " > /t999 > /node|1|0\n"));
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
	expect("/first > /a ~> /python > /b > /first|6|0\n");
	/* timer, 3 steps of publish, take, 2 steps of publish, 3 of take, start, end: the take is the start */
	cr_assert_str_eq(hop_rows.text->str, "1 0 0 0 1000 0\n"
					     "1 1 4000 0 2000 0\n"
					     "1 2 10002000 3000 1000 0\n");
	expect_latencies("10013000 10013000 10013000 10013000 10013000 10013000 ");
}

Test(paths, end_with_the_take_of_a_node_without_rclcpp)
{
	define_plain_chain();
	publish_in_timer(100);
	take_plain(listener, 1, 100);
	expect("/first > /a ~> /python|1|0\n");
	expect_latencies("5000 ");
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
	expect("/first > /a ~> /python|30|0\n");
}

Test(paths, begin_at_publications_of_undecided_origin)
{
	define_plain_chain();
	/* Too few to tell. */
	publish_in_timer(100);
	take_plain(listener, 1, 100);
	publish_plain(listener, 2, 101);
	handle(talker, 2, 101);
	expect("/first > /a ~> /python|1|0\n"
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
	expect("/first > /a ~> /python|4|0\n"
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
	expect("/first > /a ~> /python > /b > /first|6|1\n");
}

/* A flow on a condition needs two nodes at its beginning, with and without it, and there is room for one of them only.
 */
Test(paths, a_beginning_on_a_condition_may_fit_in_part)
{
	int left =
		49995; /* PATH_NODES_MAX without five: the timer, the take, what follows both, and the first of two */

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
	finish_and_write();
	cr_assert_eq(diagnostics_count(diagnostics, DIAGNOSTIC_PATHS_CAPPED, "/b"), 1);
	cr_assert_eq(count_rows("/python|1|0"), 1);
}
