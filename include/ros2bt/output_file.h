/* SPDX-License-Identifier: MIT */
/*
 * A file that appears whole or not at all: written under a temporary name in the same directory, renamed by
 * output_file_commit(). An older file of the name stays until then. Not synced to the disk.
 */
#ifndef ROS2BT_OUTPUT_FILE_H
#define ROS2BT_OUTPUT_FILE_H

#include <glib.h>
#include <stdbool.h>

struct output_file;
struct output_stream;

/* NULL with a G_FILE_ERROR that names the file. */
struct output_file *output_file_create(const char *directory, const char *name, GError **error);

/* Removes the temporary file unless it was committed. NULL is allowed. */
void output_file_destroy(struct output_file *file);

/* Where to write to; owned by the file. */
struct output_stream *output_file_stream(struct output_file *file);

/* Writes out and closes: after this only renaming can fail. */
bool output_file_close(struct output_file *file, GError **error);

/* Renames a closed file to its name. */
bool output_file_commit(struct output_file *file, GError **error);

#endif
