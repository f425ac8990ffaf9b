/* SPDX-License-Identifier: MIT */
#include "core/clocks/clock_fit.h"

#include <math.h>

#include "core/clocks/clock_bound.h"
#include "ros2bt/base/time_units.h"

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

void clock_fit_complete(struct clock_fit *fit, const struct clock_bounds *bounds, size_t begin, size_t end,
			const struct clock_fit *model, double round_ns)
{
	bool is_upper = fit->upper_count > 0;
	double count = (double)(fit->upper_count + fit->lower_count), late_ns;

	if (count < CLOCK_FIT_MESSAGES_FOR_RATE) {
		fit->line.drift = model->line.drift;
	}
	late_ns = nearest(bounds, begin, end, fit, is_upper);
	fit->line.offset += (is_upper ? 1 : -1) * ((isfinite(late_ns) ? late_ns : 0) - round_ns / 2);
	fit->room_ns = round_ns;
	fit->scatter_ns[0] = model->scatter_ns[0];
	fit->scatter_ns[1] = model->scatter_ns[1];
	fit->extent_ns = round_ns / 2 +
			 CLOCK_FIT_TILTS * (CLOCK_FIT_UNLIKELY + log(count)) * model->scatter_ns[is_upper] / count;
}

/* The nearest bounds above and below, at the time of the last one, whose distances grow by the wandering since. */
struct walls {
	const struct clock_bound *last;
	double above, below;
	double wandered_above, wandered_below; /* what of them is wandering */
};

static void meet_one(double *wall, double *wandered, double since_ns, bool is_here, double latency_ns)
{
	*wall += since_ns;
	*wandered += since_ns;
	if (is_here && latency_ns < *wall) {
		*wall = latency_ns;
		*wandered = 0;
	}
}

static void meet_bound(struct walls *walls, const struct clock_fit *fit, const struct clock_bound *bound, double wander)
{
	double since_ns = walls->last ? fabs(seconds_from(walls->last, bound)) * wander * NS_PER_S : 0;
	double latency_ns = clock_fit_latency(fit, bound);

	meet_one(&walls->above, &walls->wandered_above, since_ns, bound->is_upper, latency_ns);
	meet_one(&walls->below, &walls->wandered_below, since_ns, !bound->is_upper, latency_ns);
	walls->last = bound;
}

double clock_fit_corridor(const struct clock_bounds *bounds, size_t begin, size_t end, const struct clock_fit *fit,
			  double wander)
{
	g_autofree struct walls *after = g_new(struct walls, end - begin);
	struct walls walls = { .above = INFINITY, .below = INFINITY };
	double most = 0;

	for (size_t i = end; i-- > begin;) {
		if (!bounds->is_left_out[i]) {
			meet_bound(&walls, fit, &bounds->at[i], wander);
		}
		after[i - begin] = walls;
	}
	walls = (struct walls){ .above = INFINITY, .below = INFINITY };
	for (size_t i = begin; i < end; i++) {
		if (!bounds->is_left_out[i]) {
			meet_bound(&walls, fit, &bounds->at[i], wander);
			most = fmax(most, fmax(fmin(walls.above, after[i - begin].above),
					       fmin(walls.below, after[i - begin].below)));
		}
	}
	return most;
}

struct clock_round_trip clock_fit_round_trip(const struct clock_bounds *bounds, size_t begin, size_t end,
					     const struct clock_fit *fit, double wander)
{
	struct walls walls = { .above = INFINITY, .below = INFINITY };
	struct clock_round_trip found = { .took_ns = INFINITY };
	double least = INFINITY;
	size_t count[2] = { 0 };

	for (size_t i = begin; i < end; i++) {
		if (!bounds->is_left_out[i]) {
			meet_bound(&walls, fit, &bounds->at[i], wander);
			count[bounds->at[i].is_upper]++;
			if (walls.above + walls.below < least) {
				least = walls.above + walls.below;
				found.wandered_ns = walls.wandered_above + walls.wandered_below;
				found.took_ns = least - found.wandered_ns;
			}
		}
	}
	found.late_ns = fit->scatter_ns[0] / (double)count[0] + fit->scatter_ns[1] / (double)count[1];
	return found;
}

/* Messages of a direction that all took so much longer than usual, at least, and those of the other one among them. */
struct run {
	double longer_ns;
	size_t count, others;
};

/* Of the messages of one direction, the runs that have not ended yet, in order of how slow they are. */
struct runs {
	GArray *open; /* struct run */
	double scatter_ns, others_scatter_ns;
	double unlikely, most_ns;
};

static void judge_run(struct runs *runs, const struct run *run)
{
	double each = fmin(run->longer_ns / runs->scatter_ns, CLOCK_FIT_EVIDENCE);
	double against = run->longer_ns / runs->others_scatter_ns;

	if (each * (double)run->count - against * (double)run->others > runs->unlikely) {
		runs->most_ns =
			fmax(runs->most_ns, run->longer_ns + runs->unlikely * runs->scatter_ns / (double)run->count);
	}
}

/* A message ends the runs of those that took longer than it. */
static void add_to_runs(struct runs *runs, double longer_ns)
{
	struct run next = { .longer_ns = longer_ns };

	while (runs->open->len > 0 &&
	       g_array_index(runs->open, struct run, runs->open->len - 1).longer_ns >= longer_ns) {
		struct run *last = &g_array_index(runs->open, struct run, runs->open->len - 1);

		last->count += next.count;
		last->others += next.others;
		judge_run(runs, last);
		next.count = last->count;
		next.others = last->others;
		g_array_set_size(runs->open, runs->open->len - 1);
	}
	next.count++;
	if (longer_ns > 0) {
		g_array_append_val(runs->open, next);
	}
}

double clock_fit_slow_run(const struct clock_bounds *bounds, size_t begin, size_t end, const struct clock_fit *fit)
{
	struct runs runs[2];
	double most_ns;

	for (size_t k = 0; k < G_N_ELEMENTS(runs); k++) {
		runs[k] = (struct runs){
			.open = g_array_new(FALSE, FALSE, sizeof(struct run)),
			.scatter_ns = fit->scatter_ns[k],
			.others_scatter_ns = fit->scatter_ns[!k],
			.unlikely = log((double)(end - begin)) + CLOCK_FIT_UNLIKELY,
		};
	}
	for (size_t i = begin; i < end; i++) {
		const struct clock_bound *bound = &bounds->at[i];
		GArray *others = runs[!bound->is_upper].open;

		if (!bounds->is_left_out[i]) {
			add_to_runs(&runs[bound->is_upper], clock_fit_latency(fit, bound) - fit->room_ns / 2);
			if (others->len > 0) {
				g_array_index(others, struct run, others->len - 1).others++;
			}
		}
	}
	add_to_runs(&runs[0], 0);
	add_to_runs(&runs[1], 0);
	g_array_unref(runs[0].open);
	g_array_unref(runs[1].open);
	most_ns = fmax(runs[0].most_ns, runs[1].most_ns);
	return most_ns > 0 ? most_ns + fit->room_ns / 2 : 0;
}

double clock_fit_farthest_bend(const struct clock_bounds *bounds, size_t begin, size_t end, const struct clock_fit *fit,
			       double margin_ns)
{
	g_autofree struct clock_range *after = g_new(struct clock_range, end - begin);
	struct clock_polygon polygon;
	double most = 0;

	clock_polygon_init(&polygon);
	clock_polygon_reset(&polygon, fit->origin, margin_ns, bounds->reach_ns);
	for (size_t i = end; i-- > begin;) {
		if (!bounds->is_left_out[i]) {
			clock_polygon_cut(&polygon, &bounds->at[i]);
		}
		after[i - begin] = clock_polygon_range(&polygon, &fit->line, seconds_from(fit->origin, &bounds->at[i]));
	}
	clock_polygon_reset(&polygon, fit->origin, margin_ns, bounds->reach_ns);
	for (size_t i = begin; i < end; i++) {
		struct clock_range before;

		if (!bounds->is_left_out[i]) {
			clock_polygon_cut(&polygon, &bounds->at[i]);
		}
		before = clock_polygon_range(&polygon, &fit->line, seconds_from(fit->origin, &bounds->at[i]));
		most = fmax(most,
			    fmax(fmin(before.high, after[i - begin].high), -fmax(before.low, after[i - begin].low)));
	}
	clock_polygon_clear(&polygon);
	return most;
}
