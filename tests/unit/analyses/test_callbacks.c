/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "records.h"
#include "kept_tables.h"

enum { NODE = 0x10, RMW = 0x20, TIMER = 0x30, CALLBACK = 0x40 };

static uint32_t thread, other_thread;

#define expect_cell(row, column, expected) expect("callbacks", row, column, expected)

static void setup(void)
{
	recording_setup();
	add_trace("trace");
	recording_add_stream(recording, 0);
	thread = add_thread(0, 7, 7);
	other_thread = add_thread(0, 7, 8);
	kept_options = (struct analysis_options){ 0 };
	begin_session();
}

static void teardown(void)
{
	destroy_session();
	recording_teardown();
}

TestSuite(callbacks, .init = setup, .fini = teardown);

static void feed(struct event_record record)
{
	session_feed(session, &record, 1);
}

static void run_on(uint32_t on_thread, uint64_t callback, int64_t start_ns, int64_t end_ns)
{
	feed(RECORD(CALLBACK_START, on_thread, start_ns, callback, 0));
	feed(RECORD(CALLBACK_END, on_thread, end_ns, callback));
}

static void run(uint64_t callback, int64_t start_ns, int64_t end_ns)
{
	run_on(thread, callback, start_ns, end_ns);
}

static void define_timer(unsigned int number, const char *node, int64_t period_ns, int64_t time_ns)
{
	feed(RECORD(RCL_NODE_INIT, thread, time_ns, NODE + number, RMW, text(node), text("/")));
	feed(RECORD(RCL_TIMER_INIT, thread, time_ns, TIMER + number, (uint64_t)period_ns));
	feed(RECORD(RCLCPP_TIMER_CALLBACK_ADDED, thread, time_ns, TIMER + number, CALLBACK + number));
	feed(RECORD(RCLCPP_CALLBACK_REGISTER, thread, time_ns, CALLBACK + number, text("tick")));
	feed(RECORD(RCLCPP_TIMER_LINK_NODE, thread, time_ns, TIMER + number, NODE + number));
}

Test(callbacks, a_row_tells_who_how_often_how_long_and_how_regularly)
{
	define_timer(0, "talker", 100, 1);
	run(CALLBACK, 100, 130);
	run(CALLBACK, 200, 210);
	run(CALLBACK, 310, 330);
	session_finish(session, NULL);
	cr_assert_eq(row_count("callbacks"), 1);
	expect_cells("callbacks", 0, "callback_id", "0", "hostname", "host", "vpid", "7", "procname", "process7",
		     "node", "/talker", "kind", "timer", "source", "100", "symbol", "tick", "callback", "0x40", "count",
		     "3", "incomplete", "0", "duration_sum_ns", "60", "duration_min_ns", "10", "duration_p50_ns", "20",
		     "duration_max_ns", "30", "period_sum_ns", "210", "period_min_ns", "100", "gap_sum_ns", "170",
		     "gap_min_ns", "70");
}

/* As for text: no table lists them. */
Test(callbacks, that_never_ran_are_only_counted_where_no_table_lists_them)
{
	kept_only_counts_hidden = true;
	choose_tables("callbacks");
	define_timer(0, "talker", 100, 1);
	define_timer(1, "idler", 100, 1);
	run(CALLBACK, 100, 130);
	session_finish(session, NULL);
	cr_assert_eq(row_count("callbacks"), 1);
	expect_cell(0, "node", "/talker");
	cr_expect_eq(kept_table("callbacks")->writer.idle, 1);
}

/* Neither the node nor the name of the process. */
Test(callbacks, the_summary_has_a_name_for_what_has_none)
{
	struct recording_context context = { .has_vpid = true, .has_vtid = true, .vpid = 9, .vtid = 9 };

	run(CALLBACK, 100, 130);
	run_on(recording_add_thread(recording, 0, &context, ""), CALLBACK, 200, 210);
	session_finish(session, NULL);
	expect("busiest_callbacks", 0, "node", "[process7]");
	expect("busiest_callbacks", 1, "node", "[?]");
}

Test(callbacks, the_columns_named_in_the_interface_come_first)
{
	static const char *const names[] = {
		"callback_id", "hostname", "vpid",     "procname", "node",	 "kind",
		"source",      "symbol",   "callback", "count",	   "incomplete", "duration"
	};

	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		cr_assert_str_eq(kept_schema("callbacks")->columns[i].name, names[i]);
	}
}

Test(callbacks, an_instance_has_the_cells_it_knows)
{
	run(CALLBACK, 100, 130);
	feed(RECORD(CALLBACK_END, other_thread, 140, CALLBACK));
	feed(RECORD(CALLBACK_START, thread, 150, CALLBACK, 0));
	session_finish(session, NULL);
	cr_assert_eq(row_count("callback_instances"), 3);
	expect_cells("callback_instances", 0, "duration_ns", "30", "vtid", "7");
	expect_cells("callback_instances", 1, "start_ns", "", "end_ns", "140", "vtid", "8");
	expect_cells("callback_instances", 2, "start_ns", "150", "end_ns", "", "duration_ns", "");
	expect_cells("callbacks", 0, "count", "1", "incomplete", "2");
}

static void define_service(uint64_t callback, const char *symbol)
{
	feed(RECORD(RCLCPP_SERVICE_CALLBACK_ADDED, thread, 1, 0x50, callback));
	feed(RECORD(RCLCPP_CALLBACK_REGISTER, thread, 1, callback, text(symbol)));
}

Test(callbacks, a_deferred_response_is_not_incomplete)
{
	define_service(CALLBACK, "serve(std::shared_ptr<rmw_request_id_s>, std::shared_ptr<x::Work_Request_<void> >)");
	feed(RECORD(CALLBACK_START, thread, 150, CALLBACK, 0));
	feed(RECORD(CALLBACK_START, thread, 250, CALLBACK, 0));
	session_finish(session, NULL);
	expect_cells("callbacks", 0, "count", "0", "incomplete", "0", "deferred", "2", "period_sum_ns", "100");
	cr_assert_eq(count_of("service callback with deferred response"), 2);
	cr_assert_eq(count_of("callback start without end"), 0);
}

Test(callbacks, a_callback_that_fills_in_the_response_and_does_not_end_is_incomplete)
{
	define_service(CALLBACK, "serve(std::shared_ptr<rmw_request_id_s>, std::shared_ptr<x::Work_Request_<void> >, "
				 "std::shared_ptr<x::Work_Response_<void> >)");
	feed(RECORD(CALLBACK_START, thread, 150, CALLBACK, 0));
	feed(RECORD(CALLBACK_START, thread, 250, CALLBACK, 0));
	session_finish(session, NULL);
	expect_cells("callbacks", 0, "incomplete", "2", "deferred", "0");
	cr_assert_eq(count_of("callback start without end"), 2);
}

Test(callbacks, executions_that_overlap_have_periods_but_no_gap)
{
	feed(RECORD(CALLBACK_START, thread, 100, CALLBACK, 0));
	feed(RECORD(CALLBACK_START, other_thread, 110, CALLBACK, 0));
	feed(RECORD(CALLBACK_END, thread, 120, CALLBACK));
	feed(RECORD(CALLBACK_END, other_thread, 140, CALLBACK));
	run(CALLBACK, 150, 160);
	session_finish(session, NULL);
	expect_cells("callbacks", 0, "period_sum_ns", "50", "gap_sum_ns", "10");
}

Test(callbacks, neither_period_nor_gap_reaches_over_a_gap_of_the_recording)
{
	run(CALLBACK, 100, 110);
	feed(record_of(RECORD_GAP, RECORDING_NONE, 150, NULL, 0));
	feed(RECORD(RCL_TAKE, thread, 160, 1));
	run(CALLBACK, 200, 210);
	run(CALLBACK, 230, 240);
	session_finish(session, NULL);
	expect_cells("callbacks", 0, "count", "3", "period_sum_ns", "30", "gap_sum_ns", "20");
}

Test(callbacks, a_doubtful_execution_counts_and_is_marked_but_is_no_sample)
{
	const uint64_t lost[] = { 1, 200 };

	run(CALLBACK, 100, 110);
	feed(record_of(RECORD_DISCARDED_EVENTS, RECORDING_NONE, 110, lost, 2));
	feed(RECORD(CALLBACK_START, thread, 150, CALLBACK, 0));
	feed(record_of(RECORD_GAP, RECORDING_NONE, 200, NULL, 0));
	feed(RECORD(CALLBACK_END, thread, 300, CALLBACK));
	run(CALLBACK, 320, 325);
	session_finish(session, NULL);
	expect_cells("callbacks", 0, "count", "3", "incomplete", "0", "doubtful", "1", "duration_sum_ns", "15",
		     "duration_max_ns", "10");
	expect("callback_instances", 0, "doubtful", "0");
	expect_cells("callback_instances", 1, "doubtful", "1", "duration_ns", "150");
	cr_assert_eq(count_of("doubtful callback execution"), 1);
}

static void expect_worst(guint row, const char *id, const char *rank, const char *vtid, const char *start_ns,
			 const char *duration_ns)
{
	expect_cells("worst_executions", row, "callback_id", id, "rank", rank, "vtid", vtid, "start_ns", start_ns,
		     "duration_ns", duration_ns);
}

Test(callbacks, the_worst_executions_of_each_callback_are_listed_in_the_order_of_their_durations)
{
	kept_options.worst = 2;
	destroy_session();
	begin_session();
	run(CALLBACK, 100, 130);
	run_on(other_thread, CALLBACK, 200, 250);
	run(CALLBACK, 300, 305);
	run(CALLBACK, 400, 430);
	run(CALLBACK + 1, 500, 501);
	session_finish(session, NULL);
	cr_assert_eq(row_count("worst_executions"), 3);
	expect_worst(0, "0", "1", "8", "200", "50");
	expect_worst(1, "0", "2", "7", "100", "30");
	expect_worst(2, "1", "1", "7", "500", "1");
	expect_cells("worst_executions", 0, "duration_ns", cell_of("callbacks", 0, "duration_max_ns"), "start_ns",
		     cell_of("callbacks", 0, "duration_max_at_ns"));
}

Test(callbacks, no_execution_is_one_of_the_worst_unless_it_was_asked_for)
{
	run(CALLBACK, 100, 130);
	session_finish(session, NULL);
	cr_assert_eq(row_count("worst_executions"), 0);
}

Test(callbacks, a_doubtful_execution_and_one_out_of_the_range_are_none_of_the_worst)
{
	const uint64_t lost[] = { 1, 200 };

	kept_options.worst = 10;
	limit_range(100, 1000);
	run(CALLBACK, 10, 90);
	run(CALLBACK, 100, 110);
	feed(record_of(RECORD_DISCARDED_EVENTS, RECORDING_NONE, 110, lost, 2));
	feed(RECORD(CALLBACK_START, thread, 150, CALLBACK, 0));
	feed(record_of(RECORD_GAP, RECORDING_NONE, 200, NULL, 0));
	feed(RECORD(CALLBACK_END, thread, 300, CALLBACK));
	feed(RECORD(CALLBACK_START, thread, 350, CALLBACK, 0));
	session_finish(session, NULL);
	expect_cells("callbacks", 0, "doubtful", "1", "incomplete", "1");
	cr_assert_eq(row_count("worst_executions"), 1);
	expect_worst(0, "0", "1", "7", "100", "10");
}

Test(callbacks, starts_without_end_have_periods)
{
	for (int64_t time_ns = 100; time_ns < 150; time_ns += 10) {
		feed(RECORD(CALLBACK_START, thread, time_ns, CALLBACK, 0));
	}
	session_finish(session, NULL);
	expect_cells("callbacks", 0, "incomplete", "5", "period_sum_ns", "40");
}

Test(callbacks, a_period_counts_once_the_lossy_stream_shows_that_it_went_on)
{
	const uint64_t lost[] = { 1, 1000 };
	uint16_t lossy = recording_add_stream(recording, recording_thread(recording, thread)->trace);

	feed(in_stream(record_of(RECORD_DISCARDED_EVENTS, RECORDING_NONE, 90, lost, 2), lossy));
	run(CALLBACK, 100, 110);
	run(CALLBACK, 130, 140);
	feed(in_stream(RECORD(RCL_PUBLISH, other_thread, 150, 1, 2), lossy));
	run(CALLBACK, 200, 210);
	session_finish(session, NULL);
	expect_cells("callbacks", 0, "period_sum_ns", "30", "gap_sum_ns", "20");
}

Test(callbacks, the_gap_after_an_execution_without_end_is_not_known)
{
	run(CALLBACK, 100, 110);
	feed(RECORD(CALLBACK_START, thread, 120, CALLBACK, 0));
	run(CALLBACK, 150, 160);
	session_finish(session, NULL);
	expect_cells("callbacks", 0, "incomplete", "1", "period_sum_ns", "50", "gap_sum_ns", "10");
}

Test(callbacks, only_executions_that_start_in_the_range_count)
{
	limit_range(100, 200);
	define_timer(0, "n", 50, 1);
	run(CALLBACK, 90, 105);
	run(CALLBACK, 100, 110);
	run(CALLBACK, 200, 250);
	run(CALLBACK, 201, 210);
	feed(RECORD(CALLBACK_END, thread, 220, CALLBACK));
	session_finish(session, NULL);
	expect_cells("callbacks", 0, "node", "/n", "count", "2", "incomplete", "0", "duration_sum_ns", "60",
		     "period_sum_ns", "101", "gap_sum_ns", "90");
	cr_assert_eq(row_count("callback_instances"), 2);
}

/* So each is in one of two ranges side by side, and those add up to the whole. */
Test(callbacks, a_period_and_a_gap_count_where_they_begin)
{
	limit_range(100, 200);
	define_timer(0, "n", 50, 1);
	run(CALLBACK, 90, 95);
	run(CALLBACK, 190, 195);
	run(CALLBACK, 300, 310);
	session_finish(session, NULL);
	expect_cells("callbacks", 0, "period_sum_ns", "110", "gap_sum_ns", "105");
}

Test(callbacks, ids_follow_the_first_executions_and_rows_the_nodes_then_the_time_taken)
{
	define_timer(0, "b", 50, 1);
	define_timer(1, "a", 50, 2);
	define_timer(2, "b", 50, 3);
	define_timer(3, "b", 50, 4);
	run(CALLBACK + 2, 100, 110);
	run(CALLBACK + 1, 120, 130);
	run(CALLBACK, 140, 170);
	session_finish(session, NULL);
	expect_cells("callbacks", 0, "node", "/a", "callback_id", "1");
	expect_cells("callbacks", 1, "duration_sum_ns", "30", "callback_id", "2");
	expect_cell(2, "callback_id", "0");
	expect_cells("callbacks", 3, "callback_id", "3", "count", "0", "duration_max_ns", "");
}

Test(callbacks, diagnostics_say_what_is_missing)
{
	uint32_t nameless = recording_add_thread(recording, 0, &(struct recording_context){ 0 }, NULL);
	const uint64_t lost[] = { 40, 300 };

	run_on(add_thread(0, 9, 9), CALLBACK, 10, 20);
	feed(RECORD(RCL_TIMER_INIT, thread, 30, TIMER, 50));
	feed(RECORD(RCLCPP_TIMER_CALLBACK_ADDED, thread, 31, TIMER, CALLBACK));
	run_on(nameless, CALLBACK, 40, 50);
	feed(record_of(RECORD_DISCARDED_EVENTS, RECORDING_NONE, 200, lost, 2));
	feed(record_of(RECORD_DISCARDED_EVENTS, RECORDING_NONE, 300, (const uint64_t[]){ RECORD_COUNT_UNKNOWN, 400 },
		       2));
	recording_count_unknown(recording, recording_add_unknown_class(recording, "ros2:odd", "why"));
	session_finish(session, NULL);
	cr_assert_eq(count_of("process without initialization events"), 2);
	cr_assert_eq(count_of("callback without owner"), 2);
	cr_assert_eq(count_of("timer without node"), 1);
	cr_assert_eq(count_of("events without vpid context"), 2);
	cr_assert_eq(count_of("events without vtid context"), 2);
	cr_assert_eq(count_of("discarded events"), 41);
	cr_assert_eq(count_of("events of unknown layout"), 1);
}

Test(callbacks, a_recording_without_events_says_so)
{
	session_finish(session, NULL);
	cr_assert_eq(count_of("no ROS 2 events"), 1);
	cr_assert_eq(row_count("callbacks"), 0);
}

/* Some event or loss out of a small world: addresses and times collide, time goes backwards. */
static struct event_record any_record(GRand *random, int64_t now_ns, const uint32_t *threads, guint thread_count)
{
	struct event_record record = { .time_ns = now_ns + g_rand_int_range(random, -5, 5) };
	int choice = g_rand_int_range(random, 0, 1000);

	record.stream = (uint16_t)g_rand_int_range(random, 0, 2);
	record.present = (uint8_t)g_rand_int_range(random, 0, 64);
	for (size_t i = 0; i < EVENT_SLOTS; i++) {
		record.word[i] = (uint64_t)g_rand_int_range(random, 0, 8);
	}
	if (choice < 3) {
		record.kind = (uint8_t)g_rand_int_range(random, RECORD_DISCARDED_EVENTS, RECORD_STREAM_END);
		record.thread = RECORDING_NONE;
		record.word[RECORD__end_ns] = (uint64_t)(record.time_ns + g_rand_int_range(random, -100, 1000));
		return record;
	}
	record.thread = threads[g_rand_int_range(random, 0, (gint)thread_count)];
	if (choice < 600) {
		record.kind = choice % 2 ? EVENT_CALLBACK_START : EVENT_CALLBACK_END;
	} else {
		const struct event_schema *schema;

		record.kind = (uint8_t)g_rand_int_range(random, 0, EVENT_KIND_COUNT);
		schema = event_schema_of(record.kind);
		if (schema->class == EVENT_CLASS_SYSTEM) {
			record.thread = RECORDING_NONE; /* the ids of no thread are recorded */
		}
		for (size_t i = 0; i < schema->field_count; i++) {
			const struct event_field *field = &schema->fields[i];

			if (field->slot != SKIP &&
			    (field->type == FIELD_TYPE_STRING || field->type == FIELD_TYPE_NAME)) {
				record.word[field->slot] = text(choice % 2 ? "/rosout" : "x");
			} else if (field->slot != SKIP && field->type >= FIELD_TYPE_GID) {
				record.present &= (uint8_t) ~(1u << field->slot);
			}
		}
		record.flags = (uint8_t)g_rand_int_range(random, 0, 4) & 3;
	}
	return record;
}

Test(callbacks, nothing_is_lost_and_nothing_lasts_less_than_nothing_whatever_comes)
{
	const uint32_t threads[] = {
		thread,
		other_thread,
		add_thread(0, 9, 9),
		recording_add_thread(recording, 0, &(struct recording_context){ 0 }, NULL),
	};
	g_autoptr(GRand) random = g_rand_new_with_seed(20);
	uint64_t starts = 0, ends = 0, complete = 0, without_end = 0, without_start = 0, counted = 0;

	for (size_t i = 0; i < 50000; i++) {
		struct event_record record = any_record(random, (int64_t)i * 2, threads, G_N_ELEMENTS(threads));

		starts += record.kind == EVENT_CALLBACK_START || record.kind == EVENT_AGNOCAST_CALLABLE_START;
		ends += record.kind == EVENT_CALLBACK_END || record.kind == EVENT_AGNOCAST_CALLABLE_END;
		feed(record);
	}
	session_finish(session, NULL);
	for (guint i = 0; i < row_count("callback_instances"); i++) {
		bool has_start = *cell_of("callback_instances", i, "start_ns") != '\0';
		bool has_end = *cell_of("callback_instances", i, "end_ns") != '\0';

		complete += has_start && has_end;
		without_end += has_start && !has_end;
		without_start += !has_start && has_end;
		cr_assert_neq(*cell_of("callback_instances", i, "duration_ns"), '-');
	}
	for (guint i = 0; i < row_count("callbacks"); i++) {
		counted += g_ascii_strtoull(cell_of("callbacks", i, "count"), NULL, 10);
		counted += g_ascii_strtoull(cell_of("callbacks", i, "incomplete"), NULL, 10);
		counted += g_ascii_strtoull(cell_of("callbacks", i, "deferred"), NULL, 10);
	}
	cr_assert_gt(complete, 100);
	cr_assert_eq(starts, complete + without_end);
	cr_assert_eq(ends, complete + without_start);
	cr_assert_eq(counted, complete + without_end + without_start);
}

/* Nothing is lost in the first half. Returns what the rows hold. To be freed. */
static char *rows_whatever_comes(void)
{
	static const char *const columns[] = {
		"callback",	 "count",	  "incomplete", "deferred",   "duration_sum_ns", "period_count",
		"period_sum_ns", "period_max_ns", "gap_count",	"gap_sum_ns", "gap_max_ns",	 "rate_hz",
	};
	const uint32_t threads[] = { thread, other_thread };
	g_autoptr(GRand) random = g_rand_new_with_seed(21);
	GString *rows = g_string_new(NULL);

	for (size_t i = 0; i < 20000; i++) {
		struct event_record record = any_record(random, (int64_t)i * 2, threads, G_N_ELEMENTS(threads));

		if (record.thread != RECORDING_NONE || i > 10000) {
			feed(record);
		}
	}
	session_finish(session, NULL);
	for (guint i = 0; i < row_count("callbacks"); i++) {
		for (size_t j = 0; j < G_N_ELEMENTS(columns); j++) {
			g_string_append_printf(rows, "%s ", cell_of("callbacks", i, columns[j]));
		}
	}
	return g_string_free(rows, FALSE);
}

/* … of the executions that begin in a range. To be freed. */
static char *rows_in(struct time_range range, const char *names, bool is_brief)
{
	teardown();
	kept_names = names;
	kept_is_brief = is_brief;
	setup();
	kept_options.range = range;
	begin_session_anew();
	return rows_whatever_comes();
}

static void expect_same_rows_in(struct time_range range)
{
	g_autofree char *all = rows_in(range, "callbacks callback_instances", false);
	g_autofree char *brief = rows_in(range, "callbacks", true);

	cr_expect_str_eq(brief, all);
}

Test(callbacks, a_brief_table_without_instances_has_the_same_counts_sums_and_maxima)
{
	expect_same_rows_in((struct time_range){ 0 });
	expect_same_rows_in((struct time_range){ .has_begin = true, .begin = { MOMENT_FROM_EPOCH, 30000 } });
	expect_same_rows_in((struct time_range){ .has_end = true, .end = { MOMENT_FROM_EPOCH, 15000 } });
}

Test(callbacks, so_it_has_if_periods_are_only_added_up)
{
	teardown();
	kept_names = "callbacks";
	kept_is_brief = true;
	setup();
	limit_range(100, 50000);
	for (int64_t i = 0; i < 1000; i++) {
		run(CALLBACK, 100 * i, 100 * i + 30);
	}
	session_finish(session, NULL);
	expect_cells("callbacks", 0, "count", "500", "period_count", "500", "period_sum_ns", "50000", "gap_sum_ns",
		     "35000");
}
