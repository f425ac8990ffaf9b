/* SPDX-License-Identifier: MIT */
/*
 * A file that appears whole or not at all: written without a name (where the file system can, else under a temporary
 * one) in the same directory, given its name by output_file_commit(). An older file of the name stays until then. Not
 * synced to the disk.
 */
#ifndef ROS2BT_OUTPUT_FILE_H
#define ROS2BT_OUTPUT_FILE_H

#include <glib.h>
#include <stdbool.h>

struct output_file;
struct output_stream;

/* Whether files can be made in a directory; if not with a G_FILE_ERROR that names it. */
bool output_directory_check(const char *directory, GError **error);

/* NULL with a G_FILE_ERROR that names the file. */
struct output_file *output_file_create(const char *directory, const char *name, GError **error);

/* Removes the temporary file unless it was committed. NULL is allowed. */
void output_file_destroy(struct output_file *file);

/* Where to write to; owned by the file. */
struct output_stream *output_file_stream(struct output_file *file);

/* Writes everything out: after this only naming can fail. */
bool output_file_close(struct output_file *file, GError **error);

/* Gives a closed file its name. */
bool output_file_commit(struct output_file *file, GError **error);

/*
 * Removes the regular files and links of these names (char *) from a directory; one that is not there is no error.
 * False with a G_FILE_ERROR that names the first that stays.
 */
bool output_files_remove(const char *directory, const GPtrArray *names, GError **error);

#endif
