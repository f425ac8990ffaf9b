/* SPDX-License-Identifier: MIT */
#include "core/base/clock_relation.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/clock_doubt.h"
#include "core/base/clock_one_way.h"
#include "core/base/clock_pieces.h"
#include "core/base/time_units.h"

/* --- the shortest round trip --- */

/* The part of the shortest round trip for which a line must leave room. The rest allows for wandering. */
#define ROUND_TRIP_SHARE 0.75
/* The parts of a recording whose shortest round trips are compared have so many messages of the rarer direction. */
#define MESSAGES_PER_PART 16
#define PARTS_MAX 16
/* Of the shortest round trip: two lines that are nearer to each other meet. */
#define MEETING_SHARE 0.1

/* --- pieces --- */

struct fitting {
	struct clock_bounds bounds;
	size_t count, upper_count;
	GArray *boundaries; /* size_t */
	GArray *fits;	    /* struct clock_fit, between two boundaries */
	double round_ns;    /* the shortest round trip */
};

static size_t boundary(const struct fitting *fitting, guint index)
{
	return g_array_index(fitting->boundaries, size_t, index);
}

static const struct clock_fit *fit_at(const struct fitting *fitting, guint index)
{
	return &g_array_index(fitting->fits, struct clock_fit, index);
}

static void fit_all(struct fitting *fitting)
{
	g_array_set_size(fitting->fits, 0);
	for (guint i = 0; i + 1 < fitting->boundaries->len; i++) {
		struct clock_fit fit =
			clock_fit_range(&fitting->bounds, boundary(fitting, i), boundary(fitting, i + 1));

		g_array_append_val(fitting->fits, fit);
	}
}

static int compare_reals(const void *a, const void *b)
{
	const double *left = a, *right = b;

	return (*left > *right) - (*left < *right);
}

/*
 * The time that the fastest messages there and back take together: the shortest round trip of each of several parts,
 * and of these the lower quartile, because a part within which a clock was set seems to have a shorter one.
 */
static double shortest_round_trip(const struct fitting *fitting, double wander)
{
	const size_t rarer = MIN(fitting->upper_count, fitting->count - fitting->upper_count);
	const size_t part = fitting->count / CLAMP(rarer / MESSAGES_PER_PART, 1, PARTS_MAX) + 1;
	g_autoptr(GArray) found = g_array_new(FALSE, FALSE, sizeof(double));

	for (guint i = 0; i < fitting->fits->len; i++) {
		size_t end = boundary(fitting, i + 1);

		for (size_t begin = boundary(fitting, i); begin < end; begin += part) {
			double round_ns = clock_fit_round_trip(&fitting->bounds, begin, MIN(begin + part, end),
							       fit_at(fitting, i), wander);

			if (isfinite(round_ns)) {
				g_array_append_val(found, round_ns);
			}
		}
	}
	g_array_sort(found, compare_reals);
	return found->len > 0 ? fmax(g_array_index(found, double, found->len / 4), 0) : 0;
}

static void find_pieces(struct fitting *fitting)
{
	static const double wander[] = { 100e-6, 20e-6, 5e-6, 2e-6 };

	if (fitting->upper_count == 0 || fitting->upper_count == fitting->count) {
		fitting->boundaries = clock_one_way_find(&fitting->bounds, fitting->count);
		fit_all(fitting);
		return;
	}
	for (size_t round = 0; round < G_N_ELEMENTS(wander); round++) {
		fitting->boundaries = clock_pieces_find(&fitting->bounds, fitting->count);
		fit_all(fitting);
		fitting->round_ns = shortest_round_trip(fitting, wander[round]);
		if (round + 1 < G_N_ELEMENTS(wander)) {
			fitting->bounds.margin_ns = fitting->round_ns * ROUND_TRIP_SHARE;
			g_array_unref(fitting->boundaries);
		}
	}
}

/* --- the result --- */

#define DURATION_MAX_NS 1e18

static int64_t whole_ns(double duration_ns)
{
	return (int64_t)ceil(fmin(duration_ns, DURATION_MAX_NS));
}

static int64_t piece_offset(const struct clock_piece *piece, int64_t reference_ns)
{
	return piece->offset_ns + (int64_t)llround(piece->drift * (double)(reference_ns - piece->at_ns));
}

static int64_t to_reference(const struct clock_piece *piece, int64_t other_ns)
{
	int64_t since_ns = other_ns - piece->offset_ns - piece->at_ns;

	/* since / (1 + drift), computed as a small correction to keep whole nanoseconds of long times */
	return piece->at_ns + since_ns - (int64_t)llround((double)since_ns * (piece->drift / (1 + piece->drift)));
}

static int64_t other_time(const struct clock_bound *bound)
{
	return bound->at_ns + bound->offset_ns;
}

/* Where two lines cross between the bounds on either side; the middle if they do not. */
static int64_t meeting_point(const struct clock_piece *before, const struct clock_piece *piece)
{
	int64_t low_ns = before->end_ns, high_ns = piece->begin_ns;
	double at_low = (double)(piece_offset(piece, low_ns) - piece_offset(before, low_ns));
	double at_high = (double)(piece_offset(piece, high_ns) - piece_offset(before, high_ns));
	double share = (at_low > 0) != (at_high > 0) ? at_low / (at_low - at_high) : 0.5;

	return low_ns + (int64_t)llround(share * (double)(high_ns - low_ns));
}

/* The bounds of two pieces that a time of the other clock assigns to the wrong one. */
static size_t count_wrong(const struct fitting *fitting, guint index, int64_t from_other_ns)
{
	size_t wrong = 0;

	for (size_t i = boundary(fitting, index - 1); i < boundary(fitting, index + 1); i++) {
		bool is_before = i < boundary(fitting, index);

		wrong += !fitting->bounds.is_left_out[i] &&
			 (other_time(&fitting->bounds.at[i]) < from_other_ns) != is_before;
	}
	return wrong;
}

/* The time of the other clock from which on a piece holds: one that tells the messages before from those after. */
static int64_t find_from_other(const struct fitting *fitting, guint index, const struct clock_piece *before,
			       const struct clock_piece *piece)
{
	int64_t last_ns = INT64_MIN, first_ns = INT64_MAX, middle_ns;
	int64_t candidates[3];
	size_t best = 0, least = SIZE_MAX;

	for (size_t i = boundary(fitting, index - 1); i < boundary(fitting, index); i++) {
		last_ns = fitting->bounds.is_left_out[i] ? last_ns : MAX(last_ns, other_time(&fitting->bounds.at[i]));
	}
	for (size_t i = boundary(fitting, index); i < boundary(fitting, index + 1); i++) {
		first_ns =
			fitting->bounds.is_left_out[i] ? first_ns : MIN(first_ns, other_time(&fitting->bounds.at[i]));
	}
	middle_ns = piece->from_ns + piece_offset(piece, piece->from_ns) / 2 + piece_offset(before, piece->from_ns) / 2;
	if (last_ns < first_ns) {
		return CLAMP(middle_ns, last_ns + 1, first_ns);
	}
	candidates[0] = middle_ns;
	candidates[1] = first_ns;
	candidates[2] = last_ns + 1;
	for (size_t i = 0; i < G_N_ELEMENTS(candidates); i++) {
		size_t wrong = count_wrong(fitting, index, candidates[i]);

		if (wrong < least) {
			least = wrong;
			best = i;
		}
	}
	return candidates[best];
}

/* Whether two bounds on either side of where a piece begins prove that a clock was set there. */
static bool is_step_proven(const struct fitting *fitting, guint index)
{
	const struct clock_bound *origin = &fitting->bounds.at[boundary(fitting, index)];
	double least_upper = INFINITY, most_lower = -INFINITY; /* of those before, at the begin of the piece */

	for (size_t i = boundary(fitting, index - 1); i < boundary(fitting, index + 1); i++) {
		const struct clock_bound *bound = &fitting->bounds.at[i];
		double reach_ns = CLOCK_DRIFT_MAX * fabs((double)(bound->at_ns - origin->at_ns)) + CLOCK_ROUNDING_NS;
		double offset_ns = (double)(bound->offset_ns - origin->offset_ns);

		if (fitting->bounds.is_left_out[i]) {
			continue;
		}
		if (i < boundary(fitting, index)) {
			least_upper = bound->is_upper ? fmin(least_upper, offset_ns + reach_ns) : least_upper;
			most_lower = bound->is_upper ? most_lower : fmax(most_lower, offset_ns - reach_ns);
		} else if (bound->is_upper ? offset_ns + reach_ns < most_lower : offset_ns - reach_ns > least_upper) {
			return true;
		}
	}
	return false;
}

static struct clock_piece piece_of(const struct fitting *fitting, guint index)
{
	const struct clock_fit *fit = fit_at(fitting, index);
	struct clock_piece piece = {
		.begin_ns = fit->origin->at_ns,
		.end_ns = fitting->bounds.at[boundary(fitting, index + 1) - 1].at_ns,
		.at_ns = fit->origin->at_ns,
		.offset_ns = fit->origin->offset_ns + (int64_t)llround(fit->line.offset),
		.drift = fit->line.drift / (double)NS_PER_S,
		.upper_count = fit->upper_count,
		.lower_count = fit->lower_count,
		.uncertainty_ns = CLOCK_UNKNOWN_NS,
		.error_ns = CLOCK_UNKNOWN_NS,
	};

	if (clock_fit_is_two_ways(fit)) {
		piece.error_ns = whole_ns(fit->extent_ns);
		piece.uncertainty_ns =
			whole_ns(clock_doubt_piece(&fitting->bounds, boundary(fitting, index),
						   boundary(fitting, index + 1), fit, fitting->round_ns)) +
			1;
	}
	return piece;
}

static struct clock_piece *piece_at(const struct clock_relation *relation, guint index)
{
	return &g_array_index(relation->pieces, struct clock_piece, index);
}

static double doubt(const struct fitting *fitting, guint index, guint own, guint other)
{
	return clock_doubt_boundary(&fitting->bounds, boundary(fitting, index - 1), boundary(fitting, index),
				    boundary(fitting, index + 1), fit_at(fitting, own), fit_at(fitting, other));
}

static void add_doubts(struct clock_piece *before, struct clock_piece *piece, const struct fitting *fitting,
		       guint index)
{
	int64_t jump_ns = llabs(piece_offset(piece, piece->from_ns) - piece_offset(before, piece->from_ns));

	if (before->uncertainty_ns != CLOCK_UNKNOWN_NS && piece->uncertainty_ns != CLOCK_UNKNOWN_NS &&
	    (double)jump_ns > fitting->round_ns * MEETING_SHARE) {
		before->uncertainty_ns =
			add_saturated(before->uncertainty_ns, whole_ns(doubt(fitting, index, index - 1, index)));
		piece->uncertainty_ns =
			add_saturated(piece->uncertainty_ns, whole_ns(doubt(fitting, index, index, index - 1)));
	}
}

static void add_piece(struct clock_relation *relation, const struct fitting *fitting, guint index)
{
	struct clock_piece piece = piece_of(fitting, index);

	if (index > 0) {
		struct clock_piece *before = piece_at(relation, index - 1);

		piece.from_ns = meeting_point(before, &piece);
		piece.from_other_ns = find_from_other(fitting, index, before, &piece);
		piece.was_set = is_step_proven(fitting, index);
		add_doubts(before, &piece, fitting, index);
	}
	relation->upper_count += piece.upper_count;
	relation->lower_count += piece.lower_count;
	g_array_append_val(relation->pieces, piece);
}

static guint piece_by_other(const struct clock_relation *relation, int64_t other_ns)
{
	guint low = 0, high = relation->pieces->len;

	while (high - low > 1) {
		guint middle = low + (high - low) / 2;

		*(other_ns < piece_at(relation, middle)->from_other_ns ? &high : &low) = middle;
	}
	return low;
}

/* By a neighbour, where messages of one direction alone would not tell: a clock does not run away between. */
static void bound_by(struct clock_piece *piece, const struct clock_piece *neighbour)
{
	int64_t begin_ns = MIN(piece->begin_ns, neighbour->end_ns), end_ns = MAX(piece->end_ns, neighbour->begin_ns);
	int64_t apart_ns = MAX(llabs(piece_offset(piece, begin_ns) - piece_offset(neighbour, begin_ns)),
			       llabs(piece_offset(piece, end_ns) - piece_offset(neighbour, end_ns)));
	double run_ns = 2 * CLOCK_DRIFT_MAX * (double)(end_ns - begin_ns);

	piece->uncertainty_ns = MIN(piece->uncertainty_ns,
				    add_saturated(neighbour->error_ns, add_saturated(apart_ns, whole_ns(run_ns))));
}

static void bound_one_way(struct clock_relation *relation)
{
	for (guint i = 0; i < relation->pieces->len; i++) {
		struct clock_piece *piece = piece_at(relation, i);

		if (piece->error_ns == CLOCK_UNKNOWN_NS && i > 0 && !piece->was_set &&
		    piece_at(relation, i - 1)->error_ns != CLOCK_UNKNOWN_NS) {
			bound_by(piece, piece_at(relation, i - 1));
		}
		if (piece->error_ns == CLOCK_UNKNOWN_NS && i + 1 < relation->pieces->len &&
		    !piece_at(relation, i + 1)->was_set && piece_at(relation, i + 1)->error_ns != CLOCK_UNKNOWN_NS) {
			bound_by(piece, piece_at(relation, i + 1));
		}
	}
}

/* Where a clock was set back it shows the same times twice: those of the wrong piece are off by the step. */
static void note_ambiguous(struct clock_relation *relation, const struct fitting *fitting)
{
	for (guint index = 0; index < relation->pieces->len; index++) {
		struct clock_piece *piece = piece_at(relation, index);
		int64_t most_ns = 0;

		for (size_t i = boundary(fitting, index); i < boundary(fitting, index + 1); i++) {
			int64_t other_ns = other_time(&fitting->bounds.at[i]);
			guint found = piece_by_other(relation, other_ns);

			if (found != index && !fitting->bounds.is_left_out[i]) {
				most_ns = MAX(most_ns, llabs(to_reference(piece_at(relation, found), other_ns) -
							     to_reference(piece, other_ns)));
			}
		}
		piece->uncertainty_ns = add_saturated(piece->uncertainty_ns, most_ns);
	}
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

struct clock_relation *clock_relation_create(struct clock_bound *bounds, size_t count)
{
	struct clock_relation *relation = g_new0(struct clock_relation, 1);
	struct fitting fitting = {
		.bounds = { .at = bounds, .is_left_out = g_new0(bool, count) },
		.count = count,
		.fits = g_array_new(FALSE, FALSE, sizeof(struct clock_fit)),
	};

	qsort(bounds, count, sizeof(*bounds), compare_bounds);
	fitting.bounds.reach_ns = find_reach(bounds, count);
	for (size_t i = 0; i < count; i++) {
		fitting.upper_count += bounds[i].is_upper;
	}
	find_pieces(&fitting);
	relation->pieces = g_array_new(FALSE, TRUE, sizeof(struct clock_piece));
	for (guint i = 0; i < fitting.fits->len; i++) {
		add_piece(relation, &fitting, i);
	}
	for (guint i = relation->pieces->len - 1; i > 1; i--) {
		piece_at(relation, i - 1)->from_other_ns =
			MIN(piece_at(relation, i - 1)->from_other_ns, piece_at(relation, i)->from_other_ns);
	}
	bound_one_way(relation);
	note_ambiguous(relation, &fitting);
	for (size_t i = 0; i < count; i++) {
		relation->contradiction_count += fitting.bounds.is_left_out[i];
	}
	g_array_unref(fitting.boundaries);
	g_array_unref(fitting.fits);
	g_free(fitting.bounds.is_left_out);
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
	return to_reference(piece_at(relation, piece_by_other(relation, other_ns)), other_ns);
}

int64_t clock_relation_offset(const struct clock_relation *relation, int64_t reference_ns)
{
	guint low = 0, high = relation->pieces->len;

	while (high - low > 1) {
		guint middle = low + (high - low) / 2;

		*(reference_ns < piece_at(relation, middle)->from_ns ? &high : &low) = middle;
	}
	return piece_offset(piece_at(relation, low), reference_ns);
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

guint clock_relation_times_set(const struct clock_relation *relation)
{
	guint count = 0;

	for (guint i = 1; i < relation->pieces->len; i++) {
		count += clock_relation_piece(relation, i)->was_set;
	}
	return count;
}
