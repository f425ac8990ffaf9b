/* SPDX-License-Identifier: MIT */
/* What the normalizer is asked to do, and its result: the events that replace a record, in their order. */
#ifndef ROS2BT_NORMALIZED_EVENTS_H
#define ROS2BT_NORMALIZED_EVENTS_H

#include <stdbool.h>
#include <stddef.h>

#include "ros2bt/events/event_record.h"
#include "core/events/normalized_mark.h"

struct normalizer_options {
	bool drops_empty_takes;
	bool drops_rosout;
	bool intra_as_inter; /* rewrites intra-process messages as inter-process ones */
	bool completes;	     /* supplies what rclpy, rclc and parts of rclcpp do not record */
};

struct normalized_event {
	enum normalized_how how;
	struct event_record record; /* of provider ros2; if kept, of the provider of the input */
};

#define NORMALIZED_EVENTS_MAX 8 /* above what the rules add for one record */

struct normalized_events {
	size_t count;
	struct normalized_event event[NORMALIZED_EVENTS_MAX];
};

#endif
