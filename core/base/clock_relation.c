/* SPDX-License-Identifier: MIT */
#include "core/base/clock_relation.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/time_units.h"

/* Times are whole nanoseconds, so a bound may be off by this much. */
#define ROUNDING_NS 1.0
/* The number of successive bounds of one direction that must contradict every line before a piece ends. */
#define CONTRADICTIONS_IN_A_ROW 3
#define OFFSET_MAX_NS 1e17

/* --- the polygon of the lines that contradict no bound --- */

/* A line relative to the origin of a piece: ns, ns per second. */
struct line {
	double offset, drift;
};

/* Corners in order around the polygon; none: no line is left. */
struct polygon {
	GArray *corners; /* struct line */
	GArray *next;	 /* the corners after the cut in progress */
};

static struct polygon polygon_create(void)
{
	return (struct polygon){ g_array_new(FALSE, FALSE, sizeof(struct line)),
				 g_array_new(FALSE, FALSE, sizeof(struct line)) };
}

static void polygon_clear(struct polygon *polygon)
{
	g_array_unref(polygon->corners);
	g_array_unref(polygon->next);
}

/* The polygon of all lines. */
static void polygon_fill(struct polygon *polygon)
{
	const double drift = CLOCK_DRIFT_MAX * NS_PER_S;
	const struct line corners[] = { { -OFFSET_MAX_NS, -drift },
					{ OFFSET_MAX_NS, -drift },
					{ OFFSET_MAX_NS, drift },
					{ -OFFSET_MAX_NS, drift } };

	g_array_set_size(polygon->corners, 0);
	g_array_append_vals(polygon->corners, corners, G_N_ELEMENTS(corners));
}

/* A bound in seconds and ns from the piece's origin. It leaves the lines with `sign` * (line(at) - offset) <= 0. */
struct cut {
	double at, offset, sign;
};

static double excess(const struct cut *cut, const struct line *line)
{
	return cut->sign * (line->offset + line->drift * cut->at - cut->offset);
}

static struct line crossing(const struct line *one, double one_excess, const struct line *other, double other_excess)
{
	double share = one_excess / (one_excess - other_excess);

	return (struct line){ one->offset + share * (other->offset - one->offset),
			      one->drift + share * (other->drift - one->drift) };
}

/* Sets polygon->next to the part that the cut leaves (Sutherland and Hodgman's rule for one edge). */
static void cut_into_next(struct polygon *polygon, const struct cut *cut)
{
	g_array_set_size(polygon->next, 0);
	for (guint i = 0; i < polygon->corners->len; i++) {
		const struct line *corner = &g_array_index(polygon->corners, struct line, i);
		const struct line *following =
			&g_array_index(polygon->corners, struct line, (i + 1) % polygon->corners->len);
		double here = excess(cut, corner), there = excess(cut, following);

		if (here <= 0) {
			g_array_append_val(polygon->next, *corner);
		}
		if ((here < 0 && there > 0) || (here > 0 && there < 0)) {
			struct line edge = crossing(corner, here, following, there);

			g_array_append_val(polygon->next, edge);
		}
	}
}

static struct cut cut_of(const struct clock_bound *bound, const struct clock_bound *origin)
{
	return (struct cut){
		.at = (double)(bound->at_ns - origin->at_ns) / (double)NS_PER_S,
		.offset =
			(double)(bound->offset_ns - origin->offset_ns) + (bound->is_upper ? ROUNDING_NS : -ROUNDING_NS),
		.sign = bound->is_upper ? 1 : -1,
	};
}

/* False if the bound contradicts every line; the polygon is then unchanged. */
static bool polygon_cut(struct polygon *polygon, const struct clock_bound *bound, const struct clock_bound *origin)
{
	const struct cut cut = cut_of(bound, origin);
	GArray *corners = polygon->corners;

	cut_into_next(polygon, &cut);
	if (polygon->next->len == 0) {
		return false;
	}
	polygon->corners = polygon->next;
	polygon->next = corners;
	return true;
}

static struct line mean_of_corners(const struct polygon *polygon)
{
	struct line sum = { 0 };

	for (guint i = 0; i < polygon->corners->len; i++) {
		const struct line *corner = &g_array_index(polygon->corners, struct line, i);

		sum.offset += corner->offset / polygon->corners->len;
		sum.drift += corner->drift / polygon->corners->len;
	}
	return sum;
}

/* The mean of all lines in the polygon. */
static struct line polygon_centroid(const struct polygon *polygon)
{
	const struct line origin = mean_of_corners(polygon);
	struct line sum = { 0 };
	double area = 0;

	for (guint i = 0; i < polygon->corners->len; i++) {
		const struct line *corner = &g_array_index(polygon->corners, struct line, i);
		const struct line *following =
			&g_array_index(polygon->corners, struct line, (i + 1) % polygon->corners->len);
		double x1 = corner->offset - origin.offset, y1 = corner->drift - origin.drift;
		double x2 = following->offset - origin.offset, y2 = following->drift - origin.drift;
		double twice = x1 * y2 - x2 * y1;

		area += twice;
		sum.offset += twice * (x1 + x2) / 3;
		sum.drift += twice * (y1 + y2) / 3;
	}
	if (!(fabs(area) > 0)) {
		return origin;
	}
	return (struct line){ origin.offset + sum.offset / area, origin.drift + sum.drift / area };
}

/* --- one piece --- */

struct bounds {
	const struct clock_bound *at;
	size_t count;
	const bool *is_left_out;
};

static double line_at(const struct line *line, const struct clock_bound *bound, const struct clock_bound *origin)
{
	return line->offset + line->drift * ((double)(bound->at_ns - origin->at_ns) / (double)NS_PER_S);
}

/* The distance of a line to the nearest bound of a direction; infinite without one. */
static double nearest(const struct bounds *bounds, const struct line *line, bool is_upper)
{
	double least = INFINITY;

	for (size_t i = 0; i < bounds->count; i++) {
		const struct clock_bound *bound = &bounds->at[i];

		if (bound->is_upper == is_upper && !bounds->is_left_out[i]) {
			double distance =
				(double)(bound->offset_ns - bounds->at->offset_ns) - line_at(line, bound, bounds->at);

			least = fmin(least, is_upper ? distance : -distance);
		}
	}
	return least;
}

/* The corner with the least sum of latencies, for bounds of one direction. */
static struct line tightest_corner(const struct bounds *bounds, const struct polygon *polygon, bool is_upper)
{
	const struct clock_bound *last = &bounds->at[bounds->count - 1];
	double middle = (double)(last->at_ns - bounds->at->at_ns) / (double)NS_PER_S / 2;
	const struct line *best = NULL;
	double best_value = 0;

	for (guint i = 0; i < polygon->corners->len; i++) {
		const struct line *corner = &g_array_index(polygon->corners, struct line, i);
		double value = (is_upper ? 1 : -1) * (corner->offset + corner->drift * middle);

		if (fabs(corner->offset) < OFFSET_MAX_NS / 2 && (!best || value > best_value)) {
			best = corner;
			best_value = value;
		}
	}
	return best ? *best : (struct line){ 0 };
}

/* The largest distance of a line of the polygon from a line, at either end of the piece. */
static double farthest(const struct bounds *bounds, const struct polygon *polygon, const struct line *line)
{
	double length = (double)(bounds->at[bounds->count - 1].at_ns - bounds->at->at_ns) / (double)NS_PER_S;
	double most = 0;

	for (guint i = 0; i < polygon->corners->len; i++) {
		const struct line *corner = &g_array_index(polygon->corners, struct line, i);
		double at_begin = corner->offset - line->offset;

		most = fmax(most, fmax(fabs(at_begin), fabs(at_begin + (corner->drift - line->drift) * length)));
	}
	return most;
}

static void set_line(struct clock_piece *piece, const struct bounds *bounds, const struct line *line)
{
	piece->at_ns = bounds->at->at_ns;
	piece->offset_ns = bounds->at->offset_ns + (int64_t)llround(line->offset);
	piece->drift = line->drift / (double)NS_PER_S;
}

static void set_two_ways(struct clock_piece *piece, const struct bounds *bounds, const struct polygon *polygon)
{
	struct line line = polygon_centroid(polygon);
	double above = nearest(bounds, &line, true), below = nearest(bounds, &line, false);

	line.offset += (above - below) / 2;
	set_line(piece, bounds, &line);
	piece->uncertainty_ns = (int64_t)ceil(fmax(above + below, 0) / 2);
	piece->error_ns = (int64_t)ceil(farthest(bounds, polygon, &line));
}

static void set_one_way(struct clock_piece *piece, const struct bounds *bounds, const struct polygon *polygon)
{
	bool is_upper = piece->upper_count > 0;
	struct line line = tightest_corner(bounds, polygon, is_upper);
	double distance = nearest(bounds, &line, is_upper);

	line.offset += is_upper ? distance : -distance;
	set_line(piece, bounds, &line);
	piece->uncertainty_ns = piece->error_ns = CLOCK_UNKNOWN_NS;
}

static struct clock_piece fit(const struct bounds *bounds, struct polygon *polygon)
{
	struct clock_piece piece = { .begin_ns = bounds->at->at_ns, .end_ns = bounds->at[bounds->count - 1].at_ns };

	polygon_fill(polygon);
	for (size_t i = 0; i < bounds->count; i++) {
		if (!bounds->is_left_out[i]) {
			polygon_cut(polygon, &bounds->at[i], bounds->at);
			piece.upper_count += bounds->at[i].is_upper;
			piece.lower_count += !bounds->at[i].is_upper;
		}
	}
	if (piece.upper_count > 0 && piece.lower_count > 0) {
		set_two_ways(&piece, bounds, polygon);
	} else {
		set_one_way(&piece, bounds, polygon);
	}
	return piece;
}

/* --- pieces --- */

struct fitting {
	const struct clock_bound *bounds;
	size_t count;
	bool *is_left_out;
	struct polygon polygon;
	struct polygon trial;
};

/* Whether the next bounds of the same direction contradict every line as well. */
static bool begins_a_piece(struct fitting *fitting, size_t index, size_t origin)
{
	const struct clock_bound *first = &fitting->bounds[index];
	unsigned int in_a_row = 1;

	for (size_t i = index + 1; i < fitting->count && in_a_row < CONTRADICTIONS_IN_A_ROW; i++) {
		if (fitting->bounds[i].is_upper == first->is_upper) {
			const struct cut cut = cut_of(&fitting->bounds[i], &fitting->bounds[origin]);

			cut_into_next(&fitting->polygon, &cut);
			if (fitting->polygon.next->len > 0) {
				return false;
			}
			in_a_row++;
		}
	}
	return in_a_row == CONTRADICTIONS_IN_A_ROW;
}

/* The end of the piece that begins at `begin`: the index of the first bound that no line of it satisfies. */
static size_t find_end(struct fitting *fitting, size_t begin)
{
	polygon_fill(&fitting->polygon);
	for (size_t i = begin; i < fitting->count; i++) {
		if (!polygon_cut(&fitting->polygon, &fitting->bounds[i], &fitting->bounds[begin])) {
			if (begins_a_piece(fitting, i, begin)) {
				return i;
			}
			fitting->is_left_out[i] = true;
		}
	}
	return fitting->count;
}

static struct clock_piece fit_range(struct fitting *fitting, size_t begin, size_t end)
{
	const struct bounds bounds = { fitting->bounds + begin, end - begin, fitting->is_left_out + begin };

	return fit(&bounds, &fitting->trial);
}

static int64_t piece_offset(const struct clock_piece *piece, int64_t reference_ns)
{
	return piece->offset_ns + (int64_t)llround(piece->drift * (double)(reference_ns - piece->at_ns));
}

/* The latency of a bound's message according to a piece; infinite if negative. Large if the piece is the wrong one. */
static double latency_by(const struct clock_piece *piece, const struct clock_bound *bound)
{
	double latency = (double)(bound->offset_ns - piece_offset(piece, bound->at_ns));

	latency = bound->is_upper ? latency : -latency;
	return latency < 0 ? INFINITY : latency;
}

/*
 * A clock that was set contradicts only the next message of one direction. Earlier messages of the other direction
 * would seem to have taken longer by the step. The boundary is put where the sum of latencies is least.
 */
static size_t best_boundary(const struct fitting *fitting, size_t begin, size_t boundary,
			    const struct clock_piece *before, const struct clock_piece *after)
{
	double change = 0, least = 0;
	size_t best = boundary;

	for (size_t i = boundary; i-- > begin + 1;) {
		double by_after = latency_by(after, &fitting->bounds[i]);

		if (isinf(by_after) && !fitting->is_left_out[i]) {
			break;
		}
		change += fitting->is_left_out[i] ? 0 : by_after - latency_by(before, &fitting->bounds[i]);
		if (change < least) {
			least = change;
			best = i;
		}
	}
	return best;
}

/* The boundaries of the pieces: indexes of bounds, from 0 to their count. */
static GArray *find_boundaries(struct fitting *fitting)
{
	GArray *boundaries = g_array_new(FALSE, FALSE, sizeof(size_t));
	size_t begin = 0;

	g_array_append_val(boundaries, begin);
	while (begin < fitting->count) {
		begin = find_end(fitting, begin);
		g_array_append_val(boundaries, begin);
	}
	for (guint i = 1; i + 1 < boundaries->len; i++) {
		size_t *at = &g_array_index(boundaries, size_t, i);
		struct clock_piece before = fit_range(fitting, at[-1], at[0]);
		struct clock_piece after = fit_range(fitting, at[0], at[1]);

		*at = best_boundary(fitting, at[-1], at[0], &before, &after);
	}
	return boundaries;
}

static void add_piece(struct clock_relation *relation, struct clock_piece *piece)
{
	if (relation->pieces->len > 0) {
		const struct clock_piece *before =
			&g_array_index(relation->pieces, struct clock_piece, relation->pieces->len - 1);

		/* in the middle between the two bounds */
		piece->from_ns = before->end_ns + (piece->begin_ns - before->end_ns) / 2;
		piece->from_other_ns = piece->from_ns + piece_offset(piece, piece->from_ns);
		if (piece_offset(piece, piece->from_ns) > piece_offset(before, piece->from_ns)) {
			/* set forwards: the other clock skipped the times of the step */
			piece->from_other_ns -=
				(piece_offset(piece, piece->from_ns) - piece_offset(before, piece->from_ns)) / 2;
		}
	}
	relation->upper_count += piece->upper_count;
	relation->lower_count += piece->lower_count;
	g_array_append_val(relation->pieces, *piece);
}

static int compare_bounds(const void *a, const void *b)
{
	const struct clock_bound *left = a, *right = b;

	if (left->at_ns != right->at_ns) {
		return left->at_ns < right->at_ns ? -1 : 1;
	}
	if (left->offset_ns != right->offset_ns) {
		return left->offset_ns < right->offset_ns ? -1 : 1;
	}
	return (int)left->is_upper - (int)right->is_upper;
}

struct clock_relation *clock_relation_create(struct clock_bound *bounds, size_t count)
{
	struct clock_relation *relation = g_new0(struct clock_relation, 1);
	struct fitting fitting = {
		.bounds = bounds,
		.count = count,
		.is_left_out = g_new0(bool, count),
		.polygon = polygon_create(),
		.trial = polygon_create(),
	};
	g_autoptr(GArray) boundaries = NULL;

	qsort(bounds, count, sizeof(*bounds), compare_bounds);
	relation->pieces = g_array_new(FALSE, TRUE, sizeof(struct clock_piece));
	boundaries = find_boundaries(&fitting);
	for (guint i = 0; i + 1 < boundaries->len; i++) {
		struct clock_piece piece = fit_range(&fitting, g_array_index(boundaries, size_t, i),
						     g_array_index(boundaries, size_t, i + 1));

		add_piece(relation, &piece);
	}
	for (size_t i = 0; i < count; i++) {
		relation->contradiction_count += fitting.is_left_out[i];
	}
	polygon_clear(&fitting.polygon);
	polygon_clear(&fitting.trial);
	g_free(fitting.is_left_out);
	return relation;
}

void clock_relation_destroy(struct clock_relation *relation)
{
	if (relation) {
		g_array_unref(relation->pieces);
		g_free(relation);
	}
}

/* --- questions --- */

int64_t clock_relation_to_reference(const struct clock_relation *relation, int64_t other_ns)
{
	guint index = relation->pieces->len - 1;
	const struct clock_piece *piece;
	int64_t since_ns;

	while (index > 0 && other_ns < clock_relation_piece(relation, index)->from_other_ns) {
		index--;
	}
	piece = clock_relation_piece(relation, index);
	since_ns = other_ns - piece->offset_ns - piece->at_ns;
	/* since / (1 + drift), computed as a small correction to keep whole nanoseconds of long times */
	return piece->at_ns + since_ns - (int64_t)llround((double)since_ns * (piece->drift / (1 + piece->drift)));
}

int64_t clock_relation_offset(const struct clock_relation *relation, int64_t reference_ns)
{
	guint index = relation->pieces->len - 1;

	while (index > 0 && reference_ns < clock_relation_piece(relation, index)->from_ns) {
		index--;
	}
	return piece_offset(clock_relation_piece(relation, index), reference_ns);
}

int64_t clock_relation_uncertainty(const struct clock_relation *relation)
{
	int64_t most_ns = 0;

	for (guint i = 0; i < relation->pieces->len; i++) {
		most_ns = MAX(most_ns, clock_relation_piece(relation, i)->uncertainty_ns);
	}
	return most_ns;
}

int64_t clock_relation_step(const struct clock_relation *relation, guint piece)
{
	int64_t from_ns = clock_relation_piece(relation, piece)->from_ns;

	return piece_offset(clock_relation_piece(relation, piece), from_ns) -
	       piece_offset(clock_relation_piece(relation, piece - 1), from_ns);
}
