/* SPDX-License-Identifier: MIT */
/* Which events a pipeline needs. */
#include "core/model/execution_schedules.h"
#include "ros2bt/flow/pipeline.h"

static bool is_wanted(enum event_kind kind)
{
	switch (kind) {
	case EVENT_RCL_TAKE:
	case EVENT_RCLCPP_TAKE:
		/* rmw_take has recorded all that these could add. */
	case EVENT_RCL_LIFECYCLE_TRANSITION:
	case EVENT_ON_DATA_AVAILABLE:
	case EVENT_SIM_TIME:
		return false;
	default:
		return event_kind_is_of_ros(kind) && event_class_of(kind) != EVENT_CLASS_POLL;
	}
}

void pipeline_add_interest(struct event_interest *interest, unsigned int parts)
{
	if ((parts & PIPELINE_SCHEDULES) == PIPELINE_SCHEDULES) {
		execution_schedules_add_interest(interest);
	}
	for (int kind = 0; kind < EVENT_KIND_COUNT; kind++) {
		interest->wants[kind] |= is_wanted(kind);
	}
}

void pipeline_add_polls(struct event_interest *interest)
{
	for (int kind = 0; kind < EVENT_KIND_COUNT; kind++) {
		interest->wants[kind] |= event_class_of(kind) == EVENT_CLASS_POLL;
	}
}
