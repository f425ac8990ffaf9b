/* SPDX-License-Identifier: MIT */
#include "core/stamps/stamp_vote.h"

#include <stdlib.h>

#define APART_NS INT64_C(200000) /* nearer offsets belong to one region; below INTERVAL_NEAR_NS */
#define CHOICES_MAX 32		 /* publications that a voter considers; a limit of cost */

/* Where the offsets begin (step 1) or end (-1) that put a stamp right behind a publication. */
struct edge {
	int64_t offset_ns;
	int step;
};

/* The highest offset at which a publication has a stamp: right behind the beginning of its write. */
struct end {
	int64_t offset_ns;
	guint voter;
};

void stamp_vote_init(struct stamp_vote *vote)
{
	*vote = (struct stamp_vote){
		.edges = g_array_new(FALSE, FALSE, sizeof(struct edge)),
		.ends = g_array_new(FALSE, FALSE, sizeof(struct end)),
	};
}

void stamp_vote_clear(struct stamp_vote *vote)
{
	g_array_free(vote->edges, TRUE);
	g_array_free(vote->ends, TRUE);
}

static int compare_edges(const void *a, const void *b)
{
	const struct edge *left = a, *right = b;

	if (left->offset_ns != right->offset_ns) {
		return left->offset_ns < right->offset_ns ? -1 : 1;
	}
	/* Ranges include their ends. */
	return right->step - left->step;
}

/* Adds the offsets that explain the stamp, as disjoint ranges. */
void stamp_vote_add(struct stamp_vote *vote, const struct stamp_topic *topic, uint32_t host,
		    const struct stamp_take *take)
{
	int64_t stamp = take->stamp;
	GArray *edges = vote->edges;
	guint first = edges->len;
	guint choices = 0;

	/* From low to high offsets: earlier publications give higher ones. */
	for (const struct stamp_interval *i = topic->newest; i && choices < CHOICES_MAX; i = i->older) {
		struct edge begin = { stamp - MIN(stamp_interval_end(i), i->from_ns + INTERVAL_NEAR_NS), 1 };
		struct edge end = { stamp - i->from_ns, -1 };

		if (i->host != host || i->is_stamped || (host == take->host && i->from_ns > take->taken_ns)) {
			continue;
		}
		choices++;
		g_array_append_val(vote->ends, ((struct end){ end.offset_ns, vote->voters }));
		if (edges->len > first &&
		    begin.offset_ns <= g_array_index(edges, struct edge, edges->len - 1).offset_ns) {
			struct edge *last = &g_array_index(edges, struct edge, edges->len - 2);

			last[0].offset_ns = MIN(last[0].offset_ns, begin.offset_ns);
			last[1].offset_ns = MAX(last[1].offset_ns, end.offset_ns);
		} else {
			g_array_append_val(edges, begin);
			g_array_append_val(edges, end);
		}
	}
	vote->voters += choices > 0;
}

int64_t stamp_vote_away(const struct stamp_elected *region, int64_t expected_ns)
{
	return MAX(MAX(region->lowest_ns - expected_ns, expected_ns - region->highest_ns), 0);
}

/* The region is the best so far, or a rival of the best. */
static void compare_region(struct stamp_elected *best, const struct stamp_elected *region, int64_t expected_ns,
			   int64_t *nearest_ns)
{
	const struct stamp_elected *rival = region;

	if (region->votes > best->votes ||
	    (region->votes == best->votes &&
	     stamp_vote_away(region, expected_ns) < stamp_vote_away(best, expected_ns))) {
		rival = best;
	}
	if (rival->votes > 0) {
		*nearest_ns = MIN(*nearest_ns, stamp_vote_away(rival, expected_ns));
	}
	if (rival == best) {
		*best = *region;
	}
}

/*
 * The region with the most votes. A region covers all offsets with at least `least` votes that are less than APART_NS
 * from one another. Sets *nearest_ns to the distance of the nearest rival from the expected offset.
 */
static struct stamp_elected count_votes(const GArray *edges, guint least, int64_t expected_ns, int64_t *nearest_ns)
{
	struct stamp_elected best = { 0 }, region = { 0 };
	int open = 0;

	*nearest_ns = INT64_MAX;
	for (guint i = 0; i < edges->len; i++) {
		const struct edge *edge = &g_array_index(edges, struct edge, i);

		open += edge->step;
		if (edge->step > 0 && open >= (int)least) {
			if (region.votes > 0 && edge->offset_ns - region.highest_ns >= APART_NS) {
				compare_region(&best, &region, expected_ns, nearest_ns);
				region.votes = 0;
			}
			if (region.votes == 0) {
				region.lowest_ns = edge->offset_ns;
			}
			region.votes = MAX(region.votes, (guint)open);
			/* At least this range ends behind the next edge. */
			region.highest_ns = g_array_index(edges, struct edge, i + 1).offset_ns;
		} else if (edge->step < 0 && open + 1 >= (int)least) {
			region.highest_ns = edge->offset_ns;
		}
	}
	if (region.votes > 0) {
		compare_region(&best, &region, expected_ns, nearest_ns);
	}
	return best;
}

static guint most_votes(const GArray *edges)
{
	int open = 0, most = 0;

	for (guint i = 0; i < edges->len; i++) {
		open += g_array_index(edges, struct edge, i).step;
		most = MAX(most, open);
	}
	return (guint)most;
}

static bool is_clear(const struct stamp_elected *elected, guint voters, int64_t expected_ns, int64_t rival_ns)
{
	return elected->votes > 0 && elected->votes >= (voters + 1) / 2 &&
	       stamp_vote_away(elected, expected_ns) <= rival_ns / VOTE_CLEARLY;
}

/* Offsets further apart give some stamp other publications. */
static bool is_narrow(const struct stamp_elected *elected)
{
	return elected->highest_ns - elected->lowest_ns <= 2 * INTERVAL_NEAR_NS;
}

static int compare_ends(const void *a, const void *b)
{
	const struct end *left = a, *right = b;

	return (left->offset_ns > right->offset_ns) - (left->offset_ns < right->offset_ns);
}

/* Stamps, each counted once, that a publication may have been given at once, at offsets no further apart than this. */
struct meeting {
	guint first; /* of the ends, which are sorted */
	guint ends_of[VOTERS_MAX];
	guint stamps;
};

/* The next end comes to those within `width_ns` before it. */
static void meet(struct meeting *meeting, const GArray *ends, const struct end *next, int64_t width_ns)
{
	meeting->stamps += meeting->ends_of[next->voter]++ == 0;
	while (g_array_index(ends, struct end, meeting->first).offset_ns < next->offset_ns - width_ns) {
		guint voter = g_array_index(ends, struct end, meeting->first++).voter;

		meeting->stamps -= --meeting->ends_of[voter] == 0;
	}
}

/* The most stamps that meet within `width_ns`, the last of them from lowest_ns to highest_ns. */
static guint most_that_meet(const GArray *ends, int64_t lowest_ns, int64_t highest_ns, int64_t width_ns)
{
	struct meeting meeting = { 0 };
	guint most = 0;

	for (guint i = 0; i < ends->len; i++) {
		const struct end *end = &g_array_index(ends, struct end, i);

		if (end->offset_ns > highest_ns) {
			break;
		}
		meet(&meeting, ends, end, width_ns);
		most = end->offset_ns >= lowest_ns ? MAX(most, meeting.stamps) : most;
	}
	return most;
}

/*
 * Most stamps are those of writes that were not preempted, so the offsets by which they are meet near the highest. If
 * half as many meet at a lower one, either may be right: publications follow each other more closely than the region is
 * wide, and those of some stamps are not recorded.
 */
static guint count_close(const GArray *ends, const struct stamp_elected *elected)
{
	guint close =
		most_that_meet(ends, elected->highest_ns, elected->highest_ns + CLOCK_CLOSE_NS, 2 * CLOCK_CLOSE_NS);
	guint rival =
		most_that_meet(ends, elected->lowest_ns, elected->highest_ns - CLOCK_CLOSE_NS - 1, CLOCK_CLOSE_NS);

	return 2 * close >= elected->votes && close > 2 * rival ? close : 0;
}

static bool elect(const struct stamp_vote *vote, const int64_t *expected_ns, struct stamp_elected *elected)
{
	int64_t near_ns = expected_ns ? *expected_ns : 0;
	guint most = most_votes(vote->edges);
	int64_t rival_ns;

	*elected = count_votes(vote->edges, (most + 1) / 2, near_ns, &rival_ns);
	if (!is_narrow(elected)) {
		*elected = count_votes(vote->edges, most - most / 4, near_ns, &rival_ns);
	}
	if (is_narrow(elected) && is_clear(elected, vote->voters, near_ns, rival_ns)) {
		return true;
	}
	if (!expected_ns || elected->votes < vote->voters) {
		return false;
	}
	*elected = count_votes(vote->edges, vote->voters, near_ns, &rival_ns);
	return rival_ns == INT64_MAX;
}

bool stamp_vote_elect(struct stamp_vote *vote, const int64_t *expected_ns, struct stamp_elected *elected)
{
	g_array_sort(vote->edges, compare_edges);
	if (!elect(vote, expected_ns, elected)) {
		return false;
	}
	g_array_sort(vote->ends, compare_ends);
	elected->close = count_close(vote->ends, elected);
	return true;
}
