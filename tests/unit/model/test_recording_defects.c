/* SPDX-License-Identifier: MIT */
#include "core/model/recording_defects.h"

#include <criterion/criterion.h>

#include "records.h"
#include "ros2bt/base/time_units.h"

static struct recording_defects *defects;
static struct diagnostics *diagnostics;

static void setup(void)
{
	recording_setup();
	defects = recording_defects_create(recording);
	diagnostics = diagnostics_create();
}

static void teardown(void)
{
	diagnostics_destroy(diagnostics);
	recording_defects_destroy(defects);
	recording_teardown();
}

TestSuite(recording_defects, .init = setup, .fini = teardown);

static void feed_loss(unsigned int kind, uint16_t stream, uint64_t count)
{
	struct event_record record =
		in_stream(record_of(kind, RECORDING_NONE, 100, (const uint64_t[]){ count }, 1), stream);

	recording_defects_lose(defects, &record);
}

static void feed_events(uint32_t thread, unsigned int count)
{
	for (unsigned int i = 0; i < count; i++) {
		recording_defects_count(defects, thread);
	}
}

static uint64_t count_of(enum diagnostic what, const char *detail)
{
	return diagnostics_count(diagnostics, what, detail);
}

Test(recording_defects, losses_are_counted_for_each_trace)
{
	add_trace("a"); /* stream 0 */
	add_trace("b"); /* stream 1 */
	feed_loss(RECORD_DISCARDED_EVENTS, 0, 3);
	feed_loss(RECORD_DISCARDED_EVENTS, 0, 4);
	feed_loss(RECORD_DISCARDED_EVENTS, 1, 5);
	feed_loss(RECORD_DISCARDED_PACKETS, 1, 2);
	recording_defects_diagnose(defects, diagnostics);
	cr_expect_eq(count_of(DIAGNOSTIC_DISCARDED_EVENTS, "a"), 7);
	cr_expect_eq(count_of(DIAGNOSTIC_DISCARDED_EVENTS, "b"), 5);
	cr_expect_eq(count_of(DIAGNOSTIC_DISCARDED_PACKETS, "b"), 2);
	cr_expect_eq(count_of(DIAGNOSTIC_DISCARDED_PACKETS, "a"), 0);
}

Test(recording_defects, a_process_lacks_what_traces_lost_that_may_have_its_events)
{
	struct recording_trace_info of_one = { .name = "one", .hostname = "h", .has_vpid = true, .vpid = 7 };
	struct recording_trace_info of_all = { .name = "all", .hostname = "h" };
	struct recording_trace_info of_kernel = { .name = "kernel", .hostname = "h", .is_kernel = true };
	uint16_t one = recording_add_stream(recording, recording_add_trace(recording, &of_one));
	uint16_t all = recording_add_stream(recording, recording_add_trace(recording, &of_all));
	uint16_t kernel = recording_add_stream(recording, recording_add_trace(recording, &of_kernel));

	feed_loss(RECORD_DISCARDED_EVENTS, kernel, 3);
	cr_expect_not(recording_defects_may_lack(defects, "h", 7));
	feed_loss(RECORD_DISCARDED_PACKETS, one, RECORD_COUNT_UNKNOWN);
	cr_expect(recording_defects_may_lack(defects, "h", 7));
	cr_expect_not(recording_defects_may_lack(defects, "h", 8));
	feed_loss(RECORD_DISCARDED_EVENTS, all, 3);
	cr_expect(recording_defects_may_lack(defects, "h", 8));
	cr_expect_not(recording_defects_may_lack(defects, "other", 7));
}

Test(recording_defects, what_was_overwritten_before_a_stream_is_lacking)
{
	struct recording_trace_info info = { .name = "all", .hostname = "h" };
	uint32_t trace = recording_add_trace(recording, &info);
	uint16_t early = recording_add_stream(recording, trace);
	uint16_t late = recording_add_stream(recording, trace);

	recording_packet_begins(recording, early, NS_PER_S);
	recording_set_stream_lost_before(recording, late, 3, NS_PER_S);
	cr_expect_not(recording_defects_may_lack(defects, "h", 7));
	late = recording_add_stream(recording, trace);
	recording_set_stream_lost_before(recording, late, 3, 2 * NS_PER_S);
	cr_expect(recording_defects_may_lack(defects, "h", 7));
}

/* A loss that the trace does not count, and one beyond what 64 bits hold together with the others. */
Test(recording_defects, a_loss_of_unknown_size_is_named_and_adds_nothing)
{
	add_trace("a");
	feed_loss(RECORD_DISCARDED_EVENTS, 0, 10);
	feed_loss(RECORD_DISCARDED_EVENTS, 0, RECORD_COUNT_UNKNOWN);
	feed_loss(RECORD_DISCARDED_EVENTS, 0, UINT64_MAX - 9);
	feed_loss(RECORD_DISCARDED_PACKETS, 0, RECORD_COUNT_UNKNOWN);
	recording_defects_diagnose(defects, diagnostics);
	cr_expect_eq(count_of(DIAGNOSTIC_DISCARDED_EVENTS, "a"), 10);
	cr_expect_eq(count_of(DIAGNOSTIC_DISCARDED_EVENTS, "a: losses of unknown size"), 2);
	cr_expect_eq(count_of(DIAGNOSTIC_DISCARDED_PACKETS, "a: losses of unknown size"), 1);
}

Test(recording_defects, a_trace_without_a_name_has_losses_without_one)
{
	add_trace("");
	feed_loss(RECORD_DISCARDED_EVENTS, 0, RECORD_COUNT_UNKNOWN);
	recording_defects_diagnose(defects, diagnostics);
	cr_expect_eq(count_of(DIAGNOSTIC_DISCARDED_EVENTS, "losses of unknown size"), 1);
}

/* The thread that lacks an id is seen late. */
Test(recording_defects, events_are_to_be_counted_while_there_was_none_or_threads_lack_ids)
{
	uint32_t trace = add_trace("a");
	uint32_t complete = add_thread(trace, 7, 7);

	cr_expect(recording_defects_counts(defects));
	feed_events(complete, 1);
	cr_expect_not(recording_defects_counts(defects));
	recording_add_thread(recording, trace, &(struct recording_context){ .has_vpid = true, .vpid = 8 }, NULL);
	cr_expect(recording_defects_counts(defects));
}

/* 2 events of a thread with both contexts, 3 with the vpid only, 4 with neither. */
Test(recording_defects, events_without_contexts_are_counted)
{
	uint32_t trace = add_trace("a");
	const struct recording_context no_vtid = { .has_vpid = true, .vpid = 8 }, neither = { 0 };

	feed_events(add_thread(trace, 7, 7), 2);
	feed_events(recording_add_thread(recording, trace, &no_vtid, NULL), 3);
	feed_events(recording_add_thread(recording, trace, &neither, NULL), 4);
	recording_defects_diagnose(defects, diagnostics);
	cr_expect_eq(count_of(DIAGNOSTIC_NO_VPID, "a"), 4);
	cr_expect_eq(count_of(DIAGNOSTIC_NO_VTID, "a"), 7);
	cr_expect_eq(count_of(DIAGNOSTIC_NO_ROS_EVENTS, NULL), 0);
}

Test(recording_defects, a_recording_without_events_is_named_unless_a_part_was_not_read)
{
	recording_defects_diagnose(defects, diagnostics);
	cr_expect_eq(count_of(DIAGNOSTIC_NO_ROS_EVENTS, ""), 1);
	diagnostics_clear(diagnostics);
	diagnostics_add(diagnostics, DIAGNOSTIC_INTERRUPTED, "SIGINT", 1);
	recording_defects_diagnose(defects, diagnostics);
	cr_expect_eq(count_of(DIAGNOSTIC_NO_ROS_EVENTS, ""), 0);
}

Test(recording_defects, events_of_unknown_layout_are_named_with_the_reason)
{
	uint32_t unknown = recording_add_unknown_class(recording, "ros2:callback_start", "field callback is missing");

	recording_count_unknown(recording, unknown);
	recording_count_unknown(recording, unknown);
	recording_defects_diagnose(defects, diagnostics);
	cr_expect_eq(count_of(DIAGNOSTIC_UNKNOWN_LAYOUT, "ros2:callback_start: field callback is missing"), 2);
}
