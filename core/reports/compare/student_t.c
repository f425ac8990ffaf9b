/* SPDX-License-Identifier: MIT */
#include "core/reports/compare/student_t.h"

#include <glib.h>
#include <math.h>

double normal_beyond(double value)
{
	return erfc(value / sqrt(2)) / 2;
}

/* By bisection of erfc(), exact to the last digits. */
double normal_quantile(double alpha)
{
	double low = 0, high = 40;

	for (int i = 0; i < 100; i++) {
		double middle = (low + high) / 2;

		if (normal_beyond(middle) > alpha) {
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
		x = -normal_quantile(alpha);
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
