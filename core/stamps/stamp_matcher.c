/* SPDX-License-Identifier: MIT */
#include "core/stamps/stamp_matcher.h"

#include <glib.h>

#include "core/stamps/stamp_burst.h"
#include "core/stamps/stamp_candidates.h"
#include "core/stamps/stamp_clock.h"
#include "core/stamps/stamp_interval.h"
#include "core/stamps/stamp_vote.h"

#define NEAR_ZERO_NS NS_PER_MS	 /* how far from zero a few stamps may elect an offset */
#define UNRESOLVED_MAX 1024	 /* stamps that wait; then the oldest is given up */
#define TIME_MAX (INT64_MAX / 4) /* larger stamps are ignored: their differences would overflow */

struct unresolved {
	struct stamp_topic *topic;
	int64_t stamp, since_ns;
	bool is_resolved;
};

struct stamp_matcher {
	struct stamp_intervals intervals;
	struct stamp_clocks clocks;
	GArray *waiting; /* struct unresolved, in order of time */
	guint first;	 /* of waiting; those before are given up */
	guint settled;	 /* of waiting; those before were looked at after MATCHER_SETTLE_NS */
	GArray *matches; /* struct stamp_match */
	guint next_match;
	bool is_finished;
	int64_t voted_ns;	       /* the last vote that a few stamps could decide */
	uint64_t unexplained, vote_at; /* stamps without any candidate, and how many of them start a vote */
};

/* --- life --- */

struct stamp_matcher *stamp_matcher_create(void)
{
	struct stamp_matcher *matcher = g_new0(struct stamp_matcher, 1);

	stamp_intervals_init(&matcher->intervals);
	matcher->clocks.by_host = g_array_new(FALSE, TRUE, sizeof(struct stamp_clock));
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
	stamp_intervals_clear(&matcher->intervals);
	g_array_free(matcher->clocks.by_host, TRUE);
	g_array_free(matcher->waiting, TRUE);
	g_array_free(matcher->matches, TRUE);
	g_free(matcher);
}

/* --- publications --- */

struct stamp_topic *stamp_matcher_add_topic(struct stamp_matcher *matcher)
{
	return stamp_intervals_add_topic(&matcher->intervals);
}

struct stamp_interval *stamp_matcher_publish(struct stamp_matcher *matcher, struct stamp_topic *topic,
					     const struct stamp_publication *publication)
{
	(void)stamp_clock_of(&matcher->clocks, publication->host);
	return stamp_intervals_open(&matcher->intervals, &(struct stamp_interval){
								 .from_ns = publication->from_ns,
								 .owner = publication->owner,
								 .topic = topic,
								 .host = publication->host,
								 .thread = publication->thread,
								 .is_loose = publication->is_loose,
							 });
}

void stamp_matcher_end_write(struct stamp_matcher *matcher, uint32_t thread, int64_t time_ns)
{
	stamp_intervals_close(&matcher->intervals, thread, time_ns);
}

void stamp_matcher_loosen_write(struct stamp_matcher *matcher, uint32_t thread)
{
	struct stamp_interval *interval = stamp_intervals_open_of(&matcher->intervals, thread);

	if (interval) {
		interval->is_loose = true;
	}
}

void stamp_matcher_set_stamp(struct stamp_interval *interval, int64_t stamp)
{
	interval->is_stamped = true;
	interval->stamp = stamp;
}

void stamp_matcher_forget(struct stamp_matcher *matcher, struct stamp_interval *interval)
{
	stamp_intervals_forget(&matcher->intervals, interval);
}

/* --- matches --- */

static void assign(struct stamp_matcher *matcher, struct stamp_interval *interval, int64_t until_ns, int64_t stamp)
{
	struct stamp_match match = { interval->owner, stamp };

	stamp_clock_learn(stamp_clock_of(&matcher->clocks, interval->host), interval->from_ns, until_ns, stamp,
			  matcher->clocks.now_ns);
	stamp_matcher_set_stamp(interval, stamp);
	g_array_append_val(matcher->matches, match);
}

static struct unresolved *waiting_at(const struct stamp_matcher *matcher, guint index)
{
	return &g_array_index(matcher->waiting, struct unresolved, index);
}

/* --- decisions --- */

static void gather_burst(struct stamp_matcher *matcher, struct stamp_topic *topic, struct stamp_burst *burst,
			 const struct stamp_clock *clock)
{
	for (guint i = matcher->first; i < matcher->waiting->len && burst->count < BURST_MAX; i++) {
		const struct unresolved *waiting = waiting_at(matcher, i);
		struct stamp_candidates candidates;

		if (waiting->is_resolved || waiting->topic != topic) {
			continue;
		}
		candidates = stamp_candidates_find(&matcher->clocks, topic, waiting->stamp);
		if (stamp_candidates_are_disjoint(&candidates)) {
			stamp_burst_add(burst, clock, &candidates, waiting->stamp);
		}
	}
}

static struct stamp_interval *find_in_burst(struct stamp_matcher *matcher, struct stamp_topic *topic,
					    const struct stamp_interval *candidate, int64_t stamp)
{
	struct stamp_interval *found;
	struct stamp_burst burst;

	stamp_burst_init(&burst);
	gather_burst(matcher, topic, &burst, stamp_clock_of(&matcher->clocks, candidate->host));
	found = stamp_burst_find(&burst, stamp);
	stamp_burst_clear(&burst);
	return found;
}

/* The one of several candidates that is clear; NULL: none. */
static struct stamp_interval *find_preferred(struct stamp_matcher *matcher, struct stamp_topic *topic,
					     const struct stamp_candidates *candidates, int64_t stamp)
{
	if (stamp_candidates_prefer_near(candidates)) {
		return candidates->near;
	}
	return stamp_candidates_are_disjoint(candidates) ? find_in_burst(matcher, topic, candidates->all[0], stamp)
							 : NULL;
}

/* True if the stamp is decided. */
static bool resolve(struct stamp_matcher *matcher, struct stamp_topic *topic, int64_t stamp, bool has_settled)
{
	struct stamp_candidates candidates = stamp_candidates_find(&matcher->clocks, topic, stamp);
	struct stamp_interval *preferred;

	if (candidates.is_taken) {
		return true;
	}
	if (candidates.count == 0 || candidates.is_unsure || (candidates.is_open && !matcher->is_finished)) {
		return false;
	}
	if (candidates.count == 1) {
		assign(matcher, candidates.all[0], stamp_interval_end(candidates.all[0]), stamp);
		return true;
	}
	preferred = has_settled ? find_preferred(matcher, topic, &candidates, stamp) : NULL;
	if (preferred) {
		assign(matcher, preferred,
		       MIN(stamp_interval_end(preferred), preferred->from_ns + 2 * INTERVAL_NEAR_NS), stamp);
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

/* Retries what waits of the topic (NULL: of all) until nothing more can be resolved. */
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

/* Whether an offset is known much better than when all waiting stamps were last retried. */
static bool is_worth_retry(struct stamp_matcher *matcher)
{
	bool is_better = false;

	for (guint i = 0; i < matcher->clocks.by_host->len; i++) {
		struct stamp_clock *clock = stamp_clock_of(&matcher->clocks, i);
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

/* Stamps without candidates vote for the offset of the host. `is_last`: a few suffice if it is near zero. */
static bool vote_for(struct stamp_matcher *matcher, uint32_t host, bool is_last)
{
	struct stamp_clock *clock = stamp_clock_of(&matcher->clocks, host);
	int64_t expected_ns = clock->is_known ? clock->highest_ns : 0;
	struct stamp_elected elected;
	struct stamp_vote ballots;
	bool is_clear;

	stamp_vote_init(&ballots);
	for (guint i = matcher->waiting->len; i-- > matcher->first && ballots.voters < VOTERS_MAX;) {
		const struct unresolved *waiting = waiting_at(matcher, i);

		if (waiting->is_resolved ||
		    (clock->is_known &&
		     stamp_candidates_find(&matcher->clocks, waiting->topic, waiting->stamp).count > 0)) {
			continue;
		}
		stamp_vote_add(&ballots, waiting->topic, host, waiting->stamp);
	}
	is_clear = stamp_vote_elect(&ballots, expected_ns, &elected);
	stamp_vote_clear(&ballots);
	if (!is_clear) {
		return false;
	}
	if (elected.votes < MATCHER_VOTERS && (!is_last || clock->is_known || 3 * elected.votes < 2 * ballots.voters ||
					       stamp_vote_away(&elected, 0) > NEAR_ZERO_NS)) {
		return false;
	}
	/* First wider than elected: matches narrow the bounds. */
	stamp_clock_set(clock, elected.lowest_ns - INTERVAL_NEAR_NS, elected.highest_ns + INTERVAL_NEAR_NS,
			matcher->clocks.now_ns);
	retry_all(matcher, NULL);
	if (clock->lowest_ns == elected.lowest_ns - INTERVAL_NEAR_NS &&
	    clock->highest_ns == elected.highest_ns + INTERVAL_NEAR_NS) {
		stamp_clock_set(clock, elected.lowest_ns, elected.highest_ns, matcher->clocks.now_ns);
		retry_all(matcher, NULL);
	}
	return true;
}

static void vote(struct stamp_matcher *matcher, bool is_last)
{
	bool is_elected = false;

	for (guint host = 0; host < matcher->clocks.by_host->len; host++) {
		if (!is_last || !stamp_clock_of(&matcher->clocks, host)->is_known) {
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

	matcher->clocks.now_ns = now_ns;
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
	if (stamp_candidates_find(&matcher->clocks, topic, stamp).has_unknown_host) {
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
	struct stamp_candidates candidates;

	if (waiting->is_resolved) {
		return;
	}
	candidates = stamp_candidates_find(&matcher->clocks, topic, waiting->stamp);
	if (candidates.has_unknown_host && matcher->clocks.now_ns - matcher->voted_ns >= MATCHER_SETTLE_NS) {
		matcher->voted_ns = matcher->clocks.now_ns;
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
	matcher->clocks.now_ns = now_ns;
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
	return stamp >= 0 && stamp <= TIME_MAX && stamp_candidates_find(&matcher->clocks, topic, stamp).count > 1;
}
