/* SPDX-License-Identifier: MIT */
/*
 * The nodes of the tree of paths (path_tree.h).
 *
 * Nodes are limited. A node is *aside* as long as nothing that comes its way is reported by its names: flows of hidden
 * names (hidden_names.h), of topics that are excluded, and flows that begin outside the time range. Such nodes have a
 * limit of their own (PATH_ASIDE_MAX), so that they never use up that of the others (PATH_NODES_MAX). What does not fit
 * is counted by topic.
 */
#ifndef ROS2BT_PATH_NODES_H
#define ROS2BT_PATH_NODES_H

#include <glib.h>

#include "core/analyses/shared/analysis.h"
#include "core/base/memory_layout.h"
#include "core/base/slots.h"
#include "ros2bt/base/u64_map.h"

#define PATH_DEPTH_MAX 1000 /* callbacks of one path */

struct path; /* path_tree.h, as the next one */
struct hop_times;
struct hop_holds; /* path_holds.h */

/*
 * A node of the tree: a callback (or, at a root, a publisher or client outside any callback) and the way to it. What
 * each flow that ends here reads comes first, in a cache line.
 */
struct path_node {
	struct path_node *parent; /* NULL at a root */
	struct model_callback *callback;
	struct path *path; /* NULL unless a flow ended here */
	/* The last two of path->hops and the last of path->holds, to be fetched without a look at the path. */
	struct hop_times *last_hops;
	struct hop_holds *last_holds;
	uint32_t index;
	uint16_t depth;	  /* messages from the root */
	bool is_indirect; /* the callback before kept its message */
	bool is_external; /* a root whose message is none of the path: from outside the trace, or of a round */
	bool is_round;	  /* a root at which flows begin that have come back to it */
	bool is_inferred; /* the callback is of kind CALLBACK_KIND_INFERRED */
	bool is_return;	  /* the flow has passed this callback before: it ends here */
	bool is_hidden;	  /* it, or one before, came by a hidden name */
	bool is_excluded; /* the same, by a name that the report leaves out */
	bool is_aside;	  /* see above */
	bool has_ended;	  /* a flow ended here, and is only counted */

	struct model_publisher *publisher; /* at a root without callback */
	struct model_client *client;	   /* at a root without callback */
	struct model_publisher *via; /* the publisher of the message that the flow arrived by; NULL if by a request */
	struct model_service *via_service;
	int64_t first_ns; /* when its callback first started for a flow; 0 at a root outside callbacks */
	uint64_t lost;	  /* flows that should have come here and did not */
	uint64_t unknown; /* flows of which that is not known */
	/* On which the flow arrives from the node before; 0: none. If is_round, an index in path_tree.condition_sets.
	 */
	uint32_t condition;
	enum callback_kind kind : 8; /* at a root with a callback: as known when it was named last */
	bool has_hidden_name;	     /* see path_names_judge() */
	struct path_node *plain;     /* the same without conditions; itself if neither it nor a node before has one */
};

_Static_assert(offsetof(struct path_node, has_ended) < CACHE_LINE, "what each flow that ends reads is in a cache line");
_Static_assert(sizeof(struct path_node) <= FLOW_WAY_FETCHED, "a node is fetched whole, two cache lines");

static inline bool path_node_is_conditional(const struct path_node *node)
{
	return node->plain != node;
}

/* Whether a node stays what it is: else a flow that comes there may make it one that is not aside. */
static inline bool path_node_is_settled(const struct path_node *node)
{
	return !node->is_aside || node->is_hidden || node->is_excluded;
}

struct path_nodes {
	struct recording *recording; /* borrowed, like the next two */
	struct diagnostics *diagnostics;
	const struct analysis_options *options;
	GPtrArray *all;		 /* struct path_node *, in the arena, by index */
	uint32_t aside_count;	 /* of them */
	struct u64_map children; /* (node, condition, callback, is_indirect) → node */
	struct diagnostics
		*capped; /* in the arena: DIAGNOSTIC_PATHS_CAPPED by topic, what there were too many nodes for */
};

/* The roots of a kind of object. */
struct path_roots {
	GPtrArray *plain;	    /* struct path_node *, those without a condition by index of the object, or NULL */
	struct u64_map conditional; /* (condition, object) → node, the others */
};

void path_nodes_init(struct path_nodes *nodes, const struct analysis_context *context);
void path_roots_init(struct path_roots *roots, struct arena *arena);

/* NULL if no flow has begun there. */
static inline struct path_node *path_roots_find(const struct path_roots *roots, uint32_t index, uint32_t condition)
{
	return G_LIKELY(condition == 0) ? slot_get(roots->plain, index)
					: u64_map_get_pointer(&roots->conditional, (uint64_t)condition << 32 | index);
}

/* How a flow arrives at a node. */
struct path_arrival {
	const char *name;     /* of the topic or service; NULL: by none, or not known */
	bool is_out_of_range; /* the flow began outside the time range */
};

/*
 * The root of an object, by its index among those of its kind; created at the first call, and the one without a
 * condition before it. A call for one that is settled has no effect. NULL if there are too many nodes, which is
 * counted: then the latter may be of no object yet.
 */
struct path_node *path_nodes_root(struct path_nodes *nodes, struct path_roots *roots, uint32_t index,
				  uint32_t condition, const struct path_arrival *arrival);

/* The node of the callback that is executed, after a parent; likewise. */
struct path_node *path_nodes_child(struct path_nodes *nodes, struct path_node *parent,
				   const struct flow_execution *execution, bool is_indirect, uint32_t condition,
				   const struct path_arrival *arrival);

/* NULL if no flow has continued there. */
struct path_node *path_nodes_find_child(const struct path_nodes *nodes, const struct path_node *parent,
					const struct model_callback *callback, bool is_indirect, uint32_t condition);

#endif
