/* SPDX-License-Identifier: MIT */
#include "core/clocks/clock_relation.h"

#include <math.h>
#include <stdlib.h>

#include "core/clocks/clock_doubt.h"
#include "core/clocks/clock_lines.h"
#include "ros2bt/base/time_units.h"

/* --- the result --- */

#define DURATION_MAX_NS 1e18
/* A clock that is set ends a piece, and begins one or two. */
#define PIECES_OF_STEP 2

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
static size_t count_wrong(const struct clock_lines *lines, guint index, int64_t from_other_ns)
{
	size_t wrong = 0;

	for (size_t i = clock_lines_part(lines, index - 1)->begin; i < clock_lines_part(lines, index)->end; i++) {
		bool is_before = i < clock_lines_part(lines, index)->begin;

		wrong += !lines->bounds.is_left_out[i] &&
			 (other_time(&lines->bounds.at[i]) < from_other_ns) != is_before;
	}
	return wrong;
}

/* The time of the other clock from which on a piece holds: one that tells the messages before from those after. */
static int64_t find_from_other(const struct clock_lines *lines, guint index, const struct clock_piece *before,
			       const struct clock_piece *piece)
{
	int64_t last_ns = INT64_MIN, first_ns = INT64_MAX, middle_ns;
	int64_t candidates[3];
	size_t best = 0, least = SIZE_MAX;

	for (size_t i = clock_lines_part(lines, index - 1)->begin; i < clock_lines_part(lines, index)->end; i++) {
		int64_t other_ns = other_time(&lines->bounds.at[i]);

		if (!lines->bounds.is_left_out[i] && i < clock_lines_part(lines, index)->begin) {
			last_ns = MAX(last_ns, other_ns);
		} else if (!lines->bounds.is_left_out[i]) {
			first_ns = MIN(first_ns, other_ns);
		}
	}
	middle_ns = piece->from_ns + piece_offset(piece, piece->from_ns) / 2 + piece_offset(before, piece->from_ns) / 2;
	if (last_ns < first_ns) {
		return CLAMP(middle_ns, last_ns + 1, first_ns);
	}
	candidates[0] = middle_ns;
	candidates[1] = first_ns;
	candidates[2] = last_ns + 1;
	for (size_t i = 0; i < G_N_ELEMENTS(candidates); i++) {
		size_t wrong = count_wrong(lines, index, candidates[i]);

		if (wrong < least) {
			least = wrong;
			best = i;
		}
	}
	return candidates[best];
}

static struct clock_piece piece_of(const struct clock_lines *lines, const struct clock_part *part)
{
	const guint line = part->line, next = part->is_between ? line + 1 : line;
	const struct clock_fit *fit = clock_lines_fit(lines, line), *next_fit = clock_lines_fit(lines, next);
	const struct clock_bound *first = &lines->bounds.at[part->begin];
	int64_t offset_ns = clock_lines_offset(lines, line, first);
	double doubt_ns = fmax(clock_lines_doubt(lines, line), clock_lines_doubt(lines, next)) + part->apart_ns / 2;
	struct clock_piece piece = {
		.begin_ns = first->at_ns,
		.end_ns = lines->bounds.at[part->end - 1].at_ns,
		.at_ns = first->at_ns,
		.offset_ns = offset_ns + (clock_lines_offset(lines, next, first) - offset_ns) / 2,
		.drift = (fit->line.drift + next_fit->line.drift) / 2 / (double)NS_PER_S,
		.uncertainty_ns = CLOCK_UNKNOWN_NS,
		.error_ns = CLOCK_UNKNOWN_NS,
	};

	if (!part->is_between) {
		doubt_ns = fmax(doubt_ns, clock_lines_slew(lines, line));
	}
	if (isfinite(doubt_ns)) {
		piece.error_ns = whole_ns(fmax(fit->extent_ns, next_fit->extent_ns) + part->apart_ns / 2);
		piece.uncertainty_ns = whole_ns(doubt_ns) + 1;
	}
	for (size_t i = part->begin; i < part->end; i++) {
		if (!lines->bounds.is_left_out[i]) {
			piece.upper_count += lines->bounds.at[i].is_upper;
			piece.lower_count += !lines->bounds.at[i].is_upper;
		}
	}
	return piece;
}

static struct clock_piece *piece_at(const struct clock_relation *relation, guint index)
{
	return &g_array_index(relation->pieces, struct clock_piece, index);
}

/* The line that begins with a part, or in it. */
static guint new_line(const struct clock_part *part)
{
	return part->is_between ? part->line + 1 : part->line;
}

static void add_piece(struct clock_relation *relation, const struct clock_lines *lines, guint index)
{
	const struct clock_part *part = clock_lines_part(lines, index);
	struct clock_piece piece = piece_of(lines, part);

	if (index > 0) {
		struct clock_piece *before = piece_at(relation, index - 1);

		piece.from_ns = meeting_point(before, &piece);
		piece.from_other_ns = find_from_other(lines, index, before, &piece);
		if (new_line(part) != new_line(&part[-1])) {
			piece.was_set = clock_lines_is_set(lines, new_line(part));
			piece.step_ns = clock_lines_step(lines, new_line(part));
		}
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

/* What a message took by a piece; negative if that is impossible. */
static double took(const struct clock_piece *piece, const struct clock_bound *bound)
{
	double above_ns = (double)(bound->offset_ns - piece_offset(piece, bound->at_ns));

	return bound->is_upper ? above_ns : -above_ns;
}

/*
 * The piece that a message of a part is of: the part's, but a message that was under way when a clock was set, and
 * therefore contradicts it, is of the piece before or after.
 */
static guint piece_of_message(const struct clock_relation *relation, const struct clock_lines *lines, guint part,
			      size_t index)
{
	const struct clock_bound *bound = &lines->bounds.at[index];

	if (lines->bounds.is_left_out[index] && took(piece_at(relation, part), bound) < 0) {
		for (guint away = 1; away <= PIECES_OF_STEP; away++) {
			if (away <= part && took(piece_at(relation, part - away), bound) >= 0) {
				return part - away;
			}
			if (part + away < relation->pieces->len && took(piece_at(relation, part + away), bound) >= 0) {
				return part + away;
			}
		}
	}
	return part;
}

/*
 * Whether a message of a part may be of the next one (or of the one before), because it was under way when a clock was
 * set, going by either: it looks slower or faster by the step, or is, by no more than messages scatter.
 */
static bool may_be_of(const struct clock_relation *relation, const struct clock_lines *lines, guint part, guint other,
		      const struct clock_bound *bound)
{
	const struct clock_piece *own = piece_at(relation, part), *next = piece_at(relation, other);
	const struct clock_piece *later = piece_at(relation, MAX(part, other));
	const struct clock_fit *fit = clock_lines_fit(lines, clock_lines_part(lines, part)->line);
	int64_t one_ns = to_reference(own, other_time(bound)), other_ns = to_reference(next, other_time(bound));
	double slower_ns = took(next, bound) - took(own, bound);

	return later->was_set && took(next, bound) >= 0 &&
	       slower_ns <= CLOCK_DOUBT_PLAUSIBLE_SCATTERS * fit->scatter_ns[bound->is_upper] &&
	       (other > part ? MAX(one_ns, other_ns) >= later->from_ns : MIN(one_ns, other_ns) < later->from_ns);
}

static int64_t apart(const struct clock_relation *relation, guint one, guint other, int64_t other_ns)
{
	return llabs(to_reference(piece_at(relation, one), other_ns) -
		     to_reference(piece_at(relation, other), other_ns));
}

/* By how much a message of a part may be off because its piece is taken for another one. */
static int64_t mistaken_by(const struct clock_relation *relation, const struct clock_lines *lines, guint part,
			   size_t index)
{
	const struct clock_bound *bound = &lines->bounds.at[index];
	int64_t other_ns = other_time(bound);
	guint found = piece_by_other(relation, other_ns);
	int64_t most_ns = apart(relation, found, piece_of_message(relation, lines, part, index), other_ns);

	if (part > 0 && may_be_of(relation, lines, part, part - 1, bound)) {
		most_ns = MAX(most_ns, apart(relation, found, part - 1, other_ns));
	}
	if (part + 1 < relation->pieces->len && may_be_of(relation, lines, part, part + 1, bound)) {
		most_ns = MAX(most_ns, apart(relation, found, part + 1, other_ns));
	}
	return most_ns;
}

/*
 * Where a clock was set back it shows the same times twice, and a message that was under way when it was set on looks
 * slow: those of the wrong piece are off by the step.
 */
static void note_ambiguous(struct clock_relation *relation, const struct clock_lines *lines)
{
	for (guint part = 0; part < relation->pieces->len; part++) {
		int64_t most_ns = 0;

		for (size_t i = clock_lines_part(lines, part)->begin; i < clock_lines_part(lines, part)->end; i++) {
			most_ns = MAX(most_ns, mistaken_by(relation, lines, part, i));
		}
		piece_at(relation, part)->uncertainty_ns =
			add_saturated(piece_at(relation, part)->uncertainty_ns, most_ns);
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

struct clock_relation *clock_relation_create(struct clock_bound *bounds, size_t count)
{
	struct clock_relation *relation = g_new0(struct clock_relation, 1);
	struct clock_lines lines;

	qsort(bounds, count, sizeof(*bounds), compare_bounds);
	clock_lines_init(&lines, bounds, count);
	relation->pieces = g_array_new(FALSE, TRUE, sizeof(struct clock_piece));
	for (guint i = 0; i < lines.parts->len; i++) {
		add_piece(relation, &lines, i);
	}
	for (guint i = relation->pieces->len - 1; i > 1; i--) {
		piece_at(relation, i - 1)->from_other_ns =
			MIN(piece_at(relation, i - 1)->from_other_ns, piece_at(relation, i)->from_other_ns);
	}
	note_ambiguous(relation, &lines);
	for (size_t i = 0; i < count; i++) {
		relation->contradiction_count += lines.bounds.is_left_out[i];
	}
	clock_lines_clear(&lines);
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
	return clock_relation_piece(relation, piece)->step_ns;
}

guint clock_relation_times_set(const struct clock_relation *relation)
{
	guint count = 0;

	for (guint i = 1; i < relation->pieces->len; i++) {
		count += clock_relation_piece(relation, i)->was_set;
	}
	return count;
}
