/* SPDX-License-Identifier: MIT */
/*
 * The objects of a recording that belong in an architecture file: timers, subscriptions and publishers of nodes, by
 * CARET's rules. Left out are
 *
 *   - the nodes of CARET itself (caret_trace_…), and the subscriptions of /rviz2;
 *   - the topics /parameter_events, /rosout and /clock;
 *   - timers without a callback, and objects without node or name.
 *
 * Nodes of one name (a process was restarted, or two nodes have one name) are one node with several lives: objects are
 * numbered within each life, and objects of several lives with the same numbers are alike.
 *
 * O(n log n) in the objects of the model.
 */
#ifndef ROS2BT_RECORDED_OBJECTS_H
#define ROS2BT_RECORDED_OBJECTS_H

#include <glib.h>

#include "ros2bt/model/object_model.h"

enum recorded_kind {
	RECORDED_TIMER,
	RECORDED_SUBSCRIPTION,
	RECORDED_PUBLISHER,
	RECORDED_KIND_COUNT,
};

struct recorded_object {
	enum recorded_kind kind;
	const struct model_object *object;
	const char *node;		 /* full name */
	const char *topic;		 /* NULL of a timer */
	int64_t period_ns;		 /* of a timer */
	const char *symbol;		 /* of its callback; NULL: unknown, or a publisher */
	struct model_callback *callback; /* one of its callbacks; NULL: unknown, or a publisher */
	uint32_t life;			 /* of the node, from 0 */
	uint32_t order;			 /* among publishers, or subscriptions, of the node with the same topic */
	uint32_t callback_order;	 /* among callbacks of the node with the same topic or period, and symbol */
};

/*
 * Names of nodes in order, and objects in order of node, kind and time of initialization. Texts are in the pool of the
 * recording.
 */
struct recorded_objects {
	GPtrArray *nodes; /* const char * */
	GArray *objects;  /* struct recorded_object */
};

struct recorded_objects *recorded_objects_collect(struct object_model *model);
void recorded_objects_destroy(struct recorded_objects *objects);

#endif
