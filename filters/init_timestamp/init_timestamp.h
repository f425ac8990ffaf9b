/* SPDX-License-Identifier: MIT */
/*
 * The component class filter.ros2.init-timestamp, which moves initialization events of CARET to their
 * `init_timestamp`. For users: docs/filter.ros2.init-timestamp.md.
 *
 * Two passes (where upstream can be rewound): the first collects the events to be moved, the second passes all messages
 * and emits moved events when their time comes, before others of the same time. If nothing moves, the second pass
 * forwards the originals. One pass (`window`): all messages are held for a while. If something may move, all messages
 * are copies (mirror.h).
 */
#ifndef ROS2BT_INIT_TIMESTAMP_H
#define ROS2BT_INIT_TIMESTAMP_H

#include "ros2bt/base/params.h"
#include "ros2bt/bt/filter.h"

/* clang-format off */ /* which would split names at their hyphens */
#define INIT_TIMESTAMP_PARAMS(PARAM)                                                                                   \
	PARAM(mode, STRING, "auto", "auto|two-pass|window",                                                            \
	      "How to move events:"                                                                                    \
	      PARAM_CHOICE(auto, "two-pass if upstream can be read twice, otherwise window")                           \
	      PARAM_CHOICE(two-pass, "read upstream twice, which is exact")                                            \
	      PARAM_CHOICE(window, "hold messages back"))                                                              \
	PARAM(window, DURATION, "2s", "DURATION", "In mode window: how much trace time may be held back.")
/* clang-format on */

#define INIT_TIMESTAMP_HELP                                                                                            \
	"Moves initialization events of CARET to the time in their init_timestamp and keeps the order of time.\n\n"    \
	"Parameters:\n\n" INIT_TIMESTAMP_PARAMS(PARAM_HELP) "Queries: parameters."

extern const struct filter_class init_timestamp_class;

#endif
