/* SPDX-License-Identifier: MIT */
/* Limits from one recording hold for others of the same system: measured with random numbers that are the same in every
 * run. */
#include "core/reports/budget/budget_margins.h"

#include <criterion/criterion.h>
#include <math.h>

#include "random_durations.h"
#include "ros2bt/base/time_units.h"

#define SAMPLES 3000
#define HZ 50
#define PROPOSALS 20
#define OTHERS 20
#define ALPHA (0.05 / 60) /* of one of 60 limits */

TestSuite(budget_margins);

static double log_normal(GRand *random, double *level, double correlation)
{
	return exp(0.5 * random_step(random, level, correlation));
}

static double rarely_slow(GRand *random, double *level, double correlation)
{
	*level = 0;
	(void)correlation;
	return random_rarely_slow(random);
}

struct recorded {
	struct block_series *series;
	double p99, max;
};

typedef double duration_function(GRand *random, double *level, double correlation);

static struct recorded record(GRand *random, duration_function *duration, double correlation)
{
	struct arena *arena = arena_create();
	struct recorded recorded = { .series = block_series_create() };
	struct table_output *tables = block_series_tables(recorded.series, NULL);
	struct table_writer *writer = tables->open(tables, &callbacks_schema);
	struct duration_statistics statistic;
	double level = random_normal(random);

	duration_statistics_init(&statistic, arena);
	for (int64_t i = 0; i <= SAMPLES; i++) {
		int64_t now_ns = i * NS_PER_S / HZ;

		while (block_series_is_due(recorded.series, now_ns) || i == SAMPLES) {
			if (i == SAMPLES) {
				block_series_finish(recorded.series, now_ns);
			} else {
				block_series_end_block(recorded.series);
			}
			write_callback(writer, 0, "/node", &statistic);
			if (i == SAMPLES) {
				break;
			}
		}
		if (i < SAMPLES) {
			duration_statistics_add(&statistic, (int64_t)(1e6 * duration(random, &level, correlation)),
						now_ns);
		}
	}
	recorded.p99 = (double)duration_statistics_quantile(&statistic, 0.99);
	recorded.max = (double)duration_statistics_totals(&statistic).max_ns;
	arena_destroy(arena);
	return recorded;
}

static struct budget_margins margins_of(struct recorded *recorded)
{
	const char *key = block_series_key(recorded->series, &callbacks_schema,
					   (struct cell[]){ CELL_NONE, cell_text("/node"), CELL_NONE, CELL_NONE });

	return budget_margins_of(recorded->series, key, &callbacks_schema, "duration", ALPHA);
}

/* The limits that others break, of PROPOSALS × OTHERS × 2; *known: the proposals that have one of a p99. */
static int count_broken(duration_function *duration, double correlation, int *known)
{
	GRand *random = g_rand_new_with_seed(5);
	int broken = 0;

	*known = 0;
	for (int i = 0; i < PROPOSALS; i++) {
		struct recorded first = record(random, duration, correlation);
		struct budget_margins margins = margins_of(&first);

		*known += !isnan(margins.p99);
		for (int k = 0; k < OTHERS; k++) {
			struct recorded other = record(random, duration, correlation);

			broken += other.p99 > MAX(margins.p99, 1.2) * first.p99 && !isnan(margins.p99);
			broken += other.max > MAX(margins.max, 1.5) * first.max && !isnan(margins.max);
			block_series_destroy(other.series);
		}
		block_series_destroy(first.series);
	}
	g_rand_free(random);
	return broken;
}

/* Of 800 limits, 0.7 may be broken by chance. */
Test(budget_margins, other_recordings_keep_the_limits)
{
	int known;

	cr_assert_leq(count_broken(log_normal, 0, &known), 2);
	cr_assert_geq(known, PROPOSALS - 4);
	cr_assert_leq(count_broken(rarely_slow, 0, &known), 2);
	cr_assert_geq(known, PROPOSALS - 4);
	cr_assert_leq(count_broken(log_normal, exp(-1 / (0.4 * HZ)), &known), 3);
}

Test(budget_margins, what_varies_too_slowly_has_none)
{
	int known;

	cr_assert_leq(count_broken(log_normal, exp(-1 / (4.0 * HZ)), &known), 3);
	cr_assert_leq(known, PROPOSALS / 4);
}

Test(budget_margins, a_row_that_does_not_exist_has_none)
{
	struct block_series *series = block_series_create();
	struct budget_margins margins = budget_margins_of(series, "none", &callbacks_schema, "duration", ALPHA);

	cr_assert(isnan(margins.p99) && isnan(margins.max) && isnan(margins.rate) && isnan(margins.lost));
	block_series_destroy(series);
}
