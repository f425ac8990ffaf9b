/* SPDX-License-Identifier: MIT */
/*
 * What the handles of a process refer to, as far as publications and takes need it: the topics of its publishers,
 * subscriptions and callbacks, and the slots of its ring buffers. A handle is an address; a later definition replaces
 * an earlier one. Topics are borrowed. Cost: O(1). Memory: a few words for each definition and each slot of a ring
 * buffer.
 *
 * Unlike core/model this follows the records as they stream, so what a handle refers to never depends on definitions
 * that arrive later.
 */
#ifndef ROS2BT_PUBLICATION_HANDLES_H
#define ROS2BT_PUBLICATION_HANDLES_H

#include "core/normalize/ring_slots.h"
#include "core/stamps/stamp_matcher.h"
#include "ros2bt/base/u64_map.h"
#include "ros2bt/events/event_record.h"

struct publication_handles {
	struct u64_map publisher_topics;    /* rcl publisher → struct stamp_topic * */
	struct u64_map subscription_topics; /* rmw subscription → struct stamp_topic * */
	struct u64_map rmw_subscriptions;   /* rcl subscription → rmw subscription */
	struct u64_map object_handles;	    /* rclcpp subscription → rcl subscription */
	struct u64_map callback_objects;    /* callback → rclcpp subscription */
	struct ring_slots slots;	    /* → number of the intra-process publication */
};

struct publication_handles *publication_handles_create(void);
void publication_handles_destroy(struct publication_handles *process);

/* Takes a definition. `topic`: of the publisher or rcl subscription that it defines; NULL for other objects. */
void publication_handles_learn(struct publication_handles *process, const struct event_record *record,
			       struct stamp_topic *topic);

/* NULL: unknown. */
struct stamp_topic *publication_handles_topic_of_callback(const struct publication_handles *process, uint64_t callback);

#endif
