/* SPDX-License-Identifier: MIT */
/*
 * A first file of points, from the event classes of a recording: pairs by their names (`frame_start` and `frame_end`,
 * `begin_frame` and …), their key by a field that both have, and series of the numbers of the others. Events of ROS 2,
 * of LTTng itself and of kernels are left out. The file loads and works as it is; what else its author has to know
 * stands in comments.
 *
 *   listen → a reader finds the classes → events → a reader counts them → write
 */
#ifndef ROS2BT_POINT_PROPOSAL_H
#define ROS2BT_POINT_PROPOSAL_H

#include <glib.h>

#include "ros2bt/point_events.h"

struct point_proposal;

struct point_proposal *point_proposal_create(void);
void point_proposal_destroy(struct point_proposal *proposal);

/* To be given to a reader; as long as the proposal. */
const struct point_class_listener *point_proposal_listener(struct point_proposal *proposal);

/* The classes that were found, without fields, to be counted by; as long as the proposal. */
const struct point_events *point_proposal_events(struct point_proposal *proposal);
void point_proposal_count(struct point_proposal *proposal, size_t event);

/* The file, to be freed; NULL: no event of the recording is an application's. */
char *point_proposal_text(struct point_proposal *proposal, const char *recording);

#endif
