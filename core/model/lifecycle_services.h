/* SPDX-License-Identifier: MIT */
/*
 * Which service of a lifecycle node a callback belongs to. rclcpp copies the handles of these services, which rcl has
 * created with the state machine, so the callback refers to a handle that no event defines. But a thread adds the
 * callbacks right after it has created the state machine, and the type of the request is in the symbol.
 *
 * A callback belongs to the state machine that its thread created last, as long as the thread creates no other node.
 * Two services have the same type, GetAvailableTransitions: their callbacks are added in the order of the services, and
 * which is which is known once both are. One that the node adds itself, of such a type, has a handle that is defined
 * (object_relations.c).
 *
 * Cost: per callback of such a service, a step per service that was created since, 4096 at most. Memory: 64 bytes per
 * thread that creates state machines.
 */
#ifndef ROS2BT_LIFECYCLE_SERVICES_H
#define ROS2BT_LIFECYCLE_SERVICES_H

#include <glib.h>

#include "ros2bt/base/u64_map.h"
#include "ros2bt/model/object_model.h"

struct lifecycle_services {
	struct u64_map machines; /* thread → struct created_machine *, owned */
};

void lifecycle_services_init(struct lifecycle_services *services);
void lifecycle_services_clear(struct lifecycle_services *services);

/* The thread has created a state machine; NULL: a node, which may have one later. */
void lifecycle_services_created(struct lifecycle_services *services, uint32_t thread,
				const struct model_state_machine *machine);

/* A service to which a callback belongs. */
struct lifecycle_callback {
	uint64_t callback;
	uint64_t service; /* its rcl handle */
};

/* What the symbol, or NULL, of a callback that the thread has added tells; returns how many, at most 2. `all`: struct
 * model_service * of all threads, in order of creation. */
size_t lifecycle_services_of_callback(struct lifecycle_services *services, const GPtrArray *all, uint32_t thread,
				      uint64_t callback, const char *symbol, struct lifecycle_callback told[2]);

#endif
