/* SPDX-License-Identifier: MIT */
/* Recordings made by hand: what was made slower is found, and nothing else. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "core/statistics/duration_statistics.h"
#include "random_durations.h"
#include "ros2bt/base/time_units.h"
#include "ros2bt/reports/change_limit.h"

#define ROWS 12
#define SECONDS 30
#define HZ 40

static const struct table_column columns[] = {
	{ .name = "callback_id", .id_of = "callbacks" },
	{ .name = "node", .merge = COLUMN_MERGE_KEY },
	{ .name = "count", .means = MEANS_COUNT, .merge = COLUMN_MERGE_SUM },
	{ .name = "lost", .means = MEANS_LOST, .merge = COLUMN_MERGE_SUM },
	{ .name = "duration", .format = COLUMN_STATISTIC },
};
static const struct table_schema schema = {
	.name = "callbacks",
	.selection = "callbacks",
	.columns = columns,
	.column_count = G_N_ELEMENTS(columns),
};

static const struct table_schema *const schemas[] = { &schema, NULL };

static struct arena *arena;

static void setup(void)
{
	arena = arena_create();
}

static void teardown(void)
{
	arena_destroy(arena);
}

TestSuite(comparison, .init = setup, .fini = teardown);

/* What differs from recording to recording. */
struct system {
	double slower;	       /* of the row 3: by this factor */
	double lost;	       /* of the row 5: this share */
	const char *extra_row; /* NULL: there is none */
};

static void write_rows(struct table_writer *writer, const struct duration_statistics *statistics, const uint64_t *lost,
		       const char *extra_row)
{
	for (uint64_t row = 0; row < ROWS; row++) {
		g_autofree char *name = g_strdup_printf("/node_%02u", (unsigned int)row);

		table_row(writer, (struct cell[]){
					  cell_unsigned(row),
					  cell_text(row == ROWS - 1 && extra_row ? extra_row : name),
					  cell_unsigned(duration_statistics_totals(&statistics[row]).count),
					  cell_unsigned(lost[row]),
					  cell_statistic(&statistics[row]),
				  });
	}
}

/* Log-normal durations, which are longer for some seconds and shorter for others. */
static struct block_series *record(guint32 seed, const struct system *system)
{
	GRand *random = g_rand_new_with_seed(seed);
	struct block_series *series = block_series_create();
	struct table_output *tables = block_series_tables(series, NULL);
	struct table_writer *writer = tables->open(tables, &schema);
	struct duration_statistics statistics[ROWS];
	uint64_t lost[ROWS] = { 0 };
	double load = 0;

	for (int row = 0; row < ROWS; row++) {
		duration_statistics_init(&statistics[row], arena);
	}
	for (int64_t i = 0; i < SECONDS * HZ; i++) {
		int64_t now_ns = i * NS_PER_S / HZ;

		while (block_series_is_due(series, now_ns)) {
			block_series_end_block(series);
			write_rows(writer, statistics, lost, system->extra_row);
		}
		load = 0.9 * load + 0.05 * random_normal(random);
		for (int row = 0; row < ROWS; row++) {
			double duration = 1e6 * (1 + row) * exp(load + 0.2 * random_normal(random));

			duration_statistics_add(&statistics[row],
						(int64_t)(row == 3 ? duration * system->slower : duration), now_ns);
			lost[row] += row == 5 && g_rand_double(random) < system->lost;
		}
	}
	block_series_finish(series, SECONDS * NS_PER_S);
	write_rows(writer, statistics, lost, system->extra_row);
	g_rand_free(random);
	return series;
}

static void destroy_series(gpointer series)
{
	block_series_destroy(series);
}

static GPtrArray *side_of(guint32 seed, guint recordings, const struct system *system)
{
	GPtrArray *side = g_ptr_array_new_with_free_func(destroy_series);

	for (guint i = 0; i < recordings; i++) {
		g_ptr_array_add(side, record(seed + i, system));
	}
	return side;
}

static struct comparison *compare(guint32 seed, guint recordings, const struct system *base, const struct system *new)
{
	GPtrArray *sides[] = { side_of(seed, recordings, base), side_of(seed + 1000, recordings, new) };
	struct comparison *comparison = comparison_create(sides, 5, false);

	/* what it refers to stays with it until the end of the test */
	return comparison;
}

static const struct compared_figure *figure_at(const struct comparison *comparison, guint index)
{
	return &g_array_index(comparison->figures, struct compared_figure, index);
}

static const struct system usual = { .slower = 1 };

Test(comparison, a_recording_and_itself_do_not_differ)
{
	GPtrArray *side = side_of(1, 1, &usual);
	GPtrArray *sides[] = { side, side };
	struct comparison *comparison = comparison_create(sides, 0, false);

	cr_assert_eq(comparison->verdicts[COMPARISON_CHANGED], 0);
	cr_assert_gt(comparison->verdicts[COMPARISON_UNCHANGED], ROWS);
	comparison_destroy(comparison);
}

Test(comparison, what_became_slower_comes_first)
{
	const struct system slower = { .slower = 1.2 };

	for (guint32 seed = 0; seed < 10; seed++) {
		struct comparison *comparison = compare(seed * 7, 1, &usual, &slower);
		const struct compared_figure *first = figure_at(comparison, 0);

		cr_assert_geq(comparison->verdicts[COMPARISON_CHANGED], 1, "seed %u", seed);
		cr_assert_str_eq(first->row, "/node_03");
		cr_assert_float_eq(first->change.percent, 20, 10);
		cr_assert_lt(first->change.low_percent, first->change.percent);
		comparison_destroy(comparison);
	}
}

/* Half of the recordings of each side are of a slow machine: blocks see that both sides differ, recordings do not. */
Test(comparison, several_recordings_a_side_are_blocks)
{
	const struct system slower = { .slower = 1.5 };
	GPtrArray *sides[] = { side_of(3, 3, &usual), side_of(30, 3, &slower) };
	struct comparison *comparison;

	for (guint i = 0; i < 3; i++) {
		g_ptr_array_add(sides[0], record(60 + i, &slower));
		g_ptr_array_add(sides[1], record(90 + i, &usual));
	}
	g_ptr_array_add(sides[1], record(100, &slower));
	comparison = comparison_create(sides, 0, false);
	cr_assert_eq(comparison->verdicts[COMPARISON_CHANGED], 0);
	/* rates, losses, means and medians are decided */
	cr_assert_geq(comparison->verdicts[COMPARISON_UNCHANGED], 4 * ROWS);
	comparison_destroy(comparison);
}

Test(comparison, losses_are_found)
{
	const struct system losing = { .slower = 1, .lost = 0.1 };
	struct comparison *comparison = compare(5, 1, &usual, &losing);
	const struct compared_figure *first = figure_at(comparison, 0);
	struct change_limit limit;
	struct change_outcome outcome;
	char *expected;

	cr_assert_str_eq(first->row, "/node_05");
	cr_assert_str_eq(first->name, "lost");
	cr_assert_float_eq(first->values[COMPARISON_NEW], 9, 3);
	cr_assert(change_limit_parse("callbacks.lost > +0 %", schemas, &limit, &expected));
	outcome = change_limit_check(&limit, comparison);
	cr_assert_eq(outcome.exceeded, 1);
	cr_assert_eq(outcome.decided, ROWS);
	cr_assert_eq(outcome.alone + outcome.undecided, 0);
	change_limit_clear(&limit);
	comparison_destroy(comparison);
}

Test(comparison, rows_of_one_side_are_listed)
{
	const struct system other = { .slower = 1, .extra_row = "/new_node" };
	struct comparison *comparison = compare(9, 1, &usual, &other);

	cr_assert_eq(comparison->alone->len, 2);
	for (guint i = 0; i < 2; i++) {
		const struct compared_row *row = &g_array_index(comparison->alone, struct compared_row, i);

		cr_assert_eq(row->side, strcmp(row->row->name, "/new_node") == 0 ? COMPARISON_NEW : COMPARISON_BASE);
		cr_assert_eq(row->count, SECONDS * HZ);
	}
	comparison_destroy(comparison);
}

#define INTERVALS 25

/* The figure of this name of the row; there must be one. */
static const struct compared_figure *find_figure(const struct comparison *comparison, const char *row, const char *name)
{
	for (guint i = 0; i < comparison->figures->len; i++) {
		const struct compared_figure *figure = figure_at(comparison, i);

		if (g_str_equal(figure->row, row) && g_str_equal(figure->name, name)) {
			return figure;
		}
	}
	cr_assert_fail("no figure %s of %s", name, row);
	return NULL;
}

Test(comparison, intervals_of_one_side_hold_the_true_value)
{
	static const char *const names[] = { "duration mean", "duration p50" };

	for (size_t n = 0; n < G_N_ELEMENTS(names); n++) {
		struct interval intervals[INTERVALS];
		double sum = 0;
		guint known = 0, inside = 0;

		for (guint32 seed = 0; seed < INTERVALS; seed++) {
			GPtrArray *sides[] = { side_of(seed * 3, 1, &usual), side_of(seed * 3 + 1000, 1, &usual) };
			struct comparison *comparison = comparison_create(sides, 5, true);
			const struct compared_figure *figure = find_figure(comparison, "/node_03", names[n]);

			intervals[seed] = figure->intervals[COMPARISON_BASE];
			cr_assert_eq(isnan(intervals[seed].low), figure->verdict < COMPARISON_UNCHANGED);
			cr_assert_not(intervals[seed].low > figure->values[COMPARISON_BASE]);
			cr_assert_not(intervals[seed].high < figure->values[COMPARISON_BASE]);
			sum += figure->values[COMPARISON_BASE];
			comparison_destroy(comparison);
		}
		for (guint i = 0; i < INTERVALS; i++) {
			known += !isnan(intervals[i].low);
			inside += intervals[i].low <= sum / INTERVALS && sum / INTERVALS <= intervals[i].high;
		}
		/* 95 % of them, on average */
		cr_assert_geq(known, INTERVALS / 2);
		cr_assert_geq(inside, known * 80 / 100, "%s: %u of %u", names[n], inside, known);
	}
}

Test(comparison, distributions_are_kept_only_if_asked_for)
{
	GPtrArray *sides[] = { side_of(1, 1, &usual), side_of(2, 1, &usual) };
	struct comparison *comparison = comparison_create(sides, 5, false);

	cr_assert_null(comparison->distributions);
	cr_assert(isnan(figure_at(comparison, 0)->intervals[COMPARISON_BASE].low));
	comparison_destroy(comparison);
	comparison = comparison_create(sides, 5, true);
	cr_assert_geq(comparison->distributions->len, ROWS);
	comparison_destroy(comparison);
}
