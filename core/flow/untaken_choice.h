/* SPDX-License-Identifier: MIT */
/*
 * The choice of a publication for each of several executions of a subscription without recorded takes, by the rules in
 * untaken_messages.h, which feeds it.
 *
 * Cost: O(candidates), which are UNTAKEN_KEPT at most.
 */
#ifndef ROS2BT_FLOW_UNTAKEN_CHOICE_H
#define ROS2BT_FLOW_UNTAKEN_CHOICE_H

#include "core/flow/linked_executions.h"
#include "core/flow/linked_publications.h"

#define UNTAKEN_KEPT 64

/* Guesses, held against recordings that have takes (tests/flow/compare_untaken.c) */
#define UNTAKEN_REST_NS (500 * NS_PER_US)     /* longer than an executor needs from one callback to the next */
#define UNTAKEN_VAIN_NS NS_PER_MS	      /* longer than a small message is under way */
#define UNTAKEN_LONG_REST_NS (10 * NS_PER_MS) /* longer than any message is */
#define UNTAKEN_TIE_NS NS_PER_MS	      /* longer than writes of two threads overtake one another */
#define UNTAKEN_DISCOVERY_NS NS_PER_S	      /* longer than the middleware needs to match a publisher */

/* The publications of a topic are numbered; the last ones are kept. */
struct untaken_topic {
	struct linked_publication *kept[UNTAKEN_KEPT]; /* references, by number */
	uint64_t count;
};

/* An execution whose message is to be decided. */
struct undecided {
	struct linked_execution *execution; /* reference */
	struct flow_note *note;		    /* NULL: none */
	uint64_t published;		    /* publications of the topic before it */
};

struct untaken_subscription {
	GList waiting_link; /* in the queue of those that wait, while count > 0; its data is the subscription */
	struct model_subscription *model;
	struct untaken_topic *topic;
	uint64_t next;	      /* the number of the first candidate */
	uint64_t in_hand;     /* candidates of undecided executions are before this number */
	bool is_behind;	      /* candidates were forgotten, of before behind_ns */
	bool is_contemporary; /* two of its executions overlapped since the last decision */
	bool has_intra;	      /* it receives messages of its process through a ring buffer */
	int64_t behind_ns;
	guint count;
	struct undecided undecided[UNTAKEN_KEPT];
	struct linked_publication *held[UNTAKEN_KEPT]; /* from `next` to `in_hand`: references, counted as in hand */
};

static inline struct linked_publication *untaken_publication(const struct untaken_topic *topic, uint64_t number)
{
	return topic->kept[number % UNTAKEN_KEPT];
}

/* Candidates may be missing, of before that time. */
void untaken_choice_set_behind(struct untaken_subscription *subscription, int64_t time_ns);

/* Drops the candidates that the last rest of the thread proves to be none. */
void untaken_choice_drop_stale(struct untaken_subscription *subscription, const struct flow_thread *thread);

/*
 * Sets a candidate for each undecided execution, of which there is one at least; NULL: unknown. Returns how many
 * candidates there were.
 */
guint untaken_choice_make(struct flow_linker *linker, const struct untaken_subscription *subscription,
			  struct linked_publication *candidates[UNTAKEN_KEPT]);

#endif
