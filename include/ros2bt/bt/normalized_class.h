/* SPDX-License-Identifier: MIT */
/*
 * The mark of filter.ros2.normalize (normalized_mark.h) on an event class of babeltrace2. Once an event class.
 */
#ifndef ROS2BT_NORMALIZED_CLASS_H
#define ROS2BT_NORMALIZED_CLASS_H

#include <babeltrace2/babeltrace.h>

#include "core/events/normalized_mark.h"

/* NORMALIZED_KEPT if there is none. Its text lives as long as the class. */
struct normalized_mark normalized_class_mark(const bt_event_class *event_class);

/* The name that the events of the class were recorded under, NULL if there is none. */
const char *normalized_class_recorded_name(const bt_event_class *event_class);

#endif
