/* SPDX-License-Identifier: MIT */
#ifndef ROS2BT_SQLITE_VIEWS_H
#define ROS2BT_SQLITE_VIEWS_H

/* The statements of sqlite_views.sql, put into the binary by sqlite_views.S. */
extern const char sqlite_views[] __attribute__((visibility("hidden")));

#endif
