/* SPDX-License-Identifier: MIT */
/*
 * The ways of messages that patterns of paths stand for (core/architecture/path_pattern.h), as far as they have been
 * met: trees of nodes, with the topics between them. A pattern of names has one way, and its path is there from the
 * beginning; each way that a pattern with globs or `…` leads to the end is a path of its own, from its first flow on.
 *
 * One step further on a way is one look-up, by publisher and subscription. Their names may become known late: what was
 * not on a way is looked at again when something was defined meanwhile.
 *
 * Memory: the ways (NAMED_WAYS_MAX), and an entry for each way and pair of a publisher and a subscription on it.
 */
#ifndef ROS2BT_NAMED_WAYS_H
#define ROS2BT_NAMED_WAYS_H

#include "core/analyses/named_paths/named_results.h"
#include "core/base/u64_map.h"

#define NAMED_WAYS_MAX 20000

/* A node on a way, with all before it. */
struct named_way {
	struct named_way *parent; /* NULL at the first node */
	uint32_t index;
	uint32_t depth; /* nodes before */
	const struct path_pattern *pattern;
	uint32_t at;		/* the node of the pattern that it is, or that was passed last */
	bool is_far;		/* passed: it is between two nodes of the pattern */
	const char *node;	/* in the pool; NULL: the way has ended with a publication */
	const char *topic;	/* by which the way comes; NULL: it begins here */
	uint32_t ordinal;	/* among the children of the parent */
	GPtrArray *children;	/* struct named_way * */
	GPtrArray *paths;	/* struct named_path *, of which it is a part */
	struct named_path *end; /* the path that ends here; NULL: it goes on */
	bool has_first_callback, has_last_callback;
	bool is_kept;		/* the node before keeps messages for it: an indirect link says so */
	uint64_t arrivals;	/* flows that came here; of the first node: that began */
	int64_t last_origin_ns; /* of the first node: of its last flow; NAMED_NO_TIME: none yet */
};

struct named_ways {
	struct recording *recording; /* borrowed, like the next three */
	struct object_model *model;
	struct diagnostics *diagnostics;
	struct named_results *results;
	const GArray *links;	    /* struct link_rule, of the architecture; borrowed */
	GPtrArray *all;		    /* struct named_way *, owned, by index */
	GPtrArray *firsts;	    /* struct named_way *, borrowed: without a parent */
	struct u64_map next;	    /* (way, publisher, subscription) → struct named_link *, in the arena */
	GPtrArray *by_publisher;    /* struct named_starts *, owned, by index; NULL: not asked yet */
	GPtrArray *by_subscription; /* the same */
};

void named_ways_init(struct named_ways *ways, const struct analysis_context *context, struct named_results *results,
		     const GArray *links);
void named_ways_clear(struct named_ways *ways);

/* The ways that begin with a publication of the publisher, or with a callback of the subscription; borrowed. */
const GPtrArray *named_ways_from_publisher(struct named_ways *ways, const struct model_publisher *publisher);
const GPtrArray *named_ways_from_subscription(struct named_ways *ways, const struct model_subscription *subscription);

/*
 * The way that goes on with a message from the publisher to the subscription; without a subscription: that ends with
 * the publication. NULL: it is on no path.
 */
struct named_way *named_ways_next(struct named_ways *ways, struct named_way *way,
				  const struct model_publisher *publisher,
				  const struct model_subscription *subscription);

/* Whether a way goes on with messages of the publisher, for a child of it. */
bool named_ways_leaves_by(struct named_ways *ways, const struct named_way *child,
			  const struct model_publisher *publisher);

/* Whether messages of the publisher may be on a path, but for its first ones. */
bool named_ways_may_pass(struct named_ways *ways, const struct model_publisher *publisher);

#endif
