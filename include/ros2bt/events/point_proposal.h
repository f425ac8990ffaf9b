/* SPDX-License-Identifier: MIT */
/*
 * Proposes a file of points, from the event classes of a recording: pairs by their names (`frame_start` and
 * `frame_end`, `begin_frame` and …), with a field that both have as the key, and series of the numbers of the other
 * events. Events of ROS 2, of LTTng itself and of kernels are left out. The file works as it is; comments in it explain
 * the rest to its author.
 *
 *   point_proposal_listener() → a reader finds the classes → point_proposal_events() → a reader counts the events →
 *   point_proposal_text()
 *
 * O(classes²) for the pairs. Memory: the classes and their fields.
 */
#ifndef ROS2BT_POINT_PROPOSAL_H
#define ROS2BT_POINT_PROPOSAL_H

#include <glib.h>

#include "core/events/points/point_events.h"

struct point_proposal;

struct point_proposal *point_proposal_create(void);
void point_proposal_destroy(struct point_proposal *proposal);

/* For a reader; lives as long as the proposal. */
const struct point_class_listener *point_proposal_listener(struct point_proposal *proposal);

/* The classes found, without fields, for counting their events; lives as long as the proposal. */
const struct point_events *point_proposal_events(struct point_proposal *proposal);
void point_proposal_count(struct point_proposal *proposal, size_t event);

/* The file, to be freed; NULL: the recording has no events of an application. */
char *point_proposal_text(struct point_proposal *proposal, const char *recording);

#endif
