/* SPDX-License-Identifier: MIT */
/*
 * The choice of a publication for each of several callbacks of a subscription, by the rules in untaken_matcher.h, which
 * feeds it.
 *
 * Cost: O(candidates), which are UNTAKEN_KEPT at most.
 */
#ifndef ROS2BT_UNTAKEN_CHOICE_H
#define ROS2BT_UNTAKEN_CHOICE_H

#include "core/base/memory_layout.h"
#include "core/untaken/untaken_user.h"
#include "ros2bt/events/recording.h"

/* Guesses, held against recordings that have takes (tests/flow/compare_untaken.c) */
#define UNTAKEN_VAIN_NS NS_PER_MS	      /* longer than a small message is under way */
#define UNTAKEN_LONG_REST_NS (10 * NS_PER_MS) /* longer than any message is */
#define UNTAKEN_TIE_NS NS_PER_MS	      /* longer than writes of two threads overtake one another */
#define UNTAKEN_DISCOVERY_NS NS_PER_S	      /* longer than the middleware needs to match a publisher */

/* The publications of a topic are numbered; the last ones are kept. */
struct untaken_topic {
	struct {
		void *publication;
		int64_t first_ns;
	} kept[UNTAKEN_KEPT]; /* by number */
	uint64_t count;
};

#define UNTAKEN_NO_PEER UINT32_MAX

/* In a circular list of what waits. */
struct untaken_wait {
	struct untaken_wait *earlier, *later;
};

/* Hundreds wait for their next callback: until then none of them is touched, so what that needs is in two lines. */
struct untaken_subscription {
	struct untaken_wait wait; /* first; while count > 0 */
	struct untaken_topic *topic;
	uint64_t next;	      /* the number of the first candidate */
	guint count;	      /* undecided callbacks */
	guint in_hand;	      /* candidates of them, from `next` on */
	uint32_t peer;	      /* the last process of which is_near was asked; UNTAKEN_NO_PEER: there was none */
	bool is_near;	      /* its clock is that of the subscription's process, and both processes are known */
	bool is_behind;	      /* candidates were forgotten, of before behind_ns */
	bool is_contemporary; /* two of its executions overlapped since the last decision */
	bool has_intra;	      /* it receives messages of its process through a ring buffer */
	int64_t newest_ns;    /* of the last candidate in hand */
	struct model_subscription *model;
	int64_t behind_ns;
	struct untaken_place places[UNTAKEN_KEPT];
};

ASSERT_OFFSET(struct untaken_subscription, places[1], 2 * CACHE_LINE);

/* Who decides, and what it asks. */
struct untaken_chooser {
	const struct recording *recording; /* borrowed */
	struct untaken_user user;
};

static inline struct untaken_publication untaken_describe(const struct untaken_chooser *chooser,
							  const void *publication)
{
	return chooser->user.describe(chooser->user.data, publication);
}

/* The first publish event of the publication of the topic with the number, which is kept. */
static inline int64_t untaken_first_ns(const struct untaken_topic *topic, uint64_t number)
{
	return topic->kept[number % UNTAKEN_KEPT].first_ns;
}

/* Candidates may be missing, of before that time. */
void untaken_choice_set_behind(struct untaken_subscription *subscription, int64_t time_ns);

/* Drops the candidates that the last rest of the thread proves to be none. */
void untaken_choice_drop_stale(const struct untaken_chooser *chooser, struct untaken_subscription *subscription,
			       const struct untaken_thread *thread);

/*
 * Sets the place that holds the candidate for each undecided callback, of which there is one at least; NULL: unknown,
 * as all are unless is_rested. Returns whether there were any candidates.
 */
bool untaken_choice_make(const struct untaken_chooser *chooser, struct untaken_subscription *subscription,
			 bool is_rested, struct untaken_place *candidates[UNTAKEN_KEPT]);
/* The same if there are one callback and one publication, as most often: returns whether it is the callback's. */
bool untaken_choice_make_lone(const struct untaken_chooser *chooser, struct untaken_subscription *subscription,
			      bool is_rested, bool *has_candidate);

#endif
