/* SPDX-License-Identifier: MIT */
#include "core/stamps/stamp_matcher.h"

#include <glib.h>

#include "core/stamps/stamp_burst.h"
#include "core/stamps/stamp_candidates.h"
#include "core/stamps/stamp_clock.h"
#include "core/stamps/stamp_contest.h"
#include "core/stamps/stamp_interval.h"
#include "core/stamps/stamp_voters.h"
#include "core/stamps/stamp_waiting.h"

#define NEAR_ZERO_NS NS_PER_MS /* how far from zero a few stamps may elect an offset */
#define SETTINGS_MAX 1000      /* a limit of memory; the rest is not told */

struct stamp_matcher {
	struct stamp_intervals intervals;
	struct stamp_clocks clocks;
	struct stamp_waiting waiting;
	struct stamp_losses losses;
	GArray *matches; /* struct stamp_match */
	guint next_match;
	GArray *settings; /* struct stamp_setting */
	guint next_setting;
	bool is_finished;
	int64_t voted_ns;	       /* the last vote that a few stamps could decide */
	int64_t failed_ns;	       /* the last vote that all stamps could decide, and did not */
	uint64_t unexplained, vote_at; /* stamps without any candidate, and how many of them start a vote */
};

/* --- life --- */

struct stamp_matcher *stamp_matcher_create(void)
{
	struct stamp_matcher *matcher = g_new0(struct stamp_matcher, 1);

	stamp_intervals_init(&matcher->intervals);
	matcher->clocks.by_host = g_array_new(FALSE, TRUE, sizeof(struct stamp_clock));
	stamp_waiting_init(&matcher->waiting);
	stamp_losses_init(&matcher->losses);
	matcher->matches = g_array_new(FALSE, FALSE, sizeof(struct stamp_match));
	matcher->settings = g_array_new(FALSE, FALSE, sizeof(struct stamp_setting));
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
	stamp_waiting_clear(&matcher->waiting);
	stamp_losses_clear(&matcher->losses);
	g_array_free(matcher->matches, TRUE);
	g_array_free(matcher->settings, TRUE);
	g_free(matcher);
}

void stamp_matcher_set_losses(struct stamp_matcher *matcher, const struct stamp_loss_source *source)
{
	matcher->losses.source = *source;
}

/* --- publications --- */

struct stamp_topic *stamp_matcher_add_topic(struct stamp_matcher *matcher)
{
	return stamp_intervals_add_topic(&matcher->intervals);
}

static struct stamp_interval interval_of(struct stamp_matcher *matcher, const struct stamp_publication *publication)
{
	matcher->clocks.now_ns = MAX(matcher->clocks.now_ns, publication->from_ns);
	return (struct stamp_interval){
		.from_ns = publication->from_ns,
		.written_ns = MAX(publication->written_ns, publication->from_ns),
		.owner = publication->owner,
		.host = publication->host,
		.thread = publication->thread,
		.stream = publication->stream,
		.is_loose = publication->is_loose,
	};
}

struct stamp_interval *stamp_matcher_publish(struct stamp_matcher *matcher, struct stamp_topic *topic,
					     const struct stamp_publication *publication)
{
	struct stamp_interval interval = interval_of(matcher, publication);

	(void)stamp_clock_of(&matcher->clocks, publication->host);
	interval.topic = topic;
	return stamp_intervals_open(&matcher->intervals, &interval);
}

void stamp_matcher_add_stranger(struct stamp_matcher *matcher, const struct stamp_publication *publication)
{
	struct stamp_interval interval = interval_of(matcher, publication);

	stamp_intervals_close(&matcher->intervals, publication->thread, publication->from_ns);
	stamp_losses_add_stranger(&matcher->losses, &interval);
}

void stamp_matcher_end_write(struct stamp_matcher *matcher, uint32_t thread, int64_t time_ns)
{
	stamp_losses_end_write(&matcher->losses, thread, time_ns);
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

/* Those that were forgotten long ago leave. */
static void let_leave(struct stamp_matcher *matcher)
{
	struct stamp_interval *interval;

	while ((interval = stamp_intervals_leaving(&matcher->intervals, matcher->clocks.now_ns)) != NULL) {
		stamp_contest_rivals(&matcher->clocks, interval);
		stamp_intervals_remove(&matcher->intervals, interval);
	}
}

void stamp_matcher_forget(struct stamp_matcher *matcher, struct stamp_interval *interval)
{
	if (interval->is_stamped && interval->topic->unresolved == 0 &&
	    stamp_contest_is_needless(&matcher->clocks, interval)) {
		stamp_intervals_remove(&matcher->intervals, interval);
	} else {
		stamp_intervals_forget(&matcher->intervals, interval, matcher->clocks.now_ns);
	}
	let_leave(matcher);
}

/* --- matches --- */

static void assign(struct stamp_matcher *matcher, struct stamp_interval *interval, int64_t until_ns,
		   const struct stamp_take *take)
{
	struct stamp_clock *clock = stamp_clock_of(&matcher->clocks, interval->host);
	struct stamp_match match = { interval->owner, take->stamp };

	stamp_clock_learn(clock, interval->from_ns, until_ns, take->stamp, matcher->clocks.now_ns);
	stamp_matcher_set_stamp(interval, take->stamp);
	if (!interval->is_forgotten) {
		g_array_append_val(matcher->matches, match);
	}
}

/* --- decisions --- */

/* The one of several candidates that is clear; NULL: none. */
static struct stamp_interval *find_preferred(struct stamp_matcher *matcher, struct stamp_topic *topic,
					     const struct stamp_candidates *candidates, int64_t stamp)
{
	if (stamp_candidates_prefer_near(candidates)) {
		return candidates->near;
	}
	return stamp_candidates_are_disjoint(candidates)
		       ? stamp_burst_find(&matcher->waiting, &matcher->clocks, &matcher->losses, topic,
					  candidates->all[0]->host, stamp)
		       : NULL;
}

/* Whether the only candidate may be the wrong one because system time was set. */
static bool is_doubtful(struct stamp_matcher *matcher, const struct stamp_topic *topic, const struct stamp_take *take,
			const struct stamp_interval *candidate)
{
	struct stamp_doubt doubt;

	if (matcher->waiting.odd == 0) {
		return false;
	}
	doubt = stamp_waiting_doubt(&matcher->waiting);
	if (stamp_doubt_is_justified(&doubt, topic, take, candidate)) {
		return true;
	}
	stamp_waiting_dismiss(&matcher->waiting, candidate);
	return false;
}

/* --- one stamp --- */

enum decision {
	DECISION_NONE,
	DECISION_ODD, /* no publication can have it, now and later, unless system time was set */
	DECISION_MADE,
};

static enum decision decide(struct stamp_matcher *matcher, const struct stamp_topic *topic,
			    const struct stamp_take *take, struct stamp_interval *interval, int64_t limit_ns)
{
	if (stamp_losses_may_hide(&matcher->losses, &matcher->clocks, take, interval)) {
		return DECISION_NONE;
	}
	if (is_doubtful(matcher, topic, take, interval)) {
		return DECISION_ODD;
	}
	assign(matcher, interval, MIN(stamp_interval_end_before(interval, take), limit_ns), take);
	return DECISION_MADE;
}

static enum decision resolve(struct stamp_matcher *matcher, struct stamp_topic *topic, const struct stamp_take *take,
			     bool has_settled)
{
	struct stamp_candidates candidates = stamp_candidates_find(&matcher->clocks, topic, take);
	struct stamp_interval *preferred;

	if (candidates.is_taken) {
		return DECISION_MADE;
	}
	if (candidates.is_unsure || candidates.is_contested || (candidates.is_open && !matcher->is_finished)) {
		return DECISION_NONE;
	}
	if (candidates.count == 0) {
		return candidates.has_unknown_host || !topic->newest ? DECISION_NONE : DECISION_ODD;
	}
	if (candidates.count == 1) {
		return stamp_doubt_is_confirmed(&matcher->clocks, topic, take, candidates.all[0])
			       ? decide(matcher, topic, take, candidates.all[0], INT64_MAX)
			       : DECISION_NONE;
	}
	preferred = has_settled ? find_preferred(matcher, topic, &candidates, take->stamp) : NULL;
	return preferred && stamp_doubt_is_confirmed(&matcher->clocks, topic, take, preferred)
		       ? decide(matcher, topic, take, preferred,
				stamp_candidates_prefer_near(&candidates) ? preferred->written_ns + 2 * INTERVAL_NEAR_NS
									  : INT64_MAX)
		       : DECISION_NONE;
}

static bool retry(struct stamp_matcher *matcher, struct waiting_stamp *waiting, bool may_settle)
{
	enum decision decision;
	bool has_settled;

	if (waiting->is_ended) {
		return false;
	}
	has_settled = matcher->is_finished || waiting->take.taken_ns + MATCHER_SETTLE_NS <= matcher->clocks.now_ns;
	decision = resolve(matcher, waiting->topic, &waiting->take, may_settle && has_settled);
	if (decision == DECISION_MADE) {
		stamp_waiting_end(&matcher->waiting, waiting);
	} else if (decision == DECISION_ODD && !waiting->is_dismissed) {
		stamp_waiting_set_odd(&matcher->waiting, waiting, true);
	}
	return decision == DECISION_MADE;
}

/* Retries what waits of the topic (NULL: of all) until nothing more can be resolved. */
static void retry_all(struct stamp_matcher *matcher, const struct stamp_topic *topic, bool may_settle)
{
	for (bool has_changed = true; has_changed;) {
		has_changed = false;
		for (guint i = matcher->waiting.first; i < matcher->waiting.queue->len; i++) {
			struct waiting_stamp *waiting = stamp_waiting_at(&matcher->waiting, i);

			if (!topic || waiting->topic == topic) {
				has_changed |= retry(matcher, waiting, may_settle);
			}
		}
	}
}

static void spread(struct stamp_matcher *matcher, const struct stamp_topic *topic)
{
	if (topic->unresolved > 0) {
		retry_all(matcher, topic, true);
	}
	while (matcher->waiting.first < matcher->waiting.queue->len && stamp_clocks_are_better(&matcher->clocks)) {
		retry_all(matcher, NULL, true);
	}
}

/* --- the vote --- */

/* System time was set by so much that the vote shows it. */
static void note_setting(struct stamp_matcher *matcher, uint32_t host, const struct stamp_clock *before,
			 const struct stamp_elected *elected)
{
	struct stamp_setting setting = {
		.host = host,
		.by_ns = elected->lowest_ns + (elected->highest_ns - elected->lowest_ns) / 2 -
			 (before->lowest_ns + (before->highest_ns - before->lowest_ns) / 2),
		.before_ns = stamp_waiting_first_odd_ns(&matcher->waiting, before->confirmed_ns),
	};

	if (ABS(setting.by_ns) > INTERVAL_NEAR_NS && matcher->settings->len < SETTINGS_MAX) {
		g_array_append_val(matcher->settings, setting);
	}
}

/* `is_last`: a few suffice if it is near zero. */
static bool vote_for(struct stamp_matcher *matcher, uint32_t host, bool is_last)
{
	struct stamp_clock *clock = stamp_clock_of(&matcher->clocks, host);
	struct stamp_clock before = *clock;
	struct stamp_elected elected;
	guint voters;

	if (!stamp_voters_elect(&matcher->waiting, &matcher->clocks, host, &elected, &voters)) {
		return false;
	}
	if (elected.votes < MATCHER_VOTERS && (!is_last || clock->is_known || 3 * elected.votes < 2 * voters ||
					       stamp_vote_away(&elected, 0) > NEAR_ZERO_NS)) {
		return false;
	}
	if (before.is_known) {
		if (stamp_vote_away(&elected, before.highest_ns) <= INTERVAL_NEAR_NS) {
			return false; /* not set: others next to theirs are recorded, or it drifts: the bounds widen */
		}
		note_setting(matcher, host, &before, &elected);
		stamp_waiting_restart(&matcher->waiting);
	}
	/* First wider than elected: matches narrow the bounds. */
	stamp_clock_set(clock, elected.lowest_ns - INTERVAL_NEAR_NS, elected.highest_ns + INTERVAL_NEAR_NS, 0,
			matcher->clocks.now_ns);
	retry_all(matcher, NULL, false);
	if (clock->lowest_ns == elected.lowest_ns - INTERVAL_NEAR_NS &&
	    clock->highest_ns == elected.highest_ns + INTERVAL_NEAR_NS) {
		stamp_clock_set(clock, elected.lowest_ns, elected.highest_ns, elected.close, matcher->clocks.now_ns);
		retry_all(matcher, NULL, false);
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
		if (matcher->clocks.now_ns - matcher->failed_ns < MATCHER_WAIT_NS) {
			matcher->vote_at = MIN(matcher->vote_at * 2, (uint64_t)WAITING_MAX);
		}
		matcher->failed_ns = matcher->clocks.now_ns;
		matcher->unexplained = 0;
	}
}

static void count_unexplained(struct stamp_matcher *matcher)
{
	if (++matcher->unexplained >= matcher->vote_at) {
		vote(matcher, false);
	}
}

/* --- takes --- */

void stamp_matcher_take(struct stamp_matcher *matcher, struct stamp_topic *topic, const struct stamp_take *take)
{
	enum decision decision;

	matcher->clocks.now_ns = take->taken_ns;
	if (!stamp_candidates_are_possible(topic, take->stamp) ||
	    stamp_waiting_has(&matcher->waiting, topic, take->stamp)) {
		return;
	}
	if (topic->hosts->len == 0) {
		stamp_topic_add_early(topic, take->stamp);
		return;
	}
	decision = resolve(matcher, topic, take, false);
	if (decision == DECISION_MADE) {
		spread(matcher, topic);
		return;
	}
	stamp_waiting_add(&matcher->waiting, topic, take, decision == DECISION_ODD);
	if (stamp_candidates_find(&matcher->clocks, topic, take).has_unknown_host) {
		count_unexplained(matcher);
	}
}

int64_t stamp_matcher_due_ns(const struct stamp_matcher *matcher)
{
	const struct stamp_waiting *waiting = &matcher->waiting;

	if (waiting->settled < waiting->queue->len) {
		return stamp_waiting_at(waiting, waiting->settled)->take.taken_ns + MATCHER_SETTLE_NS;
	}
	return waiting->first < waiting->queue->len
		       ? stamp_waiting_at(waiting, waiting->first)->take.taken_ns + MATCHER_WAIT_NS
		       : INT64_MAX;
}

static void settle_next(struct stamp_matcher *matcher)
{
	struct waiting_stamp *waiting = stamp_waiting_at(&matcher->waiting, matcher->waiting.settled++);
	struct stamp_topic *topic = waiting->topic;
	struct stamp_candidates candidates;

	if (waiting->is_ended) {
		return;
	}
	candidates = stamp_candidates_find(&matcher->clocks, topic, &waiting->take);
	if (candidates.has_unknown_host && matcher->clocks.now_ns - matcher->voted_ns >= MATCHER_SETTLE_NS) {
		matcher->voted_ns = matcher->clocks.now_ns;
		vote(matcher, true);
	}
	if (retry(matcher, waiting, true)) {
		spread(matcher, topic);
	} else if (!candidates.has_unknown_host && (candidates.count == 0 || waiting->is_odd) && topic->newest) {
		/* Its publication is not recorded, or the clock was set. */
		count_unexplained(matcher);
	}
}

void stamp_matcher_advance(struct stamp_matcher *matcher, int64_t now_ns)
{
	const struct stamp_waiting *waiting = &matcher->waiting;

	matcher->clocks.now_ns = now_ns;
	while (waiting->settled < waiting->queue->len &&
	       stamp_waiting_at(waiting, waiting->settled)->take.taken_ns + MATCHER_SETTLE_NS <= now_ns) {
		settle_next(matcher);
	}
	while (waiting->first < waiting->queue->len &&
	       stamp_waiting_at(waiting, waiting->first)->take.taken_ns + MATCHER_WAIT_NS <= now_ns) {
		(void)retry(matcher, stamp_waiting_at(waiting, waiting->first), true);
		stamp_waiting_drop(&matcher->waiting);
	}
}

void stamp_matcher_finish(struct stamp_matcher *matcher)
{
	matcher->is_finished = true;
	vote(matcher, true);
	retry_all(matcher, NULL, false);
	while (matcher->waiting.settled < matcher->waiting.queue->len) {
		settle_next(matcher);
	}
	while (matcher->waiting.first < matcher->waiting.queue->len) {
		stamp_waiting_drop(&matcher->waiting);
	}
}

/* --- results --- */

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

bool stamp_matcher_next_setting(struct stamp_matcher *matcher, struct stamp_setting *setting)
{
	if (matcher->next_setting == matcher->settings->len) {
		return false;
	}
	*setting = g_array_index(matcher->settings, struct stamp_setting, matcher->next_setting++);
	return true;
}

bool stamp_matcher_is_ambiguous(struct stamp_matcher *matcher, struct stamp_topic *topic, const struct stamp_take *take)
{
	struct stamp_candidates candidates;

	if (!stamp_candidates_are_possible(topic, take->stamp)) {
		return false;
	}
	candidates = stamp_candidates_find(&matcher->clocks, topic, take);
	return candidates.count > 1 || (candidates.count == 1 && !candidates.is_unsure) || candidates.is_taken;
}
