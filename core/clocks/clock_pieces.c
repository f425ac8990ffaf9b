/* SPDX-License-Identifier: MIT */
#include "core/clocks/clock_pieces.h"

#include <math.h>

#include "core/clocks/clock_bound.h"

/* The number of successive bounds of one direction that must contradict every line, unless the clock may have run so.
 */
#define CONTRADICTIONS_IN_A_ROW 3
#define MUCH_BETTER 1.2
/* How often boundaries are improved, each by the better ones next to it. */
#define SWEEPS 2

struct search {
	const struct clock_bounds *bounds;
	size_t count;
	struct clock_polygon polygon;
};

static size_t *boundary_at(GArray *boundaries, guint index)
{
	return &g_array_index(boundaries, size_t, index);
}

/* --- the longest pieces, one after the other --- */

static bool contradicts_in_a_row(struct search *search, size_t index)
{
	const struct clock_bound *bounds = search->bounds->at;
	unsigned int in_a_row = 1;

	for (size_t i = index + 1; i < search->count && in_a_row < CONTRADICTIONS_IN_A_ROW; i++) {
		if (bounds[i].is_upper == bounds[index].is_upper) {
			if (clock_polygon_allows(&search->polygon, &bounds[i])) {
				return false;
			}
			in_a_row++;
		}
	}
	return in_a_row == CONTRADICTIONS_IN_A_ROW;
}

/* Whether the next bound of the other direction contradicts a bound, whatever the rates of the clocks. */
static bool is_refuted(const struct search *search, size_t index)
{
	const struct clock_bound *bound = &search->bounds->at[index];

	for (size_t i = index + 1; i < search->count; i++) {
		if (search->bounds->at[i].is_upper != bound->is_upper) {
			return clock_bounds_prove_step(bound, &search->bounds->at[i]);
		}
	}
	return true;
}

/* The index of the first bound that no line of the piece from `begin` satisfies. */
static size_t find_end(struct search *search, size_t begin)
{
	const struct clock_bounds *bounds = search->bounds;

	clock_polygon_reset(&search->polygon, &bounds->at[begin], bounds->margin_ns, bounds->reach_ns);
	for (size_t i = begin; i < search->count; i++) {
		bounds->is_left_out[i] = false;
		if (!clock_polygon_cut(&search->polygon, &bounds->at[i])) {
			if (!is_refuted(search, i) || contradicts_in_a_row(search, i)) {
				return i;
			}
			bounds->is_left_out[i] = true;
		}
	}
	return search->count;
}

/* The first bound after `least` from which on a line satisfies all bounds to the end of a piece. */
static size_t find_begin(struct search *search, size_t least, size_t begin, size_t end)
{
	const struct clock_bounds *bounds = search->bounds;

	clock_polygon_reset(&search->polygon, &bounds->at[begin], bounds->margin_ns, bounds->reach_ns);
	for (size_t i = end; i-- > least + 1;) {
		if (!bounds->is_left_out[i] && !clock_polygon_cut(&search->polygon, &bounds->at[i])) {
			return i + 1;
		}
	}
	return least + 1;
}

/* --- where two pieces meet --- */

/* Two pieces that overlap: [begin, last) and [first, end), with first <= last. */
struct overlap {
	size_t begin, first, last, end;
};

/* Where the sum of latencies is least if the bounds before are of the one piece, and those after of the other. */
static size_t least_latencies(const struct clock_bounds *bounds, const struct overlap *overlap,
			      const struct clock_fit *before, const struct clock_fit *after)
{
	double change = 0, least = 0;
	size_t best = overlap->last;

	for (size_t i = overlap->last; i-- > overlap->first;) {
		const struct clock_bound *bound = &bounds->at[i];
		double later = clock_fit_latency(after, bound) - clock_fit_latency(before, bound);

		if (!bounds->is_left_out[i]) {
			change +=
				later /
				fmax(fmin(before->scatter_ns[bound->is_upper], after->scatter_ns[bound->is_upper]), 1);
			if (change < least) {
				least = change;
				best = i;
			}
		}
	}
	return best;
}

static bool is_above(const struct clock_bounds *bounds, const struct clock_fit *before, const struct clock_fit *after,
		     size_t index)
{
	const struct clock_bound *at = &bounds->at[index];

	return (double)(after->origin->offset_ns - before->origin->offset_ns) + clock_fit_offset(after, at) >
	       clock_fit_offset(before, at);
}

/* The first bound after two lines cross; SIZE_MAX if they do not within the overlap. */
static size_t crossing(const struct clock_bounds *bounds, const struct overlap *overlap, const struct clock_fit *before,
		       const struct clock_fit *after)
{
	size_t low = overlap->first, high = overlap->last;

	if (is_above(bounds, before, after, low) == is_above(bounds, before, after, high - 1)) {
		return SIZE_MAX;
	}
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		*(is_above(bounds, before, after, middle) == is_above(bounds, before, after, low) ? &low : &high) =
			middle;
	}
	return high;
}

static size_t meet(const struct clock_bounds *bounds, const struct overlap *overlap, const struct clock_fit *before,
		   const struct clock_fit *after)
{
	size_t found = crossing(bounds, overlap, before, after);

	return found < SIZE_MAX ? found : least_latencies(bounds, overlap, before, after);
}

/* How far the worse of two pieces may be from the truth, apart from what they have in common. */
static double misfit(const struct clock_bounds *bounds, const struct overlap *overlap, size_t boundary)
{
	struct clock_fit before = clock_fit_range(bounds, overlap->begin, boundary);
	struct clock_fit after = clock_fit_range(bounds, boundary, overlap->end);
	double room_ns = fmin(before.room_ns, after.room_ns);

	return fmax(fmax(before.extent_ns, after.extent_ns), bounds->margin_ns - room_ns / 2);
}

/* By the lines of the parts that do not overlap, unless those of two halves fit much better: a clock wandered. */
static size_t best_boundary(const struct clock_bounds *bounds, const struct overlap *overlap)
{
	size_t middle = (overlap->first + overlap->last) / 2;
	struct clock_fit before = clock_fit_range(bounds, overlap->begin, middle);
	struct clock_fit after = clock_fit_range(bounds, middle, overlap->end);
	size_t wandered = meet(bounds, overlap, &before, &after);

	before = clock_fit_range(bounds, overlap->begin, overlap->first);
	after = clock_fit_range(bounds, overlap->last, overlap->end);
	if (clock_fit_is_two_ways(&before) == clock_fit_is_two_ways(&after)) {
		size_t changed = meet(bounds, overlap, &before, &after);

		return misfit(bounds, overlap, changed) < misfit(bounds, overlap, wandered) * MUCH_BETTER ? changed
													  : wandered;
	}
	return wandered;
}

static void improve(struct search *search, GArray *boundaries, guint index)
{
	struct overlap overlap = { .begin = *boundary_at(boundaries, index - 1),
				   .end = *boundary_at(boundaries, index + 1) };

	overlap.last = MIN(find_end(search, overlap.begin), overlap.end - 1);
	overlap.first = find_begin(search, overlap.begin, *boundary_at(boundaries, index), overlap.end);
	if (overlap.first < overlap.last) {
		*boundary_at(boundaries, index) = best_boundary(search->bounds, &overlap);
	}
}

GArray *clock_pieces_find(const struct clock_bounds *bounds, size_t count)
{
	struct search search = { .bounds = bounds, .count = count };
	GArray *boundaries = g_array_new(FALSE, FALSE, sizeof(size_t));
	size_t begin = 0;

	clock_polygon_init(&search.polygon);
	g_array_append_val(boundaries, begin);
	while (begin < count) {
		begin = find_end(&search, begin);
		g_array_append_val(boundaries, begin);
	}
	for (size_t sweep = 0; sweep < SWEEPS; sweep++) {
		for (guint i = 1; i + 1 < boundaries->len; i++) {
			improve(&search, boundaries, i);
		}
	}
	clock_polygon_clear(&search.polygon);
	return boundaries;
}
