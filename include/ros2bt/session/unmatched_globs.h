/* SPDX-License-Identifier: MIT */
/* Warnings about globs of the parameters `nodes`, `topics` and `paths` that matched nothing in the recording. */
#ifndef ROS2BT_UNMATCHED_GLOBS_H
#define ROS2BT_UNMATCHED_GLOBS_H

#include "ros2bt/session/session_params.h"

/*
 * After all sessions with these parameters: a text for each such glob, with the nearest name, or the first names that
 * there are. Only names of the chosen tables are known; without any, there are no warnings. To be freed with
 * g_strfreev().
 */
char **unmatched_globs_describe(const struct session_params *params);

#endif
