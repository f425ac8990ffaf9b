/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <glib.h>
#include <stdlib.h>

#include "core/analyses/shared/worst.h"

static struct arena *arena;

static void setup(void)
{
	arena = arena_create();
}

static void teardown(void)
{
	arena_destroy(arena);
}

TestSuite(worst, .init = setup, .fini = teardown);

static void add(struct worst *worst, int64_t duration_ns, int64_t start_ns, int mark)
{
	int *kept = worst_add(worst, duration_ns, start_ns);

	if (kept) {
		cr_assert_eq(*kept, 0, "not zeroed");
		*kept = mark;
	}
}

/* "duration@start#mark ", the worst first */
static void expect(const struct worst *worst, const char *expected)
{
	g_autoptr(GString) text = g_string_new(NULL);
	size_t count;
	g_autofree struct worst_instance *sorted = worst_sorted(worst, &count);

	for (size_t i = 0; i < count; i++) {
		g_string_append_printf(text, "%d@%d#%d ", (int)sorted[i].duration_ns, (int)sorted[i].start_ns,
				       *(const int *)sorted[i].kept);
	}
	cr_assert_str_eq(text->str, expected);
}

Test(worst, none_costs_nothing_and_has_nothing)
{
	size_t count = 1;

	cr_assert_null(worst_create(arena, 0, sizeof(int)));
	cr_assert_null(worst_sorted(NULL, &count));
	cr_assert_eq(count, 0);
}

Test(worst, fewer_than_asked_for_are_all_kept)
{
	struct worst *worst = worst_create(arena, 1000, sizeof(int));

	expect(worst, "");
	add(worst, 5, 100, 1);
	add(worst, 9, 200, 2);
	expect(worst, "9@200#2 5@100#1 ");
}

Test(worst, the_least_leaves_with_what_was_kept_of_it)
{
	struct worst *worst = worst_create(arena, 2, sizeof(int));

	add(worst, 5, 100, 1);
	add(worst, 9, 200, 2);
	cr_assert_null(worst_add(worst, 4, 300));
	add(worst, 7, 400, 3);
	add(worst, 20, 500, 4);
	expect(worst, "20@500#4 9@200#2 ");
}

Test(worst, of_equal_ones_the_earlier_stays_whichever_comes_first)
{
	struct worst *worst = worst_create(arena, 2, sizeof(int));

	add(worst, 5, 200, 1);
	add(worst, 5, 300, 2);
	cr_assert_null(worst_add(worst, 5, 300));
	add(worst, 5, 100, 3);
	expect(worst, "5@100#3 5@200#1 ");
}

Test(worst, negative_durations_are_less_than_all_others)
{
	struct worst *worst = worst_create(arena, 2, sizeof(int));

	add(worst, INT32_MIN, 1, 1);
	add(worst, -1, 2, 2);
	add(worst, 0, 3, 3);
	expect(worst, "0@3#3 -1@2#2 ");
}

struct sample {
	int64_t duration_ns, start_ns;
	int mark;
};

static gint compare_samples(gconstpointer a, gconstpointer b)
{
	const struct sample *left = a;
	const struct sample *right = b;

	if (left->duration_ns != right->duration_ns) {
		return left->duration_ns > right->duration_ns ? -1 : 1;
	}
	if (left->start_ns != right->start_ns) {
		return left->start_ns < right->start_ns ? -1 : 1;
	}
	return left->mark - right->mark;
}

/* The same as sorting all of them. */
static void check_many(uint32_t count_max, int64_t different, GRand *random)
{
	enum { SAMPLES = 3000 };
	struct worst *worst = worst_create(arena, count_max, sizeof(int));
	g_autofree struct sample *samples = g_new(struct sample, SAMPLES);
	g_autofree struct worst_instance *sorted = NULL;
	size_t count;

	for (int i = 0; i < SAMPLES; i++) {
		samples[i] = (struct sample){
			.duration_ns = g_rand_int_range(random, 0, (gint32)different),
			.start_ns = g_rand_int_range(random, 0, 50),
			.mark = i + 1,
		};
		add(worst, samples[i].duration_ns, samples[i].start_ns, samples[i].mark);
	}
	qsort(samples, SAMPLES, sizeof(*samples), compare_samples);
	sorted = worst_sorted(worst, &count);
	cr_assert_eq(count, count_max);
	for (size_t i = 0; i < count; i++) {
		cr_assert_eq(sorted[i].duration_ns, samples[i].duration_ns);
		cr_assert_eq(sorted[i].start_ns, samples[i].start_ns);
		cr_assert_eq(*(const int *)sorted[i].kept, samples[i].mark, "%d of %d", (int)i, (int)count_max);
	}
}

Test(worst, many_are_as_if_all_were_sorted)
{
	static const uint32_t counts[] = { 1, 2, 3, 4, 5, 31, 1000 };
	GRand *random = g_rand_new_with_seed(7);

	for (size_t i = 0; i < G_N_ELEMENTS(counts); i++) {
		check_many(counts[i], 20, random);
		check_many(counts[i], 1000000, random);
	}
	g_rand_free(random);
}

Test(worst, durations_that_only_grow_keep_the_last)
{
	struct worst *worst = worst_create(arena, 3, sizeof(int));

	for (int i = 1; i <= 100; i++) {
		add(worst, i, i, i);
	}
	expect(worst, "100@100#100 99@99#99 98@98#98 ");
}
