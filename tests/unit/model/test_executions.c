/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "core/model/execution_ends.h"
#include "core/model/executions.h"
#include "records.h"

enum { A = 0xa0, B = 0xb0, C = 0xc0 };

#define UNIT_NS 10000 /* of the times below: what is lost takes some time */

static struct object_model *model;
static struct diagnostics *diagnostics;
static struct executions *executions;
static uint32_t thread, other_thread, other_process;
static GString *story; /* the calls of the listener: "A10-20 " complete, "A10-20? " doubtful, "A10- " without end, "A-20
			  " without start */
static uint64_t started;
static int64_t fed_ns; /* the time of the last record */

static void on_started(void *data, struct execution *execution)
{
	cr_assert_null(execution->flow);
	started++;
}

static void on_ended(void *data, struct execution *execution, enum execution_outcome outcome)
{
	g_string_append_printf(story, "%X", (unsigned int)execution->callback->address >> 4);
	if (outcome != EXECUTION_WITHOUT_START) {
		g_string_append_printf(story, "%d", (int)(execution->start_ns / UNIT_NS));
	}
	g_string_append_c(story, '-');
	if (outcome != EXECUTION_WITHOUT_END) {
		g_string_append_printf(story, "%d", (int)(execution->end_ns / UNIT_NS));
	}
	g_string_append(story, outcome == EXECUTION_DOUBTFUL ? "? " : " ");
}

static void setup(void)
{
	static const struct executions_listener listener = { .started = on_started, .ended = on_ended };

	recording_setup();
	add_trace("trace");
	recording_add_stream(recording, 0);
	add_trace("other trace");
	thread = add_thread(0, 7, 7);
	other_thread = add_thread(0, 7, 8);
	other_process = add_thread(1, 9, 9);
	model = object_model_create(recording);
	diagnostics = diagnostics_create();
	executions = executions_create(recording, model, diagnostics);
	executions_add_listener(executions, &listener);
	story = g_string_new(NULL);
	started = 0;
}

static void teardown(void)
{
	executions_destroy(executions);
	diagnostics_destroy(diagnostics);
	object_model_destroy(model);
	recording_teardown();
	g_string_free(story, TRUE);
}

TestSuite(executions, .init = setup, .fini = teardown);

static void feed(struct event_record record)
{
	fed_ns = record.time_ns *= UNIT_NS;
	executions_follow(executions, &record);
	executions_feed(executions, &record);
}

static struct execution *current(uint32_t of_thread)
{
	return executions_current(executions, of_thread, fed_ns);
}

static void start_on(uint32_t on_thread, uint64_t callback, int64_t time_ns)
{
	feed(RECORD(CALLBACK_START, on_thread, time_ns, callback, 0));
}

static void end_on(uint32_t on_thread, uint64_t callback, int64_t time_ns)
{
	feed(RECORD(CALLBACK_END, on_thread, time_ns, callback));
}

static void start(uint64_t callback, int64_t time_ns)
{
	start_on(thread, callback, time_ns);
}

static void end(uint64_t callback, int64_t time_ns)
{
	end_on(thread, callback, time_ns);
}

/* A record of the recording itself. */
static void feed_loss(enum record_kind kind, uint16_t stream, int64_t time_ns, int64_t end_ns)
{
	feed(loss_of(kind, stream, time_ns, end_ns * UNIT_NS));
}

static void expect(const char *expected)
{
	cr_assert_str_eq(story->str, expected);
}

Test(executions, a_start_and_its_end_are_one)
{
	struct execution *open;

	start(A, 10);
	open = current(thread);
	cr_assert_eq(open->callback->address, A);
	cr_assert_eq(started, 1);
	cr_assert_null(current(other_thread));
	end(A, 20);
	cr_assert_null(current(thread));
	expect("A10-20 ");
}

Test(executions, callbacks_nest)
{
	start(A, 10);
	start(B, 20);
	start(C, 30);
	cr_assert_eq(current(thread)->callback->address, C);
	end(C, 40);
	end(B, 50);
	end(A, 60);
	expect("C30-40 B20-50 A10-60 ");
}

Test(executions, one_callback_runs_on_several_threads_at_once)
{
	start_on(thread, A, 10);
	start_on(other_thread, A, 11);
	end_on(thread, A, 20);
	end_on(other_thread, A, 30);
	expect("A10-20 A11-30 ");
}

Test(executions, equal_addresses_of_two_processes_do_not_meet)
{
	start_on(thread, A, 10);
	end_on(other_process, A, 20);
	end_on(thread, A, 30);
	expect("A-20 A10-30 ");
}

Test(executions, an_end_without_start_is_told)
{
	end(A, 20);
	executions_finish(executions);
	expect("A-20 ");
	cr_assert_eq(diagnostics_count(diagnostics, DIAGNOSTIC_END_WITHOUT_START, "process7 (vpid 7)"), 1);
	cr_assert_eq(started, 0);
}

Test(executions, inner_frames_of_an_ended_one_threw)
{
	start(A, 10);
	start(B, 20);
	start(C, 25);
	end(A, 30);
	expect("C25- B20- A10-30 ");
}

Test(executions, a_callback_that_starts_again_leaves_the_older_one_without_end)
{
	start(A, 10);
	start(A, 20);
	end(A, 30);
	end(A, 40);
	expect("A10- A20-30 A-40 ");
}

Test(executions, what_is_open_at_the_end_of_the_recording_is_without_end_in_order_of_start)
{
	start_on(other_thread, B, 5);
	start_on(thread, A, 10);
	executions_finish(executions);
	expect("B5- A10- ");
	cr_assert_eq(diagnostics_count(diagnostics, DIAGNOSTIC_START_WITHOUT_END, NULL), 2);
}

Test(executions, time_never_goes_backwards_within_one)
{
	start(A, 10);
	end(A, 9);
	expect("A10- A-9 ");
}

Test(executions, a_stack_has_a_limit)
{
	for (uint64_t i = 0; i <= EXECUTION_DEPTH_MAX; i++) {
		start(A + i * 16, (int64_t)i + 10);
	}
	expect("A10- ");
	end(A + EXECUTION_DEPTH_MAX * 16, 500);
	executions_finish(executions);
	cr_assert_eq(diagnostics_count(diagnostics, DIAGNOSTIC_STACK_TOO_DEEP, NULL), 1);
}

/* An event that every thread records now and then. */
static void show(uint32_t on_thread, uint16_t stream, int64_t time_ns)
{
	feed(in_stream(RECORD(RCL_PUBLISH, on_thread, time_ns, 0x1, 0x2), stream));
}

static void start_in(uint16_t stream, uint64_t callback, int64_t time_ns)
{
	feed(in_stream(RECORD(CALLBACK_START, thread, time_ns, callback, 0), stream));
}

static void end_in(uint16_t stream, uint64_t callback, int64_t time_ns)
{
	feed(in_stream(RECORD(CALLBACK_END, thread, time_ns, callback), stream));
}

static uint64_t count_of(enum diagnostic what)
{
	return diagnostics_count(diagnostics, what, NULL);
}

Test(executions, a_loss_between_two_events_of_a_thread_makes_its_execution_doubtful)
{
	feed_loss(RECORD_DISCARDED_EVENTS, 0, 5, 20);
	start(A, 10);
	feed_loss(RECORD_GAP, 0, 20, 0);
	end(A, 30);
	start(B, 40);
	end(B, 50);
	executions_finish(executions);
	expect("A10-30? B40-50 ");
	cr_assert_eq(count_of(DIAGNOSTIC_DOUBTFUL_EXECUTION), 1);
	cr_assert_eq(count_of(DIAGNOSTIC_CUT_BY_GAP), 0);
	cr_assert_eq(count_of(DIAGNOSTIC_START_WITHOUT_END), 0);
	cr_assert_eq(count_of(DIAGNOSTIC_END_WITHOUT_START), 0);
}

Test(executions, one_that_goes_on_after_a_pause_is_doubtful)
{
	start(A, 10);
	executions_pause(executions);
	cr_assert_null(current(thread));
	cr_assert(executions_may_have_lost_start(executions, thread));
	end(A, 20);
	start(A, 30);
	end(A, 40);
	expect("A10-20? A30-40 ");
}

Test(executions, a_thread_that_shows_itself_in_time_lost_nothing_to_the_silence_of_another_stream)
{
	show(other_thread, 1, 1);
	feed_loss(RECORD_DISCARDED_EVENTS, 1, 5, 30);
	start(A, 10);
	for (int64_t time_ns = 11; time_ns < 40; time_ns++) {
		show(thread, 0, time_ns);
		if (time_ns == 30) {
			feed_loss(RECORD_DISCARDED_PACKETS, 1, 30, 70);
		}
	}
	end(A, 40);
	start(B, 50);
	end(B, 60);
	expect("A10-40 B50-60? ");
}

Test(executions, a_thread_that_left_a_silent_stream_may_have_lost_events_there_sooner)
{
	feed_loss(RECORD_DISCARDED_EVENTS, 1, 5, 100);
	start_in(0, A, 10);
	end_in(0, A, 12);
	start_in(1, B, 20);
	end_in(0, B, 22);
	expect("A10-12 B20-22? ");
}

Test(executions, a_stream_that_goes_on_in_its_packet_has_lost_nothing_so_far)
{
	feed_loss(RECORD_DISCARDED_EVENTS, 1, 5, 100);
	start(A, 10);
	for (int64_t time_ns = 11; time_ns < 30; time_ns++) {
		show(other_thread, 1, time_ns);
	}
	end(A, 30);
	expect("A10-30 ");
}

Test(executions, within_a_lossy_packet_its_own_stream_is_whole)
{
	feed_loss(RECORD_DISCARDED_EVENTS, 0, 5, 100);
	start(A, 10);
	end(A, 20);
	start(B, 30);
	end(B, 80);
	expect("A10-20 B30-80 ");
}

/* The start of the next execution is lost, and its end, a smaller event, still fits into the packet. */
Test(executions, one_that_was_left_may_not_have_the_end_that_follows_in_a_lossy_packet)
{
	feed_loss(RECORD_DISCARDED_EVENTS, 0, 5, 100);
	start(A, 10);
	executions_look(executions, thread, 20 * UNIT_NS);
	end(A, 30);
	start(A, 110);
	executions_look(executions, thread, 120 * UNIT_NS);
	end(A, 130);
	expect("A10-30? A110-130 ");
}

Test(executions, a_doubtful_execution_is_nobodys_origin)
{
	feed_loss(RECORD_DISCARDED_EVENTS, 0, 5, 20);
	start(A, 10);
	cr_assert_not_null(current(thread));
	feed_loss(RECORD_GAP, 0, 20, 0);
	show(thread, 0, 30);
	cr_assert_null(current(thread));
	cr_assert(executions_may_have_lost_start(executions, thread));
	end(A, 40);
	cr_assert_not(executions_may_have_lost_start(executions, thread));
}

Test(executions, after_a_loss_a_thread_that_runs_callbacks_may_be_in_one_until_the_next_event_of_one)
{
	start(A, 10);
	end(A, 20);
	feed_loss(RECORD_DISCARDED_EVENTS, 0, 20, 30);
	feed_loss(RECORD_GAP, 0, 30, 0);
	show(other_thread, 0, 40);
	show(thread, 0, 41);
	cr_assert(executions_may_have_lost_start(executions, thread));
	cr_assert_not(executions_may_have_lost_start(executions, other_thread), "it has never run one");
	start(A, 50);
	cr_assert_not(executions_may_have_lost_start(executions, thread));
	end(A, 60);
	show(thread, 0, 70);
	cr_assert_not(executions_may_have_lost_start(executions, thread));
}

Test(executions, what_a_thread_begins_after_a_loss_cuts_what_was_open)
{
	feed_loss(RECORD_DISCARDED_EVENTS, 0, 5, 20);
	start(A, 10);
	feed_loss(RECORD_GAP, 0, 20, 0);
	feed(RECORD(RCLCPP_EXECUTOR_EXECUTE, thread, 30, 0x1));
	expect("A10- ");
	feed_loss(RECORD_DISCARDED_EVENTS, 0, 35, 60);
	start(B, 40);
	feed_loss(RECORD_GAP, 0, 60, 0);
	start(C, 70);
	expect("A10- B40- ");
	end(C, 80);
	end(A, 90);
	executions_finish(executions);
	expect("A10- B40- C70-80 A-90 ");
	cr_assert_eq(count_of(DIAGNOSTIC_CUT_BY_GAP), 2);
	cr_assert_eq(count_of(DIAGNOSTIC_END_WITHOUT_START), 1);
}

Test(executions, what_a_thread_begins_in_a_trace_that_lost_events_elsewhere_makes_what_is_open_doubtful)
{
	start(A, 1);
	feed(RECORD(RCLCPP_EXECUTOR_EXECUTE, thread, 2, 0x1));
	start(B, 3);
	end(B, 4);
	end(A, 5);
	expect("B3-4 A1-5 ");
	feed_loss(RECORD_DISCARDED_EVENTS, 0, 6, 20);
	feed_loss(RECORD_GAP, 0, 20, 0);
	show(other_thread, 0, 25);
	start(A, 30);
	feed(RECORD(RCLCPP_EXECUTOR_EXECUTE, thread, 31, 0x1));
	end(A, 32);
	start(A, 40);
	start(B, 41);
	end(B, 42);
	end(A, 43);
	expect("B3-4 A1-5 A30-32? B41-42 A40-43? ");
}

Test(executions, a_gap_ends_with_the_next_event_of_its_stream_or_with_the_stream)
{
	feed_loss(RECORD_GAP, 0, 20, 0);
	feed(in_stream(RECORD(RCL_TAKE, thread, 25, 0x1), 0));
	start(A, 30);
	end(A, 40);
	feed_loss(RECORD_GAP, 1, 50, 0);
	feed_loss(RECORD_STREAM_END, 1, 50, 0);
	start(A, 60);
	end(A, 70);
	expect("A30-40 A60-70 ");
}

Test(executions, a_definition_does_not_end_a_gap)
{
	feed_loss(RECORD_DISCARDED_PACKETS, 0, 20, 45);
	feed(in_stream(RECORD(RCL_NODE_INIT, thread, 25, 0x1), 0));
	start_in(1, A, 30);
	end_in(1, A, 40);
	feed(in_stream(RECORD(CARET_INIT, other_process, 45), 0));
	start_in(1, B, 50);
	end_in(1, B, 60);
	expect("A30-40? B50-60 ");
}

Test(executions, a_loss_before_a_lossy_packet_leaves_the_packet_lossy)
{
	start(A, 10);
	feed_loss(RECORD_DISCARDED_EVENTS, 0, 20, 100);
	feed_loss(RECORD_GAP, 0, 40, 0);
	end(A, 50);
	start(B, 60);
	end(B, 70);
	start_in(0, C, 80);
	end_in(1, C, 90);
	start_in(0, A, 95);
	feed_loss(RECORD_GAP, 0, 100, 0);
	end_in(0, A, 110);
	expect("A10-50? B60-70 C80-90? A95-110? ");
}

Test(executions, other_traces_do_not_suffer_from_a_gap)
{
	start_on(other_process, A, 10);
	feed_loss(RECORD_DISCARDED_EVENTS, 0, 5, 15);
	feed_loss(RECORD_GAP, 0, 15, 0);
	end_on(other_process, A, 20);
	expect("A10-20 ");
}

Test(executions, a_lossy_stream_without_packets_has_its_gap_at_the_end_of_the_range)
{
	feed_loss(RECORD_DISCARDED_EVENTS, 0, 5, 15);
	start(A, 10);
	end(A, 20);
	start_in(0, B, 30);
	end_in(1, B, 40);
	expect("A10-20? B30-40 ");
}

Test(executions, lost_packets_make_what_lies_across_doubtful)
{
	start(A, 10);
	feed_loss(RECORD_DISCARDED_PACKETS, 0, 20, 50);
	end(A, 60);
	start(C, 70);
	end(C, 80);
	expect("A10-60? C70-80 ");
}

static uint32_t add_nameless_thread(void)
{
	return recording_add_thread(recording, 0, &(struct recording_context){ 0 }, NULL);
}

Test(executions, without_vtid_only_start_and_end_show_whether_events_were_lost)
{
	uint32_t nameless = add_nameless_thread();

	feed_loss(RECORD_DISCARDED_EVENTS, 0, 5, 20);
	start_on(nameless, A, 10);
	feed_loss(RECORD_GAP, 0, 20, 0);
	show(nameless, 0, 30);
	start_on(nameless, B, 40);
	end_on(nameless, B, 50);
	end_on(nameless, A, 60);
	expect("B40-50 A10-60? ");
}

Test(executions, events_may_be_missing_where_a_stream_was_silent_and_no_more_once_it_went_on)
{
	cr_assert_not(executions_may_miss_events(executions, thread, 0, 1000 * UNIT_NS));
	feed_loss(RECORD_DISCARDED_EVENTS, 0, 100, 200);
	show(other_thread, 0, 110);
	cr_assert_not(executions_may_miss_events(executions, thread, 90 * UNIT_NS, 110 * UNIT_NS));
	cr_assert(executions_may_miss_events(executions, thread, 90 * UNIT_NS, 120 * UNIT_NS));
	show(other_thread, 0, 130);
	cr_assert_not(executions_may_miss_events(executions, thread, 90 * UNIT_NS, 120 * UNIT_NS));
	feed_loss(RECORD_DISCARDED_PACKETS, 0, 200, 210);
	show(other_thread, 0, 210);
	cr_assert_not(executions_may_miss_events(executions, thread, 90 * UNIT_NS, 130 * UNIT_NS));
	cr_assert(executions_may_miss_events(executions, thread, 90 * UNIT_NS, 140 * UNIT_NS));
	cr_assert(executions_may_miss_events(executions, thread, 205 * UNIT_NS, 220 * UNIT_NS));
	cr_assert_not(executions_may_miss_events(executions, thread, 210 * UNIT_NS, 220 * UNIT_NS));
	cr_assert_not(executions_may_miss_events(executions, other_process, 90 * UNIT_NS, 220 * UNIT_NS));
}

Test(executions, a_new_recording_phase_of_caret_cuts_its_process_only)
{
	start_on(thread, A, 10);
	start_on(other_process, A, 11);
	feed(RECORD(CARET_INIT, other_thread, 20, 1));
	end_on(thread, A, 30);
	end_on(other_process, A, 31);
	expect("A10- A-30 A11-31 ");
}

Test(executions, a_process_that_starts_again_ends_what_it_was_killed_in)
{
	start_on(thread, A, 10);
	start_on(other_thread, B, 11);
	feed(by_caret(RECORD(RCL_INIT, thread, 15, 0x1), 15));
	expect("");
	feed(RECORD(RCL_INIT, thread, 20, 0x1));
	expect("A10- ");
	cr_assert_null(current(thread));
	end_on(thread, A, 30);
	end_on(other_thread, B, 31);
	executions_finish(executions);
	expect("A10- A-30 B11-31 ");
	cr_assert_eq(diagnostics_count(diagnostics, DIAGNOSTIC_START_WITHOUT_END, NULL), 1);
}

Test(executions, a_copy_of_the_start_of_a_process_ends_nothing)
{
	feed(RECORD(RCL_INIT, thread, 5, 0x1));
	start_on(thread, A, 10);
	feed(RECORD(RCL_INIT, thread, 20, 0x1));
	end_on(thread, A, 30);
	expect("A10-30 ");
}

Test(executions, phases_differ_where_caret_begins_anew)
{
	uint32_t before;

	start(A, 10);
	before = current(thread)->phase;
	end(A, 20);
	start(A, 30);
	cr_assert_eq(current(thread)->phase, before);
	end(A, 40);
	feed(RECORD(CARET_INIT, other_thread, 50, 1));
	start(A, 60);
	cr_assert_neq(current(thread)->phase, before);
}

Test(executions, without_vtid_the_one_open_start_is_taken)
{
	uint32_t nameless = add_nameless_thread();

	start_on(nameless, A, 10);
	start_on(nameless, B, 20);
	cr_assert_null(current(nameless));
	end_on(nameless, A, 30);
	end_on(nameless, B, 40);
	expect("A10-30 B20-40 ");
}

Test(executions, without_vtid_two_open_starts_of_a_callback_never_pair)
{
	uint32_t nameless = add_nameless_thread();

	start_on(nameless, A, 10);
	start_on(nameless, A, 20);
	end_on(nameless, A, 30);
	start_on(nameless, A, 40);
	end_on(nameless, A, 50);
	end_on(nameless, A, 60);
	start_on(nameless, A, 70);
	end_on(nameless, A, 80);
	expect("A10- A-30 A20- A-50 A40- A-60 A70-80 ");
}

Test(executions, the_start_tells_whether_the_message_came_within_the_process)
{
	feed(RECORD(CALLBACK_START, thread, 10, A, 1));
	cr_assert(current(thread)->is_intra_process);
}

/* A service of which only the callback's address is known. */
static void define_service(uint64_t callback)
{
	const struct event_record record = RECORD(RCLCPP_SERVICE_CALLBACK_ADDED, thread, 1, 0x50, callback);

	object_model_feed(model, &record);
}

Test(executions, nothing_happens_within_a_service_callback_that_answers_later)
{
	define_service(A);
	start(A, 10);
	cr_assert_eq(current(thread)->callback->address, A);
	start(B, 20);
	cr_assert_eq(current(thread)->callback->address, B);
	end(B, 30);
	cr_assert_null(current(thread));
	executions_finish(executions);
	expect("B20-30 A10- ");
	cr_assert_eq(diagnostics_count(diagnostics, DIAGNOSTIC_DEFERRED_RESPONSE, NULL), 1);
	cr_assert_eq(diagnostics_count(diagnostics, DIAGNOSTIC_START_WITHOUT_END, NULL), 0);
}

Test(executions, a_callback_that_answers_later_within_another_one_leaves_that_one_open)
{
	define_service(A);
	start(B, 10);
	start(A, 20);
	start(C, 30);
	end(C, 40);
	cr_assert(executions_are_in_doubt(executions, thread, fed_ns));
	end(B, 50);
	expect("C30-40 A20- B10-50 ");
}

Test(executions, a_service_callback_that_executes_others_goes_on_after_them)
{
	define_service(A);
	start(A, 10);
	end(A, 20);
	start(A, 30);
	start(B, 40);
	end(B, 50);
	cr_assert(executions_are_in_doubt(executions, thread, fed_ns));
	end(A, 60);
	expect("A10-20 B40-50 A30-60 ");
	start(A, 70);
	start(B, 80);
	end(B, 90);
	cr_assert_eq(current(thread)->callback->address, A);
	end(A, 100);
	executions_finish(executions);
	cr_assert_eq(diagnostics_count(diagnostics, DIAGNOSTIC_DEFERRED_RESPONSE, NULL), 0);
}

Test(executions, the_first_one_of_them_pairs_too)
{
	define_service(A);
	start(A, 10);
	start(B, 20);
	end(B, 30);
	end(A, 40);
	expect("B20-30 A10-40 ");
}

Test(executions, other_callbacks_without_end_are_not_deferred)
{
	start(A, 10);
	start(B, 20);
	end(B, 30);
	cr_assert(executions_are_in_doubt(executions, thread, fed_ns));
	start(A, 40);
	end(A, 50);
	expect("B20-30 A10- A40-50 ");
	executions_finish(executions);
	cr_assert_eq(diagnostics_count(diagnostics, DIAGNOSTIC_START_WITHOUT_END, NULL), 1);
}

/* --- executions that their thread leaves --- */

static void look(int64_t time_ns)
{
	fed_ns = time_ns * UNIT_NS;
	executions_look(executions, thread, fed_ns);
}

/* The callback executes others within itself, or polls. */
static void spin(uint64_t callback, int64_t time_ns)
{
	start(callback, time_ns);
	look(time_ns + 1);
	end(callback, time_ns + 2);
}

/* The callback throws, and its executor goes on. */
static void throw(uint64_t callback, int64_t time_ns)
{
	start(callback, time_ns);
	look(time_ns + 1);
}

static void expect_fate(enum execution_fate fate)
{
	bool is_certain = true;
	const struct execution *enclosing = executions_enclosing(executions, thread, &is_certain);

	cr_assert_not(is_certain);
	cr_assert_eq(executions_fate(executions, enclosing, fed_ns), fate);
	cr_assert_eq(current(thread) != NULL, fate == EXECUTION_GOES_ON);
	cr_assert_eq(executions_are_in_doubt(executions, thread, fed_ns), fate == EXECUTION_IN_DOUBT);
}

Test(executions, a_thread_that_never_looks_may_have_left_its_execution_unseen)
{
	bool is_certain = true;

	start(A, 10);
	cr_assert_eq(executions_enclosing(executions, thread, &is_certain), current(thread));
	cr_assert_not(is_certain);
}

Test(executions, an_execution_is_left_when_its_thread_looks_for_work)
{
	bool is_certain = false;

	look(9);
	start(A, 10);
	cr_assert_eq(current(thread)->left_ns, EXECUTION_HAS_NOT_LEFT);
	cr_assert_not_null(executions_enclosing(executions, thread, &is_certain));
	cr_assert(is_certain);
	executions_look(executions, other_thread, 12 * UNIT_NS);
	cr_assert_not_null(current(thread), "another thread");
	look(15);
	look(16);
	expect_fate(EXECUTION_IN_DOUBT);
	cr_assert_eq(executions_enclosing(executions, thread, &is_certain)->left_ns, 15 * UNIT_NS);
	end(A, 20);
	expect("A10-20 ");
	cr_assert_null(executions_enclosing(executions, thread, &is_certain));
	cr_assert_not(executions_are_in_doubt(executions, thread, fed_ns));
}

Test(executions, one_that_is_left_goes_on_if_all_before_did)
{
	spin(A, 10);
	throw(A, 20);
	expect_fate(EXECUTION_GOES_ON);
	end(A, 30);
	expect("A10-12 A20-30 ");
}

Test(executions, one_that_is_left_is_over_if_all_before_were)
{
	start(A, 5);
	end(A, 6);
	throw(A, 10);
	expect_fate(EXECUTION_IN_DOUBT);
	throw(A, 20);
	expect_fate(EXECUTION_IS_OVER);
	start(B, 30);
	cr_assert_not(current(thread)->is_inner);
	end(B, 40);
	expect_fate(EXECUTION_IS_OVER);
	end(A, 50);
	expect("A5-6 A10- B30-40 A20-50 ");
}

Test(executions, a_callback_that_does_both_is_in_doubt_for_a_while)
{
	throw(A, 10);
	spin(A, 20);
	throw(A, 30);
	expect_fate(EXECUTION_IN_DOUBT);
	start(B, 40);
	cr_assert(current(thread)->is_inner);
	end(B, 41);
	fed_ns = 31 * UNIT_NS + EXECUTION_DOUBT_NS;
	expect_fate(EXECUTION_IN_DOUBT);
	fed_ns++;
	expect_fate(EXECUTION_IS_OVER);
}

Test(executions, one_that_the_end_of_the_recording_cut_says_nothing)
{
	throw(A, 10);
	executions_finish(executions);
	cr_assert_eq(diagnostics_count(diagnostics, DIAGNOSTIC_START_WITHOUT_END, NULL), 1);
}

Test(executions, one_within_another_that_is_over_is_in_that)
{
	throw(B, 1);
	spin(A, 2);
	expect("A2-4 ");
	throw(A, 10);
	throw(B, 20);
	cr_assert_eq(current(thread)->callback->address, A, "B is over, and A executes it");
	end(A, 30);
	expect("A2-4 B1- B20- A10-30 ");
}

Test(executions, one_that_responds_later_is_over_at_once)
{
	define_service(A);
	throw(A, 10);
	expect_fate(EXECUTION_IS_OVER);
	executions_finish(executions);
	cr_assert_eq(diagnostics_count(diagnostics, DIAGNOSTIC_DEFERRED_RESPONSE, NULL), 1);
}

static void define_deferred_service(uint64_t callback)
{
	const struct event_record record =
		RECORD(RCLCPP_CALLBACK_REGISTER, thread, 1, callback,
		       text("serve(std::shared_ptr<rmw_request_id_s>, std::shared_ptr<x::Work_Request_<void> >)"));

	define_service(callback);
	object_model_feed(model, &record);
}

static void expect_deferred(unsigned int deferred, unsigned int incomplete)
{
	executions_finish(executions);
	cr_assert_eq(diagnostics_count(diagnostics, DIAGNOSTIC_DEFERRED_RESPONSE, NULL), deferred);
	cr_assert_eq(diagnostics_count(diagnostics, DIAGNOSTIC_START_WITHOUT_END, NULL), incomplete);
}

Test(executions, nothing_shows_that_one_was_over_which_its_thread_had_not_left_when_it_was_killed)
{
	define_deferred_service(A);
	start(A, 10);
	expect_deferred(0, 1);
}

Test(executions, once_its_thread_has_left_one_it_responds_later)
{
	define_deferred_service(A);
	start(A, 10);
	start(A, 20);
	expect_deferred(2, 0);
}

Test(executions, an_executor_that_executes_leaves_what_is_open)
{
	start(A, 10);
	feed(RECORD(RCLCPP_EXECUTOR_EXECUTE, thread, 15, 0x1));
	expect_fate(EXECUTION_IN_DOUBT);
	cr_assert_null(current(thread));
}

Test(executions, without_vtid_it_is_not_known_who_looks)
{
	uint32_t nameless = add_nameless_thread();

	start_on(nameless, A, 10);
	executions_look(executions, nameless, 15 * UNIT_NS);
	end_on(nameless, A, 20);
	expect("A10-20 ");
}

static unsigned int asked;

static void release(void *data, uint32_t of_thread, int64_t until_ns)
{
	asked++;
	cr_assert_eq(of_thread, thread);
	executions_look(executions, of_thread, until_ns - 1);
}

Test(executions, kept_polls_are_asked_for)
{
	executions_catch_up(executions, thread, 5 * UNIT_NS);
	executions_set_polls(executions, release, NULL);
	start(A, 10);
	executions_catch_up(executions, thread, 20 * UNIT_NS);
	cr_assert_eq(asked, 1);
	expect_fate(EXECUTION_IN_DOUBT);
}

static uint64_t heard;

static void hear(void *data, struct execution *execution)
{
	heard += GPOINTER_TO_UINT(data);
}

/* Adds a listener for executions with events of a kind, which counts `unit` for each. */
static void listen_with(const enum event_kind *kinds, unsigned int unit)
{
	executions_add_listener(executions, &(struct executions_listener){
						    .data = GUINT_TO_POINTER(unit),
						    .only_with = kinds,
						    .started = hear,
					    });
}

static uint64_t heard_without(const bool *lacks)
{
	static const enum event_kind allocations[] = { EVENT_LIBC_FREE, EVENT_LIBC_MALLOC, EVENT_KIND_COUNT };
	static const enum event_kind switches[] = { EVENT_SCHED_SWITCH, EVENT_KIND_COUNT };

	heard = 0;
	listen_with(allocations, 1);
	listen_with(NULL, 10);
	listen_with(switches, 100);
	if (lacks) {
		recording_set_lacks(recording, lacks);
	}
	executions_begin(executions);
	start_on(thread, A, 10);
	return heard;
}

Test(executions, a_listener_hears_nothing_if_no_trace_declares_what_it_needs)
{
	bool lacks[EVENT_KIND_COUNT] = { [EVENT_LIBC_FREE] = true, [EVENT_SCHED_SWITCH] = true };

	cr_assert_eq(heard_without(lacks), 11);
}

Test(executions, a_listener_hears_all_if_the_reader_does_not_tell_what_traces_declare)
{
	cr_assert_eq(heard_without(NULL), 111);
}

static void hear_end(void *data, struct execution *execution, enum execution_outcome outcome)
{
	heard += GPOINTER_TO_UINT(data);
}

static void hear_first(void *data, struct model_callback *callback)
{
	heard += GPOINTER_TO_UINT(data);
}

static void listen_to(unsigned int callback_kinds, unsigned int unit)
{
	executions_add_listener(executions, &(struct executions_listener){
						    .data = GUINT_TO_POINTER(unit),
						    .callback_kinds = callback_kinds,
						    .started = hear,
						    .ended = hear_end,
					    });
}

Test(executions, a_listener_hears_of_its_kinds_of_callbacks_and_of_those_of_unknown_kind)
{
	struct event_record link = RECORD(RCLCPP_TIMER_CALLBACK_ADDED, thread, 1, 0x71, A);

	object_model_feed(model, &link);
	listen_to(1U << CALLBACK_KIND_TIMER, 1);
	listen_to(1U << CALLBACK_KIND_SERVICE, 10);
	listen_to(0, 100);
	heard = 0;
	start(A, 10);
	end(A, 20);
	cr_assert_eq(heard, 202, "of a timer");
	heard = 0;
	start(B, 30);
	end(B, 40);
	cr_assert_eq(heard, 222, "of unknown kind");
}

Test(executions, a_callback_that_was_of_unknown_kind_is_heard_of_by_all_from_then_on)
{
	struct event_record link = RECORD(RCLCPP_TIMER_CALLBACK_ADDED, thread, 1, 0x71, A);

	listen_to(1U << CALLBACK_KIND_SERVICE, 1);
	start(A, 10);
	end(A, 20);
	object_model_feed(model, &link);
	heard = 0;
	start(A, 30);
	end(A, 40);
	cr_assert_eq(heard, 2);
}

Test(executions, a_callback_begins_once_with_its_first_start_or_with_an_end_without_one)
{
	executions_add_listener(executions,
				&(struct executions_listener){ .data = GUINT_TO_POINTER(1), .began = hear_first });
	heard = 0;
	start(A, 10);
	end(A, 20);
	start(A, 30);
	end(A, 40);
	cr_assert_eq(heard, 1);
	end(B, 50);
	end(B, 60);
	cr_assert_eq(heard, 2);
}

/* What a listener finds of the callback without a question to the model. */
static void note_node(void *data, struct execution *execution)
{
	*(const char **)data = callback_info_at_start(execution->callback)->node;
}

static void define(struct event_record record)
{
	record.time_ns *= UNIT_NS;
	object_model_feed(model, &record);
}

Test(executions, a_start_tells_what_has_been_defined_since_the_one_before)
{
	const char *node = NULL;

	executions_add_listener(executions, &(struct executions_listener){ .data = &node, .started = note_node });
	define(RECORD(RCL_NODE_INIT, thread, 1, 0x10, 0x20, text("planner"), text("/")));
	define(RECORD(RCL_TIMER_INIT, thread, 2, 0x30, 1000));
	define(RECORD(RCLCPP_TIMER_CALLBACK_ADDED, thread, 3, 0x30, A));
	start(A, 10);
	end(A, 20);
	cr_assert_null(node);
	define(RECORD(RCLCPP_TIMER_LINK_NODE, thread, 30, 0x30, 0x10));
	start(A, 40);
	cr_assert_str_eq(node, "/planner");
}
