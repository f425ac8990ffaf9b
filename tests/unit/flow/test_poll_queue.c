/* SPDX-License-Identifier: MIT */
#include "core/flow/poll_queue.h"

#include <criterion/criterion.h>
#include <glib.h>

#define END INT64_MIN

static struct poll_queue *queue;
static GString *taken; /* "thread:time time …;" for each call */

static void take(void *data, uint32_t thread, const struct poll *polls, size_t count)
{
	g_string_append_printf(taken, "%u:", thread);
	for (size_t i = 0; i < count; i++) {
		g_string_append_printf(taken, "%s%d", i > 0 ? " " : "", (int)polls[i].time_ns);
	}
	g_string_append_c(taken, ';');
}

static void setup(void)
{
	taken = g_string_new(NULL);
	queue = poll_queue_create();
	poll_queue_add_taker(queue, take, NULL);
}

static void teardown(void)
{
	poll_queue_destroy(queue);
	g_string_free(taken, TRUE);
}

TestSuite(poll_queue, .init = setup, .fini = teardown);

static void add(uint32_t thread, const int64_t *times_ns)
{
	struct poll polls[16];
	size_t count = 0;

	for (; times_ns[count] != END; count++) {
		polls[count] = (struct poll){ .time_ns = times_ns[count], .kind = POLL_FIND };
	}
	poll_queue_add(queue, thread, polls, count);
}

#define ADD(thread, ...) add((thread), (const int64_t[]){ __VA_ARGS__, END })

static void expect(const char *expected)
{
	cr_assert_str_eq(taken->str, expected);
	g_string_truncate(taken, 0);
}

/* The first one tells that the thread polls. */
static void begin(uint32_t thread)
{
	ADD(thread, 1);
	g_string_truncate(taken, 0);
}

Test(poll_queue, polls_wait_for_the_next_record_of_their_thread)
{
	begin(0);
	ADD(0, 10, 11, 12);
	poll_queue_release(queue, 1, 100);
	expect("");
	poll_queue_release(queue, 0, 20);
	expect("0:10 11 12;");
	poll_queue_release(queue, 0, 30);
	expect("");
}

Test(poll_queue, a_thread_is_due_while_some_of_it_wait)
{
	begin(3);
	cr_assert_null(poll_queue_due(queue, 2, 100), "has not polled");
	cr_assert_null(poll_queue_due(queue, 3, 100));
	ADD(3, 10);
	cr_assert_null(poll_queue_due(queue, 3, 9));
	cr_assert_not_null(poll_queue_due(queue, 3, 10));
	poll_queue_release(queue, 3, 10);
	expect("3:10;");
	cr_assert_null(poll_queue_due(queue, 3, 100));
}

Test(poll_queue, the_first_one_of_a_thread_does_not_wait)
{
	ADD(2, 10, 20);
	expect("2:10;");
	ADD(1, 15);
	expect("1:15;");
	ADD(1, 30);
	expect("");
	poll_queue_release_all(queue, INT64_MAX);
	expect("1:30;2:20;");
}

Test(poll_queue, a_record_comes_between_polls_that_were_read_ahead)
{
	begin(0);
	ADD(0, 10, 20, 30);
	poll_queue_release(queue, 0, 20);
	expect("0:10 20;");
	poll_queue_release(queue, 0, 25);
	expect("");
	poll_queue_release(queue, 0, 30);
	expect("0:30;");
}

Test(poll_queue, further_polls_follow_those_before)
{
	begin(0);
	ADD(0, 10, 20);
	ADD(0, 30, 40);
	expect("");
	poll_queue_release(queue, 0, 100);
	expect("0:10 20 30 40;");
}

static void count_polls(void *data, uint32_t thread, const struct poll *polls, size_t count)
{
	size_t *taken_count = data;

	for (size_t i = 0; i < count; i++) {
		cr_assert_eq(polls[i].time_ns, (int64_t)*taken_count + (int64_t)i);
	}
	*taken_count += count;
}

Test(poll_queue, a_thread_that_only_polls_keeps_a_few)
{
	size_t taken_count = 0;
	struct poll_queue *counting = poll_queue_create();

	poll_queue_add_taker(counting, count_polls, &taken_count);
	for (int64_t i = 0; i < 100000; i++) {
		poll_queue_add(counting, 0, &(struct poll){ .time_ns = i, .kind = POLL_FIND }, 1);
		cr_assert_geq(taken_count + 1000, (size_t)i);
	}
	cr_assert_leq(counting->threads[0].room, 1000);
	poll_queue_release_all(counting, INT64_MAX);
	cr_assert_eq(taken_count, 100000);
	poll_queue_destroy(counting);
}

static void count_all(void *data, uint32_t thread, const struct poll *polls, size_t count)
{
	*(size_t *)data += count;
}

Test(poll_queue, a_thread_whose_clock_stands_still_keeps_a_few_thousand)
{
	size_t taken_count = 0;
	struct poll_queue *counting = poll_queue_create();

	poll_queue_add_taker(counting, count_all, &taken_count);
	for (size_t i = 0; i < 100000; i++) {
		poll_queue_add(counting, 0, &(struct poll){ .time_ns = 5, .kind = POLL_FIND }, 1);
		cr_assert_geq(taken_count + 5000, i);
	}
	cr_assert_leq(counting->threads[0].room, 20000);
	poll_queue_release_all(counting, INT64_MAX);
	cr_assert_eq(taken_count, 100000);
	poll_queue_destroy(counting);
}

/* Polls at 2, 4, … 400, joined by `joined`; another thread does something at each time of `settled`. */
static void poll_while_others(int64_t joined, const int64_t *settled)
{
	struct poll polls[200];
	int64_t at = 0;

	teardown();
	setup();
	begin(0);
	for (int64_t i = 0; i < 200; i++) {
		polls[i] = (struct poll){ .time_ns = 2 * (i + 1), .kind = POLL_FIND };
	}
	poll_queue_add(queue, 0, polls, G_N_ELEMENTS(polls)); /* from now on there is room for all */
	poll_queue_release_all(queue, INT64_MAX);
	poll_queue_settle(queue, INT64_MAX);
	g_string_truncate(taken, 0);
	for (; *settled != END; settled++) {
		for (; at < 200 && polls[at].time_ns < *settled; at += joined) {
			poll_queue_add(queue, 0, &polls[at], (size_t)MIN(joined, 200 - at));
		}
		poll_queue_settle(queue, *settled);
		g_string_append_c(taken, '|');
	}
}

Test(poll_queue, how_many_are_joined_does_not_tell_when_those_that_are_too_many_are_passed_on)
{
	const int64_t settled[] = { 100, 200, 255, 257, 258, 259, 300, END };
	g_autofree char *one_by_one = NULL;

	poll_while_others(1, settled);
	one_by_one = g_strdup(taken->str);
	cr_assert(g_str_has_prefix(one_by_one, "|||||0:2 4 "), "%s", one_by_one);
	cr_assert(g_str_has_suffix(one_by_one, " 254 256;||"), "%s", one_by_one);
	for (int64_t joined = 2; joined <= 200; joined++) {
		poll_while_others(joined, settled);
		cr_assert_str_eq(taken->str, one_by_one, "%d", (int)joined);
	}
}

Test(poll_queue, a_thread_that_has_moved_to_another_cpu_and_back)
{
	begin(0);
	ADD(0, 10, 20, 50, 60);
	ADD(0, 30, 40, 55);
	ADD(0, 35, 100);
	poll_queue_release(queue, 0, 34);
	expect("0:10 20 30;");
	poll_queue_release(queue, 0, 54);
	expect("0:35 40 50;");
	ADD(0, 58);
	poll_queue_release_all(queue, INT64_MAX);
	expect("0:55 58 60 100;");
}

Test(poll_queue, threads_are_apart)
{
	begin(3);
	begin(1);
	ADD(3, 10, 20);
	ADD(1, 15, 30);
	poll_queue_release_all(queue, 20);
	expect("1:15;3:10 20;");
	poll_queue_release(queue, 7, 100);
	poll_queue_release_all(queue, INT64_MAX);
	expect("1:30;");
}

Test(poll_queue, nothing_is_nothing)
{
	poll_queue_add(queue, 0, NULL, 0);
	poll_queue_release_all(queue, INT64_MAX);
	expect("");
	poll_queue_destroy(NULL);
}
