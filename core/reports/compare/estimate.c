/* SPDX-License-Identifier: MIT */
#include "core/reports/compare/estimate.h"

#include <math.h>

#include "core/reports/compare/student_t.h"

/* Beyond this, the blocks are regarded as one long event and the estimate as useless: the width stays. */
#define AUTOCORRELATION_MAX 0.9

/* --- a ratio of sums --- */

static double sum_of(const struct estimate_part *parts, size_t count, bool of_dividends)
{
	double sum = 0;

	for (size_t i = 0; i < count; i++) {
		sum += of_dividends ? parts[i].dividend : parts[i].divisor;
	}
	return sum;
}

static size_t count_filled(const struct estimate_part *parts, size_t count)
{
	size_t filled = 0;

	for (size_t i = 0; i < count; i++) {
		filled += parts[i].divisor > 0;
	}
	return filled;
}

static double jackknife_variance(const struct estimate_part *parts, size_t count, double dividend, double divisor)
{
	double n = 0, mean = 0, squares = 0;

	for (size_t i = 0; i < count; i++) {
		if (parts[i].divisor > 0 && divisor > parts[i].divisor) {
			double left = (dividend - parts[i].dividend) / (divisor - parts[i].divisor);
			double distance = left - mean;

			n++;
			mean += distance / n;
			squares += distance * (left - mean);
		}
	}
	return n > 1 ? squares * (n - 1) / n : 0;
}

static bool has_neighbours(const struct estimate_part *parts, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (parts[i].follows) {
			return true;
		}
	}
	return false;
}

/* How much neighbours resemble each other, 0 … AUTOCORRELATION_MAX. */
static double autocorrelation(const struct estimate_part *parts, size_t count, double value)
{
	double products = 0, squares = 0, before = 0;

	for (size_t i = 0; i < count; i++) {
		double residual = parts[i].dividend - value * parts[i].divisor;

		products += parts[i].follows ? residual * before : 0;
		squares += residual * residual;
		before = residual;
	}
	return squares > 0 ? CLAMP(products / squares, 0, AUTOCORRELATION_MAX) : 0;
}

/* Joins pairs of neighbours; returns the number of parts. */
static size_t join_pairs(struct estimate_part *parts, size_t count)
{
	size_t joined = 0;

	for (size_t i = 0; i < count; i++) {
		struct estimate_part part = parts[i];

		if (i + 1 < count && parts[i + 1].follows) {
			i++;
			part.dividend += parts[i].dividend;
			part.divisor += parts[i].divisor;
		}
		parts[joined++] = part;
	}
	return joined;
}

struct estimate estimate_ratio(const struct estimate_part *parts, size_t count)
{
	double dividend = sum_of(parts, count, true), divisor = sum_of(parts, count, false);
	struct estimate estimate = { .is_known = divisor > 0, .parts = count_filled(parts, count) };
	g_autofree struct estimate_part *joined = g_memdup2(parts, count * sizeof(*parts));
	double resemblance, variance;
	size_t longer;

	if (!estimate.is_known) {
		return estimate;
	}
	estimate.value = dividend / divisor;
	resemblance = autocorrelation(parts, count, estimate.value);
	variance = jackknife_variance(parts, count, dividend, divisor) * (1 + resemblance) / (1 - resemblance);
	estimate.independent = INFINITY;
	estimate.weight = (double)estimate.parts;
	if (has_neighbours(parts, count)) {
		estimate.independent = (double)estimate.parts * (1 - resemblance) / (1 + resemblance);
		estimate.weight = divisor;
	}
	estimate.freedom = MAX(estimate.parts, 2) - 1;
	while ((longer = join_pairs(joined, count)) < count) {
		size_t filled = count_filled(joined, longer);

		count = longer;
		if (filled < ESTIMATE_PARTS_MIN) {
			break;
		}
		variance = MAX(variance, jackknife_variance(joined, count, dividend, divisor));
		estimate.freedom = filled - 1;
	}
	estimate.error = sqrt(variance);
	return estimate;
}

struct interval estimate_interval(const struct estimate *estimate)
{
	double reach = student_t(0.025, estimate->freedom) * estimate->error;
	double low = estimate->value - reach;

	return (struct interval){ estimate->value >= 0 ? MAX(low, 0) : low, estimate->value + reach };
}

size_t estimate_freedom(double error, size_t freedom, double other_error, size_t other_freedom)
{
	double square = error * error, other = other_error * other_error;
	double sum = square + other;
	double shares = square * square / (double)MAX(freedom, 1) + other * other / (double)MAX(other_freedom, 1);

	return shares > 0 ? (size_t)MAX(sum * sum / shares, 1) : MAX(freedom + other_freedom, 1);
}

/* --- changes --- */

/*
 * The error of the difference: from the errors of both sides, and, if that is larger, from the variance of both
 * together. What has happened on one side may as well happen on the other.
 */
static double error_of_difference(double error, double weight, double other_error, double other_weight)
{
	double variance = (error * error * weight + other_error * other_error * other_weight) / 2;

	return MAX(hypot(error, other_error), sqrt(variance * (1 / weight + 1 / other_weight)));
}

struct change change_between(const struct estimate *base, const struct estimate *changed, double alpha)
{
	struct change change = {
		.is_known = base->is_known && changed->is_known, .percent = NAN, .low_percent = NAN, .high_percent = NAN
	};
	double distance, base_error, changed_error, error;
	size_t freedom;

	if (!change.is_known) {
		return change;
	}
	distance = changed->value - base->value;
	base_error = base->error;
	changed_error = changed->error;
	if (base->value > 0 && changed->value > 0) {
		distance = log(changed->value / base->value);
		base_error /= base->value;
		changed_error /= changed->value;
		change.percent = 100 * expm1(distance);
	}
	freedom = estimate_freedom(base_error, base->freedom, changed_error, changed->freedom);
	error = error_of_difference(base_error, base->weight, changed_error, changed->weight);
	if (!isnan(change.percent)) {
		change.low_percent = 100 * expm1(distance - student_t(0.025, freedom) * error);
		change.high_percent = 100 * expm1(distance + student_t(0.025, freedom) * error);
	}
	change.is_decidable = true;
	change.is_increase = distance > 0;
	change.is_beyond_chance = fabs(distance) > student_t(alpha / 2, freedom) * error;
	return change;
}
