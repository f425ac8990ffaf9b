/* SPDX-License-Identifier: MIT */
#include "flow_records.h"

static void setup(void)
{
	flow_setup_recording();
	flow_setup_analysis();
}

static void teardown(void)
{
	flow_teardown_analysis();
	recording_teardown();
}

TestSuite(pipeline, .init = setup, .fini = teardown);

Test(pipeline, parts_that_are_not_asked_for_are_not_made)
{
	flow_teardown_analysis();
	pipeline = pipeline_create(recording, PIPELINE_DEFECTS);
	cr_assert_not_null(pipeline->model);
	cr_assert_not_null(pipeline->defects);
	cr_assert_null(pipeline->executions);
	cr_assert_null(pipeline->flows);
	cr_assert_null(pipeline->inferred);
	cr_assert_null(pipeline->schedules);
	publish(talker, 1, 500);
	finish();
}

Test(pipeline, flows_and_schedules_need_executions)
{
	flow_teardown_analysis();
	pipeline = pipeline_create(recording, PIPELINE_SCHEDULES);
	cr_assert_not_null(pipeline->executions);
	cr_assert_not_null(pipeline->schedules);
	cr_assert_null(pipeline->flows);
}

Test(pipeline, definitions_do_not_begin_the_recording)
{
	define_node(talker, "talker");
	cr_assert_not(pipeline_has_runtime(pipeline));
	run(talker);
	cr_assert(pipeline_has_runtime(pipeline));
	cr_assert_eq(pipeline->begin_ns, now_ns);
	now_ns += 50 * MS;
	run(talker);
	cr_assert_eq(pipeline->end_ns, now_ns);
}

Test(pipeline, an_event_that_is_out_of_order_may_begin_the_recording)
{
	int64_t first_ns = now_ns;

	now_ns += 50 * MS;
	run(talker);
	feed(RECORD(RCLCPP_EXECUTOR_EXECUTE, listener, first_ns, 0));
	cr_assert_eq(pipeline->begin_ns, first_ns);
	cr_assert_eq(pipeline->end_ns, now_ns);
}

Test(pipeline, limits_hold_from_the_first_runtime_event_on)
{
	struct time_range range = {
		.has_begin = true,
		.begin = { .origin = MOMENT_FROM_START, .ns = 10 * MS },
	};

	pipeline_set_range(pipeline, &range);
	define_node(talker, "talker");
	run(talker);
	cr_assert_eq(range.begin_ns, now_ns + 10 * MS);
	cr_assert_not(pipeline_has_runtime_in_range(pipeline));
	now_ns += 20 * MS;
	run(talker);
	cr_assert(pipeline_has_runtime_in_range(pipeline));
}

Test(pipeline, a_long_silence_without_packets_is_a_pause)
{
	define_timer(talker, 1);
	start(talker, TIMER_CALLBACK + 1);
	now_ns += 2 * NS_PER_S;
	run(listener);
	cr_assert_eq(diagnostics_count(diagnostics, DIAGNOSTIC_PAUSE, NULL), 0);
	now_ns += 4 * NS_PER_S;
	run(listener);
	cr_assert_eq(diagnostics_count(diagnostics, DIAGNOSTIC_PAUSE, NULL), 1);
}

Test(pipeline, a_pause_is_named_by_its_begin_and_its_length_and_many_are_counted)
{
	run(listener);
	now_ns += 1500 * MS - STEP_NS;
	run(listener);
	for (unsigned int i = 0; i < 22; i++) {
		now_ns += 4 * NS_PER_S - STEP_NS;
		run(listener);
	}
	cr_assert_eq(diagnostics_count(diagnostics, DIAGNOSTIC_PAUSE, "at +1.500 s, for 4.00 s"), 1);
	cr_assert_eq(diagnostics_count(diagnostics, DIAGNOSTIC_PAUSE, "at +77.500 s, for 4.00 s"), 1);
	cr_assert_eq(diagnostics_count(diagnostics, DIAGNOSTIC_PAUSE, "further ones"), 2);
	cr_assert_eq(diagnostics_count(diagnostics, DIAGNOSTIC_PAUSE, NULL), 22);
}

Test(pipeline, polls_and_steps_of_a_take_that_add_nothing_are_not_wanted)
{
	struct event_interest interest = { .joins_polls = false };

	pipeline_add_interest(&interest, PIPELINE_ALL);
	cr_assert(interest.wants[EVENT_RMW_TAKE]);
	cr_assert(interest.wants[EVENT_CALLBACK_START]);
	cr_assert(interest.wants[EVENT_RCL_NODE_INIT]);
	cr_assert_not(interest.wants[EVENT_RCL_TAKE]);
	cr_assert_not(interest.wants[EVENT_RCLCPP_EXECUTOR_WAIT_FOR_WORK]);
	cr_assert_not(interest.wants[EVENT_SCHED_SWITCH]);
}

Test(pipeline, schedules_want_the_kernel_s_events)
{
	struct event_interest interest = { .joins_polls = false };

	pipeline_add_interest(&interest, PIPELINE_SCHEDULES);
	cr_assert(interest.wants[EVENT_SCHED_SWITCH]);
}

static guint settled;

static void count_settled(void *data, const struct flow_publication *publication)
{
	settled += GPOINTER_TO_UINT(data);
}

/* Adds a listener for flows with events of a kind, which counts `unit` for each. */
static void listen_with(const enum event_kind *kinds, guint unit)
{
	flow_linker_add_listener(pipeline->flows, &(struct flow_listener){
							  .data = GUINT_TO_POINTER(unit),
							  .only_with = kinds,
							  .settled = count_settled,
						  });
}

static guint settled_without(const bool *lacks)
{
	static const enum event_kind executors[] = { EVENT_RCLCPP_EXECUTOR_EXECUTE, EVENT_RCLCPP_EXECUTOR_WAIT_FOR_WORK,
						     EVENT_KIND_COUNT };
	static const enum event_kind waits[] = { EVENT_RCLCPP_EXECUTOR_WAIT_FOR_WORK, EVENT_KIND_COUNT };

	settled = 0;
	listen_with(executors, 1);
	listen_with(NULL, 10);
	listen_with(waits, 100);
	if (lacks) {
		recording_set_lacks(recording, lacks);
	}
	publish(talker, 1, 500);
	finish();
	return settled;
}

Test(pipeline, a_listener_of_flows_hears_nothing_if_no_trace_declares_what_it_needs)
{
	const bool lacks[EVENT_KIND_COUNT] = { [EVENT_RCLCPP_EXECUTOR_WAIT_FOR_WORK] = true };

	cr_assert_eq(settled_without(lacks), 11);
}

Test(pipeline, a_listener_of_flows_hears_all_if_the_reader_does_not_tell_what_traces_declare)
{
	cr_assert_eq(settled_without(NULL), 111);
}
