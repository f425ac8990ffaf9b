/* SPDX-License-Identifier: MIT */
/*
 * The flows along a named path as CARET makes them (caret_analyze, runtime/path.py): the records of its elements
 * (caret_elements.h), joined one after the other at the point that two neighbours share.
 *
 * A flow begins with the start of the callback that published (`first_callback`), or else with the first element that
 * has records. It is lost from the first point on whose time it lacks. A flow that ends in several ways is several
 * flows. If nothing is known of a node on the way, the flows end before it, and `problem` says so.
 *
 * O(n log n) in the records. Memory: a time for each point of each flow.
 */
#ifndef ROS2BT_CARET_PATH_H
#define ROS2BT_CARET_PATH_H

#include "core/named_paths/caret/caret_elements.h"

struct caret_path {
	GArray *elements;	    /* struct caret_element: node 0, the communication to node 1, node 1, … */
	struct caret_element taken; /* replaces the last communication in flows; without columns: it does not */
	GArray *columns;	    /* struct caret_column, of the flows; without stamps */
	struct caret_table *flows;  /* sorted by all columns; NULL: there are none */
	uint32_t end;		    /* index of the node where they end */
	char *problem;		    /* why that is not the last one, or there are no flows; NULL: no problem */
};

/* The nodes, at least two, are borrowed during the call; their names must outlive the path. */
struct caret_path *caret_path_create(const struct caret_objects *objects, const struct caret_node *nodes, size_t count,
				     bool first_callback, bool last_callback);
void caret_path_destroy(struct caret_path *path); /* NULL is allowed */

#endif
