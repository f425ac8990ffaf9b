/* SPDX-License-Identifier: MIT */
/* Texts that may hold a path, "/node > /topic >> /node", as people read them. */
#ifndef ROS2BT_PATH_TEXT_H
#define ROS2BT_PATH_TEXT_H

#include <stddef.h>

/*
 * As human_text_shorten(), except that a path loses whole elements, "/a > … > /z", so that what remains are names of
 * the path. Only its first and its last element may be shortened themselves, each of them in its middle, where these
 * two alone are too long. To be freed.
 */
char *path_text_shorten(const char *text, size_t width);

#endif
