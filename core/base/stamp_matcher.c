/* SPDX-License-Identifier: MIT */
#include "core/base/stamp_matcher.h"

#include <glib.h>
#include <stdlib.h>

#include "core/base/object_pool.h"

#define LONG_NS (2 * NS_PER_MS)	     /* longer intervals are kept in a list of their own */
#define LONGS_MAX 64		     /* of a topic */
#define NEAR_NS INT64_C(250000)	     /* usual from the write event to the stamp: 0.1 to 53 us */
#define CLOCK_ERROR_NS INT64_C(1000) /* two traces of a host sample the offset of their clock separately */
#define DRIFT_DIVISOR 10000	     /* 100 ppm */
#define UNKNOWN_OFFSET_NS NS_PER_MS  /* before the vote: how far a rival may be away */
#define NEAR_ZERO_NS NS_PER_MS	     /* an offset that a few stamps are enough for */
#define CLEARLY 10		     /* times nearer to zero than a rival */
#define APART_NS INT64_C(200000)     /* offsets nearer to each other are not told apart */
#define VOTERS_MAX 64
#define CHOICES_MAX 32 /* publications that a voter considers */
#define BURST_MAX 32
#define UNRESOLVED_MAX 1024
#define TIME_MAX (INT64_MAX / 4) /* a hostile stamp may be anything */

/* Offset of system time from the trace's clock. */
struct clock {
	bool is_known;
	int64_t lowest_ns, highest_ns;
	int64_t at_ns;	    /* when they held */
	int64_t retried_ns; /* the width when all that waits was last looked at */
};

struct stamp_interval {
	int64_t from_ns, until_ns; /* INT64_MAX: still open */
	int64_t stamp;
	uint64_t owner;
	struct stamp_topic *topic;
	struct stamp_interval *older, *newer; /* of the topic */
	uint32_t host, thread;
	bool is_stamped, is_loose, is_long;
};

struct stamp_topic {
	struct stamp_interval *newest;
	GPtrArray *longs; /* struct stamp_interval *, that are open or longer than LONG_NS */
	GArray *hosts;	  /* uint32_t, of the intervals */
	guint unresolved;
};

struct unresolved {
	struct stamp_topic *topic;
	int64_t stamp, since_ns;
	bool is_resolved;
};

struct stamp_matcher {
	struct object_pool intervals;
	GPtrArray *topics;  /* struct stamp_topic *, owned */
	GPtrArray *writing; /* struct stamp_interval * that is open, by thread */
	GArray *clocks;	    /* struct clock, by host */
	GArray *waiting;    /* struct unresolved, in time */
	guint first;	    /* of waiting, those before are over */
	guint settled;	    /* of waiting, those before have been looked at after MATCHER_SETTLE_NS */
	GArray *matches;    /* struct stamp_match */
	guint next_match;
	int64_t now_ns;
	bool is_finished;
	int64_t voted_ns;	       /* by few */
	uint64_t unexplained, vote_at; /* stamps that no publication explains, and when they vote */
};

#define CANDIDATES_MAX 8 /* more are counted only */

/* What may have a stamp. */
struct candidates {
	struct stamp_interval *all[CANDIDATES_MAX];
	guint count;
	struct stamp_interval *near; /* one right at its write event */
	guint near_count;
	bool is_taken;	       /* another take has had the stamp */
	bool is_open;	       /* a later publication may have it */
	bool is_unsure;	       /* the offset of one is not known */
	bool has_unknown_host; /* of the topic, even if nothing of it is a candidate */
};

/* --- life --- */

struct stamp_matcher *stamp_matcher_create(void)
{
	struct stamp_matcher *matcher = g_new0(struct stamp_matcher, 1);

	object_pool_init(&matcher->intervals, sizeof(struct stamp_interval));
	matcher->topics = g_ptr_array_new();
	matcher->writing = g_ptr_array_new();
	matcher->clocks = g_array_new(FALSE, TRUE, sizeof(struct clock));
	matcher->waiting = g_array_new(FALSE, FALSE, sizeof(struct unresolved));
	matcher->matches = g_array_new(FALSE, FALSE, sizeof(struct stamp_match));
	matcher->vote_at = MATCHER_VOTERS;
	return matcher;
}

void stamp_matcher_destroy(struct stamp_matcher *matcher)
{
	if (!matcher) {
		return;
	}
	for (guint i = 0; i < matcher->topics->len; i++) {
		struct stamp_topic *topic = g_ptr_array_index(matcher->topics, i);

		g_ptr_array_free(topic->longs, TRUE);
		g_array_free(topic->hosts, TRUE);
		g_free(topic);
	}
	g_ptr_array_free(matcher->topics, TRUE);
	g_ptr_array_free(matcher->writing, TRUE);
	g_array_free(matcher->clocks, TRUE);
	g_array_free(matcher->waiting, TRUE);
	g_array_free(matcher->matches, TRUE);
	object_pool_clear(&matcher->intervals);
	g_free(matcher);
}

struct stamp_topic *stamp_matcher_add_topic(struct stamp_matcher *matcher)
{
	struct stamp_topic *topic = g_new0(struct stamp_topic, 1);

	topic->longs = g_ptr_array_new();
	topic->hosts = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	g_ptr_array_add(matcher->topics, topic);
	return topic;
}

/* --- clocks --- */

static struct clock *clock_of(struct stamp_matcher *matcher, uint32_t host)
{
	if (matcher->clocks->len <= host) {
		g_array_set_size(matcher->clocks, host + 1);
	}
	return &g_array_index(matcher->clocks, struct clock, host);
}

static int64_t clock_slack(const struct stamp_matcher *matcher, const struct clock *clock)
{
	return CLOCK_ERROR_NS + MAX(matcher->now_ns - clock->at_ns, 0) / DRIFT_DIVISOR;
}

static int64_t lowest_offset(const struct stamp_matcher *matcher, const struct clock *clock)
{
	return clock->is_known ? clock->lowest_ns - clock_slack(matcher, clock) : -UNKNOWN_OFFSET_NS;
}

static int64_t highest_offset(const struct stamp_matcher *matcher, const struct clock *clock)
{
	return clock->is_known ? clock->highest_ns + clock_slack(matcher, clock) : UNKNOWN_OFFSET_NS;
}

static void clock_set(struct stamp_matcher *matcher, struct clock *clock, int64_t lowest_ns, int64_t highest_ns)
{
	*clock = (struct clock){
		.is_known = true,
		.lowest_ns = MIN(lowest_ns, highest_ns),
		.highest_ns = highest_ns,
		.at_ns = matcher->now_ns,
		.retried_ns = INT64_MAX,
	};
}

/* The stamp is that of the interval, and not later than `until_ns`. */
static void clock_learn(struct stamp_matcher *matcher, const struct stamp_interval *interval, int64_t until_ns,
			int64_t stamp)
{
	struct clock *clock = clock_of(matcher, interval->host);
	int64_t drift_ns = MAX(matcher->now_ns - clock->at_ns, 0) / DRIFT_DIVISOR;
	int64_t lowest_ns = clock->lowest_ns - drift_ns;
	int64_t highest_ns = MIN(clock->highest_ns + drift_ns, stamp - interval->from_ns);

	if (until_ns != INT64_MAX) {
		lowest_ns = MAX(lowest_ns, stamp - until_ns);
	}
	if (lowest_ns > highest_ns) {
		/* apart by the error of the clocks at most */
		lowest_ns = highest_ns = lowest_ns + (highest_ns - lowest_ns) / 2;
	}
	clock->lowest_ns = lowest_ns;
	clock->highest_ns = highest_ns;
	clock->at_ns = MAX(clock->at_ns, matcher->now_ns);
}

/* --- publications --- */

static void add_host(struct stamp_topic *topic, uint32_t host)
{
	for (guint i = 0; i < topic->hosts->len; i++) {
		if (g_array_index(topic->hosts, uint32_t, i) == host) {
			return;
		}
	}
	g_array_append_val(topic->hosts, host);
}

static void remove_long(struct stamp_interval *interval)
{
	GPtrArray *longs = interval->topic->longs;

	/* The newest ones go first. */
	for (guint i = interval->is_long ? longs->len : 0; i-- > 0;) {
		if (g_ptr_array_index(longs, i) == interval) {
			g_ptr_array_remove_index(longs, i);
			break;
		}
	}
	interval->is_long = false;
}

static void add_long(struct stamp_interval *interval)
{
	GPtrArray *longs = interval->topic->longs;

	if (longs->len == LONGS_MAX) {
		struct stamp_interval *leaving = g_ptr_array_index(longs, 0);

		for (guint i = 0; i < longs->len; i++) {
			struct stamp_interval *other = g_ptr_array_index(longs, i);

			if (other->is_stamped) {
				leaving = other;
				break;
			}
		}
		remove_long(leaving);
	}
	interval->is_long = true;
	g_ptr_array_add(longs, interval);
}

static struct stamp_interval *writing_of(const struct stamp_matcher *matcher, uint32_t thread)
{
	return thread < matcher->writing->len ? g_ptr_array_index(matcher->writing, thread) : NULL;
}

/* By the beginning, almost always at the end. */
static void insert(struct stamp_topic *topic, struct stamp_interval *interval)
{
	struct stamp_interval *newer = NULL, *older = topic->newest;

	while (older && older->from_ns > interval->from_ns) {
		newer = older;
		older = older->older;
	}
	interval->older = older;
	interval->newer = newer;
	if (older) {
		older->newer = interval;
	}
	if (newer) {
		newer->older = interval;
	} else {
		topic->newest = interval;
	}
}

struct stamp_interval *stamp_matcher_publish(struct stamp_matcher *matcher, struct stamp_topic *topic,
					     const struct stamp_publication *publication)
{
	struct stamp_interval *interval = object_pool_take(&matcher->intervals);

	*interval = (struct stamp_interval){
		.from_ns = publication->from_ns,
		.until_ns = INT64_MAX,
		.owner = publication->owner,
		.topic = topic,
		.host = publication->host,
		.thread = publication->thread,
		.is_loose = publication->is_loose,
	};
	insert(topic, interval);
	(void)clock_of(matcher, publication->host);
	add_host(topic, publication->host);
	add_long(interval);
	stamp_matcher_end_write(matcher, publication->thread, publication->from_ns);
	if (matcher->writing->len <= publication->thread) {
		g_ptr_array_set_size(matcher->writing, (gint)publication->thread + 1);
	}
	g_ptr_array_index(matcher->writing, publication->thread) = interval;
	return interval;
}

void stamp_matcher_end_write(struct stamp_matcher *matcher, uint32_t thread, int64_t time_ns)
{
	struct stamp_interval *interval = writing_of(matcher, thread);

	if (!interval) {
		return;
	}
	g_ptr_array_index(matcher->writing, thread) = NULL;
	interval->until_ns = time_ns;
	if (time_ns - interval->from_ns <= LONG_NS) {
		remove_long(interval);
	}
}

void stamp_matcher_loosen_write(struct stamp_matcher *matcher, uint32_t thread)
{
	struct stamp_interval *interval = writing_of(matcher, thread);

	if (interval) {
		interval->is_loose = true;
	}
}

void stamp_interval_set(struct stamp_interval *interval, int64_t stamp)
{
	interval->is_stamped = true;
	interval->stamp = stamp;
}

void stamp_matcher_forget(struct stamp_matcher *matcher, struct stamp_interval *interval)
{
	if (writing_of(matcher, interval->thread) == interval) {
		g_ptr_array_index(matcher->writing, interval->thread) = NULL;
	}
	remove_long(interval);
	if (interval->newer) {
		interval->newer->older = interval->older;
	} else {
		interval->topic->newest = interval->older;
	}
	if (interval->older) {
		interval->older->newer = interval->newer;
	}
	object_pool_give(&matcher->intervals, interval);
}

/* --- candidates --- */

static int64_t end_of(const struct stamp_interval *interval)
{
	int64_t limit_ns = interval->is_loose ? interval->from_ns + MATCHER_LOOSE_NS : INT64_MAX;

	return MIN(interval->until_ns, limit_ns);
}

static void consider(const struct stamp_matcher *matcher, const struct clock *clock, struct stamp_interval *interval,
		     int64_t stamp, struct candidates *candidates)
{
	int64_t distance_ns = stamp - interval->from_ns;
	int64_t until_ns = end_of(interval);

	if (interval->is_stamped) {
		candidates->is_taken |= interval->stamp == stamp;
		return;
	}
	if (distance_ns < lowest_offset(matcher, clock) ||
	    (until_ns != INT64_MAX && stamp - until_ns > highest_offset(matcher, clock))) {
		return;
	}
	if (candidates->count < CANDIDATES_MAX) {
		candidates->all[candidates->count] = interval;
	}
	candidates->count++;
	candidates->is_unsure |= !clock->is_known;
	if (clock->is_known && llabs(distance_ns - clock->highest_ns) <= NEAR_NS) {
		candidates->near_count++;
		candidates->near = interval;
	}
}

static void find_of_host(struct stamp_matcher *matcher, struct stamp_topic *topic, uint32_t host, int64_t stamp,
			 struct candidates *candidates)
{
	const struct clock *clock = clock_of(matcher, host);
	int64_t newest_ns = stamp - lowest_offset(matcher, clock);
	int64_t oldest_ns = stamp - highest_offset(matcher, clock) - LONG_NS;

	candidates->has_unknown_host |= !clock->is_known;
	candidates->is_open |= newest_ns >= matcher->now_ns && !matcher->is_finished;
	for (struct stamp_interval *i = topic->newest; i && i->from_ns >= oldest_ns; i = i->older) {
		if (i->host == host && i->from_ns <= newest_ns) {
			consider(matcher, clock, i, stamp, candidates);
		}
	}
	for (guint i = 0; i < topic->longs->len; i++) {
		struct stamp_interval *interval = g_ptr_array_index(topic->longs, i);

		if (interval->host == host && interval->from_ns < oldest_ns) {
			consider(matcher, clock, interval, stamp, candidates);
		}
	}
}

static struct candidates find(struct stamp_matcher *matcher, struct stamp_topic *topic, int64_t stamp)
{
	struct candidates candidates = { 0 };

	for (guint i = 0; i < topic->hosts->len; i++) {
		find_of_host(matcher, topic, g_array_index(topic->hosts, uint32_t, i), stamp, &candidates);
	}
	return candidates;
}

static bool overlap(const struct stamp_interval *a, const struct stamp_interval *b)
{
	return a->from_ns < end_of(b) && b->from_ns < end_of(a);
}

/* Whether one candidate is near, and no other one that is not loose overlaps it. */
static bool is_one_preferred(const struct candidates *candidates)
{
	if (candidates->near_count != 1 || candidates->count > CANDIDATES_MAX) {
		return false;
	}
	for (guint i = 0; i < candidates->count; i++) {
		const struct stamp_interval *rival = candidates->all[i];

		if (rival != candidates->near && !rival->is_loose && overlap(rival, candidates->near)) {
			return false;
		}
	}
	return true;
}

/* --- matches --- */

static void assign(struct stamp_matcher *matcher, struct stamp_interval *interval, int64_t until_ns, int64_t stamp)
{
	struct stamp_match match = { interval->owner, stamp };

	clock_learn(matcher, interval, until_ns, stamp);
	stamp_interval_set(interval, stamp);
	g_array_append_val(matcher->matches, match);
}

static struct unresolved *waiting_at(const struct stamp_matcher *matcher, guint index)
{
	return &g_array_index(matcher->waiting, struct unresolved, index);
}

/* --- bursts --- */

/* Stamps of a topic whose candidates do not overlap, and the offsets at which any of them changes its interval. */
struct burst {
	int64_t stamps[BURST_MAX];
	guint count;
	GPtrArray *intervals; /* struct stamp_interval *, the candidates of all */
	GArray *offsets;      /* int64_t */
};

/* The interval that holds the moment; NULL if none does or several do. */
static const struct stamp_interval *interval_with(const struct burst *burst, int64_t time_ns)
{
	const struct stamp_interval *found = NULL;

	for (guint i = 0; i < burst->intervals->len; i++) {
		const struct stamp_interval *interval = g_ptr_array_index(burst->intervals, i);

		if (time_ns >= interval->from_ns && time_ns <= end_of(interval)) {
			if (found) {
				return NULL;
			}
			found = interval;
		}
	}
	return found;
}

/* Whether it is only the uncertain offset that makes more than one fit. */
static bool are_disjoint(const struct candidates *candidates)
{
	if (candidates->count > CANDIDATES_MAX) {
		return false;
	}
	for (guint i = 1; i < candidates->count; i++) {
		for (guint j = 0; j < i; j++) {
			if (overlap(candidates->all[i], candidates->all[j])) {
				return false;
			}
		}
	}
	return candidates->count > 0;
}

static void add_interval(struct burst *burst, struct stamp_interval *interval)
{
	if (!g_ptr_array_find(burst->intervals, interval, NULL)) {
		g_ptr_array_add(burst->intervals, interval);
	}
}

static void add_to_burst(struct burst *burst, const struct clock *clock, const struct candidates *candidates,
			 int64_t stamp)
{
	burst->stamps[burst->count++] = stamp;
	for (guint i = 0; i < candidates->count; i++) {
		add_interval(burst, candidates->all[i]);
	}
	for (guint i = 0; i < candidates->count; i++) {
		int64_t ends[] = { stamp - candidates->all[i]->from_ns, stamp - end_of(candidates->all[i]) };

		for (guint j = 0; j < G_N_ELEMENTS(ends); j++) {
			int64_t offset_ns = CLAMP(ends[j], clock->lowest_ns, clock->highest_ns);

			g_array_append_val(burst->offsets, offset_ns);
		}
	}
}

static void gather_burst(struct stamp_matcher *matcher, struct stamp_topic *topic, struct burst *burst,
			 const struct clock *clock)
{
	for (guint i = matcher->first; i < matcher->waiting->len && burst->count < BURST_MAX; i++) {
		const struct unresolved *waiting = waiting_at(matcher, i);
		struct candidates candidates;

		if (waiting->is_resolved || waiting->topic != topic) {
			continue;
		}
		candidates = find(matcher, topic, waiting->stamp);
		if (are_disjoint(&candidates)) {
			add_to_burst(burst, clock, &candidates, waiting->stamp);
		}
	}
}

/* How many stamps have a publication of their own if this is the offset. */
static guint count_explained(const struct burst *burst, int64_t offset_ns)
{
	const struct stamp_interval *used[BURST_MAX];
	guint count = 0;

	for (guint i = 0; i < burst->count; i++) {
		const struct stamp_interval *interval = interval_with(burst, burst->stamps[i] - offset_ns);
		bool is_used = !interval || interval->is_stamped;

		for (guint j = 0; j < count && !is_used; j++) {
			is_used = used[j] == interval;
		}
		if (!is_used) {
			used[count++] = interval;
		}
	}
	return count;
}

/*
 * Publications in quick succession: each offset within the bounds explains the waiting stamps by other
 * publications. The publication that all offsets which explain most of them give to the stamp; NULL if they differ.
 */
static struct stamp_interval *find_in_burst(struct stamp_matcher *matcher, struct stamp_topic *topic,
					    const struct stamp_interval *candidate, int64_t stamp)
{
	const struct clock *clock = clock_of(matcher, candidate->host);
	g_autoptr(GArray) offsets = g_array_new(FALSE, FALSE, sizeof(int64_t));
	g_autoptr(GPtrArray) intervals = g_ptr_array_new();
	struct burst burst = { .intervals = intervals, .offsets = offsets };
	const struct stamp_interval *found = NULL;
	guint best = 0;

	gather_burst(matcher, topic, &burst, clock);
	for (guint i = 0; i < offsets->len; i++) {
		int64_t offset_ns = g_array_index(offsets, int64_t, i);
		const struct stamp_interval *interval = interval_with(&burst, stamp - offset_ns);
		guint explained = count_explained(&burst, offset_ns);

		if (explained > best) {
			best = explained;
			found = interval;
		} else if (explained == best && interval != found) {
			found = NULL;
		}
	}
	return best == burst.count ? (struct stamp_interval *)found : NULL;
}

/* --- decisions --- */

/* Of several candidates, NULL if none is clear. */
static struct stamp_interval *find_preferred(struct stamp_matcher *matcher, struct stamp_topic *topic,
					     const struct candidates *candidates, int64_t stamp)
{
	if (is_one_preferred(candidates)) {
		return candidates->near;
	}
	return are_disjoint(candidates) ? find_in_burst(matcher, topic, candidates->all[0], stamp) : NULL;
}

/* True if nothing is left to be known about the stamp. */
static bool resolve(struct stamp_matcher *matcher, struct stamp_topic *topic, int64_t stamp, bool has_settled)
{
	struct candidates candidates = find(matcher, topic, stamp);
	struct stamp_interval *preferred;

	if (candidates.is_taken) {
		return true;
	}
	if (candidates.count == 0 || candidates.is_unsure || candidates.is_open) {
		return false;
	}
	if (candidates.count == 1) {
		assign(matcher, candidates.all[0], end_of(candidates.all[0]), stamp);
		return true;
	}
	preferred = has_settled ? find_preferred(matcher, topic, &candidates, stamp) : NULL;
	if (preferred) {
		assign(matcher, preferred, MIN(end_of(preferred), preferred->from_ns + 2 * NEAR_NS), stamp);
	}
	return preferred != NULL;
}

static bool retry(struct stamp_matcher *matcher, struct unresolved *waiting, bool has_settled)
{
	if (waiting->is_resolved || !resolve(matcher, waiting->topic, waiting->stamp, has_settled)) {
		return false;
	}
	waiting->is_resolved = true;
	waiting->topic->unresolved--;
	return true;
}

/* What waits of the topic (NULL: of all), until nothing more can be resolved. */
static void retry_all(struct stamp_matcher *matcher, const struct stamp_topic *topic)
{
	for (bool has_changed = true; has_changed;) {
		has_changed = false;
		for (guint i = matcher->first; i < matcher->waiting->len; i++) {
			struct unresolved *waiting = waiting_at(matcher, i);

			if (!topic || waiting->topic == topic) {
				has_changed |= retry(matcher, waiting, false);
			}
		}
	}
}

/* The offset is known much better than when all that waits was last looked at. */
static bool is_worth_retry(struct stamp_matcher *matcher)
{
	bool is_better = false;

	for (guint i = 0; i < matcher->clocks->len; i++) {
		struct clock *clock = clock_of(matcher, i);
		int64_t width_ns = clock->highest_ns - clock->lowest_ns;

		if (clock->is_known && width_ns < clock->retried_ns / 2) {
			clock->retried_ns = width_ns;
			is_better = true;
		}
	}
	return is_better;
}

static void spread(struct stamp_matcher *matcher, const struct stamp_topic *topic)
{
	if (topic->unresolved > 0) {
		retry_all(matcher, topic);
	}
	while (matcher->first < matcher->waiting->len && is_worth_retry(matcher)) {
		retry_all(matcher, NULL);
	}
}

/* --- the vote --- */

/* From here, or until here, an offset puts a stamp right behind a publication. */
struct edge {
	int64_t offset_ns;
	int step;
};

struct elected {
	int64_t lowest_ns, highest_ns;
	guint votes;
};

static int compare_edges(const void *a, const void *b)
{
	const struct edge *left = a, *right = b;

	if (left->offset_ns != right->offset_ns) {
		return left->offset_ns < right->offset_ns ? -1 : 1;
	}
	/* Ranges include their ends. */
	return right->step - left->step;
}

/* The offsets that explain the stamp: disjoint ranges. False if there are none. */
static bool add_voter(GArray *edges, const struct stamp_topic *topic, uint32_t host, int64_t stamp)
{
	guint first = edges->len;
	guint choices = 0;

	/* Earlier publications give higher offsets. */
	for (const struct stamp_interval *i = topic->newest; i && choices < CHOICES_MAX; i = i->older) {
		struct edge begin = { stamp - MIN(end_of(i), i->from_ns + NEAR_NS), 1 };
		struct edge end = { stamp - i->from_ns, -1 };

		if (i->host != host || i->is_stamped) {
			continue;
		}
		choices++;
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
	return choices > 0;
}

static int64_t away(const struct elected *range, int64_t expected_ns)
{
	return MAX(MAX(range->lowest_ns - expected_ns, expected_ns - range->highest_ns), 0);
}

/* One more region of offsets: it is the best so far, or a rival. */
static void compare_region(struct elected *best, const struct elected *region, int64_t expected_ns, int64_t *nearest_ns)
{
	const struct elected *rival = region;

	if (region->votes > best->votes ||
	    (region->votes == best->votes && away(region, expected_ns) < away(best, expected_ns))) {
		rival = best;
	}
	if (rival->votes > 0) {
		*nearest_ns = MIN(*nearest_ns, away(rival, expected_ns));
	}
	if (rival == best) {
		*best = *region;
	}
}

/*
 * The region of offsets that most stamps vote for. It reaches over all offsets with at least `least` votes that are
 * less than APART_NS from one another; nearest_ns: how far the nearest other region is from what is expected.
 */
static struct elected count_votes(const GArray *edges, guint least, int64_t expected_ns, int64_t *nearest_ns)
{
	struct elected best = { 0 }, region = { 0 };
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
			/* the next edge closes at least this one */
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

/* Stamps that nothing explains vote for the offset of the host. `is_last`: a few are enough if it is near zero. */
static bool vote_for(struct stamp_matcher *matcher, uint32_t host, bool is_last)
{
	struct clock *clock = clock_of(matcher, host);
	g_autoptr(GArray) edges = g_array_new(FALSE, FALSE, sizeof(struct edge));
	int64_t expected_ns = clock->is_known ? clock->highest_ns : 0;
	int64_t rival_ns;
	struct elected elected;
	guint voters = 0;

	for (guint i = matcher->waiting->len; i-- > matcher->first && voters < VOTERS_MAX;) {
		const struct unresolved *waiting = waiting_at(matcher, i);

		if (waiting->is_resolved ||
		    (clock->is_known && find(matcher, waiting->topic, waiting->stamp).count > 0)) {
			continue;
		}
		voters += add_voter(edges, waiting->topic, host, waiting->stamp);
	}
	qsort(edges->data, edges->len, sizeof(struct edge), compare_edges);
	elected = count_votes(edges, (most_votes(edges) + 1) / 2, expected_ns, &rival_ns);
	if (elected.votes == 0 || elected.votes < (voters + 1) / 2 ||
	    away(&elected, expected_ns) > rival_ns / CLEARLY) {
		return false;
	}
	if (elected.votes < MATCHER_VOTERS &&
	    (!is_last || clock->is_known || 3 * elected.votes < 2 * voters || away(&elected, 0) > NEAR_ZERO_NS)) {
		return false;
	}
	/* Wider first: the exact bounds come from the matches. */
	clock_set(matcher, clock, elected.lowest_ns - NEAR_NS, elected.highest_ns + NEAR_NS);
	retry_all(matcher, NULL);
	if (clock->lowest_ns == elected.lowest_ns - NEAR_NS && clock->highest_ns == elected.highest_ns + NEAR_NS) {
		clock_set(matcher, clock, elected.lowest_ns, elected.highest_ns);
		retry_all(matcher, NULL);
	}
	return true;
}

static void vote(struct stamp_matcher *matcher, bool is_last)
{
	bool is_elected = false;

	for (guint host = 0; host < matcher->clocks->len; host++) {
		if (!is_last || !clock_of(matcher, host)->is_known) {
			is_elected |= vote_for(matcher, host, is_last);
		}
	}
	if (is_elected) {
		matcher->unexplained = 0;
		matcher->vote_at = MATCHER_VOTERS;
	} else if (!is_last) {
		matcher->vote_at = MIN(matcher->vote_at * 2, (uint64_t)UNRESOLVED_MAX);
		matcher->unexplained = 0;
	}
}

static void count_unexplained(struct stamp_matcher *matcher)
{
	matcher->unexplained++;
	if (matcher->unexplained >= matcher->vote_at) {
		vote(matcher, false);
	}
}

/* --- takes --- */

static bool is_waiting(const struct stamp_matcher *matcher, const struct stamp_topic *topic, int64_t stamp)
{
	for (guint i = matcher->first; topic->unresolved > 0 && i < matcher->waiting->len; i++) {
		const struct unresolved *waiting = waiting_at(matcher, i);

		if (waiting->topic == topic && waiting->stamp == stamp && !waiting->is_resolved) {
			return true;
		}
	}
	return false;
}

static void drop_first(struct stamp_matcher *matcher)
{
	struct unresolved *waiting = waiting_at(matcher, matcher->first);

	waiting->topic->unresolved -= !waiting->is_resolved;
	matcher->first++;
	matcher->settled = MAX(matcher->settled, matcher->first);
	if (matcher->first >= 64 && matcher->first >= matcher->waiting->len / 2) {
		g_array_remove_range(matcher->waiting, 0, matcher->first);
		matcher->settled -= matcher->first;
		matcher->first = 0;
	}
}

void stamp_matcher_take(struct stamp_matcher *matcher, struct stamp_topic *topic, int64_t stamp, int64_t now_ns)
{
	struct unresolved waiting = { .topic = topic, .stamp = stamp, .since_ns = now_ns };

	matcher->now_ns = now_ns;
	if (stamp < 0 || stamp > TIME_MAX || is_waiting(matcher, topic, stamp)) {
		return;
	}
	if (resolve(matcher, topic, stamp, false)) {
		spread(matcher, topic);
		return;
	}
	if (matcher->waiting->len - matcher->first >= UNRESOLVED_MAX) {
		drop_first(matcher);
	}
	topic->unresolved++;
	g_array_append_val(matcher->waiting, waiting);
	if (find(matcher, topic, stamp).has_unknown_host) {
		count_unexplained(matcher);
	}
}

int64_t stamp_matcher_due_ns(const struct stamp_matcher *matcher)
{
	if (matcher->settled < matcher->waiting->len) {
		return waiting_at(matcher, matcher->settled)->since_ns + MATCHER_SETTLE_NS;
	}
	return matcher->first < matcher->waiting->len ? waiting_at(matcher, matcher->first)->since_ns + MATCHER_WAIT_NS
						      : INT64_MAX;
}

static void settle_next(struct stamp_matcher *matcher)
{
	struct unresolved *waiting = waiting_at(matcher, matcher->settled++);
	struct stamp_topic *topic = waiting->topic;
	struct candidates candidates;

	if (waiting->is_resolved) {
		return;
	}
	candidates = find(matcher, topic, waiting->stamp);
	if (candidates.has_unknown_host && matcher->now_ns - matcher->voted_ns >= MATCHER_SETTLE_NS) {
		matcher->voted_ns = matcher->now_ns;
		vote(matcher, true);
	}
	if (retry(matcher, waiting, true)) {
		spread(matcher, topic);
	} else if (!candidates.has_unknown_host && candidates.count == 0 && topic->newest) {
		/* Its publication is not recorded, or the clock was set. */
		count_unexplained(matcher);
	}
}

void stamp_matcher_advance(struct stamp_matcher *matcher, int64_t now_ns)
{
	matcher->now_ns = now_ns;
	while (matcher->settled < matcher->waiting->len &&
	       waiting_at(matcher, matcher->settled)->since_ns + MATCHER_SETTLE_NS <= now_ns) {
		settle_next(matcher);
	}
	while (matcher->first < matcher->waiting->len &&
	       waiting_at(matcher, matcher->first)->since_ns + MATCHER_WAIT_NS <= now_ns) {
		drop_first(matcher);
	}
}

void stamp_matcher_finish(struct stamp_matcher *matcher)
{
	matcher->is_finished = true;
	vote(matcher, true);
	retry_all(matcher, NULL);
	while (matcher->settled < matcher->waiting->len) {
		settle_next(matcher);
	}
	while (matcher->first < matcher->waiting->len) {
		drop_first(matcher);
	}
}

bool stamp_matcher_next(struct stamp_matcher *matcher, struct stamp_match *match)
{
	if (matcher->next_match == matcher->matches->len) {
		g_array_set_size(matcher->matches, 0);
		matcher->next_match = 0;
		return false;
	}
	*match = g_array_index(matcher->matches, struct stamp_match, matcher->next_match++);
	return true;
}

bool stamp_matcher_is_ambiguous(struct stamp_matcher *matcher, struct stamp_topic *topic, int64_t stamp)
{
	return stamp >= 0 && stamp <= TIME_MAX && find(matcher, topic, stamp).count > 1;
}
