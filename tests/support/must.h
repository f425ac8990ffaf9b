/* SPDX-License-Identifier: MIT */
/* For the preparations of a test: a failure ends the test. */
#ifndef ROS2BT_TESTS_MUST_H
#define ROS2BT_TESTS_MUST_H

#include <glib.h>

#define MUST(condition)                                                                                                \
	do {                                                                                                           \
		if (!(condition)) {                                                                                    \
			g_error("%s: %s fails", __func__, #condition);                                                 \
		}                                                                                                      \
	} while (0)

#endif
