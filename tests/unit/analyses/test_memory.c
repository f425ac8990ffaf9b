/* SPDX-License-Identifier: MIT */
#include "scripted_session.h"

TestSuite(memory, .init = scripted_setup_timers, .fini = scripted_teardown);

#define CALLBACK (TIMER_CALLBACK + 1)

static void allocate(uint32_t thread, int64_t time_ns, uint64_t address, uint64_t size)
{
	feed(RECORD(LIBC_MALLOC, thread, BEGIN_NS + time_ns, address, size));
}

static void deallocate(uint32_t thread, int64_t time_ns, uint64_t address)
{
	feed(RECORD(LIBC_FREE, thread, BEGIN_NS + time_ns, address));
}

static void reallocate(uint32_t thread, int64_t time_ns, uint64_t old, uint64_t address, uint64_t size)
{
	feed(RECORD(LIBC_REALLOC, thread, BEGIN_NS + time_ns, address, size, 0, old));
}

/* The row of a scope, the first of several; row_count() if there is none. */
static guint find_row(const char *scope)
{
	guint row = 0;

	while (row < row_count("memory") && strcmp(cell_of("memory", row, "scope"), scope) != 0) {
		row++;
	}
	return row;
}

/* As "allocations/bytes frees/bytes live/bytes peak". */
static void expect_row(const char *scope, const char *expected)
{
	static const char *const names[] = { "allocations", "allocated_bytes", "frees",	    "freed_bytes",
					     "live_blocks", "live_bytes",      "peak_bytes" };
	g_autoptr(GString) text = g_string_new(NULL);

	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		g_string_append_printf(text, "%s%s",
				       i == 0  ? ""
				       : i % 2 ? "/"
					       : " ",
				       cell_of("memory", find_row(scope), names[i]));
	}
	cr_assert_str_eq(text->str, expected, "%s: %s", scope, text->str);
}

static void expect_cell(const char *scope, const char *column, const char *expected)
{
	expect("memory", find_row(scope), column, expected);
}

Test(memory, calls_are_of_the_callback_that_is_open_on_their_thread)
{
	allocate(talker, 10, 0x10, 1000);
	start_at(talker, 100, CALLBACK);
	allocate(talker, 110, 0x20, 100);
	allocate(talker_2, 120, 0x30, 10);
	deallocate(talker, 130, 0x20);
	allocate(talker, 140, 0x40, 300);
	end_at(talker, 200, CALLBACK);
	deallocate(talker, 210, 0x40);
	report();
	expect_row("callback", "2/400 1/100 0/0 300");
	expect_row("node", "2/400 1/100 0/0 300");
	expect_row("outside", "2/1010 1/300 2/1010 1010");
	expect_row("process", "4/1410 2/400 2/1010 1310");
	expect_cell("callback", "name", "/talker 10.0 ms");
	expect_cell("node", "name", "/talker");
	expect_cell("process", "name", "process1");
	expect_cell("callback", "freed_by_others", "1");
	expect_cell("node", "freed_by_others", "1");
	expect_cell("callback", "largest_bytes", "300");
}

Test(memory, a_nested_execution_has_its_own_calls)
{
	/* it goes on after others, which is known after the first time */
	start_at(talker, 10, CALLBACK);
	start_at(talker, 20, TIMER_CALLBACK + 2);
	end_at(talker, 30, TIMER_CALLBACK + 2);
	end_at(talker, 40, CALLBACK);
	start_at(talker, 100, CALLBACK);
	allocate(talker, 110, 0x20, 100);
	start_at(talker, 120, TIMER_CALLBACK + 2);
	allocate(talker, 130, 0x30, 10);
	deallocate(talker, 140, 0x20);
	end_at(talker, 150, TIMER_CALLBACK + 2);
	allocate(talker, 160, 0x40, 1);
	end_at(talker, 200, CALLBACK);
	report();
	expect_row("callback", "2/101 0/0 1/1 100");
	expect_row("node", "3/111 1/100 2/11 110");
	expect_cell("callback", "freed_by_others", "1");
	expect_cell("node", "freed_by_others", "0");
	cr_assert_str_eq(cell_of("memory", find_row("callback") + 1, "allocations"), "1");
}

Test(memory, whether_a_callback_goes_on_after_others_is_unknown_the_first_time)
{
	start_at(talker, 100, CALLBACK);
	start_at(talker, 120, TIMER_CALLBACK + 2);
	end_at(talker, 150, TIMER_CALLBACK + 2);
	allocate(talker, 160, 0x40, 1);
	end_at(talker, 200, CALLBACK);
	report();
	expect_row("unknown", "1/1 0/0 1/1 1");
}

Test(memory, executions_are_counted_with_and_without_allocations)
{
	start_at(talker, 100, CALLBACK);
	allocate(talker, 110, 0x20, 100);
	allocate(talker, 120, 0x30, 100);
	end_at(talker, 200, CALLBACK);
	start_at(talker, 300, CALLBACK);
	deallocate(talker, 310, 0x20);
	end_at(talker, 400, CALLBACK);
	report();
	expect_cell("callback", "executions", "2");
	expect_cell("callback", "allocating", "1");
	expect_cell("process", "executions", "2");
	expect_cell("outside", "executions", "");
	expect("allocating_callbacks", 0, "callbacks",
	       "1 of 1 callbacks allocate, most often /talker 10.0 ms: 2 times in 2 executions");
}

Test(memory, realloc_frees_and_allocates)
{
	reallocate(talker, 10, 0, 0x10, 100); /* as malloc() */
	reallocate(talker, 20, 0x10, 0x20, 300);
	reallocate(talker, 30, 0x20, 0x20, 200); /* in place */
	report();
	expect_row("process", "3/600 2/400 1/200 300");
}

Test(memory, realloc_to_nothing_frees)
{
	allocate(talker, 10, 0x10, 100);
	reallocate(talker, 20, 0x10, 0, 0);
	report();
	expect_row("process", "1/100 1/100 0/0 100");
	expect_cell("process", "failed", "0");
}

Test(memory, a_realloc_that_fails_leaves_the_block)
{
	allocate(talker, 10, 0x10, 100);
	reallocate(talker, 20, 0x10, 0, UINT64_MAX);
	report();
	expect_row("process", "1/100 0/0 1/100 100");
	expect_cell("process", "failed", "1");
}

Test(memory, calls_that_give_no_memory_allocate_none)
{
	allocate(talker, 10, 0, 100);
	allocate(talker, 11, 0, 0);
	deallocate(talker, 12, 0);
	feed(RECORD(LIBC_CALLOC, talker, BEGIN_NS + 13, 0, UINT64_MAX, 2));
	feed(RECORD(LIBC_POSIX_MEMALIGN, talker, BEGIN_NS + 14, 0x50, 100, 0, 0, 12));
	report();
	expect_row("process", "0/0 0/0 0/0 0");
	expect_cell("process", "failed", "3");
}

Test(memory, all_functions_that_allocate_count)
{
	feed(RECORD(LIBC_CALLOC, talker, BEGIN_NS + 10, 0x10, 10, 3));
	feed(RECORD(LIBC_MEMALIGN, talker, BEGIN_NS + 11, 0x20, 100));
	feed(RECORD(LIBC_POSIX_MEMALIGN, talker, BEGIN_NS + 12, 0x30, 1000, 0, 0, 0));
	feed(RECORD(LIBC_CALLOC, talker, BEGIN_NS + 13, 0x40, UINT64_MAX, UINT64_MAX));
	deallocate(talker, 14, 0x40);
	report();
	expect_row("process", "4/18446744073709551615 1/18446744073709551615 3/1130 1130");
}

Test(memory, a_free_of_unknown_memory_is_counted_and_frees_nothing)
{
	allocate(talker, 10, 0x10, 100);
	deallocate(talker, 20, 0x999);
	report();
	expect_row("process", "1/100 1/0 1/100 100");
	expect_cell("process", "unknown_frees", "1");
	cr_assert_eq(count_of("free of unknown memory"), 1);
}

Test(memory, addresses_are_those_of_a_process)
{
	allocate(talker, 10, 0x10, 100);
	deallocate(listener, 20, 0x10);
	report();
	expect_cell("process", "live_blocks", "1");
	cr_assert_eq(count_of("free of unknown memory"), 1);
}

Test(memory, an_allocation_at_a_live_address_replaces_what_was_there)
{
	allocate(talker, 10, 0x10, 100);
	allocate(talker, 20, 0x10, 30);
	deallocate(talker, 30, 0x10);
	report();
	expect_row("process", "2/130 1/30 0/0 100");
	expect_cell("process", "replaced", "1");
}

Test(memory, an_address_that_realloc_has_freed_may_be_given_away_before_its_event)
{
	allocate(talker, 10, 0x10, 100);
	allocate(talker_2, 20, 0x10, 30);
	reallocate(talker, 21, 0x10, 0x20, 200);
	report();
	expect_row("process", "3/330 1/100 2/230 230");
	expect_cell("process", "unknown_frees", "0");
}

Test(memory, calls_count_within_the_range_and_live_blocks_at_its_end)
{
	limit_range(BEGIN_NS + 100, BEGIN_NS + 200);
	start_at(talker, 90, CALLBACK);
	allocate(talker, 95, 0x10, 1000);
	deallocate(talker, 110, 0x10);
	allocate(talker, 120, 0x20, 10);
	end_at(talker, 130, CALLBACK);
	start_at(talker, 140, CALLBACK);
	end_at(talker, 150, CALLBACK);
	deallocate(talker, 210, 0x20);
	allocate(talker, 220, 0x30, 5000);
	report();
	expect_row("callback", "1/10 1/1000 1/10 1000");
	expect_cell("callback", "executions", "1");
}

Test(memory, where_events_were_lost_it_is_not_known_whether_a_callback_was_open)
{
	start_at(talker, 100, CALLBACK);
	allocate(talker, 110, 0x10, 100);
	feed(loss_of(RECORD_DISCARDED_EVENTS, 0, BEGIN_NS + 115, BEGIN_NS + 118));
	allocate(talker, 120, 0x20, 10); /* its end may be among them */
	start_at(talker, 200, TIMER_CALLBACK + 2);
	allocate(talker, 210, 0x30, 1);
	end_at(talker, 220, TIMER_CALLBACK + 2);
	allocate(talker, 230, 0x40, 3000);
	report();
	expect_row("unknown", "1/10 0/0 1/10 10");
	expect_row("outside", "1/3000 0/0 1/3000 3000");
	expect_row("process", "4/3111 0/0 4/3111 3111");
}

Test(memory, without_thread_ids_it_is_not_known_either)
{
	const struct recording_context context = { .has_vpid = true, .vpid = 1 };
	uint32_t thread = recording_add_thread(recording, 0, &context, "process1");

	allocate(thread, 10, 0x10, 100);
	report();
	expect_row("unknown", "1/100 0/0 1/100 100");
}

Test(memory, without_process_ids_nothing_is_counted)
{
	const struct recording_context context = { .has_vtid = true, .vtid = 77 };
	uint32_t thread = recording_add_thread(recording, 0, &context, "process1");

	allocate(thread, 10, 0x10, 100);
	report();
	cr_assert_eq(row_count("memory"), 0);
}

Test(memory, a_process_whose_calls_are_not_recorded_has_no_rows)
{
	start_at(talker, 100, CALLBACK);
	end_at(talker, 200, CALLBACK);
	report();
	cr_assert_eq(row_count("memory"), 0);
	cr_assert_eq(row_count("allocating_callbacks"), 0);
}

Test(memory, what_a_callback_allocated_before_its_node_was_defined_is_its_nodes)
{
	feed(RECORD(RCL_TIMER_INIT, talker, BEGIN_NS + 10, 0x700, 5 * MS));
	feed(RECORD(RCLCPP_TIMER_CALLBACK_ADDED, talker, BEGIN_NS + 11, 0x700, 0x777));
	start_at(talker, 100, 0x777);
	allocate(talker, 110, 0x10, 100);
	end_at(talker, 120, 0x777);
	feed(RECORD(RCLCPP_TIMER_LINK_NODE, talker, BEGIN_NS + 132, 0x700, NODE));
	start_at(talker, 200, 0x777);
	deallocate(talker, 210, 0x10);
	allocate(talker, 220, 0x20, 7);
	end_at(talker, 230, 0x777);
	report();
	expect_row("node", "2/107 1/100 1/7 100");
	expect_row("callback", "2/107 1/100 1/7 100");
	expect_row("process", "2/107 1/100 1/7 100");
	expect_cell("node", "executions", "2");
}

Test(memory, the_summary_names_callbacks_that_leave_blocks_behind)
{
	for (uint64_t i = 0; i < 10; i++) {
		start_at(talker, 100 * (int64_t)i + 1, CALLBACK);
		allocate(talker, 100 * (int64_t)i + 2, 0x1000 + i, 100);
		end_at(talker, 100 * (int64_t)i + 3, CALLBACK);
	}
	report();
	cr_assert_eq(row_count("allocating_callbacks"), 2);
	expect("allocating_callbacks", 1, "callbacks",
	       "/talker 10.0 ms: 10 blocks (1.00 kB) that it allocated in 10 executions were not freed");
}

Test(memory, the_choice_of_nodes_is_one_of_nodes_and_callbacks)
{
	choose_nodes("/other");
	start_at(talker, 100, CALLBACK);
	allocate(talker, 110, 0x10, 100);
	end_at(talker, 200, CALLBACK);
	report();
	cr_assert_eq(find_row("callback"), row_count("memory"));
	cr_assert_eq(find_row("node"), row_count("memory"));
	expect_row("process", "1/100 0/0 1/100 100");
}
