/* SPDX-License-Identifier: MIT */
/* When events of a process may be missing. */
#include "core/flow/breaks.h"
#include "flow_records.h"

#define START (1000 * MS) /* of flow_records.h */

static void setup(void)
{
	flow_setup_recording();
	flow_setup_analysis();
	run(talker);
	run(listener);
}

static void teardown(void)
{
	flow_teardown_analysis();
	recording_teardown();
}

TestSuite(breaks, .init = setup, .fini = teardown);

static void lose_events(int64_t from_ns, int64_t to_ns, uint16_t stream)
{
	now_ns = from_ns;
	feed(loss_of(RECORD_DISCARDED_EVENTS, stream, from_ns, to_ns));
}

static bool may_miss(int64_t from_ns, int64_t to_ns)
{
	return flow_linker_may_miss(linker, process_of(listener), from_ns, to_ns);
}

/* The stream goes on with the next record of the listener. */
Test(breaks, a_loss_concerns_its_interval_only)
{
	lose_events(START + 10 * MS, START + 20 * MS, 0);
	now_ns = START + 21 * MS;
	run(listener);
	cr_assert_not(may_miss(START, START + 10 * MS));
	cr_assert(may_miss(START, START + 10 * MS + 1));
	cr_assert(may_miss(START + 12 * MS, START + 13 * MS));
	cr_assert(may_miss(START + 20 * MS, START + 30 * MS));
	cr_assert_not(may_miss(now_ns, START + 30 * MS));
}

Test(breaks, a_loss_of_another_trace_does_not_matter)
{
	add_trace("other");
	lose_events(START + 10 * MS, START + 20 * MS, (uint16_t)(recording_stream_count(recording) - 1));
	cr_assert_not(may_miss(START, START + 30 * MS));
}

Test(breaks, while_caret_did_not_record_a_process_its_events_are_missing)
{
	int64_t last_ns = now_ns;

	NEXT(CARET_INIT, listener, 0);
	cr_assert(may_miss(last_ns + 5 * MS, last_ns + 6 * MS), "not yet recorded again");
	cr_assert_not(may_miss(START, last_ns - 1));
	now_ns += 20 * MS;
	run(listener);
	cr_assert(may_miss(last_ns + 5 * MS, last_ns + 6 * MS));
	cr_assert_not(may_miss(now_ns + 1, now_ns + MS));
	cr_assert_not(flow_linker_may_miss(linker, process_of(talker), START, now_ns));
}

/* CARET prepares for some seconds before it records a process in another session. */
Test(breaks, of_a_pause_only_its_own_time_is_lost_unless_caret_did_not_record_the_process)
{
	struct coverage *coverage = executions_coverage(executions);
	int64_t last_ns = now_ns;

	now_ns += 20 * MS;
	coverage_add_pause(coverage, last_ns + 5 * MS, last_ns + 15 * MS);
	flow_linker_pause(linker);
	NEXT(CARET_INIT, listener, 0);
	now_ns += 40 * MS;
	run(talker);
	run(listener);
	cr_assert_eq(coverage_process_lost_ns(coverage, process_of(talker), START, now_ns), 10 * MS);
	cr_assert_geq(coverage_process_lost_ns(coverage, process_of(listener), START, now_ns), 60 * MS);
}

Test(breaks, a_process_without_events_was_not_recorded)
{
	uint32_t silent = add_thread(0, 77, 77);

	cr_assert(flow_linker_may_miss(linker, process_of(silent), START, START));
	cr_assert_not(flow_linker_process_life(linker, process_of(silent)).has_run);
	cr_assert(flow_linker_process_life(linker, process_of(listener)).has_run);
}
