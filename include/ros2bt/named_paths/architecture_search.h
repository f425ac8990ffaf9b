/* SPDX-License-Identifier: MIT */
/*
 * Searches an architecture for the paths of messages between nodes, and adds them to its named paths.
 *
 * A path begins at a node that matches the first stop, passes nodes that match the stops between, in that order, and
 * ends at the first node after these that matches the last one. Each hop leads from a publisher to a subscription of
 * the same topic. A path takes the hop between two nodes only once, so it does not run in circles, but it may return to
 * a node on another way. These are the paths that caret_analyze's search_paths() finds, except those that it cannot
 * load from a file: at its ends, a path uses only the first publisher or subscription of its topic.
 *
 * Paths are found in order of their number of hops, those of equal length by the names of their first node, then of
 * topics and nodes; a limit therefore leaves out the longest ones. A node that is too far from the end for the
 * remaining hops is not entered.
 *
 * Names of paths: FIRST_to_LAST_N, with `_` in place of the `/` in names of nodes.
 *
 * Cost: O(stops × endpoints) to find how far each node is from the end, then one step of about 10 ns for each hop that
 * is tried, up to steps_max. Memory: the endpoints, and the paths.
 */
#ifndef ROS2BT_ARCHITECTURE_SEARCH_H
#define ROS2BT_ARCHITECTURE_SEARCH_H

#include "core/named_paths/architecture/architecture.h"

#define ARCHITECTURE_SEARCH_STOPS_MAX 16
#define ARCHITECTURE_SEARCH_HOPS_MAX 100

struct architecture_search {
	const char *const *stops;   /* globs of nodes: from, any number of others, to */
	size_t stop_count;	    /* from 2 to ARCHITECTURE_SEARCH_STOPS_MAX */
	const char *const *without; /* globs of nodes and topics that no path goes through, ended by NULL; or NULL */
	unsigned int hops_max;	    /* of a path, from 1 to ARCHITECTURE_SEARCH_HOPS_MAX */
	size_t paths_max;
	uint64_t steps_max;
};

enum architecture_search_limit {
	ARCHITECTURE_SEARCH_COMPLETE, /* all paths of up to hops_max hops are found */
	ARCHITECTURE_SEARCH_PATHS,    /* there are more than paths_max */
	ARCHITECTURE_SEARCH_STEPS,    /* it took more than steps_max; longer paths may exist */
};

struct architecture_search_result {
	size_t path_count; /* paths added */
	enum architecture_search_limit limit;
	unsigned int hops;     /* all paths of up to this many hops are found */
	const char *unmatched; /* the first stop that matches no node; NULL: all match */
	bool may_be_longer;    /* there may be paths of more hops than hops_max */
};

struct architecture_search_result architecture_search(struct architecture *architecture,
						      const struct architecture_search *search);

#endif
