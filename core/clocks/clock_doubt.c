/* SPDX-License-Identifier: MIT */
#include "core/clocks/clock_doubt.h"

#include <math.h>

#include "core/clocks/clock_bound.h"

/* How much the rate of a clock may differ from its piece's by itself; 0.2 ppm. */
#define WANDER_MIN 0.2e-6
/* A clock that swings by `missing room` during a piece runs at most so many times that per piece off its rate. */
#define WANDER_PER_MISSING_ROOM 16
/* Of the shortest round trip: with less room, a line does not show how long messages take. */
#define LEAST_ROOM 0.9
/* The part of the shortest round trip for which lines that bend must leave room; any other may be just as far away. */
#define BEND_SHARE 0.95
/* Room is missing by chance by the scatter, divided by a sixteenth of the messages, or eight. */
#define SAMPLE 16
/* The fastest of so many messages is late by its share of their scatter; wandering by as much is not seen. */
#define HIDDEN_SCATTERS 3

/* How much less than the shortest round trip the line leaves between the bounds, beyond what is chance: it wandered. */
static double missing_room(const struct clock_fit *fit, double round_ns)
{
	double chance_ns = (fit->scatter_ns[0] + fit->scatter_ns[1]) /
			   (double)MAX(MIN(fit->upper_count, fit->lower_count) / SAMPLE, 8);
	double missing_ns = round_ns - fit->room_ns;

	return missing_ns > chance_ns ? missing_ns : 0;
}

/* How much room may be missing without being seen, since even the fastest of few messages are late. */
static double hidden_room(const struct clock_fit *fit)
{
	return HIDDEN_SCATTERS * (fit->scatter_ns[0] + fit->scatter_ns[1]) /
	       (double)MIN(fit->upper_count, fit->lower_count);
}

/* The farthest lines, which may bend once; where the line leaves room for a round trip, others do as well. */
static double farthest(const struct clock_bounds *bounds, size_t begin, size_t end, const struct clock_fit *fit,
		       double round_ns)
{
	double most_ns = clock_fit_farthest_bend(bounds, begin, end, fit, 0);

	if (fit->room_ns > LEAST_ROOM * round_ns) {
		double margin_ns = fmin(BEND_SHARE * round_ns, fit->room_ns);

		most_ns = fmin(most_ns, clock_fit_farthest_bend(bounds, begin, end, fit, margin_ns) + round_ns / 2);
	}
	return most_ns;
}

double clock_doubt_piece(const struct clock_bounds *bounds, size_t begin, size_t end, const struct clock_fit *fit,
			 double round_ns)
{
	double missing_ns = missing_room(fit, round_ns);
	double length_ns = (double)(bounds->at[end - 1].at_ns - bounds->at[begin].at_ns) + 1;
	double wander = WANDER_MIN + WANDER_PER_MISSING_ROOM * fmax(missing_ns, hidden_room(fit)) / length_ns;
	double most_ns = farthest(bounds, begin, end, fit, round_ns);

	most_ns = fmax(most_ns, fmax(fmax(fit->room_ns, round_ns) / 2, round_ns - fit->room_ns / 2));
	most_ns = fmax(most_ns, clock_fit_corridor(bounds, begin, end, fit, wander));
	most_ns = fmax(most_ns, clock_fit_slow_run(bounds, begin, end, fit));
	most_ns += hidden_room(fit);
	return missing_ns > 0 ? most_ns + CLOCK_DOUBT_UNSEEN_SHARE * round_ns : most_ns;
}

double clock_doubt_slew(const struct clock_bounds *bounds, size_t begin, size_t end, bool is_begin,
			const struct clock_fit *fit, double step_ns, double round_ns)
{
	const int64_t from_ns = bounds->at[is_begin ? begin : end - 1].at_ns;
	double least_ns = fabs(step_ns) + round_ns / 2, slewed_ns = 0;

	for (size_t i = 0; i < end - begin && slewed_ns < least_ns; i++) {
		size_t index = is_begin ? begin + i : end - 1 - i;
		const struct clock_bound *bound = &bounds->at[index];

		slewed_ns = CLOCK_DRIFT_MAX * fabs((double)(bound->at_ns - from_ns));
		if (!bounds->is_left_out[index] && bound->is_upper == (step_ns > 0)) {
			least_ns = fmin(least_ns, clock_fit_latency(fit, bound) + slewed_ns);
		}
	}
	return least_ns;
}

/* How much slower a message would be if it were of a piece instead of another, in units of scatter. */
static double slower(const struct clock_bounds *bounds, size_t index, const struct clock_fit *instead,
		     const struct clock_fit *of)
{
	const struct clock_bound *bound = &bounds->at[index];
	bool is_upper = bound->is_upper;

	return bounds->is_left_out[index] ? 0
					  : (clock_fit_latency(instead, bound) - clock_fit_latency(of, bound)) /
						    fmin(instead->scatter_ns[is_upper], of->scatter_ns[is_upper]);
}

/* Whether a line leaves a message time to travel, as those of its piece do. */
static bool is_possible(const struct clock_bounds *bounds, size_t index, const struct clock_fit *fit)
{
	double tilt_ns = fit->extent_ns - bounds->margin_ns / 2;

	return bounds->is_left_out[index] ||
	       clock_fit_latency(fit, &bounds->at[index]) >= fmax(bounds->margin_ns / 2 - tilt_ns, 0);
}

/* The indexes among which the boundary may be, and in `least` the best sum of latencies by it. */
static struct clock_zone possible_zone(const struct clock_bounds *bounds, size_t begin, size_t at, size_t end,
				       const struct clock_fit *before, const struct clock_fit *after, double *least)
{
	struct clock_zone zone = { .begin = at, .end = at };
	double sum = 0;

	while (zone.begin > begin && is_possible(bounds, zone.begin - 1, after)) {
		sum += slower(bounds, --zone.begin, after, before);
		*least = fmin(*least, sum);
	}
	sum = 0;
	while (zone.end < end && is_possible(bounds, zone.end, before)) {
		sum += slower(bounds, zone.end++, before, after);
		*least = fmin(*least, sum);
	}
	return zone;
}

static double apart(const struct clock_bounds *bounds, size_t index, const struct clock_fit *before,
		    const struct clock_fit *after)
{
	const struct clock_bound *bound = &bounds->at[index];

	return fabs(clock_fit_latency(before, bound) - clock_fit_latency(after, bound));
}

struct clock_zone clock_doubt_zone(const struct clock_bounds *bounds, size_t begin, size_t at, size_t end,
				   const struct clock_fit *before, const struct clock_fit *after)
{
	double least = 0, sum = 0;
	struct clock_zone possible = possible_zone(bounds, begin, at, end, before, after, &least);
	struct clock_zone zone = { .begin = SIZE_MAX };

	for (size_t i = at; i > possible.begin; i--) {
		sum += slower(bounds, i - 1, after, before);
	}
	for (size_t i = possible.begin; i <= possible.end; i++) {
		if (sum <= least + CLOCK_DOUBT_PLAUSIBLE_SCATTERS) {
			zone.begin = MIN(zone.begin, i);
			zone.end = i;
		}
		sum += i < possible.end ? slower(bounds, i, before, after) : 0;
	}
	if (zone.begin > zone.end) { /* sums of times that are out of all proportion */
		return (struct clock_zone){ .begin = at, .end = at };
	}
	if (zone.begin < zone.end) {
		zone.apart_ns =
			fmax(apart(bounds, zone.begin, before, after), apart(bounds, zone.end - 1, before, after));
	}
	return zone;
}
