/* SPDX-License-Identifier: MIT */
#include "scripted_session.h"

/* Trace 1 is that of the kernel, with a stream for each CPU. */
static uint16_t stream_of_cpu[2];

static void setup(void)
{
	kept_options = (struct analysis_options){ 0 };
	flow_setup_recording();
	recording_add_trace(recording, &(struct recording_trace_info){ .name = "kernel", .hostname = "host" });
	for (uint64_t cpu = 0; cpu < 2; cpu++) {
		stream_of_cpu[cpu] = recording_add_stream(recording, 1);
		recording_set_stream_cpu(recording, stream_of_cpu[cpu], cpu);
	}
	begin_scripted_session();
}

TestSuite(pages, .init = setup, .fini = scripted_teardown);

/* The thread of process `vpid` in its contexts. */
static uint32_t ids(int32_t vpid, int32_t vtid)
{
	const struct recording_context context = { .has_vpid = true, .has_vtid = true, .vpid = vpid, .vtid = vtid };

	return recording_add_ids(recording, &context);
}

static void allocate(uint32_t thread, int64_t time_ns, uint64_t page, uint64_t order)
{
	feed(in_stream(RECORD(KMEM_MM_PAGE_ALLOC, thread, time_ns, page, order), stream_of_cpu[0]));
}

static void deallocate(uint32_t thread, int64_t time_ns, uint64_t page, uint64_t order)
{
	feed(in_stream(RECORD(KMEM_MM_PAGE_FREE, thread, time_ns, page, order), stream_of_cpu[0]));
}

static void switch_to(unsigned int cpu, int64_t time_ns, int32_t prev, int32_t next)
{
	feed(in_stream(RECORD(SCHED_SWITCH, RECORDING_NONE, time_ns, (uint64_t)prev, 0, (uint64_t)next, text("next")),
		       stream_of_cpu[cpu]));
}

/* A row as "NAME PID allocations/bytes frees/bytes balance peak". */
static void expect_row(guint row, const char *expected)
{
	static const char *const names[] = { "name",  "vpid",	     "allocations",   "allocated_bytes",
					     "frees", "freed_bytes", "balance_bytes", "peak_balance_bytes" };
	g_autoptr(GString) text = g_string_new(NULL);

	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		g_string_append_printf(text, "%s%s",
				       i == 0		  ? ""
				       : i == 3 || i == 5 ? "/"
							  : " ",
				       cell_of("pages", row, names[i]));
	}
	cr_assert_str_eq(text->str, expected, "%s", text->str);
}

Test(pages, an_event_is_two_to_its_order_pages_of_the_process_in_its_contexts)
{
	allocate(ids(1, 1), 10, 0x100, 0);
	allocate(ids(1, 2), 20, 0x200, 3);
	deallocate(ids(1, 1), 30, 0x100, 0);
	allocate(ids(3, 3), 40, 0x300, 1);
	report();
	cr_assert_eq(row_count("pages"), 2);
	expect_row(0, "process1 1 2/36864 1/4096 32768 36864");
	expect_row(1, "process3 3 1/8192 0/0 8192 8192");
}

Test(pages, a_process_may_free_what_it_has_not_allocated)
{
	deallocate(ids(1, 1), 10, 0x100, 2);
	allocate(ids(1, 1), 20, 0x200, 0);
	report();
	expect_row(0, "process1 1 1/4096 1/16384 -12288 0");
}

Test(pages, an_allocation_without_a_page_has_failed)
{
	allocate(ids(1, 1), 10, 0, 9);
	report();
	expect_row(0, "process1 1 0/0 0/0 0 0");
	expect("pages", 0, "failed", "1");
}

Test(pages, an_order_that_is_none_adds_no_bytes)
{
	allocate(ids(1, 1), 10, 0x100, 64);
	report();
	expect_row(0, "process1 1 1/0 0/0 0 0");
}

Test(pages, without_contexts_the_process_is_that_of_the_thread_on_the_cpu)
{
	switch_to(1, 5, 0, 8);
	allocate(RECORDING_NONE, 10, 0x100, 0); /* nothing is known of the CPU yet */
	switch_to(0, 15, 0, 7);
	allocate(RECORDING_NONE, 20, 0x200, 0);
	switch_to(0, 25, 7, 0);
	allocate(RECORDING_NONE, 30, 0x300, 0); /* idle */
	report();
	cr_assert_eq(row_count("pages"), 1);
	expect_row(0, "next 7 1/4096 0/0 4096 4096");
}

Test(pages, events_count_within_the_range)
{
	limit_range(15, 25);
	feed(RECORD(CALLBACK_START, talker, 1, 0x700, 0));
	allocate(ids(1, 1), 10, 0x100, 0);
	allocate(ids(1, 1), 20, 0x200, 0);
	allocate(ids(1, 1), 30, 0x300, 0);
	feed(RECORD(CALLBACK_END, talker, 20, 0x700));
	report();
	expect_row(0, "process1 1 1/4096 0/0 4096 4096");
}
