/* SPDX-License-Identifier: MIT */
#include "core/base/clock_fit.h"

#include <math.h>

#include "core/base/clock_bound.h"
#include "core/base/time_units.h"

static double seconds_from(const struct clock_bound *origin, const struct clock_bound *bound)
{
	return (double)(bound->at_ns - origin->at_ns) / (double)NS_PER_S;
}

double clock_fit_offset(const struct clock_fit *fit, const struct clock_bound *at)
{
	return fit->line.offset + fit->line.drift * seconds_from(fit->origin, at);
}

double clock_fit_latency(const struct clock_fit *fit, const struct clock_bound *bound)
{
	double above = (double)(bound->offset_ns - fit->origin->offset_ns) - clock_fit_offset(fit, bound);

	return bound->is_upper ? above : -above;
}

static void cut_all(struct clock_polygon *polygon, const struct clock_bounds *bounds, size_t begin, size_t end,
		    double margin_ns)
{
	clock_polygon_reset(polygon, &bounds->at[begin], margin_ns, bounds->reach_ns);
	for (size_t i = begin; i < end; i++) {
		if (!bounds->is_left_out[i]) {
			clock_polygon_cut(polygon, &bounds->at[i]);
		}
	}
}

/* The least latency by a fit, of the messages of a direction; infinite without one. */
static double nearest(const struct clock_bounds *bounds, size_t begin, size_t end, const struct clock_fit *fit,
		      bool is_upper)
{
	double least = INFINITY;

	for (size_t i = begin; i < end; i++) {
		if (bounds->at[i].is_upper == is_upper && !bounds->is_left_out[i]) {
			least = fmin(least, clock_fit_latency(fit, &bounds->at[i]));
		}
	}
	return least;
}

static void fit_two_ways(struct clock_fit *fit, const struct clock_bounds *bounds, size_t begin, size_t end,
			 struct clock_polygon *polygon)
{
	double above, below, length = seconds_from(fit->origin, &bounds->at[end - 1]);

	cut_all(polygon, bounds, begin, end, bounds->margin_ns);
	fit->line = clock_polygon_centre(polygon);
	above = nearest(bounds, begin, end, fit, true);
	below = nearest(bounds, begin, end, fit, false);
	fit->line.offset += (above - below) / 2;
	fit->room_ns = above + below;
	fit->extent_ns = bounds->margin_ns / 2 + fmax(clock_polygon_extent(polygon, &fit->line, 0),
						      clock_polygon_extent(polygon, &fit->line, length));
}

static void fit_one_way(struct clock_fit *fit, const struct clock_bounds *bounds, size_t begin, size_t end,
			struct clock_polygon *polygon)
{
	bool is_upper = fit->upper_count > 0;
	double distance;

	cut_all(polygon, bounds, begin, end, 0);
	fit->line = clock_polygon_tightest(polygon, seconds_from(fit->origin, &bounds->at[end - 1]) / 2, is_upper);
	distance = nearest(bounds, begin, end, fit, is_upper);
	if (isfinite(distance)) {
		fit->line.offset += is_upper ? distance : -distance;
	}
}

static double scatter(const struct clock_bounds *bounds, size_t begin, size_t end, const struct clock_fit *fit,
		      bool is_upper)
{
	double sum = 0;
	size_t count = 0;

	for (size_t i = begin; i < end; i++) {
		if (bounds->at[i].is_upper == is_upper && !bounds->is_left_out[i]) {
			sum += clock_fit_latency(fit, &bounds->at[i]);
			count++;
		}
	}
	return fmax(sum / (double)count - fit->room_ns / 2, 1);
}

struct clock_fit clock_fit_range(const struct clock_bounds *bounds, size_t begin, size_t end)
{
	struct clock_fit fit = { .origin = &bounds->at[begin], .room_ns = INFINITY, .extent_ns = INFINITY };
	struct clock_polygon polygon;

	clock_polygon_init(&polygon);
	for (size_t i = begin; i < end; i++) {
		if (!bounds->is_left_out[i]) {
			fit.upper_count += bounds->at[i].is_upper;
			fit.lower_count += !bounds->at[i].is_upper;
		}
	}
	if (clock_fit_is_two_ways(&fit)) {
		fit_two_ways(&fit, bounds, begin, end, &polygon);
		fit.scatter_ns[false] = scatter(bounds, begin, end, &fit, false);
		fit.scatter_ns[true] = scatter(bounds, begin, end, &fit, true);
	} else {
		fit_one_way(&fit, bounds, begin, end, &polygon);
	}
	clock_polygon_clear(&polygon);
	return fit;
}

/* The nearest bounds above and below, at the time of the last one, whose distances grow by the wandering since. */
struct walls {
	const struct clock_bound *last;
	double above, below;
};

static void meet_bound(struct walls *walls, const struct clock_fit *fit, const struct clock_bound *bound, double wander)
{
	double wandered = walls->last ? fabs(seconds_from(walls->last, bound)) * wander * NS_PER_S : 0;
	double latency = clock_fit_latency(fit, bound);

	walls->above = fmin(walls->above + wandered, bound->is_upper ? latency : INFINITY);
	walls->below = fmin(walls->below + wandered, bound->is_upper ? INFINITY : latency);
	walls->last = bound;
}

double clock_fit_corridor(const struct clock_bounds *bounds, size_t begin, size_t end, const struct clock_fit *fit,
			  double wander)
{
	g_autofree struct walls *after = g_new(struct walls, end - begin);
	struct walls walls = { NULL, INFINITY, INFINITY };
	double most = 0;

	for (size_t i = end; i-- > begin;) {
		if (!bounds->is_left_out[i]) {
			meet_bound(&walls, fit, &bounds->at[i], wander);
		}
		after[i - begin] = walls;
	}
	walls = (struct walls){ NULL, INFINITY, INFINITY };
	for (size_t i = begin; i < end; i++) {
		if (!bounds->is_left_out[i]) {
			meet_bound(&walls, fit, &bounds->at[i], wander);
			most = fmax(most, fmax(fmin(walls.above, after[i - begin].above),
					       fmin(walls.below, after[i - begin].below)));
		}
	}
	return most;
}

double clock_fit_round_trip(const struct clock_bounds *bounds, size_t begin, size_t end, const struct clock_fit *fit,
			    double wander)
{
	struct walls walls = { NULL, INFINITY, INFINITY };
	double least = INFINITY;

	for (size_t i = begin; i < end; i++) {
		if (!bounds->is_left_out[i]) {
			meet_bound(&walls, fit, &bounds->at[i], wander);
			least = fmin(least, walls.above + walls.below);
		}
	}
	return least;
}

double clock_fit_slow_run(const struct clock_bounds *bounds, size_t begin, size_t end, const struct clock_fit *fit)
{
	double last[CLOCK_FIT_RUN], most = 0;
	size_t count = 0;
	bool is_upper = false;

	for (size_t i = begin; i < end; i++) {
		const struct clock_bound *bound = &bounds->at[i];
		double least = INFINITY;

		if (bounds->is_left_out[i]) {
			continue;
		}
		count = bound->is_upper == is_upper ? count : 0;
		is_upper = bound->is_upper;
		last[count++ % CLOCK_FIT_RUN] = clock_fit_latency(fit, bound);
		for (size_t k = 0; count >= CLOCK_FIT_RUN && k < CLOCK_FIT_RUN; k++) {
			least = fmin(least, last[k]);
		}
		if (isfinite(least) && least > fit->room_ns / 2 + fit->scatter_ns[is_upper]) {
			most = fmax(most, least);
		}
	}
	return most;
}
