/* SPDX-License-Identifier: MIT */
/*
 * The tree of all ways that flows have taken, and the flows that are under way in it (see paths.c).
 *
 * A node is a callback and the way to it from a root, so that following a flow by one callback takes one look-up at
 * most: mostly it comes to the node to which the message before led (flow_linker_way()). Each execution that may go
 * on carries its traversals; a traversal is a chain of steps, one per execution on its way.
 *
 * Through nodes without rclcpp a flow continues on a condition (flow_linker_holds()): that a publication results from
 * the execution that was open, or that it results from none. Nodes with a condition, of their own or of a node before,
 * are separate from the plain nodes of the same callbacks, and count only if the condition holds, which is decided at
 * the end (path_conditions.h).
 *
 * Memory: the nodes (path_nodes.h), and the chains of the executions that are under way. Times in ns.
 */
#ifndef ROS2BT_PATH_TREE_H
#define ROS2BT_PATH_TREE_H

#include <glib.h>

#include "core/analyses/paths/path_holds.h"
#include "core/analyses/paths/path_nodes.h"
#include "core/analyses/shared/analysis.h"
#include "core/analyses/shared/columns.h"
#include "core/analyses/shared/covered_rate.h"
#include "core/model/object_numbers.h"
#include "core/analyses/shared/worst.h"
#include "core/base/int128.h"
#include "core/base/memory_layout.h"
#include "core/base/object_pool.h"
#include "core/statistics/duration_statistics.h"
#include "ros2bt/base/u64_map.h"

#define MISSED_MAX 8 /* callbacks that did not get their message from one execution */
#define MISSED_SIZE (MISSED_MAX * sizeof(struct missed))
#define ONWARD_MAX 8 /* publishers whose messages one inferred execution may have published */
#define ONWARD_SIZE (ONWARD_MAX * sizeof(uint32_t))
#define NO_TIME INT64_MIN

/*
 * Where the time of a hop goes. The parts of all hops of a traversal add up to its latency; over many traversals they
 * are sums, which 64 bits need not hold.
 */
struct hop_times {
	int128 callback_ns;  /* in the callback before: from its start to the publication, or to its end if the message
				  was kept; in the last one: all of it */
	int128 kept_ns;	     /* the message was kept: from that callback's end to the publication */
	int128 transport_ns; /* from the publication to the take */
	int128 wait_ns;	     /* from the take to the callback's start */
};

static inline int128 hop_times_total(const struct hop_times *times)
{
	return times->transport_ns + times->wait_ns + times->callback_ns + times->kept_ns;
}

/* A hop of one of the slowest traversals. */
struct worst_hop {
	struct hop_times times;
	struct path_hold hold;
	bool has_hold; /* `hold` is known */
};

/*
 * The flows that end at a node of the tree: a path, and a row of the tables `paths` and `slowest_paths`. What each flow
 * touches is in the second cache line.
 */
struct path {
	uint32_t id;		     /* from 1, in order of the trace */
	bool is_chosen;		     /* the report is about it, by the names known when its first flow ended */
	struct hop_times *hops;	     /* by depth, sums over the traversals that ended here; in the arena */
	struct hop_holds *holds;     /* by depth, as the hops; NULL: no message waited for a callback */
	struct covered_rate origins; /* where its flows begin */
	uint64_t latched;	     /* traversals with a latched message */
	uint64_t last_unknown;	     /* to be added to holds->unknown of the last hop */
	struct duration_statistics latency;
	struct worst *worst; /* the worst traversals, with a struct worst_hop per depth each; NULL unless asked for */
	const struct path_node *node;
	struct path_schedule *schedule; /* see path_schedules.h; NULL: not known, or not asked for */
	struct written_path *written;	/* path_rows.h; NULL: not filled so far */
	uint32_t other_ends;		/* of the paths in the summary, those that differ in their last node only */
};

ASSERT_OFFSET(struct path, origins.count, CACHE_LINE);
ASSERT_OFFSET(struct path, latency.beside, 2 * CACHE_LINE);

/*
 * One callback execution on the way of a flow, and how the flow arrived there. A traversal is represented by its last
 * step; flows that separate later share the steps before. A step is one cache line, because paths keep mostly steps.
 */
struct step {
	struct path_node *node;
	struct step *before; /* reference, NULL at the root */
	uint32_t references;
	uint32_t hold : 30;   /* of the message, in path_tree.holds */
	bool is_latched : 1;  /* the message, or one before on the way (latched_delivery.h) */
	bool is_released : 1; /* the execution; true at a root without callback */
	union {
		const struct flow_execution *execution; /* unless is_released */
		int64_t end_ns;				/* then its end, NO_TIME unless known */
	};
	int64_t origin_ns;
	int64_t publish_ns, take_ns; /* of the message that the flow arrived by; not at the root */
	int64_t start_ns;	     /* of the execution; NO_TIME at a root without callback */
};

_Static_assert(sizeof(struct step) <= 64, "a step is a cache line");

/* A callback that should have received a message of the execution and did not. */
struct missed {
	struct model_callback *callback;
	bool is_indirect;   /* the execution's message was kept for it */
	bool is_lost;	    /* false: unknown */
	uint32_t condition; /* on which the message was the execution's; 0: none */
};

/*
 * What an execution carries (flow_execution.data[data_index]), unless that is a single traversal: then it carries a
 * marked pointer to its last step (traversals_of_step()). One that handles no known message carries nothing until the
 * flow that begins there goes on, or fails to.
 */
struct traversals {
	uint16_t count;
	uint16_t capacity; /* of more */
	uint8_t missed_count;
	bool has_missed;       /* one of them without a condition */
	struct step *first;    /* a reference, like all of them; usually the only one */
	struct step **more;    /* in the arena, the others */
	struct missed *missed; /* in the arena, room for MISSED_MAX; NULL if there are none */
	/* Conditions on which a flow continues and so does not end here; in the arena, NULL if there are none. */
	uint32_t *onward;
	uint8_t onward_count;
};

struct path_tree {
	struct recording *recording; /* borrowed, like the next six */
	struct object_model *model;
	struct object_numbers *numbers;
	struct flow_linker *flows;
	struct coverage *coverage;
	struct diagnostics *diagnostics;
	const struct analysis_options *options;
	unsigned int data_index; /* flow_linker_reserve() */
	struct object_pool traversals, steps;
	struct path_holds holds;
	struct path_nodes nodes;
	bool only_counts_hidden; /* no table lists paths of hidden names */
	uint32_t hidden_count;	 /* paths of hidden names that are only counted */
	uint32_t hidden_chosen;	 /* of these, those that the report is about */
	/* Of the last write: what did not fit (nodes.capped), in a sentence (path_left_out.h); the same, and below it
	 * where paths may go on (path_joins.h). */
	GString *note, *long_note;
	struct path_roots callback_roots, round_roots, publisher_roots, client_roots;
	GPtrArray *condition_sets; /* condition_sets.h: the conditions on which rounds begin */
	const GPtrArray *all;	   /* struct path *, of the nodes, by id; without those only counted; borrowed */
};

/*
 * all: struct path_tree.all. measures_holds: whether to measure what kept each message from being taken.
 * only_counts_hidden: whether no table lists paths of hidden names.
 */
void path_tree_init(struct path_tree *tree, const struct analysis_context *context, const GPtrArray *all,
		    bool measures_holds, bool only_counts_hidden);

/* Whether no table lists the paths that end at the node, or at one after it. */
static inline bool path_tree_only_counts(const struct path_tree *tree, const struct path_node *node)
{
	return node->is_hidden && tree->only_counts_hidden;
}

/* The cause of an execution is known: flows that caused it continue to it, or else one begins there. */
void path_tree_follow(struct path_tree *tree, struct flow_execution *execution);

/* What stands for a single traversal, of which no message was missed and none goes on on a condition. */
static inline void *traversals_of_step(struct step *step)
{
	return (char *)step + 1;
}

/* Its last step, or NULL if that is not what an execution carries. */
static inline struct step *traversals_step(const void *data)
{
	return (uintptr_t)data & 1 ? (struct step *)((char *)(uintptr_t)data - 1) : NULL;
}

/* Whether a flow begins at the execution for which it carries nothing yet: it handles no known message. */
static inline bool path_tree_only_begins(const struct path_tree *tree, const struct flow_execution *execution)
{
	return execution->is_resolved && !execution->flow_id && !execution->data[tree->data_index];
}

/* Where that flow begins; NULL: there is none. */
static inline struct path_node *path_tree_root(const struct path_tree *tree, const struct flow_execution *execution)
{
	return path_tree_only_begins(tree, execution) ? slot_get(tree->callback_roots.plain, execution->callback->index)
						      : NULL;
}

/* Makes those of an execution that carries none, or a pointer that stands for one. */
struct traversals *path_tree_make_traversals(struct path_tree *tree, struct flow_execution *execution);
/* Frees them, and the last step of a single one. */
void path_tree_release_traversals(struct path_tree *tree, struct traversals *traversals);
void path_tree_release_last(struct path_tree *tree, struct step *step);

/* The traversals of an execution, created at the first call. */
static inline struct traversals *path_tree_traversals(struct path_tree *tree, struct flow_execution *execution)
{
	void *data = execution->data[tree->data_index];

	return data && !traversals_step(data) ? data : path_tree_make_traversals(tree, execution);
}

/* Frees the traversals of an execution. */
static inline void path_tree_release(struct path_tree *tree, struct flow_execution *execution)
{
	void *data = execution->data[tree->data_index];

	execution->data[tree->data_index] = NULL;
	if (traversals_step(data)) {
		path_tree_release_last(tree, traversals_step(data));
	} else if (data) {
		path_tree_release_traversals(tree, data);
	}
}

static inline struct step *traversals_at(const struct traversals *traversals, unsigned int index)
{
	return index == 0 ? traversals->first : traversals->more[index - 1];
}

/* NO_TIME unless known. */
static inline int64_t step_end_ns(const struct step *step)
{
	if (step->is_released) {
		return step->end_ns;
	}
	return step->execution->is_complete ? step->execution->end_ns : NO_TIME;
}

#endif
