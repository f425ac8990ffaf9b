/* SPDX-License-Identifier: MIT */
#include "core/clocks/clock_lines.h"

#include <math.h>
#include <stdlib.h>

#include "core/clocks/clock_bound.h"
#include "core/clocks/clock_doubt.h"
#include "core/clocks/clock_one_way.h"
#include "core/clocks/clock_pieces.h"
#include "ros2bt/base/time_units.h"

/* The part of the shortest round trip for which a line must leave room. The rest allows for wandering. */
#define ROUND_TRIP_SHARE 0.75
/* The parts of a recording whose shortest round trips are compared have so many messages of the rarer direction. */
#define MESSAGES_PER_PART 16
#define PARTS_MAX 16
/* With fewer messages of a direction, nothing tells a clock that changes from messages that scatter. */
#define MESSAGES_MIN 8
/* Of the shortest round trip: two lines that are nearer to each other meet. */
#define MEETING_SHARE 0.1

static void fit_all(struct clock_lines *lines)
{
	g_array_set_size(lines->fits, 0);
	for (guint i = 0; i + 1 < lines->boundaries->len; i++) {
		struct clock_fit fit = clock_fit_range(&lines->bounds, clock_lines_boundary(lines, i),
						       clock_lines_boundary(lines, i + 1));

		g_array_append_val(lines->fits, fit);
	}
}

/* --- the shortest round trip --- */

enum trip {
	TRIP_TOOK,     /* that was observed */
	TRIP_POSSIBLE, /* less what the fastest of so many messages are late on average */
	TRIP_LEAST,    /* less all that may be wandering or chance */
};

static int compare_reals(const void *a, const void *b)
{
	const double *left = a, *right = b;

	return (*left > *right) - (*left < *right);
}

static double trip_in(const struct clock_lines *lines, size_t begin, size_t end, const struct clock_fit *fit,
		      double wander, enum trip kind)
{
	struct clock_round_trip trip = clock_fit_round_trip(&lines->bounds, begin, end, fit, wander);
	double pairs = (double)MIN(lines->upper_count, lines->count - lines->upper_count);

	pairs = fmin(pairs, (double)clock_fit_count(fit) / 2);
	switch (kind) {
	case TRIP_POSSIBLE:
		return trip.took_ns - trip.late_ns;
	case TRIP_LEAST:
		return trip.took_ns - trip.wandered_ns - (fit->scatter_ns[0] + fit->scatter_ns[1]) / sqrt(pairs);
	default:
		return trip.took_ns;
	}
}

/*
 * The time that the fastest messages there and back take together: the shortest round trip of each of several parts,
 * and of these the lower quartile, because a part within which a clock was set seems to have a shorter one.
 */
static double shortest_round_trip(const struct clock_lines *lines, double wander, enum trip kind)
{
	const size_t rarer = MIN(lines->upper_count, lines->count - lines->upper_count);
	const size_t part = lines->count / CLAMP(rarer / MESSAGES_PER_PART, 1, PARTS_MAX) + 1;
	g_autoptr(GArray) found = g_array_new(FALSE, FALSE, sizeof(double));

	for (guint i = 0; i < lines->fits->len; i++) {
		size_t end = clock_lines_boundary(lines, i + 1);

		for (size_t begin = clock_lines_boundary(lines, i); begin < end; begin += part) {
			double round_ns =
				trip_in(lines, begin, MIN(begin + part, end), clock_lines_fit(lines, i), wander, kind);

			if (isfinite(round_ns)) {
				g_array_append_val(found, round_ns);
			}
		}
	}
	g_array_sort(found, compare_reals);
	return found->len > 0 ? fmax(g_array_index(found, double, found->len / 4), 0) : 0;
}

/* --- lines --- */

static void find_lines(struct clock_lines *lines)
{
	/* How much the rates of the clocks may differ from those of the lines found so far. */
	static const double wander[] = { 500e-6, 100e-6, 20e-6, 5e-6, 2e-6 };
	double least_ns = 0;

	for (size_t round = 0; round < G_N_ELEMENTS(wander); round++) {
		if (round > 0) {
			double possible_ns = shortest_round_trip(lines, wander[round - 1], TRIP_POSSIBLE);

			lines->bounds.margin_ns = fmax(possible_ns, least_ns) * ROUND_TRIP_SHARE;
			g_array_unref(lines->boundaries);
		}
		lines->boundaries = clock_pieces_find(&lines->bounds, lines->count);
		fit_all(lines);
		if (round == 0) {
			least_ns = shortest_round_trip(lines, wander[round], TRIP_LEAST);
		}
	}
	lines->round_ns = fmax(shortest_round_trip(lines, wander[G_N_ELEMENTS(wander) - 1], TRIP_TOOK), least_ns);
}

static const struct clock_fit *nearest_two_ways(const struct clock_lines *lines, guint index)
{
	for (guint i = 1; i < lines->fits->len; i++) {
		if (i <= index && clock_fit_is_two_ways(clock_lines_fit(lines, index - i))) {
			return clock_lines_fit(lines, index - i);
		}
		if (index + i < lines->fits->len && clock_fit_is_two_ways(clock_lines_fit(lines, index + i))) {
			return clock_lines_fit(lines, index + i);
		}
	}
	return NULL;
}

/*
 * Lines by messages of one direction only, in a recording of messages both ways: the fastest take as long as elsewhere,
 * but of a few messages none may be fast.
 */
static void complete_one_way(struct clock_lines *lines)
{
	for (guint i = 0; i < lines->fits->len; i++) {
		struct clock_fit *fit = &g_array_index(lines->fits, struct clock_fit, i);
		const struct clock_fit *model = clock_fit_is_two_ways(fit) ? NULL : nearest_two_ways(lines, i);

		if (model) {
			clock_fit_complete(fit, &lines->bounds, clock_lines_boundary(lines, i),
					   clock_lines_boundary(lines, i + 1), model, lines->round_ns);
		}
	}
}

/* --- parts --- */

int64_t clock_lines_offset(const struct clock_lines *lines, guint line, const struct clock_bound *at)
{
	const struct clock_fit *fit = clock_lines_fit(lines, line);

	return fit->origin->offset_ns + (int64_t)llround(clock_fit_offset(fit, at));
}

int64_t clock_lines_step(const struct clock_lines *lines, guint line)
{
	const struct clock_bound *at = &lines->bounds.at[clock_lines_boundary(lines, line)];

	return clock_lines_offset(lines, line, at) - clock_lines_offset(lines, line - 1, at);
}

bool clock_lines_is_set(const struct clock_lines *lines, guint index)
{
	const struct clock_bound *origin = &lines->bounds.at[clock_lines_boundary(lines, index)];
	double least_upper = INFINITY, most_lower = -INFINITY; /* of those before, at the begin of the piece */

	for (size_t i = clock_lines_boundary(lines, index - 1); i < clock_lines_boundary(lines, index + 1); i++) {
		const struct clock_bound *bound = &lines->bounds.at[i];
		double reach_ns = CLOCK_DRIFT_MAX * fabs((double)(bound->at_ns - origin->at_ns)) + CLOCK_ROUNDING_NS;
		double offset_ns = (double)(bound->offset_ns - origin->offset_ns);

		if (lines->bounds.is_left_out[i]) {
			continue;
		}
		if (i < clock_lines_boundary(lines, index)) {
			least_upper = bound->is_upper ? fmin(least_upper, offset_ns + reach_ns) : least_upper;
			most_lower = bound->is_upper ? most_lower : fmax(most_lower, offset_ns - reach_ns);
		} else if (bound->is_upper ? offset_ns + reach_ns < most_lower : offset_ns - reach_ns > least_upper) {
			return true;
		}
	}
	return false;
}

/* Whether two lines cross where they meet: a clock changed its rate there, and no message is of the other line. */
static bool is_crossing(const struct clock_lines *lines, guint index)
{
	const struct clock_bound *at = &lines->bounds.at[clock_lines_boundary(lines, index)];
	double rate = clock_lines_fit(lines, index)->line.drift - clock_lines_fit(lines, index - 1)->line.drift;
	double gap_s = (double)(at->at_ns - at[-1].at_ns) / (double)NS_PER_S;

	return fabs((double)clock_lines_step(lines, index)) <= lines->round_ns * MEETING_SHARE + fabs(rate) * gap_s;
}

/* Which messages next to the boundary before `index` may be of either line. */
static struct clock_zone zone_at(const struct clock_lines *lines, guint index)
{
	size_t at = clock_lines_boundary(lines, index);

	if (index > 0 && index < lines->fits->len && clock_fit_is_bounded(clock_lines_fit(lines, index - 1)) &&
	    clock_fit_is_bounded(clock_lines_fit(lines, index)) && !is_crossing(lines, index)) {
		return clock_doubt_zone(&lines->bounds, clock_lines_boundary(lines, index - 1), at,
					clock_lines_boundary(lines, index + 1), clock_lines_fit(lines, index - 1),
					clock_lines_fit(lines, index));
	}
	return (struct clock_zone){ .begin = at, .end = at };
}

static void add_part(struct clock_lines *lines, struct clock_part part)
{
	if (part.begin < part.end) {
		g_array_append_val(lines->parts, part);
	}
}

static void find_parts(struct clock_lines *lines)
{
	struct clock_zone zone = zone_at(lines, 0);

	for (guint i = 0; i < lines->fits->len; i++) {
		struct clock_zone next = zone_at(lines, i + 1);
		size_t begin = zone.end;

		if (next.begin < begin) { /* messages that may be of three lines */
			next.begin = begin;
			next.end = MAX(next.end, begin);
			next.apart_ns += zone.apart_ns;
		}
		add_part(lines, (struct clock_part){ .begin = begin, .end = next.begin, .line = i });
		add_part(lines, (struct clock_part){ next.begin, next.end, i, true, next.apart_ns });
		zone = next;
	}
}

/* By how much a line is off where it does not meet another one, and nothing proves a step: a clock may have slewed. */
static double slew_at(const struct clock_lines *lines, guint line, guint boundary)
{
	size_t begin = clock_lines_boundary(lines, line), end = clock_lines_boundary(lines, line + 1);
	bool is_begin = boundary == line;
	double step_ns;

	if (boundary == 0 || boundary == lines->fits->len || is_crossing(lines, boundary) ||
	    clock_lines_is_set(lines, boundary)) {
		return 0;
	}
	step_ns = (double)clock_lines_step(lines, boundary);
	return clock_doubt_slew(&lines->bounds, begin, end, is_begin, clock_lines_fit(lines, line),
				is_begin ? -step_ns : step_ns, lines->round_ns);
}

double clock_lines_slew(const struct clock_lines *lines, guint line)
{
	return fmax(slew_at(lines, line, line), slew_at(lines, line, line + 1));
}

static double doubt(const struct clock_lines *lines, guint index)
{
	const struct clock_fit *fit = clock_lines_fit(lines, index);
	double most_ns = fit->extent_ns;

	if (!clock_fit_is_bounded(fit) || MIN(lines->upper_count, lines->count - lines->upper_count) < MESSAGES_MIN) {
		return INFINITY;
	}
	if (!clock_fit_is_two_ways(fit)) {
		most_ns += clock_fit_slow_run(&lines->bounds, clock_lines_boundary(lines, index),
					      clock_lines_boundary(lines, index + 1), fit);
	} else {
		most_ns = clock_doubt_piece(&lines->bounds, clock_lines_boundary(lines, index),
					    clock_lines_boundary(lines, index + 1), fit, lines->round_ns);
	}
	if ((index > 0 && is_crossing(lines, index)) ||
	    (index + 1 < lines->fits->len && is_crossing(lines, index + 1))) {
		most_ns += CLOCK_DOUBT_UNSEEN_SHARE * lines->round_ns;
	}
	return most_ns;
}

/* Twice what the offsets and the fastest clock between them differ by. */
static double find_reach(const struct clock_bound *bounds, size_t count)
{
	double least = 0, most = 0;

	for (size_t i = 0; i < count; i++) {
		double offset_ns = (double)bounds[i].offset_ns - (double)bounds->offset_ns;

		least = fmin(least, offset_ns);
		most = fmax(most, offset_ns);
	}
	return 2 * (most - least + CLOCK_DRIFT_MAX * ((double)bounds[count - 1].at_ns - (double)bounds->at_ns)) +
	       NS_PER_S;
}

void clock_lines_init(struct clock_lines *lines, const struct clock_bound *bounds, size_t count)
{
	*lines = (struct clock_lines){
		.bounds = { .at = bounds, .is_left_out = g_new0(bool, count), .reach_ns = find_reach(bounds, count) },
		.count = count,
		.fits = g_array_new(FALSE, FALSE, sizeof(struct clock_fit)),
		.doubts = g_array_new(FALSE, FALSE, sizeof(double)),
		.parts = g_array_new(FALSE, FALSE, sizeof(struct clock_part)),
	};
	for (size_t i = 0; i < count; i++) {
		lines->upper_count += bounds[i].is_upper;
	}
	if (lines->upper_count == 0 || lines->upper_count == count) {
		lines->boundaries = clock_one_way_find(&lines->bounds, count);
		fit_all(lines);
	} else {
		find_lines(lines);
		complete_one_way(lines);
	}
	find_parts(lines);
	for (guint i = 0; i < lines->fits->len; i++) {
		double doubt_ns = doubt(lines, i);

		g_array_append_val(lines->doubts, doubt_ns);
	}
}

void clock_lines_clear(struct clock_lines *lines)
{
	g_array_unref(lines->boundaries);
	g_array_unref(lines->fits);
	g_array_unref(lines->doubts);
	g_array_unref(lines->parts);
	g_free(lines->bounds.is_left_out);
}
