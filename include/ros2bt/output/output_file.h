/* SPDX-License-Identifier: MIT */
/*
 * A file that appears whole or not at all. It is written in its directory without a name (or under a temporary one
 * where the file system needs that), and output_file_commit() gives it its name. Until then, an older file of that name
 * stays. Nothing is synced to the disk.
 */
#ifndef ROS2BT_OUTPUT_FILE_H
#define ROS2BT_OUTPUT_FILE_H

#include <glib.h>
#include <stdbool.h>

struct output_file;
struct output_stream;

/* Creates a directory that is missing. Whether files can be created in it; if not, with a G_FILE_ERROR that names it.
 */
bool output_directory_create(const char *directory, GError **error);

/* NULL with a G_FILE_ERROR that names the file. */
struct output_file *output_file_create(const char *directory, const char *name, GError **error);

/* Removes the temporary file unless it was committed. NULL is allowed. */
void output_file_destroy(struct output_file *file);

/* The stream to write to; owned by the file. */
struct output_stream *output_file_stream(struct output_file *file);

/* Writes everything out: after this, only naming can fail. */
bool output_file_close(struct output_file *file, GError **error);

/* Gives a closed file its name. */
bool output_file_commit(struct output_file *file, GError **error);

/*
 * Removes the regular files and links of these names (char *) from a directory; a missing one is not an error. False
 * with a G_FILE_ERROR that names the first that could not be removed.
 */
bool output_files_remove(const char *directory, const GPtrArray *names, GError **error);

#endif
