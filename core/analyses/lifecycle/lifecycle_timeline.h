/* SPDX-License-Identifier: MIT */
/*
 * The states of lifecycle nodes in the timeline (core/tables/timeline_tables.h): each node has a row in its process,
 * with a slice for each stay in a state, cut to the range. The last stay lasts until the end of the recording.
 */
#ifndef ROS2BT_LIFECYCLE_TIMELINE_H
#define ROS2BT_LIFECYCLE_TIMELINE_H

#include "core/analyses/lifecycle/lifecycle_nodes.h"
#include "core/tables/timeline_tables.h"

extern const struct table_schema lifecycle_track_schema, lifecycle_label_schema, lifecycle_event_schema;

/* Draws the stay in a state (`label` as in struct lifecycle_state) that began at node->since_ns. `events`: NULL: no
 * timeline is drawn. */
void lifecycle_timeline_add(const struct lifecycle *lifecycle, struct table_writer *events,
			    const struct lifecycle_node *node, const char *label, int64_t end_ns);

/* The stays that have not ended, and the names. */
void lifecycle_timeline_write(const struct lifecycle *lifecycle, struct table_writer *events,
			      struct table_writer *tracks, struct table_writer *labels);

#endif
