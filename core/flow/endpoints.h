/* SPDX-License-Identifier: MIT */
/*
 * Publishers, subscriptions and topics: what the linker knows of each beyond the object model.
 *
 * Topics are found by name, which is interned: equal names are one pointer. Subscriptions count towards their topic
 * from the moment that their topic is known, which may be later than their first take.
 *
 * Cost: O(1) for a publisher or topic; O(subscriptions not yet defined + new ones) when subscriptions change.
 */
#ifndef ROS2BT_FLOW_ENDPOINTS_H
#define ROS2BT_FLOW_ENDPOINTS_H

#include "core/base/memory_layout.h"
#include "core/flow/state.h"

#define FLOW_LATCHED_MAX 16 /* settled publications kept for each publisher */

/* Behind what the model keeps of it, in cache lines of its own: every delivery and settled message asks for the first.
 */
struct flow_publisher {
	struct flow_topic *topic; /* NULL while unknown */
	uint64_t sequence;	  /* of the last publication */
	/* References, by next_of_publisher: the unsettled ones, and the last of the settled ones (latched.h). */
	struct linked_publication *first, *last, *latched_first, *latched_last;
	uint32_t index; /* of the model */
	guint channel_count;
	guint undefined_channels; /* to subscriptions that are not counted to the topic, by the last count */
	uint8_t latched_count, latched_fetched; /* steps of latched_prefetch() for latched_first */
	bool has_inter;				/* one of its channels has */

	struct model_publisher *model;	/* NULL: the linker has not asked for the publisher */
	struct flow_channel **channels; /* owned, each in the arena: the subscriptions it has met, in that order */
	struct u64_map by_subscription; /* index → channel: of one message, all look-ups are in few cache lines */
	GArray *kept_uses;		/* struct kept_use, of kept_messages.c; NULL: none */
	guint counted_for;		/* topic->subscription_count at the last count of undefined_channels */
	uint64_t kept_uses_version;
};

ASSERT_OFFSET(struct flow_publisher, model, CACHE_LINE);
ASSERT_OFFSET(struct model_publisher, of_flow, CACHE_LINE);
_Static_assert(sizeof(struct flow_publisher) <= sizeof(((struct model_publisher *)NULL)->of_flow), "it has room");

struct flow_topic {
	const char *name;
	guint subscription_count;      /* those that are defined */
	uint64_t queue_depth;	       /* the greatest of them; UINT64_MAX: one is unknown or unlimited */
	struct stamp_topic *stamps;    /* of inferred_stamps.c; NULL before a publication or take needs it */
	struct untaken_topic *untaken; /* of untaken_messages.c; NULL before a publication needs it */
};

/*
 * What every take and delivery asks for, in the cache line behind what they ask of the model: in a system of thousands
 * of subscriptions, none of it is in the cache, and both lines are loaded at once.
 */
struct flow_subscription {
	uint64_t newest_id;		      /* the greatest of a publication that has had a delivery to it */
	uint64_t mark;			      /* scratch of settle.c */
	struct model_callback *last_callback; /* that received its last message; NULL: none yet */
	struct flow_channel *last_channel;    /* of channels.c: looked up last, of last_publisher; NULL: none yet */
	uint32_t last_publisher;	      /* its index */
	bool has_takes;			      /* of polled_takes.c: any are recorded */
	int64_t in_vain_ns, in_vain_since_ns; /* likewise: the last take in vain, and what that returns */
	struct untaken_subscription *untaken; /* of untaken_messages.c; NULL before a callback needs it */
};

ASSERT_OFFSET(struct model_subscription, of_flow, CACHE_LINE);
_Static_assert(sizeof(struct flow_subscription) <= sizeof(((struct model_subscription *)NULL)->of_flow), "it has room");

static inline struct flow_subscription *flow_subscription(const struct model_subscription *model)
{
	return (struct flow_subscription *)model->of_flow;
}

struct flow_topic *flow_topic(struct flow_linker *linker, const char *name);

/* Its topic may have become known. */
static inline void flow_publisher_find_topic(struct flow_linker *linker, struct flow_publisher *publisher)
{
	if (G_UNLIKELY(!publisher->topic) && publisher->model->topic) {
		publisher->topic = flow_topic(linker, publisher->model->topic);
	}
}

void flow_add_publisher(struct flow_linker *linker, struct model_publisher *model);

/* Made when first asked for. */
static inline struct flow_publisher *flow_publisher(struct flow_linker *linker, struct model_publisher *model)
{
	struct flow_publisher *publisher = (struct flow_publisher *)model->of_flow;

	if (G_UNLIKELY(!publisher->model)) {
		flow_add_publisher(linker, model);
	}
	flow_publisher_find_topic(linker, publisher);
	return publisher;
}

/* Subscriptions were defined: counts them, and those that were seen before they were defined, to their topics. */
void flow_subscriptions_changed(struct flow_linker *linker);
/* A total order that depends on the recorded values only, not on the order of reading. */
bool flow_subscription_comes_before(struct flow_linker *linker, const struct model_subscription *left,
				    const struct model_subscription *right);

/* A take of the subscription has no publication so far. Keeps the time of the last such take. */
void flow_subscription_set_unlinked_take(struct flow_linker *linker, const struct model_subscription *subscription,
					 int64_t take_ns);
/* INT64_MIN if there is no such take. */
int64_t flow_subscription_unlinked_take_ns(const struct flow_linker *linker,
					   const struct model_subscription *subscription);

#endif
