/* SPDX-License-Identifier: MIT */
#include "core/reports/budget/budget_margins.h"

#include <math.h>

#include "core/reports/compare/comparison.h"
#include "core/reports/compare/figure_parts.h"
#include "core/reports/compare/quantile_estimate.h"
#include "core/reports/compare/student_t.h"

#define QUANTILE 0.99
/* Blocks that vary independently: more than for a comparison, since one limit too low breaks every time. */
#define BUDGET_INDEPENDENT_MIN 20
/* How many independent ones of the largest samples show how the tail continues: the better of the two. */
#define TAIL_SAMPLES 10
#define TAIL_SAMPLES_MORE 20
/* Fewer independent samples beyond the bound of a quantile do not show where it is. */
#define BEYOND_MIN 2
/* A continued tail is too long by this many standard errors. */
#define TAIL_ERRORS 2.0
/* Beyond this, the largest samples are no tail: some belong to what is slow and rare, and some do not. */
#define MARGIN_MAX 20.0

/* --- the tail of a distribution --- */

/* The number of which only alpha of all Poisson variables with it as their mean exceed `count`: by bisection. */
static double poisson_mean(unsigned int count, double alpha)
{
	double low = 0, high = count + 1.0;

	for (int i = 0; i < 60; i++) {
		double middle = (low + high) / 2, term = exp(-middle), below = 0;

		for (unsigned int k = 0; k <= count; k++) {
			below += term;
			term *= middle / (k + 1);
		}
		if (1 - below > alpha) {
			high = middle;
		} else {
			low = middle;
		}
	}
	return low;
}

/* The value of the sample with this many samples above it. */
static double value_below(const struct sample_buckets *of, double above)
{
	struct duration_bucket bucket = sample_buckets_at(of, MAX(0, 1 - above / of->samples));

	return (double)duration_bucket_middle(&bucket);
}

/*
 * The value that a share of all executions exceeds, continued from the largest samples, of which `independent` are
 * independent. INFINITY: not known. `inflation`: how many samples there are for each independent one.
 */
static double continue_tail(const struct sample_buckets *of, double independent, double inflation, double share)
{
	double count = ceil(independent * inflation), error = TAIL_ERRORS / sqrt(independent);
	double begin = value_below(of, count), power = 0, left = count;

	if (of->samples < 2 * count || begin <= 0) {
		return INFINITY;
	}
	for (guint i = of->buckets->len; i-- > 0 && left > 0;) {
		const struct duration_bucket *bucket = &g_array_index(of->buckets, struct duration_bucket, i);
		double taken = MIN(left, (double)bucket->count);

		power += taken * log((double)duration_bucket_middle(bucket) / begin);
		left -= taken;
	}
	/* values in one bucket differ by its width */
	power = MAX(power / count, 1.0 / BLOCK_BUCKETS);
	return begin * pow(MAX(count / of->samples * (1 + error) / share, 1), power * (1 + error));
}

/* The value that a share of all executions exceeds, 0 < share < 1. */
static double tail_value(const struct sample_buckets *of, double inflation, double share)
{
	return MIN(continue_tail(of, TAIL_SAMPLES, inflation, share),
		   continue_tail(of, TAIL_SAMPLES_MORE, inflation, share));
}

/* --- margins --- */

static double margin_of(double bound, double value)
{
	double margin = value > 0 ? MAX(bound / value, 1) : NAN;

	return margin <= MARGIN_MAX ? margin : NAN;
}

static struct estimate share_up_to(const struct side_row *side, size_t column, int64_t value_ns)
{
	const struct figure_kind kind = { .kind = FIGURE_SHARE_UP_TO, .column = column, .value_ns = value_ns };

	return figure_parts_estimate(&kind, side);
}

static void set_quantiles(struct budget_margins *margins, const struct side_row *side, size_t column, double alpha)
{
	const struct figure_kind mean_kind = { .kind = FIGURE_MEAN, .column = column };
	g_autoptr(GArray) buckets = figure_parts_buckets(side, column);
	const struct sample_buckets of = { buckets, figure_parts_samples(side, column) };
	struct duration_bucket bucket = sample_buckets_at(&of, QUANTILE);
	struct estimate mean = figure_parts_estimate(&mean_kind, side);
	struct estimate below = share_up_to(side, column, bucket.low_ns - 1);
	struct estimate up_to = share_up_to(side, column, bucket.high_ns - 1);
	struct quantile_estimate p99 = quantile_estimate_make(&of, QUANTILE, &below, &up_to);
	double independent = of.samples / p99.inflation, z = student_t(alpha, p99.freedom), bound = 0, share;

	if (MIN(mean.independent, MIN(below.independent, up_to.independent)) < BUDGET_INDEPENDENT_MIN) {
		return;
	}
	/* chance moves this recording and the other one: half as many samples vary as much */
	independent /= 2;
	share = quantile_share(QUANTILE, independent, z);
	if ((1 - share) * of.samples >= 1) {
		bucket = sample_buckets_at(&of, share);
		bound = (double)bucket.high_ns;
	}
	if ((1 - share) * independent < BEYOND_MIN) {
		double exceeding = poisson_mean((unsigned int)((1 - QUANTILE) * independent), alpha);

		bound = MAX(bound, tail_value(&of, p99.inflation, exceeding / independent));
	}
	margins->p99 = margin_of(bound, p99.value);
	margins->max =
		margin_of(tail_value(&of, p99.inflation, poisson_mean(0, alpha) / of.samples), value_below(&of, 0));
}

static void set_rate(struct budget_margins *margins, const struct side_row *side, const struct table_schema *schema,
		     double alpha)
{
	struct figure_kind kind;
	struct estimate rate;

	if (figure_kind_of_rate(schema, &kind)) {
		rate = figure_parts_estimate(&kind, side);
		if (rate.value > 0 && rate.parts >= COMPARISON_PARTS_MIN &&
		    rate.independent >= BUDGET_INDEPENDENT_MIN) {
			margins->rate = 1 - student_t(alpha, rate.freedom) * M_SQRT2 * rate.error / rate.value;
		}
	}
}

static void set_losses(struct budget_margins *margins, const struct side_row *side, const struct table_schema *schema,
		       double alpha)
{
	struct figure_kind kind;
	struct estimate lost;

	if (figure_kind_of_losses(schema, &kind)) {
		double count = figure_parts_samples(side, kind.column), z;

		lost = figure_parts_estimate(&kind, side);
		z = student_t(alpha, MAX(lost.freedom, 1));
		if (count > 0 && lost.value > 0 && lost.independent >= BUDGET_INDEPENDENT_MIN) {
			/* at least that of single losses, and not less for few of them */
			margins->lost = M_SQRT2 * z * MAX(count * lost.error / lost.value, sqrt(count)) + z * z;
		}
	}
}

struct budget_margins budget_margins_of(struct block_series *series, const char *key, const struct table_schema *schema,
					const char *statistic, double alpha)
{
	struct budget_margins margins = { NAN, NAN, NAN, NAN };
	g_autoptr(GPtrArray) recordings = g_ptr_array_new();
	int column = table_find_column(schema, statistic);
	struct side_row side;

	g_ptr_array_add(recordings, series);
	side = side_row_find(&recordings, key, false);
	if (side_row_first(&side)) {
		if (column >= 0 && figure_parts_samples(&side, (size_t)column) > 0) {
			set_quantiles(&margins, &side, (size_t)column, alpha);
		}
		set_rate(&margins, &side, schema, alpha);
		set_losses(&margins, &side, schema, alpha);
	}
	side_row_clear(&side);
	return margins;
}
