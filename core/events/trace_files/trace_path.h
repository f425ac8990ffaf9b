/* SPDX-License-Identifier: MIT */
/* A path that the user gave for a trace, before anything reads it. */
#ifndef ROS2BT_TRACE_PATH_H
#define ROS2BT_TRACE_PATH_H

/* Why no trace can be at this path, in one sentence with the path; NULL: one may be there. To be freed. */
char *trace_path_problem(const char *path);

#endif
