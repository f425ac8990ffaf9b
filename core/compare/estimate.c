/* SPDX-License-Identifier: MIT */
#include "core/compare/estimate.h"

#include <math.h>

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

struct estimate estimate_ratio(const struct estimate_part *parts, size_t count)
{
	double dividend = sum_of(parts, count, true), divisor = sum_of(parts, count, false);
	struct estimate estimate = { .is_known = divisor > 0 };
	double resemblance;

	if (!estimate.is_known) {
		return estimate;
	}
	for (size_t i = 0; i < count; i++) {
		estimate.parts += parts[i].divisor > 0;
	}
	estimate.value = dividend / divisor;
	resemblance = autocorrelation(parts, count, estimate.value);
	estimate.error =
		sqrt(jackknife_variance(parts, count, dividend, divisor) * (1 + resemblance) / (1 - resemblance));
	return estimate;
}

/* --- Student's t --- */

/* The value that a normal variable exceeds with this probability: by bisection of erfc(), exact to the last digits. */
static double normal_beyond(double alpha)
{
	double low = 0, high = 40;

	for (int i = 0; i < 100; i++) {
		double middle = (low + high) / 2;

		if (erfc(middle / sqrt(2)) / 2 > alpha) {
			low = middle;
		} else {
			high = middle;
		}
	}
	return (low + high) / 2;
}

/* Hill, Algorithm 396, Communications of the ACM 13 (1970): exact for 1 and 2 degrees, else within some 1e-4. */
double student_t(double alpha, size_t freedom)
{
	double n = (double)MAX(freedom, 1), p = MIN(2 * alpha, 1);
	double a, b, c, d, x, y;

	if (freedom <= 1) {
		return 1 / tan(p * M_PI / 2);
	}
	if (freedom == 2) {
		return sqrt(2 / (p * (2 - p)) - 2);
	}
	a = 1 / (n - 0.5);
	b = 48 / (a * a);
	c = ((20700 * a / b - 98) * a - 16) * a + 96.36;
	d = ((94.5 / (b + c) - 3) / b + 1) * sqrt(a * M_PI / 2) * n;
	y = pow(d * p, 2 / n);
	if (y > 0.05 + a) {
		x = -normal_beyond(alpha);
		y = x * x;
		c += freedom < 5 ? 0.3 * (n - 4.5) * (x + 0.6) : 0;
		c = (((0.05 * d * x - 5) * x - 7) * x - 2) * x + b + c;
		y = (((((0.4 * y + 6.3) * y + 36) * y + 94.5) / c - y - 3) / b + 1) * x;
		y = expm1(a * y * y);
	} else {
		y = ((1 / (((n + 6) / (n * y) - 0.089 * d - 0.822) * (n + 2) * 3) + 0.5 / (n + 4)) * y - 1) * (n + 1) /
			    (n + 2) +
		    1 / y;
	}
	return sqrt(n * y);
}

/* --- changes --- */

static double relative_error(const struct estimate *estimate)
{
	return estimate->error / estimate->value;
}

struct change change_between(const struct estimate *base, const struct estimate *changed)
{
	struct change change = {
		.is_known = base->is_known && changed->is_known, .percent = NAN, .low_percent = NAN, .high_percent = NAN
	};
	double error;

	if (!change.is_known) {
		return change;
	}
	change.freedom = MAX(MIN(base->parts, changed->parts), 2) - 1;
	if (base->value > 0 && changed->value > 0) {
		double logarithm = log(changed->value / base->value);

		error = hypot(relative_error(base), relative_error(changed));
		change.percent = 100 * expm1(logarithm);
		change.low_percent = 100 * expm1(logarithm - student_t(0.025, change.freedom) * error);
		change.high_percent = 100 * expm1(logarithm + student_t(0.025, change.freedom) * error);
		change.distance = error > 0 ? logarithm / error : logarithm == 0 ? 0 : copysign(INFINITY, logarithm);
		return change;
	}
	error = hypot(base->error, changed->error);
	change.distance = error > 0			  ? (changed->value - base->value) / error
			  : changed->value == base->value ? 0
							  : copysign(INFINITY, changed->value - base->value);
	return change;
}

bool change_is_beyond_chance(const struct change *change, double alpha)
{
	return change->is_known && fabs(change->distance) > student_t(alpha / 2, change->freedom);
}
