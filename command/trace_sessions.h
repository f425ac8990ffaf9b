/* SPDX-License-Identifier: MIT */
/*
 * Sessions of `ros2 trace`, which writes a recording to a directory of the session's name. They lie in the directory
 * that ROS_TRACE_DIR names, else in `tracing` below ROS_HOME, else in ~/.ros/tracing (tracetools_trace does the same).
 */
#ifndef ROS2BT_TRACE_SESSIONS_H
#define ROS2BT_TRACE_SESSIONS_H

/*
 * The path that an argument means: the argument, unless nothing has this path and a session has this name. Lives as
 * long as the process.
 */
const char *trace_session_path(const char *argument);
/* Why an argument is no trace, if nothing has this path and no session this name; NULL: it may be one. To be freed. */
char *trace_session_problem(const char *argument);

#endif
