/* SPDX-License-Identifier: MIT */
/* The parameters of a component class (ros2bt/base/params.h) as libbabeltrace2 passes them and asks for them. */
#ifndef ROS2BT_GIVEN_PARAMS_H
#define ROS2BT_GIVEN_PARAMS_H

#include <babeltrace2/babeltrace.h>

#include "ros2bt/base/param_values.h"
#include "ros2bt/base/params.h"

/* The entries of a map, to be freed; a copy, so it may outlive the map. */
struct param_values *given_params(const bt_value *map);

/* The rows as a map: key → map of type, default, allowed, help; NULL if there is no memory. For queries. */
const bt_value *params_describe(const struct param *rows, size_t row_count);

#endif
