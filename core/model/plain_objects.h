/* SPDX-License-Identifier: MIT */
/* What the object model keeps of nodes without rclcpp; core/model/plain.h works with it. Embedded: init and clear. */
#ifndef ROS2BT_MODEL_PLAIN_OBJECTS_H
#define ROS2BT_MODEL_PLAIN_OBJECTS_H

#include <glib.h>

#include "core/base/u64_map.h"

struct plain_objects {
	size_t count;		     /* subscriptions without rclcpp part, and processes with services without rclcpp */
	GArray *is_counted;	     /* bool by subscription: it is in `count`, or was */
	GArray *has_services;	     /* bool by process */
	GArray *has_rclcpp;	     /* bool by process */
	GArray *has_caret;	     /* bool by process */
	struct u64_map waits;	     /* wait_key() → timers << 32 | those at an address that was used before */
	struct u64_map callbacks;    /* subscription or service → struct callback_object * of the model */
	GPtrArray *callback_origins; /* struct definition *, owned: those of the callbacks */
};

void plain_objects_init(struct plain_objects *plain);
void plain_objects_clear(struct plain_objects *plain);

#endif
