/* SPDX-License-Identifier: MIT */
/*
 * Paths in the timeline (core/tables/timeline_tables.h): a row per path with a slice per traversal, in lanes where
 * traversals overlap; within a slice, one per callback on the way, and one per message from its publication to the
 * start of its callback. Parts of a traversal whose times are out of order, because clocks of hosts differ, are left
 * out.
 *
 * Memory: the lanes, and a bit per node of the tree.
 */
#ifndef ROS2BT_PATH_TIMELINE_H
#define ROS2BT_PATH_TIMELINE_H

#include "core/analyses/paths/path_tree.h"
#include "core/tables/timeline_tables.h"

struct path_timeline {
	struct table_writer *events; /* borrowed; NULL: no timeline is drawn */
	GArray *lanes;		     /* struct timeline_lanes, by id of the path */
};

extern const struct table_schema path_track_schema, path_label_schema, path_event_schema;

void path_timeline_init(struct path_timeline *timeline, struct table_writer *events, struct arena *arena);

/* A traversal has ended with its last callback. Only if a timeline is drawn. */
void path_timeline_add(struct path_timeline *timeline, const struct path *path, const struct step *last,
		       int64_t end_ns);

void path_timeline_write_names(const struct path_timeline *timeline, const struct path_tree *tree,
			       struct table_writer *tracks, struct table_writer *labels);

#endif
