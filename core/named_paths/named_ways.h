/* SPDX-License-Identifier: MIT */
/*
 * The ways that the patterns of named paths allow (core/named_paths/architecture/path_pattern.h): trees of nodes, with
 * the topics between them. A pattern of names only has one way, and its path exists from the beginning. A pattern with
 * globs or `…` gets a way for each chain of nodes that messages took; each way to the end is a path, from its first
 * flow on.
 *
 * A step on a way is one look-up, by publisher and subscription. Their names may become known late: a pair that is on
 * no way is looked up again after each new definition.
 *
 * Memory: the ways (NAMED_WAYS_MAX), and an entry for each way and pair of a publisher and a subscription.
 */
#ifndef ROS2BT_NAMED_WAYS_H
#define ROS2BT_NAMED_WAYS_H

#include "core/named_paths/named_results.h"
#include "ros2bt/base/u64_map.h"

#define NAMED_WAYS_MAX 20000

/* A node on a way, which stands for the way up to it. */
struct named_way {
	struct named_way *parent; /* NULL at the first node */
	uint32_t index;
	uint32_t depth; /* number of nodes before it */
	const struct path_pattern *pattern;
	uint32_t at;		/* index of its node in the pattern; if is_far, of the last one passed */
	bool is_far;		/* it matches `…`, between two nodes of the pattern */
	const char *node;	/* in the pool; NULL: the way ends with a publication */
	const char *topic;	/* from the node before; NULL: the way begins here */
	uint32_t ordinal;	/* among the children of the parent */
	GPtrArray *children;	/* struct named_way * */
	GPtrArray *paths;	/* struct named_path *: all that include it */
	struct named_path *end; /* the path that ends here; NULL: it goes on */
	bool has_first_callback, has_last_callback;
	bool is_kept;		/* an indirect link: the node before keeps messages for it */
	uint64_t arrivals;	/* flows that reached it; of the first node: that began */
	int64_t last_origin_ns; /* of the first node: when its last flow began; or NAMED_NO_TIME */
};

struct named_ways {
	struct recording *recording; /* borrowed, like the next three */
	struct object_model *model;
	struct diagnostics *diagnostics;
	struct named_results *results;
	const GArray *links;	    /* struct link_rule, from the architecture; borrowed */
	GPtrArray *all;		    /* struct named_way *, owned, by index */
	GPtrArray *firsts;	    /* struct named_way *, borrowed: those without a parent */
	struct u64_map next;	    /* (way, publisher, subscription) → struct named_link *, in the arena */
	GPtrArray *by_publisher;    /* struct named_starts *, owned, by index; NULL: not looked up yet */
	GPtrArray *by_subscription; /* likewise */
};

void named_ways_init(struct named_ways *ways, const struct analysis_context *context, struct named_results *results,
		     const GArray *links);

/* The ways that begin with a publication of the publisher, or with a callback of the subscription; borrowed. */
const GPtrArray *named_ways_from_publisher(struct named_ways *ways, const struct model_publisher *publisher);
const GPtrArray *named_ways_from_subscription(struct named_ways *ways, const struct model_subscription *subscription);

/*
 * The way that continues `way` with a message from the publisher to the subscription; with subscription NULL: that ends
 * with the publication. NULL: no path continues so.
 */
struct named_way *named_ways_next(struct named_ways *ways, struct named_way *way,
				  const struct model_publisher *publisher,
				  const struct model_subscription *subscription);

/* Whether messages of the publisher lead from the parent of `child` to it. */
bool named_ways_leaves_by(struct named_ways *ways, const struct named_way *child,
			  const struct model_publisher *publisher);

/* Whether messages of the publisher may be on any path. */
bool named_ways_may_pass(struct named_ways *ways, const struct model_publisher *publisher);

#endif
