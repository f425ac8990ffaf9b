/* SPDX-License-Identifier: MIT */
/* Whether a report is about a callback. */
#ifndef ROS2BT_CALLBACK_CHOICE_H
#define ROS2BT_CALLBACK_CHOICE_H

#include "core/analyses/shared/analysis.h"

/* By the node and the topic or service, as far as they are known (parameters `nodes` and `topics`). */
bool callback_is_chosen(const struct analysis_options *options, struct object_model *model,
			struct model_callback *callback);

#endif
