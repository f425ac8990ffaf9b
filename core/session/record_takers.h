/* SPDX-License-Identifier: MIT */
/*
 * The analyses of a session that take records themselves, not only through what the pipeline has found out: by feed(),
 * feed_losses(), feed_polls(), feed_point() and feed_counter() of struct analysis_class. They are added to the lists of
 * calls of the pipeline (ros2bt/flow/pipeline.h), after its parts.
 */
#ifndef ROS2BT_RECORD_TAKERS_H
#define ROS2BT_RECORD_TAKERS_H

#include "core/session/analysis_set.h"
#include "ros2bt/events/event_schema.h"

struct pipeline;

/*
 * After analysis_set_create(). `interest` holds what the pipeline wants and is extended by what the analyses take, and
 * by the polls if the pipeline has executions. `points` becomes the time from the first point event to the last one;
 * begin_ns is the later one as long as there is none. All but `interest` must outlive the pipeline.
 */
void record_takers_add(const struct analysis_set *set, const struct analysis_options *options,
		       struct pipeline *pipeline, struct event_interest *interest, struct analysis_span *points);

#endif
