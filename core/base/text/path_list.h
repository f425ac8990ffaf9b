/* SPDX-License-Identifier: MIT */
/* A list of paths for a message: "a, b, c and 5 more", without control characters. */
#ifndef ROS2BT_PATH_LIST_H
#define ROS2BT_PATH_LIST_H

#include <stddef.h>

#define PATH_LIST_NAMED 4

/* Names at most PATH_LIST_NAMED paths. To be freed with g_free(). */
char *path_list_text(const char *const *paths, size_t count);

#endif
