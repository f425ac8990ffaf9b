/* SPDX-License-Identifier: MIT */
/*
 * What ros2-latency compare promises about chance, measured: recordings of six kinds of system in which nothing changed
 * are compared, each with the next one; in at most one of 20 comparisons may any figure be reported as changed. And a
 * callback that became 20 % slower is found where samples are independent.
 *
 * A recording is 60 s of ROWS callbacks at 50 Hz. Random numbers are the same in every run.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "core/reports/compare/comparison.h"
#include "random_durations.h"
#include "ros2bt/base/time_units.h"

#define ROWS 12
#define SECONDS 60
#define HZ 50
#define PAIRS 200
#define SLOW_ROW 5

/* The state of a callback. */
struct callback {
	double level; /* of what varies slowly, with a variance of 1 */
	guint calls;
};

/* A kind of system: how long an execution takes relative to its callback's usual time. */
struct kind {
	double (*duration)(GRand *random, struct callback *callback, double correlation);
	double correlation; /* of an execution and the next one, of `level` */
};

static double independent(GRand *random, struct callback *callback, double correlation)
{
	(void)callback;
	(void)correlation;
	return exp(0.5 * random_normal(random));
}

static double two_modes(GRand *random, struct callback *callback, double correlation)
{
	(void)callback;
	(void)correlation;
	return (g_rand_boolean(random) ? 3 : 1) * (1 + 0.02 * random_normal(random));
}

static double rarely_slow(GRand *random, struct callback *callback, double correlation)
{
	(void)callback;
	(void)correlation;
	return random_rarely_slow(random);
}

static double heavy_tailed(GRand *random, struct callback *callback, double correlation)
{
	(void)callback;
	(void)correlation;
	return pow(1 - g_rand_double(random), -1 / 2.2);
}

static double correlated(GRand *random, struct callback *callback, double correlation)
{
	return exp(0.4 * random_step(random, &callback->level, correlation));
}

/* Every second execution is heavy, without any chance. */
static double alternating(GRand *random, struct callback *callback, double correlation)
{
	(void)correlation;
	return (callback->calls++ % 2 ? 8 : 1) * (1 + 0.02 * random_normal(random));
}

static void write_rows(struct table_writer *writer, const struct duration_statistics *statistics)
{
	for (uint64_t row = 0; row < ROWS; row++) {
		g_autofree char *name = g_strdup_printf("/node_%02u", (unsigned int)row);

		write_callback(writer, row, name, &statistics[row]);
	}
}

static struct block_series *record(GRand *random, const struct kind *kind, int seconds, double slower)
{
	struct arena *arena = arena_create();
	struct block_series *series = block_series_create();
	struct table_output *tables = block_series_tables(series, NULL);
	struct table_writer *writer = tables->open(tables, &callbacks_schema);
	struct duration_statistics statistics[ROWS];
	struct callback callbacks[ROWS];

	for (int row = 0; row < ROWS; row++) {
		duration_statistics_init(&statistics[row], arena);
		callbacks[row] = (struct callback){ .level = random_normal(random) };
	}
	for (int64_t i = 0; i < seconds * HZ; i++) {
		int64_t now_ns = i * NS_PER_S / HZ;

		while (block_series_is_due(series, now_ns)) {
			block_series_end_block(series);
			write_rows(writer, statistics);
		}
		for (int row = 0; row < ROWS; row++) {
			double duration = 1e6 * kind->duration(random, &callbacks[row], kind->correlation);

			duration_statistics_add(&statistics[row],
						(int64_t)(row == SLOW_ROW ? duration * slower : duration), now_ns);
		}
	}
	block_series_finish(series, seconds * NS_PER_S);
	write_rows(writer, statistics);
	arena_destroy(arena);
	return series;
}

static struct comparison *compare(struct block_series *base, struct block_series *new, double least_percent)
{
	g_autoptr(GPtrArray) bases = g_ptr_array_new(), news = g_ptr_array_new();
	GPtrArray *const sides[] = { bases, news };

	g_ptr_array_add(bases, base);
	g_ptr_array_add(news, new);
	return comparison_create(sides, least_percent, false);
}

/* Of the comparisons of a recording with the next one, how many report a change. */
static int count_false(const struct kind *kind, int pairs, int seconds, int other_seconds)
{
	GRand *random = g_rand_new_with_seed(22);
	struct block_series *before = record(random, kind, seconds, 1);
	int changed = 0;

	for (int i = 0; i < pairs; i++) {
		struct block_series *after = record(random, kind, i % 2 ? seconds : other_seconds, 1);
		struct comparison *comparison = compare(before, after, 0);

		changed += comparison->verdicts[COMPARISON_CHANGED] > 0;
		comparison_destroy(comparison);
		block_series_destroy(before);
		before = after;
	}
	block_series_destroy(before);
	g_rand_free(random);
	return changed;
}

/* `name` is told with the rate: `--verbose=1` prints it. */
static void expect_few_false(const char *name, const struct kind *kind)
{
	int changed = count_false(kind, PAIRS, SECONDS, SECONDS);

	cr_log_info("%s: %d of %d comparisons report a change", name, changed, PAIRS);
	cr_assert_leq(changed, PAIRS / 20);
}

Test(comparison_chance, independent_samples)
{
	expect_few_false("independent", &(struct kind){ independent, 0 });
}

Test(comparison_chance, two_modes_half_and_half)
{
	expect_few_false("two modes", &(struct kind){ two_modes, 0 });
}

Test(comparison_chance, one_of_a_hundred_is_slow)
{
	expect_few_false("rarely slow", &(struct kind){ rarely_slow, 0 });
}

Test(comparison_chance, a_heavy_tail)
{
	expect_few_false("heavy tail", &(struct kind){ heavy_tailed, 0 });
}

Test(comparison_chance, correlated_over_400_ms)
{
	expect_few_false("correlated over 0.4 s", &(struct kind){ correlated, exp(-1 / (0.4 * HZ)) });
}

Test(comparison_chance, correlated_over_4_s)
{
	expect_few_false("correlated over 4 s", &(struct kind){ correlated, exp(-1 / (4.0 * HZ)) });
}

Test(comparison_chance, correlated_over_2_s)
{
	cr_assert_leq(count_false(&(struct kind){ correlated, exp(-1 / (2.0 * HZ)) }, 60, SECONDS, SECONDS), 3);
}

Test(comparison_chance, every_second_execution_is_heavy)
{
	cr_assert_leq(count_false(&(struct kind){ alternating, 0 }, 60, SECONDS, SECONDS), 3);
}

/* Ten seconds may contain none of what is rare and slow. */
Test(comparison_chance, recordings_of_different_lengths)
{
	cr_assert_leq(count_false(&(struct kind){ rarely_slow, 0 }, 100, SECONDS, 10), 5);
	cr_assert_leq(count_false(&(struct kind){ correlated, exp(-1 / (0.4 * HZ)) }, 60, SECONDS, 10), 3);
}

/* Whether the row that became slower is found, and no other. */
static bool is_found(const struct kind *kind, guint32 seed, double slower)
{
	GRand *random = g_rand_new_with_seed(seed);
	struct block_series *before = record(random, kind, SECONDS, 1), *after = record(random, kind, SECONDS, slower);
	struct comparison *comparison = compare(before, after, 5);
	bool found = false;

	for (guint i = 0; i < comparison->verdicts[COMPARISON_CHANGED]; i++) {
		const struct compared_figure *figure = &g_array_index(comparison->figures, struct compared_figure, i);

		cr_expect_str_eq(figure->row, "/node_05");
		found = true;
	}
	comparison_destroy(comparison);
	block_series_destroy(before);
	block_series_destroy(after);
	g_rand_free(random);
	return found;
}

Test(comparison_chance, a_callback_that_became_slower_by_20_percent_is_found)
{
	static const struct kind kinds[] = {
		{ independent, 0 }, { two_modes, 0 }, { rarely_slow, 0 }, { heavy_tailed, 0 }
	};

	for (size_t kind = 0; kind < G_N_ELEMENTS(kinds); kind++) {
		int found = 0;

		for (guint32 seed = 0; seed < 8; seed++) {
			found += is_found(&kinds[kind], seed, 1.2);
		}
		cr_log_info("kind %zu: found in %d of 8", kind, found);
		cr_assert_geq(found, 7, "kind %zu", kind);
	}
}

/* The recording is too short for what lasts four seconds, and says so. */
Test(comparison_chance, what_is_correlated_too_long_is_not_decided)
{
	const struct kind slow = { correlated, exp(-1 / (4.0 * HZ)) };
	GRand *random = g_rand_new_with_seed(1);
	struct block_series *before = record(random, &slow, SECONDS, 1), *after = record(random, &slow, SECONDS, 1);
	struct comparison *comparison = compare(before, after, 0);

	/* mean, p50 and p99 of most rows; rates are those of timers and are decided */
	cr_assert_geq(comparison->verdicts[COMPARISON_DEPENDENT], 3 * ROWS * 3 / 4);
	cr_assert_geq(comparison->verdicts[COMPARISON_UNCHANGED], ROWS);
	comparison_destroy(comparison);
	block_series_destroy(before);
	block_series_destroy(after);
	g_rand_free(random);
}
