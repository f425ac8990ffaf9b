/* SPDX-License-Identifier: MIT */
/* Paths that the user gave, as a part of a message: "a, b, c and 5 more", without control characters. */
#ifndef ROS2BT_PATH_LIST_H
#define ROS2BT_PATH_LIST_H

#include <stddef.h>

/* The caller frees the text. At most PATH_LIST_NAMED paths are named. */
#define PATH_LIST_NAMED 4
char *path_list_text(const char *const *paths, size_t count);

#endif
