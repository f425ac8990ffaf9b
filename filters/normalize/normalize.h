/* SPDX-License-Identifier: MIT */
/*
 * The component class filter.ros2.normalize, which converts traces of every release and of CARET to the
 * current layout of ros2_tracing. The rules are in normalizer.h; here messages become records and records messages. All
 * messages are copies (mirror.h); times, packets and discarded events stay as they are.
 *
 * A publication may need a timestamp that is recorded later. Where upstream can go back to its beginning, a first pass
 * learns them all; else messages are held back for a window of time. Memory: 32 bytes a publication, or the messages of
 * the window (at most NORMALIZE_HELD_MAX). For users: docs/filter.ros2.normalize.md.
 */
#ifndef ROS2BT_NORMALIZE_H
#define ROS2BT_NORMALIZE_H

#include "ros2bt/base/params.h"
#include "ros2bt/bt/filter.h"

#define NORMALIZE_HELD_MAX 200000

/* clang-format off */ /* which would split names at their hyphens */
#define NORMALIZE_PARAMS(PARAM)                                                                                        \
	PARAM(mode, STRING, "auto", "auto|two-pass|window",                                                            \
	      "How to find timestamps that are recorded later:"                                                        \
	      PARAM_CHOICE(auto, "two-pass if upstream can be read twice, otherwise window")                           \
	      PARAM_CHOICE(two-pass, "read upstream twice, which is exact")                                            \
	      PARAM_CHOICE(window, "hold messages back"))                                                              \
	PARAM(window, DURATION, "2s", "DURATION", "In mode window: how much trace time is held back.")                 \
	PARAM(drop-empty-takes, BOOL, "no", "yes|no", "Drop takes that found no message, request or response.")        \
	PARAM(drop-rosout, BOOL, "no", "yes|no", "Drop the publishers of /rosout and their publications.")             \
	PARAM(complete, BOOL, "no", "yes|no",                                                                          \
	      "Supply the callbacks of services and the steps of publications that only rclcpp records, leave out "    \
	      "requests and responses that nobody sent in the trace.")                                                 \
	PARAM(intra-process, STRING, "keep", "keep|as-inter-process",                                                  \
	      "How to show intra-process messages:"                                                                    \
	      PARAM_CHOICE(keep, "as recorded")                                                                        \
	      PARAM_CHOICE(as-inter-process, "as inter-process messages, for tools that know only these"))
/* clang-format on */

#define NORMALIZE_HELP                                                                                                 \
	"Converts the events of every release of ros2_tracing and of CARET to the current layout of\n"                 \
	"ros2_tracing, and adds the events that they imply. An event that was changed or added has a specific\n"       \
	"context: `normalized` is changed, supplied, inferred or unstamped.\n\n"                                       \
	"Parameters:\n\n" NORMALIZE_PARAMS(PARAM_HELP) "Queries: parameters."

extern const struct filter_class normalize_class;

#endif
