/* SPDX-License-Identifier: MIT */
#include "ros2bt/clocks/record_alignment.h"

#include <criterion/criterion.h>

#include "records.h"
#include "ros2bt/base/time_units.h"

/* The clock of the host `ahead` is this much ahead of that of the reference. */
#define AHEAD_NS 1000

/* Streams: one of each host. */
enum { REFERENCE, AHEAD };

static struct clock_alignment *clocks;
static struct record_alignment *alignment;
static GString *story; /* time and stream of each record taken, and "|" at the end of a batch */
static bool wants_more;

static bool take(const struct event_record *records, size_t count, void *data)
{
	for (size_t i = 0; i < count; i++) {
		g_string_append_printf(story, "%d@%u ", (int)records[i].time_ns, records[i].stream);
		if (records[i].kind == RECORD_POINT) {
			g_string_append_printf(story, "(%d) ", (int)record_point_values(&records[i])->at[0].number);
		}
	}
	g_string_append(story, "|");
	return wants_more;
}

static void add_host(const char *name)
{
	recording_add_stream(recording,
			     recording_add_trace(recording, &(struct recording_trace_info){ .hostname = name }));
}

static void setup(void)
{
	/* messages both ways with a latency of 0, so the offset is exact */
	struct clock_bound bounds[] = { { 0, AHEAD_NS, true },
					{ 0, AHEAD_NS, false },
					{ NS_PER_S, AHEAD_NS, true },
					{ NS_PER_S, AHEAD_NS, false } };

	recording_setup();
	add_host("reference");
	add_host("ahead");
	clocks = clock_alignment_create(2);
	clock_alignment_refer(clocks, 1, 0, clock_relation_create(bounds, G_N_ELEMENTS(bounds)));
	alignment = record_alignment_create(recording, clocks, take, NULL);
	story = g_string_new(NULL);
	wants_more = true;
}

static void teardown(void)
{
	g_string_free(story, TRUE);
	record_alignment_destroy(alignment);
	clock_alignment_destroy(clocks);
	recording_teardown();
}

TestSuite(record_alignment, .init = setup, .fini = teardown);

static bool feed(uint16_t stream, int64_t time_ns)
{
	struct event_record record = in_stream(RECORD(RCL_TAKE, 0, time_ns, 0), stream);

	return record_alignment_feed(alignment, &record, 1);
}

/* 1500 of the host ahead is 500 of the reference, before 600. Until 2000, that host could still have had 999. */
Test(record_alignment, a_record_waits_until_no_host_can_have_an_earlier_one)
{
	feed(REFERENCE, 600);
	feed(AHEAD, 1500);
	cr_expect_str_eq(story->str, "");
	feed(REFERENCE, 2000);
	cr_expect_str_eq(story->str, "500@1 600@0 |");
	record_alignment_finish(alignment);
	cr_expect_str_eq(story->str, "500@1 600@0 |2000@0 |");
}

Test(record_alignment, records_of_a_host_keep_their_order)
{
	feed(AHEAD, 1500);
	feed(AHEAD, 1400);
	record_alignment_finish(alignment);
	cr_expect_str_eq(story->str, "500@1 500@1 |");
}

Test(record_alignment, nothing_more_is_given_to_who_wants_no_more)
{
	wants_more = false;
	cr_expect(feed(REFERENCE, 600));
	cr_expect_not(feed(REFERENCE, 5000));
	cr_expect_str_eq(story->str, "600@0 |");
	cr_expect_not(record_alignment_finish(alignment));
	cr_expect_str_eq(story->str, "600@0 |");
}

/* The values of the batch that was read are gone when a waiting record leaves: it has a copy. */
Test(record_alignment, a_waiting_record_has_its_own_values)
{
	size_t size = sizeof(struct point_values) + sizeof(struct point_value);
	g_autofree struct point_values *values = g_malloc0(size);
	struct event_record record = { .kind = RECORD_POINT, .time_ns = 600 };

	values->size = (uint32_t)size;
	values->count = 1;
	values->at[0] = (struct point_value){ .type = POINT_VALUE_SIGNED, .number = 42 };
	record.word[RECORD__values] = (uintptr_t)values;
	record_alignment_feed(alignment, &record, 1);
	values->at[0].number = 13;
	record_alignment_finish(alignment);
	cr_expect_str_eq(story->str, "600@0 (42) |");
}

/* The time of initialization, and the end of a range of lost events, are times of the host, too. */
Test(record_alignment, times_in_words_are_converted)
{
	struct event_record caret = by_caret(RECORD(RCL_INIT, 0, 2000, 1, text("1")), 1700);
	struct event_record loss = { .kind = RECORD_DISCARDED_EVENTS, .present = 3, .word = { 5, 1900 } };
	struct event_record take = RECORD(RCL_TAKE, 0, 2000, 1700);

	record_align_words(clocks, 1, &caret);
	record_align_words(clocks, 1, &loss);
	record_align_words(clocks, 1, &take);
	cr_expect_eq(record_since_ns(&caret), 700);
	cr_expect_eq(loss.word[RECORD__end_ns], 900);
	cr_expect_eq(loss.word[RECORD__count], 5);
	cr_expect_eq(take.word[0], 1700);
}
