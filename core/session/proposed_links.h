/* SPDX-License-Identifier: MIT */
/*
 * The indirect links that a recording proposes (core/analyses/paths/path_joins.h), for a session that is to follow
 * them: the paths of the whole recording, as a first pass (ros2bt/session/first_pass.h) finds them, whatever range and
 * names the report is about. Links that the user gives are followed here, too, and come first in the result.
 */
#ifndef ROS2BT_PROPOSED_LINKS_H
#define ROS2BT_PROPOSED_LINKS_H

#include "core/analyses/shared/analysis.h"
#include "ros2bt/flow/pipeline.h"

/* The parts of the pipeline that it needs. */
#define PROPOSED_LINKS_PARTS ((unsigned int)PIPELINE_FLOWS | PIPELINE_INFERRED)

struct proposed_links;

/* In the arena of the recording. Listens to the pipeline, which is borrowed as what `options` point to is. Call before
 * the first record. */
struct proposed_links *proposed_links_create(struct pipeline *pipeline, const struct analysis_options *options);

/* After pipeline_finish(), once: a new array of struct link_rule, not in the arena. */
GArray *proposed_links_find(struct proposed_links *links);

#endif
