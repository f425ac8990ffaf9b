/* SPDX-License-Identifier: MIT */
/* Reads a file of points (point_file.h), in YAML. Errors name path, line, key and what is expected there. */
#ifndef ROS2BT_POINT_FILE_READER_H
#define ROS2BT_POINT_FILE_READER_H

#include "core/events/points/point_file.h"

/* NULL with an error: G_MARKUP_ERROR, "PATH:LINE: what", or G_FILE_ERROR. */
struct point_file *point_file_read(const char *path, GError **error);

#endif
