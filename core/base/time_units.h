/* SPDX-License-Identifier: MIT */
/* Units of time: everything is in ns, as int64_t. */
#ifndef ROS2BT_TIME_UNITS_H
#define ROS2BT_TIME_UNITS_H

#include <stdint.h>

#define NS_PER_MS INT64_C(1000000)
#define NS_PER_S INT64_C(1000000000)

#endif
