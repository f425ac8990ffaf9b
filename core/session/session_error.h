/* SPDX-License-Identifier: MIT */
/* Errors of session_finish() (ros2bt/session/session.h) other than those of the report. */
#ifndef ROS2BT_SESSION_ERROR_H
#define ROS2BT_SESSION_ERROR_H

#include <glib.h>

#define SESSION_ERROR (session_error_quark())

static inline GQuark session_error_quark(void)
{
	return g_quark_from_static_string("ros2bt-session");
}

enum session_error {
	SESSION_ERROR_NOTHING_IN_RANGE, /* the message names the range of the recording */
	SESSION_ERROR_NO_START,		/* the range counts from the start, and the recording has none */
};

#endif
