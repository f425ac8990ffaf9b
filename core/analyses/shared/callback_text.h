/* SPDX-License-Identifier: MIT */
/* Names of callbacks for cells, by the definitions known so far. */
#ifndef ROS2BT_CALLBACK_TEXT_H
#define ROS2BT_CALLBACK_TEXT_H

#include "ros2bt/model/object_model.h"

/* "subscription", "timer", "service", "inferred" or "unknown". */
const char *callback_kind_name(enum callback_kind kind);

/* The topic or service that triggers the callback; NULL if none does, or if it is unknown. */
const char *callback_source(const struct model_callback_info *info);

/*
 * A callback in a few words: "NODE SOURCE", as "/k1 /f1" or "/planner 100 ms". The source is the period of a timer, a
 * topic or a service, else the function or its address; without a known node it stands alone. To be freed.
 */
char *callback_text(struct model_callback *callback, struct object_model *model);

#endif
