/* SPDX-License-Identifier: MIT */
/* A callback in a few words, for cells that name one. */
#ifndef ROS2BT_CALLBACK_TEXT_H
#define ROS2BT_CALLBACK_TEXT_H

#include "ros2bt/object_model.h"

/* "NODE SOURCE", where they are known: "/k1 /f1", "/planner 100 ms"; owned by the caller. */
char *callback_text(struct model_callback *callback, struct object_model *model);

#endif
