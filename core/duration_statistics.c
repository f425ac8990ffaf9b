/* SPDX-License-Identifier: MIT */
#include "ros2bt/duration_statistics.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "ros2bt/duration_histogram.h"

/* The columns beside the quantiles: sum, min, mean, stddev before them, max after. */
#define COLUMNS_BEFORE_QUANTILES 4
#define COLUMNS_AFTER_QUANTILES 1

void duration_statistics_init(struct duration_statistics *statistics)
{
	*statistics = (struct duration_statistics){ 0 };
}

void duration_statistics_clear(struct duration_statistics *statistics)
{
	duration_histogram_destroy(statistics->samples);
	duration_statistics_init(statistics);
}

void duration_statistics_add(struct duration_statistics *statistics, int64_t duration_ns)
{
	unsigned __int128 magnitude_ns = duration_ns < 0 ? -(uint64_t)duration_ns : (uint64_t)duration_ns;

	if (!statistics->samples) {
		statistics->samples = duration_histogram_create();
		statistics->min_ns = statistics->max_ns = duration_ns;
	}
	statistics->count++;
	statistics->min_ns = MIN(statistics->min_ns, duration_ns);
	statistics->max_ns = MAX(statistics->max_ns, duration_ns);
	statistics->sum_ns += duration_ns;
	statistics->sum_of_squares_ns2 += magnitude_ns * magnitude_ns;
	duration_histogram_add(statistics->samples, duration_ns);
}

int64_t duration_statistics_quantile(const struct duration_statistics *statistics, double quantile)
{
	__int128 value_ns;
	double rank;

	if (statistics->count == 0) {
		return 0;
	}
	/* The decimal fraction that was meant may lie one rounding below: 0.07 of 100 is the 7th, not the 8th. */
	rank = ceil(quantile * (double)statistics->count * (1 - DBL_EPSILON));
	if (!(rank > 1)) {
		return statistics->min_ns;
	}
	if (rank >= (double)statistics->count) {
		return statistics->max_ns;
	}
	value_ns = duration_histogram_value_at(statistics->samples, (uint64_t)rank);
	return (int64_t)CLAMP(value_ns, statistics->min_ns, statistics->max_ns);
}

double duration_statistics_mean(const struct duration_statistics *statistics)
{
	__int128 count = statistics->count;

	return statistics->count ? (double)(statistics->sum_ns / count) +
					   (double)(statistics->sum_ns % count) / (double)statistics->count
				 : 0;
}

/* Whether the sum of squared distances, at most count * range² / 4, is certain to be less than 2^128. */
static bool fits_128_bits(const struct duration_statistics *statistics)
{
	unsigned __int128 range_ns = (uint64_t)statistics->max_ns - (uint64_t)statistics->min_ns;
	unsigned __int128 bound;

	return !__builtin_mul_overflow(range_ns * range_ns, (unsigned __int128)statistics->count / 4 + 1, &bound);
}

/*
 * With the mean m rounded down and the rest r = sum - n m, the sum of (x - m)² is Q - m (sum + r), and around the true
 * mean r²/n less. Modulo 2^128 this is exact even where Q itself has wrapped, because the result is known to fit.
 */
static double squared_distances(const struct duration_statistics *statistics)
{
	__int128 count = statistics->count;
	__int128 mean_ns = statistics->sum_ns / count - (statistics->sum_ns % count < 0);
	__int128 rest_ns = statistics->sum_ns - count * mean_ns;
	unsigned __int128 around_floor =
		statistics->sum_of_squares_ns2 -
		(unsigned __int128)mean_ns * ((unsigned __int128)statistics->sum_ns + (unsigned __int128)rest_ns);

	return (double)around_floor - (double)rest_ns * ((double)rest_ns / (double)statistics->count);
}

double duration_statistics_standard_deviation(const struct duration_statistics *statistics)
{
	double sum;

	if (statistics->count < 2) {
		return 0;
	}
	sum = fits_128_bits(statistics)
		      ? squared_distances(statistics)
		      : duration_histogram_squared_distances(statistics->samples, duration_statistics_mean(statistics));
	return sqrt(MAX(sum, 0) / (double)(statistics->count - 1));
}

size_t duration_statistics_column_count(size_t quantile_count)
{
	return COLUMNS_BEFORE_QUANTILES + quantile_count + COLUMNS_AFTER_QUANTILES;
}

char *duration_statistics_quantile_name(double quantile)
{
	char fraction[64];
	char *digits, *end;

	g_ascii_formatd(fraction, sizeof(fraction), "%.12f", CLAMP(quantile, 0, 1));
	if (fraction[0] == '1') {
		return g_strdup("p100");
	}
	digits = fraction + strlen("0.");
	end = digits + strlen(digits);
	while (end > digits + 2 && end[-1] == '0') {
		*--end = '\0';
	}
	if (end == digits + 2 && digits[0] == '0') {
		digits++;
	}
	return g_strdup_printf("p%s", digits);
}

/* A person is shown the lowest quantile and the highest up to 0.99; the others where there is room. */
static enum column_role quantile_role(const double *quantiles, size_t quantile_count, size_t index)
{
	bool is_lowest = true, is_tail = quantiles[index] <= 0.99 || quantile_count <= 2;

	for (size_t i = 0; i < quantile_count; i++) {
		is_lowest &= quantiles[index] <= quantiles[i];
		is_tail &= !(quantiles[i] <= 0.99 && quantiles[i] > quantiles[index]);
	}
	return is_lowest || is_tail ? COLUMN_ROLE_VALUE : COLUMN_ROLE_DETAIL;
}

static struct table_column statistic_column(const char *name, const char *function, enum column_role role,
					    GPtrArray *names)
{
	char *column_name = g_strdup_printf("%s_%s_ns", name, function);
	char *label = g_strdup(function);
	char *heading = g_strdup(name);

	g_ptr_array_add(names, column_name);
	g_ptr_array_add(names, label);
	g_ptr_array_add(names, heading);
	return (struct table_column){
		.name = column_name,
		.label = label,
		.heading = heading,
		.format = COLUMN_DURATION,
		.role = role,
	};
}

void duration_statistics_columns(const char *name, const double *quantiles, size_t quantile_count,
				 struct table_column *columns, GPtrArray *names)
{
	*columns++ = statistic_column(name, "sum", COLUMN_ROLE_HIDDEN, names);
	*columns++ = statistic_column(name, "min", COLUMN_ROLE_DETAIL, names);
	*columns++ = statistic_column(name, "mean", COLUMN_ROLE_VALUE, names);
	*columns++ = statistic_column(name, "stddev", COLUMN_ROLE_DETAIL, names);
	for (size_t i = 0; i < quantile_count; i++) {
		g_autofree char *function = duration_statistics_quantile_name(quantiles[i]);

		*columns++ = statistic_column(name, function, quantile_role(quantiles, quantile_count, i), names);
	}
	*columns = statistic_column(name, "max", COLUMN_ROLE_VALUE, names);
	columns->marks_largest = true;
}

void duration_statistics_columns_reduce(struct table_column *columns, size_t quantile_count)
{
	for (size_t i = 0; i < quantile_count; i++) {
		columns[COLUMNS_BEFORE_QUANTILES + i].role = COLUMN_ROLE_DETAIL;
	}
	columns[COLUMNS_BEFORE_QUANTILES + quantile_count].marks_largest = false;
}

void duration_statistics_cells(const struct duration_statistics *statistics, const double *quantiles,
			       size_t quantile_count, struct cell *cells)
{
	if (statistics->count == 0) {
		memset(cells, 0, duration_statistics_column_count(quantile_count) * sizeof(*cells));
		return;
	}
	*cells++ = statistics->sum_ns == (int64_t)statistics->sum_ns ? cell_integer((int64_t)statistics->sum_ns)
								     : CELL_NONE;
	*cells++ = cell_integer(statistics->min_ns);
	*cells++ = cell_real(duration_statistics_mean(statistics));
	*cells++ = statistics->count < 2 ? CELL_NONE : cell_real(duration_statistics_standard_deviation(statistics));
	for (size_t i = 0; i < quantile_count; i++) {
		*cells++ = cell_integer(duration_statistics_quantile(statistics, quantiles[i]));
	}
	*cells = cell_integer(statistics->max_ns);
}
