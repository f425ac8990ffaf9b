/* SPDX-License-Identifier: MIT */
#include "core/analyses/communications/publication_counts.h"

#include "flow_records.h"

/* More than what a publisher keeps without merging. */
#define MANY 1000

static struct publication_counts *counts;

static void setup(void)
{
	flow_setup_recording();
	flow_setup_analysis();
	counts = publication_counts_create(recording, linker);
}

static void teardown(void)
{
	flow_teardown_analysis();
	recording_teardown();
}

TestSuite(publication_counts, .init = setup, .fini = teardown);

Test(publication_counts, total_is_known_before_any_process_runs)
{
	for (int i = 0; i < MANY; i++) {
		publication_counts_add(counts, 0, i);
	}
	cr_expect_eq(publication_counts_total(counts, 0), MANY);
	cr_expect_eq(publication_counts_during(counts, 0, process_of(listener)), 0);
}

Test(publication_counts, counts_what_is_published_while_a_process_runs)
{
	uint64_t during = 0;

	for (int i = 0; i < 3 * MANY; i++) {
		if (i == MANY || i == 2 * MANY) {
			run(listener);
		}
		/* by a publisher of the other process: strictly between the first and the last event */
		publication_counts_add(counts, 2, now_ns += STEP_NS);
		during += i >= MANY && i < 2 * MANY;
	}
	cr_expect_eq(publication_counts_during(counts, 2, process_of(listener)), during);
	cr_expect_eq(publication_counts_during(counts, 2, process_of(talker)), 0);
	cr_expect_eq(publication_counts_total(counts, 2), 3 * MANY);
}

Test(publication_counts, those_at_the_first_and_the_last_event_of_a_process_count)
{
	int64_t first_ns, last_ns;
	struct flow_process_life life;

	run(listener);
	now_ns += MS;
	run(listener);
	life = flow_linker_process_life(linker, process_of(listener));
	first_ns = life.first_ns;
	last_ns = life.last_ns;
	for (int i = 0; i < MANY; i++) {
		publication_counts_add(counts, 2, first_ns - MANY + i);
	}
	for (int i = 0; i < MANY; i++) {
		publication_counts_add(counts, 2, i < 2 ? first_ns : i < MANY - 2 ? first_ns + 1 : last_ns);
	}
	for (int i = 0; i < MANY; i++) {
		publication_counts_add(counts, 2, last_ns + 1);
	}
	cr_expect_eq(publication_counts_during(counts, 2, process_of(listener)), MANY);
}

Test(publication_counts, counts_nothing_of_a_publisher_without_messages)
{
	run(listener);
	cr_expect_eq(publication_counts_during(counts, 7, process_of(listener)), 0);
	cr_expect_eq(publication_counts_total(counts, 7), 0);
}
