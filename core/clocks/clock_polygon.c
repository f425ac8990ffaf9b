/* SPDX-License-Identifier: MIT */
#include "core/clocks/clock_polygon.h"

#include <math.h>

#include "core/clocks/clock_bound.h"
#include "ros2bt/base/time_units.h"

void clock_polygon_init(struct clock_polygon *polygon)
{
	*polygon = (struct clock_polygon){
		.corners = g_array_new(FALSE, FALSE, sizeof(struct clock_line)),
		.next = g_array_new(FALSE, FALSE, sizeof(struct clock_line)),
	};
}

void clock_polygon_clear(struct clock_polygon *polygon)
{
	g_array_unref(polygon->corners);
	g_array_unref(polygon->next);
}

void clock_polygon_reset(struct clock_polygon *polygon, const struct clock_bound *origin, double margin_ns,
			 double reach_ns)
{
	const double drift = CLOCK_DRIFT_MAX * NS_PER_S;
	const struct clock_line corners[] = {
		{ -reach_ns, -drift }, { reach_ns, -drift }, { reach_ns, drift }, { -reach_ns, drift }
	};

	polygon->origin = origin;
	polygon->margin_ns = margin_ns;
	polygon->reach_ns = reach_ns;
	g_array_set_size(polygon->corners, 0);
	g_array_append_vals(polygon->corners, corners, G_N_ELEMENTS(corners));
}

/* Leaves the lines with `sign` * (line(at) - offset) <= 0. */
struct cut {
	double at, offset, sign;
};

static double excess(const struct cut *cut, const struct clock_line *line)
{
	return cut->sign * (line->offset + line->drift * cut->at - cut->offset);
}

static struct clock_line crossing(const struct clock_line *one, double one_excess, const struct clock_line *other,
				  double other_excess)
{
	double share = one_excess / (one_excess - other_excess);

	return (struct clock_line){ one->offset + share * (other->offset - one->offset),
				    one->drift + share * (other->drift - one->drift) };
}

/* Sets polygon->next to the part that the cut leaves (Sutherland and Hodgman's rule for one edge). */
static void cut_into_next(struct clock_polygon *polygon, const struct cut *cut)
{
	g_array_set_size(polygon->next, 0);
	for (guint i = 0; i < polygon->corners->len; i++) {
		const struct clock_line *corner = &g_array_index(polygon->corners, struct clock_line, i);
		const struct clock_line *following =
			&g_array_index(polygon->corners, struct clock_line, (i + 1) % polygon->corners->len);
		double here = excess(cut, corner), there = excess(cut, following);

		if (here <= 0) {
			g_array_append_val(polygon->next, *corner);
		}
		if ((here < 0 && there > 0) || (here > 0 && there < 0)) {
			struct clock_line edge = crossing(corner, here, following, there);

			g_array_append_val(polygon->next, edge);
		}
	}
}

static struct cut cut_of(const struct clock_polygon *polygon, const struct clock_bound *bound)
{
	double half_ns = polygon->margin_ns / 2 - CLOCK_ROUNDING_NS;

	return (struct cut){
		.at = (double)(bound->at_ns - polygon->origin->at_ns) / (double)NS_PER_S,
		.offset = (double)(bound->offset_ns - polygon->origin->offset_ns) +
			  (bound->is_upper ? -half_ns : half_ns),
		.sign = bound->is_upper ? 1 : -1,
	};
}

bool clock_polygon_allows(struct clock_polygon *polygon, const struct clock_bound *bound)
{
	const struct cut cut = cut_of(polygon, bound);

	for (guint i = 0; i < polygon->corners->len; i++) {
		if (excess(&cut, &g_array_index(polygon->corners, struct clock_line, i)) <= 0) {
			return true;
		}
	}
	return false;
}

bool clock_polygon_cut(struct clock_polygon *polygon, const struct clock_bound *bound)
{
	const struct cut cut = cut_of(polygon, bound);
	GArray *corners = polygon->corners;

	cut_into_next(polygon, &cut);
	if (polygon->next->len == 0) {
		return false;
	}
	polygon->corners = polygon->next;
	polygon->next = corners;
	return true;
}

static struct clock_line mean_of_corners(const struct clock_polygon *polygon)
{
	struct clock_line sum = { 0 };

	for (guint i = 0; i < polygon->corners->len; i++) {
		const struct clock_line *corner = &g_array_index(polygon->corners, struct clock_line, i);

		sum.offset += corner->offset / polygon->corners->len;
		sum.drift += corner->drift / polygon->corners->len;
	}
	return sum;
}

struct clock_line clock_polygon_centre(const struct clock_polygon *polygon)
{
	const struct clock_line origin = mean_of_corners(polygon);
	struct clock_line sum = { 0 };
	double area = 0;

	for (guint i = 0; i < polygon->corners->len; i++) {
		const struct clock_line *corner = &g_array_index(polygon->corners, struct clock_line, i);
		const struct clock_line *following =
			&g_array_index(polygon->corners, struct clock_line, (i + 1) % polygon->corners->len);
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
	return (struct clock_line){ origin.offset + sum.offset / area, origin.drift + sum.drift / area };
}

struct clock_line clock_polygon_tightest(const struct clock_polygon *polygon, double at_s, bool is_upper)
{
	const struct clock_line *best = NULL;
	double best_value = 0;

	for (guint i = 0; i < polygon->corners->len; i++) {
		const struct clock_line *corner = &g_array_index(polygon->corners, struct clock_line, i);
		double value = (is_upper ? 1 : -1) * (corner->offset + corner->drift * at_s);

		if (fabs(corner->offset) < polygon->reach_ns && (!best || value > best_value)) {
			best = corner;
			best_value = value;
		}
	}
	return best ? *best : (struct clock_line){ 0 };
}

struct clock_range clock_polygon_range(const struct clock_polygon *polygon, const struct clock_line *line, double at_s)
{
	struct clock_range range = { .low = INFINITY, .high = -INFINITY };

	for (guint i = 0; i < polygon->corners->len; i++) {
		const struct clock_line *corner = &g_array_index(polygon->corners, struct clock_line, i);
		double above = corner->offset - line->offset + (corner->drift - line->drift) * at_s;

		range.low = fmin(range.low, above);
		range.high = fmax(range.high, above);
	}
	return range;
}

double clock_polygon_extent(const struct clock_polygon *polygon, const struct clock_line *line, double at_s)
{
	struct clock_range range = clock_polygon_range(polygon, line, at_s);

	return fmax(fabs(range.low), fabs(range.high));
}
