/* SPDX-License-Identifier: MIT */
#include "core/analyses/timers/recent_threads.h"

#include <criterion/criterion.h>

#include "ros2bt/events/recording.h"

static struct arena *arena;
static struct recent_threads recent;
static unsigned int open_executions[8]; /* by thread */
static int64_t ends_ns[8];

static int64_t settle(void *data, uint32_t thread)
{
	return open_executions[thread] > 0 ? RECENT_THREAD_IS_OPEN : ends_ns[thread];
}

static void setup(void)
{
	arena = arena_create();
	recent_threads_init(&recent, arena, settle, NULL);
}

static void teardown(void)
{
	arena_destroy(arena);
}

TestSuite(recent_threads, .init = setup, .fini = teardown);

static void start(uint32_t process, uint32_t thread)
{
	open_executions[thread]++;
	recent_threads_started(&recent, process, thread);
}

static void end(uint32_t thread, int64_t end_ns)
{
	open_executions[thread]--;
	ends_ns[thread] = end_ns;
}

static void execute(uint32_t process, uint32_t thread, int64_t end_ns)
{
	start(process, thread);
	end(thread, end_ns);
}

/* The threads since then, as the digits of a number. */
static unsigned int since(uint32_t process, int64_t since_ns)
{
	unsigned int found = 0;

	for (uint32_t thread = recent_threads_first(&recent, process, since_ns); thread != RECORDING_NONE;
	     thread = recent_threads_next(&recent, process, thread, since_ns)) {
		found = 10 * found + thread;
	}
	return found;
}

Test(recent_threads, those_that_ended_before_are_left_out)
{
	execute(0, 1, 100);
	cr_assert_eq(since(0, 99), 1);
	cr_assert_eq(since(0, 100), 0);
	execute(0, 2, 200);
	cr_assert_eq(since(0, 199), 2);
	execute(0, 3, 300);
	cr_assert_eq(since(0, 99), 321);
	cr_assert_eq(since(0, 100), 32);
	cr_assert_eq(since(0, 299), 3);
	cr_assert_eq(since(0, 300), 0);
	execute(0, 1, 400);
	cr_assert_eq(since(0, 200), 13);
}

Test(recent_threads, those_since_the_last_question_are_all_there)
{
	execute(0, 1, 100);
	execute(0, 2, 200);
	cr_assert_eq(since(0, 150), 12, "1 ended at 100, but nobody asked since then");
	cr_assert_eq(since(0, 200), 0);
}

Test(recent_threads, open_executions_count_however_long_ago_they_started)
{
	start(0, 1);
	start(0, 1);
	execute(0, 2, 200);
	start(0, 3);
	cr_assert_eq(since(0, 500), 31);
	end(1, 600);
	end(3, 650);
	cr_assert_eq(since(0, 700), 1);
	end(1, 800);
	cr_assert_eq(since(0, 700), 1);
	cr_assert_eq(since(0, 200), 13);
}

Test(recent_threads, a_thread_with_a_place_is_found_once_while_it_executes)
{
	execute(0, 1, 100);
	execute(0, 2, 200);
	cr_assert_eq(since(0, 0), 12);
	start(0, 1);
	cr_assert_eq(since(0, 0), 12);
	end(1, 300);
	cr_assert_eq(since(0, 200), 1);
}

Test(recent_threads, an_end_that_is_reported_late_hides_nothing)
{
	start(0, 1);
	execute(0, 2, 500);
	end(1, 100);
	cr_assert_eq(since(0, 400), 12, "2 ended at 500, though 1 came later");
}

Test(recent_threads, processes_are_apart)
{
	execute(0, 1, 100);
	execute(1, 2, 200);
	cr_assert_eq(since(0, 0), 1);
	cr_assert_eq(since(1, 0), 2);
	cr_assert_eq(since(7, 0), 0);
}
