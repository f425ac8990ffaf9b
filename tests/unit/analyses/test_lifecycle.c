/* SPDX-License-Identifier: MIT */
#include "scripted_session.h"

enum { MACHINE = 0x8000 };

/* The node /arm with its state machine, in the process of `talker`, after the recording has begun. */
static void setup(void)
{
	scripted_setup();
	NEXT(RCL_PUBLISH, talker, 0, 0);
	now_ns = 1000 * MS;
	define_node(talker, "arm");
	NEXT(RCL_LIFECYCLE_STATE_MACHINE_INIT, talker, NODE, MACHINE);
	define_publisher(talker, 1, "/joints");
}

TestSuite(lifecycle, .init = setup, .fini = scripted_teardown);

static void step(const char *start_label, const char *goal_label)
{
	NEXT(RCL_LIFECYCLE_TRANSITION, talker, MACHINE, text(start_label), text(goal_label));
}

/* The row of a state of the only node; fails if there is none. */
static guint row_of(const char *state)
{
	for (guint i = 0; i < row_count("lifecycle"); i++) {
		if (strcmp(cell_of("lifecycle", i, "state"), state) == 0) {
			return i;
		}
	}
	cr_assert_fail("no state %s", state);
	return 0;
}

static void expect_transition(guint row, const char *from, const char *transition, const char *to, const char *result)
{
	expect_cells("lifecycle_instances", row, "from_state", from, "transition", transition, "to_state", to, "result",
		     result);
}

Test(lifecycle, a_change_of_state_is_two_steps_around_the_function)
{
	step("unconfigured", "configuring");
	now_ns += MS;
	step("configuring", "inactive");
	report();
	cr_assert_eq(row_count("lifecycle_instances"), 1);
	expect_transition(0, "unconfigured", "configuring", "inactive", "success");
	expect_cells("lifecycle_instances", 0, "node", "/arm", "vpid", "1");
	expect("lifecycle", row_of("configuring"), "time_sum_ns", "1001000");
	expect_cells("lifecycle", row_of("unconfigured"), "entries", "1", "time_sum_ns", "2000");
	expect("lifecycle", row_of("inactive"), "entries", "1");
}

Test(lifecycle, results)
{
	static const char *const steps[][3] = {
		{ "configuring", "unconfigured", "failure" }, { "configuring", "inactive", "success" },
		{ "activating", "inactive", "failure" },      { "activating", "active", "success" },
		{ "deactivating", "active", "failure" },      { "deactivating", "inactive", "success" },
		{ "cleaningup", "inactive", "failure" },      { "activating", "errorprocessing", "error" },
	};
	const char *state = "unconfigured";

	for (size_t i = 0; i < G_N_ELEMENTS(steps); i++) {
		step(state, steps[i][0]);
		step(steps[i][0], steps[i][1]);
		state = steps[i][1];
	}
	step("errorprocessing", "unconfigured");
	step("unconfigured", "shuttingdown");
	step("shuttingdown", "errorprocessing");
	step("errorprocessing", "finalized");
	report();
	cr_assert_eq(row_count("lifecycle_instances"), G_N_ELEMENTS(steps) + 3);
	for (guint i = 0; i < G_N_ELEMENTS(steps); i++) {
		expect_cells("lifecycle_instances", i, "transition", steps[i][0], "to_state", steps[i][1], "result",
			     steps[i][2]);
	}
	expect_transition(8, "activating", "errorprocessing", "unconfigured", "success");
	expect_transition(9, "unconfigured", "shuttingdown", "errorprocessing", "error");
	expect_transition(10, "shuttingdown", "errorprocessing", "finalized", "failure");
	cr_assert_eq(count_of("lifecycle state unknown"), 0);
	cr_assert_eq(row_count("lifecycle_findings"), 3);
	expect("lifecycle_findings", 0, "what", "activating ended in an error");
	expect("lifecycle_findings", 1, "what", "shuttingdown ended in an error");
}

Test(lifecycle, times_of_the_states_add_up_to_the_life_of_the_node)
{
	int64_t sum_ns = 0;

	step("unconfigured", "configuring");
	step("configuring", "inactive");
	step("inactive", "activating");
	step("activating", "active");
	now_ns += 5 * MS;
	run(talker);
	report();
	for (guint i = 0; i < row_count("lifecycle"); i++) {
		sum_ns += g_ascii_strtoll(cell_of("lifecycle", i, "time_sum_ns"), NULL, 10);
	}
	cr_assert_eq(sum_ns, now_ns - (1000 * MS + 2 * STEP_NS));
	expect("lifecycle", row_of("active"), "time_sum_ns", "5001000");
	expect("lifecycle", 0, "state", "unconfigured");
	expect("lifecycle", 4, "state", "active");
	expect_cells("lifecycle_state_instances", 4, "state", "active", "end_ns", "");
}

Test(lifecycle, a_node_that_never_changes_is_unconfigured)
{
	NEXT(RCL_LIFECYCLE_STATE_MACHINE_INIT, talker, NODE, MACHINE + 1);
	step("unconfigured", "configuring");
	report();
	cr_assert_eq(row_count("lifecycle"), 3);
	expect("lifecycle_instances", 0, "end_ns", "");
	expect_transition(0, "unconfigured", "configuring", "", "");
}

Test(lifecycle, without_any_transition_the_states_are_unknown)
{
	run(talker);
	report();
	cr_assert_eq(row_count("lifecycle"), 1);
	expect("lifecycle", 0, "state", "unknown");
	cr_assert_eq(count_of("lifecycle state unknown"), 1);
}

Test(lifecycle, where_steps_are_missing_the_state_is_unknown)
{
	step("unconfigured", "configuring");
	step("configuring", "inactive");
	now_ns += MS;
	step("activating", "active");
	step("active", "deactivating");
	report();
	cr_assert_eq(count_of("lifecycle state unknown"), 1);
	expect("lifecycle", row_of("unknown"), "time_sum_ns", "1001000");
	expect("lifecycle", row_of("active"), "entries", "1");
	cr_assert_eq(row_count("lifecycle_instances"), 3);
	expect_transition(1, "", "activating", "active", "success");
	expect("lifecycle_instances", 1, "start_ns", "");
	for (guint i = 0; i < row_count("lifecycle"); i++) {
		cr_assert_str_neq(cell_of("lifecycle", i, "state"), "inactive");
	}
}

/* It may have been left and entered again. */
Test(lifecycle, a_stay_across_a_pause_of_tracing_is_doubtful)
{
	recording_packet_begins(recording, 0, 0);
	step("unconfigured", "configuring");
	step("configuring", "inactive");
	run_callback(talker, 0x42);
	recording_packet_ends(recording, 0, now_ns);
	now_ns += 1000 * MS;
	recording_packet_begins(recording, 0, now_ns);
	start(talker, 0x42); /* of the service that changes the state */
	step("inactive", "activating");
	step("activating", "active");
	report();
	expect("lifecycle", row_of("configuring"), "doubtful", "0");
	expect("lifecycle", row_of("inactive"), "doubtful", "1");
	expect("lifecycle", row_of("activating"), "doubtful", "0");
}

Test(lifecycle, a_transition_without_its_end_has_no_result)
{
	step("unconfigured", "configuring");
	step("inactive", "activating");
	step("activating", "active");
	report();
	expect_transition(0, "unconfigured", "configuring", "", "");
	expect_transition(1, "inactive", "activating", "active", "success");
	cr_assert_eq(count_of("lifecycle state unknown"), 1);
}

Test(lifecycle, a_machine_that_was_not_defined_is_known_from_its_first_step_on)
{
	NEXT(RCL_LIFECYCLE_TRANSITION, listener, 0x9999, text("inactive"), text("activating"));
	NEXT(RCL_LIFECYCLE_TRANSITION, listener, 0x9999, text("activating"), text("active"));
	report();
	cr_assert_eq(row_count("lifecycle_instances"), 1);
	expect_transition(0, "inactive", "activating", "active", "success");
	expect("lifecycle_instances", 0, "node", "");
	cr_assert_eq(count_of("lifecycle state unknown"), 0);
}

Test(lifecycle, a_machine_defined_late_keeps_what_it_did)
{
	struct event_record late;

	NEXT(RCL_LIFECYCLE_TRANSITION, talker, MACHINE + 2, text("unconfigured"), text("configuring"));
	NEXT(RCL_LIFECYCLE_TRANSITION, talker, MACHINE + 2, text("configuring"), text("inactive"));
	late = RECORD(RCL_LIFECYCLE_STATE_MACHINE_INIT, talker, now_ns += STEP_NS, NODE, MACHINE + 2);
	feed(by_caret(late, 1000 * MS));
	NEXT(RCL_LIFECYCLE_TRANSITION, talker, MACHINE + 2, text("inactive"), text("activating"));
	report();
	cr_assert_eq(count_of("lifecycle state unknown"), 0);
	cr_assert_eq(row_count("lifecycle_instances"), 2);
}

Test(lifecycle, another_machine_at_the_address_begins_anew)
{
	step("unconfigured", "configuring");
	step("configuring", "inactive");
	NEXT(RCL_LIFECYCLE_STATE_MACHINE_INIT, talker, NODE + 1, MACHINE);
	now_ns += MS;
	step("unconfigured", "configuring");
	report();
	cr_assert_eq(count_of("lifecycle state unknown"), 0);
	expect("lifecycle", row_of("inactive"), "time_sum_ns", "1000");
}

Test(lifecycle, copies_of_a_step_are_none)
{
	step("unconfigured", "configuring");
	repeat();
	step("configuring", "inactive");
	report();
	cr_assert_eq(count_of("lifecycle state unknown"), 0);
	expect("lifecycle", row_of("configuring"), "entries", "1");
}

Test(lifecycle, publications_count_for_the_state_they_are_made_in)
{
	define_publisher(talker, 2, "/rosout");
	define_publisher(talker, 3, "/arm/transition_event");
	publish(talker, 1, 1);
	publish(talker, 2, 2);
	step("unconfigured", "configuring");
	publish(talker, 3, 3);
	step("configuring", "inactive");
	publish(talker, 1, 4);
	publish(talker, 1, 5);
	step("inactive", "activating");
	step("activating", "active");
	publish(talker, 1, 6);
	report();
	expect("lifecycle", row_of("unconfigured"), "published", "1");
	expect("lifecycle", row_of("configuring"), "published", "0");
	expect("lifecycle", row_of("inactive"), "published", "2");
	expect("lifecycle", row_of("active"), "published", "1");
	cr_assert_eq(row_count("lifecycle_publications"), 3);
	expect_cells("lifecycle_publications", 1, "topic", "/joints", "count", "2");
	cr_assert_eq(row_count("lifecycle_findings"), 2);
	expect_cells("lifecycle_findings", 0, "what", "published /joints while inactive", "count", "2");
}

Test(lifecycle, publications_are_of_the_node_with_the_handle_in_the_same_process)
{
	NEXT(RCL_NODE_INIT, talker, NODE + 1, RMW_NODE + 1, text("leg"), text("/"));
	NEXT(RCL_LIFECYCLE_STATE_MACHINE_INIT, talker, NODE + 1, MACHINE + 1);
	define_node(listener, "hand");
	NEXT(RCL_LIFECYCLE_STATE_MACHINE_INIT, listener, NODE, MACHINE);
	define_publisher(listener, 1, "/fingers");
	publish(talker, 1, 1);
	publish(listener, 1, 2);
	publish(listener, 1, 3);
	step("unconfigured", "configuring");
	report();
	cr_assert_eq(row_count("lifecycle_publications"), 2);
	expect_cells("lifecycle_publications", 0, "node", "/arm", "topic", "/joints", "count", "1");
	expect_cells("lifecycle_publications", 1, "node", "/hand", "topic", "/fingers", "count", "2");
}

Test(lifecycle, publications_are_chosen_by_topic_too)
{
	struct name_filter *topics = name_filter_create((const char *const[]){ "/other*", NULL });

	destroy_session();
	kept_options.names.topics = topics;
	begin_session();
	define_publisher(talker, 2, "/others");
	step("unconfigured", "configuring");
	publish(talker, 1, 1);
	publish(talker, 2, 2);
	report();
	cr_assert_eq(row_count("lifecycle_publications"), 1);
	expect("lifecycle_publications", 0, "topic", "/others");
	expect("lifecycle", row_of("configuring"), "published", "2");
	destroy_session();
	kept_options.names.topics = NULL;
	begin_session();
	name_filter_destroy(topics);
}

Test(lifecycle, a_publication_within_and_between_processes_is_one)
{
	NEXT(RCLCPP_INTRA_PUBLISH, talker, MESSAGE, PUBLISHER + 1);
	NEXT(RCL_PUBLISH, talker, MESSAGE, PUBLISHER + 1);
	NEXT(RCLCPP_INTRA_PUBLISH, talker, MESSAGE, PUBLISHER + 1);
	step("unconfigured", "configuring");
	report();
	expect("lifecycle", row_of("unconfigured"), "published", "2");
}

/* A definition may be far older than what follows it: a flight recording keeps the last events only. */
Test(lifecycle, no_state_lasts_longer_than_the_recording)
{
	g_array_set_size(script, 0);
	now_ns = MS;
	define_node(talker, "arm");
	NEXT(RCL_LIFECYCLE_STATE_MACHINE_INIT, talker, NODE, MACHINE);
	now_ns += 5000 * MS;
	NEXT(RCL_PUBLISH, talker, 0, 0);
	step("unconfigured", "configuring");
	now_ns += MS;
	step("configuring", "inactive");
	report();
	expect_cells("lifecycle", row_of("unconfigured"), "entries", "1", "time_sum_ns", "1000");
	expect("lifecycle", row_of("configuring"), "time_sum_ns", "1001000");
}

Test(lifecycle, a_range_cuts_the_stays)
{
	int64_t begin_ns;

	step("unconfigured", "configuring");
	begin_ns = now_ns + MS;
	now_ns += 2 * MS;
	step("configuring", "inactive");
	NEXT(RCL_PUBLISH, talker, 0, 0);
	kept_options.range = (struct time_range){ .has_begin = true,
						  .begin = { MOMENT_FROM_EPOCH, begin_ns },
						  .begin_ns = begin_ns };
	destroy_session();
	begin_session();
	report();
	expect_cells("lifecycle", row_of("configuring"), "entries", "0", "time_sum_ns", "1001000");
	cr_assert_eq(row_count("lifecycle_instances"), 0);
}

Test(lifecycle, the_present_stay_counts_before_the_end)
{
	step("unconfigured", "configuring");
	now_ns += MS;
	run(talker);
	session_feed(session, (const struct event_record *)(void *)script->data, script->len);
	session_write(session);
	expect_cells("lifecycle", row_of("configuring"), "time_sum_ns", "1001000", "entries", "1");
}
