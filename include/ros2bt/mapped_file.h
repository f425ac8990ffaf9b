/* SPDX-License-Identifier: MIT */
/*
 * A file in memory. What another process cuts off it in the meantime, and what the disk cannot give, is read as zeros
 * instead of raising SIGBUS; mapped_file_is_whole() tells of it, and should be asked when all is read. Part of the
 * decoder.
 *
 * The first file installs a handler of SIGBUS in the process, which leaves to the handler before it what is not about a
 * mapped file. For one thread at a time.
 */
#ifndef ROS2BT_MAPPED_FILE_H
#define ROS2BT_MAPPED_FILE_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

struct mapped_file;

/* NULL: it cannot be opened, with a G_FILE_ERROR that names it. */
struct mapped_file *mapped_file_open(const char *path, GError **error);
/* NULL is allowed. */
void mapped_file_close(struct mapped_file *file);

const char *mapped_file_path(const struct mapped_file *file);

/* Of an empty file NULL. */
const uint8_t *mapped_file_bytes(const struct mapped_file *file);
size_t mapped_file_size(const struct mapped_file *file);

/* Whether all bytes are those of the file; a file that was removed or has grown is whole. */
bool mapped_file_is_whole(const struct mapped_file *file);

#endif
